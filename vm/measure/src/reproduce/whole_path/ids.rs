//! The run as one sequence of ids, which the rivals of compaction get.
//!
//! In: a [`WholePath`]. Out: an id for each block that is entered, and one for the end of each activation; from such a sequence the
//! unique path traces of a function.
//! Invariant: nothing leads to the first block of a function but a call, so that its id begins an activation.

use std::collections::BTreeMap;
use std::ops::Range;

use holloway_profiler::event::FunctionId;
use holloway_profiler::wpp::{Program, Replay, WholePath};

/// The ids of a program: those of a function's blocks, and behind them that of its end.
#[derive(Clone, Debug)]
pub(crate) struct Ids {
    /// The first id of each function, and the number of all.
    first: Vec<u32>,
}

impl Ids {
    /// Numbers the blocks of a program.
    pub(crate) fn of(program: &Program) -> Ids {
        let mut first = vec![0];
        for function in &program.functions {
            first.push(first[first.len() - 1] + function.blocks.len() as u32 + 1);
        }
        Ids { first }
    }

    /// The ids of a function, the last one that of its end.
    pub(crate) fn range(&self, function: FunctionId) -> Range<u32> {
        let at = function.as_u32() as usize;
        self.first[at]..self.first[at + 1]
    }

    /// Gives the ids of a run to `to`, in order.
    pub(crate) fn of_run<E>(&self, path: &WholePath, mut to: impl FnMut(u32) -> Result<(), E>) -> Result<(), E> {
        let mut replay = Replay::new(path);
        let mut active: Vec<FunctionId> = Vec::new();
        while let Some(event) = replay.forward() {
            let before = if event.step == 1 { replay.depth() - 1 } else { replay.depth() };
            for function in active.drain(before..).rev() {
                to(self.range(function).end - 1)?;
            }
            if event.step == 1 {
                active.push(event.function);
            }
            to(self.range(event.function).start + event.block.as_u32())?;
        }
        active.into_iter().rev().try_for_each(|function| to(self.range(function).end - 1))
    }
}

/// The unique path traces of the function whose ids are in `of`, as indices of blocks, each with its number of activations.
pub(crate) fn traces_in(ids: impl Iterator<Item = u32>, of: Range<u32>) -> BTreeMap<Vec<u32>, u64> {
    let mut found = BTreeMap::new();
    let mut active: Vec<Vec<u32>> = Vec::new();
    for id in ids.filter(|id| of.contains(id)) {
        if id == of.start {
            active.push(Vec::new());
        }
        if id == of.end - 1 {
            *found.entry(active.pop().unwrap_or_default()).or_default() += 1;
        } else if let Some(trace) = active.last_mut() {
            trace.push(id - of.start);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activations_of_a_recursive_function_are_kept_apart() {
        // Blocks 10 and 11, end 12: the second call is made in block 11 of the first; the third follows. 7 is elsewhere.
        let ids = [7, 10, 11, 10, 12, 11, 12, 7, 10, 12, 7];
        let found = traces_in(ids.into_iter(), 10..13);
        assert_eq!(found, BTreeMap::from([(vec![0], 2), (vec![0, 1, 1], 1)]));
    }
}
