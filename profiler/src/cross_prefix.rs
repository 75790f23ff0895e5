//! Paths across calls that failures cut short.
//!
//! In: the activations that a failure ends or is caught in, from the innermost outwards. Out: a [`CrossPrefix`] for each path that is open
//! in them: nothing is lost (`[MR98]` 9.2.1, 9.2.2).
//!
//! ```text
//!   main --cut call--> p --call--> q --call--> r    fails: one prefix ends in r, with q and p open; that of main is another.
//! ```
//!
//! The number of a prefix is that of the path that continues with the first steps, on which a block may stand several times. The
//! calls that are open tell them apart: of one activation a path passes each place once.
//! Invariant: a path that goes on in a callee is a part of the callee's prefix, unless the callee has not begun.

use std::collections::BTreeMap;

use crate::event::FunctionId;
use crate::graph::Node;
use crate::plan::{Crossing, CutShort};

/// The place of an activation: in a block, behind so many of its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CutFrame {
    /// The block.
    pub block: Node,
    /// The calls in it that have returned.
    pub calls: u32,
    /// Set if the path began behind the calls that are open there: then it does not run through the activations around.
    pub is_detached: bool,
}

/// A path that a failure cut short.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrossPrefix {
    /// The number so far.
    pub number: u64,
    /// The activations that the path runs through, the innermost first.
    pub frames: Vec<(FunctionId, CutFrame)>,
}

/// Counts of paths that neither a step nor an activation reports.
#[derive(Clone, Debug, Default)]
pub struct CrossReports {
    /// Paths whose activation returned to the outside, by number.
    pub returned: BTreeMap<u64, u64>,
    /// Prefixes.
    pub prefixes: BTreeMap<CrossPrefix, u64>,
    joiner: PrefixJoiner,
}

impl CrossReports {
    /// An activation that was entered from outside returned, and passed a path.
    pub fn returned(&mut self, passed: i64) {
        *self.returned.entry(passed as u64).or_default() += 1;
    }

    /// A failure ends an activation, or is caught in it: its place, its path and where that is; the innermost comes first.
    pub fn unwound(&mut self, cut_short: CutShort, at: (FunctionId, CutFrame), path: (u64, Crossing)) {
        let prefix = match cut_short {
            CutShort::BySteps | CutShort::Nobody => self.joiner.end(),
            CutShort::ByUnwinder => self.joiner.frame(at, path),
        };
        self.count(prefix);
    }

    /// An activation around the one that caught the failure, which goes on, its place and where its path is. Returns whether the path
    /// that was cut short runs through it; then the next activation outwards is to be told, too.
    pub fn around(&mut self, at: (FunctionId, CutFrame), crossing: Crossing) -> bool {
        let is_on_path = crossing == Crossing::Continues && self.joiner.goes_outwards();
        if is_on_path {
            self.joiner.frame(at, (0, crossing));
        }
        is_on_path
    }

    /// The failure is caught, or every activation has ended.
    pub fn settled(&mut self) {
        let prefix = self.joiner.end();
        self.count(prefix);
    }

    fn count(&mut self, prefix: Option<CrossPrefix>) {
        if let Some(prefix) = prefix {
            *self.prefixes.entry(prefix).or_default() += 1;
        }
    }
}

/// Joins the activations of a path.
#[derive(Clone, Debug, Default)]
struct PrefixJoiner {
    open: Option<CrossPrefix>,
}

impl PrefixJoiner {
    /// The next activation outwards, with its path; gives the prefix that ended before.
    fn frame(&mut self, at: (FunctionId, CutFrame), (path, crossing): (u64, Crossing)) -> Option<CrossPrefix> {
        let goes_outwards = self.goes_outwards();
        if let (Crossing::Continues, Some(open)) = (crossing, &mut self.open) {
            open.frames.extend(goes_outwards.then_some(at));
            return None;
        }
        self.open.replace(CrossPrefix { number: path, frames: vec![at] })
    }

    /// Returns whether the path that is open runs through the activation around it, if it goes on in a callee there.
    fn goes_outwards(&self) -> bool {
        let outermost = self.open.as_ref().and_then(|open| open.frames.last());
        outermost.is_some_and(|(_, at)| !at.is_detached)
    }

    /// There are no activations further out, or the next one has no path; gives the prefix that ended before.
    fn end(&mut self) -> Option<CrossPrefix> {
        self.open.take()
    }
}
