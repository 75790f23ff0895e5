//! The loops of one run whose profile shows that paths repeat: those that versions were made of, and why the others were left.
//!
//! In: the events of a run. Out: a [`Repeating`] for each loop of which one path, or one sequence of paths, has half of the iterations or more;
//! and a table of those in programs that have no version at all.

use serde_json::{Value, json};

use super::versions::loop_of;
use crate::adaptive::event::{Choice, Event, Persistent, Trigger, What};
use crate::measure::settings::LEAST_REPEATING;
use crate::report::columns::Table;

/// One loop, by its last profile.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Repeating {
    /// The function whose code it is, or the inlined one in words.
    function: String,
    line: u32,
    /// Its repetition, in words.
    what: String,
    /// The part of the iterations that it has.
    share: f64,
    /// True iff a version was made of it.
    is_specialized: bool,
    /// Reason for which none was made of the last profile.
    reason: Option<String>,
}

/// The loops of a run.
pub(super) fn repeating(events: &[Event]) -> Vec<Repeating> {
    let mut all: Vec<Repeating> = Vec::new();
    // Those of the profile that is being told, which the decision behind it is about.
    let mut undecided: Vec<usize> = Vec::new();
    for event in events {
        let (function, line) = loop_of(&event.subject);
        let known = all.iter().position(|one| (&one.function, one.line) == (&function, line));
        match &event.what {
            What::Persistent(found) => {
                let (share, what) = most(found).unwrap_or_default();
                let is_specialized = known.is_some_and(|known| all[known].is_specialized);
                let one = Repeating { function, line, what, share, is_specialized, reason: found.declined.clone() };
                let at = known.unwrap_or(all.len());
                all.splice(at..all.len().min(at + 1), [one]);
                undecided.push(at);
            }
            What::Considered(decision) if decision.trigger == Trigger::WindowFull => {
                for at in undecided.drain(..).filter(|_| decision.choice != Choice::Specialize) {
                    all[at].reason.get_or_insert_with(|| decision.reason.clone());
                }
            }
            What::TraceFormed(_) | What::SplitFormed(_) => {
                if let Some(known) = known {
                    all[known].is_specialized = true;
                }
            }
            _ => {}
        }
    }
    all.retain(|one| one.share >= LEAST_REPEATING);
    all
}

/// The repetition that has most of a loop's iterations, if there is one.
fn most(found: &Persistent) -> Option<(f64, String)> {
    let words = |period: u32| if period == 1 { "one path".to_owned() } else { format!("a period of {period} paths") };
    let way = found.way.map(|iterations| format!("a way of {iterations} iterations"));
    let sequence = found.coverage.zip(found.period.map(words).or(way));
    let in_a_row =
        |executions: u64| (executions as f64 / found.iterations.max(1) as f64, "a persistent path".to_owned());
    let shares = sequence.into_iter().chain(found.executions.map(in_a_row));
    shares.max_by(|a, b| a.0.total_cmp(&b.0))
}

impl Repeating {
    /// The same for programs.
    pub(super) fn json(&self) -> Value {
        json!({
            "function": self.function,
            "loop_line": self.line,
            "repeats": self.what,
            "share": self.share,
            "specialized": self.is_specialized,
            "declined": self.reason,
        })
    }
}

/// The number of programs with such loops that have versions, and the loops of the others. A program: its name, whether it has versions, and its loops.
pub(super) fn text<'a>(programs: impl Iterator<Item = (&'a str, bool, &'a [Repeating])>) -> String {
    let (mut with, mut without) = (0, 0);
    let mut table = Table::new(["program", "loop", "repeats", "share", "left because"])
        .with_text_in(1)
        .with_text_in(2)
        .with_text_in(4);
    for (name, has_versions, loops) in programs.filter(|(.., loops)| !loops.is_empty()) {
        if has_versions {
            with += 1;
            continue;
        }
        without += 1;
        for one in loops {
            let place = format!("{}:{}", one.function, one.line);
            let reason = one.reason.clone().unwrap_or_default();
            table.row([name.to_owned(), place, one.what.clone(), format!("{:.1}%", one.share * 100.0), reason]);
        }
    }
    let head = format!(
        "Programs with a loop of which a path or a sequence of paths has half of the iterations or more, in one run: {}; with versions made of \
         paths: {with}\n",
        with + without
    );
    if without == 0 { head } else { format!("{head}\n{}", table.render()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adaptive::event::examples;

    #[test]
    fn loops_are_specialized_or_have_a_reason() {
        let mut events = examples();
        let is_decision =
            |event: &&Event| matches!(&event.what, What::Considered(one) if one.trigger == Trigger::WindowFull);
        let mut decision = events.iter().find(is_decision).expect("there is one").clone();
        if let What::Considered(considered) = &mut decision.what {
            (considered.choice, considered.reason) = (Choice::Optimize, "it should save too little".to_owned());
        }
        events.push(decision);
        let found = repeating(&events);
        let shown: Vec<_> =
            found.iter().map(|one| (one.what.as_str(), one.share, one.is_specialized, one.reason.as_deref())).collect();
        assert_eq!(
            shown,
            [
                ("a persistent path", 1.0, true, None),
                ("one path", 1.0, false, Some("it has one path only, of which a trace would leave nothing out")),
                ("a way of 2 iterations", 1.0, false, Some("it should save too little")),
            ]
        );
    }

    #[test]
    fn what_has_less_than_half_does_not_repeat() {
        let mut events = examples();
        for event in &mut events {
            if let What::Persistent(found) = &mut event.what {
                (found.coverage, found.executions) = (Some(0.49), None);
            }
        }
        assert_eq!(repeating(&events), []);
    }

    #[test]
    fn programs_without_versions_are_listed() {
        let found = repeating(&examples());
        let programs = [("vm", true, &found[..1]), ("sum", false, &found[1..2]), ("none", false, &[][..])];
        insta::assert_snapshot!(text(programs.into_iter()));
    }
}
