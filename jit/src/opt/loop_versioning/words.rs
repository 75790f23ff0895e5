//! Values that a loop carries and rotates as 32-bit words: a test ahead of the loop says whether they are words.
//!
//! In: a loop. Out: the parameters of its header that are words in every iteration if they are at the entry, where some
//! rotation is one of a word by that. Each is assumed to be one until an argument of a latch may be something else, as
//! in optimistic constant propagation.

use crate::opt::cfg::{Graph, Loop};
use crate::opt::correlated_values::ranges_at_entry;
use crate::opt::loops;
use crate::opt::narrow::rotated;
use crate::opt::ssa::{Func, Op, Value};
use crate::range::{Range, WORD};
use crate::settings::loop_versioning::MAX_WORDS;
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Scalar};

/// The positions of such parameters; none if they are of no use, or known to be words, or too many to be tested.
pub(super) fn carried_words(
    func: &mut Func,
    graph: &Graph,
    l: &Loop,
    known: &HashMap<Value, Range>,
    rotations: &[Value],
) -> Vec<usize> {
    let mut words = Words { func, graph, l };
    let unknown = words.others(known, rotations);
    if unknown.is_empty() {
        return Vec::new();
    }
    let params = words.func.blocks[l.header].params.clone();
    let is_int = |at: &usize| words.func.values[params[*at]].scalar == Scalar::Int;
    let mut carried: Vec<usize> = (0..params.len()).filter(is_int).collect();
    let ranges = loop {
        let mut ranges = known.clone();
        ranges.extend(carried.iter().map(|at| (params[*at], WORD)));
        let nexts: Vec<(usize, Value)> = words.nexts(&carried);
        let values: Vec<Value> = nexts.iter().map(|(_, value)| *value).collect();
        let others = words.others(&ranges, &values);
        if others.is_empty() {
            break ranges;
        }
        carried.retain(|at| !nexts.iter().any(|(of, next)| of == at && others.contains(next)));
    };
    let is_helped = words.others(&ranges, &unknown).len() < unknown.len();
    let entering: Vec<Value> = carried.iter().map(|at| params[*at]).collect();
    let untold = words.others(known, &entering);
    carried.retain(|at| untold.contains(&params[*at]));
    if is_helped && carried.len() <= MAX_WORDS { carried } else { Vec::new() }
}

/// A loop that is looked at under assumptions.
struct Words<'a> {
    func: &'a mut Func,
    graph: &'a Graph,
    l: &'a Loop,
}

impl Words<'_> {
    /// Those of some values that may be no words, where parameters have ranges.
    fn others(&mut self, params: &HashMap<Value, Range>, values: &[Value]) -> Vec<Value> {
        ranges_at_entry(self.func, self.graph, self.l, params, |walk| {
            values.iter().copied().filter(|value| !WORD.contains(walk.range(*value, 0))).collect()
        })
    }

    /// The values for some parameters in the next iteration.
    fn nexts(&self, params: &[usize]) -> Vec<(usize, Value)> {
        let targets = self.l.latches.iter().flat_map(|latch| self.func.blocks[*latch].term.targets());
        let back = targets.filter(|to| to.block == self.l.header);
        back.flat_map(|to| params.iter().map(|at| (*at, to.args[*at]))).collect()
    }
}

/// Values that a loop rotates, provided that they are words.
pub(super) fn rotations(func: &Func, l: &Loop) -> Vec<Value> {
    let masks = loops::insts(func, l).filter(|data| data.op == Op::Binary(BinaryOp::IntAnd));
    masks.filter_map(|data| rotated(func, data.args[0], data.args[1])).map(|(word, _)| word).collect()
}
