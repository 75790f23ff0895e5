//! The blocks of a trace in order, as often as its shape says.
//!
//! In: a spec and a shape. Out: a [`Sequence`]. Invariant: each step's block has an edge to the next step's, all are in the loop,
//! and the header starts each round.

use super::form::{Peel, Shape};
use super::{Declined, TraceSpec};
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
    /// Where the trace's loop starts: behind the copy in front of it, if there is one.
    pub(super) head: usize,
}

impl Sequence {
    pub(super) fn new(
        body: &Function,
        cfg: &Cfg,
        loops: &Loops,
        spec: &TraceSpec,
        shape: Shape,
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
        if !spec.constants.is_empty() {
            let live = Liveness::compute(body, cfg);
            let is_int = |local| body.locals.is_valid(local) && body.scalar(local) == Scalar::Int;
            if !spec.constants.iter().all(|(local, _)| is_int(*local) && live.is_live_in(spec.header, *local)) {
                return Err(Declined::NotConstant);
            }
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

    /// Whether the values of the spec's constants are tested right before a step.
    pub(super) fn is_round_start(&self, at: usize) -> bool {
        at == 0 || at == self.head
    }
}
