//! Compiling a function at its first call. In: the function, from its stub. Out: the address to go on at; or the call
//! fails, because the function is too large for the compiler, or its frame for what is left of the stack.
#![expect(unsafe_code, reason = "called from compiled code with the context's address")]

use super::{machine_of, unwind};
use crate::failure::FailureKind;
use cranelift_entity::EntityRef;
use holloway_jit::Tier;
use holloway_jit::abi::Context;
use holloway_jit::translate::Probes;
use holloway_lang::ir::FuncRef;

/// What [`super::enter::lazy_target`] calls.
pub(super) extern "sysv64" fn compile_at_first_call(context: *mut Context, func: u32) -> usize {
    let func = FuncRef::new(func as usize);
    // SAFETY: stubs carry the context of the machine they belong to, whose program is calling.
    let machine = unsafe { machine_of(context) };
    let body = machine.runtime.module().function(func);
    let tier = machine.first_tier;
    let probes = match tier {
        Tier::Baseline => machine.profiles.probes(func, body),
        Tier::Optimized => Probes::default(),
    };
    match machine.code.compile(func, tier, probes) {
        Ok(entry) if machine.has_room_for_new_code() => entry,
        Ok(_) => unwind::raise(machine, FailureKind::StackOverflow),
        Err(kind) => unwind::raise(machine, kind),
    }
}
