//! The records of a run's file, one thing that was observed each.
//!
//! In: made while a program runs. Out: lines of JSON, in the order in which things happened. `docs/runs.md` describes each field.
//! Invariant: a record refers to what stands before it alone, by its place among the records of that kind.
#![expect(missing_docs, reason = "`docs/runs.md` describes every field")]

use holloway_aos::input::BodyHash;
use holloway_aos::{Clock, Event};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::report::story::VersionRow;

/// The version of the file's form; rises when a field changes its meaning or goes.
pub const FORMAT: u32 = 1;

/// One record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// The first one: what ran, and how.
    Run(Head),
    /// A file of the program.
    Source(Source),
    /// A function of the program.
    Function(Function),
    /// A version of compiled code, when it is in its place.
    Version(Version),
    /// A place that samples fell on.
    Frame(Frame),
    /// A call stack that samples fell on.
    Stack(Stack),
    /// Samples since the record of this kind before.
    Samples { samples: Vec<Sample> },
    /// An event of the adaptive system.
    Event { event: Box<Event> },
    /// The figures of a version at the end.
    Figures(VersionRow),
    /// Names of addresses that code refers to.
    Addresses { names: Vec<(u64, String)> },
    /// The machine code of a version.
    Code(MachineCode),
    /// Decisions about the calls in a version.
    Inlining(Inlining),
    /// The last one.
    End(End),
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Head {
    pub format: u32,
    pub schema: u32,
    pub holloway: String,
    pub program: String,
    pub args: Vec<String>,
    pub host: String,
    /// Seconds since 1970.
    pub date: u64,
    pub clock: Clock,
    pub policy: String,
    /// Samples a second, if any are taken.
    pub hz: Option<u32>,
    pub settings: Value,
    pub calibration: Value,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    pub file: String,
    pub text: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    pub file: String,
    pub line: u32,
    pub last_line: u32,
    pub hash: BodyHash,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Version {
    pub id: u32,
    /// Stays the same from run to run of the same decisions: `scan/trace-1`.
    pub name: String,
    /// Its function, as an index into the functions.
    pub function: u32,
    /// `baseline`, `optimized`, `profiled` or `specialized`.
    pub tier: String,
    pub entry_line: Option<u32>,
    pub bytes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// The function of the source, as an index into the functions.
    pub function: u32,
    pub line: u32,
    /// The version whose code it is, as an index into the versions.
    pub version: u32,
    /// True iff the function is inlined there into the one of the next frame.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inlined: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Stack {
    pub doing: Doing,
    /// Frames, innermost first, as indices into the frames.
    pub frames: Vec<u32>,
    /// Frames of compiled code that are not told behind those of the innermost ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
}

/// The work of the program's thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    /// It ran compiled code.
    Code,
    /// It was in the runtime, the compiler or the host, called by compiled code.
    Runtime,
    /// It was outside of the program's code.
    Outside,
}

/// A sample: its time, what it stands for, both CPU time of the program's thread in microseconds; and the stack.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "(f64, f64, u32)", into = "(f64, f64, u32)")]
pub struct Sample {
    pub at: f64,
    pub weight: f64,
    pub stack: u32,
}

impl From<(f64, f64, u32)> for Sample {
    fn from((at, weight, stack): (f64, f64, u32)) -> Sample {
        Sample { at, weight, stack }
    }
}

impl From<Sample> for (f64, f64, u32) {
    fn from(sample: Sample) -> (f64, f64, u32) {
        (sample.at, sample.weight, sample.stack)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MachineCode {
    /// The version, as an index into the versions.
    pub version: u32,
    /// Its bytes, two hexadecimal digits each.
    pub bytes: String,
    /// Origins of instructions: first and last offset (exclusive), function, line.
    pub lines: Vec<(u32, u32, u32, u32)>,
}

/// Machine code as text, which is made of [`MachineCode`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Code {
    /// The version, as an index into the versions.
    pub version: u32,
    pub instructions: Vec<Instruction>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Instruction {
    pub offset: u32,
    pub text: String,
    /// Loops around it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: usize,
    /// The function and the line that it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Inlining {
    /// The version, as an index into the versions.
    pub version: u32,
    pub calls: Vec<Call>,
}

/// A call of a known function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// The function and the line that it stands in.
    pub at: (u32, u32),
    /// The function that is called.
    pub callee: u32,
    /// IR instructions of the callee.
    pub size: usize,
    /// IR instructions that could still be inlined.
    pub budget: usize,
    /// The inlined call that it stands behind, as an index into the calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// The reason for which it was not inlined; absent if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declined: Option<String>,
}

fn is_zero(depth: &usize) -> bool {
    *depth == 0
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct End {
    /// CPU time of the program's thread, in microseconds.
    pub cpu: f64,
    /// That of it that samples stand for.
    pub sampled: f64,
    /// Samples that there was no room for.
    pub lost: u64,
    /// Exit status.
    pub status: u8,
}
