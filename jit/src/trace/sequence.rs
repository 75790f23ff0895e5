//! The blocks of traces in order, as often as their shape says.
//!
//! In: a spec and a shape. Out: a [`Tree`]. Invariant: each step's block has an edge to the next steps', all are in the loop,
//! and the header starts each round.
//!
//! ```text
//!      copies in front            loops
//!      a - b - c             -->  (a b c)       walks a b c and a d: their common part is in front once, and each
//!       \- d                 -->  (a d)         loop has one entry
//! ```

use super::spec::{Declined, Peel, TraceShape, TraceSpec, Walk};
use holloway_lang::ir::{Block, Cfg, EdgeKind, Function, Liveness, LoopId, Loops, Scalar};

/// A block of the trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) block: Block,
    path: u32,
    position: u32,
}

impl Step {
    /// Which path of the spec, counted through its walks, and which block of it.
    pub(super) fn at(self) -> (usize, usize) {
        (self.path as usize, self.position as usize)
    }
}

/// A step of a walk, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Point {
    pub(super) walk: u32,
    at: u32,
}

/// The steps of a walk; the last is followed by the step `head`.
struct Sequence {
    steps: Vec<Step>,
    /// Start of the trace's loop: behind the copy in front of it, if there is one.
    head: u32,
}

/// The steps of all walks. Copies in front of loops are one tree: walks share them as far as they have the same blocks.
pub(super) struct Tree {
    sequences: Vec<Sequence>,
    /// The loop it is in.
    pub(super) around: LoopId,
}

impl Tree {
    pub(super) fn new(
        body: &Function,
        cfg: &Cfg,
        loops: &Loops,
        spec: &TraceSpec,
        shape: TraceShape,
    ) -> Result<Tree, Declined> {
        let around = loops.headed_by(spec.header).ok_or(Declined::NoLoop)?;
        let peel = if spec.walks.len() > 1 { Peel::Once } else { shape.peel };
        let mut sequences = Vec::new();
        let mut paths = 0;
        for walk in &spec.walks {
            let round = round(walk, paths);
            paths += walk.paths.len();
            let exists = |block: Block| body.blocks.is_valid(block) && cfg.postorder().contains(&block);
            if round.is_empty() || spec.header != round[0].block || !round.iter().all(|step| exists(step.block)) {
                return Err(Declined::NotAWalk);
            }
            let follows = |(from, to): (&Step, &Step)| cfg.succs(from.block).contains(&(to.block, EdgeKind::Normal));
            let is_walk = round.iter().zip(round.iter().cycle().skip(1)).all(follows);
            if !is_walk || !round.iter().all(|step| loops.contains(around, step.block)) {
                return Err(Declined::NotAWalk);
            }
            let unroll = shape.unroll.max(1) as usize;
            let (head, copies) = match peel {
                Peel::Off => (0, unroll),
                Peel::Once => (round.len() as u32, unroll + 1),
            };
            sequences.push(Sequence { steps: std::iter::repeat_n(round, copies).flatten().collect(), head });
        }
        if sequences.is_empty() {
            return Err(Declined::NotAWalk);
        }
        if !is_testable(body, cfg, spec) {
            return Err(Declined::NotTestable);
        }
        Ok(Tree { sequences, around })
    }

    /// The step at a point.
    pub(super) fn step(&self, point: Point) -> Step {
        self.sequences[point.walk as usize].steps[point.at as usize]
    }

    /// The first step of all walks.
    pub(super) fn root(&self) -> Point {
        Point { walk: 0, at: 0 }
    }

    /// Start of a walk's loop.
    pub(super) fn head(&self, walk: u32) -> Point {
        Point { walk, at: self.sequences[walk as usize].head }
    }

    /// Points after a point, each with its block: several where walks part.
    pub(super) fn next(&self, point: Point) -> Vec<(Block, Point)> {
        let mut next: Vec<(Block, Point)> = Vec::new();
        for walk in (0..self.sequences.len() as u32).filter(|walk| self.shares(*walk, point)) {
            let sequence = &self.sequences[walk as usize];
            let following = point.at + 1;
            let at = if (following as usize) < sequence.steps.len() { following } else { sequence.head };
            let to = self.first_sharing(Point { walk, at });
            let block = self.step(to).block;
            if next.iter().all(|(known, _)| *known != block) {
                next.push((block, to));
            }
        }
        next
    }

    /// True if the values of the spec's constants are tested right before a step.
    pub(super) fn is_round_start(&self, point: Point) -> bool {
        point.at == 0 || point == self.head(point.walk)
    }

    /// The point of the first walk that shares a point.
    fn first_sharing(&self, point: Point) -> Point {
        let first = (0..point.walk).find(|walk| self.shares(*walk, point));
        Point { walk: first.unwrap_or(point.walk), ..point }
    }

    /// True if a walk has the same blocks as another up to a point in front of both loops.
    fn shares(&self, walk: u32, point: Point) -> bool {
        let (of, other) = (&self.sequences[point.walk as usize], &self.sequences[walk as usize]);
        let upto = ..=point.at as usize;
        let is_in_front = point.at < of.head && point.at < other.head;
        walk == point.walk
            || is_in_front
                && of.steps[upto].iter().map(|step| step.block).eq(other.steps[upto].iter().map(|step| step.block))
    }
}

/// The steps of one round, where paths are numbered from `first`.
fn round(walk: &Walk, first: usize) -> Vec<Step> {
    let mut round: Vec<Step> = Vec::new();
    for (path, blocks) in walk.paths.iter().enumerate() {
        let path = (first + path) as u32;
        let steps = blocks.iter().enumerate();
        round.extend(steps.map(|(position, block)| Step { block: *block, path, position: position as u32 }));
    }
    round
}

/// True if what is expected of locals can be tested at the header.
fn is_testable(body: &Function, cfg: &Cfg, spec: &TraceSpec) -> bool {
    let ints = spec
        .constants
        .iter()
        .map(|(local, _)| *local)
        .chain(spec.walks.iter().flat_map(|walk| walk.stable.iter().copied()));
    let refs = spec.distinct.iter().flat_map(|(a, b)| [*a, *b]);
    let mut locals = ints.map(|local| (local, Scalar::Int)).chain(refs.map(|local| (local, Scalar::Ref))).peekable();
    if locals.peek().is_none() {
        return true;
    }
    let live = Liveness::compute(body, cfg);
    locals.all(|(local, scalar)| {
        body.locals.is_valid(local) && body.scalar(local) == scalar && live.is_live_in(spec.header, local)
    })
}
