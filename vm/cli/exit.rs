//! The statuses with which the process ends.

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
    /// This build cannot do it (EX_UNAVAILABLE).
    Unavailable,
    /// Ctrl-C.
    Interrupted,
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
            Self::Unavailable => 69,
            Self::Interrupted => 130,
            Self::Program(status) => status,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.status())
    }
}
