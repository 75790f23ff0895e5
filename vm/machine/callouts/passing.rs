//! Callouts in passing: polls, the event buffer, and new steps in forests of paths.
#![expect(unsafe_code, reason = "doorways are naked functions")]

use super::super::poll::Polled;
use super::{machine, passing, unwind};
use holloway_jit::abi::Context;

passing!(poll_door => poll);
passing!(poll_edge_door counted => poll_edge);
passing!(poll_loop_door counted unless leaving => poll_loop);
passing!(flush_events_door => flush_events);
passing!(step_door => step);

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
