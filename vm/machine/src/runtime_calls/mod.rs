//! The operations of the runtime that compiled code calls.
//!
//! In: a context and operands, from compiled code. Out: a result, or an unwinding. Each has a stub
//! that notes the calling frame; those that are pure functions of floats have none.
//! Contract: operands are as `abi::RuntimeCall::signature` says; references are to objects that the
//! calling frame keeps. A runtime call that fails holds nothing with a destructor when it unwinds.

mod builtin;
mod fail;
mod memory;
mod preserving;

use holloway_abi::RuntimeCall;
use holloway_jit::PollStubs;

/// Addresses of what the context's stubs of polls lead to.
pub(super) fn polls() -> PollStubs {
    PollStubs {
        entry: preserving::poll_stub as *const () as usize,
        edge: preserving::poll_edge_stub as *const () as usize,
        header: preserving::poll_loop_stub as *const () as usize,
    }
}

/// Address of the stub of each runtime call.
pub(super) fn address(runtime_call: RuntimeCall) -> usize {
    let stub: *const () = match runtime_call {
        RuntimeCall::FlushEvents => preserving::flush_events_stub as _,
        RuntimeCall::CountPath => preserving::count_path_stub as _,
        RuntimeCall::CountStep => preserving::count_step_stub as _,
        RuntimeCall::EndRun => preserving::end_run_stub as _,
        RuntimeCall::SamplePath => preserving::sample_path_stub as _,
        RuntimeCall::SampleRun => preserving::sample_run_stub as _,
        RuntimeCall::FuelExhausted => fail::fuel_exhausted_stub as _,
        RuntimeCall::FailIndex => fail::index_stub as _,
        RuntimeCall::FailDivision => fail::division_stub as _,
        RuntimeCall::FailUnwrap => fail::unwrap_stub as _,
        RuntimeCall::FailMemory => fail::memory_stub as _,
        RuntimeCall::Fail => fail::fail_stub as _,
        RuntimeCall::Exit => fail::exit_stub as _,
        RuntimeCall::Refill => memory::refill_stub as _,
        RuntimeCall::NewRecord => memory::new_record_stub as _,
        RuntimeCall::NewArray => memory::new_array_stub as _,
        RuntimeCall::FloatRem => builtin::float_rem as _,
        RuntimeCall::Write => builtin::write_stub as _,
        RuntimeCall::Show => builtin::show_stub as _,
        RuntimeCall::Display => builtin::display_stub as _,
        RuntimeCall::HostNothing => builtin::host_nothing_stub as _,
        RuntimeCall::HostWord => builtin::host_word_stub as _,
        RuntimeCall::HostFloat => builtin::host_float_stub as _,
        RuntimeCall::HostBool => builtin::host_bool_stub as _,
        RuntimeCall::Builtin(builtin) => builtin::stub(builtin),
    };
    stub as usize
}
