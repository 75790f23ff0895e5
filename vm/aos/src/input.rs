//! Inputs of the controller, as plain data: everything it knows about the running program. Invariant: nothing here
//! refers to live code; counts are since a version was installed, and exact.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use holloway_ir::{Block, FuncRef, Terminator};
use holloway_jit::{Leaving, Tier, VersionId};
use serde::{Deserialize, Serialize};

use crate::event::{Persistent, TraceFormed};
use crate::loop_key::LoopKey;
pub use crate::micros::Micros;

pub use crate::function_info::{BodyHash, FunctionInfo, LoopInfo};

/// A tick of the timer, taken at a poll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tick {
    /// The function whose code polled: the one that was compiled, not one inlined into it.
    pub func: FuncRef,
    pub version: VersionId,
    pub tier: Tier,
    /// The header of the function's own loop that the poll is in; of the innermost around the call in an inlined function; `None` at a prologue.
    pub loop_header: Option<Block>,
    /// The innermost loop around the poll that is one of an inlined function.
    pub inlined: Option<InlinedLoop>,
    /// Caller of the function, where known.
    pub caller: Option<FuncRef>,
    /// Executions that baseline code has counted, where the tick fell on it.
    pub counted: Option<Executions>,
}

/// Executions that baseline code has counted of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Executions {
    pub calls: u64,
    pub back_edges: u64,
}

/// A loop of an inlined function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlinedLoop {
    pub callee: FuncRef,
    pub header: Block,
    /// The line of the call that it is inlined at, in the function that was compiled.
    pub call_line: u32,
}

impl Tick {
    /// The innermost loop around the poll.
    pub fn innermost(&self) -> Option<LoopKey> {
        match self.inlined {
            Some(inlined) => Some(LoopKey { callee: Some(inlined.callee), header: inlined.header }),
            None => self.loop_header.map(LoopKey::own),
        }
    }
}

#[derive(Clone, Default, PartialEq, Debug)]
pub struct CompileOutcome {
    pub figures: CompileFigures,
    /// The specialized loops in it: those that were asked for and could be formed.
    pub loops: Vec<(LoopKey, TraceFormed)>,
    /// Places at which it can be left while it runs.
    pub leaving: Leaving,
    /// IR instructions of the functions that were inlined.
    pub inlined_size: u64,
}

/// Figures of a compilation.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompileFigures {
    pub micros: Micros,
    /// Instructions of the IR it started from.
    pub ir_size: u64,
    pub code_bytes: u64,
    /// Calls that were replaced by the bodies of their callees.
    #[serde(default)]
    pub inlined: u32,
    /// Those of them that are indirect calls, inlined behind a test.
    #[serde(default)]
    pub guarded: u32,
    /// The time of each part of the compiler.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartTime>,
}

/// The time that a part of the compiler took: a pass of the optimizer, translation, or something that Cranelift does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PartTime {
    pub part: String,
    /// Its own time, in microseconds.
    pub micros: f64,
}

/// Progress of versions up to one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// CPU time of the program's thread, in nanoseconds.
    pub nanos: u64,
    /// Iterations that each version counted since it was compiled.
    pub iterations: Vec<(VersionId, u64)>,
}

/// Findings of a profiled version, whose window is full or which was looked at often enough.
#[derive(Clone, PartialEq, Debug)]
pub struct ProfileFindings {
    pub micros: Micros,
    /// Each loop of the function that ran, and of those that are inlined into it and were watched.
    pub loops: Vec<(LoopKey, Persistent)>,
}

/// Report on how the guards of one trace did, since its version was installed.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopGuards {
    pub at: LoopKey,
    /// Iterations of the loop that were begun on the trace.
    pub iterations: u64,
    /// Number of them that left it through a guard, or were made behind one, off a way through the loop.
    pub failures: u64,
    pub per_guard: Vec<GuardCount>,
}

/// Number of times one guard failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GuardCount {
    /// The line of its condition.
    pub line: u32,
    #[serde(default)]
    pub column: u32,
    /// The arm that was taken instead of the trace's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arm: Option<Arm>,
    /// The line that it leads to.
    #[serde(default)]
    pub to: u32,
    /// The line that the trace's own arm leads to, of a branch with two arms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<u32>,
    /// Which path of the traces, from 1 on; `None` of a test in front of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<u32>,
    pub failures: u64,
}

/// An arm of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    True,
    False,
    /// That of a case of a switch.
    Case(i64),
    Other,
}

impl Arm {
    /// The first arm of a branch that leads to a block; `None` if it does not branch.
    pub fn to(branch: &Terminator, target: Block) -> Option<Arm> {
        match branch {
            Terminator::Branch { then, .. } if *then == target => Some(Arm::True),
            Terminator::Branch { .. } => Some(Arm::False),
            Terminator::Switch { cases, .. } => {
                let case = cases.iter().find(|(_, to)| *to == target);
                Some(case.map_or(Arm::Other, |(value, _)| Arm::Case(*value)))
            }
            _ => None,
        }
    }

    /// The block of the other arm of a branch that has two.
    pub fn other(branch: &Terminator, target: Block) -> Option<Block> {
        match branch {
            Terminator::Branch { then, otherwise, .. } => Some(if *then == target { *otherwise } else { *then }),
            _ => None,
        }
    }

    pub fn words(self) -> String {
        match self {
            Arm::True => "its condition was true".to_owned(),
            Arm::False => "its condition was false".to_owned(),
            Arm::Case(value) => format!("the case was {value}"),
            Arm::Other => "it was none of the cases".to_owned(),
        }
    }
}
