//! The operations of the runtime that compiled code calls.
//!
//! In: a context and operands, from compiled code. Out: a result, or an unwinding. Each has a doorway
//! that notes the calling frame; those that are pure functions of floats have none.
//! Contract: operands are as `abi::Callout::signature` says; references are to objects that the
//! calling frame keeps. A callout that fails holds nothing with a destructor when it unwinds.
#![expect(unsafe_code, reason = "called from compiled code, with words for references")]

mod builtin;
mod fail;
mod memory;
mod passing;

use super::enter::{callout, passing};
use super::{Machine, machine_of, unwind};
use crate::failure::FailureKind;
use crate::runtime::Runtime;
use holloway_jit::abi::{Callout, Context};

/// The address of each callout.
pub(super) fn address(callout: Callout) -> usize {
    let door: *const () = match callout {
        Callout::Poll => passing::poll_door as _,
        Callout::PollEdge => passing::poll_edge_door as _,
        Callout::PollLoop => passing::poll_loop_door as _,
        Callout::FlushEvents => passing::flush_events_door as _,
        Callout::Step => passing::step_door as _,
        Callout::FuelExhausted => fail::fuel_exhausted_door as _,
        Callout::FailIndex => fail::index_door as _,
        Callout::FailDivision => fail::division_door as _,
        Callout::FailUnwrap => fail::unwrap_door as _,
        Callout::Fail => fail::fail_door as _,
        Callout::Exit => fail::exit_door as _,
        Callout::Refill => memory::refill_door as _,
        Callout::NewRecord => memory::new_record_door as _,
        Callout::NewArray => memory::new_array_door as _,
        Callout::FloatRem => builtin::float_rem as _,
        Callout::Write => builtin::write_door as _,
        Callout::Show => builtin::show_door as _,
        Callout::Builtin(builtin) => builtin::door(builtin),
    };
    door as usize
}

/// Runs an operation that may fail.
fn run<T>(context: *mut Context, operation: impl FnOnce(&mut Runtime) -> Result<T, FailureKind>) -> T {
    let machine = machine(context);
    match operation(&mut machine.runtime) {
        Ok(value) => value,
        Err(kind) => unwind::raise(machine, kind),
    }
}

fn machine<'a>(context: *mut Context) -> &'a mut Machine {
    // SAFETY: compiled code passes the context of the machine that runs it, and waits for us.
    unsafe { machine_of(context) }
}
