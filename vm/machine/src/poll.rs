//! Polls: what prologues and loop headers do when the stack runs low or a flag is raised.
//!
//! Calls fail when `MAX_FRAMES` functions are active, as in the interpreter. Compiled code compares
//! only its stack pointer: the limit stands where the last allowed frame would end if all further
//! frames were as small as frames get, for each function that is active in them. When it is passed, the frames are counted, and
//! the limit moves down by less each time; so counting is rare and the depth exact. It is computed anew at a frame half way to
//! the last one that it was computed at, and goes back up when that frame returns (`barriers.rs`): calls that go up and down
//! across a limit do not count again before as many frames were made as are counted.
//!
//! Calls that are inlined make no frame, and are not counted before they happen. So a function that others are inlined into is
//! entered only if there is room for all of them; else the poll sends the call on to code of the function that inlines
//! nothing.
//!
//! A prologue looks at the limit after it has made its frame, and calls from there. So the limit leaves room below for the
//! largest frame that any code has, and rises when code with a larger one is made.

use super::Machine;
use super::depth::FrameAt;
use super::settings::RESERVE;
use holloway_abi::ANY_HEADER;
use holloway_jit::Version;
use holloway_runtime::failure::FailureKind;
use holloway_runtime::limits::MAX_FRAMES;

/// Outcome of a poll.
pub(super) enum Polled {
    /// The program goes on.
    Continue,
    /// The exit frame's instruction fails.
    Fail(FailureKind),
    /// The call that entered the exit frame's function fails.
    FailCall(FailureKind),
}

impl Machine {
    /// Sets the stack limit for calls from the innermost frame on at which it is computed.
    #[inline]
    pub(super) fn apply_limit(&mut self) {
        let (fp, left) = self.depth.innermost();
        let density = self.code.density();
        let left = left.saturating_sub(density.frames - 1);
        let deepest = fp.saturating_sub((left + 1) * density.bytes) + 1;
        self.runtime.context().set_stack_limit(deepest.max(self.floor()));
    }

    /// Lets the limit be computed at a frame further in, `active` calls being active with the innermost of these frames.
    fn lower_limit(&mut self, frames: &[(FrameAt, usize)], active: usize) {
        let (outermost, _) = self.depth.innermost();
        let inner = frames.partition_point(|(at, _)| at.fp < outermost);
        let middle = inner / 2;
        let Some((at, _)) = frames[..inner].get(middle).copied() else { return };
        let inside: usize = frames[..=middle].iter().map(|(_, count)| count).sum();
        self.enter_level(at, active - inside);
    }

    /// The lowest stack pointer with which a function may go on.
    fn floor(&self) -> usize {
        self.stack.bottom() + RESERVE + self.code.largest_frame()
    }

    /// Raises the limit as new code may require. Whether the function that is about to call the new
    /// code, the exit frame, still stands above the floor.
    pub(super) fn has_room_for_new_code(&mut self) -> bool {
        self.apply_limit();
        let caller = self.walk(self.exit_frame()).next();
        caller.is_none_or(|(at, version, _)| at.fp - version.frame_size as usize >= self.floor())
    }

    /// The poll of the exit frame at its entry.
    pub(super) fn poll(&mut self) -> Polled {
        self.polls.entries += 1;
        self.runtime.context_mut().set_instead(0);
        if let Err(kind) = self.check_depth() {
            return Polled::FailCall(kind);
        }
        self.poll_flags()
    }

    fn poll_flags(&mut self) -> Polled {
        if let Err(kind) = self.runtime.stop_requested() {
            return Polled::Fail(kind);
        }
        self.adapt();
        Polled::Continue
    }

    /// Checks that the function of the exit frame may be active; if so, leaves a limit to its calls.
    fn check_depth(&mut self) -> Result<(), FailureKind> {
        let at = self.exit_frame();
        if self.stack_pointer(at) >= self.runtime.context().stack_limit() {
            return Ok(());
        }
        let (frames, active) = self.count_frames(at);
        if active <= MAX_FRAMES {
            self.leave_inlining(at, active)?;
        }
        if active > MAX_FRAMES || self.stack_pointer(at) < self.floor() {
            return Err(FailureKind::StackOverflow);
        }
        self.lower_limit(&frames, active);
        Ok(())
    }

    /// The poll of the exit frame on a back edge.
    pub(super) fn poll_edge(&mut self) -> Polled {
        self.polls.back_edges += 1;
        // Where some frame waits to be left, a poll is looked into before its turn.
        let early = self.runtime.context().countdown();
        self.runtime.context_mut().set_countdown(self.edge_polls);
        self.present_polls = (self.edge_polls - early).max(1);
        let polled = self.poll_flags();
        self.present_polls = 1;
        polled
    }

    /// The poll of the exit frame at a loop header, where it can be left, unless frames wait to be left elsewhere.
    pub(super) fn poll_loop(&mut self) -> Polled {
        let context = self.runtime.context();
        let elsewhere = context.osr_request().is_some_and(|at| at != ANY_HEADER && at != context.header());
        let polled = self.poll_edge();
        if matches!(polled, Polled::Continue) && !elsewhere {
            self.replace_if_requested();
        }
        polled
    }

    /// True iff a frame of a version has room where another stands, with all calls that are inlined in it.
    pub(super) fn has_room(&mut self, at: FrameAt, version: &Version) -> bool {
        // Above the limit there is room for any frame.
        let sp = at.fp - version.frame_size as usize;
        sp >= self.runtime.context().stack_limit()
            || sp >= self.floor() && self.count_frames(at).1 + version.most_frames() <= MAX_FRAMES
    }

    /// Sends the function of the exit frame on to code without inlined calls if there is no room for all of them.
    fn leave_inlining(&mut self, at: FrameAt, active: usize) -> Result<(), FailureKind> {
        let (_, version, _) = self.walk(at).next().expect("compiled code polls");
        let func = version.func;
        if active + version.most_frames() - 1 > MAX_FRAMES {
            let paths = self.paths.0.is_some().then_some(&self.paths);
            let entry = self.code.exact(func, paths)?;
            self.apply_limit();
            self.runtime.context_mut().set_instead(entry);
        }
        Ok(())
    }

    fn stack_pointer(&self, at: FrameAt) -> usize {
        let (_, version, _) = self.walk(at).next().expect("compiled code polls");
        at.fp - version.frame_size as usize
    }

    /// The frames from one up to the innermost that were counted before, with the calls active in each; and the calls that are active
    /// in all of them and outside.
    pub(super) fn count_frames(&mut self, from: FrameAt) -> (Vec<(FrameAt, usize)>, usize) {
        let (level, outside) = self.depth.outside(from.fp);
        let mut frames = Vec::new();
        let mut active = outside;
        let mut at = from;
        while at.fp <= level {
            let calls = self.code.active_calls(at.pc);
            if calls == 0 {
                break;
            }
            active += calls;
            frames.push((at, calls));
            at = at.caller(&self.depth);
        }
        self.walked_frames += frames.len() as u64;
        (frames, active)
    }
}
