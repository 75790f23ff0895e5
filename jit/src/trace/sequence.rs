//! The blocks of traces in order, as often as their shape says.
//!
//! In: a spec. Out: a [`Tree`]. Invariant: each step's block has an edge to the next steps', all are in the loop,
//! and the header starts each round.
//!
//! ```text
//!      copies in front            loops
//!      a - b - c             -->  (a b c)       traces a b c and a d: their common part is in front once, and each
//!       \- d                 -->  (a d)         loop has one entry
//!
//!      a - b - c                                  paths through the loop are a tree, too; each leads out of it
//!       \- d
//! ```

use super::spec::{Declined, Layout, Trace, TraceSpec};
use holloway_lang::ir::{Block, Cfg, EdgeKind, Function, Liveness, LoopId, Loops, Scalar};

/// A block of the trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) block: Block,
    path: u32,
    position: u32,
}

impl Step {
    /// Which path of the spec, counted through its traces, and which block of it.
    pub(super) fn at(self) -> (usize, usize) {
        (self.path as usize, self.position as usize)
    }
}

/// A step of a trace, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Point {
    pub(super) trace: u32,
    at: u32,
}

/// The steps of a trace; the last is followed by the step `head`, or by a block outside.
struct Sequence {
    steps: Vec<Step>,
    /// The block that the loop is left to, if the trace goes through it.
    exit: Option<Block>,
    /// Start of the trace's loop: behind the copy in front of it, if there is one.
    head: u32,
}

/// The steps of all traces. Copies in front of loops are one tree: traces share them as far as they have the same blocks.
pub(super) struct Tree {
    sequences: Vec<Sequence>,
    layout: Layout,
    pub(super) around: LoopId,
}

impl Tree {
    pub(super) fn new(body: &Function, cfg: &Cfg, loops: &Loops, spec: &TraceSpec) -> Result<Tree, Declined> {
        let around = loops.headed_by(spec.header).ok_or(Declined::NoLoop)?;
        // A path through the loop is none: the copy of a loop inside would stand in one loop less than the loop itself,
        // and be entered in its place.
        if spec.layout == Layout::Through && !loops.is_innermost(around) {
            return Err(Declined::InnerLoop);
        }
        let shape = spec.formed_shape();
        let is_tree = spec.layout == Layout::Apart && spec.traces.len() > 1;
        let mut sequences = Vec::new();
        let mut paths = 0;
        for trace in &spec.traces {
            let mut round = round(trace, paths);
            paths += trace.paths.len();
            let exit = round.pop_if(|_| spec.layout == Layout::Through).map(|step| step.block);
            let exists = |block: Block| body.blocks.is_valid(block) && cfg.postorder().contains(&block);
            if round.is_empty() || spec.header != round[0].block || !round.iter().all(|step| exists(step.block)) {
                return Err(Declined::NotClosed);
            }
            let leads = |from: Block, to: Block| cfg.succs(from).contains(&(to, EdgeKind::Normal));
            let follows = |(from, to): (&Step, &Step)| leads(from.block, to.block);
            let is_closed = match exit {
                None => round.iter().zip(round.iter().cycle().skip(1)).all(follows),
                Some(exit) => {
                    let last = round[round.len() - 1].block;
                    let leaves = exists(exit) && !loops.contains(around, exit);
                    leaves && leads(last, exit) && round.iter().zip(&round[1..]).all(follows)
                }
            };
            let has_form = match spec.layout {
                Layout::Apart => true,
                Layout::Through => trace.stable.is_empty() && trace.constants.is_empty(),
            };
            if !is_closed || !has_form || !round.iter().all(|step| loops.contains(around, step.block)) {
                return Err(Declined::NotClosed);
            }
            let unroll = shape.unroll as usize;
            // Several traces have a copy in front of each loop: it leads to the loop of the trace that it follows.
            let (head, copies) = match is_tree {
                false => (0, unroll),
                true => (round.len() as u32, unroll + 1),
            };
            sequences.push(Sequence { steps: std::iter::repeat_n(round, copies).flatten().collect(), exit, head });
        }
        if sequences.is_empty() {
            return Err(Declined::NotClosed);
        }
        if !is_testable(body, cfg, spec) {
            return Err(Declined::NotTestable);
        }
        Ok(Tree { sequences, layout: spec.layout, around })
    }

    pub(super) fn step(&self, point: Point) -> Step {
        self.sequences[point.trace as usize].steps[point.at as usize]
    }

    pub(super) fn root(&self) -> Point {
        Point { trace: 0, at: 0 }
    }

    /// The traces that have a loop of their own; the first, if none has.
    pub(super) fn with_loops(&self) -> std::ops::Range<u32> {
        match self.layout {
            Layout::Apart => 0..self.sequences.len() as u32,
            Layout::Through => 0..1,
        }
    }

    /// Start of a trace's loop, or of all that have none.
    pub(super) fn head(&self, trace: u32) -> Point {
        match self.layout {
            Layout::Apart => Point { trace, at: self.sequences[trace as usize].head },
            Layout::Through => self.root(),
        }
    }

    /// Points after a point, each with its block: several where traces part.
    pub(super) fn next(&self, point: Point) -> Vec<(Block, Point)> {
        let mut next: Vec<(Block, Point)> = Vec::new();
        for Point { trace, at } in self.sharing(point) {
            let sequence = &self.sequences[trace as usize];
            let following = at + 1;
            let at = match (following as usize) < sequence.steps.len() {
                true => following,
                false if sequence.exit.is_some() => continue,
                false => sequence.head,
            };
            let to = self.first_sharing(Point { trace, at });
            let block = self.step(to).block;
            if next.iter().all(|(known, _)| *known != block) {
                next.push((block, to));
            }
        }
        next
    }

    /// The blocks outside that a point leads to on traces through the loop.
    pub(super) fn exits(&self, point: Point) -> impl Iterator<Item = Block> + '_ {
        self.sharing(point).filter_map(|Point { trace, at }| {
            let sequence = &self.sequences[trace as usize];
            sequence.exit.filter(|_| at as usize + 1 == sequence.steps.len())
        })
    }

    /// True if traces go through the loop, so that they are begun only where it is entered.
    pub(super) fn goes_through(&self) -> bool {
        self.layout == Layout::Through
    }

    /// Iterations of a way through the loop, up to a point and from there on.
    pub(super) fn iterations_at(&self, point: Point) -> (u32, u32) {
        let path = |at: usize| self.sequences[point.trace as usize].steps[at].path;
        let here = path(point.at as usize);
        (here - path(0), path(self.sequences[point.trace as usize].steps.len() - 1) - here)
    }

    /// Iterations begun at a point, less those counted where the round began: none of a copy in front of the loop.
    pub(super) fn uncounted_at(&self, point: Point) -> i32 {
        let Sequence { steps, head, .. } = &self.sequences[point.trace as usize];
        let begun =
            |steps: &[Step]| steps.iter().filter(|step| step.position == 0 && step.block == steps[0].block).count();
        let (at, head) = (point.at as usize, *head as usize);
        let counted = if at < head { 0 } else { begun(&steps[head..]) };
        begun(&steps[..=at]) as i32 - counted as i32
    }

    /// The same where a test in front of a round fails. With a copy in front of the loop the round was counted and is not begun, else it was not counted.
    pub(super) fn uncounted_at_test(&self, trace: u32) -> i32 {
        let head = self.head(trace);
        if head == self.root() { 0 } else { self.uncounted_at(head) - 1 }
    }

    /// True if the values of the spec's constants are tested right before a step.
    pub(super) fn is_round_start(&self, point: Point) -> bool {
        point.at == 0 || point == self.head(point.trace)
    }

    /// The points that are the same step as a point, of each trace at most one; itself among them.
    fn sharing(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let shared = move |trace: &u32| self.shares(*trace, point);
        (0..self.sequences.len() as u32).filter(shared).map(move |trace| Point { trace, ..point })
    }

    /// The first of them, which stands for all.
    fn first_sharing(&self, point: Point) -> Point {
        self.sharing(point).next().unwrap_or(point)
    }

    /// True if a trace has the same blocks as another up to a point in front of both loops, or in the loop of both.
    fn shares(&self, trace: u32, point: Point) -> bool {
        let (of, other) = (&self.sequences[point.trace as usize], &self.sequences[trace as usize]);
        let upto = ..=point.at as usize;
        let is_one_tree = self.layout != Layout::Apart && (point.at as usize) < other.steps.len();
        let is_in_front = point.at < of.head && point.at < other.head;
        trace == point.trace
            || (is_one_tree || is_in_front)
                && of.steps[upto].iter().map(|step| step.block).eq(other.steps[upto].iter().map(|step| step.block))
    }
}

/// The steps of one round, where paths are numbered from `first`.
fn round(trace: &Trace, first: usize) -> Vec<Step> {
    let mut round: Vec<Step> = Vec::new();
    for (path, blocks) in trace.paths.iter().enumerate() {
        let path = (first + path) as u32;
        let steps = blocks.iter().enumerate();
        round.extend(steps.map(|(position, block)| Step { block: *block, path, position: position as u32 }));
    }
    round
}

/// True if what is expected of locals can be tested at the header.
fn is_testable(body: &Function, cfg: &Cfg, spec: &TraceSpec) -> bool {
    let constants = spec.constants.iter().chain(spec.traces.iter().flat_map(|trace| &trace.constants));
    let stable = spec.traces.iter().flat_map(|trace| &trace.stable);
    let mut locals = constants.map(|(local, _)| local).chain(stable).copied().peekable();
    if locals.peek().is_none() {
        return true;
    }
    let live = Liveness::compute(body, cfg);
    locals.all(|local| {
        body.locals.is_valid(local) && body.scalar(local) == Scalar::Int && live.is_live_in(spec.header, local)
    })
}
