//! Paths across calls are exact: the paper's program has the paper's counters in every tier, and the counts of other programs are those of a
//! tracker that keeps each path as the list of its blocks and knows no numbers.
//!
//! In: `melski-reps-pow.json`, the benchmark programs at their small size, random programs and some by hand. Out: failed tests that name
//! the program.

use super::common::interpret::watch;
use super::common::programs::{Benchmark, FAILURES, how_many, some_benchmarks};
use super::common::{captured, engine, fuel, load, scheme};
use super::path_tiers;
use holloway::{Config, Engine, TierChoice};
use holloway_generator::{Size, program};
use holloway_interp::Observer;
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{self, Block, Cfg, FuncRef, Inst, Loops, Module};
use holloway_machine::profile::program::{func_of, procedure_of};
use holloway_profiler::graph::Call;
use holloway_profiler::number::interprocedural::Base;
use holloway_profiler::scheme::{CrossPath, CrossRow, CrossVertex, NotProfiled, ProgramPlan, Scheme};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The program of the paper's Figure 4; main comes first, as it does there.
const POW: &str = "
fn main() {
    var result = 0.0
    var i = 1
    while i <= 18 {
        if i % 2 == 0 { result += pow(float(i), 2) }
        if i % 3 == 0 { result += pow(float(i), 2) }
        i += 1
    }
    print(result)
}

fn pow(base: float, exp: int) -> float {
    var power = 1.0
    var left = exp
    while left > 0 {
        power *= base
        left -= 1
    }
    return power
}
";

pub(super) const TIERS: [TierChoice; 3] = [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized];

pub(super) fn profiled(config: Config, scheme: Scheme, source: &str) -> Engine {
    let mut engine = engine(config);
    engine.executor_mut().profile(scheme);
    load(&mut engine, source);
    let _ = engine.run();
    engine
}

/// Figures 7 and 9, and 15 to 17: 36 and 21 counters.
#[test]
fn the_papers_program_has_the_papers_counters_in_every_tier() {
    let example: Value =
        serde_json::from_str(include_str!("../../../../profiler/tests/conformance/melski-reps-pow.json"))
            .expect("JSON");
    for (name, key) in [("ip-context", "context"), ("ip-piecewise", "piecewise")] {
        let counters: Vec<u64> =
            example[key]["counters"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
        for tier in TIERS {
            let mut engine = profiled(captured(tier, &[]), scheme(name, 1), POW);
            let profile = engine.path_profile().expect("paths were profiled");
            let [program] = profile.programs.as_slice() else { panic!("one numbering") };
            assert_eq!(program.plan().expect("it fits").num_paths(), counters.len() as u64);
            let mut found = vec![0; counters.len()];
            program.results().expect("it fits").paths.iter().for_each(|row| found[row.id as usize] = row.count);
            assert_eq!(found, counters, "{name} in {}", tier.name());
            assert_eq!(engine.take_output(), b"1959.0\n");
        }
    }
}

type Vertex = (FuncRef, u32);
/// Context and active suffix.
type Parts = (Vec<Vertex>, Vec<Vertex>);
type Counts = BTreeMap<Parts, u64>;

/// The blocks of a path, each with whether a surrogate leads to it.
type Blocks = Vec<(Vertex, bool)>;

/// Keeps every path as a list.
struct Tracker {
    module: Arc<Module>,
    back_edges: BTreeSet<(FuncRef, Block, Block)>,
    cut: BTreeSet<(FuncRef, u32, u32)>,
    /// Calls of values that paths cross.
    values: BTreeSet<(FuncRef, u32, u32)>,
    keeps_context: bool,
    frames: Vec<Activation>,
    /// The path of the callee that returned last.
    returned: Blocks,
    /// A failure ends activations, and did so already.
    unwinding: bool,
    paths: Counts,
    prefixes: Counts,
}

struct Activation {
    func: FuncRef,
    path: Blocks,
    on_entry: Blocks,
    /// The present call, if paths cross it.
    lent: bool,
}

impl Tracker {
    fn new(module: &Arc<Module>, plan: &ProgramPlan, keeps_context: bool) -> Tracker {
        let mut back_edges = BTreeSet::new();
        for (func, decl) in module.funcs.iter() {
            let loops = Loops::of(&Cfg::compute(&decl.body));
            for from in decl.body.blocks.keys() {
                for (to, _) in
                    ir::cfg::edges(&decl.body, from).into_iter().filter(|(to, _)| loops.is_back_edge(from, *to))
                {
                    back_edges.insert((func, from, to));
                }
            }
        }
        let mut values = BTreeSet::new();
        for (func, decl) in module.funcs.iter() {
            for (block, data) in decl.body.blocks.iter() {
                let calls = data.insts.iter().filter(|inst| inst.is_call());
                for (number, _) in (0..).zip(calls).filter(|(_, inst)| matches!(inst, Inst::CallIndirect { .. })) {
                    let call = Call { block: node_of(block), number };
                    if plan.crosses_value((procedure_of(func), call)) {
                        values.insert((func, block.as_u32(), number));
                    }
                }
            }
        }
        assert!(plan.without_paths().is_empty(), "the tracker knows no functions without paths");
        let (recursive, further) = plan.cut_calls();
        let cut = recursive.into_iter().chain(further);
        Tracker {
            module: Arc::clone(module),
            back_edges,
            cut: cut.map(|(function, call)| (func_of(function), call.block.as_u32(), call.number)).collect(),
            values,
            keeps_context,
            frames: Vec::new(),
            returned: Vec::new(),
            unwinding: false,
            paths: Counts::new(),
            prefixes: Counts::new(),
        }
    }

    fn innermost(&mut self) -> &mut Activation {
        self.frames.last_mut().expect("a function is active")
    }

    fn crosses(&self, func: FuncRef, block: Block, number: u32) -> bool {
        let insts = &self.module.function(func).blocks[block].insts;
        let call = insts.iter().filter(|inst| inst.is_call()).nth(number as usize).expect("there is such a call");
        let place = (func, block.as_u32(), number);
        match call {
            Inst::Call { .. } => !self.cut.contains(&place),
            _ => self.values.contains(&place),
        }
    }

    /// A failure ends the innermost activation, or is caught in it: its path is that of the callee if it was lent.
    fn cut_short(&mut self) {
        let Activation { lent, path, .. } = self.frames.last().expect("a function is active");
        if !(*lent && self.unwinding) {
            *self.prefixes.entry(parts(path)).or_default() += 1;
        }
        self.unwinding = true;
    }

    fn restart(&mut self, to: Vertex) {
        let keeps_context = self.keeps_context;
        let at = self.innermost();
        at.path = if keeps_context { at.on_entry.clone() } else { Vec::new() };
        at.path.push((to, true));
        at.lent = false;
    }
}

/// The path divided at its last surrogate.
fn parts(path: &Blocks) -> Parts {
    let active = path.iter().rposition(|(_, is_surrogate)| *is_surrogate).unwrap_or(0);
    let blocks = |part: &[(Vertex, bool)]| part.iter().map(|(vertex, _)| *vertex).collect();
    (blocks(&path[..active]), blocks(&path[active..]))
}

impl Observer for Tracker {
    fn enter(&mut self, func: FuncRef) {
        let entry = (func, self.module.function(func).entry().as_u32());
        let mut path = self.frames.last().filter(|caller| caller.lent).map_or(Vec::new(), |caller| caller.path.clone());
        path.push((entry, false));
        self.frames.push(Activation { func, on_entry: path.clone(), path, lent: false });
    }

    fn edge(&mut self, func: FuncRef, from: Block, to: Block, kind: ir::EdgeKind) {
        let target = (func, to.as_u32());
        if kind == ir::EdgeKind::Failure {
            self.cut_short();
            self.unwinding = false;
            return self.restart(target);
        }
        if self.back_edges.contains(&(func, from, to)) {
            let path = parts(&self.innermost().path);
            *self.paths.entry(path).or_default() += 1;
            return self.restart(target);
        }
        self.innermost().path.push((target, false));
    }

    fn call(&mut self, func: FuncRef, block: Block, number: u32) {
        let lent = self.crosses(func, block, number);
        self.innermost().lent = lent;
    }

    fn returned(&mut self, func: FuncRef, block: Block, number: u32) {
        let mut path = std::mem::take(&mut self.returned);
        if self.crosses(func, block, number) {
            path.push(((func, block.as_u32()), false));
            self.innermost().path = path;
        } else {
            *self.paths.entry(parts(&path)).or_default() += 1;
        }
        self.innermost().lent = false;
    }

    fn abort(&mut self, func: FuncRef, _: Block) {
        assert_eq!(self.innermost().func, func);
        self.cut_short();
        self.frames.pop();
        self.unwinding &= !self.frames.is_empty();
    }

    fn leave(&mut self, _: FuncRef) {
        let ended = self.frames.pop().expect("a function is active");
        if self.frames.is_empty() {
            *self.paths.entry(parts(&ended.path)).or_default() += 1;
        }
        self.returned = ended.path;
    }
}

/// Enough for most of a program; a run that exhausts it is aborted, which leaves prefixes.
const FUEL: u64 = 200_000;

fn counts(rows: &[CrossRow]) -> Counts {
    let blocks = |part: &[CrossVertex]| part.iter().map(|v| (func_of(v.function), v.block.as_u32())).collect();
    let parts = |path: &CrossPath| (blocks(&path.context), blocks(&path.active));
    let mut counts = Counts::new();
    for row in rows {
        // Several prefixes have the same blocks if calls in one block, which paths do not cross, failed.
        *counts.entry(parts(&row.path)).or_default() += row.count;
    }
    counts
}

/// Compares each scheme with the tracker. Returns the number of paths that cross calls, and of prefixes.
fn check(source: &str, args: &[&str], what: &str) -> (usize, usize) {
    check_by(["ip-context", "ip-piecewise", "ip-hybrid"].map(|name| scheme(name, 1)), source, args, what)
}

/// The same with these schemes.
pub(super) fn check_by(
    schemes: impl IntoIterator<Item = Scheme>,
    source: &str,
    args: &[&str],
    what: &str,
) -> (usize, usize) {
    let (mut crossing, mut cut_short) = (0, 0);
    for scheme in schemes {
        let keeps_context = scheme.name() != "ip-piecewise" && scheme.settings.base == Base::Context;
        let config = Config { limits: fuel(FUEL), ..captured(TierChoice::Interp, args) };
        let mut engine = profiled(config, scheme, source);
        let profile = engine.path_profile().expect("paths were profiled");
        let [program] = profile.programs.as_slice() else { panic!("{what}: one numbering") };
        let Ok(plan) = program.plan() else { continue };
        let tracker = Tracker::new(engine.module(), plan, keeps_context);
        let tracker = watch(engine.module(), args, fuel(FUEL), tracker);
        let results = program.results().expect("it fits");
        assert_eq!(counts(&results.paths), tracker.paths, "{what}, {scheme:?}");
        assert_eq!(counts(&results.prefixes), tracker.prefixes, "{what}, {scheme:?}: prefixes");
        let crosses = |row: &&CrossRow| row.path.active.iter().any(|v| v.function != row.path.active[0].function);
        crossing += results.paths.iter().filter(crosses).count();
        cut_short += results.prefixes.len();
    }
    (crossing, cut_short)
}

#[test]
fn benchmark_programs_have_the_paths_that_a_tracker_finds() {
    for Benchmark { name, source, size, .. } in some_benchmarks(5) {
        check(&source, &[&size], &name);
    }
}

#[test]
fn random_programs_have_the_paths_that_a_tracker_finds() {
    let programs = how_many(66);
    let found = (0..programs).map(|seed| check(&program(seed, Size::Small), &[], &format!("seed {seed}")));
    let (crossing, prefixes) = found.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(programs < 50 || (crossing > 0 && prefixes > 0), "some paths cross calls, and some fail");
}

/// Failures in a callee of a callee, twice in a row; caught there, in the caller, and nowhere; behind loops and recursive calls; by function
/// values; in a loop whose edges add nothing; in a piece that may lead to the same place again by other calls; and an exhausted stack.
const CAUGHT: &str = "
fn half(n: int) -> int {
    if n % 3 == 2 { fail \"odd\" }
    return n / 2
}

fn twice(n: int) -> int {
    var sum = 0
    for i in 0..n % 3 { sum += i }
    return half(n) + half(n + 1) + sum
}

fn caught(n: int) -> int {
    try { return twice(n) } catch message { return len(message) }
}

fn down(n: int) -> int {
    if n == 0 { return twice(7) }
    return down(n - 1) + half(0)
}

fn forever(n: int) -> int { return forever(n + 1) + half(n * 6) }

fn apply(f: fn(int) -> int, n: int) -> int { return f(n) + f(n + 1) }

fn search(n: int) -> int {
    var i = 0
    while true {
        if i * i > n { break }
        if n % 9 == 5 { i += half(i) / 9 }
        i += 24 / (26 - n) * 0 + 1
    }
    return i
}

fn count(n: int) -> int {
    var i = 0
    while true {
        if i >= n { break }
        i += 1
    }
    return 60 / (5 - i)
}

fn count_twice(n: int) -> int { return count(n) + count(n + 1) }

for n in 0..12 {
    try { print(count_twice(n)) } catch message { print(message) }
    try { print(search(n) + search(2 * n) + search(n + 20)) } catch message { print(message) }
    try { print(twice(n), caught(n), twice(n + 1)) } catch message { print(message) }
    try { print(apply(half, n), apply(twice, n)) } catch message { print(message) }
}
try { print(down(9)) } catch message { print(message) }
print(down(3))
print(half(5))
";

#[test]
fn what_failures_cut_short_is_not_lost() {
    for source in [CAUGHT, FAILURES] {
        let (crossing, prefixes) = check(source, &[], "failures");
        assert!(crossing > 0 && prefixes > 0);
        path_tiers::check_by(["ip-context", "ip-piecewise"].map(|name| scheme(name, 1)), source, &[], "failures");
    }
    let endless = CAUGHT.replace("print(down(3))", "print(forever(0))");
    check(&endless, &[], "an exhausted stack");
}

/// Functions by value: with loops, so that pieces return to calls that they did not come from; entered directly, too; one that fails; values in an
/// array; one that calls a value itself; one that leads back to its caller by a direct call, which paths do not cross; and one that calls
/// itself by value, so that they wait there.
const BY_VALUE: &str = "
fn sum(n: int) -> int {
    var s = 0
    for i in 0..n % 5 { if i % 2 == 0 { s += i } else { s -= 1 } }
    return s
}
fn halve(n: int) -> int {
    if n % 7 == 6 { fail \"six\" }
    return n / 2
}
fn both(f: fn(int) -> int, n: int) -> int { return f(n) + f(n + 1) }
fn choose(n: int) -> fn(int) -> int { if n % 3 == 0 { return sum } return halve }
fn loops(f: fn(int) -> int, n: int) -> int {
    var s = 0
    for i in 0..n % 4 { s += f(i) }
    return s
}
fn less(n: int) -> bool { return n < 4 }
fn again(n: int) -> bool { if n < 2 { return true } return ask(again, n - 2) }
fn ask(f: fn(int) -> bool, n: int) -> bool { return f(n) }
fn echo(n: int) -> str {
    let f = echo
    if n < 1 { return \"e\" }
    return f(n - 1) + \"o\"
}

let all = [sum, halve]
for n in 0..30 {
    try { print(both(choose(n), n), loops(choose(n + 1), n), all[n % 2](n), sum(n)) } catch message { print(message) }
    if ask(less, n) { print(ask(again, n), echo(n)) }
}
";

#[test]
fn paths_cross_calls_of_values() {
    check(BY_VALUE, &[], "calls of values");
    for name in ["ip-context", "ip-piecewise", "ip-hybrid"] {
        path_tiers::check_by([scheme(name, 1)], BY_VALUE, &[], "calls of values");
        let mut engine = profiled(captured(TierChoice::Interp, &[]), scheme(name, 1), BY_VALUE);
        let profile = engine.path_profile().expect("paths were profiled");
        let plan = profile.programs[0].plan().expect("it fits");
        let module = engine.module();
        let crossed = |name: &str| {
            let func = engine.function_named(name).expect("it is there");
            let blocks = module.function(func).blocks.keys();
            let calls = blocks.flat_map(|block| (0..3).map(move |number| Call { block: node_of(block), number }));
            calls.filter(|call| plan.crosses_value((procedure_of(func), *call))).count()
        };
        assert_eq!(["both", "loops", "ask", "echo"].map(crossed), [2, 1, 1, 0], "echo calls itself");
        // The numbering is dense: each number is that of another path.
        let all: BTreeSet<String> =
            (0..plan.num_paths()).map(|id| format!("{:?}", plan.results([(id, 1)], []).paths[0].path)).collect();
        assert_eq!(all.len() as u64, plan.num_paths());
    }
}

/// A function with too many paths of its own does not stop the others.
#[test]
fn a_function_with_too_many_paths_is_left_out() {
    let diamonds = "    if n % 2 == 0 { s += 1 } else { s += 2 }\n".repeat(70);
    let source = format!(
        "fn leaf(n: int) -> int {{ if n > 2 {{ return 1 }}\n return n }}\nfn many(n: int) -> int {{\n    var s = 0\n{diamonds}    return s + leaf(n)\n}}\n\
         fn above(n: int) -> int {{ return leaf(n) + many(n) + leaf(n) }}\nfor n in 0..5 {{ print(above(n)) }}\n"
    );
    for name in ["ip-context", "ip-piecewise"] {
        let mut seen = Vec::new();
        for tier in TIERS {
            let mut engine = profiled(captured(tier, &[]), scheme(name, 1), &source);
            let many = engine.function_named("many").expect("it is there");
            let profile = engine.path_profile().expect("paths were profiled");
            let plan = profile.programs[0].plan().expect("the others fit");
            assert_eq!(plan.without_paths().iter().map(|f| func_of(*f)).collect::<Vec<_>>(), [many]);
            let results = profile.programs[0].results().expect("they fit");
            let taken: u64 = results.paths.iter().map(|row| row.count).sum();
            // 5 iterations and their last path, and 5 calls of `leaf` from `many`.
            assert_eq!(taken, 5 + 1 + 5, "{name} in {}", tier.name());
            seen.push(results.paths);
        }
        assert!(seen[0] == seen[1] && seen[0] == seen[2]);
    }
}

/// Cutting calls does not help a program none of whose functions fits, so it is not proposed.
#[test]
fn a_program_without_a_function_that_fits_is_refused() {
    let diamonds = "    if n % 2 == 0 { s += 1 } else { s += 2 }\n".repeat(70);
    let source = format!("fn main() {{\n    let n = 3\n    var s = 0\n{diamonds}    print(s)\n}}\n");
    for tier in TIERS {
        let mut engine = profiled(captured(tier, &[]), scheme("ip-hybrid", 1), &source);
        let profile = engine.path_profile().expect("paths were asked for");
        let refused = profile.programs[0].plan().map(|plan| plan.num_paths());
        assert_eq!(refused, Err(NotProfiled::NoFunctionFits), "{}", tier.name());
    }
}

/// A function that is too large to be optimized carries its steps in baseline code, between others that are optimized.
#[test]
fn paths_cross_functions_of_any_size() {
    let lines = "    s = s * 3 + n\n".repeat(3000);
    let source = format!(
        "fn leaf(n: int) -> int {{ if n > 2 {{ return 1 }}\n return n }}\n\
         fn large(n: int) -> int {{\n    var s = 0\n    for i in 0..n {{ s += leaf(i) }}\n{lines}    return s + leaf(n)\n}}\n\
         fn above(n: int) -> int {{ try {{ return leaf(n) + large(n) / (n - 4) }} catch message {{ return len(message) }} }}\n\
         for n in 0..7 {{ print(above(n)) }}\n"
    );
    for name in ["ip-context", "ip-piecewise"] {
        let seen = TIERS.map(|tier| {
            let mut engine = profiled(captured(tier, &[]), scheme(name, 1), &source);
            let profile = engine.path_profile().expect("paths were profiled");
            let results = profile.programs[0].results().expect("they fit");
            (results.paths, results.prefixes)
        });
        assert!(seen[0].0.len() > 5 && seen[0].1.len() == 1);
        assert!(seen[0] == seen[1] && seen[0] == seen[2], "{name}");
    }
}
