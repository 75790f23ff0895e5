//! `reproduce`: the papers' figures and tables, measured; and the jobs of its child processes.

use crate::commands::bench::{answered, finish, interruptible, pretty};
use crate::{Exit, refuse};
use holloway_measure::reproduce::job::{Request, carry_out, carry_out_base};
use holloway_measure::reproduce::whole_path;
use holloway_measure::reproduce::{Interrupted, ReproduceConfig, reproduce as measure};
use holloway_study::report::style::OutputFormat;

/// Measures and prints.
pub fn reproduce(config: &ReproduceConfig) -> Exit {
    let reproduced = match measure(config, &interruptible()) {
        Ok(reproduced) => reproduced,
        Err(Interrupted) => return refuse(&"interrupted", Exit::Interrupted),
    };
    let text = match config.runs.format {
        OutputFormat::Text => reproduced.text(),
        OutputFormat::Json => pretty(&reproduced.json()),
    };
    finish(&text, &reproduced.faults)
}

/// Runs one job and prints the answer for the parent process.
pub fn child(request: &Request) -> Exit {
    match request {
        Request::Run(job) => answered(carry_out(job)),
        Request::Base(job) => answered(carry_out_base(job)),
        Request::WholePath(job) => answered(whole_path::carry_out(job)),
    }
}
