//! Strategies: what to make of a function, from a [`View`] of it; the controller carries their [`Decision`]s out.
//! Invariant: pure; the same view gives the same decision, which carries every candidate with its figures.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use crate::event::{Candidate, Choice, Kind};
use crate::{Clock, Reason};

/// Everything that is known of a function when a strategy is asked about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// Kind of code that it runs as.
    pub kind: Kind,
    /// T: time for which it would run on like that, in microseconds: as long as it ran so far.
    pub time: f64,
    /// Speed of optimized code to its present code's.
    pub speedup: f64,
    /// Cost that compilations would have for the program, in microseconds.
    pub compile: CompileCosts,
    /// True iff it may be optimized at all.
    pub may_optimize: bool,
    pub ticks: u64,
    /// Those of them that fell on loops.
    pub loop_ticks: u64,
    pub calls: u64,
    /// Back edges that baseline code has counted.
    pub back_edges: u64,
    /// Measure of times, for reasons.
    pub clock: Clock,
}

/// Cost that compilations would have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CompileCosts {
    /// As optimized code; nothing if there is some from before.
    pub optimized: f64,
    pub profiled: f64,
    pub specialized: f64,
}

impl CompileCosts {
    /// Cost of a profile that loses so much to its probes, with the compilation that it may lead to.
    pub(crate) fn of_profile(&self, window: f64) -> f64 {
        self.profiled + window + self.specialized
    }
}

/// Promise of a profile.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prospect {
    /// The part of the function's time that a specialization is expected to save.
    pub gain: f64,
    /// The time lost to probes while it is made, in microseconds.
    pub window: f64,
}

/// A question to a strategy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Asked<'a> {
    /// A tick fell on the function: with the promise of a profile, or why none is to be made now.
    Tick(Result<Prospect, &'a Reason>),
    /// Its profile was looked through: with the part of its time that specializing should save, or why none.
    Profile(Result<f64, &'a Reason>),
}

/// Choice of what is done, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// Choices that could be made, what is done now first.
    pub candidates: Vec<Candidate>,
    pub choice: Choice,
    pub reason: Reason,
}

/// Decides about functions.
#[derive(Debug)]
pub struct Strategy {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its way of deciding, in a line.
    pub about: &'static str,
    /// True iff it looks at the back edges of loops, which take time to count at each tick.
    pub wants_back_edges: bool,
    /// Decides about a function.
    pub choose: fn(&View, Asked<'_>) -> Decision,
}

impl View {
    /// The choices that the question is about, what is done now first, with cost and future by the cost model.
    pub fn candidates(&self, asked: Asked<'_>) -> Vec<Candidate> {
        let optimized = self.time / self.speedup;
        match asked {
            Asked::Tick(prospect) => {
                let mut candidates = vec![Candidate { choice: Choice::Stay, cost: 0.0, future: self.time }];
                if self.may_optimize && self.kind == Kind::Baseline {
                    let cost = self.compile.optimized;
                    candidates.push(Candidate { choice: Choice::Optimize, cost, future: optimized });
                }
                if let Ok(prospect) = prospect {
                    let cost = self.compile.of_profile(prospect.window);
                    let future = optimized * (1.0 - prospect.gain);
                    candidates.push(Candidate { choice: Choice::Profile, cost, future });
                }
                candidates
            }
            Asked::Profile(gain) => {
                let cost = self.compile.optimized;
                let mut candidates = vec![Candidate { choice: Choice::Optimize, cost, future: optimized }];
                if let Ok(gain) = gain {
                    let (cost, future) = (self.compile.specialized, optimized * (1.0 - gain));
                    candidates.push(Candidate { choice: Choice::Specialize, cost, future });
                }
                candidates
            }
        }
    }
}

impl Decision {
    pub(crate) fn of(candidates: Vec<Candidate>, choice: Choice, reason: Reason) -> Decision {
        Decision { candidates, choice, reason }
    }
}
