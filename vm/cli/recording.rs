//! From `--save` to a recorder of the run, and back to a file at its end.
//!
//! In: an engine with its program, and options. Out: a [`Recorder`]; the [`Run`] at its end. Invariant: nothing is recorded of a run of which
//! nobody asked for it.
#![expect(unsafe_code, reason = "begins to sample the thread that runs the program")]

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::exit::{Exit, refuse};
use crate::config::{Compilation, ExecutionConfig, Program, Source};
use crate::program;
use crate::settings::SAMPLES_A_SECOND;
use holloway::Engine;
use holloway_study::report::text::one_line;
use holloway_study::run::{self, ReadError, Recorded, Recorder, Run};

/// A run that is being recorded, and where to.
pub(crate) struct Recording {
    recorder: Recorder,
    file: Option<PathBuf>,
}

/// Begins to record a run whose program is loaded, if it is to be saved.
pub(crate) fn save(
    engine: &mut Engine,
    execution: &ExecutionConfig,
    program: &Program,
) -> Result<Option<Recording>, Exit> {
    match &execution.adaptive.save {
        None => Ok(None),
        Some(_) => {
            begin(engine, execution, (&program::name(&program.source), &program.args), samples(execution)).map(Some)
        }
    }
}

/// Samples in a second: none where two runs are to tell the same.
pub(crate) fn samples(execution: &ExecutionConfig) -> Option<u32> {
    (execution.compilation == Compilation::Background).then_some(SAMPLES_A_SECOND)
}

/// Begins to record a run whose program is loaded, with so many samples a second.
pub(crate) fn begin(
    engine: &mut Engine,
    execution: &ExecutionConfig,
    (name, args): (&str, &[OsString]),
    hz: Option<u32>,
) -> Result<Recording, Exit> {
    let file = execution.adaptive.save.clone();
    let args: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let holloway = env!("CARGO_PKG_VERSION");
    let recorded = Recorded { program: name, args: &args, holloway, file: file.as_deref(), hz };
    // SAFETY: a command has one engine, which outlives its recording, and one thread that runs programs.
    let begun = unsafe { Recorder::begin(engine, recorded) };
    let recorder = begun.map_err(|error| {
        let what = file.as_ref().map_or("the run".to_owned(), |file| file.display().to_string());
        refuse(&format_args!("cannot record {what}: {error}"), Exit::Failure)
    })?;
    Ok(Recording { recorder, file })
}

impl Recording {
    /// The program has ended: what follows is none of its time.
    pub(crate) fn stop(&mut self) {
        self.recorder.stop();
    }

    /// Ends, once the run's events are told.
    pub(crate) fn end(self, engine: &Engine, exit: Exit) -> Result<Run, Exit> {
        let (run, written) = self.recorder.end(engine, exit.status());
        match (written, self.file) {
            (Err(error), Some(file)) => {
                Err(refuse(&format_args!("cannot write {}: {error}", file.display()), Exit::Failure))
            }
            _ => Ok(run),
        }
    }
}

/// Reads the file of a run.
pub(crate) fn read_run(path: &Path) -> Result<Run, Exit> {
    let shown = one_line(&path.display().to_string());
    let program = if path.extension().is_some_and(|end| end == "hw") { shown.as_str() } else { "FILE" };
    let makes_one = format!("'holloway run --save RUN.hwrun {program}' makes one");
    let (reason, exit) = match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            (format!("cannot read {shown}: there is no such file; {makes_one}"), Exit::NoInput)
        }
        Err(error) => (format!("cannot read {shown}: {error}"), Exit::NoInput),
        Ok(found) if found.is_dir() => (format!("{shown} is a folder, and no recorded run"), Exit::NoInput),
        Ok(_) if !run::is_run(path) => (format!("{shown} is no recorded run; {makes_one}"), Exit::DoesNotCompile),
        Ok(_) => match run::read(path) {
            Ok(run) => return Ok(run),
            Err(error) => {
                let exit = match error {
                    ReadError::Io(_) => Exit::NoInput,
                    ReadError::Damaged(_) => Exit::DoesNotCompile,
                };
                (format!("{shown}: {}", one_line(&error.to_string())), exit)
            }
        },
    };
    Err(refuse(&reason, exit))
}

/// Reads the file of a run, if a program is one.
pub(crate) fn read(program: &Program) -> Option<Result<Run, Exit>> {
    let Source::File(path) = &program.source else { return None };
    run::is_run(path).then(|| read_run(path))
}
