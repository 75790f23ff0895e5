//! `explain`: one run, then the report of every decision.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::num::NonZeroUsize;

use super::bench::interruptible;
use crate::config::{
    AdaptiveConfig, Compilation, ExecutionConfig, ExplainConfig, Explained, Measure, Program, ReportPart, Source,
};
use crate::settings::TOP;
use crate::{Exit, program, recompilation, recording, refuse, show};
use holloway::{Engine, FileAccess};
use holloway_aos::session::Keep;
use holloway_aos::{DEMO, Parts};
use holloway_measure::bench::progress::Progress;
use holloway_measure::gain::{GainConfig, measure_gain};
use holloway_runtime::Sink;
use holloway_study::diff::{self, runs::RunDifference};
use holloway_study::report::fit::fit;
use holloway_study::report::story::{MeasuredGain, Story, Target};
use holloway_study::report::style::OutputFormat;
use holloway_study::report::text::one_line;
use holloway_study::run::Run;

/// Name of the embedded program.
const DEMO_NAME: &str = "demo.hw";

/// Runs a program and reports the decisions of the adaptive system. The exit status is the program's.
pub fn explain(config: &ExplainConfig) -> Exit {
    try_explain(config).unwrap_or_else(|exit| exit)
}

fn try_explain(config: &ExplainConfig) -> Result<Exit, Exit> {
    let (mut run, exit) = match &config.explained {
        Explained::Program(program) => match recording::read(program) {
            Some(read) => (kept(config, read?)?, Exit::Success),
            None => observed(config, &config.execution, output(config))?,
        },
        Explained::Demonstration => observed(config, &config.execution, output(config))?,
    };
    if !config.what_if.is_empty() {
        return what_if(config, &run, exit);
    }
    if matches!(&config.part, ReportPart::Why(target) if matches!(Target::parse(target), Target::Version(_))) {
        run.disassemble();
    }
    match show(&told(&run, config)?) {
        Exit::Success => Ok(exit),
        other => Ok(other),
    }
}

/// A run that was kept: nothing is run for it.
fn kept(config: &ExplainConfig, run: Run) -> Result<Run, Exit> {
    let adaptive = &config.execution.adaptive;
    let asked = [
        ("--save", adaptive.save.is_some()),
        ("--events", adaptive.events.is_some()),
        ("--advice", adaptive.advice.is_some()),
        ("--measure", config.measure.is_some()),
        ("--what-if", !config.what_if.is_empty()),
        ("--set", !adaptive.set.is_empty()),
        ("--without", adaptive.without != Parts::NONE),
        (
            "an argument of the program",
            matches!(&config.explained, Explained::Program(program) if !program.args.is_empty()),
        ),
    ];
    match asked.iter().find(|(_, asked)| *asked) {
        Some((option, _)) => {
            let message = format!("explain: {option} is about a run that is made; this one was: name a program");
            Err(refuse(&message, Exit::Usage))
        }
        None => Ok(run),
    }
}

/// Runs the program once more with other settings, whose output is not shown again, and tells what differs.
fn what_if(config: &ExplainConfig, run: &Run, exit: Exit) -> Result<Exit, Exit> {
    let mut execution = config.execution.clone();
    // The files are about the first run.
    execution.adaptive = AdaptiveConfig { events: None, advice: None, save: None, ..execution.adaptive };
    execution.adaptive.set.extend(config.what_if.iter().cloned());
    let (other, _) = observed(config, &execution, Sink::Callback(Box::new(|_| ())))?;
    let found = RunDifference::between([std::slice::from_ref(run), std::slice::from_ref(&other)]);
    let text = match config.format {
        OutputFormat::Json => format!("{}\n", serde_json::json!(found)),
        OutputFormat::Text => {
            let style = config.messages.style;
            let head = format!("a: as it is; b: with {}\n", one_line(&config.what_if.join(", ")));
            head + &diff::runs::text(&found, [run, &other], NonZeroUsize::new(TOP), style.width)
        }
    };
    match show(&text) {
        Exit::Success => Ok(exit),
        other => Ok(other),
    }
}

/// Runs the program.
fn observed(config: &ExplainConfig, execution: &ExecutionConfig, output: Sink) -> Result<(Run, Exit), Exit> {
    let (args, name) = match &config.explained {
        Explained::Demonstration => (&[][..], DEMO_NAME.to_owned()),
        Explained::Program(program) => (program.args.as_slice(), program::name(&program.source)),
    };
    let mut settings = program::engine(execution, args, output)?;
    settings.adaptive = recompilation::session(execution, Keep::Nothing)?;
    let mut engine = program::start(settings, Engine::new)?;
    match &config.explained {
        Explained::Demonstration => {
            engine.load(DEMO_NAME, DEMO).expect("the demonstration compiles");
        }
        Explained::Program(program) => program::load(&mut engine, &program.source, config.messages)?,
    }
    recompilation::begin(&mut engine, execution, &name)?;
    program::stop_on_signals(&engine);
    let mut recording = recording::begin(&mut engine, execution, (&name, args), recording::samples(execution))?;
    let result = engine.run();
    recording.stop();
    // A failing program has a report too.
    let exit = program::finish(&engine, result, config.messages);
    // The recording is whole even where another file cannot be written.
    let finished = recompilation::finish(&mut engine, execution);
    let run = recording.end(&engine, exit)?;
    finished.map(|()| (run, exit))
}

fn told(run: &Run, config: &ExplainConfig) -> Result<String, Exit> {
    let mut story = Story::of_run(run);
    // Where measuring fails, that has been said; the report is there all the same.
    story.measured = config.measure.as_ref().and_then(|measure| gain(config, measure).ok());
    let style = config.messages.style;
    Ok(match (config.format, &config.part) {
        (OutputFormat::Json, _) => format!("{}\n", story.json()),
        (OutputFormat::Text, ReportPart::Overview) => fit(&story.overview(style), style.width),
        (OutputFormat::Text, ReportPart::Story) => fit(&story.text(style), style.width),
        (OutputFormat::Text, ReportPart::Why(target)) => {
            let told = story.why(&Target::parse(target), style);
            fit(&told.ok_or_else(|| refuse(&nothing_about(target, &story), Exit::Usage))?, style.width)
        }
    })
}

/// The gain of traces, by further runs with the same options.
fn gain(config: &ExplainConfig, measure: &Measure) -> Result<MeasuredGain, Exit> {
    let cannot = |error: &dyn Display| refuse(&format_args!("--measure: {error}"), Exit::Failure);
    let folder = tempfile::tempdir().map_err(|error| cannot(&error))?;
    let (file, args) = match &config.explained {
        Explained::Program(Program { source: Source::File(path), args }) => (path.clone(), args.clone()),
        Explained::Program(_) => return Err(cannot(&"only a program in a file can be run again")),
        Explained::Demonstration => {
            let file = folder.path().join(DEMO_NAME);
            std::fs::write(&file, DEMO).map_err(|error| cannot(&error))?;
            (file, Vec::new())
        }
    };
    let progress = if measure.shows_progress { Progress::Bar } else { Progress::Silent };
    let (rounds, executable) = (measure.rounds, measure.executable.clone());
    let again = GainConfig { executable, options: options(&config.execution), file, args, rounds, progress };
    measure_gain(&again, &interruptible()).map_err(|error| cannot(&error))
}

/// The options of `run` that give the same execution.
fn options(execution: &ExecutionConfig) -> Vec<OsString> {
    let mut options: Vec<String> = Vec::new();
    if execution.compilation == Compilation::Synchronous {
        options.push("--sync-compile".to_owned());
    }
    options.extend(execution.limits.heap.map(|bytes| format!("--heap-limit={bytes}")));
    options.extend(execution.limits.time.map(|time| format!("--time-limit={}", time.as_secs_f64())));
    options.extend(execution.limits.fuel.map(|fuel| format!("--fuel={fuel}")));
    if execution.files == FileAccess::Refused {
        options.push("--no-files".to_owned());
    }
    options.extend(execution.disabled_passes.iter().map(|pass| format!("--disable-pass={pass}")));
    options.into_iter().map(OsString::from).collect()
}

/// The message that nothing was decided about a target, with what something was decided about.
fn nothing_about(target: &str, story: &Story<'_>) -> String {
    let known = match Target::parse(target) {
        Target::Guard(..) => known_names("guards failed at", "no guard was told to fail", story.guards()),
        Target::Inlining(_) => {
            known_names("there are decisions in", "no call of a known function was compiled", story.inlining())
        }
        Target::Function(_) | Target::Place(..) | Target::Version(_) => {
            let names = story.events.iter().filter_map(|event| event.subject.function.clone());
            known_names("decisions are about", "no function was sampled", names.collect())
        }
    };
    format!(
        "--why {target}: nothing was decided about that; name a function, FILE:LINE or FUNCTION:LINE of a loop, a version, \
         inlining:FUNCTION or guard:FILE:LINE; {known}"
    )
}

fn known_names(there_is: &str, there_is_none: &str, mut names: Vec<String>) -> String {
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { there_is_none.to_owned() } else { format!("{there_is} {}", names.join(", ")) }
}

/// With `--json`, standard output holds the report alone; the program's output goes to standard error.
fn output(config: &ExplainConfig) -> Sink {
    match config.format {
        OutputFormat::Text => Sink::Stdout,
        OutputFormat::Json => Sink::Callback(Box::new(|bytes| {
            let _ = std::io::stderr().write_all(bytes);
        })),
    }
}
