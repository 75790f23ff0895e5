//! A recorded run, opened for questions.
//!
//! In: the file that a command names. Out: the run, or the reason for which it cannot be read, with the remedy.

use crate::config::TraceConfig;
use crate::{Exit, refuse};
use holloway_profiler::wpp::{FileError, TwppFile};
use holloway_study::report::text::one_line;
use std::fs::File;
use std::io::BufReader;

/// A file that is open.
pub(super) type Run = TwppFile<BufReader<File>>;

pub(super) fn open(config: &TraceConfig) -> Result<Run, Exit> {
    let file = File::open(&config.run).map_err(|error| {
        let name = one_line(&config.run.display().to_string());
        refuse(&format_args!("cannot read {name}: {error}"), Exit::NoInput)
    })?;
    TwppFile::open(BufReader::new(file)).map_err(|error| damaged(config, &error))
}

pub(super) fn damaged(config: &TraceConfig, error: &FileError) -> Exit {
    let name = one_line(&config.run.display().to_string());
    let remedy = match error {
        FileError::Foreign => "; 'holloway trace record' writes one",
        FileError::Version(_) => "; record the run again with this version",
        _ => "; record the run again",
    };
    refuse(&format_args!("{name}: {}{remedy}", one_line(&error.to_string())), Exit::DoesNotCompile)
}
