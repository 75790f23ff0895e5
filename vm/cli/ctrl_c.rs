//! Ctrl-C outside of the line editor: what it stops.
//!
//! In: SIGINT. Out: the program's interrupt flag, or a call of somebody's action. Invariant: a run of a program needs no thread for
//! it, so that short programs start at once; actions that wait for others have one.
#![expect(unsafe_code, reason = "a signal handler must keep to what is safe in one")]

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;
use signal_hook::{SigId, low_level};

use super::Exit;
use crate::runtime::InterruptHandle;

/// Stopping a program by Ctrl-C, until it ends.
pub(crate) struct Stop(SigId);

impl Stop {
    /// Makes presses stop the program no more.
    pub(crate) fn end(self) {
        low_level::unregister(self.0);
    }
}

/// Makes Ctrl-C stop the program at its next poll; a second press, before that poll, ends the process.
pub(crate) fn stop(program: InterruptHandle) -> io::Result<Stop> {
    let asked_before = AtomicBool::new(false);
    let press = move || {
        if asked_before.swap(true, Ordering::SeqCst) {
            low_level::exit(i32::from(Exit::Interrupted.status()));
        }
        program.interrupt();
    };
    // SAFETY: the handler writes atomics and the bytes of polls, and ends the process without any clean-up; it neither allocates
    // nor waits.
    unsafe { low_level::register(SIGINT, press) }.map(Stop)
}

/// Makes each press do something, on a thread of its own.
pub(crate) fn on_press(mut action: impl FnMut() + Send + 'static) -> io::Result<()> {
    let mut presses = Signals::new([SIGINT])?;
    let listen = move || presses.forever().for_each(|_| action());
    thread::Builder::new().name("ctrl-c".to_owned()).spawn(listen)?;
    Ok(())
}
