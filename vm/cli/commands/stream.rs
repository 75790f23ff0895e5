//! `holloway` with a file or a pipe as its standard input: a program, or inputs of the REPL.
//!
//! In: a text. Out: the end of its run. Invariant: only a text with a command of the REPL in it is a dialogue.

use crate::config::{Inputs, OnFailure, ReplConfig, RunConfig};
use crate::repl::is_dialogue;
use crate::{Exit, commands, program, refuse};

/// Runs what standard input holds.
pub fn stream(config: &RunConfig) -> Exit {
    let text = match program::read(&config.program.source) {
        Ok(text) => text,
        Err(exit) => return exit,
    };
    if !std::str::from_utf8(&text.bytes).is_ok_and(is_dialogue) {
        return commands::run::run_text(config, &text);
    }
    let of_programs = [
        ("--facts", config.execution.facts.is_some()),
        ("--save", config.execution.adaptive.save.is_some()),
        ("--trace-paths", config.on_failure == OnFailure::LastPaths),
    ];
    if let Some((option, _)) = of_programs.iter().find(|(_, given)| *given) {
        let message = "is about a program, and standard input holds commands of the REPL: leave it out";
        return refuse(&format_args!("{option} {message}"), Exit::Usage);
    }
    commands::repl::repl(&ReplConfig {
        execution: config.execution.clone(),
        perf: config.perf,
        messages: config.messages,
        history: None,
        startup: None,
        program: None,
        args: Vec::new(),
        inputs: Inputs::Text(text.bytes),
    })
}
