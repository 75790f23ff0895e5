//! The frames that return to a barrier, and the depth of calls that the stack limit is computed from.
//!
//! In: frames whose depth was counted, and frames whose callers wait for on-stack replacement. Out: the limit for calls from the
//! innermost counted frame on, and that of the frame before when it returns; the address that a frame goes on at.
//!
//! A limit holds for calls from one frame on, and only for as long as that frame stands: where frames of other sizes take
//! its place, it is another depth. So the frame's return address leads to a barrier (`barriers.rs`), which puts back the limit
//! before and goes on at the address that was there. [`Depth::barriers`] lists these frames from the outermost inwards. Whoever
//! ends frames without a return calls [`Depth::unwind`]; whoever reads return addresses asks [`Depth::returns_to`].
//!
//! Invariant: exactly the listed frames have the barrier for their return address. A frame that goes on in other
//! code keeps its return address, and its barrier.
#![expect(unsafe_code, reason = "changes return addresses in frames of compiled code")]

use holloway_jit::arch::{CALLER_FP, RETURN_ADDRESS};
use holloway_runtime::limits::MAX_FRAMES;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// A compiled frame: the address its call returns to, and its frame pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameAt {
    pub(super) pc: usize,
    pub(super) fp: usize,
}

/// A frame that returns to the barrier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Barrier {
    /// Its frame pointer.
    fp: usize,
    /// The return address that the barrier took the place of.
    pub(super) pc: usize,
    /// Calls that are active outside of it, where a limit was computed at it.
    pub(super) outside: Option<usize>,
    /// The caller waits for on-stack replacement.
    pub(super) caller_waits: bool,
}

/// The barriers of a run.
#[derive(Debug)]
pub(super) struct Depth {
    top: usize,
    target: usize,
    /// Calls that are active outside of them all.
    around: usize,
    barriers: Vec<Barrier>,
}

impl FrameAt {
    /// The frame that called this one.
    pub(super) fn caller(self, depth: &Depth) -> FrameAt {
        let word = |at: usize| {
            // SAFETY: frame pointers are kept in all compiled code, so the two words at one are the
            // caller's frame pointer and the return address.
            unsafe { with_exposed_provenance::<usize>(at).read() }
        };
        FrameAt { pc: depth.returns_to(self.fp, word(self.fp + RETURN_ADDRESS)), fp: word(self.fp + CALLER_FP) }
    }
}

/// Frames that wait for the host, which has called the program again.
#[derive(Debug)]
pub(super) struct Suspended {
    /// The innermost of them.
    pub(super) exit: FrameAt,
    pub(super) depth: Depth,
}

impl Depth {
    /// No calls on a stack that starts at `top`; frames with a barrier return to `target`.
    pub(super) fn new(top: usize, target: usize) -> Depth {
        Depth::inside(top, target, 0)
    }

    /// The same, inside of so many active calls.
    pub(super) fn inside(top: usize, target: usize, around: usize) -> Depth {
        Depth { top, target, around, barriers: Vec::new() }
    }

    /// The frame that the present limit is computed at, and how many calls may be active further in.
    #[inline]
    pub(super) fn innermost(&self) -> (usize, usize) {
        let mut limits = self.barriers.iter().rev().filter_map(|barrier| Some((barrier.fp, barrier.outside?)));
        limits
            .next()
            .map_or((self.top, MAX_FRAMES.saturating_sub(self.around)), |(fp, outside)| (fp, MAX_FRAMES - outside - 1))
    }

    /// The innermost frame with a limit that is not further in than a frame: its frame pointer, and the calls active outside of
    /// it. Without such a frame, the outermost place.
    pub(super) fn outside(&self, fp: usize) -> (usize, usize) {
        let outer = self.barriers.iter().rev().filter(|barrier| barrier.fp >= fp);
        outer.filter_map(|barrier| Some((barrier.fp, barrier.outside?))).next().unwrap_or((usize::MAX, self.around))
    }

    /// Return address of the frame with that frame pointer; `written` is what stands in its slot.
    pub(super) fn returns_to(&self, fp: usize, written: usize) -> usize {
        if written != self.target {
            return written;
        }
        let at = self.find(fp).expect("the frames with barriers return there");
        self.barriers[at].pc
    }

    fn find(&self, fp: usize) -> Result<usize, usize> {
        self.barriers.binary_search_by(|barrier| fp.cmp(&barrier.fp))
    }

    /// All frames are gone.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.barriers.clear();
    }
    /// The limit is computed at a frame from now on, which is further in than all frames with limits. So many calls are active
    /// outside of it.
    pub(super) fn enter_level(&mut self, at: FrameAt, outside: usize) {
        assert!(at.fp < self.innermost().0, "limits go inwards");
        self.barrier(at).outside = Some(outside);
    }

    /// The caller of a frame waits for on-stack replacement.
    pub(super) fn await_return(&mut self, at: FrameAt) {
        self.barrier(at).caller_waits = true;
    }

    /// The barrier of a frame.
    fn barrier(&mut self, frame: FrameAt) -> &mut Barrier {
        let at = match self.find(frame.fp) {
            Ok(at) => at,
            Err(at) => {
                let slot = with_exposed_provenance_mut::<usize>(frame.fp + RETURN_ADDRESS);
                // SAFETY: frame pointers are kept in all compiled code, so this is where the frame returns to. The barrier goes
                // on there, with the stack as it is then.
                let pc = unsafe { slot.replace(self.target) };
                self.barriers.insert(at, Barrier { fp: frame.fp, pc, outside: None, caller_waits: false });
                at
            }
        };
        &mut self.barriers[at]
    }

    /// Removes the innermost barrier, whose frame has returned; its caller's stack pointer is `sp`.
    pub(super) fn pass(&mut self, sp: usize) -> Barrier {
        let barrier = self.barriers.pop().expect("frames with barriers return there");
        let next = self.barriers.last().map_or(self.top, |barrier| barrier.fp);
        assert!(barrier.fp < sp && sp <= next, "barriers are passed in order");
        barrier
    }

    /// All frames further in than one are gone. Returns true if the caller of one of them waited for on-stack replacement.
    pub(super) fn unwind(&mut self, to: FrameAt) -> bool {
        let mut caller_waits = false;
        while let Some(barrier) = self.barriers.pop_if(|barrier| barrier.fp < to.fp) {
            caller_waits |= barrier.caller_waits;
        }
        caller_waits
    }
}
