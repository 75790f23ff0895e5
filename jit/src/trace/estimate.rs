//! Expected gain of traces: cycles of one execution in their copy and in the general loop, after all passes but
//! unrolling. Code takes as long as the longer of two: its micro-operations, so many a cycle, and its recurrence, the
//! latency from one round to the next through values that the loop carries, which the general loop has as well. A way
//! through a loop is late by its longest chain, and the general loop by no less; short ways overlap.

use super::counted::Traces;
use super::form::Formed;
use super::nest::Nest;
use super::operations::{operations, visits};
use super::recurrence::{carried, recurrence};
use super::spec::{Layout, Trace, TraceSpec};
use super::way::{Late, Way, way};
use crate::arrays::BodyFacts;
use crate::compile::{BY_CALLS, ssa};
use crate::opt::cfg::Graph;
use crate::opt::op::Probe;
use crate::opt::ssa::{Block, Func, Inst, Op};
use crate::request::{Env, Request};
use crate::settings::estimate::WIDTH;
use cranelift_entity::EntitySet;
use hashbrown::HashMap;
use holloway_lang::ir;
use std::sync::Arc;

/// Passes that code is weighed without: what was rare before may be on the trace, and loops are found as written.
const LEFT_OUT: [&str; 5] = ["unroll", "state-threading", "dispatch-replication", "fall-through", "layout"];

/// Plain optimized code of a function, against which traces are weighed.
pub struct Estimator<'a> {
    env: &'a Env,
    request: Request,
    plain: Func,
}

impl<'a> Estimator<'a> {
    /// Compiles the plain code.
    pub fn new(env: &'a Env, plain: &Request) -> Estimator<'a> {
        let mut request = plain.clone();
        request.passes.disabled.extend(LEFT_OUT.map(str::to_owned));
        Estimator { env, plain: ssa(&env.module, &env.arrays, &request).expect(BY_CALLS), request }
    }

    /// The facts about the arrays of the function.
    pub fn facts(&self) -> Option<BodyFacts<'_>> {
        self.request.facts(&self.env.arrays, self.request.func)
    }

    /// The cost of one execution of a trace, on it and in the general loop; of several the mean of an iteration, by the
    /// iterations that follow each. `None` if the optimizer leaves no loop.
    pub fn estimate(&self, spec: &TraceSpec, formed: &Arc<Formed>) -> Option<(f64, f64)> {
        let traces = Traces::new(Arc::clone(formed));
        let counters: Vec<usize> = formed.heads.iter().map(|head| traces.counted().blocks[&head.block]).collect();
        let request = Request { traces: Some(Arc::new(traces)), ..self.request.clone() };
        let formed = ssa(&self.env.module, &self.env.arrays, &request).expect(BY_CALLS);
        let nest = Nest::of(self.request.whole());
        let shares = shares(spec);
        let round = |counter| match spec.layout {
            Layout::Through => {
                let of_loop = &nest.loops.get(nest.loops.headed_by(spec.header)?).blocks;
                let tests = 2.0 * spec.constants.len() as f64;
                let Way { operations, latest, around } = way(&formed, &shares, counter, of_loop)?;
                let iterations = f64::from(spec.counted_iterations(&spec.traces[0]));
                let general = iterations * carried(&self.plain, spec.header);
                let late = |latest: f64| Late { latest, around: around.unwrap_or(latest) };
                let recurrence = late(latest).after(operations);
                Some((Round { operations: operations + tests, recurrence }, late(latest.max(general))))
            }
            // What a loop carries in line, the general one carries as well.
            Layout::Apart => {
                let round = round(&formed, counter)?;
                Some((round, Late { latest: round.recurrence, around: round.recurrence }))
            }
        };
        let rounds = counters.into_iter().map(round).collect::<Option<Vec<(Round, Late)>>>()?;
        let mut mean = (0.0, 0.0);
        for (trace, (round, of_general)) in spec.traces.iter().zip(rounds.iter().cycle()) {
            let rounds = match spec.traces.len() {
                1 if spec.layout != Layout::Through => 1.0,
                _ => trace.share / f64::from(spec.iterations_of(trace).max(1)),
            };
            let unrolled = f64::from(spec.formed_shape().unroll);
            let Round { operations, recurrence } = round.part(unrolled);
            let passed: Vec<ir::Block> = spec.inside(trace).collect();
            let in_general = general(&self.plain, &passed);
            let of_general = (in_general / WIDTH).max(of_general.after(in_general) / unrolled);
            mean.0 += rounds * (operations / WIDTH).max(recurrence);
            mean.1 += rounds * of_general;
        }
        (mean.1 > 0.0).then_some(mean)
    }
}

/// The part of executions of paths through a loop that pass a copy of each block, on average over its copies.
fn shares(spec: &TraceSpec) -> HashMap<ir::Block, f64> {
    let mut shares: HashMap<ir::Block, f64> = HashMap::new();
    if spec.layout == Layout::Apart {
        return shares;
    }
    let rounds = |trace: &Trace| trace.share / f64::from(spec.iterations_of(trace).max(1));
    let all: f64 = spec.traces.iter().map(rounds).sum();
    for trace in &spec.traces {
        spec.inside(trace).for_each(|block| *shares.entry(block).or_default() += rounds(trace) / all);
    }
    let mut copies: HashMap<ir::Block, f64> = HashMap::new();
    spec.copied().into_iter().for_each(|block| *copies.entry(block).or_default() += 1.0);
    shares.iter_mut().for_each(|(block, share)| *share /= copies[block]);
    shares
}

/// Micro-operations of a trace in the general loop, or in that of its versions with the fewest.
fn general(func: &Func, passed: &[ir::Block]) -> f64 {
    let graph = Graph::of(func);
    let within = |blocks: &[Block]| -> f64 {
        let from = by_origin(func, &graph, blocks);
        passed.iter().map(|origin| from.get(origin).copied().unwrap_or(0.0)).sum()
    };
    let inside: Vec<Block> = graph.rpo.iter().copied().filter(|block| graph.loop_depth(*block) > 0).collect();
    let has =
        |blocks: &[Block], origin: ir::Block| blocks.iter().any(|block| func.blocks[*block].origin.block == origin);
    // Blocks in which nothing is left are nowhere.
    let is_all = |blocks: &[Block]| passed.iter().all(|origin| has(blocks, *origin) || !has(&inside, *origin));
    let is_own = |blocks: &[Block]| blocks.iter().any(|block| !func.blocks[*block].origin.inlined);
    let entered = graph.loops.values().filter(|l| !func.blocks[l.header].cold);
    let loops = entered.map(|l| l.blocks.as_slice()).filter(|blocks| is_own(blocks) && is_all(blocks));
    loops.map(within).reduce(f64::min).unwrap_or_else(|| within(&inside))
}

/// Micro-operations of the blocks that came from each, with what is inlined in it; of several copies, those of the one that has most. The parts of a
/// copy that calls in it leave follow each other, and what is inlined between them.
fn by_origin(func: &Func, graph: &Graph, blocks: &[Block]) -> HashMap<ir::Block, f64> {
    let mut among: EntitySet<Block> = EntitySet::new();
    blocks.iter().filter(|block| !func.blocks[**block].cold).for_each(|block| _ = among.insert(*block));
    let mut firsts: HashMap<Block, Block> = HashMap::new();
    let mut copies: HashMap<Block, f64> = HashMap::new();
    for block in graph.rpo.iter().copied().filter(|block| among.contains(*block)) {
        let origin = func.blocks[block].origin;
        let is_part = |before: &Block| {
            let is_beside = origin.inlined || graph.loop_depth(*before) == graph.loop_depth(block);
            is_beside && func.blocks[*before].origin.block == origin.block
        };
        let first = graph.idom(block).filter(is_part).and_then(|before| firsts.get(&before).copied()).unwrap_or(block);
        firsts.insert(block, first);
        *copies.entry(first).or_default() += visits(func, graph, block) * operations(func, block);
    }
    let mut most: HashMap<ir::Block, f64> = HashMap::new();
    for (first, operations) in copies {
        let most = most.entry(func.blocks[first].origin.block).or_default();
        *most = most.max(operations);
    }
    most
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Round {
    operations: f64,
    recurrence: f64,
}

impl Round {
    fn part(self, of: f64) -> Round {
        Round { operations: self.operations / of, recurrence: self.recurrence / of }
    }
}

/// The loop that counts its rounds, all blocks that are not cold, by the rounds it counts.
fn round(func: &Func, counter: usize) -> Option<Round> {
    let graph = Graph::of(func);
    let counts = |block: &&Block| {
        let is_count = |inst: &&Inst| func.insts[**inst].op == Op::Probe(Probe::Count(counter));
        func.blocks[**block].insts.iter().filter(is_count).count()
    };
    // Where the loop has versions, the one that is hardly entered is cold.
    let counted = graph.rpo.iter().filter(|block| counts(block) > 0 && !func.blocks[**block].cold);
    let counted = counted.max_by_key(|block| graph.loop_depth(**block))?;
    let innermost = graph.innermost(*counted)?;
    let l = &graph.loops[innermost];
    let rounds: usize = l.blocks.iter().map(|block| counts(&block)).sum();
    let blocks = l.blocks.iter().filter(|block| !func.blocks[**block].cold);
    let operations = blocks.map(|block| visits(func, &graph, *block) * operations(func, *block)).sum();
    let goes_round =
        l.blocks.iter().any(|block| !func.blocks[*block].cold && func.successors(*block).contains(&l.header));
    if !goes_round {
        return None;
    }
    let recurrence = recurrence(func, &graph, innermost);
    Some(Round { operations, recurrence }.part(rounds.max(1) as f64))
}

#[cfg(test)]
mod tests {
    use super::super::spec::TraceShape;
    use super::*;
    use crate::opt::parse;

    /// A loop with two versions, as loop versioning leaves them: in the cold one each index is checked.
    const VERSIONS: &str = "ssa {
b0(%0: ref, %1: int) from block0:
    %2: int = load len %0
    %3: bool = below %1, %2
    branch %3, b2(0), b3(0)
b2(%5: int) from block1:
    %6: int = load elem int %0, %5
    probe count 7 0
    store elem int %0, %5, %6
    %8: int = iadd %5, 1
    %9: bool = ilt %8, %1
    branch %9, b2(%8), b4()
b3(%15: int) from block1 cold:
    check_index %15, %2
    %16: int = load elem int %0, %15
    probe count 7 0
    store elem int %0, %15, %16
    %18: int = iadd %15, 1
    %19: bool = ilt %18, %1
    branch %19, b3(%18), b4()
b4() from block2:
    return
}";

    #[test]
    fn blocks_of_several_paths_through_a_loop_count_by_the_paths_that_pass_them() {
        let blocks = |path: &[u32]| path.iter().copied().map(ir::Block::from_u32).collect();
        let trace = |share: f64, path: &[u32]| Trace { share, ..Trace::new(vec![blocks(path), blocks(&[1, 9])]) };
        let spec = |layout: Layout| TraceSpec {
            header: ir::Block::from_u32(1),
            traces: vec![trace(0.6, &[1, 2, 4]), trace(0.2, &[1, 3, 4])],
            constants: Vec::new(),
            layout,
            coverage: 0.8,
            executions: 1,
            shape: TraceShape::default(),
        };
        let shares = |layout: Layout| {
            let shares = shares(&spec(layout));
            [2, 3, 4].map(|block| shares.get(&ir::Block::from_u32(block)).map(|share| (share * 100.0).round()))
        };
        assert_eq!(shares(Layout::Apart), [None; 3]);
        assert_eq!(shares(Layout::Through), [75.0, 25.0, 50.0].map(Some), "two copies of the last block");
    }

    /// A loop that calls what has two ways, inlined: one is taken by three of four calls, the other one has a loop.
    const INLINED: &str = "ssa {
b0(%0: int) from block0:
    jump b1(0)
b1(%1: int) from block1 weight 8.0f:
    probe count 7 0
    %2: int = iadd %1, 1
    %3: bool = ilt %2, 5
    branch %3, b2(), b3()
b2() from block1 inlined weight 6.0f:
    %4: int = iadd %2, 1
    %5: int = iadd %4, 1
    jump b4(%5)
b3() from block1 inlined weight 2.0f:
    %6: int = imul %2, 3
    jump b6(%6)
b6(%9: int) from block1 inlined weight 20.0f:
    %10: int = iadd %9, 1
    %11: bool = ilt %10, 100
    branch %11, b6(%10), b4(%10)
b4(%7: int) from block1 weight 8.0f:
    %8: bool = ilt %7, %0
    branch %8, b1(%7), b5()
b5() from block2:
    return
}";

    #[test]
    fn what_is_inlined_counts_for_the_block_that_calls_it() {
        let func = parse::function(INLINED).unwrap_or_else(|error| panic!("{error}"));
        let trace = Trace::new(vec![vec![ir::Block::from_u32(1)]]);
        let expected = 3.0 + 0.75 * 2.0 + 0.25 + 2.5 * 3.0 + 2.0;
        assert_eq!(general(&func, &trace.blocks().collect::<Vec<_>>()), expected);
        assert_eq!(round(&func, 7).map(|round| round.operations), Some(expected));
        let way = way(&func, &HashMap::new(), 7, &[ir::Block::from_u32(1)]).expect("it is counted");
        assert_eq!(way.operations, expected);
    }

    #[test]
    fn a_loop_with_versions_is_weighed_by_the_one_that_runs() {
        let func = parse::function(VERSIONS).unwrap_or_else(|error| panic!("{error}"));
        let trace = Trace::new(vec![vec![ir::Block::from_u32(1)]]);
        assert_eq!(general(&func, &trace.blocks().collect::<Vec<_>>()), 5.0);
        assert_eq!(round(&func, 7).map(|round| round.operations), Some(5.0));
    }
}
