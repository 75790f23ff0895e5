//! A line of standard input, be it a terminal in its ordinary mode or a stream: for the program's `input()`, and for
//! operation without the line editor.
//!
//! In: standard input, a terminal or a stream, or a text that was read from it. Out: a line, or the reason for which
//! there is none. Invariants: Ctrl-C ends the wait; nothing waits while a line that was read already is left.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::interrupts::Interrupts;
use holloway_runtime::Input;

/// The result of waiting for a line.
pub(super) enum Line {
    /// A line, with its newline unless the input ended.
    Text(Vec<u8>),
    /// Ctrl-D, or the end of the stream.
    End,
    /// Ctrl-C.
    Interrupted,
}

/// The source of lines; see the module.
#[derive(Clone)]
pub(super) struct Keyboard {
    interrupts: Interrupts,
    source: Arc<Mutex<Kind>>,
}

/// The kinds of source.
enum Kind {
    /// Standard input, with a buffer whose content can be looked at; none if it is closed.
    Stdin(Option<BufReader<File>>),
    /// A text in its place.
    Text(Cursor<Vec<u8>>),
}

impl Keyboard {
    /// Reads standard input, or a text in its place.
    pub(super) fn new(interrupts: Interrupts, text: Option<&[u8]>) -> Self {
        let source = match text {
            Some(text) => Kind::Text(Cursor::new(text.to_owned())),
            None => Kind::Stdin(io::stdin().as_fd().try_clone_to_owned().ok().map(|fd| BufReader::new(fd.into()))),
        };
        Self { interrupts, source: Arc::new(Mutex::new(source)) }
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
        match &mut *self.source.lock().unwrap_or_else(PoisonError::into_inner) {
            Kind::Text(text) => _ = text.read_until(b'\n', &mut line),
            Kind::Stdin(Some(stdin)) => {
                while !line.ends_with(b"\n") {
                    if stdin.buffer().is_empty() && !self.wait(stdin) {
                        return Line::Interrupted;
                    }
                    let read = match stdin.fill_buf() {
                        Ok([]) => break,
                        Ok(read) => read,
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        Err(_) => break,
                    };
                    let end = read.iter().position(|byte| *byte == b'\n').map_or(read.len(), |newline| newline + 1);
                    line.extend_from_slice(&read[..end]);
                    stdin.consume(end);
                }
            }
            Kind::Stdin(None) => {}
        }
        if line.is_empty() { Line::End } else { Line::Text(line) }
    }

    /// Waits until reading would not block. Returns false if Ctrl-C came first. A read that has begun cannot be
    /// cancelled, as the signal is handled on another thread; so the flag is checked at intervals.
    fn wait(&self, stdin: &BufReader<File>) -> bool {
        const BETWEEN_LOOKS: Timespec = Timespec { tv_sec: 0, tv_nsec: 30_000_000 };
        while !self.interrupts.pressed() {
            match poll(&mut [PollFd::new(stdin.get_ref(), PollFlags::IN)], Some(&BETWEEN_LOOKS)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) | Err(_) => return true,
            }
        }
        false
    }
}
