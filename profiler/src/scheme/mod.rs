//! The registry of profiling schemes: one row a scheme, one file a row.
//!
//! In: the name of a scheme, its [`Settings`], and a graph. Out: a [`FunctionPlan`]: the plan to carry out, how its reports are
//! written, and a [`Decoder`] that makes the [`Collected`] sink of the function and reads paths back.
//!
//! ```text
//!   SchemeRow --plan--> FunctionPlan { plan, stream, decoder } --collector--> Collected --results--> Results
//!                            |                                                    ^
//!                            +--> interpreter, compiled code ------reports--------+
//! ```
//!
//! Command line, REPL, engine, lab and reports read the rows and know no scheme by name; what they tell apart is the parts of
//! [`Results`]. A new scheme is one file here and one line in [`SCHEMES`]. The adaptive system's plan has no row, as nobody names it:
//! [`plan_window`] joins two of them.
//! Invariant: a plan is a function of the graph, the settings and the frequencies alone.

mod acyclic;
mod bala;
mod bl;
mod cct;
mod context;
mod counted;
mod cut_strategy;
mod edge;
mod flow;
mod function_plan;
mod interned;
mod ip;
mod k_bl;
mod k_iter;
mod loops;
mod program;
mod results;
mod row;
mod sequences;
mod settings;
mod tfp;
mod window;
mod wpp;

use std::fmt;

use crate::graph::{Graph, Node};
use crate::number::k_iteration::choose::{BaseProfile, choose};
use crate::path_id::Path;
use crate::settings::k_iteration::ARRAY_MAX_PATHS;

pub use cct::call_of;
pub use cut_strategy::{CutCall, CutStrategy};
pub use flow::{Unwound, edge_counts};
pub use function_plan::{Collected, Decoder, EdgeValues, Framing, FunctionPlan, NotProfiled, Stream};
pub use loops::{LoopIterations, LoopK};
pub use program::{
    CallPlace, Callee, CrossPath, CrossRow, CrossVertex, ProgramBody, ProgramGraphs, ProgramPlan, ProgramResults,
};
pub use results::{PathId, PathRow, Results};
pub use row::{Frequency, PlanPaths, PlanProgram, Probes, SchemeRow, View};
pub use sequences::{Forest, Sequences};
pub use settings::{FrequencyCounting, Gap, KRange, NumberingOrder, Sampling, Setting, Settings};
pub use window::{WindowBounds, plan_window};

/// Every scheme, in the order in which they are listed for people.
pub static SCHEMES: &[SchemeRow] = &[
    edge::ROW,
    bl::ROW,
    k_bl::ROW,
    k_iter::ROW,
    context::ROW,
    ip::CONTEXT,
    ip::PIECEWISE,
    ip::HYBRID,
    tfp::ROW,
    bala::ROW,
    wpp::ROW,
    cct::ROW,
];

/// A scheme with its settings.
#[derive(Clone, Copy)]
pub struct Scheme {
    row: &'static SchemeRow,
    /// Its options.
    pub settings: Settings,
}

impl Scheme {
    /// The scheme with this name, with its default settings.
    pub fn named(name: &str) -> Option<Scheme> {
        SCHEMES.iter().find(|row| row.name == name).map(Scheme::of)
    }

    /// The scheme that reports all paths in order.
    pub fn in_order() -> Scheme {
        Scheme::of(&wpp::ROW)
    }

    /// The scheme of a row, with its default settings.
    pub fn of(row: &'static SchemeRow) -> Scheme {
        let k = row.k.map_or(1, |k| k.default);
        Scheme { row, settings: Settings { k, ..Settings::default() } }
    }

    /// Its row.
    pub fn row(&self) -> &'static SchemeRow {
        self.row
    }

    /// Its name on the command line and in JSON.
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// The option K, where the scheme has one.
    pub fn k(&self) -> Option<u64> {
        self.row.k.map(|_| self.settings.k)
    }

    /// Returns true if it counts edges, which baseline code does, and not paths, which optimized code does.
    pub fn counts_edges(&self) -> bool {
        matches!(self.row.probes, Probes::Edges)
    }

    /// Returns true if its paths run across calls, so that it plans a whole program at once.
    pub fn plans_programs(&self) -> bool {
        matches!(self.row.probes, Probes::Program(_))
    }

    /// Returns true if the order of all paths of a program is what it is about.
    pub fn records_order(&self) -> bool {
        matches!(self.row.probes, Probes::Whole(_))
    }

    /// Returns true if the contexts of calls are what it is about.
    pub fn keeps_contexts(&self) -> bool {
        matches!(self.row.probes, Probes::Contexts(_))
    }

    /// Returns true if all code has to carry its plans, baseline code too, as a function without them would leave a gap.
    pub fn is_in_all_code(&self) -> bool {
        self.plans_programs() || self.records_order() || self.keeps_contexts()
    }

    /// The same scheme with other settings.
    pub fn with(self, settings: Settings) -> Scheme {
        Scheme { settings, ..self }
    }

    /// The same scheme with another K, if it has such a K.
    pub fn with_k(mut self, k: u64) -> Result<Scheme, SettingError> {
        match self.row.k {
            None if k == 1 => Ok(self),
            None => Err(SettingError::NoK(self.row)),
            Some(range) if k < 1 => Err(SettingError::ZeroK(range)),
            Some(range) if k > range.most => Err(SettingError::LargeK(self.row, range)),
            Some(_) => {
                self.settings.k = k;
                Ok(self)
            }
        }
    }

    /// The same scheme for one function: of what is set for single loops, that of its own.
    pub fn in_function(mut self, name: &str) -> Scheme {
        self.settings.loops = self.settings.loops.of(name);
        self
    }

    /// The k of single loops of a graph by the acyclic paths that it took, where a whole program took `executed`; empty if the scheme
    /// takes none.
    pub fn choose_loops(&self, graph: &Graph, paths: &[(Path, u64)], executed: u64) -> Vec<(Node, u32)> {
        if !self.row.takes.contains(&Setting::Loops) {
            return Vec::new();
        }
        let most_paths = self.settings.array_limit.unwrap_or(ARRAY_MAX_PATHS);
        choose(graph, BaseProfile { paths, executed, most_paths })
    }

    /// True iff edge counts of an earlier run, if known, number its paths.
    pub fn takes_frequencies(&self) -> bool {
        self.settings.numbering == NumberingOrder::Smart && self.row.takes.contains(&Setting::Numbering)
    }

    /// Plans a whole program; `None` if the scheme plans each function for itself.
    pub fn plan_program(&self, graphs: &ProgramGraphs) -> Option<Result<ProgramPlan, NotProfiled>> {
        match self.row.probes {
            Probes::Edges | Probes::Paths(_) | Probes::Whole(_) | Probes::Contexts(_) => None,
            Probes::Program(plan) => Some(plan(graphs, &self.settings)),
        }
    }

    /// Plans a graph; `None` if the scheme counts edges, or plans whole programs.
    pub fn plan(&self, graph: Graph, frequency: Option<&Frequency>) -> Option<Result<FunctionPlan, NotProfiled>> {
        let frequency = frequency.filter(|_| self.settings.numbering == NumberingOrder::Smart);
        match self.row.probes {
            Probes::Edges | Probes::Program(_) => None,
            Probes::Paths(plan) | Probes::Whole(plan) | Probes::Contexts(plan) => {
                Some(plan(graph, &self.settings, frequency))
            }
        }
    }
}

/// Why a scheme does not have a setting.
#[derive(Clone, Copy, Debug)]
pub enum SettingError {
    /// The scheme has no K but 1.
    NoK(&'static SchemeRow),
    /// K is 0.
    ZeroK(KRange),
    /// K is too large.
    LargeK(&'static SchemeRow, KRange),
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingError::NoK(row) => write!(f, "--scheme {} {}", row.name, row.no_k),
            SettingError::ZeroK(range) => write!(f, "--k is the number of {}, 1 or more", range.means),
            SettingError::LargeK(row, range) => {
                write!(f, "--scheme {} takes at most {} {}; write a smaller --k", row.name, range.most, range.means)
            }
        }
    }
}

impl std::error::Error for SettingError {}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.row.name, self.settings)
    }
}

impl PartialEq for Scheme {
    fn eq(&self, other: &Scheme) -> bool {
        (self.row.name, self.settings) == (other.row.name, other.settings)
    }
}

impl Eq for Scheme {}
