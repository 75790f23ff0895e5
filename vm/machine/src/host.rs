//! Calls of the host by the program, and of the program by the host in them.
//!
//! In: the number of a function of the host, with its operands, from compiled code. Out: the result, or a failure of the
//! calling instruction. The host runs on its own stack, below the call that entered compiled code, as its functions may
//! need more than the program's stack has left. When it calls the program back, new frames stand below those that wait.
//!
//! Invariants: the frames of the program between two calls from the host are one segment; a walk sees the innermost one.
//! Those that wait are in [`Machine::suspended`], with their own barriers, and no version that they are in is freed. Calls
//! count against one limit of their depth, whatever segment they are in.
#![expect(unsafe_code, reason = "called from compiled code, with its context; switches stacks")]

use super::Machine;
use super::caller::machine;
use super::depth::{Depth, Suspended};
use super::unwind;
use holloway_abi::Context;
use holloway_ir::{FuncRef, HostRef, MOST_HOST_OPERANDS};
use holloway_jit::arch::on_host_stack;
use holloway_runtime::Runtime;
use holloway_runtime::failure::Unwind;
use holloway_runtime::host::{self, Caller, HostEnd};
use std::ffi::c_void;
use std::mem::replace;

/// A call of the host on its way to the host's stack and back.
struct Crossing<'a> {
    machine: &'a mut Machine,
    host: HostRef,
    words: [u64; MOST_HOST_OPERANDS],
    result: Option<Result<u64, HostEnd>>,
}

/// Calls the host; an end other than a result unwinds.
///
/// # Safety
/// The context is that of the runtime call under way, and the operands are of the function's types.
pub(super) unsafe fn call_host(context: *mut Context, host: u64, words: [u64; MOST_HOST_OPERANDS]) -> u64 {
    // SAFETY: the caller vouches for the context.
    let machine = unsafe { machine(context) };
    let before = machine.inner_top;
    let mut crossing = Crossing { machine, host: HostRef::from_u32(host as u32), words, result: None };
    // SAFETY: compiled code called the runtime, so it runs between an entry and its end; `cross` takes a crossing.
    unsafe { on_host_stack(context, (&raw mut crossing).cast(), cross) };
    let Crossing { machine, result, .. } = crossing;
    machine.inner_top = before;
    match result.expect("the host has answered") {
        Ok(word) => word,
        Err(HostEnd::Failure(kind)) => unwind::raise(machine, kind),
        Err(HostEnd::Exit(status)) => unwind::exit(machine, status),
    }
}

/// Calls the host, on its stack. No panic comes out of it.
///
/// # Safety
/// The data is a [`Crossing`] that nobody else uses.
unsafe extern "C" fn cross(data: *mut c_void, program_sp: usize) {
    // SAFETY: the caller vouches for it.
    let crossing = unsafe { &mut *data.cast::<Crossing<'_>>() };
    crossing.machine.inner_top = program_sp & !15;
    crossing.result = Some(host::call(crossing.machine, crossing.host, &crossing.words));
}

impl Caller<Runtime> for Machine {
    fn runtime(&mut self) -> &mut Runtime {
        &mut self.runtime
    }

    fn call(&mut self, func: FuncRef, args: &[u64]) -> Result<Option<u64>, Unwind> {
        let state = self.runtime.context().exit_state();
        let pins = self.runtime.pin_all(&state.registers);
        let exit = self.exit_frame();
        let (_, active) = self.count_frames(exit);
        let inner = Depth::inside(self.inner_top, self.code.barrier, active);
        self.suspended.push(Suspended { exit, depth: replace(&mut self.depth, inner) });
        let outermost = self.outermost.replace(func);
        let (params, of) = self.scalars_of(func);
        let result = self.call_at(self.inner_top, func, (&params, of), args);
        self.outermost = outermost;
        let Suspended { depth, .. } = self.suspended.pop().expect("it was pushed above");
        self.depth = depth;
        self.runtime.unpin_to(pins);
        self.runtime.context_mut().set_exit_state(&state);
        self.apply_limit();
        result
    }
}
