//! `lab import`: an input of the lab from a C program that ran.

use std::io::{self, BufWriter};

use crate::config::LabImportConfig;
use crate::{Exit, refuse};
use holloway_study::lab::{self, ImportError, ImportFiles};
use holloway_study::report::text::one_line;

/// Writes the input, and the trace beside it or in it.
pub fn lab_import(config: &LabImportConfig) -> Exit {
    let files = ImportFiles { program: config.program.clone(), trace: config.trace.clone() };
    let imported = match &config.output {
        Some(json) => lab::to_files(&files, json),
        None => lab::to_stream(&files, &mut BufWriter::new(io::stdout().lock())),
    };
    match imported {
        Ok(()) => Exit::Success,
        // Who reads a pipe may stop whenever it wants.
        Err(ImportError::Write(None, error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        Err(error) => {
            let exit = match &error {
                ImportError::Read(..) => Exit::NoInput,
                ImportError::SameFile(..) => Exit::Usage,
                ImportError::Write(..) => Exit::Failure,
                _ => Exit::DoesNotCompile,
            };
            refuse(&one_line(&error.to_string()), exit)
        }
    }
}
