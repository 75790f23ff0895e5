//! `profile`: one run, one profile.

use std::io::Write;

use crate::cli::{Exit, program, refuse, show};
use crate::config::{OutputFormat, ProfileConfig, Scheme};
use crate::engine::Engine;
use crate::report::edges;
use crate::runtime::Sink;

/// Runs a program and prints, or saves, what was counted. The exit status is the program's.
pub fn profile(config: &ProfileConfig) -> Exit {
    try_profile(config).unwrap_or_else(|exit| exit)
}

fn try_profile(config: &ProfileConfig) -> Result<Exit, Exit> {
    let settings = program::engine(&config.execution, &config.program.args, output(config))?;
    let mut engine = program::start(settings, Engine::new)?;
    match config.scheme {
        Scheme::Edge => engine.executor_mut().count_edges(),
    }
    program::load(&mut engine, &config.program.source, config.messages)?;
    program::stop_on_ctrl_c(&engine);
    let result = engine.run();
    // A failing program has a profile too: the one of what it did until then.
    let exit = program::finish(&engine, result, config.messages);
    let name = source_name(config);
    if let Some(path) = &config.output {
        let json = edges::json(&engine, &name, None);
        std::fs::write(path, json)
            .map_err(|error| refuse(&format_args!("cannot write {}: {error}", path.display()), Exit::Failure))?;
    }
    let text = match config.format {
        OutputFormat::Json => edges::json(&engine, &name, config.top),
        OutputFormat::Text => edges::text(&engine, config.top),
    };
    match show(&text) {
        Exit::Success => Ok(exit),
        other => Ok(other),
    }
}

/// With `--json`, standard output is the profile's alone; the program's output goes to standard error.
fn output(config: &ProfileConfig) -> Sink {
    match config.format {
        OutputFormat::Text => Sink::Stdout,
        OutputFormat::Json => Sink::Callback(Box::new(|bytes| {
            let _ = std::io::stderr().write_all(bytes);
        })),
    }
}

fn source_name(config: &ProfileConfig) -> String {
    match &config.program.source {
        crate::config::Source::File(path) => path.display().to_string(),
        crate::config::Source::Stdin => "<stdin>".into(),
        crate::config::Source::Code(_) => "<code>".into(),
    }
}
