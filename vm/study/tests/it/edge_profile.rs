//! Edge profiles are exact: the counts of the interpreter and of baseline code, from few counters, equal those of a
//! naive observer of every block of the same run, and both tiers' profiles are the same JSON text.
//!
//! In: the benchmark programs at their small size and random programs. `HOLLOWAY_PROGRAMS` sets the number of random
//! ones.

use super::common::interpret::watch;
use super::common::programs::{Benchmark, FAILURES, how_many, some_benchmarks};
use super::common::{captured, engine, load};
use cranelift_entity::EntityRef;
use holloway::FunctionEdges;
use holloway::{Engine, TierChoice};
use holloway_generator::{Size, program};
use holloway_interp::{EdgeCounter, Observer, TraceEvent, TraceRecorder};
use holloway_lang::ir::{Block, FuncRef, Terminator};
use holloway_runtime::Limits;
use holloway_study::report::edges;
use std::collections::{BTreeMap, BTreeSet};

/// Naive counts, from every block that starts and its predecessor in the same activation.
#[derive(Default, Debug, PartialEq)]
struct Naive {
    active: Vec<(FuncRef, Option<Block>)>,
    calls: BTreeMap<FuncRef, u64>,
    blocks: BTreeMap<(FuncRef, Block), u64>,
    edges: BTreeMap<(FuncRef, Block, Block), u64>,
    aborts: BTreeMap<(FuncRef, Block), u64>,
}

impl Naive {
    fn step(&mut self, event: TraceEvent) {
        match event {
            TraceEvent::Enter(func) => {
                self.active.push((func, None));
                *self.calls.entry(func).or_default() += 1;
            }
            TraceEvent::Block(block) => {
                let (func, before) = self.active.last_mut().expect("a function is active");
                *self.blocks.entry((*func, block)).or_default() += 1;
                if let Some(from) = before.replace(block) {
                    *self.edges.entry((*func, from, block)).or_default() += 1;
                }
            }
            TraceEvent::Leave => {
                self.active.pop().expect("a function is active");
            }
            TraceEvent::Abort => {
                let (func, at) = self.active.pop().expect("a function is active");
                *self.aborts.entry((func, at.expect("its entry block had started"))).or_default() += 1;
            }
        }
    }
}

/// The trace is read while it grows: those of the benchmark programs have millions of blocks.
impl Observer for Naive {
    fn enter(&mut self, func: FuncRef) {
        self.step(TraceEvent::Enter(func));
    }

    fn block(&mut self, _: FuncRef, block: Block) {
        self.step(TraceEvent::Block(block));
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.step(TraceEvent::Abort);
    }

    fn leave(&mut self, _: FuncRef) {
        self.step(TraceEvent::Leave);
    }
}

/// An engine with a program that has run, its edges counted, and the end of the run.
fn profiled(tier: TierChoice, source: &str, args: &[&str]) -> (Engine, String) {
    let mut engine = engine(captured(tier, args));
    engine.executor_mut().profile(super::common::scheme("edge", 1));
    load(&mut engine, source);
    let ended = format!("{:?}", engine.run());
    (engine, ended)
}

fn assert_counts(engine: &Engine, naive: &Naive, what: &str) {
    let module = engine.module();
    let profile = engine.edge_profile();
    assert_eq!(profile.len(), module.funcs.len(), "{what}: a profile for each function");
    for FunctionEdges { func, calls, blocks, edges, counters } in profile {
        let name = &module.function(func).name;
        assert_eq!(calls, naive.calls.get(&func).copied().unwrap_or(0), "{what}: calls of {name}");
        for (at, count) in blocks.iter().enumerate() {
            let block = Block::new(at);
            let seen = naive.blocks.get(&(func, block)).copied().unwrap_or(0);
            assert_eq!(*count, seen, "{what}: {block} of {name}");
        }
        let listed: BTreeSet<(Block, Block)> = edges.iter().map(|(from, to, _)| (*from, *to)).collect();
        assert_eq!(listed.len(), edges.len(), "{what}: an edge of {name} is listed twice");
        for (from, to, count) in &edges {
            let seen = naive.edges.get(&(func, *from, *to)).copied().unwrap_or(0);
            assert_eq!(*count, seen, "{what}: {from} -> {to} of {name}");
        }
        let body = module.function(func);
        let returns = body.blocks.values().filter(|data| matches!(data.term, Terminator::Return(_))).count();
        assert!(counters <= edges.len() + returns + 1, "{what}: {name} has a counter on each edge at most");
    }
    for (func, from, to) in naive.edges.keys() {
        let listed = engine.edge_profile()[func.index()].edges.iter().any(|(a, b, _)| (a, b) == (from, to));
        assert!(listed, "{what}: {from} -> {to} was taken and is not in the profile");
    }
}

/// Compares the counts. Returns the interpreter's engine, for totals.
fn check(source: &str, args: &[&str], what: &str) -> Engine {
    let (interpreted, expected) = profiled(TierChoice::Interp, source, args);
    let (compiled, found) = profiled(TierChoice::Baseline, source, args);
    assert_eq!(found, expected, "{what}");
    let (naive, counter) =
        watch(interpreted.module(), args, Limits::default(), (Naive::default(), EdgeCounter::default()));
    assert_eq!(naive.active, [], "{what}: every activation ends");
    assert_eq!((&naive.calls, &naive.edges, &naive.aborts), (&counter.entries, &counter.edges, &counter.aborts));
    assert_counts(&interpreted, &naive, &format!("{what}, interp"));
    assert_counts(&compiled, &naive, &format!("{what}, baseline"));
    assert_eq!(interpreted.edge_profile(), compiled.edge_profile(), "{what}");
    assert_eq!(edges::json(&interpreted, "p", None), edges::json(&compiled, "p", None), "{what}");
    interpreted
}

#[test]
fn benchmark_programs_are_counted_exactly() {
    let (mut counters, mut edges) = (0, 0);
    for Benchmark { name, source, size, .. } in some_benchmarks(1) {
        let engine = check(&source, &[&size], &name);
        for function in engine.edge_profile() {
            counters += function.counters;
            edges += function.edges.len();
        }
    }
    // One side of a binary decision is counted, and nothing in a straight line.
    assert!(counters * 3 < edges * 2, "{counters} counters for {edges} edges");
}

#[test]
fn random_programs_are_counted_exactly() {
    let programs = how_many(16);
    let mut ends = BTreeSet::new();
    for seed in 0..programs {
        let source = program(seed, Size::Small);
        let engine = check(&source, &[], &format!("seed {seed}"));
        let trace = watch(engine.module(), &[], Limits::default(), TraceRecorder::default());
        let mut naive = Naive::default();
        trace.events.iter().for_each(|event| naive.step(*event));
        assert_counts(&engine, &naive, &format!("seed {seed}, recorded"));
        ends.insert(!naive.aborts.is_empty());
    }
    if programs >= 16 {
        assert_eq!(ends.len(), 2, "some programs are left by failures and some are not");
    }
}

#[test]
fn caught_failures_and_early_ends_are_counted_where_they_happen() {
    let endless = "fn endless(n: int) -> int { return endless(n + 1) + 1 }
        try { print(endless(0)) } catch e { print(e) }";
    let engine = check(&format!("{FAILURES}{endless}"), &[], "failures");
    let risky = engine.function_named("risky").expect("it is there");
    assert!(engine.edge_profile()[risky.index()].calls > 50);
}

#[test]
fn an_edge_through_an_empty_block_is_shown_once_by_where_it_leads() {
    let source = "fn gcd(a: int, b: int) -> int {
        if b == 0 { return a }
        return gcd(b, a % b)
    }
    print(gcd(48, 36))";
    let (engine, _) = profiled(TierChoice::Baseline, source, &[]);
    assert_eq!(rows(&engine, "gcd"), ["2  66.7%  2:12 false -> 3", "1  33.3%  2:12 true -> 2:21"]);
}

/// The rows of a function as text, with single blanks between words.
fn rows(engine: &Engine, function: &str) -> Vec<String> {
    let text = edges::text(engine, None);
    let rows = text.lines().filter_map(|line| line.strip_suffix(function).map(str::trim));
    rows.map(|row| row.split("  ").filter(|part| !part.is_empty()).map(str::trim).collect::<Vec<_>>().join("  "))
        .collect()
}

/// An endless loop with a `break` has blocks that are empty.
#[test]
fn shares_of_edges_sum_to_all() {
    let source = "fn spin(n: int) -> int {
        var q = 0
        while true {
            q += 1
            if q >= n { break }
        }
        return q
    }
    spin(1000)";
    let (engine, _) = profiled(TierChoice::Baseline, source, &[]);
    assert_eq!(rows(&engine, "spin"), ["999  99.8%  4-5 false -> 4-5", "1  0.1%  2 -> 4-5", "1  0.1%  4-5 true -> 7",]);
    assert!(edges::text(&engine, None).contains("\n1,001 edges taken; "));
}

#[test]
fn rows_of_edges_tell_them_apart() {
    let source = "fn f(n: int) -> int {
    var s = 0
    for i in 0..n {
        if i % 2 == 0 { s += i }
        s += 1
    }
    try { if s > 2 { s = s / (s - s) } else { s = 3 } } catch e { s += match n % 4 { 0 => 1, 1 => 2, 2 | 3 => 5, _ => 7 } }
    return s
}
print(f(100))";
    for tier in [TierChoice::Interp, TierChoice::Baseline] {
        let (engine, _) = profiled(tier, source, &[]);
        let found = rows(&engine, "f");
        let places: BTreeSet<&str> = found.iter().filter_map(|row| row.split("%  ").nth(1)).collect();
        assert_eq!(places.len(), found.len(), "{found:?}");
        for row in ["50  10.9%  4:12 true -> 4:25", "50  10.9%  4:12 false -> 5", "50  10.9%  4:25 -> 5"] {
            assert!(found.iter().any(|found| found == row), "{row} in {found:?}");
        }
        assert!(found.iter().any(|row| row.contains(" fails -> ")), "{found:?}");
        assert!(found.iter().any(|row| row.contains(" case 0 -> ")), "{found:?}");
    }
}
