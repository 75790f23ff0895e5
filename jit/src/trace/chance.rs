//! Random traces, assumptions and splits, to test that a specialized loop computes what its loop computes.
//!
//! In: a body and a seed. Out: traces that [`super::form_all`] accepts, at most `MOST` of them and one, or a split, which stands alone; nothing for
//! a body without loops.
//! Invariant: the same seed and body give the same specs.

use super::collapsed::expand;
use super::nest::Nest;
use super::spec::{Collapsed, Layout, Peel, Source, Trace, TraceShape, TraceSpec};
use super::specialization::Specialization;
use super::split::{Split, split};
use super::state::{states_in, values};
use crate::settings::chance::{MOST, MOST_BLOCKS};
use holloway_lang::ir::{Block, EdgeKind, Function, Liveness, Local, LoopId, Scalar};

/// Pseudo-random numbers (splitmix64), a function of the seed.
#[derive(Clone, Debug)]
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
pub fn specs(body: &Function, near: Option<Block>, random: &mut Random) -> Vec<Specialization> {
    let wanderer = Wanderer::of(body);
    let loops = &wanderer.nest.loops;
    let ids: Vec<LoopId> = loops.iter().map(|(id, _)| id).collect();
    let first = near.and_then(|header| loops.headed_by(header));
    if random.below(3) == 0
        && let Some(split) = wanderer.split(random, body, first)
    {
        return vec![Specialization::Split(split)];
    }
    let mut specs: Vec<_> = first.and_then(|id| wanderer.spec(random, body, id)).into_iter().collect();
    for _ in 0..ids.len().min(MOST) {
        let id = ids[random.below(ids.len())];
        specs.extend(wanderer.spec(random, body, id));
    }
    specs
}

/// A shape.
pub fn shape(random: &mut Random) -> TraceShape {
    let peel = if random.below(2) == 0 { Peel::Off } else { Peel::Once };
    let forced_failures = (random.below(4) > 0).then(|| random.word());
    TraceShape { unroll: 1 + random.below(3) as u32, peel, forced_failures }
}

/// The end of a trace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Back at the header for that time.
    Round(usize),
    /// Outside of the loop.
    Left,
}

/// A random walk through a body.
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

    /// A trace from a loop's header through the loop back to it or out of it, as paths that end at back edges.
    fn trace(&self, random: &mut Random, id: LoopId, end: End, collapsed: &[Collapsed]) -> Option<Vec<Vec<Block>>> {
        let header = self.nest.loops.get(id).header;
        let mut paths = vec![vec![header]];
        let (mut at, mut back) = (header, 0);
        for _ in 0..MOST_BLOCKS {
            let inside = |to: &Block| end == End::Left || self.nest.loops.contains(id, *to);
            let is_collapsed = collapsed.iter().any(|one| one.header == at);
            let ways: Vec<Block> = self.ways(at, is_collapsed).into_iter().filter(inside).collect();
            let to = random.pick(&ways)?;
            back += usize::from(to == header);
            if end == End::Round(back) && to == header {
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

    /// Blocks that control may reach next from a block, or from the loop that it heads.
    fn ways(&self, at: Block, is_collapsed: bool) -> Vec<Block> {
        let loops = &self.nest.loops;
        let inner = loops.headed_by(at).filter(|_| is_collapsed);
        let edges = expand(loops, at, is_collapsed).into_iter().flat_map(|block| self.nest.cfg.succs(block));
        let ways = edges.filter(|(_, kind)| *kind == EdgeKind::Normal).map(|(to, _)| *to);
        ways.filter(|to| inner.is_none_or(|inner| !loops.contains(inner, *to))).collect()
    }

    /// Some of the loops right inside a loop, which catch nothing.
    fn collapsed(&self, random: &mut Random, body: &Function, id: LoopId) -> Vec<Collapsed> {
        let inner = self.nest.loops.iter().filter(|(_, l)| l.parent == Some(id));
        let quiet = inner.filter(|(_, l)| l.blocks.iter().all(|block| body.blocks[*block].handler.is_none()));
        quiet.filter(|_| random.below(2) == 0).map(|(_, l)| Collapsed { header: l.header, visits: 1.0 }).collect()
    }

    /// A split of a loop, of that one if it can be, by some of the values of a place that may be its state.
    fn split(&self, random: &mut Random, body: &Function, near: Option<LoopId>) -> Option<Split> {
        let loops = &self.nest.loops;
        let states = |id: LoopId| {
            let of_loop = states_in(body, &self.nest, &self.live, id);
            of_loop.into_iter().map(move |state| (id, state)).collect::<Vec<_>>()
        };
        let near = near.map(states).filter(|found| !found.is_empty());
        let found = near.unwrap_or_else(|| loops.iter().flat_map(|(id, _)| states(id)).collect());
        let (id, state) = random.pick(&found)?;
        let mut values = values(body, &loops.get(id).blocks, state);
        let most = 1 + random.below(3);
        while values.len() > most {
            values.swap_remove(random.below(values.len()));
        }
        let mut rare = loops.get(id).blocks.clone();
        rare.retain(|block| *block != loops.get(id).header && random.below(20) == 0);
        let wanted = Split { header: loops.get(id).header, state, values, rare };
        split(body, &wanted).is_ok().then_some(wanted)
    }

    fn spec(&self, random: &mut Random, body: &Function, id: LoopId) -> Option<Specialization> {
        let header = self.nest.loops.get(id).header;
        let layouts = [Layout::Apart, Layout::Apart, Layout::Apart, Layout::Tree, Layout::Graph, Layout::Through];
        let layout = match random.pick(&layouts)? {
            // Only an innermost loop has ways through it.
            Layout::Through if !self.nest.loops.is_innermost(id) => Layout::Apart,
            picked => picked,
        };
        // One in three specs has several traces; one loop of one trace is as good as that trace.
        let more = match layout {
            Layout::Apart => random.below(3).saturating_sub(1) * (1 + random.below(2)),
            Layout::Tree | Layout::Graph => 1 + random.below(4),
            Layout::Through => random.below(4),
        };
        let collapsed = self.collapsed(random, body, id);
        let mut traces: Vec<Trace> = Vec::new();
        for _ in 0..=more {
            let end = match layout {
                Layout::Apart => End::Round(1 + random.below(3)),
                Layout::Tree | Layout::Graph => End::Round(1),
                Layout::Through => End::Left,
            };
            let Some(trace) = self.trace(random, id, end, &collapsed).map(Trace::new) else { continue };
            let has_form = !matches!(layout, Layout::Tree | Layout::Graph) || trace.paths.len() == 1;
            // In a graph a path may go on where another goes back to the header, as in a loop that untaken blocks are left out of.
            let clash = |known: &Trace| match layout {
                Layout::Graph => *known == trace,
                Layout::Apart | Layout::Tree | Layout::Through => {
                    trace.blocks().zip(known.blocks()).all(|(a, b)| a == b)
                }
            };
            if has_form && !traces.iter().any(clash) {
                traces.push(trace);
            }
        }
        if traces.is_empty() {
            return None;
        }
        let of = |scalar| self.live.live_in(header).filter(move |local| body.scalar(*local) == scalar).collect();
        let (ints, refs): (Vec<Local>, Vec<Local>) = (of(Scalar::Int), of(Scalar::Ref));
        let mut constants: Vec<(Local, i64)> = Vec::new();
        // Constants by chance seldom hold, and keep the trace from being begun: one spec in three has some.
        for _ in 0..random.below(6).saturating_sub(3) {
            let value = random.below(4) as i64;
            constants.extend(random.pick(&ints).map(|local| (local, value)));
        }
        let stable: Vec<Local> = if layout == Layout::Apart && random.below(4) == 0 {
            random.pick(&ints).into_iter().collect()
        } else {
            Vec::new()
        };
        let mut distinct: Vec<(Local, Local)> = Vec::new();
        if refs.len() > 1 && random.below(2) == 0 {
            distinct.extend(random.pick(&refs).zip(random.pick(&refs)));
        }
        let source = Source::Forest;
        let mut own = |trace: Trace| {
            let is_expected = layout == Layout::Apart && random.below(4) == 0;
            let local = random.pick(&ints).filter(|_| is_expected);
            Trace { stable: stable.clone(), constants: local.map(|local| (local, 1)).into_iter().collect(), ..trace }
        };
        let traces = traces.into_iter().map(&mut own).collect();
        let (coverage, executions) = (1.0, 1);
        let spec = TraceSpec { header, traces, constants, distinct, collapsed, layout, coverage, executions, source };
        Some(Specialization::Trace(spec, shape(random)))
    }
}
