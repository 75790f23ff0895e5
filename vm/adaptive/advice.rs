//! Advice: what was compiled how and where it was entered, for doing just that again.
//!
//! In: the steps of a run. Out: a JSON file, and it read back. Functions are named, with a hash of their bodies; steps are placed by the count of ticks,
//! which a replay takes from polls. After the replay compilation of Jikes RVM.
//!
//! `[BGHKMMS06]` S. Blackburn et al., "The DaCapo Benchmarks: Java Benchmarking Development and Analysis", OOPSLA 2006: replay compilation.
//!
//! Invariant: a damaged file is an error that says where; nothing of it is carried out.

use std::fmt;

use holloway_jit::trace::{Layout, Split};
use holloway_lang::ir::{Block, FuncRef, Local};
use serde::{Deserialize, Serialize};

use super::directive::{CodePlan, CompilationId, Entry, Window};
use super::input::{BodyHash, FunctionInfo};
use super::specialization::{LayoutText, LoopPlan, Specialization, TracePlan, TraceSource};
use super::state_advice::StateAdvice;

/// The version of the format.
pub const FORMAT: u32 = 4;

/// The steps of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Advice {
    /// The version of the format.
    pub format: u32,
    /// The target triple of the host it was written on; older files do not name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// In order.
    pub steps: Vec<Step>,
}

/// One thing that was done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// After so many ticks.
    pub tick: u64,
    /// To the function of that name.
    pub function: String,
    /// With that body.
    pub hash: BodyHash,
    /// Action that was done.
    #[serde(flatten)]
    pub action: Action,
}

/// Action that was done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", content = "what", rename_all = "kebab-case")]
pub enum Action {
    /// A version came into use.
    Compile(CompileAction),
    /// A version was dropped: that of this compilation, or without one that of the first call.
    Drop(Option<CompilationId>),
    /// A version was retired.
    Retire(Option<CompilationId>),
    /// A retired version was reinstated.
    Reinstall(Option<CompilationId>),
}

/// A version that came into use.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompileAction {
    /// The compilation.
    pub compilation: CompilationId,
    /// The header block it is entered at; by calls without one.
    pub header: Option<u32>,
    /// The kind of code.
    pub plan: PlanAdvice,
    /// Functions that it calls though it might inline them, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub called: Vec<u32>,
}

/// The kind of code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PlanAdvice {
    /// Without probes and traces.
    Optimized,
    /// With probes.
    Profiled {
        /// K.
        k: u64,
        /// The executions of a full window.
        executions: u64,
        /// Functions that are watched where they are inlined, by number.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        callees: Vec<u32>,
    },
    /// With specialized loops.
    Specialized {
        /// The traces.
        traces: Vec<TraceAdvice>,
        /// The loops split by state.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        splits: Vec<SplitAdvice>,
    },
}

/// A trace.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TraceAdvice {
    /// The inlined function that its loop is one of, by number; none if it is the function's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<u32>,
    /// The header block of its loop.
    pub header: u32,
    /// The paths of each trace, by their blocks.
    pub traces: Vec<Vec<Vec<u32>>>,
    /// The headers of inner loops that they pass as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collapsed: Vec<u32>,
    /// Arrangement of the traces.
    #[serde(with = "LayoutText")]
    pub layout: Layout,
    /// Locals with their values.
    pub constants: Vec<(u32, i64)>,
    /// Evidence that it was found by.
    pub source: TraceSource,
    /// The part of iterations that may fail.
    pub break_even: f64,
}

/// A loop split by state.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SplitAdvice {
    /// The inlined function that the loop is one of, by number; none if it is the function's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<u32>,
    /// The header block of the loop.
    pub header: u32,
    /// The place that says which state it is in.
    pub state: StateAdvice,
    /// The states that get a loop of their own.
    pub values: Vec<i64>,
    /// Blocks that are in none of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rare: Vec<u32>,
}

/// Why advice cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AdviceError {
    /// The file is no advice.
    Damaged(String),
    /// It is of another format.
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
    /// Advice of these steps.
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
    /// A step of a function.
    pub fn new(tick: u64, info: &FunctionInfo, action: Action) -> Self {
        Self { tick, function: info.name.clone(), hash: info.hash, action }
    }
}

impl Action {
    /// A version came into use.
    pub fn compile(compilation: CompilationId, entry: Entry, plan: &CodePlan, called: &[FuncRef]) -> Self {
        let header = entry.header().map(Block::as_u32);
        let called = called.iter().map(|callee| callee.as_u32()).collect();
        Self::Compile(CompileAction { compilation, header, plan: PlanAdvice::of(plan), called })
    }
}

impl CompileAction {
    /// Functions that it calls.
    pub fn called(&self) -> Vec<FuncRef> {
        self.called.iter().copied().map(FuncRef::from_u32).collect()
    }

    /// Way into it.
    pub fn entry(&self) -> Entry {
        self.header.map_or(Entry::Call, |header| Entry::Header(Block::from_u32(header)))
    }
}

impl PlanAdvice {
    fn of(plan: &CodePlan) -> Self {
        match plan {
            CodePlan::Optimized => Self::Optimized,
            CodePlan::Profiled(window) => Self::Profiled {
                k: window.k,
                executions: window.executions,
                callees: window.callees.iter().map(|callee| callee.as_u32()).collect(),
            },
            CodePlan::Specialized(loops) => {
                let (mut traces, mut splits) = (Vec::new(), Vec::new());
                for one in loops {
                    let callee = one.callee.map(FuncRef::as_u32);
                    match &one.specialization {
                        Specialization::Trace(trace) => traces.push(TraceAdvice { callee, ..TraceAdvice::of(trace) }),
                        Specialization::Split(split) => splits.push(SplitAdvice { callee, ..SplitAdvice::of(split) }),
                    }
                }
                Self::Specialized { traces, splits }
            }
        }
    }

    /// The plan it stands for.
    pub fn plan(&self) -> CodePlan {
        match self {
            Self::Optimized => CodePlan::Optimized,
            Self::Profiled { k, executions, callees } => {
                let callees = callees.iter().copied().map(FuncRef::from_u32).collect();
                CodePlan::Profiled(Window { k: *k, executions: *executions, callees })
            }
            Self::Specialized { traces, splits } => {
                let traces = traces.iter().map(|trace| (trace.callee, Specialization::Trace(trace.plan())));
                let splits = splits.iter().map(|split| (split.callee, Specialization::Split(split.split())));
                let plan = |(callee, specialization): (Option<u32>, Specialization)| LoopPlan {
                    callee: callee.map(FuncRef::from_u32),
                    ..LoopPlan::from(specialization)
                };
                CodePlan::Specialized(traces.chain(splits).map(plan).collect())
            }
        }
    }
}

impl TraceAdvice {
    fn of(trace: &TracePlan) -> Self {
        Self {
            callee: None,
            header: trace.header.as_u32(),
            traces: renamed(&trace.traces, |block| block.as_u32()),
            collapsed: trace.collapsed.iter().map(|header| header.as_u32()).collect(),
            layout: trace.layout,
            constants: trace.constants.iter().map(|(local, value)| (local.as_u32(), *value)).collect(),
            source: trace.source,
            break_even: trace.break_even,
        }
    }

    fn plan(&self) -> TracePlan {
        TracePlan {
            header: Block::from_u32(self.header),
            traces: renamed(&self.traces, Block::from_u32),
            collapsed: self.collapsed.iter().copied().map(Block::from_u32).collect(),
            layout: self.layout,
            constants: self.constants.iter().map(|(local, value)| (Local::from_u32(*local), *value)).collect(),
            source: self.source,
            break_even: self.break_even,
        }
    }
}

/// Traces with other names for blocks.
fn renamed<T: Copy, U>(traces: &[Vec<Vec<T>>], name: impl Fn(T) -> U) -> Vec<Vec<Vec<U>>> {
    let path = |path: &Vec<T>| path.iter().copied().map(&name).collect();
    traces.iter().map(|trace| trace.iter().map(path).collect()).collect()
}

impl SplitAdvice {
    fn of(split: &Split) -> Self {
        let (header, state) = (split.header.as_u32(), StateAdvice::of(split.state));
        let rare = split.rare.iter().map(|block| block.as_u32()).collect();
        Self { callee: None, header, state, values: split.values.clone(), rare }
    }

    fn split(&self) -> Split {
        let (header, state) = (Block::from_u32(self.header), self.state.state());
        let rare = self.rare.iter().copied().map(Block::from_u32).collect();
        Split { header, state, values: self.values.clone(), rare }
    }
}
