//! Destinations of profiles, and of the program's output meanwhile.

use std::io::Write;
use std::path::Path;

use crate::{Exit, refuse};
use holloway_runtime::Sink;
use holloway_study::report::style::OutputFormat;

/// With `--json`, standard output holds the profile alone; the program's output goes to standard error.
pub(super) fn output(format: OutputFormat) -> Sink {
    match format {
        OutputFormat::Text => Sink::Stdout,
        OutputFormat::Json => Sink::Callback(Box::new(|bytes| {
            let _ = std::io::stderr().write_all(bytes);
        })),
    }
}

/// Writes a profile to a file.
pub(super) fn written(path: &Path, json: &str) -> Result<(), Exit> {
    std::fs::write(path, json)
        .map_err(|error| refuse(&format_args!("cannot write {}: {error}", path.display()), Exit::Failure))
}
