//! Parameters that are never negative: counters and positions, as loops carry them.
//!
//! In: a function. Out: the ranges of such parameters. Invariant: each follows from the others. Every parameter is assumed
//! not to be negative until an argument may be, and what was assumed is looked at again then, as in optimistic constant propagation [WZ91]:
//! one walk over all arguments under assumptions that all of these keep proves them together.
//!
//! A counter that is tested for staying in the loop is less than the greatest integer besides, so that its next value does not wrap.
//! Once all assumptions hold, a parameter is in the hull of the ranges that its arguments have under them: what a constant bounds stays below it.
//! A product of counters (`j = i * i`) may wrap until these hulls are known. So a parameter that begins with a product is given up at first, and tried again then.
//!
//! [WZ91] M. N. Wegman, F. K. Zadeck, "Constant Propagation with Conditional Branches", TOPLAS 13(2), 1991.

use super::range::Range;
use super::walk::{Fact, Purpose, Walk};
use crate::opt::cfg::Graph;
use crate::opt::ssa::{Block, Func, Op, Term, Value};
use crate::settings::correlated_values::MAX_ROUNDS;
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Scalar};

/// Finds them; none if assumptions keep failing.
pub(super) fn nonnegative(func: &mut Func, graph: &Graph) -> HashMap<Value, Range> {
    let candidates = candidates(func, graph);
    let passed = passed(func, graph, &candidates);
    let of_products = products(func, graph, &candidates);
    let first = holding(func, graph, &passed, candidates.clone());
    // A second time with what is known of the factors.
    let mut again: Vec<Value> = of_products.into_iter().filter(|param| !first.contains_key(param)).collect();
    if again.is_empty() || first.is_empty() {
        return first;
    }
    let mut assumed = first.clone();
    while let Some(param) = again.pop() {
        if assumed.insert(param, candidates[&param]).is_none() {
            again.extend(passed.get(&param).into_iter().flatten());
        }
    }
    let second = holding(func, graph, &passed, assumed);
    if second.is_empty() { first } else { second }
}

/// Those of the assumptions that hold together, each as narrow as its arguments are; none if they keep failing.
fn holding(
    func: &mut Func,
    graph: &Graph,
    passed: &HashMap<Value, Vec<Value>>,
    mut assumed: HashMap<Value, Range>,
) -> HashMap<Value, Range> {
    for _ in 0..MAX_ROUNDS {
        if assumed.is_empty() {
            break;
        }
        let mut hulls: HashMap<Value, Range> = HashMap::new();
        let mut look = |walk: &mut Walk<'_>, block: Block| walk.arguments(block, &mut hulls);
        Walk::new(func, graph, &assumed).walk(&mut Purpose::Look(&mut look));
        let failed: Vec<(Value, Range)> = hulls
            .iter()
            .filter(|(param, hull)| !assumed[*param].contains(**hull))
            .map(|(param, hull)| (*param, *hull))
            .collect();
        if failed.is_empty() {
            return hulls;
        }
        let mut gone: Vec<Value> = Vec::new();
        for (param, hull) in failed {
            match hull.least {
                ..0 => gone.push(param),
                0.. => {
                    assumed.insert(param, Range { least: 0, most: i64::MAX });
                }
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
        // Less than the greatest, so that the next may be one more; `holding` gives that up where it fails.
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

/// Candidates that get a product as an argument.
fn products(func: &Func, graph: &Graph, candidates: &HashMap<Value, Range>) -> Vec<Value> {
    let is_product =
        |arg: &Value| func.def_inst(*arg).is_some_and(|inst| func.insts[inst].op == Op::Binary(BinaryOp::IntMul));
    let targets = graph.rpo.iter().flat_map(|block| func.blocks[*block].term.targets());
    let pairs = targets.flat_map(|target| target.args.iter().zip(&func.blocks[target.block].params));
    pairs.filter(|(arg, param)| is_product(arg) && candidates.contains_key(*param)).map(|(_, param)| *param).collect()
}

impl Walk<'_> {
    /// Widens the hulls of parameters by a block's arguments.
    fn arguments(&mut self, block: Block, hulls: &mut HashMap<Value, Range>) {
        let term = std::mem::replace(&mut self.func.blocks[block].term, Term::Return(None));
        let assumed = self.assumed;
        for (at, target) in term.targets().enumerate() {
            let mark = self.undo.len();
            self.learn_fact(Fact::of_target(&term, at));
            for (param, arg) in self.func.blocks[target.block].params.iter().zip(&target.args) {
                if assumed.contains_key(param) {
                    let of_arg = self.range(*arg, 0);
                    hulls.entry(*param).and_modify(|hull| *hull = hull.hull(of_arg)).or_insert(of_arg);
                }
            }
            self.forget(mark);
        }
        self.func.blocks[block].term = term;
    }
}
