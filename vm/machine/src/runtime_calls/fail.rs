//! Runtime calls that raise failures.
#![expect(unsafe_code, reason = "stubs are naked functions, and words stand for references")]

use super::super::caller::machine;
use super::super::unwind;
use holloway_abi::{Context, fail_kind_of_number};
use holloway_ir::FailKind;
use holloway_jit::arch::runtime_call_stub;
use holloway_runtime::failure::FailureKind;
use holloway_runtime::heap::Obj;

runtime_call_stub!(fuel_exhausted_stub => fuel_exhausted);
runtime_call_stub!(index_stub => index);
runtime_call_stub!(division_stub => division);
runtime_call_stub!(unwrap_stub => unwrap);
runtime_call_stub!(memory_stub => memory);
runtime_call_stub!(fail_stub => fail);
runtime_call_stub!(exit_stub => exit);

unsafe extern "C" fn fuel_exhausted(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    let machine = unsafe { machine(context) };
    machine.runtime.context_mut().set_fuel(0);
    unwind::raise(machine, FailureKind::FuelExhausted)
}

unsafe extern "C" fn index(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    let machine = unsafe { machine(context) };
    let (index, len) = machine.runtime.context().out_of_range();
    unwind::raise(machine, FailureKind::IndexOutOfRange { len: len as usize, index })
}

unsafe extern "C" fn division(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    unwind::raise(unsafe { machine(context) }, FailureKind::DivisionByZero)
}

unsafe extern "C" fn unwrap(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    unwind::raise(unsafe { machine(context) }, FailureKind::UnwrappedNone)
}

unsafe extern "C" fn memory(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    unwind::raise(unsafe { machine(context) }, FailureKind::MemoryOutOfBounds)
}

unsafe extern "C" fn fail(context: *mut Context, kind: i64, message: u64) {
    // SAFETY: the operand is a string, or `none`.
    let message = unsafe { Obj::from_word(message) };
    // SAFETY: compiled code passed its context.
    unwind::raise(unsafe { machine(context) }, failure_kind(fail_kind_of_number(kind), message))
}

fn failure_kind(kind: FailKind, message: Option<Obj>) -> FailureKind {
    let text = message.map(|message| message.bytes().to_vec());
    match kind {
        FailKind::User => FailureKind::User(text.expect("`fail` has a message")),
        FailKind::Assert => FailureKind::AssertionFailed(text),
        FailKind::StepIsZero => FailureKind::StepIsZero,
        FailKind::Unreachable => FailureKind::Unreachable,
        FailKind::IntegerOverflow => FailureKind::IntegerOverflow,
        FailKind::InvalidConversion => FailureKind::InvalidConversion,
    }
}

unsafe extern "C" fn exit(context: *mut Context, status: i64) {
    // SAFETY: compiled code passed its context.
    unwind::exit(unsafe { machine(context) }, status)
}
