//! The program's output, with a buffer before its sink.
//!
//! In: bytes. Out: the same bytes in the same order at the sink, at the latest when the program ends, fails or reads
//! input.
//! Invariants: to a terminal a finished line is written at once. No more is held than a buffer, and no more is captured
//! than the limit. After a write error (a closed pipe, or the limit of what is captured) output is discarded, the
//! program is stopped at its next poll, and the error is kept for the caller that drives the program; that the limit
//! was reached, until what was captured is taken.

use super::context::{InterruptHandle, flag};
use std::io::{self, IsTerminal, Write};

/// Number of bytes gathered before they are written.
const BUFFER: usize = 64 * 1024;

/// A function that is given each piece of the output.
pub type Writer = Box<dyn FnMut(&[u8]) + Send>;

/// The far end.
#[derive(Default)]
pub enum Sink {
    /// Standard output.
    #[default]
    Stdout,
    /// Memory, to be taken by [`Output::take_captured`]. It holds as much as the heap may have; a program that prints
    /// more is stopped.
    Captured(Vec<u8>),
    /// A function that is given each piece.
    Callback(Writer),
}

/// The far end of what `eprint` writes.
#[derive(Default)]
pub enum ErrorSink {
    /// Standard error.
    #[default]
    Stderr,
    /// A function that is given each line.
    Callback(Writer),
}

impl ErrorSink {
    /// Writes a text and a newline. If that cannot be done, there is nobody to tell.
    pub(crate) fn write_line(&mut self, text: &[u8]) {
        match self {
            ErrorSink::Stderr => {
                let mut to = io::stderr().lock();
                let _ = to.write_all(text).and_then(|()| to.write_all(b"\n"));
            }
            ErrorSink::Callback(take) => take(&[text, b"\n"].concat()),
        }
    }

    /// Writes bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) {
        match self {
            ErrorSink::Stderr => {
                let _ = io::stderr().lock().write_all(bytes);
            }
            ErrorSink::Callback(take) => take(bytes),
        }
    }
}

/// The program's output.
pub struct Output {
    sink: Sink,
    /// Bytes that may be captured, if they are.
    limit: Option<usize>,
    buffer: Vec<u8>,
    /// Bytes that the sink may still take.
    room: usize,
    pass_on: PassOn,
    /// True if the last byte that was passed on did not end a line.
    mid_line: bool,
    error: Option<io::Error>,
    /// The handle that stops the program whose output this is.
    program: Option<InterruptHandle>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PassOn {
    WhenFull,
    AtNewline,
}

impl Output {
    /// Output to a sink, which captures so many bytes at most.
    pub fn new(sink: Sink, most_captured: usize) -> Output {
        let to_terminal = matches!(sink, Sink::Stdout) && io::stdout().is_terminal();
        let pass_on = if to_terminal { PassOn::AtNewline } else { PassOn::WhenFull };
        let limit = matches!(sink, Sink::Captured(_)).then_some(most_captured);
        let room = limit.unwrap_or(usize::MAX);
        Output { sink, limit, buffer: Vec::new(), room, pass_on, mid_line: false, error: None, program: None }
    }

    /// Names the program to stop when output cannot be written.
    pub fn stop_on_error(&mut self, program: InterruptHandle) {
        self.program = Some(program);
    }

    /// Writes what `print` appends to the buffer it is given: a piece that is short beside the buffer. Returns whether
    /// something was passed on or lost, so that the program may have to stop.
    pub fn write_with(&mut self, print: impl FnOnce(&mut Vec<u8>)) -> bool {
        let before = self.buffer.len();
        print(&mut self.buffer);
        if self.buffer.len() > self.room {
            self.buffer.truncate(self.room);
            self.flush();
            self.lose(io::Error::new(io::ErrorKind::StorageFull, "as much output is captured as may be"));
            return true;
        }
        let line_ended = self.pass_on == PassOn::AtNewline && self.buffer[before..].contains(&b'\n');
        let is_due = line_ended || self.buffer.len() >= BUFFER;
        if is_due {
            self.flush();
        }
        is_due
    }

    /// Writes everything to the sink.
    #[inline]
    pub fn flush(&mut self) {
        if !self.buffer.is_empty() {
            self.write_buffer();
        }
    }

    fn write_buffer(&mut self) {
        self.mid_line = self.buffer.last().map_or(self.mid_line, |byte| *byte != b'\n');
        let result = match &mut self.sink {
            _ if self.error.is_some() => Ok(()),
            Sink::Stdout => {
                let mut out = io::stdout().lock();
                out.write_all(&self.buffer).and_then(|()| out.flush())
            }
            Sink::Captured(bytes) => {
                bytes.extend_from_slice(&self.buffer);
                self.room -= self.buffer.len();
                Ok(())
            }
            Sink::Callback(take) => {
                take(&self.buffer);
                Ok(())
            }
        };
        self.buffer.clear();
        if let Err(error) = result {
            self.lose(error);
        }
    }

    /// Discards the buffer and all that comes, and stops the program.
    fn lose(&mut self, error: io::Error) {
        self.buffer.clear();
        self.room = if self.limit.is_some() { 0 } else { self.room };
        self.error = Some(error);
        self.program.iter().for_each(|program| program.raise(flag::OUTPUT));
    }

    /// Returns true if the output written so far ends in the middle of a line; asking again covers only the output
    /// since.
    pub fn take_mid_line(&mut self) -> bool {
        std::mem::take(&mut self.mid_line)
    }

    /// Takes the output captured since the last call.
    pub fn take_captured(&mut self) -> Vec<u8> {
        self.flush();
        match (&mut self.sink, self.limit) {
            (Sink::Captured(bytes), Some(limit)) => {
                self.room = limit;
                if self.error.take().is_some() {
                    self.program.iter().for_each(|program| program.withdraw(flag::OUTPUT));
                }
                std::mem::take(bytes)
            }
            (Sink::Captured(_) | Sink::Stdout | Sink::Callback(_), _) => Vec::new(),
        }
    }

    /// Returns true if the program has printed more than may be captured.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.limit.is_some() && self.error.is_some()
    }

    /// Returns whether somebody sees it on a terminal, line by line.
    pub fn is_terminal(&self) -> bool {
        self.pass_on == PassOn::AtNewline
    }

    /// The first error of the sink.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.flush();
    }
}
