//! The theorem of `docs/profiling.md` on random programs: in every function with one loop, the counts of k-iteration paths are those of k acyclic
//! paths in a row, and of whole activations of fewer.
//!
//! In: random programs. Out: failed tests that show the program. The k-iteration paths are those of optimized code, the sequences those of the
//! interpreter, and the short activations those of an observer that keeps blocks and knows no numbers.

use super::across::profiled;
use super::common::interpret::watch;
use super::common::programs::{how_many, seeds};
use super::common::{captured, scheme};
use holloway::FunctionPaths;
use holloway::{Engine, TierChoice};
use holloway_generator::{Size, program};
use holloway_interp::Observer;
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{self, Block, Cfg, FuncRef, Loops, Module};
use holloway_profiler::counts::TableKind;
use holloway_profiler::graph::{LoopNest, Node};
use holloway_profiler::number::k_iteration::loops_to_iterate;
use holloway_profiler::scheme::NumberingOrder;
use holloway_runtime::Limits;
use std::collections::{BTreeMap, BTreeSet};

type Counts = BTreeMap<Vec<Node>, u64>;

/// Keeps the blocks of each activation, as long as it has fewer than k acyclic paths since its start or its last failure.
struct Short {
    k: u64,
    back_edges: BTreeSet<(FuncRef, Block, Block)>,
    active: Vec<(Vec<Node>, u64)>,
    whole: BTreeMap<FuncRef, Counts>,
}

impl Short {
    fn new(module: &Module, k: u64) -> Short {
        let mut back_edges = BTreeSet::new();
        for (func, decl) in module.funcs.iter() {
            let loops = Loops::of(&Cfg::compute(&decl.body));
            for from in decl.body.blocks.keys() {
                let out = ir::cfg::edges(&decl.body, from).into_iter().map(|(to, _)| to);
                back_edges.extend(out.filter(|to| loops.is_back_edge(from, *to)).map(|to| (func, from, to)));
            }
        }
        Short { k, back_edges, active: Vec::new(), whole: BTreeMap::new() }
    }

    fn innermost(&mut self) -> &mut (Vec<Node>, u64) {
        self.active.last_mut().expect("a function is active")
    }
}

impl Observer for Short {
    fn enter(&mut self, _: FuncRef) {
        self.active.push((Vec::new(), 1));
    }

    fn edge(&mut self, func: FuncRef, from: Block, to: Block, kind: ir::EdgeKind) {
        if kind == ir::EdgeKind::Failure {
            *self.innermost() = (Vec::new(), 1);
        } else if self.back_edges.contains(&(func, from, to)) {
            self.innermost().1 += 1;
        }
    }

    fn block(&mut self, _: FuncRef, block: Block) {
        let k = self.k;
        let (blocks, paths) = self.innermost();
        if *paths < k {
            blocks.push(node_of(block));
        }
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.active.pop();
    }

    fn leave(&mut self, func: FuncRef) {
        let (blocks, paths) = self.active.pop().expect("a function is active");
        if paths < self.k {
            *self.whole.entry(func).or_default().entry(blocks).or_default() += 1;
        }
    }
}

/// Counts of sequences of k acyclic paths, by their blocks; none if some paths were cut for their number.
fn deep(function: &FunctionPaths, k: u64) -> Option<Counts> {
    let plan = function.plan.as_ref().expect("acyclic paths are always numbered");
    if !plan.decoder.truncated().is_empty() {
        return None;
    }
    let blocks = |id: &u64| plan.decoder.path(&plan.graph, *id).expect("it is an id of the plan").blocks;
    let sequences = function.results().sequences.expect("sequences were counted").k_ipf.sequences();
    let deep = sequences.into_iter().filter(|(ids, _)| ids.len() as u64 == k);
    let mut counts = Counts::new();
    deep.for_each(|(ids, count)| *counts.entry(ids.iter().flat_map(blocks).collect()).or_default() += count);
    Some(counts)
}

/// Compares both sides in the functions of a program with one loop. Returns the number of their paths of k iterations, and of short activations.
fn check(source: &str, k: u64, what: &str) -> (usize, usize) {
    let mut iterated = scheme("k-iter", k);
    (iterated.settings.path_limit, iterated.settings.table) = (Some(1 << 40), Some(TableKind::Array));
    let mut forest = scheme("k-bl", k);
    forest.settings.numbering = NumberingOrder::Source;
    let mut iterated: Engine = profiled(captured(TierChoice::Optimized, &[]), iterated, source);
    let mut forest = profiled(captured(TierChoice::Interp, &[]), forest, source);
    let short = watch(forest.module(), &[], Limits::default(), Short::new(forest.module(), k)).whole;
    let (iterated, forest) = (iterated.path_profile(), forest.path_profile());
    let (iterated, forest) = (iterated.expect("it was profiled").functions, forest.expect("it was profiled").functions);
    let mut found = (0, 0);
    for function in &iterated {
        let Ok(plan) = &function.plan else { continue };
        let has_one = LoopNest::of(&plan.graph).iter().count() == 1 && loops_to_iterate(&plan.graph).len() == 1;
        let sequences = forest.iter().find(|other| other.func == function.func).and_then(|other| deep(other, k));
        let Some(mut expected) = sequences.filter(|_| has_one) else { continue };
        found.0 += expected.len();
        for (blocks, count) in short.get(&function.func).into_iter().flatten() {
            found.1 += 1;
            *expected.entry(blocks.clone()).or_default() += count;
        }
        let mut counts = Counts::new();
        function.results().paths.into_iter().for_each(|row| *counts.entry(row.path.blocks).or_default() += row.count);
        assert_eq!(counts, expected, "{what}, k = {k}: {:?} of\n{source}", function.func);
    }
    found
}

#[test]
fn one_loop_has_the_counts_of_the_forest_in_random_programs() {
    let found = seeds(40).map(|seed| check(&program(seed, Size::Small), 2 + seed % 4, &format!("seed {seed}")));
    let (iterated, short) = found.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(how_many(40) < 40 || iterated > 30 && short > 6, "{iterated} paths, {short} short activations");
}

/// Failures in a loop, caught in the loop of a caller and before a loop.
const FAILING: &str = "
fn thrice(n: int) -> int {
    var sum = 0
    for i in 0..n {
        if i % 3 == 0 { sum += 1 } else { sum ^= 2 }
        if i == 7 { fail \"seven\" }
    }
    return sum
}
fn within(n: int) -> int {
    var sum = 0
    for i in 0..n { try { sum += thrice(i + 3) } catch message { sum -= len(message) } }
    return sum
}
fn before(n: int) -> int {
    var sum = 0
    try { sum = thrice(n) } catch message { sum = len(message) }
    for i in 0..n % 4 { if i % 2 == 0 { sum += i } }
    return sum
}
for n in 0..12 {
    try { print(thrice(n)) } catch message { print(message) }
    print(within(n), before(n))
}
";

#[test]
fn failures_leave_the_same_counts_on_both_sides() {
    for k in 2..6 {
        let (iterated, short) = check(FAILING, k, "failures");
        assert!(iterated > 5 && short > 2, "k = {k}: {iterated} paths, {short} short activations");
    }
}
