//! Branches.
//!
//! In: operators that leave constructs. Out: terminators, and copies of the values that they bring. Invariants: the values that a construct gets are in the slots of
//! its depth, wherever they were. Where a branch may not be taken, the copies stand in a block of their own.

use super::Lowering;
use super::frame::FrameKind;
use hashbrown::HashMap;
use holloway_ir::{Block, Inst, Operand, Scalar, Terminator};
use wasmparser::{BrTable, Operator};

impl Lowering<'_> {
    pub(super) fn branch(&mut self, op: &Operator<'_>) {
        match op {
            Operator::Br { relative_depth } => {
                let frame = self.target(*relative_depth);
                self.leave(frame);
                self.skipped = Some(0);
            }
            Operator::BrIf { relative_depth } => self.branch_if(*relative_depth),
            Operator::BrTable { targets } => {
                self.branch_table(targets);
                self.skipped = Some(0);
            }
            Operator::Return => {
                self.return_results();
                self.skipped = Some(0);
            }
            other => unreachable!("{other:?} is no branch"),
        }
    }

    fn target(&self, relative_depth: u32) -> usize {
        self.frames.len() - 1 - relative_depth as usize
    }

    fn branch_if(&mut self, relative_depth: u32) {
        let cond = self.pop(Scalar::Bool);
        let frame = self.target(relative_depth);
        let goes_on = self.block();
        match self.direct(frame) {
            Some(then) => {
                self.builder.terminate(Terminator::Branch { cond, then, otherwise: goes_on });
            }
            None => {
                let then = self.block();
                self.builder.terminate(Terminator::Branch { cond, then, otherwise: goes_on });
                self.begin(then);
                self.leave(frame);
            }
        }
        self.begin(goes_on);
    }

    fn branch_table(&mut self, targets: &BrTable<'_>) {
        let value = self.pop_int();
        let mut edges: HashMap<usize, Block> = HashMap::new();
        let mut copying = Vec::new();
        let mut edge = |lowering: &mut Self, relative_depth: u32| {
            let frame = lowering.target(relative_depth);
            *edges.entry(frame).or_insert_with(|| {
                lowering.direct(frame).unwrap_or_else(|| {
                    let block = lowering.block();
                    copying.push((frame, block));
                    block
                })
            })
        };
        let default = edge(self, targets.default());
        let mut cases = Vec::new();
        for (at, target) in targets.targets().flatten().enumerate() {
            let block = edge(self, target);
            if block != default {
                cases.push((at as i64, block));
            }
        }
        self.builder.terminate(match cases.is_empty() {
            true => Terminator::Jump(default),
            false => Terminator::Switch { value, cases, default },
        });
        for (frame, block) in copying {
            self.begin(block);
            self.leave(frame);
        }
    }

    /// The block that a branch to a construct can go to at once: there is nothing to copy, nor to return.
    fn direct(&mut self, frame: usize) -> Option<Block> {
        let target = &self.frames[frame];
        let brought = target.brought();
        let from = self.stack.depth() - brought.len();
        let is_there = |at: usize, scalar: Scalar| {
            let slot = self.stack.slot_at(target.depth + at, scalar);
            slot.is_some_and(|slot| self.stack.entry(from + at) == Operand::Local(slot))
        };
        let are_there = brought.iter().enumerate().all(|(at, scalar)| is_there(at, *scalar));
        match target.kind {
            FrameKind::Function => None,
            _ if !are_there => None,
            FrameKind::Loop { header } => Some(header),
            FrameKind::Block | FrameKind::If { .. } => Some(self.end_of(frame)),
        }
    }

    /// Ends the block with a branch to a construct.
    fn leave(&mut self, frame: usize) {
        let to = match self.frames[frame].kind {
            FrameKind::Function => return self.return_results(),
            FrameKind::Loop { header } => header,
            FrameKind::Block | FrameKind::If { .. } => self.end_of(frame),
        };
        let (depth, scalars) = (self.frames[frame].depth, self.frames[frame].brought().to_vec());
        self.bring(depth, &scalars);
        self.builder.terminate(Terminator::Jump(to));
    }

    /// Copies the topmost entries into the slots from a depth on, which is not above theirs. The stack stays as it is: one that is copied lies
    /// in no slot that was written before.
    pub(super) fn bring(&mut self, depth: usize, scalars: &[Scalar]) {
        if !self.budget.spend(scalars.len()) {
            return;
        }
        let from = self.stack.depth() - scalars.len();
        for (at, scalar) in scalars.iter().enumerate() {
            let src = self.stack.entry(from + at);
            let dst = self.slot(depth + at, *scalar);
            // A truth value becomes an integer in the slot itself.
            let src = self.converted(src, depth + at, *scalar);
            if src != Operand::Local(dst) {
                self.builder.push(Inst::Copy { dst, src });
            }
        }
    }

    /// Ends the block with a return of the topmost entries.
    pub(super) fn return_results(&mut self) {
        let env = self.env;
        if !self.budget.spend(self.frames[0].results.len()) {
            self.builder.terminate(Terminator::Return(None));
            return;
        }
        let results = self.frames[0].results.clone();
        let depth = self.stack.depth() - results.len();
        let mut words = Vec::new();
        for (at, scalar) in results.iter().enumerate() {
            let entry = self.stack.entry(depth + at);
            words.push(self.converted(entry, depth + at, *scalar));
        }
        for (at, (src, scalar)) in words.iter().zip(&results).enumerate().skip(1) {
            self.builder.push(Inst::GlobalSet { global: env.hidden(at, *scalar), src: *src });
        }
        self.builder.terminate(Terminator::Return(words.first().copied()));
    }
}
