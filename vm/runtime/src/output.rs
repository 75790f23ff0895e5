//! The program's output, with a buffer before its sink.
//!
//! In: bytes. Out: the same bytes in the same order at the sink, at the latest when the program ends, fails or reads
//! input.
//! Invariants: to a terminal a finished line is written at once. After a write error (a closed pipe) output is
//! discarded, the program is stopped at its next poll, and the error is kept for the caller that drives the program.

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
    /// Memory, to be taken by [`Output::take_captured`].
    Captured(Vec<u8>),
    /// A function that is given each piece.
    Callback(Writer),
}

/// The program's output.
pub struct Output {
    sink: Sink,
    buffer: Vec<u8>,
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
    /// Output to a sink.
    pub fn new(sink: Sink) -> Output {
        let to_terminal = matches!(sink, Sink::Stdout) && io::stdout().is_terminal();
        let pass_on = if to_terminal { PassOn::AtNewline } else { PassOn::WhenFull };
        Output { sink, buffer: Vec::new(), pass_on, mid_line: false, error: None, program: None }
    }

    /// Names the program to stop when output cannot be written.
    pub fn stop_on_error(&mut self, program: InterruptHandle) {
        self.program = Some(program);
    }

    /// Writes what `print` appends to the buffer it is given.
    pub fn write_with(&mut self, print: impl FnOnce(&mut Vec<u8>)) {
        let before = self.buffer.len();
        print(&mut self.buffer);
        let line_ended = self.pass_on == PassOn::AtNewline && self.buffer[before..].contains(&b'\n');
        if line_ended || self.buffer.len() >= BUFFER {
            self.flush();
        }
    }

    /// Writes everything to the sink.
    pub fn flush(&mut self) {
        self.mid_line = self.buffer.last().map_or(self.mid_line, |byte| *byte != b'\n');
        let result = match &mut self.sink {
            _ if self.error.is_some() => Ok(()),
            Sink::Stdout => {
                let mut out = io::stdout().lock();
                out.write_all(&self.buffer).and_then(|()| out.flush())
            }
            Sink::Captured(bytes) => {
                bytes.extend_from_slice(&self.buffer);
                Ok(())
            }
            Sink::Callback(take) => {
                if !self.buffer.is_empty() {
                    take(&self.buffer);
                }
                Ok(())
            }
        };
        self.buffer.clear();
        if let Err(error) = result {
            self.error = Some(error);
            self.program.iter().for_each(|program| program.raise(flag::OUTPUT));
        }
    }

    /// Returns true if the output written so far ends in the middle of a line; asking again covers only the output
    /// since.
    pub fn take_mid_line(&mut self) -> bool {
        std::mem::take(&mut self.mid_line)
    }

    /// Takes the output captured since the last call.
    pub fn take_captured(&mut self) -> Vec<u8> {
        self.flush();
        match &mut self.sink {
            Sink::Captured(bytes) => std::mem::take(bytes),
            Sink::Stdout | Sink::Callback(_) => Vec::new(),
        }
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
