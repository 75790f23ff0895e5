//! Branches that go either way: what a profile says of them.
//!
//! In: how often a branch went each way. Out: the branches that no predictor is likely to get right. The optimizer makes
//! choices without branches of them where it would otherwise not, as a branch that is foreseen costs less than waiting for what
//! it compares.
//! Invariant: it depends on counts alone and changes no result, whatever they say.

use hashbrown::HashSet;
use holloway_lang::ir::{Block, FuncRef};
use std::sync::Arc;

/// A branch goes either way if its rarer way is taken at least this often. Predictors learn short patterns, so some that do are
/// foreseen all the same; those lose little by a choice that waits.
const LEAST_SHARE: f64 = 0.15;
/// A branch that was executed less often is not judged.
const LEAST_EXECUTIONS: u64 = 64;

/// Branches by the block that they end, in whatever function was inlined where.
#[derive(Clone, Debug, Default)]
pub struct EitherWay(Option<Arc<HashSet<(FuncRef, Block)>>>);

/// How often a branch went each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The function and the block that it ends.
    pub at: (FuncRef, Block),
    /// How often it went one way and the other.
    pub counts: (u64, u64),
}

impl EitherWay {
    /// The branches that go either way.
    pub fn of(branches: impl IntoIterator<Item = Ways>) -> EitherWay {
        let either = branches.into_iter().filter(|ways| goes_either_way(ways.counts)).map(|ways| ways.at);
        let found: HashSet<(FuncRef, Block)> = either.collect();
        EitherWay((!found.is_empty()).then(|| Arc::new(found)))
    }

    /// Whether the branch that ends a block does.
    pub fn contains(&self, func: FuncRef, block: Block) -> bool {
        self.0.as_ref().is_some_and(|found| found.contains(&(func, block)))
    }
}

fn goes_either_way((one, other): (u64, u64)) -> bool {
    let all = one + other;
    all >= LEAST_EXECUTIONS && one.min(other) as f64 >= LEAST_SHARE * all as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn a_branch_goes_either_way_if_its_rarer_way_is_not_rare() {
        let at = |number: u32| (FuncRef::from_u32(0), Block::new(number as usize));
        let ways = |number, counts| Ways { at: at(number), counts };
        let found = EitherWay::of([ways(0, (500, 500)), ways(1, (990, 10)), ways(2, (20, 20)), ways(3, (20, 80))]);
        let contained: Vec<bool> = (0..4).map(|number| found.contains(at(number).0, at(number).1)).collect();
        assert_eq!(contained, [true, false, false, true]);
    }
}
