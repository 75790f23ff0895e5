//! Ctrl-C while the terminal is in its ordinary mode: it stops the program that runs.
//!
//! In: SIGINT, which the terminal sends then (the line editor reads Ctrl-C as a key). Out: the interrupt flag of the
//! engine at work, and a note for a thread that waits for a line. Invariant: one handler for the life of the process;
//! the engine it points at changes.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::{Exit, ctrl_c, refuse};
use holloway_runtime::InterruptHandle;

/// The handler of Ctrl-C.
#[derive(Clone, Default)]
pub(super) struct Interrupts(Arc<Shared>);

#[derive(Default)]
struct Shared {
    program: Mutex<Option<InterruptHandle>>,
    /// Number of presses since the last [`Interrupts::forget`].
    pressed: AtomicU32,
    /// True while another program has the terminal.
    is_lent: AtomicBool,
    /// The time at which the last one gave it back.
    returned: Mutex<Option<Instant>>,
}

/// The time that the thread of signals may take to hear of a press, on a busy machine. Nobody presses for a program that is started so soon.
const HEARD_WITHIN: Duration = Duration::from_millis(200);

/// The time for which another program has the terminal; see [`Interrupts::lend`].
pub(super) struct Lent(Arc<Shared>);

impl Drop for Lent {
    fn drop(&mut self) {
        *self.0.returned.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.0.is_lent.store(false, Ordering::SeqCst);
    }
}

impl Interrupts {
    /// Installs the handler of Ctrl-C.
    pub(super) fn listen() -> Self {
        let interrupts = Self::default();
        let shared = Arc::clone(&interrupts.0);
        if let Err(error) = ctrl_c::on_press(move || shared.press()) {
            refuse(&format_args!("Ctrl-C will end the session: {error}"), Exit::Failure);
        }
        interrupts
    }

    /// Sets the program that Ctrl-C stops.
    pub(super) fn point_at(&self, program: InterruptHandle) {
        *self.0.program.lock().unwrap_or_else(PoisonError::into_inner) = Some(program);
    }

    /// Leaves Ctrl-C to another program on the terminal, such as a pager or an editor, until what is returned is dropped.
    pub(super) fn lend(&self) -> Lent {
        self.0.is_lent.store(true, Ordering::SeqCst);
        Lent(Arc::clone(&self.0))
    }

    /// Discards earlier presses.
    pub(super) fn forget(&self) {
        self.0.pressed.store(0, Ordering::SeqCst);
    }

    /// Returns true if Ctrl-C was pressed.
    pub(super) fn pressed(&self) -> bool {
        self.0.pressed.load(Ordering::SeqCst) > 0
    }
}

impl Shared {
    /// Returns whether what is heard of now may have been pressed while another program had the terminal.
    fn was_just_lent(&self) -> bool {
        let returned = *self.returned.lock().unwrap_or_else(PoisonError::into_inner);
        returned.is_some_and(|at| at.elapsed() < HEARD_WITHIN)
    }

    /// Handles a press. One that another program got, too, is only noted. The first one asks the program to stop at its next poll. Polls are never far away but inside a
    /// built-in that works on very much data; so the third press, after a warning, ends the process.
    fn press(&self) {
        if self.is_lent.load(Ordering::SeqCst) || self.was_just_lent() {
            return self.pressed.store(1, Ordering::SeqCst);
        }
        if let Some(program) = &*self.program.lock().unwrap_or_else(PoisonError::into_inner) {
            program.interrupt();
        }
        match self.pressed.fetch_add(1, Ordering::SeqCst) {
            0 => {}
            1 => {
                let warning = "\nthe program is where it cannot be stopped; Ctrl-C once more ends holloway\n";
                let _ = io::stderr().write_all(warning.as_bytes());
            }
            _ => std::process::exit(i32::from(Exit::Interrupted.status())),
        }
    }
}
