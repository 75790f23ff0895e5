//! The blocks of a trace in order, as often as its shape says.
//!
//! In: a spec and a shape. Out: a [`Sequence`]. Invariant: each step's block has an edge to the next step's, all are in the loop,
//! and the header starts each round.

use super::spec::{Declined, Peel, TraceShape, TraceSpec};
use holloway_lang::ir::{Block, Cfg, EdgeKind, Function, Liveness, LoopId, Loops, Scalar};

/// A block of the trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) block: Block,
    path: u32,
    position: u32,
}

impl Step {
    /// Which path of the spec, and which block of it.
    pub(super) fn at(self) -> (usize, usize) {
        (self.path as usize, self.position as usize)
    }
}

/// The steps of a trace; the last is followed by the step `head`.
pub(super) struct Sequence {
    pub(super) steps: Vec<Step>,
    /// The loop it is in.
    pub(super) around: LoopId,
    /// Start of the trace's loop: behind the copy in front of it, if there is one.
    pub(super) head: usize,
}

impl Sequence {
    pub(super) fn new(
        body: &Function,
        cfg: &Cfg,
        loops: &Loops,
        spec: &TraceSpec,
        shape: TraceShape,
    ) -> Result<Sequence, Declined> {
        let mut round: Vec<Step> = Vec::new();
        for (path, blocks) in spec.paths.iter().enumerate() {
            let steps = blocks.iter().enumerate();
            round.extend(steps.map(|(position, block)| Step {
                block: *block,
                path: path as u32,
                position: position as u32,
            }));
        }
        let exists = |block: Block| body.blocks.is_valid(block) && cfg.postorder().contains(&block);
        if round.is_empty() || spec.header != round[0].block || !round.iter().all(|step| exists(step.block)) {
            return Err(Declined::NotAWalk);
        }
        let around = loops.headed_by(spec.header).ok_or(Declined::NoLoop)?;
        let follows = |(from, to): (&Step, &Step)| cfg.succs(from.block).contains(&(to.block, EdgeKind::Normal));
        let is_walk = round.iter().zip(round.iter().cycle().skip(1)).all(follows);
        if !is_walk || !round.iter().all(|step| loops.contains(around, step.block)) {
            return Err(Declined::NotAWalk);
        }
        if !is_testable(body, cfg, spec) {
            return Err(Declined::NotTestable);
        }
        let unroll = shape.unroll.max(1) as usize;
        let (head, copies) = match shape.peel {
            Peel::Off => (0, unroll),
            Peel::Once => (round.len(), unroll + 1),
        };
        let steps = std::iter::repeat_n(round, copies).flatten().collect();
        Ok(Sequence { steps, around, head })
    }

    /// The step after a step.
    pub(super) fn next(&self, at: usize) -> usize {
        if at + 1 < self.steps.len() { at + 1 } else { self.head }
    }

    /// True if the values of the spec's constants are tested right before a step.
    pub(super) fn is_round_start(&self, at: usize) -> bool {
        at == 0 || at == self.head
    }
}

/// True if what is expected of locals can be tested at the header.
fn is_testable(body: &Function, cfg: &Cfg, spec: &TraceSpec) -> bool {
    let ints = spec.constants.iter().map(|(local, _)| *local).chain(spec.stable.iter().copied());
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
