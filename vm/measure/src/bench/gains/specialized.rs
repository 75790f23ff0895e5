//! The specialized versions of one run: what each was expected to gain, and what was measured by turns.
//!
//! In: the events of a run. Out: a [`Specialized`] for each trace and split that was formed, in order.
//! Invariant: an expected gain is of the loop's time, a measured one of the program's while the version is in use.

use serde_json::{Value, json};

use holloway_aos::event::{Episode, Event, Subject, episodes};
use holloway_aos::version::VersionState;

/// One specialization of a loop.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::bench) struct Specialized {
    /// The function whose code it is, or the inlined one in words.
    pub(in crate::bench) function: String,
    /// The line of its loop.
    pub(in crate::bench) line: u32,
    /// Its kind, and the evidence that it was found by.
    pub(in crate::bench) form: String,
    /// The part of the loop's time that it should save.
    pub(in crate::bench) expected: f64,
    /// The part that was saved while it and general code took turns, with bounds.
    pub(in crate::bench) measured: Option<(f64, (f64, f64))>,
    /// The end of it.
    pub(in crate::bench) outcome: VersionState,
}

impl Specialized {
    /// The same for programs.
    pub(in crate::bench) fn json(&self) -> Value {
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
pub(in crate::bench) fn specialized(events: &[Event]) -> Vec<Specialized> {
    let version = |(subject, episode): (Subject, &Episode)| {
        let formed = episode.formed.as_ref()?;
        let function = subject.inlined_at().or(subject.function);
        Some(Specialized {
            function: function.unwrap_or_default(),
            line: episode.loop_line,
            form: formed.form(),
            expected: formed.estimated_gain,
            measured: episode.gain.as_ref().and_then(|gain| gain.measured.zip(gain.interval)),
            outcome: episode
                .dropped
                .as_ref()
                .map_or(VersionState::Live, |dropped| VersionState::Dropped(dropped.reason)),
        })
    };
    episodes(events).into_iter().filter_map(version).collect()
}
