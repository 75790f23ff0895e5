//! The specialized versions of one run: what each was expected to gain, what was measured by turns, and what whole runs say.
//!
//! In: the events of a run. Out: a [`Specialized`] for each trace and split that was formed, in order; the correlation of two gains.
//! Invariant: an expected gain is of the loop's time, a measured one of the program's while the version is in use.

use serde_json::{Value, json};

use holloway_aos::event::{Episode, Event, Subject, episodes};
use holloway_study::report::story::Left;

/// One specialization of a loop.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Specialized {
    /// The function whose code it is, or the inlined one in words.
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
    pub(super) outcome: Left,
}

impl Specialized {
    /// The same for programs.
    pub(super) fn json(&self) -> Value {
        json!({
            "function": self.function,
            "loop_line": self.line,
            "form": self.form,
            "expected": self.expected,
            "measured": self.measured.map(|(gain, _)| gain),
            "interval": self.measured.map(|(_, interval)| interval),
            "outcome": self.outcome.words(),
        })
    }
}

/// The versions that a run formed.
pub(super) fn specialized(events: &[Event]) -> Vec<Specialized> {
    let version = |(subject, episode): (Subject, &Episode)| {
        let formed = episode.formed.as_ref()?;
        let function = subject.inlined_at().or(subject.function);
        Some(Specialized {
            function: function.unwrap_or_default(),
            line: episode.loop_line,
            form: formed.form(),
            expected: formed.estimated_gain,
            measured: episode.gain.as_ref().and_then(|gain| gain.measured.zip(gain.interval)),
            outcome: episode.dropped.as_ref().map_or(Left::InUse, |dropped| Left::Dropped(dropped.reason)),
        })
    };
    episodes(events).into_iter().filter_map(version).collect()
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
