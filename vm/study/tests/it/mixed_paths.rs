//! Mixed modes in every tier: k-iteration paths whose loops differ in k, and hybrid paths over both bases by each strategy.
//!
//! In: the benchmark programs at their small size, and random programs. Out: failed tests that name the program. Counts of hybrid paths are also those
//! of a tracker that knows no numbers.

use super::common::programs::{Benchmark, is_asked_for_more, seeds, some_benchmarks};
use super::common::{captured, engine, load, scheme};
use super::{across, path_tiers};
use holloway::TierChoice;
use holloway_generator::{Size, program};
use holloway_jit::graph_of::graph_of;
use holloway_profiler::graph::Node;
use holloway_profiler::number::interprocedural::Base;
use holloway_profiler::number::k_iteration::loops_to_iterate;
use holloway_profiler::scheme::{CutStrategy, LoopIterations, LoopK, Scheme};

/// The loops of a program, those around others too, with their functions.
fn nested(source: &str) -> Vec<(String, Node)> {
    let mut engine = engine(captured(TierChoice::Interp, &[]));
    load(&mut engine, source);
    let bodies = engine.module().funcs.values().map(|decl| &decl.body);
    bodies
        .flat_map(|body| loops_to_iterate(&graph_of(body)).into_iter().map(|header| (body.name.clone(), header)))
        .collect()
}

/// k-iter, with 1 to 4 iterations for the loops of a program in turn.
fn mixed(source: &str) -> Scheme {
    let loops = nested(source).into_iter().enumerate();
    let loops =
        loops.map(|(n, (function, header))| LoopK { function, header, latch: None, k: 1 + n as u32 % 4 }).collect();
    let mut scheme = scheme("k-iter", 2);
    scheme.settings.loops = LoopIterations::new(loops);
    scheme
}

/// Hybrid paths by each strategy that tells from the text alone.
fn hybrids() -> Vec<Scheme> {
    let with = |base, cut| {
        let mut scheme = scheme("ip-hybrid", 1);
        (scheme.settings.base, scheme.settings.cut) = (base, cut);
        scheme
    };
    let strategies = [CutStrategy::Coldest, CutStrategy::All, CutStrategy::NonLeaves];
    strategies.into_iter().flat_map(|cut| [with(Base::Context, cut), with(Base::Piecewise, cut)]).collect()
}

/// A part of all, or all if a long run is asked for.
fn is_chosen(at: usize) -> bool {
    at.is_multiple_of(6) || is_asked_for_more()
}

#[test]
fn loops_with_different_k_have_one_profile() {
    for (at, Benchmark { name, source, size, .. }) in some_benchmarks(7).into_iter().enumerate() {
        if is_chosen(at) {
            path_tiers::check_by([mixed(&source)], &source, &[&size], &name);
        }
    }
    for seed in seeds(4) {
        let source = program(seed, Size::default());
        path_tiers::check_by([mixed(&source)], &source, &[], &format!("seed {seed}"));
    }
}

/// Failures in loops that are collapsed: caught in them, in a loop around, behind all of them, and not at all; and exits of several loops at once.
const NEST: &str = "
fn risky(n: int) -> int {
    if n % 7 == 3 { fail \"seven\" }
    return n + 1
}
fn nest(n: int) -> int {
    var sum = 0
    outer: for i in 0..n {
        if i % 3 == 0 { sum += 1 } else { sum += 2 }
        middle: for j in 0..i {
            if j % 4 == 2 { continue outer }
            try {
                for k in 0..j {
                    if k == 3 { break middle }
                    try { sum += risky(i + k) } catch e { sum += 5 }
                    if k + j == 6 { sum += risky(10) }
                }
            } catch e { sum += 7 }
            if sum % 11 == 10 { sum += risky(i * j) }
        }
        if i == 40 { return sum }
    }
    return sum
}
for n in [0, 1, 5, 12, 30, 50] {
    try { print(nest(n)) } catch e { print(e) }
}
for i in 0..20 {
    for j in 0..i {
        if j % 2 == 0 { print(risky(j + 1)) }
    }
}
";

#[test]
fn failures_in_nests_have_one_profile() {
    path_tiers::check_by([mixed(NEST)], NEST, &[], "a nest");
    for k in 2..5 {
        let mut scheme = mixed(NEST);
        let loops = nested(NEST).into_iter().map(|(function, header)| LoopK { function, header, latch: None, k });
        scheme.settings.loops = LoopIterations::new(loops.collect());
        path_tiers::check_by([scheme], NEST, &[], &format!("a nest of k = {k}"));
    }
}

#[test]
fn hybrid_paths_have_one_profile() {
    for (at, Benchmark { name, source, size, .. }) in some_benchmarks(4).into_iter().enumerate() {
        let chosen = hybrids().into_iter().enumerate().filter(|(scheme, _)| is_chosen(at + scheme));
        path_tiers::check_by(chosen.map(|(_, scheme)| scheme), &source, &[&size], &name);
    }
    for seed in seeds(2) {
        path_tiers::check_by(hybrids(), &program(seed, Size::Small), &[], &format!("seed {seed}"));
    }
}

#[test]
fn hybrid_paths_are_those_that_a_tracker_finds() {
    for (at, Benchmark { name, source, size, .. }) in some_benchmarks(1).into_iter().enumerate() {
        let chosen = hybrids().into_iter().enumerate().filter(|(scheme, _)| is_chosen(at + scheme));
        across::check_by(chosen.map(|(_, scheme)| scheme), &source, &[&size], &name);
    }
    let checked =
        seeds(6).map(|seed| across::check_by(hybrids(), &program(seed, Size::Small), &[], &format!("seed {seed}")));
    assert!(checked.map(|(crossing, _)| crossing).sum::<usize>() > 0, "some paths cross calls");
}

/// With all calls cut, each function is for itself: its paths are those that it has alone.
#[test]
fn with_all_calls_cut_no_path_crosses_any() {
    let source =
        "fn leaf(n: int) -> int { if n > 2 { return 1 }\n return n }\nfor n in 0..5 { print(leaf(n) + leaf(n + 1)) }\n";
    let all = hybrids().into_iter().filter(|scheme| scheme.settings.cut == CutStrategy::All);
    assert_eq!(across::check_by(all, source, &[], "all cut"), (0, 0));
    let none = hybrids().into_iter().filter(|scheme| scheme.settings.cut == CutStrategy::NonLeaves);
    assert!(across::check_by(none, source, &[], "leaves are entered").0 > 0);
}
