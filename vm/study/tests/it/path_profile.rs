//! Path profiles are exact: the reports of plans equal the results of a naive observer of the whole trace of the same
//! run.
//!
//! In: the benchmark programs at their small size and random programs. `HOLLOWAY_PROGRAMS` sets the number of random
//! ones. The naive side cuts each activation's blocks at the edges that a plan cuts, and counts pieces and their
//! n-grams.

use super::common::interpret::watch;
use super::common::programs::{Benchmark, FAILURES, how_many, some_benchmarks};
use super::common::{captured, engine, fuel, load, plan_of, scheme};
use holloway::FunctionPaths;
use holloway::{Config, Engine, TierChoice};
use holloway_generator::{Size, program};
use holloway_interp::Observer;
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{self, Block, FuncRef, Module};
use holloway_profiler::graph::{EdgeId, Node};
use holloway_profiler::persistence::Persistence;
use holloway_profiler::scheme::{FunctionPlan, PathRow, Scheme, View};
use holloway_study::report::{Shown, paths};
use serde_json::Value;
use std::collections::BTreeMap;

const K: u64 = 3;
const WINDOW: u64 = 4;

fn schemes() -> [Scheme; 4] {
    [scheme("bl", 1), scheme("k-bl", K), scheme("tfp", WINDOW), scheme("bala", 1)]
}

pub(super) type Counts<T> = BTreeMap<T, u64>;

/// The whole trace, divided by function as it happens.
pub(super) struct Naive {
    plans: BTreeMap<FuncRef, FunctionPlan>,
    active: Vec<Activation>,
    pub(super) paths: Counts<(FuncRef, Vec<Node>)>,
    pub(super) prefixes: Counts<(FuncRef, Vec<Node>)>,
    sequences: Counts<(FuncRef, Vec<Vec<Node>>)>,
    edges: Counts<(FuncRef, u32, u32)>,
    executions: Counts<FuncRef>,
}

#[derive(Default)]
struct Activation {
    piece: Vec<Node>,
    /// The last pieces, as many as a sequence may join.
    pieces: Vec<Vec<Node>>,
}

impl Naive {
    pub(super) fn new(module: &Module) -> Naive {
        let plan = |func| (func, plan_of(scheme("bl", 1), module.function(func)).expect("all have acyclic paths"));
        Naive {
            plans: module.funcs.keys().map(plan).collect(),
            active: Vec::new(),
            paths: Counts::new(),
            prefixes: Counts::new(),
            sequences: Counts::new(),
            edges: Counts::new(),
            executions: Counts::new(),
        }
    }

    fn complete(&mut self, func: FuncRef) {
        let at = self.active.last_mut().expect("a function is active");
        let piece = std::mem::take(&mut at.piece);
        *self.paths.entry((func, piece.clone())).or_default() += 1;
        at.pieces.push(piece);
        if at.pieces.len() > K as usize {
            at.pieces.remove(0);
        }
        for from in 0..at.pieces.len() {
            *self.sequences.entry((func, at.pieces[from..].to_vec())).or_default() += 1;
        }
    }

    fn cut_short(&mut self, func: FuncRef) {
        let at = self.active.last_mut().expect("a function is active");
        *self.prefixes.entry((func, std::mem::take(&mut at.piece))).or_default() += 1;
        at.pieces.clear();
    }

    fn edge_id(&self, func: FuncRef, from: Block, to: Block) -> EdgeId {
        self.plans[&func].graph.find_edge(node_of(from), node_of(to)).expect("an edge of the graph")
    }
}

impl Observer for Naive {
    fn enter(&mut self, _: FuncRef) {
        self.active.push(Activation::default());
    }

    fn edge(&mut self, func: FuncRef, from: Block, to: Block, kind: ir::EdgeKind) {
        *self.edges.entry((func, from.as_u32(), to.as_u32())).or_default() += 1;
        match kind {
            ir::EdgeKind::Failure => self.cut_short(func),
            ir::EdgeKind::Normal
                if self.plans[&func].decoder.is_cut(&self.plans[&func].graph, self.edge_id(func, from, to)) =>
            {
                self.complete(func)
            }
            ir::EdgeKind::Normal => {}
        }
    }

    fn block(&mut self, _: FuncRef, block: Block) {
        self.active.last_mut().expect("a function is active").piece.push(node_of(block));
    }

    fn abort(&mut self, func: FuncRef, _: Block) {
        self.cut_short(func);
        self.active.pop();
    }

    fn leave(&mut self, func: FuncRef) {
        self.complete(func);
        *self.executions.entry(func).or_default() += 1;
        self.active.pop();
    }
}

/// Enough for most of a program; a run that exhausts it is aborted, which leaves prefixes.
const FUEL: u64 = 300_000;

fn profiled(scheme: Scheme, source: &str, args: &[&str]) -> Engine {
    let mut engine = engine(Config { limits: fuel(FUEL), ..captured(TierChoice::Interp, args) });
    engine.executor_mut().profile(scheme);
    load(&mut engine, source);
    let _ = engine.run();
    engine
}

/// The part of `counts` that belongs to a function.
pub(super) fn of<T: Ord + Clone>(counts: &Counts<(FuncRef, T)>, func: FuncRef) -> Counts<T> {
    counts.iter().filter(|((f, _), _)| *f == func).map(|((_, item), &count)| (item.clone(), count)).collect()
}

/// Paths by their blocks.
pub(super) fn by_blocks(rows: &[PathRow]) -> Counts<Vec<Node>> {
    rows.iter().map(|row| (row.path.blocks.clone(), row.count)).collect()
}

fn compare(function: &FunctionPaths, naive: &Naive, what: &str) {
    let func = function.func;
    let plan = function.plan.as_ref().expect("programs have reducible graphs");
    let (paths, prefixes) = (of(&naive.paths, func), of(&naive.prefixes, func));
    let results = function.results();
    if let Some(persistence) = &results.regions {
        return compare_regions(persistence, plan, naive, (func, what));
    }
    match &results.sequences {
        None => {
            if results.table.is_none() && !plan.decoder.truncated().is_empty() {
                return; // Branch histories have other cuts than those of the naive side.
            }
            if function.collected.is_empty() && plan.num_paths().is_none() && paths.is_empty() {
                return; // Regions of a function that did not run.
            }
            assert_eq!(by_blocks(&results.paths), paths, "{what}");
        }
        Some(sequences) => {
            let spell = |id: &u64| plan.decoder.path(&plan.graph, *id).expect("a plan reports its own ids").blocks;
            let found = sequences.k_ipf.sequences().into_iter();
            let found = found.map(|(ids, n)| (ids.iter().map(spell).collect::<Vec<_>>(), n));
            assert_eq!(found.collect::<Counts<_>>(), of(&naive.sequences, func), "{what}: sequences");
        }
    }
    assert_eq!(by_blocks(&results.prefixes), prefixes, "{what}: prefixes");
}

fn compare_regions(persistence: &Persistence, plan: &FunctionPlan, naive: &Naive, (func, what): (FuncRef, &str)) {
    let body = persistence.executions(persistence.regions().body());
    assert_eq!(body, naive.executions.get(&func).copied().unwrap_or(0), "{what}: executions");
    let nest = persistence.regions().nest();
    for (id, around) in nest.iter() {
        let register = persistence.regions().loop_at(around.header).expect("each loop has a region");
        let back = plan.graph.predecessors(around.header).iter().map(|&edge| plan.graph.edge(edge));
        let back = back.filter(|edge| nest.contains(id, edge.from));
        let taken = back.map(|e| naive.edges.get(&(func, e.from.as_u32(), e.to.as_u32())).copied().unwrap_or(0));
        assert_eq!(persistence.executions(register), taken.sum::<u64>(), "{what}: loop executions");
    }
}

/// Compares the edges of the JSON with the naive counts. Returns the number of edges without a count.
fn compare_edges(engine: &mut Engine, naive: &Naive, what: &str) -> usize {
    let profile = engine.path_profile().expect("paths were profiled");
    let json: Value = serde_json::from_str(&paths::json(engine, &profile, "p", Shown::hottest(None))).expect("JSON");
    let mut unknown = 0;
    for (function, object) in profile.functions.iter().zip(json["functions"].as_array().expect("functions")) {
        for edge in object["edges"].as_array().expect("edges") {
            let end = |at: usize| edge[at].as_u64().expect("a block") as u32;
            match edge[2].as_u64() {
                Some(count) => {
                    let seen = naive.edges.get(&(function.func, end(0), end(1))).copied().unwrap_or(0);
                    assert_eq!(count, seen, "{what}: {edge} of {}", object["name"]);
                }
                None => unknown += 1,
            }
        }
    }
    unknown
}

fn check(source: &str, args: &[&str], what: &str) -> Naive {
    let mut naive = None;
    for scheme in schemes() {
        let mut engine = profiled(scheme, source, args);
        let naive = naive.get_or_insert_with(|| watch(engine.module(), args, fuel(FUEL), Naive::new(engine.module())));
        let profile = engine.path_profile().expect("paths were profiled");
        for function in &profile.functions {
            let name = &engine.module().function(function.func).name;
            compare(function, naive, &format!("{what}, {}: {name}", scheme.name()));
        }
        if scheme.row().view != View::Regions {
            let unknown = compare_edges(&mut engine, naive, &format!("{what}, {}", scheme.name()));
            assert!(unknown <= 4, "{what}: {unknown} edges without a count");
        }
        let screen = paths::text(&engine, &profile, Shown::hottest(None), 80);
        assert!(screen.lines().count() > 1, "{what}: something is shown");
    }
    naive.expect("there are schemes")
}

#[test]
fn benchmark_programs_are_counted_exactly() {
    for Benchmark { name, source, size, .. } in some_benchmarks(2) {
        check(&source, &[&size], &name);
    }
}

#[test]
fn random_programs_are_counted_exactly() {
    let programs = how_many(34);
    let mut prefixes = 0;
    for seed in 0..programs {
        prefixes += check(&program(seed, Size::Small), &[], &format!("seed {seed}")).prefixes.len();
    }
    assert!(prefixes > 0 || programs < 34, "some programs fail");
}

#[test]
fn prefixes_are_counted_where_they_end() {
    let naive = check(FAILURES, &[], "failures");
    assert!(naive.prefixes.values().sum::<u64>() > 60);
    assert_eq!(naive.active.len(), 0);
}

/// A function whose path ids exceed the limit has its paths cut further, and the output says so.
#[test]
fn too_many_paths_are_cut_and_said() {
    let diamonds = "    if n % 2 == 0 { s += 1 } else { s += 2 }\n".repeat(70);
    let source = format!("fn many(n: int) -> int {{\n    var s = 0\n{diamonds}    return s\n}}\nprint(many(3))\n");
    check(&source, &[], "many paths");
    let mut engine = profiled(scheme("bl", 1), &source, &[]);
    let profile = engine.path_profile().expect("paths were profiled");
    let many = engine.function_named("many").expect("it is there");
    let found = profile.functions.iter().find(|function| function.func == many).expect("it ran");
    assert!(!found.plan.as_ref().expect("it is planned").decoder.truncated().is_empty());
    let text = paths::text(&engine, &profile, Shown::hottest(None), 80);
    assert!(text.contains("many has more paths than ids"), "{text}");
    assert!(paths::json(&engine, &profile, "p", Shown::hottest(None)).contains("\"truncated\":[["));
}
