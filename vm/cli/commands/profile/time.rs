//! `profile --scheme time`: one run that is sampled, or one that was.

use super::output::{output, written};
use crate::config::TimeConfig;
use crate::overwriting::{refuse_overwriting, refuse_sources};
use crate::{Exit, program, recompilation, recording, refuse, show};
use holloway::Engine;
use holloway_aos::session::Keep;
use holloway_study::report::fit::fit;
use holloway_study::report::paint::paint;
use holloway_study::report::style::OutputFormat;
use holloway_study::report::time;
use holloway_study::run::Run;
use std::path::Path;

/// Runs a program and tells where its time went. The exit status is the program's.
pub fn time(config: &TimeConfig) -> Exit {
    try_time(config).unwrap_or_else(|exit| exit)
}

fn try_time(config: &TimeConfig) -> Result<Exit, Exit> {
    let name = program::name(&config.program.source);
    config.output.iter().try_for_each(|output| refuse_overwriting("-o", output, &[Path::new(&name)]))?;
    if let Some(read) = recording::read(&config.program) {
        let run = read?;
        if !config.program.args.is_empty() {
            let message = format!("{name} was recorded with its arguments: leave those behind it out");
            return Err(refuse(&message, Exit::Usage));
        }
        return tell(config, &run, &run.head.program, Exit::Success);
    }
    let mut settings = program::engine(&config.execution, &config.program.args, output(config.format))?;
    settings.adaptive = recompilation::session(&config.execution, Keep::Nothing)?;
    let mut engine = program::start(settings, Engine::new)?;
    program::load(&mut engine, &config.program.source, config.messages)?;
    config.output.iter().try_for_each(|output| refuse_sources("-o", output, engine.sources()))?;
    recompilation::begin(&mut engine, &config.execution, &name)?;
    program::stop_on_signals(&engine);
    let args = config.program.args.as_slice();
    let mut recording = recording::begin(&mut engine, &config.execution, (&name, args), Some(config.hz))?;
    let result = engine.run();
    recording.stop();
    // A failing program has a profile too.
    let exit = program::finish(&engine, result, config.messages);
    let finished = recompilation::finish(&mut engine, &config.execution);
    let run = recording.end(&engine, exit)?;
    finished?;
    tell(config, &run, &name, exit)
}

fn tell(config: &TimeConfig, run: &Run, name: &str, exit: Exit) -> Result<Exit, Exit> {
    config.output.iter().try_for_each(|path| written(path, &time::json(run, name, None)))?;
    let text = match config.format {
        OutputFormat::Json => time::json(run, name, config.top),
        OutputFormat::Text => {
            let style = config.messages.style;
            paint(&fit(&time::text(run, config.top, style), style.width), style.color)
        }
    };
    match show(&text) {
        Exit::Success => Ok(exit),
        other => Ok(other),
    }
}
