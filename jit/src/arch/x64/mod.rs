//! x86-64 with the System V calling convention.
//!
//! In and out: as [`super`] says; `relax` makes jumps and immediate operands of optimized code as short as they can be, once
//! Cranelift is done. Invariant: code lies within 2 GiB, so 32 bits reach from any of it to any other.

mod counting;
mod disassembly;
mod entries;
mod host_call;
mod interrupted;
mod loops;
mod mix;
mod polls;
mod relax;
mod routines;
mod stubs;
mod tables;

pub use disassembly::{Disassembled, disassemble};
pub use entries::{Left, enter, leave, on_host_stack, resume};
pub use host_call::HostCall;
pub use interrupted::{Interrupted, call_instead};
pub use loops::{encloses, loops};
pub use mix::{Mix, mix};
pub use polls::{CALLS, POLL_SIZE, branches_in_place, poll_operand, poll_stub};
pub use relax::{Fixed, Moves, Relaxed, relaxed};
pub use routines::library_routine;
pub use stubs::{STUB_SIZE, lazy_stub, return_barrier};
pub use tables::without_bounds;

use cranelift_codegen::isa::CallConv;

/// The convention of C functions.
pub const C: CallConv = CallConv::SystemV;

/// The convention of C functions that keep every register.
pub const C_KEEPS_ALL: CallConv = CallConv::PreserveAll;

/// The convention of compiled functions among themselves: it keeps no register, over exceptions neither, as a `try_call` needs.
pub const COMPILED: CallConv = CallConv::Tail;

/// The convention of C functions that may unwind into a handler: operands that are all in registers are where [`C`] has them.
pub const C_UNWINDS: CallConv = COMPILED;

/// The byte between codes: an instruction that stops the process.
pub const FILLER: u8 = 0xcc;

/// Offset of the caller's frame pointer, from the address that the frame pointer has in a frame.
pub const CALLER_FP: usize = 0;

/// Offset of the return address, from the same.
pub const RETURN_ADDRESS: usize = 8;

const _: () =
    assert!(holloway_abi::EXIT_REGISTERS == 5, "C functions keep rbx and r12 to r15, besides the frame pointer");
