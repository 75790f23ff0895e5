//! Return barriers, and the depth of calls that the stack limit is computed from.
//!
//! In: frames whose depth was counted, and frames whose callers wait for on-stack replacement. Out: the limit for calls from the
//! innermost counted frame on, and the way back to the limit before when it returns; the request of a caller as soon as it runs.
//!
//! A limit holds for calls from one frame on, and only for as long as that frame stands: where frames of other sizes take
//! its place, it is another depth. So the frame's return address leads to a barrier, which puts back the limit before and
//! goes on at the address that was there. [`Depth::barriers`] lists these frames from the outermost inwards. Whoever ends
//! frames without a return calls [`Machine::unwind_barriers`]; whoever reads return addresses asks [`Depth::returns_to`].
//!
//! Invariant: exactly the listed frames have the barrier for their return address. A frame that goes on in other
//! code keeps its return address, and its barrier.
#![expect(unsafe_code, reason = "changes return addresses in frames of compiled code")]

use super::{Machine, machine_of};
use crate::runtime::limits::MAX_FRAMES;
use holloway_jit::abi::Context;
use holloway_jit::arch::{CALLER_FP, RETURN_ADDRESS, barrier_target};
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

barrier_target!(passed_stub => passed);

/// A compiled frame: the address its call returns to, and its frame pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameAt {
    pub(super) pc: usize,
    pub(super) fp: usize,
}

/// A frame that returns to the barrier.
#[derive(Clone, Copy, Debug)]
struct Barrier {
    /// Its frame pointer.
    fp: usize,
    /// The return address that the barrier took the place of.
    pc: usize,
    /// Calls that are active outside of it, where a limit was computed at it.
    outside: Option<usize>,
    /// The caller waits for on-stack replacement.
    caller_waits: bool,
}

/// The barriers of a run.
#[derive(Debug)]
pub(super) struct Depth {
    top: usize,
    target: usize,
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

impl Depth {
    /// No calls on a stack that starts at `top`; frames with a barrier return to `target`.
    pub(super) fn new(top: usize, target: usize) -> Depth {
        Depth { top, target, barriers: Vec::new() }
    }

    /// The frame that the present limit is computed at, and how many calls may be active further in.
    pub(super) fn innermost(&self) -> (usize, usize) {
        let mut limits = self.barriers.iter().rev().filter_map(|barrier| Some((barrier.fp, barrier.outside?)));
        limits.next().map_or((self.top, MAX_FRAMES), |(fp, outside)| (fp, MAX_FRAMES - outside - 1))
    }

    /// The innermost frame with a limit that is not further in than a frame: its frame pointer, and the calls active outside of it.
    pub(super) fn outside(&self, fp: usize) -> Option<(usize, usize)> {
        let outer = self.barriers.iter().rev().filter(|barrier| barrier.fp >= fp);
        outer.filter_map(|barrier| Some((barrier.fp, barrier.outside?))).next()
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
    pub(super) fn clear(&mut self) {
        self.barriers.clear();
    }
}

/// The frame of the innermost barrier has returned; its caller's stack pointer is `sp`. Gives the address to go on at.
pub(super) extern "C" fn passed(context: *mut Context, sp: usize) -> usize {
    // SAFETY: the barrier carries the context of the machine whose program it returned from a call of.
    let machine = unsafe { machine_of(context) };
    machine.pass(sp)
}

impl Machine {
    /// Computes the limit at a frame from now on, which is further in than all frames with limits. So many calls are active
    /// outside of it.
    pub(super) fn enter_level(&mut self, at: FrameAt, outside: usize) {
        assert!(at.fp < self.depth.innermost().0, "limits go inwards");
        self.barrier(at).outside = Some(outside);
        self.apply_limit();
    }

    /// Renews the request of a frame's caller when the frame returns to it.
    pub(super) fn request_at_return(&mut self, at: FrameAt) {
        self.barrier(at).caller_waits = true;
    }

    /// The barrier of a frame.
    fn barrier(&mut self, frame: FrameAt) -> &mut Barrier {
        let at = match self.depth.find(frame.fp) {
            Ok(at) => at,
            Err(at) => {
                let slot = with_exposed_provenance_mut::<usize>(frame.fp + RETURN_ADDRESS);
                // SAFETY: frame pointers are kept in all compiled code, so this is where the frame returns to. The barrier goes
                // on there, with the stack as it is then.
                let pc = unsafe { slot.replace(self.depth.target) };
                let barrier = Barrier { fp: frame.fp, pc, outside: None, caller_waits: false };
                self.depth.barriers.insert(at, barrier);
                at
            }
        };
        &mut self.depth.barriers[at]
    }

    fn pass(&mut self, sp: usize) -> usize {
        let barrier = self.depth.barriers.pop().expect("frames with barriers return there");
        let next = self.depth.barriers.last().map_or(self.depth.top, |barrier| barrier.fp);
        assert!(barrier.fp < sp && sp <= next, "barriers are passed in order");
        if barrier.outside.is_some() {
            self.apply_limit();
        }
        if barrier.caller_waits {
            self.request_of_caller(barrier.pc);
        }
        barrier.pc
    }

    /// All frames further in than one are gone, which goes on at a handler.
    pub(super) fn unwind_barriers(&mut self, to: FrameAt) {
        let mut caller_waits = false;
        while let Some(barrier) = self.depth.barriers.pop_if(|barrier| barrier.fp < to.fp) {
            caller_waits |= barrier.caller_waits;
        }
        self.apply_limit();
        if caller_waits {
            self.request_of_caller(to.pc);
        }
    }
}
