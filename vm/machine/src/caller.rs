//! The machine whose code calls the runtime.
//!
//! In: the context that a runtime call is given. Out: its machine; or the result of an operation on its runtime, whose
//! failure unwinds instead.
#![expect(unsafe_code, reason = "called from compiled code, with its context")]

use super::Machine;
use super::unwind;
use holloway_abi::Context;
use holloway_runtime::Runtime;
use holloway_runtime::failure::FailureKind;

/// Runs an operation that may fail.
pub(super) fn run<T>(context: *mut Context, operation: impl FnOnce(&mut Runtime) -> Result<T, FailureKind>) -> T {
    let machine = machine(context);
    match operation(&mut machine.runtime) {
        Ok(value) => value,
        Err(kind) => unwind::raise(machine, kind),
    }
}

/// The machine that a runtime call is made from. The reference is used only until that runtime call returns or unwinds.
pub(super) fn machine<'a>(context: *mut Context) -> &'a mut Machine {
    // SAFETY: compiled code, its stubs and its barriers pass the context of the machine that runs them; entering that
    // code stored the machine's address there, and waits for the code that now waits for us.
    unsafe { &mut *(*context).runtime.cast::<Machine>() }
}
