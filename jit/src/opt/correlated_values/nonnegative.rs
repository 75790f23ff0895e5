//! Parameters that are never negative: counters and positions, as loops carry them.
//!
//! In: a function. Out: the ranges of such parameters. Invariant: each follows from the others: every parameter is assumed
//! not to be negative until an argument may be, and what was assumed is looked at again then, as in optimistic constant propagation [WZ91].
//!
//! A counter that is tested for staying in the loop is less than the greatest integer besides, so that its next value does not wrap.
//!
//! [WZ91] M. N. Wegman, F. K. Zadeck, "Constant Propagation with Conditional Branches", TOPLAS 13(2), 1991.

use super::range::Range;
use super::{Fact, Purpose, Walk};
use crate::opt::cfg::Graph;
use crate::opt::ssa::{Block, Func, Term, Value};
use crate::settings::correlated_values::MAX_ROUNDS;
use hashbrown::HashMap;
use holloway_lang::ir::Scalar;

/// Finds them; none if assumptions keep failing.
pub(super) fn nonnegative(func: &mut Func, graph: &Graph) -> HashMap<Value, Range> {
    let mut assumed = candidates(func, graph);
    let passed = passed(func, graph, &assumed);
    for _ in 0..MAX_ROUNDS {
        if assumed.is_empty() {
            break;
        }
        let mut failed: HashMap<Value, Option<Range>> = HashMap::new();
        let mut look = |walk: &mut Walk<'_>, block: Block| walk.arguments(block, &mut failed);
        Walk::new(func, graph, &assumed).walk(&mut Purpose::Look(&mut look));
        if failed.is_empty() {
            return assumed;
        }
        let mut gone: Vec<Value> = Vec::new();
        for (param, wider) in failed {
            match wider {
                Some(range) => {
                    assumed.insert(param, range);
                }
                None => gone.push(param),
            }
        }
        // What only passes it on may be negative as well; to find that out by another walk each would take long.
        while let Some(param) = gone.pop() {
            if assumed.remove(&param).is_some() {
                gone.extend(passed.get(&param).into_iter().flatten());
            }
        }
    }
    HashMap::new()
}

/// For each candidate those that it is an argument for.
fn passed(func: &Func, graph: &Graph, assumed: &HashMap<Value, Range>) -> HashMap<Value, Vec<Value>> {
    let mut passed: HashMap<Value, Vec<Value>> = HashMap::new();
    for target in graph.rpo.iter().flat_map(|block| func.blocks[*block].term.targets()) {
        for (arg, param) in target.args.iter().zip(&func.blocks[target.block].params) {
            if assumed.contains_key(arg) && assumed.contains_key(param) {
                passed.entry(*arg).or_default().push(*param);
            }
        }
    }
    passed
}

/// Integer parameters of blocks in loops that get no negative constant.
fn candidates(func: &Func, graph: &Graph) -> HashMap<Value, Range> {
    let mut assumed = HashMap::new();
    for block in graph.rpo.iter().filter(|block| graph.loop_depth(**block) > 0 && graph.preds[**block].len() > 1) {
        let ints = func.blocks[*block].params.iter().filter(|param| func.values[**param].scalar == Scalar::Int);
        assumed.extend(ints.map(|param| (*param, Range { least: 0, most: i64::MAX - 1 })));
    }
    for block in &graph.rpo {
        for target in func.blocks[*block].term.targets() {
            for (param, arg) in func.blocks[target.block].params.iter().zip(&target.args) {
                if func.as_int(*arg).is_some_and(|constant| constant < 0) {
                    assumed.remove(param);
                }
            }
        }
    }
    assumed
}

impl Walk<'_> {
    /// Notes the parameters that a block's arguments do not fit: with the range that they need, or none if they may be negative.
    fn arguments(&mut self, block: Block, failed: &mut HashMap<Value, Option<Range>>) {
        let term = std::mem::replace(&mut self.func.blocks[block].term, Term::Return(None));
        let assumed = self.assumed;
        for (at, target) in term.targets().enumerate() {
            let mark = self.undo.len();
            self.learn_fact(Fact::of_target(&term, at));
            for (param, arg) in self.func.blocks[target.block].params.iter().zip(&target.args) {
                let Some(range) = assumed.get(param) else { continue };
                let of_arg = self.range(*arg, 0);
                if of_arg.least < 0 {
                    failed.insert(*param, None);
                } else if of_arg.most > range.most {
                    failed.entry(*param).or_insert(Some(Range { least: 0, most: i64::MAX }));
                }
            }
            self.forget(mark);
        }
        self.func.blocks[block].term = term;
    }
}
