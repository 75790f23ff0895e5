//! Parameters that are never negative: counters and positions, as loops carry them. One that is stepped up at the start
//! of an iteration may be negative by that step.
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

use super::walk::{Fact, Purpose, Walk};
use crate::opt::cfg::Graph;
use crate::opt::ssa::{Block, Func, Op, Term, Value};
use crate::range::Range;
use crate::settings::correlated_values::{MAX_CHAIN, MAX_ROUNDS, PATIENCE};
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Scalar};

/// Finds them; none if assumptions keep failing.
pub(in crate::opt) fn nonnegative(func: &mut Func, graph: &Graph) -> HashMap<Value, Range> {
    let steps = steps(func, graph);
    let candidates = candidates(func, graph, &steps);
    let passed = passed(func, graph, &candidates);
    let of_products = products(func, graph, &candidates);
    let first = holding(func, graph, (&passed, &steps), candidates.clone());
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
    let second = holding(func, graph, (&passed, &steps), assumed);
    if second.is_empty() { first } else { second }
}

/// Those of the assumptions that hold together, each as narrow as its arguments are; none if they keep failing.
fn holding(
    func: &mut Func,
    graph: &Graph,
    (passed, steps): (&HashMap<Value, Vec<Value>>, &HashMap<Value, i64>),
    mut assumed: HashMap<Value, Range>,
) -> HashMap<Value, Range> {
    for round in 0..MAX_ROUNDS {
        if assumed.is_empty() {
            break;
        }
        let mut found = Arguments::new();
        let mut look = |walk: &mut Walk<'_>, block: Block| walk.arguments(block, &mut found);
        Walk::new(func, graph, &assumed).walk(&mut Purpose::Look(&mut look));
        let hulls = hulls(&found, &HashMap::new());
        let failed: Vec<(Value, Range)> = hulls
            .iter()
            .filter(|(param, hull)| !assumed[*param].contains(**hull))
            .map(|(param, hull)| (*param, *hull))
            .collect();
        if failed.is_empty() {
            return narrowed(&found, hulls);
        }
        let mut gone: Vec<Value> = Vec::new();
        for (param, hull) in failed {
            let Range { least, most } = assumed[&param];
            let lowest = steps.get(&param).map_or(0, |step| -step);
            match hull.least {
                // What keeps failing is given up, for the others to come to an end.
                _ if round >= PATIENCE => gone.push(param),
                found if found >= least => _ = assumed.insert(param, Range { least, most: i64::MAX }),
                found if found >= lowest => {
                    assumed.insert(param, Range { least: lowest, most: hull.most.max(most) });
                }
                _ => gone.push(param),
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

/// The arguments of each candidate, with their ranges where they are passed.
type Arguments = HashMap<Value, Vec<(Value, Range)>>;

/// The hull of each candidate's arguments, which may be candidates that a range is known of.
fn hulls(found: &Arguments, known: &HashMap<Value, Range>) -> HashMap<Value, Range> {
    let range = |(arg, range): &(Value, Range)| known.get(arg).and_then(|known| known.both(*range)).unwrap_or(*range);
    let hull = |args: &Vec<(Value, Range)>| args.iter().map(range).reduce(Range::hull);
    found.iter().filter_map(|(param, args)| Some((*param, hull(args)?))).collect()
}

/// The hulls once what is known of each candidate got to those that it is passed to: values that move from one to the
/// next each iteration.
fn narrowed(found: &Arguments, mut known: HashMap<Value, Range>) -> HashMap<Value, Range> {
    for _ in 0..MAX_CHAIN {
        let next = hulls(found, &known);
        if next == known {
            break;
        }
        known = next;
    }
    known
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

/// The steps up of parameters that get their next value so.
fn steps(func: &Func, graph: &Graph) -> HashMap<Value, i64> {
    let targets = graph.rpo.iter().flat_map(|block| func.blocks[*block].term.targets());
    let pairs = targets.flat_map(|target| target.args.iter().zip(&func.blocks[target.block].params));
    let step = |(arg, param): (&Value, &Value)| {
        let data = &func.insts[func.def_inst(*arg)?];
        let is_step = data.op == Op::Binary(BinaryOp::IntAdd) && data.args[0] == *param;
        let by = func.as_int(*data.args.get(1)?).filter(|by| (1..1 << 31).contains(by) && is_step)?;
        Some((*param, by))
    };
    pairs.filter_map(step).collect()
}

/// Integer parameters of blocks in loops that get no constant below that.
fn candidates(func: &Func, graph: &Graph, steps: &HashMap<Value, i64>) -> HashMap<Value, Range> {
    let mut assumed = HashMap::new();
    for block in graph.rpo.iter().filter(|block| graph.loop_depth(**block) > 0 && graph.preds[**block].len() > 1) {
        // Less than the greatest, so that the next may be one more; `holding` gives that up where it fails.
        let ints = func.blocks[*block].params.iter().filter(|param| func.values[**param].scalar == Scalar::Int);
        assumed.extend(ints.map(|param| (*param, Range { least: 0, most: i64::MAX - 1 })));
    }
    for block in &graph.rpo {
        for target in func.blocks[*block].term.targets() {
            for (param, arg) in func.blocks[target.block].params.iter().zip(&target.args) {
                let lowest = steps.get(param).map_or(0, |step| -step);
                match func.as_int(*arg) {
                    Some(constant) if constant < lowest => _ = assumed.remove(param),
                    Some(constant) if constant < 0 => {
                        assumed.entry(*param).and_modify(|range| range.least = lowest);
                    }
                    Some(_) | None => {}
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
    /// Adds a block's arguments for candidates.
    fn arguments(&mut self, block: Block, found: &mut Arguments) {
        let term = std::mem::replace(&mut self.func.blocks[block].term, Term::Return(None));
        let assumed = self.assumed;
        for (at, target) in term.targets().enumerate() {
            let mark = self.undo.len();
            self.learn_fact(Fact::of_target(&term, at));
            for (param, arg) in self.func.blocks[target.block].params.iter().zip(&target.args) {
                if assumed.contains_key(param) {
                    let of_arg = self.range(*arg, 0);
                    found.entry(*param).or_default().push((*arg, of_arg));
                }
            }
            self.forget(mark);
        }
        self.func.blocks[block].term = term;
    }
}
