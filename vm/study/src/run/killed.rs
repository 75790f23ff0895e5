//! A run that was killed, completed by what is known.
//!
//! In: a run without an end. Out: the same with figures of its versions, by samples and events. Invariant: what was told is not changed.

use super::record::{Function, Version};
use super::{Run, Time};
use crate::report::story::VersionRow;
use holloway_aos::event::{Kind, What};
use holloway_aos::version::VersionState;

/// The run, with what can be told of its versions.
pub(super) fn completed(mut run: Run) -> Run {
    if run.end.is_none() && run.figures.is_empty() {
        run.figures = by_samples(&run);
    }
    run
}

/// The figures of all versions, by samples and events alone.
pub(super) fn by_samples(run: &Run) -> Vec<VersionRow> {
    let time = Time::of(run);
    let row = |(index, version): (usize, &Version)| {
        let function = &run.functions[version.function as usize];
        let row = unknown(version, function, time.in_version(index as u32));
        VersionRow { compile_us: compile_time(run, version.id), left: left(run, version.id), ..row }
    };
    run.versions.iter().enumerate().map(row).collect()
}

/// A version of which the adaptive system says nothing, with the time that samples tell.
pub(super) fn unknown(version: &Version, function: &Function, time_us: f64) -> VersionRow {
    let kinds = [Kind::Optimized, Kind::Profiled, Kind::Specialized];
    VersionRow {
        version: version.id,
        function: function.name.clone(),
        file: function.file.clone(),
        line: function.line,
        tier: kinds.into_iter().find(|kind| kind.name() == version.tier).unwrap_or(Kind::Baseline),
        entry_line: version.entry_line,
        compile_us: None,
        code_bytes: Some(version.bytes),
        ticks: 0,
        time_us,
        iterations: 0,
        failures: 0,
        left: VersionState::Live,
    }
}

/// The time that a version took to compile, in microseconds, if that was decided.
fn compile_time(run: &Run, id: u32) -> Option<u64> {
    let compilation = run.events.iter().find_map(|event| match &event.what {
        What::Installed(installed) if event.subject.version == Some(id) => installed.compilation,
        _ => None,
    })?;
    run.events.iter().find_map(|event| match &event.what {
        What::CompileEnd(end) if end.compilation == compilation => Some(end.figures.micros.0),
        _ => None,
    })
}

/// The last known state of a version.
fn left(run: &Run, id: u32) -> VersionState {
    let dropped = run.events.iter().rev().find_map(|event| match &event.what {
        What::Dropped(dropped) if event.subject.version == Some(id) => Some(dropped.reason),
        _ => None,
    });
    dropped.map_or(VersionState::Live, VersionState::Dropped)
}
