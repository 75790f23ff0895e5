//! Recorded runs in the forms of other tools.
//!
//! In: a [`Run`]. Out: bytes of a [`Format`], or tables in a folder. `firefox` is the Firefox profiler's, `speedscope` speedscope's, `pprof` that of
//! the tool of the same name, `folded` lines of stacks, `flamegraph` a picture of them, `chrome` trace events for Perfetto, and `tables` CSV and
//! Parquet.
//! `stacks` makes what those about stacks share of the run's samples, `decisions` what those about events do.
//! Invariant: whatever the format, the weights in it add up to what the run's samples stand for. `docs/exports.md` describes each.

mod chrome;
mod decisions;
mod firefox;
mod flamegraph;
mod folded;
mod format;
mod pprof;
mod speedscope;
mod stacks;
mod tables;

use crate::run::Run;
use std::fmt;
use std::io;

pub use format::Format;
pub use tables::{TableFormat, write as write_tables};

/// Reasons for which a run has no export of a format.
#[derive(Debug)]
pub enum ExportError {
    /// The format is about samples, and the run has none.
    NoSamples,
    /// It cannot be written.
    Io(io::Error),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSamples => write!(
                f,
                "the run has no samples: it was shorter than a millisecond or two, or recorded with --sync-compile; --to chrome, csv and parquet tell its decisions"
            ),
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ExportError {}

/// The run in a format.
pub fn bytes(run: &Run, format: Format) -> Result<Vec<u8>, ExportError> {
    if run.samples.is_empty() && format.is_about_samples() {
        return Err(ExportError::NoSamples);
    }
    let written = match format {
        Format::Firefox => firefox::bytes(run),
        Format::Speedscope => speedscope::bytes(run),
        Format::Pprof => pprof::bytes(run),
        Format::Folded => Ok(folded::text(run).into_bytes()),
        Format::Flamegraph => flamegraph::bytes(run),
        Format::Chrome => chrome::bytes(run),
    };
    written.map_err(ExportError::Io)
}

#[cfg(test)]
mod tests;
