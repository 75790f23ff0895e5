//! A machine that is not there: functions with one loop each whose iterations take known times, run under a controller.
//!
//! In: a [`Workload`]. Out: how long it took, the events, what became of each version. Time is simulated; each iteration takes a path, and how long
//! it takes depends on the code it runs in, as the real machine's would: probes slow it down, traces speed it up where the path is theirs
//! and cost where it is not. Compiling takes time on a thread of its own.
//! Invariant: nothing depends on anything but the workload.

mod machine;
mod tests;

use std::sync::LazyLock;

use holloway_ir::{Block, FuncRef};

use super::calibration::{Calibration, Origin, Provenance, TierFigures};
use super::gain::Estimate;
use super::input::{BodyHash, FunctionInfo, LoopInfo};
use super::proposal::Proposal;
use super::test_proposal::of_paths;

/// The header of each function's loop.
fn header() -> Block {
    Block::from_u32(1)
}
/// Factor by which probes slow simulated code down.
const PROBES: f64 = 1.15;
/// Cost of a wrong path on a trace, by a general iteration.
const PENALTY: f64 = 0.5;

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
    /// Values that the loop chooses among.
    pub(super) choices: u32,
    /// Way in which it is run.
    pub(super) activation: Activation,
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
            Self::Mixed => (None, u64::MAX),
        }
    }
}

impl Function {
    pub(super) fn new(name: &'static str, iteration: f64) -> Self {
        let activation = Activation::Often;
        Self { name, iteration, size: 150, ratio: 0.6, real_ratio: 0.6, branches: 2, choices: 0, activation }
    }

    fn info(&self) -> FunctionInfo {
        let found = LoopInfo {
            header: header(),
            line: 12,
            parent: None,
            branches: self.branches,
            choices: self.choices,
            trips_vary: false,
        };
        FunctionInfo {
            name: self.name.to_owned(),
            file: "simulated.hw".to_owned(),
            line: 10,
            size: self.size,
            is_optimized: false,
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

/// A proposal of the trace of a path: its second block tells which.
fn proposal(path: u32, ratio: f64) -> Proposal {
    let estimate = Estimate { coverage: 1.0, cost: ratio * 10.0, general_cost: 10.0 };
    let proposal = of_paths(vec![vec![header(), Block::from_u32(100 + path)]], estimate);
    Proposal { lines: vec![12, 13, 15], ..proposal }
}

/// True iff iterations of a path stay on a trace.
fn follows(proposal: &Proposal, path: Option<u32>) -> bool {
    Some(proposal.blocks()[1].as_u32() - 100) == path
}
