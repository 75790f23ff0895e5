//! Polls: what prologues and loop headers do when the stack runs low or a flag is raised.
//!
//! Calls fail when `MAX_FRAMES` functions are active, as in the interpreter. Compiled code compares
//! only its stack pointer: the limit stands where the last allowed frame would end if all further
//! frames were as small as frames get, for each function that is active in them. When it is passed, the frames are counted and the limit moves
//! down, by less each time; so counting is rare and the depth exact. After deep calls returned, the
//! limit may stand too low for calls of smaller frames; it starts anew with each run and each overflow.
//!
//! Calls that are inlined make no frame, and are not counted before they happen. So a function that others are inlined into is
//! entered only if there is room for all of them; else the poll sends the call on to code of the function that inlines
//! nothing.
//!
//! A prologue looks at the limit after it has made its frame, and calls from there. So the limit leaves room below for the
//! largest frame that any code has, and rises when code with a larger one is made.

use super::Machine;
use super::unwind::{FrameAt, walk};
use crate::failure::FailureKind;
use crate::runtime::limits::MAX_FRAMES;
use holloway_jit::Version;

/// What callouts may use below the last compiled frame.
const RESERVE: usize = 512 << 10;

/// What a poll found.
pub(super) enum Polled {
    /// The program goes on.
    Continue,
    /// The exit frame's instruction fails.
    Fail(FailureKind),
    /// The call that entered the exit frame's function fails.
    FailCall(FailureKind),
}

impl Machine {
    /// Sets the stack limit for calls from the outermost frame on.
    pub(super) fn reset_stack_limit(&mut self) {
        self.limit_stack(self.stack.top(), MAX_FRAMES);
    }

    /// `left` more frames may stand below `fp`.
    fn limit_stack(&mut self, fp: usize, left: usize) {
        let density = self.code.density();
        let left = left.saturating_sub(density.frames - 1);
        let deepest = fp.saturating_sub((left + 1) * density.bytes) + 1;
        self.runtime.context().set_stack_limit(deepest.max(self.floor()));
    }

    /// The lowest stack pointer with which a function may go on.
    fn floor(&self) -> usize {
        self.stack.bottom() + RESERVE + self.code.largest_frame()
    }

    /// Raises the limit as new code may require. Whether the function that is about to call the new
    /// code, the exit frame, still stands above the floor.
    pub(super) fn has_room_for_new_code(&mut self) -> bool {
        let before = self.runtime.context().stack_limit();
        let at = self.exit_frame();
        let caller = walk(&self.code.map, at).next();
        let Some(pointer) = caller.map(|(at, version, _)| at.fp - version.frame_size as usize) else {
            self.reset_stack_limit();
            return true;
        };
        self.limit_stack(at.fp, MAX_FRAMES.saturating_sub(self.count_frames(at)));
        let context = self.runtime.context();
        context.set_stack_limit(context.stack_limit().max(before));
        pointer >= self.floor()
    }

    /// The poll of the exit frame.
    pub(super) fn poll(&mut self) -> Polled {
        self.runtime.context_mut().set_instead(0);
        if self.is_stack_low() {
            let at = self.exit_frame();
            let active = self.count_frames(at);
            if active <= MAX_FRAMES
                && let Err(kind) = self.leave_inlining(at, active)
            {
                return Polled::FailCall(kind);
            }
            if active > MAX_FRAMES || self.stack_pointer(at) < self.floor() {
                return Polled::FailCall(FailureKind::StackOverflow);
            }
            // The last frames all poll, and leave the limit where smaller frames meet it when they are gone.
            if MAX_FRAMES - active >= self.code.density().frames {
                self.limit_stack(at.fp, MAX_FRAMES - active);
            }
        }
        if let Err(kind) = self.runtime.stop_requested() {
            return Polled::Fail(kind);
        }
        self.adapt();
        Polled::Continue
    }

    /// The poll of the exit frame on a back edge.
    pub(super) fn poll_edge(&mut self) -> Polled {
        self.runtime.context_mut().set_countdown(self.edge_polls);
        self.present_polls = self.edge_polls;
        let polled = self.poll();
        self.present_polls = 1;
        polled
    }

    /// The poll of the exit frame at a loop header, where it can be left.
    pub(super) fn poll_loop(&mut self) -> Polled {
        let polled = self.poll_edge();
        if matches!(polled, Polled::Continue) {
            self.continue_elsewhere();
        }
        polled
    }

    /// Whether a frame of a version has room where another stands, with all calls that are inlined in it.
    pub(super) fn has_room(&self, at: FrameAt, version: &Version) -> bool {
        at.fp >= self.floor() + version.frame_size as usize
            && self.count_frames(at) + version.most_frames() <= MAX_FRAMES
    }

    /// Sends the function of the exit frame on to code without inlined calls if there is no room for all of them.
    fn leave_inlining(&mut self, at: FrameAt, active: usize) -> Result<(), FailureKind> {
        let (_, version, _) = walk(&self.code.map, at).next().expect("compiled code polls");
        let func = version.func.expect("functions poll");
        if active + version.most_frames() - 1 > MAX_FRAMES {
            let paths = self.paths.0.is_some().then_some(&self.paths);
            let entry = self.code.exact(func, paths)?;
            self.runtime.context_mut().set_instead(entry);
        }
        Ok(())
    }

    fn is_stack_low(&self) -> bool {
        self.stack_pointer(self.exit_frame()) < self.runtime.context().stack_limit()
    }

    fn stack_pointer(&self, at: FrameAt) -> usize {
        let (_, version, _) = walk(&self.code.map, at).next().expect("compiled code polls");
        at.fp - version.frame_size as usize
    }

    fn count_frames(&self, from: FrameAt) -> usize {
        walk(&self.code.map, from).map(|(_, version, call)| version.frames(call).count()).sum()
    }
}
