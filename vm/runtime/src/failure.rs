//! Abnormal ends of a program: run-time failures, and `exit`.
//!
//! In: the fault that an operation found. Out: one typed value with its span and the call stack; the command line
//! renders it against the sources.
//! Invariant: every tier raises the same kind, with the same data and the same spans, at the same point of the program.

use holloway_ir::{FuncRef, FunctionKind, Module, Span};
use std::borrow::Cow;
use std::fmt;

/// The kind of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// An index below 0 or not below the length.
    IndexOutOfRange {
        /// Length of the array or string.
        len: usize,
        /// The index.
        index: i64,
    },
    /// A range that is not `0 <= from <= to <= len`; also of `copy` and `text`.
    SliceOutOfRange {
        /// The start.
        from: i64,
        /// The end, exclusive.
        to: i64,
        /// Length of the array or string.
        len: usize,
    },
    /// `/` or `%` by 0.
    DivisionByZero,
    /// `e!` of `none`.
    UnwrappedNone,
    /// The call stack is full.
    StackOverflow,
    /// `[e; n]` with `n` below 0.
    NegativeArrayLength {
        /// The length asked for.
        len: i64,
    },
    /// The heap limit is reached, or one object is beyond it.
    OutOfMemory,
    /// A function too large for the compiler was called in a compiled tier.
    FunctionTooLarge,
    /// `assert` of false, with the message given.
    AssertionFailed(Option<Vec<u8>>),
    /// `fail e`.
    User(Vec<u8>),
    /// `for` with a step of 0.
    StepIsZero,
    /// `chr(n)` where `n` is no Unicode scalar value.
    InvalidCharacter {
        /// The number.
        value: i64,
    },
    /// `d[k]` of a key that is not there, with the key as it prints inside of others.
    KeyNotFound(Vec<u8>),
    /// `repeat(s, n)` with `n` below 0.
    NegativeLength,
    /// `split` at, or `replace` of, an empty string.
    EmptyPart,
    /// `ord` of an empty string.
    NoCharacter,
    /// A function of files where the program may use none.
    FilesNotAllowed,
    /// A file cannot be read.
    CannotRead {
        /// The path.
        path: Vec<u8>,
        /// The reason.
        reason: String,
    },
    /// A file cannot be written.
    CannotWrite {
        /// The path.
        path: Vec<u8>,
        /// The reason.
        reason: String,
    },
    /// An access outside of the linear memory.
    MemoryOutOfBounds,
    /// An access outside of a table.
    TableOutOfBounds,
    /// A call through an entry that a table does not have.
    UndefinedElement,
    /// A call through an entry without a function.
    UninitializedElement,
    /// A call through an entry whose function has another type.
    IndirectCallMismatch,
    /// A place that is said never to be reached.
    Unreachable,
    /// A result that its type cannot hold.
    IntegerOverflow,
    /// A conversion of NaN to an integer.
    InvalidConversion,
    /// Division by 0, in a module of WebAssembly.
    IntegerDivideByZero,
    /// The call stack is full, in a module of WebAssembly.
    CallStackExhausted,
    /// The user stopped the program.
    Interrupted,
    /// The fuel is used up.
    FuelExhausted,
    /// The time is used up.
    TimeExhausted,
    /// The program's output cannot be written, for instance because its reader is gone.
    OutputLost,
}

/// One function on the call stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameInfo {
    /// The function.
    pub function: FuncRef,
    /// The position in it: the span of the failure in the innermost frame, of the call in progress in the others.
    pub at: Span,
}

/// A failure that nothing caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// The span.
    pub span: Span,
    /// The active functions that the program declares, innermost first: see [`Failure::new`]. Never empty, and the first
    /// one's position is `span`.
    pub stack: Vec<FrameInfo>,
}

/// Reasons for which a call into the program does not return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwind {
    /// A failure.
    Failure(Failure),
    /// `exit(n)`.
    Exit(i64),
}

impl Failure {
    /// A failure with all active functions, innermost first. Those that the compiler provides are left out, so that a
    /// failure in them is one of the program that called them; if there are no others, the innermost one stays. What both the
    /// language and WebAssembly know is called as the program's kind has it.
    pub fn new(module: &Module, kind: FailureKind, mut stack: Vec<FrameInfo>) -> Failure {
        let is_own = |frame: &FrameInfo| module.function(frame.function).kind != FunctionKind::Provided;
        match stack.iter().any(is_own) {
            true => stack.retain(is_own),
            false => stack.truncate(1),
        }
        let kind = match kind {
            FailureKind::DivisionByZero if module.linear.is_some() => FailureKind::IntegerDivideByZero,
            FailureKind::StackOverflow if module.linear.is_some() => FailureKind::CallStackExhausted,
            other => other,
        };
        Failure { kind, span: stack[0].at, stack }
    }
}

impl FailureKind {
    /// Returns true if `try` catches it.
    pub fn is_catchable(&self) -> bool {
        match self {
            FailureKind::Interrupted
            | FailureKind::FuelExhausted
            | FailureKind::TimeExhausted
            | FailureKind::OutputLost => false,
            FailureKind::IndexOutOfRange { .. }
            | FailureKind::SliceOutOfRange { .. }
            | FailureKind::DivisionByZero
            | FailureKind::UnwrappedNone
            | FailureKind::StackOverflow
            | FailureKind::NegativeArrayLength { .. }
            | FailureKind::OutOfMemory
            | FailureKind::FunctionTooLarge
            | FailureKind::AssertionFailed(_)
            | FailureKind::User(_)
            | FailureKind::StepIsZero
            | FailureKind::InvalidCharacter { .. }
            | FailureKind::KeyNotFound(_)
            | FailureKind::NegativeLength
            | FailureKind::EmptyPart
            | FailureKind::NoCharacter
            | FailureKind::FilesNotAllowed
            | FailureKind::CannotRead { .. }
            | FailureKind::CannotWrite { .. }
            | FailureKind::MemoryOutOfBounds
            | FailureKind::TableOutOfBounds
            | FailureKind::UndefinedElement
            | FailureKind::UninitializedElement
            | FailureKind::IndirectCallMismatch
            | FailureKind::Unreachable
            | FailureKind::IntegerOverflow
            | FailureKind::InvalidConversion
            | FailureKind::IntegerDivideByZero
            | FailureKind::CallStackExhausted => true,
        }
    }

    /// The message that `catch` binds and reports show: bytes, because `fail` takes any string.
    pub fn message(&self) -> Cow<'_, [u8]> {
        let text: Cow<'static, str> = match self {
            FailureKind::User(message) => return Cow::Borrowed(message),
            FailureKind::AssertionFailed(Some(message)) => {
                return Cow::Owned([b"assertion failed: ", message.as_slice()].concat());
            }
            FailureKind::AssertionFailed(None) => "assertion failed".into(),
            FailureKind::KeyNotFound(key) => return Cow::Owned([b"key not found: ", key.as_slice()].concat()),
            FailureKind::CannotRead { path, reason } => {
                return Cow::Owned([b"cannot read ", path.as_slice(), b": ", reason.as_bytes()].concat());
            }
            FailureKind::CannotWrite { path, reason } => {
                return Cow::Owned([b"cannot write ", path.as_slice(), b": ", reason.as_bytes()].concat());
            }
            FailureKind::IndexOutOfRange { len, index } => {
                format!("index out of range: the length is {len} but the index is {index}").into()
            }
            FailureKind::SliceOutOfRange { from, to, len } => {
                format!("slice out of range: {from}..{to} of length {len}").into()
            }
            FailureKind::DivisionByZero => "division by zero".into(),
            FailureKind::UnwrappedNone => "unwrapped none".into(),
            FailureKind::StackOverflow => "stack overflow".into(),
            FailureKind::NegativeArrayLength { len } => format!("negative array length: {len}").into(),
            FailureKind::OutOfMemory => "out of memory".into(),
            FailureKind::FunctionTooLarge => "function too large to compile".into(),
            FailureKind::StepIsZero => "step is zero".into(),
            FailureKind::InvalidCharacter { value } => {
                format!("invalid character: {value} is no Unicode scalar value").into()
            }
            FailureKind::NegativeLength => "negative length".into(),
            FailureKind::EmptyPart => "the text to look for is empty".into(),
            FailureKind::NoCharacter => "an empty string has no character".into(),
            FailureKind::FilesNotAllowed => "files are not allowed".into(),
            FailureKind::MemoryOutOfBounds => "out of bounds memory access".into(),
            FailureKind::TableOutOfBounds => "out of bounds table access".into(),
            FailureKind::UndefinedElement => "undefined element".into(),
            FailureKind::UninitializedElement => "uninitialized element".into(),
            FailureKind::IndirectCallMismatch => "indirect call type mismatch".into(),
            FailureKind::Unreachable => "unreachable".into(),
            FailureKind::IntegerOverflow => "integer overflow".into(),
            FailureKind::InvalidConversion => "invalid conversion to integer".into(),
            FailureKind::IntegerDivideByZero => "integer divide by zero".into(),
            FailureKind::CallStackExhausted => "call stack exhausted".into(),
            FailureKind::Interrupted => "interrupted".into(),
            FailureKind::FuelExhausted => "out of fuel".into(),
            FailureKind::TimeExhausted => "out of time".into(),
            FailureKind::OutputLost => "the output cannot be written".into(),
        };
        match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.message()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for Failure {}
