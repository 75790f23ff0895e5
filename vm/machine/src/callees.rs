//! The functions of the machine that code calls, by address.
//!
//! In: nothing. Out: [`Callees`], which the store of code is made with, so that it knows no stub by name.

use holloway_abi::RuntimeCall;
use holloway_jit::PollStubs;

/// The functions of the machine that code calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Callees {
    /// The address of the stub that compiles a function at its first call.
    pub compile: usize,
    /// The address of the stub that the frame of a barrier returns to.
    pub passed: usize,
    /// The addresses that the context's stubs of polls lead to.
    pub polls: PollStubs,
    /// The address of each runtime call.
    pub runtime_calls: fn(RuntimeCall) -> usize,
}
