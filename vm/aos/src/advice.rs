//! Advice: what was compiled how and where it was entered, as a JSON file for doing just that again, after
//! `[BGHKMMS06]`. Functions are named, with a hash of their bodies; steps are placed by the count of ticks. Invariant:
//! a damaged file is an error that says where; nothing of it is carried out.
//!
//! `[BGHKMMS06]` S. Blackburn et al., "The DaCapo Benchmarks: Java Benchmarking Development and Analysis", OOPSLA 2006.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use std::fmt;

use holloway_ir::Block;
use serde::{Deserialize, Serialize};

use crate::event::{DropReason, Transition};
use crate::input::BodyHash;
use crate::{CodePlan, CompilationId, Entry, FunctionInfo};

/// The version of the format.
pub const FORMAT: u32 = 6;

/// The steps of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Advice {
    pub format: u32,
    /// The target triple of the host it was written on; older files do not name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    pub steps: Vec<Step>,
}

/// One thing that was done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    pub tick: u64,
    pub function: String,
    pub hash: BodyHash,
    /// Why, if a version was dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DropReason>,
    #[serde(flatten)]
    pub change: Change,
}

/// A change of a function's versions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", content = "what", rename_all = "kebab-case")]
pub enum Change {
    Compile(CompiledVersion),
    /// A version was dropped: that of this compilation, or without one that of the first call.
    Drop(Option<CompilationId>),
    Retire(Option<CompilationId>),
    Reinstall(Option<CompilationId>),
    /// The function went from one phase to another. Nothing is done: it is told again.
    Enter(Box<Transition>),
}

/// A version that came into use.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompiledVersion {
    pub compilation: CompilationId,
    /// The header block it is entered at; by calls without one.
    pub header: Option<Block>,
    pub plan: CodePlan,
}

/// Why advice cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AdviceError {
    Damaged(String),
    Format(u32),
    /// So many steps are about a function that has another body.
    OtherBody(String, usize),
    /// So many steps are about a function that the program does not have.
    NoFunction(String, usize),
}

impl fmt::Display for AdviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(reason) => write!(f, "this is no advice: {reason}"),
            Self::Format(found) => {
                write!(f, "the advice has format {found}, and this version reads format {FORMAT}; record it again")
            }
            Self::OtherBody(name, steps) => write!(
                f,
                "the advice is about another version of `{name}`, so {}; record it again with --advice",
                left_out(*steps)
            ),
            Self::NoFunction(name, steps) => {
                write!(f, "the advice is about `{name}`, which the program does not have, so {}", left_out(*steps))
            }
        }
    }
}

/// A clause about steps that are not followed.
fn left_out(steps: usize) -> String {
    match steps {
        1 => "1 of its steps is left out".to_owned(),
        _ => format!("{steps} of its steps are left out"),
    }
}

impl std::error::Error for AdviceError {}

impl Advice {
    pub fn new(steps: Vec<Step>) -> Self {
        Self { format: FORMAT, host: Some(holloway_jit::arch::host()), steps }
    }

    /// As a file: a step a line.
    pub fn to_json(&self) -> String {
        let steps: Vec<String> =
            self.steps.iter().map(|step| serde_json::to_string(step).expect("a step is JSON")).collect();
        let host = self.host.as_ref().map(|host| format!("\"host\":\"{host}\",")).unwrap_or_default();
        match steps.as_slice() {
            [] => format!("{{\"format\":{},{host}\"steps\":[]}}\n", self.format),
            steps => format!("{{\"format\":{},{host}\"steps\":[\n{}\n]}}\n", self.format, steps.join(",\n")),
        }
    }

    /// Reads a file.
    pub fn parse(text: &str) -> Result<Self, AdviceError> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        let damaged = |error: serde_json::Error| AdviceError::Damaged(error.to_string());
        let head: Head = serde_json::from_str(text).map_err(damaged)?;
        if head.format != FORMAT {
            return Err(AdviceError::Format(head.format));
        }
        let advice: Self = serde_json::from_str(text).map_err(damaged)?;
        advice.check()?;
        Ok(advice)
    }
}

impl Step {
    pub fn new(tick: u64, info: &FunctionInfo, change: Change) -> Self {
        Self { tick, function: info.name.clone(), hash: info.hash, reason: None, change }
    }
}

impl CompiledVersion {
    /// A version that came into use.
    pub fn new(compilation: CompilationId, entry: Entry, plan: &CodePlan) -> Self {
        Self { compilation, header: entry.header(), plan: plan.clone() }
    }

    pub fn entry(&self) -> Entry {
        self.header.map_or(Entry::Call, Entry::Header)
    }
}
