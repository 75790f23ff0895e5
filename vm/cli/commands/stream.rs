//! `holloway` with a file or a pipe as its standard input: a program, or inputs of the REPL.
//!
//! In: a text. Out: the end of its run. Invariant: only a text with a command of the REPL in it is a dialogue.

use crate::config::{Inputs, ReplConfig, RunConfig, Source};
use crate::repl::is_dialogue;
use crate::{Exit, commands, program};

/// Runs what standard input holds.
pub fn stream(config: &RunConfig) -> Exit {
    let text = match program::read(&config.program.source) {
        Ok(text) => text,
        Err(exit) => return exit,
    };
    if !std::str::from_utf8(&text.bytes).is_ok_and(is_dialogue) {
        return commands::run::run_text(config, &text);
    }
    commands::repl::repl(&ReplConfig {
        execution: config.execution.clone(),
        perf: config.perf,
        messages: config.messages,
        history: None,
        startup: None,
        program: None::<Source>,
        args: Vec::new(),
        inputs: Inputs::Text(text.bytes),
    })
}
