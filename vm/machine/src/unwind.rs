//! Failures in compiled code: from the frame that called the runtime to the handler, or out.
//!
//! In: a failure, with the exit frame in the context. Out: control goes on elsewhere. Frames are found
//! by frame pointers, their places by the code map; the walk ends at the host's call.
//! Invariants: nothing is changed before it is known where control goes on; every function here that
//! does not return holds no value with a destructor when it jumps.
#![expect(unsafe_code, reason = "reads saved frame pointers and jumps between frames")]

use super::Machine;
use super::depth::{Depth, FrameAt};
use holloway_jit::arch::{Left, leave, resume};
use holloway_jit::{CallSite, Version};
use holloway_runtime::failure::{Failure, FailureKind, FrameInfo, Unwind};
use std::sync::Arc;

/// The place at which control goes on.
enum Target {
    Handler { pc: usize, sp: usize, fp: usize },
    Host,
}

/// Ends the runtime call under way with a failure of the exit frame's instruction.
pub(super) fn raise(machine: &mut Machine, kind: FailureKind) -> ! {
    let context = machine.runtime.context().as_ptr();
    let target = machine.settle(kind);
    match target {
        // SAFETY: the handler is the exception edge of the call at which that frame waits.
        Target::Handler { pc, sp, fp } => unsafe { resume(pc, sp, fp) },
        // SAFETY: runtime calls run between an entry with this context and its end.
        Target::Host => unsafe { leave(context, Left::Unwound) },
    }
}

/// Ends the runtime call under way and the program with it.
pub(super) fn exit(machine: &mut Machine, status: i64) -> ! {
    let context = machine.runtime.context().as_ptr();
    machine.abort_frames(None);
    machine.settle_paths();
    machine.ended = Some(Unwind::Exit(status));
    // SAFETY: as in `raise`.
    unsafe { leave(context, Left::Unwound) }
}

impl Machine {
    /// The compiled frame that called the runtime last.
    pub(super) fn exit_frame(&self) -> FrameAt {
        let context = self.runtime.context().as_ptr();
        // SAFETY: plain fields that the stub of this very call wrote.
        unsafe { FrameAt { pc: (&raw const (*context).exit_pc).read(), fp: (&raw const (*context).exit_fp).read() } }
    }

    /// The compiled frames from one outwards, up to the host's call.
    pub(super) fn walk(&self, from: FrameAt) -> impl Iterator<Item = (FrameAt, &Arc<Version>, &CallSite)> {
        self.walk_segment(from, &self.depth)
    }

    /// The same, of frames that wait while the host calls the program.
    fn walk_segment<'a>(
        &'a self,
        from: FrameAt,
        depth: &'a Depth,
    ) -> impl Iterator<Item = (FrameAt, &'a Arc<Version>, &'a CallSite)> {
        let mut at = from;
        // Deep calls mostly return to the same place, which is not looked up again.
        let mut known = None;
        std::iter::from_fn(move || {
            if known.is_none_or(|(pc, _)| pc != at.pc) {
                known = Some((at.pc, self.place_of(at.pc)?));
            }
            let (_, (version, call)) = known?;
            let found = (at, version, call);
            at = at.caller(depth);
            Some(found)
        })
    }

    /// All compiled frames, those outside of calls from the host's functions, too.
    pub(super) fn walk_all(&self, from: FrameAt) -> impl Iterator<Item = (FrameAt, &Arc<Version>, &CallSite)> {
        let outer = self.suspended.iter().rev().flat_map(|outer| self.walk_segment(outer.exit, &outer.depth));
        self.walk(from).chain(outer)
    }

    /// The call that returns to an address, in code of a function.
    fn place_of(&self, pc: usize) -> Option<(&Arc<Version>, &CallSite)> {
        let version = self.code.map.find(pc)?;
        Some((version, version.call_returning_to(pc).expect("every frame of compiled code waits at a call")))
    }

    /// Makes the caller of the exit frame the exit frame: the call itself fails, not the callee.
    pub(super) fn exit_to_caller(&mut self) {
        let FrameAt { pc, fp } = self.exit_frame().caller(&self.depth);
        let context = self.runtime.context().as_ptr();
        // SAFETY: plain fields that only this thread uses.
        unsafe {
            (&raw mut (*context).exit_pc).write(pc);
            (&raw mut (*context).exit_fp).write(fp);
        }
    }

    fn settle(&mut self, kind: FailureKind) -> Target {
        let Some((at, version, call)) = self.handler_of(&kind) else {
            let failure = self.describe(kind);
            self.abort_frames(None);
            self.settle_paths();
            self.ended = Some(Unwind::Failure(failure));
            return Target::Host;
        };
        self.abort_frames(Some(at));
        self.catch_path(at, &version, &call);
        self.paths_around(at);
        self.settle_paths();
        let sites: Vec<_> = version.frames(&call).collect();
        let (outermost, inlined) = sites.split_last().expect("a call stands in some block");
        inlined.iter().for_each(|site| self.profiles.aborted(site.func, site.block));
        self.profiles.caught(outermost.func, outermost.block);
        self.unwind_barriers(at);
        let sp = at.fp - version.frame_size as usize;
        // The message is allocated: the frames left behind must not stand in its way.
        self.runtime.context_mut().exit_to(sp);
        self.runtime.set_caught(&kind);
        let handler = call.handler.expect("this call has a handler");
        Target::Handler { pc: version.range.start + handler as usize, sp, fp: at.fp }
    }

    fn handler_of(&self, kind: &FailureKind) -> Option<(FrameAt, Arc<Version>, CallSite)> {
        if !kind.is_catchable() {
            return None;
        }
        let (at, version, call) = self.walk(self.exit_frame()).find(|(_, _, call)| call.handler.is_some())?;
        Some((at, Arc::clone(version), *call))
    }

    fn describe(&self, kind: FailureKind) -> Failure {
        let mut stack: Vec<FrameInfo> = self
            .walk(self.exit_frame())
            .flat_map(|(_, version, call)| version.frames(call))
            .map(|site| FrameInfo { function: site.func, at: site.span })
            .collect();
        if stack.is_empty() {
            // The host's call failed before the function had a frame.
            let function = self.outermost.expect("the host has called a function");
            stack.push(FrameInfo { function, at: self.runtime.module().function(function).span });
        }
        Failure::new(self.runtime.module(), kind, stack)
    }

    /// Counts every activation as aborted, from the exit frame up to, but not including, a frame.
    fn abort_frames(&mut self, until: Option<FrameAt>) {
        let ended: Vec<_> = self
            .walk(self.exit_frame())
            .take_while(|(at, _, _)| Some(*at) != until)
            .map(|(at, version, call)| (at, Arc::clone(version), *call))
            .collect();
        for (at, version, call) in ended {
            version.frames(&call).for_each(|site| self.profiles.aborted(site.func, site.block));
            self.abort_paths(at, &version, &call);
        }
    }
}
