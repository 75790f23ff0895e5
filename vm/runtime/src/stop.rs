//! Requests to stop the program, looked at wherever it polls, prints or waits.
//!
//! In: the flags that other threads raise, and the time of the run. Out: the failure that ends the program, or
//! none. Invariant: the flag of the deadline stops nothing before the time is over: it may be that of an earlier run.

use super::context::{ContextBox, flag};
use crate::failure::FailureKind;
use crate::timer::Timer;

/// Requests to stop a program.
#[derive(Clone, Copy)]
pub struct Stop<'a> {
    pub(super) context: &'a ContextBox,
    /// The time of the present run.
    pub(super) timer: &'a Timer,
}

impl Stop<'_> {
    /// Takes the flags that stop the program; leaves those of the adaptive system.
    pub fn requested(&self) -> Result<(), FailureKind> {
        if self.context.take_flags(flag::DEADLINE) != 0 && self.is_out_of_time() {
            return Err(FailureKind::TimeExhausted);
        }
        if self.context.take_flags(flag::INTERRUPT) != 0 {
            return Err(FailureKind::Interrupted);
        }
        if self.context.take_flags(flag::OUTPUT) != 0 {
            return Err(FailureKind::OutputLost);
        }
        Ok(())
    }

    /// Returns whether the program is to stop, at its next poll.
    pub fn is_requested(&self) -> bool {
        let flags = self.context.flags();
        flags & (flag::INTERRUPT | flag::OUTPUT) != 0 || flags & flag::DEADLINE != 0 && self.is_out_of_time()
    }

    fn is_out_of_time(&self) -> bool {
        self.timer.is_over()
    }
}
