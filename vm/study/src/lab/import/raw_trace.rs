//! The trace that a traced program writes.
//!
//! In: a file, and the build that it should be of. Out: its events, one by one. `c-trace/holloway_trace.c` describes the form.
//! Invariant: a trace that is cut short, open, or of another build is an error, never a shorter trace.

use std::fmt;
use std::io::{self, BufReader, Read};

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RawEvent {
    /// The block with this guard, counted from 0, is entered.
    Block(usize),
    /// The innermost activation returns.
    Return,
}

/// Reasons for which a file is no trace of a program.
#[derive(Debug)]
pub enum RawTraceError {
    /// It cannot be read.
    Read(io::Error),
    /// It does not start as a trace does.
    NoTrace,
    /// It ends within its header or before its last event.
    Short,
    /// The program was killed before it closed the trace.
    Open,
    /// Another build of the program wrote it.
    OtherBuild,
    /// The program has another number of guards than the text.
    OtherGuards {
        /// Those of the trace.
        trace: u64,
        /// Those of the text.
        text: u64,
    },
    /// An event is the number of no guard.
    NoGuard {
        /// The position of the event, from 1.
        event: u64,
        /// The number.
        guard: u32,
    },
}

impl fmt::Display for RawTraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RawTraceError::Read(error) => write!(f, "cannot read: {error}"),
            RawTraceError::NoTrace => f.write_str("this is no trace; c-trace/holloway_trace.c writes them"),
            RawTraceError::Short => f.write_str("the file ends before the trace does; run the program again"),
            RawTraceError::Open => {
                f.write_str("the trace was not closed: the program is running, was killed, or ended by _exit")
            }
            RawTraceError::OtherBuild => {
                f.write_str("the trace is of another build; compile, run and import the same text of LLVM IR")
            }
            RawTraceError::OtherGuards { trace, text } => {
                write!(
                    f,
                    "the traced program has {trace} guards, and the text {text}; link all its modules with llvm-link first"
                )
            }
            RawTraceError::NoGuard { event, guard } => {
                write!(f, "event {event} is guard {guard}, which does not exist")
            }
        }
    }
}

/// A trace that is being read.
pub(super) struct RawTrace<R> {
    bytes: BufReader<R>,
    guards: usize,
    events: u64,
    position: u64,
}

const MAGIC: &[u8; 8] = b"hwtrace1";

impl<R: Read> RawTrace<R> {
    /// Reads the header.
    pub(super) fn open(bytes: R, checksum: u32, guards: usize) -> Result<RawTrace<R>, RawTraceError> {
        let mut bytes = BufReader::with_capacity(1 << 16, bytes);
        let mut magic = [0; 8];
        match bytes.read_exact(&mut magic) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(RawTraceError::NoTrace),
            read => read.map_err(RawTraceError::Read)?,
        }
        if magic != *MAGIC {
            return Err(RawTraceError::NoTrace);
        }
        let module = word(&mut bytes)?;
        let traced = u64::from(word(&mut bytes)?);
        let events = u64::from(word(&mut bytes)?) | u64::from(word(&mut bytes)?) << 32;
        let text = guards as u64;
        if module != checksum {
            return Err(RawTraceError::OtherBuild);
        }
        if traced != text {
            return Err(RawTraceError::OtherGuards { trace: traced, text });
        }
        if events == 0 {
            return Err(RawTraceError::Open);
        }
        Ok(RawTrace { bytes, guards, events, position: 0 })
    }

    /// The next event; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<RawEvent>, RawTraceError> {
        if self.position == self.events {
            return Ok(None);
        }
        self.position += 1;
        let number = word(&mut self.bytes)?;
        let Some(guard) = (number as usize).checked_sub(1) else { return Ok(Some(RawEvent::Return)) };
        if guard >= self.guards {
            return Err(RawTraceError::NoGuard { event: self.position, guard: number });
        }
        Ok(Some(RawEvent::Block(guard)))
    }
}

fn word(bytes: &mut impl Read) -> Result<u32, RawTraceError> {
    let mut word = [0; 4];
    match bytes.read_exact(&mut word) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(RawTraceError::Short),
        read => read.map(|()| u32::from_le_bytes(word)).map_err(RawTraceError::Read),
    }
}
