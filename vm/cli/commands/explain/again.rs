//! Further runs of the program that is explained, from outside.
//!
//! In: the configuration of `explain`, and the first run's standard input and end. Out: whole runs with the same options. Invariant: the first run has told
//! its output; theirs is not shown.

use super::first_run::{DEMO_NAME, KeptStreams};
use crate::commands::bench::interruptible;
use crate::config::{
    AdaptiveConfig, Compilation, DecidedBy, ExecutionConfig, ExplainConfig, Explained, Measure, Program, Source,
};
use crate::{Exit, refuse};
use holloway::FileAccess;
use holloway::wasm::Directory;
use holloway_aos::DEMO;
use holloway_measure::gain::measure_gain;
use holloway_measure::whole_runs::WholeRuns;
use holloway_study::report::story::MeasuredGain;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;

/// The gain of traces, by further runs with the same options.
pub(super) fn gain(
    config: &ExplainConfig,
    measure: &Measure,
    seen: (&KeptStreams, Exit),
) -> Result<MeasuredGain, Exit> {
    let cannot = |error: &dyn Display| refuse(&format_args!("--measure: {error}"), Exit::Failure);
    let folder = tempfile::tempdir().map_err(|error| cannot(&error))?;
    let mut runs = whole_runs(config, measure, (folder.path(), seen)).map_err(|error| cannot(&error))?;
    runs.options.extend(decided(&config.execution.adaptive));
    measure_gain(&runs, &interruptible()).map_err(|error| cannot(&error))
}

/// The program, to be run again; the demonstration is written into a folder for that.
pub(super) fn whole_runs(
    config: &ExplainConfig,
    measure: &Measure,
    (folder, (streams, exit)): (&Path, (&KeptStreams, Exit)),
) -> Result<WholeRuns, String> {
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
    let (options, input, end) = (options(&config.execution), streams.read(), streams.end(exit));
    Ok(WholeRuns { executable, options, file, args, input, end, rounds, progress })
}

/// The options of `run` that give the same execution, but for those of recompilation.
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
    options.extend(execution.wasm.environment.iter().map(|(name, value)| format!("--env={name}={value}")));
    options.extend(execution.wasm.invoke.iter().map(|export| format!("--invoke={export}")));
    let directory = |directory: &Directory| {
        let mut option = OsString::from("--dir=");
        option.push(&directory.host);
        option.push("::");
        option.push(&directory.guest);
        option
    };
    let directories = execution.wasm.directories.iter().map(directory);
    options.into_iter().map(OsString::from).chain(directories).collect()
}

/// The options of `run` by which a strategy decides alike.
fn decided(adaptive: &AdaptiveConfig) -> Vec<OsString> {
    let strategy = match &adaptive.decided_by {
        DecidedBy::Strategy(name) => Some(format!("--policy={}", name.0)),
        DecidedBy::Advice(_) | DecidedBy::Chance(_) => unreachable!("`explain` has a strategy"),
    };
    let set = adaptive.set.iter().map(|set| format!("--set={set}"));
    strategy.into_iter().chain(set).map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::StrategyName;
    use holloway::wasm::WasmConfig;

    #[test]
    fn further_runs_have_the_options_of_the_first() {
        let directory = |host: &str, guest: &str| Directory { host: host.into(), guest: guest.to_owned() };
        let wasm = WasmConfig {
            directories: vec![directory("data", "data"), directory("/tmp/a b", "tmp")],
            environment: vec![("TZ".to_owned(), "UTC".to_owned())],
            invoke: Some("gcd".to_owned()),
            ..WasmConfig::default()
        };
        let adaptive = AdaptiveConfig {
            decided_by: DecidedBy::Strategy(StrategyName("counters")),
            set: vec!["k=2".to_owned()],
            ..AdaptiveConfig::default()
        };
        let execution = ExecutionConfig { wasm, adaptive, ..ExecutionConfig::interpreted() };
        let expected = ["--sync-compile", "--env=TZ=UTC", "--invoke=gcd", "--dir=data::data", "--dir=/tmp/a b::tmp"];
        assert_eq!(options(&execution), expected);
        assert_eq!(decided(&execution.adaptive), ["--policy=counters", "--set=k=2"]);
    }
}
