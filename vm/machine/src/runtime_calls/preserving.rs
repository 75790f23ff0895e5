//! Runtime calls that preserve all registers: polls, the event buffer, new slabs of paths, bursts, and new runs of executions.
#![expect(unsafe_code, reason = "called from compiled code, with its context")]

use super::super::caller::machine;
use super::super::poll::Polled;
use super::super::{Machine, unwind};
use holloway_abi::Context;
use holloway_jit::arch::preserving_stub;

preserving_stub!(poll_stub at entries => poll);
preserving_stub!(poll_edge_stub on edges => poll_edge);
preserving_stub!(poll_loop_stub at headers => poll_loop);
preserving_stub!(flush_events_stub => flush_events);
preserving_stub!(count_path_stub searching paths => count_path);
preserving_stub!(count_step_stub => count_step);
preserving_stub!(sample_path_stub sampling paths => sample_path);
preserving_stub!(sample_run_stub sampling runs => sample_run);
preserving_stub!(end_run_stub ending runs => begin_run);

unsafe extern "C" fn poll(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    let machine = unsafe { machine(context) };
    let polled = machine.poll();
    settle(machine, polled);
}

unsafe extern "C" fn poll_loop(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    let machine = unsafe { machine(context) };
    let polled = machine.poll_loop();
    settle(machine, polled);
}

unsafe extern "C" fn poll_edge(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    let machine = unsafe { machine(context) };
    let polled = machine.poll_edge();
    settle(machine, polled);
}

fn settle(machine: &mut Machine, polled: Polled) {
    match polled {
        Polled::Continue => {}
        Polled::Fail(kind) => unwind::raise(machine, kind),
        Polled::FailCall(kind) => {
            machine.exit_to_caller();
            unwind::raise(machine, kind)
        }
    }
}

unsafe extern "C" fn flush_events(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    unsafe { machine(context) }.flush_events();
}

unsafe extern "C" fn begin_run(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    unsafe { machine(context) }.begin_run();
}

unsafe extern "C" fn count_path(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    unsafe { machine(context) }.count_path();
}

unsafe extern "C" fn count_step(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    unsafe { machine(context) }.count_step();
}

unsafe extern "C" fn sample_path(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    unsafe { machine(context) }.sample_path();
}

unsafe extern "C" fn sample_run(context: *mut Context) {
    // SAFETY: compiled code passed its context.
    unsafe { machine(context) }.sample_run();
}
