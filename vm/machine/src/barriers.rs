//! Return barriers at work: the machine goes on in its callers.
//!
//! In: frames that get a barrier, that return to it, or that are unwound. Out: the stack limit of the frame that runs next, and
//! the request of a caller that waits for on-stack replacement, as soon as it runs. The list is that of [`Depth`](super::Depth).
#![expect(unsafe_code, reason = "called from compiled code, with its context")]

use super::Machine;
use super::caller::machine;
use super::depth::FrameAt;
use holloway_abi::Context;
use holloway_jit::arch::barrier_target;

barrier_target!(passed_stub => passed);

/// The frame of the innermost barrier has returned; its caller's stack pointer is `sp`. Gives the address to go on at.
///
/// # Safety
/// The return barrier calls it.
pub(super) unsafe extern "C" fn passed(context: *mut Context, sp: usize) -> usize {
    // SAFETY: compiled code passed its context.
    unsafe { machine(context) }.pass(sp)
}

impl Machine {
    /// Computes the limit at a frame from now on, which is further in than all frames with limits. So many calls are active
    /// outside of it.
    pub(super) fn enter_level(&mut self, at: FrameAt, outside: usize) {
        self.depth.enter_level(at, outside);
        self.apply_limit();
    }

    fn pass(&mut self, sp: usize) -> usize {
        let barrier = self.depth.pass(sp);
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
        let caller_waits = self.depth.unwind(to);
        self.apply_limit();
        if caller_waits {
            self.request_of_caller(to.pc);
        }
    }
}
