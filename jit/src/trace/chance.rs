//! Random traces and assumptions, to test that a specialized loop computes what its loop computes: at most `MOST` of
//! them and one, all of which [`super::form_all`] accepts. Invariant: the same seed and body give the same specs.

use super::nest::Nest;
use super::spec::{Layout, Trace, TraceShape, TraceSpec};
use holloway_lang::ir::{Block, EdgeKind, Function, Liveness, Local, LoopId, Scalar};

/// Specs for one body.
const MOST: usize = 6;
/// Blocks of a trace; from longer ones nothing new is learned.
const MOST_BLOCKS: usize = 200;

/// Pseudo-random numbers (splitmix64), a function of the seed.
#[derive(Clone, Debug, Default)]
pub struct Random(pub u64);

impl Random {
    /// Any number.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// An element, if there is one.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.below(of.len())])
    }
}

/// Specs for a body; the first is of the loop with that header, if one is given.
pub fn specs(body: &Function, near: Option<Block>, random: &mut Random) -> Vec<TraceSpec> {
    let wanderer = Wanderer::of(body);
    let loops = &wanderer.nest.loops;
    let ids: Vec<LoopId> = loops.iter().map(|(id, _)| id).collect();
    let first = near.and_then(|header| loops.headed_by(header));
    let mut specs: Vec<_> = first.and_then(|id| wanderer.spec(random, body, id)).into_iter().collect();
    for _ in 0..ids.len().min(MOST) {
        let id = ids[random.below(ids.len())];
        specs.extend(wanderer.spec(random, body, id));
    }
    specs
}

/// A shape.
pub fn shape(random: &mut Random) -> TraceShape {
    let forced_failures = (random.below(4) > 0).then(|| random.word());
    TraceShape { unroll: 1 + random.below(3) as u32, forced_failures }
}

struct Wanderer {
    nest: Nest,
    live: Liveness,
}

impl Wanderer {
    fn of(body: &Function) -> Wanderer {
        let nest = Nest::of(body);
        let live = Liveness::compute(body, &nest.cfg);
        Wanderer { nest, live }
    }

    /// A trace from a loop's header back to it for so many times, or without any out of the loop, as paths that end at
    /// back edges.
    fn trace(&self, random: &mut Random, id: LoopId, rounds: Option<usize>) -> Option<Vec<Vec<Block>>> {
        let header = self.nest.loops.get(id).header;
        let mut paths = vec![vec![header]];
        let (mut at, mut back) = (header, 0);
        for _ in 0..MOST_BLOCKS {
            let inside = |to: &Block| rounds.is_none() || self.nest.loops.contains(id, *to);
            let ways: Vec<Block> = self.ways(at).filter(inside).collect();
            let to = random.pick(&ways)?;
            back += usize::from(to == header);
            if rounds == Some(back) && to == header {
                return Some(paths);
            }
            if !self.nest.loops.contains(id, to) {
                paths.last_mut().expect("there is a path").push(to);
                return Some(paths);
            }
            if to == header || self.nest.loops.is_back_edge(at, to) {
                paths.push(Vec::new());
            }
            paths.last_mut().expect("there is a path").push(to);
            at = to;
        }
        None
    }

    fn ways(&self, at: Block) -> impl Iterator<Item = Block> + '_ {
        let edges = self.nest.cfg.succs(at).iter().filter(|(_, kind)| *kind == EdgeKind::Normal);
        edges.map(|(to, _)| *to)
    }

    fn spec(&self, random: &mut Random, body: &Function, id: LoopId) -> Option<TraceSpec> {
        let header = self.nest.loops.get(id).header;
        let layouts = [Layout::Apart, Layout::Apart, Layout::Apart, Layout::Through];
        let layout = match random.pick(&layouts)? {
            // Only an innermost loop has ways through it.
            Layout::Through if !self.nest.loops.is_innermost(id) => Layout::Apart,
            picked => picked,
        };
        // One in three specs has several traces.
        let more = match layout {
            Layout::Apart => random.below(3).saturating_sub(1) * (1 + random.below(2)),
            Layout::Through => random.below(4),
        };
        let mut traces: Vec<Trace> = Vec::new();
        for _ in 0..=more {
            let rounds = (layout == Layout::Apart).then(|| 1 + random.below(3));
            let Some(trace) = self.trace(random, id, rounds).map(Trace::new) else { continue };
            let clash = |known: &Trace| trace.blocks().zip(known.blocks()).all(|(a, b)| a == b);
            if !traces.iter().any(clash) {
                traces.push(trace);
            }
        }
        if traces.is_empty() {
            return None;
        }
        let ints: Vec<Local> = self.live.live_in(header).filter(|local| body.scalar(*local) == Scalar::Int).collect();
        let mut constants: Vec<(Local, i64)> = Vec::new();
        // Constants by chance seldom hold, and keep the trace from being begun: one spec in three has some.
        for _ in 0..random.below(6).saturating_sub(3) {
            let value = random.below(4) as i64;
            constants.extend(random.pick(&ints).map(|local| (local, value)));
        }
        let has_stable = layout == Layout::Apart && random.below(4) == 0;
        let stable: Vec<Local> = has_stable.then(|| random.pick(&ints)).flatten().into_iter().collect();
        let mut own = |trace: Trace| {
            let is_expected = layout == Layout::Apart && random.below(4) == 0;
            let local = random.pick(&ints).filter(|_| is_expected);
            Trace { stable: stable.clone(), constants: local.map(|local| (local, 1)).into_iter().collect(), ..trace }
        };
        let traces = traces.into_iter().map(&mut own).collect();
        let (coverage, executions, shape) = (1.0, 1, shape(random));
        Some(TraceSpec { header, traces, constants, layout, coverage, executions, shape })
    }
}
