//! Signals that end a program, outside of the line editor: Ctrl-C, and what the system sends to end a process.
//!
//! In: SIGINT, SIGTERM, SIGHUP. Out: the program's interrupt flag, or a call of somebody's action. Invariant: a run of
//! a program needs no thread for it, so that short programs start at once; actions that wait for others have one. A
//! signal that whoever started the process had it ignore is ignored.
#![expect(unsafe_code, reason = "a signal handler must keep to what is safe in one")]

use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::{SigId, low_level};

use super::Exit;
use holloway_runtime::InterruptHandle;

/// The signal that stopped the program last; 0 if none did.
static STOPPED_BY: AtomicI32 = AtomicI32::new(0);

/// Stopping a program by signals, until it ends.
pub struct Stop(Vec<SigId>);

impl Stop {
    /// Makes signals stop the program no more.
    pub(crate) fn end(self) {
        self.0.into_iter().for_each(|id| _ = low_level::unregister(id));
    }
}

/// Makes signals stop the program at its next poll, so that what it printed and its profile are kept; a second one,
/// before that poll, ends the process.
pub(crate) fn stop(program: &InterruptHandle) -> io::Result<Stop> {
    let asked_before = Arc::new(AtomicI32::new(0));
    let mut registered = Vec::new();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if signal == SIGHUP && is_ignored(signal) {
            continue;
        }
        let (program, asked_before) = (program.clone(), Arc::clone(&asked_before));
        let arrived = move || {
            STOPPED_BY.store(signal, Ordering::SeqCst);
            if asked_before.swap(signal, Ordering::SeqCst) != 0 {
                low_level::exit(i32::from(exit().status()));
            }
            program.interrupt();
        };
        // SAFETY: the handler writes atomics and the bytes of polls, and ends the process without any clean-up; it
        // neither allocates nor waits.
        registered.push(unsafe { low_level::register(signal, arrived) }?);
    }
    Ok(Stop(registered))
}

/// The end of a program that was stopped: by Ctrl-C, unless another signal did it.
pub(crate) fn exit() -> Exit {
    match STOPPED_BY.load(Ordering::SeqCst) {
        0 | SIGINT => Exit::Interrupted,
        signal => Exit::Signal(signal as u8),
    }
}

/// Returns true if the process ignores a signal, as under `nohup`.
fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: nothing is installed, and the pointer is valid for writes of a `sigaction`, which has no invalid bit
    // patterns and was zeroed.
    let action = unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

/// Makes each press of Ctrl-C do something, on a thread of its own.
pub(crate) fn on_press(mut action: impl FnMut() + Send + 'static) -> io::Result<()> {
    let mut presses = Signals::new([SIGINT])?;
    let listen = move || presses.forever().for_each(|_| action());
    thread::Builder::new().name("ctrl-c".to_owned()).spawn(listen)?;
    Ok(())
}
