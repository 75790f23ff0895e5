//! The statuses with which the process ends, and its last words.
//!
//! In: the end of a command, with a text. Out: the text where it belongs, and a status. Invariant: results go to standard output,
//! errors to standard error.

use std::io::{self, Write};
use std::process::ExitCode;

/// The end of an invocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// No error occurred.
    Success,
    /// The program failed at run time, a check found something, a measurement went wrong.
    Failure,
    /// The command line is wrong (EX_USAGE).
    Usage,
    /// The program does not compile (EX_DATAERR).
    DoesNotCompile,
    /// A file is missing or cannot be read (EX_NOINPUT).
    NoInput,
    /// Ctrl-C.
    Interrupted,
    /// Another signal that ends a process, by its number.
    Signal(u8),
    /// A program of WebAssembly failed at run time.
    Trap,
    /// The argument of `exit` or the result of `main`: the low 8 bits.
    Program(u8),
}

impl Exit {
    /// The number the shell sees.
    pub fn status(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 1,
            Self::Usage => 64,
            Self::DoesNotCompile => 65,
            Self::NoInput => 66,
            Self::Interrupted => 130,
            Self::Signal(number) => 128 + number,
            Self::Trap => 134,
            Self::Program(status) => status,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.status())
    }
}

/// Reports on standard error why nothing was done.
pub fn refuse(reason: &dyn std::fmt::Display, exit: Exit) -> Exit {
    // If standard error is closed, there is nobody to tell.
    let _ = writeln!(io::stderr(), "holloway: {reason}");
    exit
}

/// Prints `text` to standard output. A reader that closes the pipe early, such as `head`, is no failure.
pub fn show(text: &str) -> Exit {
    show_bytes(text.as_bytes())
}

/// Prints what may be no text, as [`show`] does.
pub(crate) fn show_bytes(bytes: &[u8]) -> Exit {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Exit::Success,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        Err(error) => refuse(&format_args!("cannot write to standard output: {error}"), Exit::Failure),
    }
}
