//! The lanes of the timeline: a letter for each slice of time, for the kind of a function's code. Invariant: a lane of
//! samples says what ran; one of events what the transitions put in use, where activations may stay in older code.

use super::chapter::Chapter;
use crate::report::style::Color;
use crate::run::Run;
use holloway_aos::Event;
use holloway_aos::event::{Kind, What};
use std::collections::BTreeMap;

/// Time in which a function did not run, or before its first event.
const NONE: char = '.';

/// The letter of a kind of code, in its colour.
fn letter(kind: Kind, look: Color) -> String {
    let (letter, color) = match kind {
        Kind::Baseline => ("b", "\u{1b}[90m"),
        Kind::Optimized => ("o", "\u{1b}[36m"),
        Kind::Profiled => ("p", "\u{1b}[33m"),
        Kind::Specialized => ("S", "\u{1b}[32m"),
    };
    match look {
        Color::Plain => letter.to_owned(),
        Color::Ansi => format!("{color}{letter}\u{1b}[0m"),
    }
}

/// The letters and their meaning.
pub(super) fn legend(is_sampled: bool, look: Color) -> String {
    let name = |kind: Kind| format!("{} {}", letter(kind, look), kind.name());
    let kinds = [Kind::Baseline, Kind::Optimized, Kind::Profiled, Kind::Specialized].map(name).join(", ");
    match is_sampled {
        true => format!("code that ran: {kinds}, {NONE} another function's"),
        false => format!("installed code: {kinds}, {NONE} none by a decision"),
    }
}

/// The samples of a function's code: the time of each, the time that it stands for, and the kind of code.
fn samples(run: &Run, chapter: &Chapter<'_>) -> Vec<(f64, f64, Kind)> {
    let of_version: Vec<Option<Kind>> = run
        .versions
        .iter()
        .map(|version| {
            let row = run.figures.iter().find(|row| row.version == version.id)?;
            chapter.has(row).then_some(row.tier)
        })
        .collect();
    let kind = |stack: u32| {
        let frame = run.stacks[stack as usize].frames.first()?;
        of_version[run.frames[*frame as usize].version as usize]
    };
    run.samples.iter().filter_map(|sample| Some((sample.at, sample.weight, kind(sample.stack)?))).collect()
}

/// The lane of a function that was sampled: what ran for most of each slice, if it ran in a tenth of it, or a profile.
pub(super) fn ran(run: &Run, chapter: &Chapter<'_>, end: u64, columns: usize, look: Color) -> String {
    let width = end as f64 / columns as f64;
    let mut slices = vec![BTreeMap::<Kind, f64>::new(); columns];
    for (at, weight, kind) in samples(run, chapter) {
        let column = (((at - weight / 2.0) / width).max(0.0) as usize).min(columns - 1);
        *slices[column].entry(kind).or_default() += weight;
    }
    let shown = |slice: &BTreeMap<Kind, f64>| {
        let is_short = slice.values().sum::<f64>() < width / 10.0;
        let of = slice.iter().filter(|(kind, _)| **kind == Kind::Profiled || !is_short);
        let most = of.max_by(|(a, of_a), (b, of_b)| {
            (**a == Kind::Profiled).cmp(&(**b == Kind::Profiled)).then(of_a.total_cmp(of_b))
        });
        most.map_or(NONE.to_string(), |(kind, _)| letter(*kind, look))
    };
    slices.iter().map(shown).collect()
}

/// The kinds of code of a function: from when on which is in use, by rising time.
fn changes(events: &[&Event]) -> Vec<(u64, Kind)> {
    let Some(first) = events.first() else { return Vec::new() };
    let mut found = vec![(first.time.0, first.subject.tier.unwrap_or(Kind::Baseline))];
    found.extend(events.iter().filter_map(|event| match &event.what {
        What::Transition(transition) => Some((event.time.0, transition.code)),
        _ => None,
    }));
    found
}

/// The lane of a function: what was in use for most of each slice, or a profile, which is short.
pub(super) fn lane(events: &[&Event], end: u64, columns: usize, look: Color) -> String {
    let changes = changes(events);
    let bound = |column: usize| (u128::from(end) * column as u128 / columns as u128) as u64;
    let slice = |column: usize| {
        let (from, to) = (bound(column), bound(column + 1));
        let spans = changes.iter().enumerate().map(|(at, (start, kind))| {
            let ends = changes.get(at + 1).map_or(u64::MAX, |next| next.0);
            (ends.min(to).saturating_sub((*start).max(from)), *kind)
        });
        let in_use = spans.filter(|(time, _)| *time > 0);
        in_use.max_by_key(|(time, kind)| (*kind == Kind::Profiled, *time)).map(|(_, kind)| kind)
    };
    (0..columns).map(|column| slice(column).map_or(NONE.to_string(), |kind| letter(kind, look))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_aos::Micros;
    use holloway_aos::Reason;
    use holloway_aos::event::{PhaseKind, Subject, Thread, Transition};

    fn installed(time: u64, code: Kind) -> Event {
        let phase = PhaseKind::Optimized;
        let what = What::Transition(Transition {
            from: phase,
            to: phase,
            since: Micros(0),
            generation: 0,
            code,
            next_generation: None,
            next_code: None,
            reason: Reason::Installed,
            candidates: Vec::new(),
            loops: Vec::new(),
        });
        let subject = Subject { tier: Some(code), ..Subject::default() };
        Event { time: Micros(time), thread: Thread::Program, subject, what }
    }

    #[test]
    fn a_slice_shows_what_was_in_use_longest_and_every_profile() {
        let events = [
            installed(10, Kind::Baseline),
            installed(26, Kind::Optimized),
            installed(41, Kind::Profiled),
            installed(42, Kind::Specialized),
            installed(68, Kind::Optimized),
        ];
        let events: Vec<&Event> = events.iter().collect();
        assert_eq!(lane(&events, 80, 8, Color::Plain), ".bbopSSo");
        assert_eq!(lane(&events[..1], 80, 4, Color::Plain), "bbbb");
        assert_eq!(lane(&[], 80, 4, Color::Plain), "....");
        assert_eq!(lane(&events[..1], u64::MAX, 4, Color::Plain), "bbbb", "the end of time is no overflow");
        assert_eq!(lane(&events[..1], 10, 1, Color::Ansi), ".");
    }
}
