//! `lab`: evaluates a numbering scheme on graphs and traces from elsewhere.

use holloway_profiler::lab::evaluate;

use crate::cli::{Exit, input, refuse, show};
use crate::config::LabConfig;
use crate::lab;
use crate::report::text::one_line;

/// Prints the result of one input.
pub fn lab(config: &LabConfig) -> Exit {
    let text = match input::read(&config.source) {
        Ok(text) => text,
        Err(error) => return refuse(&error, Exit::NoInput),
    };
    let refused = |error: &dyn std::fmt::Display| {
        let line = one_line(&error.to_string());
        refuse(&format_args!("{}: {line}", one_line(&text.name)), Exit::DoesNotCompile)
    };
    let input = match lab::read(&text.bytes) {
        Ok(input) => input,
        Err(error) => return refused(&error),
    };
    match evaluate(&input) {
        Ok(result) => show(&lab::json(&result, &text.name)),
        Err(error) => refused(&error),
    }
}
