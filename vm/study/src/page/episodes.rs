//! Profiles of loops, what was found in each, and what became of it; and the gains that were expected and measured.
//!
//! In: the events of a run. Out: [`LoopEpisode`]s and [`GainPoint`]s. Invariant: what was not measured has no figure for it.

use super::kept::Kept;
use super::limits::MOST_EPISODES;
use super::text::{name_of, shortened};
use crate::run::Run;
use holloway_aos::event::{Episode, Gain, Subject, What, episodes};
use holloway_aos::{Micros, Reason};
use serde::Serialize;
use std::collections::HashMap;

/// A profile of a loop, and what became of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LoopEpisode {
    /// The function whose code it is, if the page has it.
    pub function: Option<u32>,
    /// Its name.
    pub name: String,
    /// The inlined function that the loop is one of, in words.
    pub inlined: Option<String>,
    /// The file of the loop.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// The time at which the profile was looked through.
    pub began: u64,
    /// Iterations that were profiled.
    pub iterations: u64,
    /// The lines of the path or sequence of paths that was found.
    pub lines: Vec<u32>,
    /// Lines that were not reached.
    pub untaken: Vec<u32>,
    /// Its period, in paths.
    pub period: Option<u32>,
    /// Iterations of a usual way through the loop.
    pub way: Option<u32>,
    /// Sequences that take turns.
    pub alternatives: Option<u32>,
    /// The part of the iterations that it is.
    pub coverage: Option<f64>,
    /// The finding in words.
    pub found: String,
    /// The reason for which the loop was left general.
    pub declined: Option<String>,
    /// Until when nothing more was tried.
    pub rest_until: Option<u64>,
    /// The traces that were made of it, in words.
    pub formed: Option<String>,
    /// The time from which that was in use.
    pub installed: Option<u64>,
    /// The part of the loop's time that it was expected to save.
    pub estimated: Option<f64>,
    /// The part of the program's time that it saved.
    pub measured: Option<f64>,
    /// The part of the iterations that failed a guard.
    pub failing: Option<f64>,
    /// The time at which it was invalidated.
    pub dropped: Option<u64>,
    /// Why.
    pub dropped_for: Option<String>,
}

/// A gain that was expected or measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GainPoint {
    /// `measured`, `unmeasured` of what was in use and never measured, or `declined`.
    pub state: &'static str,
    /// The function, if the page has it.
    pub function: Option<u32>,
    /// Its name.
    pub name: String,
    /// The line of the loop.
    pub line: Option<u32>,
    /// The version.
    pub version: Option<u32>,
    /// When.
    pub time: u64,
    /// The part of the loop's time that was expected.
    pub estimated: Option<f64>,
    /// The part of the program's time that was measured.
    pub measured: Option<f64>,
    /// Bounds of the true median.
    pub interval: Option<(f64, f64)>,
    /// Pairs of turns.
    pub pairs: u64,
    /// The reason for which it was declined.
    pub reason: Option<String>,
}

/// The end of an episode, and its time.
#[derive(Clone, Copy, Default)]
struct Times {
    installed: Option<Micros>,
    dropped: Option<Micros>,
}

/// The episodes of a run, and how many earlier ones there were.
pub(super) fn of(run: &Run, kept: &Kept) -> (Vec<LoopEpisode>, usize) {
    let times = times(run);
    let all = episodes(&run.events);
    let left_out = all.len().saturating_sub(MOST_EPISODES);
    let shown = all.into_iter().skip(left_out);
    let shown = shown.map(|(subject, episode)| {
        let times = times.get(&key(&subject, episode)).copied().unwrap_or_default();
        row(&subject, episode, times, kept)
    });
    (shown.collect(), left_out)
}

/// An episode by its function, loop and profile.
type Key = (Option<String>, Option<u32>, Option<String>, u32, u32);

fn key(subject: &Subject, episode: &Episode) -> Key {
    (subject.function.clone(), subject.line, subject.inlined_at(), episode.loop_line, episode.profile)
}

fn times(run: &Run) -> HashMap<Key, Times> {
    let mut times: HashMap<Key, Times> = HashMap::new();
    for event in &run.events {
        let What::Transition(transition) = &event.what else { continue };
        for episode in &transition.loops {
            let of = times.entry(key(&episode.subject(&event.subject), episode)).or_default();
            if episode.formed.is_some() && of.installed.is_none() {
                of.installed = Some(event.time);
            }
            if episode.dropped.is_some() && of.dropped.is_none() {
                of.dropped = Some(event.time);
            }
        }
    }
    times
}

fn row(subject: &Subject, episode: &Episode, times: Times, kept: &Kept) -> LoopEpisode {
    let (found, formed, gain) = (episode.found.as_ref(), episode.formed.as_ref(), episode.gain.as_ref());
    LoopEpisode {
        function: kept.subject(subject),
        name: subject.function.clone().unwrap_or_default(),
        inlined: subject.inlined_at(),
        file: subject.loop_file().unwrap_or_default().to_owned(),
        line: episode.loop_line,
        began: episode.began.0,
        iterations: found.map_or(0, |found| found.iterations),
        lines: found.map_or_else(Vec::new, |found| found.lines.clone()),
        untaken: found.map_or_else(Vec::new, |found| found.untaken.clone()),
        period: found.and_then(|found| found.period),
        way: found.and_then(|found| found.way),
        alternatives: found.and_then(|found| found.alternatives),
        coverage: found.and_then(|found| found.coverage.or_else(|| persistent_share(found))),
        found: shortened(&crate::report::story::found_in_words(found)),
        declined: episode.declined.as_ref().map(|reason| shortened(&reason.to_string())),
        rest_until: episode.rest_until.map(|until| until.0),
        formed: formed.map(|formed| formed.form()),
        installed: times.installed.map(|time| time.0),
        estimated: formed.map(|formed| formed.estimated_gain),
        measured: gain.and_then(|gain| gain.measured),
        failing: episode.failing,
        dropped: times.dropped.map(|time| time.0),
        dropped_for: episode.dropped.as_ref().map(|dropped| name_of(&dropped.reason)),
    }
}

/// The part of the iterations that took a persistent path one after the other.
fn persistent_share(found: &holloway_aos::event::Persistent) -> Option<f64> {
    found.executions.map(|executions| (executions as f64 / found.iterations.max(1) as f64).min(1.0))
}

/// All gains: those that were measured, and those that were expected of what nobody measured.
pub(super) fn gains(run: &Run, kept: &Kept) -> Vec<GainPoint> {
    let measured = run.events.iter().filter_map(|event| match &event.what {
        What::Gain(gain) => Some(of_gain(&event.subject, event.time, gain, kept)),
        _ => None,
    });
    let others = episodes(&run.events).into_iter().filter(|(_, episode)| episode.gain.is_none());
    let others = others.filter_map(|(subject, episode)| {
        let (state, estimated, reason) = match (&episode.formed, episode.declined.as_ref()) {
            (Some(formed), _) => ("unmeasured", Some(formed.estimated_gain), None),
            (None, Some(reason)) => ("declined", expected_of_declined(reason), Some(shortened(&reason.to_string()))),
            (None, None) => return None,
        };
        let (function, line, time) = (kept.subject(&subject), Some(episode.loop_line), episode.began.0);
        let name = subject.function.clone().unwrap_or_default();
        let (version, measured, interval, pairs) = (None, None, None, 0);
        Some(GainPoint { state, function, name, line, version, time, estimated, measured, interval, pairs, reason })
    });
    measured.chain(others).take(MOST_EPISODES).collect()
}

fn of_gain(subject: &Subject, time: Micros, gain: &Gain, kept: &Kept) -> GainPoint {
    GainPoint {
        state: if gain.measured.is_some() { "measured" } else { "unmeasured" },
        function: kept.subject(subject),
        name: subject.function.clone().unwrap_or_default(),
        line: subject.loop_line,
        version: subject.version.and_then(|version| kept.version_of_id(version)),
        time: time.0,
        estimated: gain.estimated,
        measured: gain.measured,
        interval: gain.interval,
        pairs: gain.pairs,
        reason: None,
    }
}

fn expected_of_declined(reason: &Reason) -> Option<f64> {
    match reason {
        Reason::SavesLittle { gain, .. } => Some(*gain),
        _ => None,
    }
}
