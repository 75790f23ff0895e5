//! Blocks, loops and ifs.
//!
//! In: operators that open and close constructs. Out: blocks of the IR, made where something branches. Invariant: a construct that nothing branches to
//! the end of costs nothing.

use super::Lowering;
use super::frame::{Frame, FrameKind};
use crate::types::{FuncType, ValType};
use holloway_ir::{Block, FailKind, Operand, Scalar, Terminator};
use wasmparser::{BlockType, Operator};

impl Lowering<'_> {
    pub(super) fn control(&mut self, op: &Operator<'_>) -> bool {
        match op {
            Operator::Nop => {}
            Operator::Unreachable => {
                self.fail(FailKind::Unreachable);
                self.skipped = Some(0);
            }
            Operator::Block { blockty } => {
                let frame = self.frame(blockty);
                self.save_locals();
                self.frames.push(frame);
            }
            Operator::Loop { blockty } => self.begin_loop(blockty),
            Operator::If { blockty } => self.begin_if(blockty),
            Operator::Else => self.begin_else(Flow::Reached),
            Operator::End => self.end(Flow::Reached),
            Operator::Br { .. } | Operator::BrIf { .. } | Operator::BrTable { .. } | Operator::Return => {
                self.branch(op);
            }
            _ => return false,
        }
        true
    }

    /// Passes over code that nothing reaches, up to where something may reach it again.
    pub(super) fn skip(&mut self, op: &Operator<'_>) {
        let depth = self.skipped.as_mut().expect("code is skipped");
        match op {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => *depth += 1,
            Operator::End if *depth > 0 => *depth -= 1,
            Operator::Else if *depth == 0 => self.begin_else(Flow::Skipped),
            Operator::End => self.end(Flow::Skipped),
            _ => {}
        }
    }

    /// A construct that begins here.
    fn frame(&mut self, ty: &BlockType) -> Frame {
        let scalars = |types: &[ValType]| types.iter().map(|ty| ty.scalar()).collect::<Vec<Scalar>>();
        let (params, results) = match ty {
            BlockType::Empty => (Vec::new(), Vec::new()),
            BlockType::Type(ty) => (Vec::new(), vec![ValType::of(*ty).scalar()]),
            BlockType::FuncType(index) => {
                let FuncType { params, results } = &self.env.types[*index as usize];
                (scalars(params), scalars(results))
            }
        };
        self.budget.spend(params.len());
        self.budget.spend(results.len());
        let depth = self.stack.depth() - params.len();
        Frame { kind: FrameKind::Block, depth, params, results, end: None, mark: self.initialized.mark() }
    }

    fn begin_loop(&mut self, ty: &BlockType) {
        let mut frame = self.frame(ty);
        self.save_locals();
        self.bring(frame.depth, &frame.params);
        let header = self.block();
        self.builder.terminate(Terminator::Jump(header));
        self.begin(header);
        self.restore(frame.depth, &frame.params);
        frame.kind = FrameKind::Loop { header };
        self.frames.push(frame);
    }

    fn begin_if(&mut self, ty: &BlockType) {
        let cond = self.pop(Scalar::Bool);
        let mut frame = self.frame(ty);
        self.save_locals();
        let (then, otherwise) = (self.block(), self.block());
        self.builder.terminate(Terminator::Branch { cond, then, otherwise });
        self.begin(then);
        let params = self.stack.from(frame.depth).to_vec();
        frame.kind = FrameKind::If { otherwise: Some(otherwise), params };
        self.frames.push(frame);
    }

    fn begin_else(&mut self, flow: Flow) {
        if flow == Flow::Reached {
            self.jump_to_end();
        }
        let frame = self.frames.last_mut().expect("`else` belongs to a construct");
        let FrameKind::If { otherwise, params } = &mut frame.kind else { unreachable!("`else` belongs to an `if`") };
        let otherwise = otherwise.take().expect("an `if` that is reached has two arms");
        let (params, depth, mark) = (std::mem::take(params), frame.depth, frame.mark);
        self.stack.truncate(depth);
        params.into_iter().for_each(|param| self.push(param));
        self.initialized.forget(mark);
        self.skipped = None;
        self.begin(otherwise);
    }

    fn end(&mut self, flow: Flow) {
        self.skipped = None;
        if self.frames.len() == 1 {
            return self.end_function(flow);
        }
        let frame = self.frames.last().expect("the function is one");
        let is_open_if = matches!(frame.kind, FrameKind::If { otherwise: Some(_), .. });
        if flow == Flow::Reached && (frame.end.is_some() || is_open_if) {
            self.jump_to_end();
        }
        if is_open_if {
            self.pass_else();
        }
        let frame = self.frames.pop().expect("the function is one");
        self.initialized.forget(frame.mark);
        match (frame.end, flow) {
            (Some(end), _) => {
                self.begin(end);
                self.restore(frame.depth, &frame.results);
            }
            (None, Flow::Reached) => {}
            (None, Flow::Skipped) => self.skipped = Some(0),
        }
    }

    /// The arm of an `if` without `else`, which passes its parameters on.
    fn pass_else(&mut self) {
        self.begin_else(Flow::Skipped);
        self.jump_to_end();
    }

    fn end_function(&mut self, flow: Flow) {
        if flow == Flow::Reached {
            self.return_results();
        }
        self.frames.pop();
        // Nothing follows.
        self.skipped = Some(0);
    }

    /// Ends the block with a jump behind the innermost construct, whose results are on the stack.
    fn jump_to_end(&mut self) {
        let end = self.end_of(self.frames.len() - 1);
        let frame = self.frames.last().expect("the function is one");
        let (depth, results) = (frame.depth, frame.results.clone());
        self.bring(depth, &results);
        self.builder.terminate(Terminator::Jump(end));
    }

    /// The block behind a construct.
    pub(super) fn end_of(&mut self, frame: usize) -> Block {
        match self.frames[frame].end {
            Some(end) => end,
            None => {
                let end = self.block();
                *self.frames[frame].end.insert(end)
            }
        }
    }

    /// Makes the slots of these values, from a depth on, the stack.
    fn restore(&mut self, depth: usize, scalars: &[Scalar]) {
        self.stack.truncate(depth);
        for (at, scalar) in scalars.iter().enumerate() {
            let slot = self.slot(depth + at, *scalar);
            self.push(Operand::Local(slot));
        }
    }
}

/// Reachability of an operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Reached,
    Skipped,
}
