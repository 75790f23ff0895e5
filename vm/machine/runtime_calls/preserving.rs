//! Runtime calls that preserve all registers: polls, the event buffer, and new steps in forests of paths.
#![expect(unsafe_code, reason = "stubs are naked functions")]

use super::super::poll::Polled;
use super::{machine, preserving_stub, unwind};
use holloway_jit::abi::Context;

preserving_stub!(poll_stub => poll);
preserving_stub!(poll_edge_stub counted => poll_edge);
preserving_stub!(poll_loop_stub counted unless leaving => poll_loop);
preserving_stub!(flush_events_stub => flush_events);
preserving_stub!(step_stub => step);

extern "sysv64" fn poll(context: *mut Context) {
    let machine = machine(context);
    let polled = machine.poll();
    settle(machine, polled);
}

extern "sysv64" fn poll_loop(context: *mut Context) {
    let machine = machine(context);
    let polled = machine.poll_loop();
    settle(machine, polled);
}

extern "sysv64" fn poll_edge(context: *mut Context) {
    let machine = machine(context);
    let polled = machine.poll_edge();
    settle(machine, polled);
}

fn settle(machine: &mut super::Machine, polled: Polled) {
    match polled {
        Polled::Continue => {}
        Polled::Fail(kind) => unwind::raise(machine, kind),
        Polled::FailCall(kind) => {
            machine.exit_to_caller();
            unwind::raise(machine, kind)
        }
    }
}

extern "sysv64" fn flush_events(context: *mut Context) {
    machine(context).flush_events();
}

extern "sysv64" fn step(context: *mut Context) {
    machine(context).step();
}
