//! Changes of a body's profile since baseline code counted: what optimized code does that its profile said is rare, and what
//! its indirect calls call now.
//!
//! In: calls that optimized code makes although it was compiled not to. Out: the profile that the next compilation goes by.
//! Invariant: a call has so many usual targets in turn, then none: code that calls one function after the other is compiled no more for each.

use super::settings::MOST_TARGETS;
use hashbrown::HashMap;
use holloway_ir::{Block, Function};
use holloway_jit::missed::MissedCall;
use holloway_jit::observed::{Counts, TargetCell};

/// The changes of one body's profile.
#[derive(Debug, Default)]
pub(crate) struct ProfileChanges {
    hot: Vec<Block>,
    targets: HashMap<(Block, usize), NewTarget>,
}

#[derive(Debug, Default)]
struct NewTarget {
    cell: Option<TargetCell>,
    /// Number of usual targets that it had in turn.
    times: u32,
}

impl ProfileChanges {
    /// A block is executed often.
    pub(super) fn note_hot(&mut self, block: Block) {
        if !self.hot.contains(&block) {
            self.hot.push(block);
        }
    }

    /// An indirect call is made, which is the given instruction of a block.
    pub(super) fn note_target(&mut self, block: Block, missed: &MissedCall) {
        let (new, cell) = (self.targets.entry((block, missed.inst)).or_default(), missed.target());
        if new.cell.is_none_or(|known| known.func != cell.func) {
            new.times += 1;
            new.cell = Some(cell).filter(|_| new.times < MOST_TARGETS);
        }
    }

    /// The profile as it is by now.
    pub(super) fn applied(&self, body: &Function, counts: Counts) -> Counts {
        if self.hot.is_empty() && self.targets.is_empty() {
            return counts;
        }
        let none = TargetCell { func: None, same: 0, other: 0 };
        let cells = self.targets.iter().map(|(at, new)| (*at, new.cell.unwrap_or(none)));
        counts.with_hot(body, self.hot.iter().copied()).with_targets(cells)
    }
}
