//! A line from the terminal in its ordinary mode: for the program's `input()`, and for plain operation.
//!
//! In: standard input, a terminal or a stream, or a text that was read from it. Out: a line, or the reason for which there is none. Invariant: Ctrl-C ends
//! the wait.

use std::io::{self, BufRead, Cursor};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::interrupts::Interrupts;
use holloway_runtime::Input;

/// The result of waiting for a line.
pub(super) enum Line {
    /// A line, with its newline unless the input ended.
    Text(Vec<u8>),
    /// Ctrl-D.
    End,
    /// Ctrl-C.
    Interrupted,
}

/// The terminal in its ordinary mode; see the module.
#[derive(Clone)]
pub(super) struct Keyboard {
    interrupts: Interrupts,
    /// The text in place of standard input.
    text: Option<Arc<Mutex<Cursor<Vec<u8>>>>>,
}

impl Keyboard {
    /// Reads standard input, or a text in its place.
    pub(super) fn new(interrupts: Interrupts, text: Option<&[u8]>) -> Self {
        Self { interrupts, text: text.map(|text| Arc::new(Mutex::new(Cursor::new(text.to_owned())))) }
    }

    /// Discards an earlier Ctrl-C. To be called before a prompt is written: what comes after that is meant for it.
    pub(super) fn forget_interrupt(&self) {
        self.interrupts.forget();
    }

    /// The source that a program's `input()` reads.
    pub(super) fn input(&self) -> Input {
        let keyboard = self.clone();
        Input::Callback(Box::new(move || match keyboard.read() {
            Line::Text(line) => Some(line),
            Line::End | Line::Interrupted => None,
        }))
    }

    /// Waits for a line.
    pub(super) fn read(&self) -> Line {
        let mut line = Vec::new();
        let read = match &self.text {
            Some(text) => text.lock().unwrap_or_else(PoisonError::into_inner).read_until(b'\n', &mut line),
            None if !self.wait() => return Line::Interrupted,
            None => io::stdin().lock().read_until(b'\n', &mut line),
        };
        match read {
            Ok(0) | Err(_) => Line::End,
            Ok(_) => Line::Text(line),
        }
    }

    /// Waits until reading would not block. Returns false if Ctrl-C came first. A read that has begun cannot be
    /// cancelled, as the signal is handled on another thread; so the flag is checked at intervals.
    fn wait(&self) -> bool {
        const BETWEEN_LOOKS: Timespec = Timespec { tv_sec: 0, tv_nsec: 30_000_000 };
        let stdin = io::stdin();
        while !self.interrupts.pressed() {
            match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&BETWEEN_LOOKS)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) | Err(_) => return true,
            }
        }
        false
    }
}
