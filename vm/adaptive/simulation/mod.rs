//! A machine that is not there: functions with one loop each whose iterations take known times, run under a controller.
//!
//! In: a [`Workload`]. Out: how long it took, the events, what became of each version. Time is simulated; each iteration takes a path, and how long
//! it takes depends on the code it runs in, as the real machine's would: probes slow it down, traces speed it up where the path is theirs
//! and cost where it is not. Compiling takes time on a thread of its own.
//! Invariant: nothing depends on anything but the workload.

mod inlining;
mod machine;
mod tests;

use std::sync::LazyLock;

use holloway_jit::trace::{Layout, Split, State};
use holloway_lang::ir::{Block, FuncRef, Local};

use super::calibration::{Calibration, Origin, Provenance, TierFigures};
use super::input::{BodyHash, FunctionInfo, LoopInfo};
use super::specialization::{TracePlan, TraceSource};

/// The header of each function's loop.
fn header() -> Block {
    Block::from_u32(1)
}
/// Factor by which probes slow simulated code down.
const PROBES: f64 = 1.15;
/// Cost of a wrong path on a trace, by a general iteration.
const PENALTY: f64 = 0.5;
/// Cost of counting an iteration in memory, by a general iteration.
const COUNTING: f64 = 0.1;

/// A program.
#[derive(Clone, Debug)]
pub(super) struct Workload {
    pub(super) functions: Vec<Function>,
    pub(super) stretches: Vec<Stretch>,
}

/// A function with a loop.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    /// Microseconds of an iteration in baseline code.
    pub(super) iteration: f64,
    /// Instructions.
    pub(super) size: u64,
    /// Time on a trace by time in the general loop, as it is expected.
    pub(super) ratio: f64,
    /// The same, as it is.
    pub(super) real_ratio: f64,
    /// Branches in the loop.
    pub(super) branches: u32,
    /// Way in which it is run.
    pub(super) activation: Activation,
    /// Form that its loop is specialized in.
    pub(super) form: Form,
    /// The path that is a profile's second choice.
    pub(super) second: Option<u32>,
}

/// Form that a loop is specialized in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A trace, which counts its rounds at no cost.
    Trace,
    /// A tree of two paths, if a window has both.
    Tree,
    /// A loop for each state, whose iterations are counted at a price.
    Split,
}

/// Way in which a function's loop comes to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Activation {
    /// It is entered once, so that only on-stack replacement helps.
    Once,
    /// It is called again and again.
    Often,
}

/// Some iterations of one function.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) function: usize,
    pub(super) iterations: u64,
    pub(super) paths: Paths,
}

/// The paths that iterations take.
#[derive(Clone, Copy, Debug)]
pub(super) enum Paths {
    /// All the same.
    Same(u32),
    /// So many of the first, then as many of the second, and so on.
    Alternating(u64, u32, u32),
    /// The first, but one of so many the second.
    Mostly(u32, u32, u64),
    /// No two in a row alike.
    Mixed,
}

impl Paths {
    /// The path of an iteration of the stretch, and how many more take it after that.
    fn at(self, iteration: u64) -> (Option<u32>, u64) {
        match self {
            Self::Same(path) => (Some(path), u64::MAX),
            Self::Alternating(each, first, second) => {
                let path = if (iteration / each).is_multiple_of(2) { first } else { second };
                (Some(path), each - iteration % each)
            }
            Self::Mostly(path, other, each) => match each - 1 - iteration % each {
                0 => (Some(other), 1),
                left => (Some(path), left),
            },
            Self::Mixed => (None, u64::MAX),
        }
    }
}

impl Function {
    pub(super) fn new(name: &'static str, iteration: f64) -> Self {
        let (activation, form) = (Activation::Often, Form::Trace);
        Self { name, iteration, size: 150, ratio: 0.6, real_ratio: 0.6, branches: 2, activation, form, second: None }
    }

    fn info(&self) -> FunctionInfo {
        let found = LoopInfo {
            header: header(),
            line: 12,
            parent: None,
            branches: self.branches,
            choices: 0,
            trips_vary: false,
        };
        FunctionInfo {
            name: self.name.to_owned(),
            file: "simulated.hw".to_owned(),
            line: 10,
            size: self.size,
            loops: vec![found],
            hash: BodyHash(self.size),
        }
    }
}

/// The tiers of the simulated machine, which does not change when the real one is measured again.
fn calibration() -> &'static Calibration {
    static SIMULATED: LazyLock<Calibration> = LazyLock::new(|| {
        let tier = |speed, instructions_per_ms, function_us| TierFigures {
            speed,
            instructions_per_ms,
            function_us,
            origin: Origin::Measured,
        };
        let text = |text: &str| text.to_owned();
        let provenance = Provenance {
            command: text("none"),
            date: text("2026-11-21"),
            host: None,
            machine: text("simulated"),
            programs: Vec::new(),
            version: text("0"),
        };
        Calibration {
            profiled: tier(3.0 / PROBES, 380.0, 130.0),
            specialized: tier(3.0, 280.0, 180.0),
            ..Calibration::of(provenance, tier(1.0, 2_000.0, 30.0), tier(3.0, 500.0, 100.0))
        }
    });
    &SIMULATED
}

fn func(index: usize) -> FuncRef {
    FuncRef::from_u32(index as u32)
}

/// The trace of each of some paths: its second block tells which.
fn trace(paths: &[u32]) -> TracePlan {
    let traces = paths.iter().map(|path| vec![vec![header(), Block::from_u32(100 + path)]]).collect();
    let (collapsed, constants) = (Vec::new(), Vec::new());
    let layout = if paths.len() > 1 { Layout::Tree } else { Layout::Apart };
    let source = TraceSource::Tfp;
    TracePlan { header: header(), traces, collapsed, layout, constants, source, break_even: 0.0 }
}

/// A split.
fn split() -> Split {
    Split { header: header(), state: State::Local(Local::from_u32(0)), values: vec![0, 1], rare: Vec::new() }
}

/// True iff iterations of a path stay on a trace.
fn follows(plan: &TracePlan, path: Option<u32>) -> bool {
    plan.traces.iter().any(|trace| Some(trace[0][1].as_u32() - 100) == path)
}
