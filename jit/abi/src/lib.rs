//! The agreement between compiled code and the runtime: the context that code reads and writes at fixed
//! offsets, the layout of heap objects, the operations of the runtime that code calls, and the polls that the runtime arms
//! in code; and that of all tiers with the profiler, the graph of a function. It knows neither the one nor the other side.
//!
//! Invariant: every offset here is used by both sides through these definitions, never by number.
//! The context does not move while code exists: its address is a constant inside the code.

pub mod graph_of;
mod linear;
mod poll_sites;

pub use linear::{Bounds, LinearAddresses};
pub use poll_sites::{ALL_REASONS, Opcodes, PollSites, Reason, Site};

use holloway_ir::builtin::Builtin;
use holloway_ir::{Block, Elem, FailKind, MOST_HOST_OPERANDS, RecordRef, Scalar};
use std::sync::atomic::{AtomicU32, AtomicUsize};

/// The number of registers, besides the frame pointer, that C functions keep.
pub const EXIT_REGISTERS: usize = 5;

/// Size classes of small objects: class `c` holds cells of `16 * c` bytes.
pub const SIZE_CLASSES: usize = 33;
/// Bytes a size class grows by.
pub const CLASS_STEP: usize = 16;
/// Largest object that is allocated from a size class.
pub const MAX_SMALL: usize = (SIZE_CLASSES - 1) * CLASS_STEP;

/// Words that the context has for the state; headers with more live locals are not left.
pub const MAX_STATE: usize = 256;

/// Of [`Context::leaving`]: whichever header comes first.
pub const ANY_HEADER: u32 = u32::MAX;

/// Returns the value of [`Context::leaving`] for frames that wait to be left at a header.
pub fn header_number(header: Block) -> u32 {
    header.as_u32() + 1
}

/// State shared by compiled code and the runtime. One for each engine, in memory that never moves.
#[derive(Debug)]
#[repr(C)]
pub struct Context {
    /// Prologues go to the poll when the stack pointer is below. An interrupt sets it to the
    /// largest address, so that one compare serves both.
    pub stack_limit: AtomicUsize,
    /// Loop headers go to the poll when this is not 0.
    pub interrupt: AtomicU32,
    /// The OSR exit that some frame waits for: a [`header_number`], [`ANY_HEADER`], or 0 if none does. Headers at which that is
    /// possible look at it. It is next to [`Context::interrupt`], so that one compare serves both.
    pub leaving: AtomicU32,
    /// Fuel left; counted down by calls and loop iterations only where code was compiled to.
    pub fuel: i64,
    /// Frame pointer of the compiled frame that last called the runtime.
    pub exit_fp: usize,
    /// Address in that frame to which the call returns.
    pub exit_pc: usize,
    /// Stack pointer of that frame: what lies below is the runtime's.
    pub exit_sp: usize,
    /// That frame's values of the registers that the C convention preserves.
    pub exit_registers: [u64; EXIT_REGISTERS],
    /// Stack pointer of the host at the entry into compiled code.
    pub host_sp: usize,
    /// The message of the failure being handled: a string object.
    pub caught: usize,
    /// First free cell of each size class, or 0. A free cell holds 0 and the address of the next.
    pub free: [usize; SIZE_CLASSES],
    /// The runtime that owns this context.
    pub runtime: *mut core::ffi::c_void,
    /// The OSR entry at which the polling frame goes on; 0 if it goes on where it is.
    pub transfer: usize,
    /// The address for the next word of the event buffer.
    pub events: usize,
    /// The end of the event buffer, but for room for the words of one report.
    pub events_end: usize,
    /// For [`RuntimeCall::CountPath`] the address of the table's header, for [`RuntimeCall::CountStep`] the first state.
    pub path_table: usize,
    /// The answer of [`RuntimeCall::CountPath`]: the address of the slot.
    pub path_slot: usize,
    /// For [`RuntimeCall::CountStep`]: the state, then the state behind.
    pub step_state: u64,
    /// For [`RuntimeCall::FailIndex`]: the index.
    pub index: i64,
    /// For [`RuntimeCall::FailIndex`]: the length that it is not below.
    pub length: i64,
    /// Bytes of the linear memory that can be used.
    pub memory_size: u64,
    /// For [`RuntimeCall::EndRun`]: the address of the cell.
    pub run_cell: usize,
    /// For [`RuntimeCall::EndRun`]: the bits of the run that begins.
    pub run_bits: u64,
    /// For [`RuntimeCall::EndRun`]: its executions so far.
    pub run_count: u64,
    /// For [`RuntimeCall::SamplePath`] and [`RuntimeCall::SampleRun`]: the address of the cell.
    pub burst_cell: usize,
    /// For the same: the tag of the activation, then the one that it has from now on.
    pub tag: u64,
    /// For the same: the id of the path, or of a loop's first iteration. For [`RuntimeCall::CountPath`] the word of the path, for
    /// [`RuntimeCall::CountStep`] the item.
    pub path: u64,
    /// For [`RuntimeCall::SampleRun`]: the id of every other iteration.
    pub further_path: u64,
    /// For [`RuntimeCall::SampleRun`]: the number of iterations.
    pub iterations: u64,
    /// For path probes: the word that an activation passed last to the one it called or returned to.
    pub passed: i64,
    /// For path probes: the completions of the path that is passed; 0 if the callee is to begin one.
    pub passed_completions: i64,
    /// For path probes: 1 if the path that is passed knows no caller, else 0.
    pub passed_detached: i64,
    /// The frame state that an OSR exit passes to the OSR entry.
    pub state: [u64; MAX_STATE],
    /// Written by each poll: where a function that others are inlined into goes on instead, or 0. The depth of calls is
    /// only looked at when a frame is made, so close to the limit code without inlined calls runs.
    pub instead: usize,
    /// Polls on back edges until one is looked into, that one included.
    pub countdown: u32,
    /// The [`header_number`] of the loop header that polls, where frames can be left.
    pub header: u32,
}

const _: () = assert!(std::mem::offset_of!(Context, leaving) == std::mem::offset_of!(Context, interrupt) + 4);

/// Words that one report takes at most: a register of bits, with what announces it.
pub const EVENT_ROOM: usize = 1 << 14;

/// Offset of the shape word in every heap object.
pub const SHAPE: i32 = 0;
/// Offset of the length in arrays and strings.
pub const LEN: i32 = 8;
/// Offset of the first element in arrays.
pub const ELEMENTS: i32 = 16;
/// Offset, in a string, of its base: the address from which its bytes lie as the elements of an array do. It never
/// changes.
pub const BASE: i32 = 16;
/// Offset of the bytes in a string that holds them itself, and of the buffer in one that does not. The base tells
/// which.
pub const CHARS: i32 = 24;
/// Offset of the first field in records; every field takes 8 bytes.
pub const FIELDS: i32 = 8;

/// The kind of object that a shape word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A free cell.
    Free,
    /// An array.
    Array(Elem),
    /// An immutable byte string.
    Str,
    /// The bytes of several strings, with room for more.
    Buffer,
    /// A record.
    Record(RecordRef),
}

const STR_WORD: u64 = 1 + Elem::Char as u64;
const BUFFER_WORD: u64 = STR_WORD + 1;
const FIRST_RECORD_WORD: u64 = BUFFER_WORD + 1;

impl Shape {
    /// The shape word.
    pub fn word(self) -> u64 {
        match self {
            Shape::Free => 0,
            Shape::Array(elem) => 1 + elem as u64,
            Shape::Str => STR_WORD,
            Shape::Buffer => BUFFER_WORD,
            Shape::Record(record) => FIRST_RECORD_WORD + u64::from(record.as_u32()),
        }
    }

    /// The shape of a shape word that [`Shape::word`] made.
    pub fn of_word(word: u64) -> Shape {
        match word {
            0 => Shape::Free,
            1..STR_WORD => Shape::Array(Elem::ALL[(word - 1) as usize]),
            STR_WORD => Shape::Str,
            BUFFER_WORD => Shape::Buffer,
            record => Shape::Record(RecordRef::from_u32((record - FIRST_RECORD_WORD) as u32)),
        }
    }
}

/// Bytes a record of that many fields takes, header included.
pub fn record_size(fields: usize) -> usize {
    FIELDS as usize + 8 * fields
}

macro_rules! runtime_calls {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// An operation of the runtime that compiled code calls by address.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum RuntimeCall {
            $($(#[doc = $doc])* $name,)*
            /// Any builtin that takes no type.
            Builtin(Builtin),
        }

        impl RuntimeCall {
            /// Every runtime call but the builtins.
            pub const PLAIN: &[RuntimeCall] = &[$(RuntimeCall::$name,)*];
        }
    };
}

runtime_calls! {
    /// The event buffer is full.
    FlushEvents,
    /// Counts [`Context::path`]. The runtime only sees paths for which the table has no slot.
    CountPath,
    /// Counts a step of [`Context::path`], for which the row of the state has no slot.
    CountStep,
    /// Folds the run in [`Context::run_cell`] and begins another. The runtime only sees paths for which the cell has no slot.
    EndRun,
    /// Records [`Context::path`] if it is in a burst. The runtime only sees paths for which the batch has no room.
    SamplePath,
    /// Records those iterations of a loop with one path that are in bursts.
    SampleRun,
    /// Fuel ran out.
    FuelExhausted,
    /// Raises `index out of range`, of [`Context::index`] and [`Context::length`]. Operands would be wanted in certain registers, and take
    /// index and length out of others in the loop around.
    FailIndex,
    /// Raises `division by zero`.
    FailDivision,
    /// Raises `unwrapped none`.
    FailUnwrap,
    /// Raises `out of bounds memory access`.
    FailMemory,
    /// Raises the failure of a `fail` terminator: kind, message.
    Fail,
    /// Ends the program: status.
    Exit,
    /// Puts at least one cell on the free list of a size class: the class. It gives no reference back, so that
    /// the caller has none to keep in a place that nobody clears.
    Refill,
    /// Allocates a record too large for a size class: its id. Fields are 0.
    NewRecord,
    /// Allocates an array: element kind, length, the bits of the element to fill it with.
    NewArray,
    /// C's `fmod`.
    FloatRem,
    /// Prints a value: type id, the value's bits.
    Write,
    /// Prints a value as inside arrays: type id, the value's bits.
    Show,
    /// The text of a value as a string: type id, the value's bits.
    Display,
    /// Calls a function of the host that has no result: its number, the bits of each operand, 0 for those that it has not.
    HostNothing,
    /// The same, with a result that is a word.
    HostWord,
    /// The same, with a result that is a float.
    HostFloat,
    /// The same, with a result that is a truth value.
    HostBool,
}

/// The signature of a runtime call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeCallSignature {
    /// True if the context comes first. Those without it are pure and never unwind.
    pub context: bool,
    /// Operands in order, after the context.
    pub params: Vec<Scalar>,
    /// The result.
    pub result: Option<Scalar>,
    /// True if it can end in a run-time failure.
    pub unwinds: bool,
    /// The registers that it keeps.
    pub keeps: Keeps,
}

/// Which registers a runtime call keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Those that C functions keep.
    CalleeSaved,
    /// All of them, so that a rare call in a loop costs the loop no register.
    All,
}

/// Gives the address of each of the runtime's operations.
pub type RuntimeCalls = fn(RuntimeCall) -> usize;

impl RuntimeCall {
    /// Its name in listings of machine code.
    pub fn name(self) -> String {
        match self {
            RuntimeCall::Builtin(builtin) => builtin.name().to_owned(),
            other => format!("{other:?}"),
        }
    }

    /// The runtime call that carries out a builtin, with the extra first operand of the typed ones.
    pub fn of_builtin(builtin: Builtin) -> (RuntimeCall, Option<i64>) {
        match builtin {
            Builtin::Write(ty) => (RuntimeCall::Write, Some(i64::from(ty.as_u32()))),
            Builtin::Show(ty) => (RuntimeCall::Show, Some(i64::from(ty.as_u32()))),
            Builtin::Display(ty) => (RuntimeCall::Display, Some(i64::from(ty.as_u32()))),
            Builtin::Host(call) => {
                let runtime_call = match call.result {
                    None => RuntimeCall::HostNothing,
                    Some(Scalar::Float) => RuntimeCall::HostFloat,
                    Some(Scalar::Bool) => RuntimeCall::HostBool,
                    Some(Scalar::Int | Scalar::Ref | Scalar::Func) => RuntimeCall::HostWord,
                };
                (runtime_call, Some(i64::from(call.host.as_u32())))
            }
            other => (RuntimeCall::Builtin(other), None),
        }
    }

    /// Its signature.
    pub fn signature(self) -> RuntimeCallSignature {
        let with = |params: &[Scalar], result, unwinds| RuntimeCallSignature {
            context: true,
            params: params.to_vec(),
            result,
            unwinds,
            keeps: Keeps::CalleeSaved,
        };
        match self {
            RuntimeCall::FlushEvents
            | RuntimeCall::CountPath
            | RuntimeCall::CountStep
            | RuntimeCall::EndRun
            | RuntimeCall::SamplePath
            | RuntimeCall::SampleRun => RuntimeCallSignature { keeps: Keeps::All, ..with(&[], None, false) },
            RuntimeCall::FuelExhausted
            | RuntimeCall::FailIndex
            | RuntimeCall::FailDivision
            | RuntimeCall::FailUnwrap
            | RuntimeCall::FailMemory => with(&[], None, true),
            RuntimeCall::Fail => with(&[Scalar::Int, Scalar::Ref], None, true),
            RuntimeCall::Exit => with(&[Scalar::Int], None, true),
            RuntimeCall::Refill => with(&[Scalar::Int], None, true),
            RuntimeCall::NewRecord => with(&[Scalar::Int], Some(Scalar::Ref), true),
            RuntimeCall::NewArray => with(&[Scalar::Int, Scalar::Int, Scalar::Int], Some(Scalar::Ref), true),
            RuntimeCall::FloatRem => RuntimeCallSignature {
                context: false,
                params: vec![Scalar::Float, Scalar::Float],
                result: Some(Scalar::Float),
                unwinds: false,
                keeps: Keeps::CalleeSaved,
            },
            RuntimeCall::Write | RuntimeCall::Show => with(&[Scalar::Int, Scalar::Int], None, false),
            RuntimeCall::Display => with(&[Scalar::Int, Scalar::Int], Some(Scalar::Ref), true),
            RuntimeCall::HostNothing => with(&HOST_PARAMS, None, true),
            RuntimeCall::HostWord => with(&HOST_PARAMS, Some(Scalar::Int), true),
            RuntimeCall::HostFloat => with(&HOST_PARAMS, Some(Scalar::Float), true),
            RuntimeCall::HostBool => with(&HOST_PARAMS, Some(Scalar::Bool), true),
            RuntimeCall::Builtin(builtin) => RuntimeCallSignature {
                context: builtin.needs_runtime(),
                params: builtin.params().expect("typed builtins have their own runtime calls").to_vec(),
                result: builtin.result(),
                unwinds: builtin.can_fail(),
                keeps: Keeps::CalleeSaved,
            },
        }
    }
}

/// The number of a function of the host, and its operands.
const HOST_PARAMS: [Scalar; 1 + MOST_HOST_OPERANDS] = [Scalar::Int; 1 + MOST_HOST_OPERANDS];

/// The number a kind of failure has in the call of [`RuntimeCall::Fail`].
pub fn fail_kind_number(kind: FailKind) -> i64 {
    FailKind::ALL.iter().position(|known| *known == kind).expect("every kind is listed") as i64
}

/// The kind of failure of that number.
pub fn fail_kind_of_number(number: i64) -> FailKind {
    FailKind::ALL[number as usize]
}
