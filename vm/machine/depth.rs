//! How many frames may still stand below which frame: what the stack limit is computed from.
//!
//! In: frames whose depth was counted. Out: the limit for calls from the innermost of them on, and the way back to the limit
//! before when it returns.
//!
//! A limit holds for calls from one frame on, and only for as long as that frame stands: where frames of other sizes take
//! its place, it is another depth. So the frame's return address leads to a barrier, which puts back the limit before and
//! goes on at the address that was there. [`Depth::levels`] lists these frames from the outermost inwards. Whoever ends
//! frames without a return calls [`Depth::unwind_to`]; whoever reads return addresses asks [`Depth::returns_to`].
//!
//! Invariant: exactly the frames of the levels have the barrier for their return address. A frame that goes on in other
//! code keeps its return address, and its level.
#![expect(unsafe_code, reason = "changes return addresses in frames of compiled code")]

use super::unwind::FrameAt;
use super::{Machine, machine_of};
use crate::runtime::limits::MAX_FRAMES;
use holloway_jit::abi::Context;
use std::ptr::with_exposed_provenance_mut;

/// A frame that a limit was computed at.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Its frame pointer.
    fp: usize,
    /// Where it returns to.
    pc: usize,
    /// Calls that are active outside of it.
    outside: usize,
}

/// The levels of a run.
#[derive(Debug)]
pub(super) struct Depth {
    top: usize,
    barrier: usize,
    levels: Vec<Level>,
}

impl Depth {
    /// No calls on a stack that starts at `top`; frames with a limit of their own return to `barrier`.
    pub(super) fn new(top: usize, barrier: usize) -> Depth {
        Depth { top, barrier, levels: Vec::new() }
    }

    /// The frame that the present limit is computed at, and how many calls may be active further in.
    pub(super) fn innermost(&self) -> (usize, usize) {
        match self.levels.last() {
            Some(level) => (level.fp, MAX_FRAMES - level.outside - 1),
            None => (self.top, MAX_FRAMES),
        }
    }

    /// The innermost level that is not further in than a frame: its frame pointer, and the calls active outside of it.
    pub(super) fn outside(&self, fp: usize) -> Option<(usize, usize)> {
        let level = self.levels.iter().rev().find(|level| level.fp >= fp)?;
        Some((level.fp, level.outside))
    }

    /// Where the frame with that frame pointer returns to, with what is written there.
    pub(super) fn returns_to(&self, fp: usize, written: usize) -> usize {
        if written != self.barrier {
            return written;
        }
        let at = self.levels.binary_search_by(|level| fp.cmp(&level.fp)).expect("the frames of levels return there");
        self.levels[at].pc
    }

    /// All frames further in than the one with that frame pointer are gone.
    pub(super) fn unwind_to(&mut self, fp: usize) {
        while self.levels.last().is_some_and(|level| level.fp < fp) {
            self.levels.pop();
        }
    }

    /// All frames are gone.
    pub(super) fn clear(&mut self) {
        self.levels.clear();
    }
}

/// The frame of the innermost level has returned, to the barrier; its caller's stack pointer is `sp`. Gives the address
/// to go on at.
pub(super) extern "sysv64" fn passed(context: *mut Context, sp: usize) -> usize {
    // SAFETY: the barrier carries the context of the machine whose program it returned from a call of.
    let machine = unsafe { machine_of(context) };
    machine.pass(sp)
}

impl Machine {
    /// Computes the limit at a frame from now on, which is further in than all levels. So many calls are active outside of it.
    pub(super) fn enter_level(&mut self, at: FrameAt, outside: usize) {
        assert!(at.fp < self.depth.innermost().0, "levels go inwards");
        let slot = with_exposed_provenance_mut::<usize>(at.fp + 8);
        // SAFETY: frame pointers are kept in all compiled code, so this is where the frame returns to. The barrier goes
        // on there, with the stack as it is then.
        let pc = unsafe { slot.replace(self.depth.barrier) };
        self.depth.levels.push(Level { fp: at.fp, pc, outside });
        self.apply_limit();
    }

    fn pass(&mut self, sp: usize) -> usize {
        let level = self.depth.levels.pop().expect("frames of levels return to the barrier");
        assert!(level.fp < sp && sp <= self.depth.innermost().0, "levels are left in order");
        self.apply_limit();
        level.pc
    }
}
