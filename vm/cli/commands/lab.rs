//! `lab`: evaluates a numbering scheme on graphs and traces from elsewhere.

use std::path::{Path, PathBuf};

use holloway_profiler::lab::{evaluate, evaluate_stream};

use crate::config::{LabConfig, LabOutput, Source};
use crate::{Exit, input, refuse, show};
use holloway_study::lab::{self, BlockTraceFile};
use holloway_study::report::text::one_line;

/// Prints the result of one input.
pub fn lab(config: &LabConfig) -> Exit {
    let text = match input::read_json(&config.source) {
        Ok(text) => text,
        Err(error) => return refuse(&error, Exit::NoInput),
    };
    let refused = |error: &dyn std::fmt::Display| {
        let line = one_line(&error.to_string());
        refuse(&format_args!("{}: {line}", one_line(&text.name)), Exit::DoesNotCompile)
    };
    let input = match lab::read(&text.bytes, config.scheme.as_ref()) {
        Ok(input) => input,
        Err(error) => return refused(&error),
    };
    let evaluated = match &input.trace_file {
        None => evaluate(&input.lab),
        Some(file) => evaluate_stream(&input.lab, &BlockTraceFile(folder(&config.source).join(file))),
    };
    let result = match evaluated {
        Ok(result) => result,
        Err(error) => return refused(&error),
    };
    match config.output {
        LabOutput::Json => show(&lab::json(&result, &text.name, &input.sources)),
        LabOutput::Summary { top } => show(&lab::summary(&result, top)),
        LabOutput::Dot => show(&lab::dot(&result)),
    }
}

/// The folder of an input.
fn folder(source: &Source) -> PathBuf {
    match source {
        Source::File(path) => path.parent().unwrap_or(Path::new("")).to_owned(),
        Source::Stdin | Source::Code(_) | Source::Bench(_) => PathBuf::new(),
    }
}
