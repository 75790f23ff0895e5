//! The machine: all that the compiler and the runtime know of it, beyond what Cranelift does.
//!
//! In: addresses, names of routines. Out: stubs, routines, calling conventions and the registers they keep, frames, the switch of stacks; the host's name.
//! Each machine is a folder with these items; there is one.
//! Invariant: nothing outside this folder contains bytes of instructions, or assembly.

mod host;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod x64;

pub use crate::{barrier_target, lazy_target, preserving_stub, runtime_call_stub};
pub use host::{UnsupportedHost, check_host, host};
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use x64::{
    C, C_KEEPS_ALL, C_UNWINDS, CALLER_FP, CALLS, COMPILED, Disassembled, FILLER, Fixed, HostCall, Interrupted, Left,
    Mix, Moves, POLL_SIZE, RETURN_ADDRESS, Relaxed, STUB_SIZE, branches_in_place, call_instead, disassemble, encloses,
    enter, lazy_stub, leave, library_routine, loops, mix, on_host_stack, poll_operand, poll_stub, relaxed, resume,
    return_barrier, without_bounds,
};

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!(
    "Holloway compiles for Linux on x86-64; another machine needs a folder beside `jit/src/arch/x64` with the items that \
     `jit/src/arch/mod.rs` names"
);
