//! Further runs of the program that is explained, from outside.
//!
//! In: the configuration of `explain`. Out: whole runs with the same options. Invariant: the first run has told its output; theirs is not shown.

use super::first_run::DEMO_NAME;
use crate::commands::bench::interruptible;
use crate::config::{Compilation, ExecutionConfig, ExplainConfig, Explained, Measure, Program, Source};
use crate::{Exit, refuse};
use holloway::FileAccess;
use holloway_aos::DEMO;
use holloway_measure::gain::measure_gain;
use holloway_measure::whole_runs::WholeRuns;
use holloway_study::report::story::MeasuredGain;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;

/// The gain of traces, by further runs with the same options.
pub(super) fn gain(config: &ExplainConfig, measure: &Measure) -> Result<MeasuredGain, Exit> {
    let cannot = |error: &dyn Display| refuse(&format_args!("--measure: {error}"), Exit::Failure);
    let folder = tempfile::tempdir().map_err(|error| cannot(&error))?;
    let runs = whole_runs(config, measure, folder.path()).map_err(|error| cannot(&error))?;
    measure_gain(&runs, &interruptible()).map_err(|error| cannot(&error))
}

/// The program, to be run again; the demonstration is written into a folder for that.
pub(super) fn whole_runs(config: &ExplainConfig, measure: &Measure, folder: &Path) -> Result<WholeRuns, String> {
    let (file, args) = match &config.explained {
        Explained::Program(Program { source: Source::File(path), args }) => (path.clone(), args.clone()),
        Explained::Program(_) => return Err("only a program in a file can be run again".to_owned()),
        Explained::Demonstration => {
            let file = folder.join(DEMO_NAME);
            std::fs::write(&file, DEMO).map_err(|error| error.to_string())?;
            (file, Vec::new())
        }
    };
    let (rounds, executable, progress) = (measure.rounds, measure.executable.clone(), measure.progress);
    Ok(WholeRuns { executable, options: options(&config.execution), file, args, rounds, progress })
}

/// The options of `run` that give the same execution.
fn options(execution: &ExecutionConfig) -> Vec<OsString> {
    let mut options: Vec<String> = Vec::new();
    if execution.compilation == Compilation::Synchronous {
        options.push("--sync-compile".to_owned());
    }
    options.extend(execution.limits.heap.map(|bytes| format!("--heap-limit={bytes}")));
    options.extend(execution.limits.time.map(|time| format!("--time-limit={}", time.as_secs_f64())));
    options.extend(execution.limits.fuel.map(|fuel| format!("--fuel={fuel}")));
    if execution.files == FileAccess::Refused {
        options.push("--no-files".to_owned());
    }
    options.extend(execution.disabled_passes.iter().map(|pass| format!("--disable-pass={pass}")));
    options.into_iter().map(OsString::from).collect()
}
