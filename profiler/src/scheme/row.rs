//! A row of the registry: all that a scheme is to those who do not know it.
//!
//! In: nothing. Out: [`SchemeRow`], which each scheme fills in. Invariant: names of rows differ.

use cranelift_entity::SecondaryMap;

use super::function_plan::{FunctionPlan, NotProfiled};
use super::program::{ProgramGraphs, ProgramPlan};
use super::settings::{KRange, Setting, Settings};
use crate::graph::{EdgeId, Graph};

/// One scheme.
#[derive(Debug)]
pub struct SchemeRow {
    /// Its name on the command line and in JSON.
    pub name: &'static str,
    /// The things it counts, in a few words, for `--help`.
    pub counts: &'static str,
    /// The option K, if it has one.
    pub k: Option<KRange>,
    /// The refusal of a K, for schemes that have none.
    pub no_k: &'static str,
    /// The further options that it takes.
    pub takes: &'static [Setting],
    /// Probes of a function.
    pub probes: Probes,
    /// Shape of the profile for people.
    pub view: View,
}

/// The shape of a profile for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The hottest edges.
    Edges,
    /// The hottest paths.
    Paths,
    /// The hottest sequences of paths.
    Sequences,
    /// The hottest regions, and what stays the same in them.
    Regions,
    /// The hottest paths across calls.
    Across,
    /// The hottest calling contexts.
    Contexts,
}

/// Probes of a scheme.
#[derive(Clone, Copy, Debug)]
pub enum Probes {
    /// Counters in place on chords of a spanning tree; baseline code always carries them.
    Edges,
    /// Steps on registers, and reports of paths.
    Paths(PlanPaths),
    /// The same, in all code, with the order of all activations.
    Whole(PlanPaths),
    /// Reports of calls, in all code, with the order of all activations: contexts of calls.
    Contexts(PlanPaths),
    /// Steps on registers and reports of paths, in all code, planned for the whole program at once: paths run across calls.
    Program(PlanProgram),
}

/// Plans a graph by some settings, with the edge counts that are known before.
pub type PlanPaths = fn(Graph, &Settings, Option<&Frequency>) -> Result<FunctionPlan, NotProfiled>;

/// Plans a whole program by some settings.
pub type PlanProgram = fn(&ProgramGraphs, &Settings) -> Result<ProgramPlan, NotProfiled>;

/// Counts of a function's edges, from an earlier profile.
pub type Frequency = SecondaryMap<EdgeId, u64>;
