//! From `--events`, `--advice`, `--replay` and `--stress` to the adaptive system of a run, and back to files at its
//! end.
//!
//! In: an [`ExecutionConfig`]. Out: a [`Session`] for the engine, or the exit status after the reason was reported.
//! Invariant: a file that cannot be read or written is found before the program runs, but for a disk that fills up
//! meanwhile.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use super::exit::{Exit, refuse};
use super::overwriting::{refuse_overwriting, refuse_same, refuse_sources};
use super::program::tell;
use crate::config::{Compilation, DecidedBy, ExecutionConfig, StrategyName};
use holloway::whole_file;
use holloway::{Adaptive, Engine, TierChoice};
use holloway_aos::event_file::EventWriter;
use holloway_aos::session::{EventSink, Keep, PolicyOfRun};
use holloway_aos::strategies::strategy;
use holloway_aos::{Advice, Calibration, Controller, ReplayController, Session, Settings, StressController};
use holloway_study::report::text::{function_name, one_line};

/// The adaptive system that the options select; none if one tier runs everything.
pub(crate) fn session(execution: &ExecutionConfig, keep: Keep) -> Result<Option<Adaptive>, Exit> {
    if execution.tier != TierChoice::Auto {
        return Ok(None);
    }
    let policy = match &execution.adaptive.decided_by {
        DecidedBy::Strategy(StrategyName(name)) => PolicyOfRun::Controller(Box::new(Controller::new(
            settings(execution)?,
            strategy(name).expect("its name was looked up"),
            Calibration::embedded,
        ))),
        DecidedBy::Advice(path) => PolicyOfRun::Replay(Box::new(ReplayController::new(read_advice(path)?))),
        DecidedBy::Chance(seed) => PolicyOfRun::Random(Box::new(StressController::new(*seed))),
    };
    Ok(Some(Adaptive(Session::new(policy, keep))))
}

/// Begins the files of a run, once its program is loaded.
pub(crate) fn begin(engine: &mut Engine, execution: &ExecutionConfig, program: &str) -> Result<(), Exit> {
    keep_inputs(engine, execution)?;
    let Some(session) = engine.executor_mut().adaptive_mut() else { return Ok(()) };
    if let Some(path) = &execution.adaptive.events {
        session.write_to(create(path, program)?);
    }
    if let Some(path) = &execution.adaptive.advice {
        // Nothing is lost if the program fails: only a run that ends has advice to give.
        std::fs::write(path, Advice::new(Vec::new()).to_json()).map_err(|error| cannot_write(path, &error))?;
    }
    Ok(())
}

/// Refuses output files in the place of what the run reads, or of each other.
fn keep_inputs(engine: &Engine, execution: &ExecutionConfig) -> Result<(), Exit> {
    let mut read = Vec::from_iter(execution.facts.as_deref());
    if let DecidedBy::Advice(path) = &execution.adaptive.decided_by {
        read.push(path);
    }
    let events = execution.adaptive.events.as_deref().filter(|output| !is_stdout(output));
    let (advice, save) = (execution.adaptive.advice.as_deref(), execution.adaptive.save.as_deref());
    let outputs = [("--events", events), ("--advice", advice), ("--save", save)];
    let outputs: Vec<(&str, &Path)> =
        outputs.into_iter().filter_map(|(option, output)| Some((option, output?))).collect();
    for (nth, (option, output)) in outputs.iter().enumerate() {
        refuse_overwriting(option, output, &read)?;
        refuse_sources(option, output, engine.sources())?;
        for (other, same) in &outputs[..nth] {
            refuse_same([other, option], [same, output])?;
        }
    }
    Ok(())
}

/// Ends the files of a run.
pub(crate) fn finish(engine: &mut Engine, execution: &ExecutionConfig) -> Result<(), Exit> {
    if let DecidedBy::Advice(path) = &execution.adaptive.decided_by {
        tell_unfit(engine, path);
    }
    engine.executor_mut().measure_run();
    let Some(session) = engine.executor_mut().adaptive_mut() else { return Ok(()) };
    if let Err(error) = session.finish()
        && let Some(path) = &execution.adaptive.events
    {
        return Err(cannot_write(path, &error));
    }
    if let (Some(path), Some(controller)) = (&execution.adaptive.advice, session.controller()) {
        std::fs::write(path, controller.advice().to_json()).map_err(|error| cannot_write(path, &error))?;
    }
    Ok(())
}

/// Tells the follower of advice the functions of the program, which is loaded, and refuses advice about others.
pub(crate) fn check(engine: &mut Engine, execution: &ExecutionConfig) -> Result<(), Exit> {
    let DecidedBy::Advice(path) = &execution.adaptive.decided_by else { return Ok(()) };
    let module = Arc::clone(engine.module());
    let names: Vec<String> = module.funcs.keys().map(|func| function_name(&module, func)).collect();
    let replay = engine.executor_mut().adaptive_mut().and_then(Session::replay_mut);
    let checked = replay.map_or(Ok(()), |replay| replay.take_program(&names));
    checked.map_err(|error| refuse(&format_args!("{}: {error}", path.display()), Exit::NoInput))
}

/// Tells which advice was about another program.
fn tell_unfit(engine: &Engine, path: &Path) {
    let replay = engine.executor().adaptive().and_then(Session::replay);
    for reason in replay.iter().flat_map(|replay| replay.unfit()) {
        tell(&(one_line(&format!("holloway: {}: {reason}", path.display())) + "\n"));
    }
}

/// The settings of a run, with those that were set.
fn settings(execution: &ExecutionConfig) -> Result<Settings, Exit> {
    let usual = match execution.compilation {
        Compilation::Background => Settings::background(),
        Compilation::Synchronous => Settings::synchronous(),
    };
    let set = |settings: Settings, setting: &String| settings.with(setting);
    let changed = execution.adaptive.set.iter().try_fold(usual.without(execution.adaptive.without), set);
    changed.map_err(|reason| refuse(&one_line(&reason), Exit::Usage))
}

fn create(path: &Path, program: &str) -> Result<Box<dyn EventSink>, Exit> {
    let out: Box<dyn Write + Send> = match is_stdout(path) {
        true => Box::new(std::io::stdout()),
        false => Box::new(BufWriter::new(File::create(path).map_err(|error| cannot_write(path, &error))?)),
    };
    match EventWriter::new(out, program) {
        Ok(writer) => Ok(Box::new(writer)),
        Err(error) => Err(cannot_write(path, &error)),
    }
}

/// Returns true if a path means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn read_advice(path: &Path) -> Result<Advice, Exit> {
    let text = whole_file::advice(path)
        .map_err(|error| refuse(&format_args!("cannot read {}: {error}", path.display()), Exit::NoInput))?;
    Advice::parse(&text).map_err(|error| refuse(&format_args!("{}: {error}", path.display()), Exit::NoInput))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Exit {
    refuse(&format_args!("cannot write {}: {error}", path.display()), Exit::Failure)
}
