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
///
/// # Safety
/// As for [`machine`].
pub(super) unsafe fn run<T>(
    context: *mut Context,
    operation: impl FnOnce(&mut Runtime) -> Result<T, FailureKind>,
) -> T {
    // SAFETY: the caller vouches for the context.
    let machine = unsafe { machine(context) };
    match operation(&mut machine.runtime) {
        Ok(value) => value,
        Err(kind) => unwind::raise(machine, kind),
    }
}

/// The machine that a runtime call is made from.
///
/// # Safety
/// The context is the one that compiled code, its stub or its barrier passed to the runtime call under way. The reference is used until that call
/// returns or unwinds, and it is the only one that is made in it.
pub(super) unsafe fn machine<'a>(context: *mut Context) -> &'a mut Machine {
    // SAFETY: entering compiled code stored the address of the machine that runs it, and waits for the code that now waits for us.
    unsafe { &mut *(*context).runtime.cast::<Machine>() }
}
