//! `explain`: one run, then the report of every decision.

use std::io::Write;

use crate::adaptive::DEMO;
use crate::adaptive::session::Keep;
use crate::cli::{Exit, adaptive, program, refuse, show};
use crate::config::{ExplainConfig, Explained, OutputFormat};
use crate::engine::Engine;
use crate::report::story::Story;
use crate::runtime::Sink;

/// Name of the embedded program.
const DEMO_NAME: &str = "demo.hw";

/// Runs a program and reports the decisions of the adaptive system. The exit status is the program's.
pub fn explain(config: &ExplainConfig) -> Exit {
    try_explain(config).unwrap_or_else(|exit| exit)
}

fn try_explain(config: &ExplainConfig) -> Result<Exit, Exit> {
    let (args, name) = match &config.explained {
        Explained::Demonstration => (&[][..], DEMO_NAME.to_owned()),
        Explained::Program(program) => (program.args.as_slice(), program::name(&program.source)),
    };
    let mut settings = program::engine(&config.execution, args, output(config))?;
    settings.adaptive = adaptive::session(&config.execution, Keep::Events, &name)?;
    let mut engine = program::start(settings, Engine::new)?;
    match &config.explained {
        Explained::Demonstration => {
            engine.load(DEMO_NAME, DEMO).expect("the demonstration compiles");
        }
        Explained::Program(program) => program::load(&mut engine, &program.source, config.messages)?,
    }
    program::stop_on_ctrl_c(&engine);
    let result = engine.run();
    // A failing program has a report too.
    let exit = program::finish(&engine, result, config.messages);
    adaptive::finish(&mut engine, &config.execution)?;
    match show(&told(&engine, config)?) {
        Exit::Success => Ok(exit),
        other => Ok(other),
    }
}

fn told(engine: &Engine, config: &ExplainConfig) -> Result<String, Exit> {
    let session = engine.executor().adaptive();
    let decided = session.and_then(|session| Some((session, session.controller()?)));
    let Some((session, controller)) = decided else {
        return Err(refuse(&"nothing was decided: the program did not run in compiled code", Exit::Unavailable));
    };
    let story = Story::of(session.events(), controller, engine.sources());
    Ok(match config.format {
        OutputFormat::Text => story.text(config.messages.style),
        OutputFormat::Json => format!("{}\n", story.json()),
    })
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
