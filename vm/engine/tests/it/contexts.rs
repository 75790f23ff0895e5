//! Context paths of single functions are exact: counts are those of a tracker that keeps each path as the list of its blocks, and knows no
//! numbers. In: the benchmark programs at their small size, and random programs. Out: failed tests that name the program.

use super::common::interpret::watch;
use super::common::programs::{Benchmark, FAILURES, how_many, some_benchmarks};
use super::common::{captured, engine, fuel, load, scheme};
use holloway::{Config, TierChoice};
use holloway_generator::{Size, program};
use holloway_interp::Observer;
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{self, Block, Cfg, FuncRef, Loops, Module};
use holloway_profiler::graph::Node;
use holloway_profiler::scheme::PathRow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Context and active suffix.
type Counts = BTreeMap<(FuncRef, Vec<Node>, Vec<Node>), u64>;

/// The blocks of a path, and where the active suffix begins.
#[derive(Clone, Default)]
struct Blocks {
    all: Vec<Node>,
    active: usize,
}

struct Tracker {
    loops: BTreeMap<FuncRef, Loops>,
    frames: Vec<(Blocks, BTreeMap<Block, Blocks>)>,
    paths: Counts,
    prefixes: Counts,
}

fn count(counts: &mut Counts, func: FuncRef, path: &Blocks) {
    let (context, active) = path.all.split_at(path.active);
    *counts.entry((func, context.to_vec(), active.to_vec())).or_default() += 1;
}

impl Observer for Tracker {
    fn enter(&mut self, _: FuncRef) {
        self.frames.push(Default::default());
    }

    fn edge(&mut self, func: FuncRef, from: Block, to: Block, kind: ir::EdgeKind) {
        let (path, saved) = self.frames.last_mut().expect("a function is active");
        if kind == ir::EdgeKind::Failure {
            count(&mut self.prefixes, func, path);
            *path = Blocks::default();
        } else if self.loops[&func].is_back_edge(from, to) {
            count(&mut self.paths, func, path);
            path.clone_from(&saved[&to]);
            path.active = path.all.len();
        }
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        let (path, saved) = self.frames.last_mut().expect("a function is active");
        let is_again = path.active == path.all.len() && path.active > 0;
        path.all.push(node_of(block));
        if !is_again && self.loops[&func].headed_by(block).is_some() {
            saved.insert(block, path.clone());
        }
    }

    fn abort(&mut self, func: FuncRef, _: Block) {
        let (path, _) = self.frames.pop().expect("a function is active");
        count(&mut self.prefixes, func, &path);
    }

    fn leave(&mut self, func: FuncRef) {
        let (path, _) = self.frames.pop().expect("a function is active");
        count(&mut self.paths, func, &path);
    }
}

/// Enough for most of a program; a run that exhausts it is aborted, which leaves prefixes.
const FUEL: u64 = 200_000;

/// Returns the number of paths with a context, and of prefixes.
fn check(source: &str, args: &[&str], what: &str) -> (usize, usize) {
    let mut engine = engine(Config { limits: fuel(FUEL), ..captured(TierChoice::Interp, args) });
    engine.executor_mut().profile(scheme("context", 1));
    load(&mut engine, source);
    let _ = engine.run();
    let tracker = watch(engine.module(), args, fuel(FUEL), tracker(engine.module()));
    let profile = engine.path_profile().expect("paths were profiled");
    let (mut paths, mut prefixes) = (Counts::new(), Counts::new());
    for function in &profile.functions {
        let results = function.results();
        let add = |counts: &mut Counts, row: &PathRow| {
            let context = row.context.clone().expect("the scheme keeps contexts");
            let before = counts.insert((function.func, context, row.path.blocks.clone()), row.count);
            assert_eq!(before, None, "{what}: no two numbers are of one path");
        };
        results.paths.iter().for_each(|row| add(&mut paths, row));
        results.prefixes.iter().for_each(|row| add(&mut prefixes, row));
    }
    assert_eq!(paths, tracker.paths, "{what}");
    assert_eq!(prefixes, tracker.prefixes, "{what}: prefixes");
    (paths.keys().filter(|(_, context, _)| !context.is_empty()).count(), prefixes.len())
}

fn tracker(module: &Arc<Module>) -> Tracker {
    let loops = module.funcs.iter().map(|(func, decl)| (func, Loops::of(&Cfg::compute(&decl.body)))).collect();
    Tracker { loops, frames: Vec::new(), paths: Counts::new(), prefixes: Counts::new() }
}

#[test]
fn programs_have_the_context_paths_that_a_tracker_finds() {
    for Benchmark { name, source, size, .. } in some_benchmarks(4) {
        check(&source, &[&size], &name);
    }
    let programs = how_many(27);
    let random = (0..programs).map(|seed| check(&program(seed, Size::Small), &[], &format!("seed {seed}")));
    let (contexts, prefixes) =
        random.chain([check(FAILURES, &[], "failures")]).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    assert!(contexts > 0 && prefixes > 0, "some paths are in loops, and some fail");
}
