//! The branches of a body that the optimizer may remove: the cells in which baseline code notes how they go.
//!
//! In: a body; looks, at ticks. Out: the addresses of the cells; of each branch, what the looks saw.
//! Invariant: the cells never move while code that writes them exists.

use super::counter::read_counter;
use super::settings::MOST_LOOKS;
use hashbrown::HashMap;
use holloway_ir::{Block, Function};
use holloway_jit::convertible::convertible;
use holloway_jit::outcomes::{OUTCOME_WORDS, Outcomes};

/// The branches of one body.
pub(super) struct Branches {
    blocks: Vec<Block>,
    cells: Box<[[u64; OUTCOME_WORDS]]>,
    /// The word at the last look at each branch, the looks that found it changed, and what they saw.
    looks: Vec<(u64, u32, Outcomes)>,
}

impl Branches {
    pub(super) fn of(body: &Function) -> Branches {
        let blocks: Vec<Block> = convertible(body).collect();
        let cells = vec![[0; OUTCOME_WORDS]; blocks.len()].into_boxed_slice();
        let looks = vec![(0, 0, Outcomes::default()); blocks.len()];
        Branches { blocks, cells, looks }
    }

    /// The addresses of the cells.
    pub(super) fn cells(&mut self) -> HashMap<Block, usize> {
        let cells = self.cells.iter_mut().map(|cell| cell.as_mut_ptr().expose_provenance());
        self.blocks.iter().copied().zip(cells).collect()
    }

    /// True iff there are branches that were not looked at often enough.
    pub(super) fn are_looked_at(&self) -> bool {
        self.looks.iter().any(|(_, looks, _)| *looks < MOST_LOOKS)
    }

    /// Looks at the latest outcomes, where they changed since the last time. A branch that was executed fewer than 64 times seems to have
    /// gone the other way before: it is foreseen too easily, and hardly executed.
    pub(super) fn look(&mut self) {
        let latest = self.cells.iter().map(|[latest, _]| read_counter(latest));
        for (word, (last, looks, outcomes)) in latest.zip(&mut self.looks) {
            if word != *last && *looks < MOST_LOOKS {
                (*last, *looks) = (word, *looks + 1);
                outcomes.look(word);
            }
        }
    }

    /// Notes outcomes of the first branch, as code would.
    #[cfg(test)]
    pub(super) fn note(&mut self, latest: u64) {
        self.cells[0][0] = latest;
    }

    /// Outcomes that the looks saw.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = (Block, Outcomes)> {
        let seen = self.looks.iter().zip(&self.cells);
        let seen = seen.map(|((_, _, outcomes), [_, changes])| outcomes.with_changes(read_counter(changes)));
        self.blocks.iter().copied().zip(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_ir::{FuncRef, parse};

    #[test]
    fn a_branch_is_looked_at_when_it_was_executed_and_not_for_ever() {
        let text = "type t0 = bool\nsig0 = (t0)\nfunction f0 \"f\" sig0(v0: bool) {\nblock0:\n    branch v0, block1, block2\nblock1:\n    return\nblock2:\n    branch v0, block1, block1\n}";
        let module = parse::module(text).unwrap_or_else(|error| panic!("{error}"));
        let mut branches = Branches::of(module.function(FuncRef::from_u32(0)));
        let block = Block::from_u32(0);
        assert_eq!(branches.cells().into_keys().collect::<Vec<_>>(), [block], "one that has two ways");
        let judge = |branches: &Branches| branches.outcomes().next().expect("it has a branch").1;
        branches.look();
        assert_eq!(judge(&branches), Outcomes::default(), "it was not executed");
        let mut expected = Outcomes::default();
        assert!(branches.are_looked_at());
        for look in 1..=2 * u64::from(MOST_LOOKS) {
            branches.note(look);
            branches.look();
            branches.look();
            if look <= u64::from(MOST_LOOKS) {
                expected.look(look);
            }
        }
        assert_eq!(judge(&branches), expected);
        assert!(!branches.are_looked_at());
    }
}
