//! The specialized versions of one run: what each was expected to gain, what was measured by turns, and what whole runs say.
//!
//! In: the events of a run. Out: a [`Specialized`] for each trace and split that was formed, in order; the correlation of two gains.
//! Invariant: an expected gain is of the loop's time, a measured one of the program's while the version is in use.

use serde_json::{Value, json};

use crate::adaptive::event::{DropReason, Event, What};

/// One trace, or one loop that was split.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Specialized {
    /// The function whose code it is.
    pub(super) function: String,
    /// The line of its loop.
    pub(super) line: u32,
    /// Its kind, and the evidence that it was found by.
    pub(super) form: String,
    /// The part of the loop's time that it should save.
    pub(super) expected: f64,
    /// The part that was saved while it and general code took turns, with bounds.
    pub(super) measured: Option<(f64, (f64, f64))>,
    /// The end of it.
    pub(super) outcome: &'static str,
}

const IN_USE: &str = "in use";

impl Specialized {
    fn formed(event: &Event, form: String, expected: f64) -> Specialized {
        let function = event.subject.function.clone().unwrap_or_default();
        let line = event.subject.loop_line.unwrap_or_default();
        Specialized { function, line, form, expected, measured: None, outcome: IN_USE }
    }

    /// The same for programs.
    pub(super) fn json(&self) -> Value {
        json!({
            "function": self.function,
            "loop_line": self.line,
            "form": self.form,
            "expected": self.expected,
            "measured": self.measured.map(|(gain, _)| gain),
            "interval": self.measured.map(|(_, interval)| interval),
            "outcome": self.outcome,
        })
    }
}

/// The versions that a run formed.
pub(super) fn specialized(events: &[Event]) -> Vec<Specialized> {
    let mut all: Vec<Specialized> = Vec::new();
    for event in events {
        let (function, line) = (event.subject.function.as_deref(), event.subject.loop_line);
        let is_it = |one: &&mut Specialized| Some(one.function.as_str()) == function && Some(one.line) == line;
        match &event.what {
            What::TraceFormed(trace) => {
                let form = format!("trace, {}", trace.source.name());
                all.push(Specialized::formed(event, form, trace.estimated_gain));
            }
            What::SplitFormed(split) => all.push(Specialized::formed(event, "split".to_owned(), split.estimated_gain)),
            What::Gain(gain) => {
                if let Some(one) = all.iter_mut().rev().find(is_it) {
                    one.measured = gain.measured.zip(gain.interval);
                }
            }
            What::Dropped(dropped) => {
                if let (Some(outcome), Some(one)) = (outcome(dropped.reason), all.iter_mut().rev().find(is_it)) {
                    one.outcome = outcome;
                }
            }
            _ => {}
        }
    }
    all
}

fn outcome(reason: DropReason) -> Option<&'static str> {
    match reason {
        DropReason::GuardsFail => Some("guards failed"),
        DropReason::NoGain => Some("no gain"),
        DropReason::Replaced | DropReason::ProfileDone | DropReason::Redefined | DropReason::Compared => None,
    }
}

/// Pearson's correlation of pairs; none of fewer than three, or where one side is always the same.
pub(super) fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 3 {
        return None;
    }
    let count = pairs.len() as f64;
    let (sum_x, sum_y) = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0, y + pair.1));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let sum = |term: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(x, y)| term(x - mean_x, y - mean_y)).sum::<f64>();
    let spread = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    (spread > 0.0).then(|| sum(&|x, y| x * y) / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations() {
        let line: Vec<(f64, f64)> = (0..5).map(|x| (f64::from(x), 3.0 - 2.0 * f64::from(x))).collect();
        assert!((correlation(&line).unwrap() + 1.0).abs() < 1e-12);
        assert!(correlation(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]).unwrap().abs() < 1e-12);
        assert_eq!((correlation(&line[..2]), correlation(&[(1.0, 2.0); 4])), (None, None));
    }
}
