//! Failures: from the place where one is raised to its handler, or out of the program.
//!
//! In: a failure and the call stack. Out: the stack cut down to the frame whose block has a handler, continuing there;
//! or the whole stack aborted and recorded in the [`Failure`].

use super::frame::{Frame, Prepared};
use super::observer::Observer;
use super::{Interpreter, Stop};
use cranelift_entity::EntityRef;
use holloway_ir::{Block, EdgeKind, Span};
use holloway_runtime::Runtime;
use holloway_runtime::failure::{Failure, FailureKind, FrameInfo};

fn handler(code: &Prepared, frame: &Frame) -> Option<Block> {
    code.of(frame.func).body.blocks[frame.block].handler
}

impl<O: Observer> Interpreter<O> {
    /// Continues at the innermost handler, if the failure can be caught and there is one. Execution may stop again at
    /// once.
    pub(super) fn unwind(&mut self, rt: &mut Runtime, kind: FailureKind, span: Span) -> Result<Option<Stop>, Failure> {
        let catching = self.frames.iter().rposition(|frame| handler(&self.code, frame).is_some());
        let Some(depth) = catching.filter(|_| kind.is_catchable()) else {
            return Err(self.uncaught(rt, kind, span));
        };
        while self.frames.len() > depth + 1 {
            self.abort_innermost();
        }
        let frame = &self.frames[depth];
        let code = self.code.of(frame.func);
        rt.registers.truncate(frame.base + code.body.locals.len());
        let to = handler(&self.code, frame).expect("this frame has a handler");
        self.observer.stopped(frame.inst_place());
        // The message is allocated: objects that only the failed block needed must not stand in its way.
        for local in code.unneeded(to) {
            rt.registers[frame.base + local.index()] = 0;
        }
        rt.set_caught(&kind);
        Ok(self.go(rt, to, EdgeKind::Failure).err())
    }

    fn uncaught(&mut self, rt: &Runtime, kind: FailureKind, span: Span) -> Failure {
        let info = |frame: &Frame| FrameInfo { function: frame.func, at: frame.place(self.code.of(frame.func)) };
        let mut stack: Vec<FrameInfo> = self.frames.iter().rev().map(info).collect();
        if let Some(innermost) = stack.first_mut() {
            innermost.at = span;
        }
        self.abort_all();
        Failure::new(rt.module(), kind, stack)
    }

    /// Aborts every frame, innermost first.
    pub(super) fn abort_all(&mut self) {
        while !self.frames.is_empty() {
            self.abort_innermost();
        }
    }

    fn abort_innermost(&mut self) {
        let frame = self.frames.pop().expect("a frame is active");
        self.observer.stopped(frame.inst_place());
        self.observer.abort(frame.func, frame.block);
    }
}
