//! The plan of one function by some scheme, and what comes back of it: reports, read by whoever planned.
//!
//! In: a scheme's work on a graph. Out: [`FunctionPlan`]: the plan to carry out, how its reports are written, and a [`Decoder`] that
//! makes the [`Collected`] sink of the function and reads paths back. Invariant: a plan is a function of the graph, the settings and
//! the frequencies alone.

use std::fmt;
use std::sync::Arc;

use dyn_clone::DynClone;

use super::results::Results;
use crate::counts::Size;
use crate::event::packing::Packing;
use crate::forest::sample::SampledForest;
use crate::forest::suffix::SuffixForest;
use crate::graph::{EdgeId, Graph, Node};
use crate::machine::{NoSink, Sink};
use crate::number::ball_larus::Numbering;
use crate::path_id::{Path, path_of};
use crate::persistence::{Irreducible, Regions, Runs};
use crate::plan::{BitRegister, Plan};

/// The plan of one function body.
#[derive(Clone, Debug)]
pub struct FunctionPlan {
    /// The body's graph.
    pub graph: Graph,
    /// The steps to carry out. `Enter` and `Leave` write nothing unless the stream is one of activations.
    pub plan: Arc<Plan>,
    /// The form of complete paths.
    pub stream: Stream,
    /// Reads reports back.
    pub decoder: Arc<dyn Decoder>,
}

/// The form in which a function's complete paths reach their collector: counted in place, or as events.
///
/// Counts in place have no markers; prefixes are events that name their function then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Counted in an array of so many counters.
    Array(u64),
    /// Counted in a hash table.
    Table,
    /// Steps in the forest of sequences of up to so many, which are counted.
    Steps(u32),
    /// Those of bursts are recorded, for sequences of up to so many, and the others counted down.
    Bursts(u32),
    /// Events.
    Events(Framing),
}

/// The form of the events of a function's paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Each path for itself: `Event::{Lone, LonePrefix}`. An activation is one path, or none that is complete is an event.
    Lone,
    /// Ids between the activation's markers: `Event::{Enter, Path, Prefix, Leave}`. With a layout as many ids in a word as fit, and
    /// `Event::Repeat` for the iterations of a loop that has one path.
    Activations(Option<Packing>),
}

impl Stream {
    /// The layout of words that have several ids.
    pub fn packing(self) -> Option<Packing> {
        match self {
            Stream::Events(Framing::Activations(packing)) => packing,
            Stream::Events(Framing::Lone) => None,
            Stream::Array(_) | Stream::Table | Stream::Steps(_) | Stream::Bursts(_) => None,
        }
    }
}

/// Numbering of one function, for reading reports back.
pub trait Decoder: fmt::Debug + Send + Sync {
    /// An empty collector of the function's reports.
    fn collector(&self) -> Box<dyn Collected>;
    /// The empty sample into which code records bursts, for plans with [`Stream::Bursts`].
    fn sample(&self) -> Option<SampledForest> {
        None
    }
    /// The regions whose executions are folded in place, in windows of so many; by default runs of executions are `Event::Fold`.
    fn regions(&self) -> Option<(&Regions, u64)> {
        None
    }
    /// The numbering of acyclic paths, for schemes that report such paths; by default the other methods read it.
    fn acyclic(&self) -> Option<&Numbering> {
        None
    }
    /// Number of static paths, after cutting if there were too many for ids; `None` if the scheme numbers none.
    fn num_paths(&self) -> Option<u64> {
        self.acyclic().map(Numbering::num_paths)
    }
    /// The edges that end paths only because there would be too many paths, or branches, otherwise.
    fn truncated(&self) -> &[EdgeId] {
        self.acyclic().map_or(&[], Numbering::truncated)
    }
    /// Returns true if taking the normal edge ends a path before it and starts another behind it.
    fn is_cut(&self, _: &Graph, edge: EdgeId) -> bool {
        self.acyclic().is_some_and(|numbering| numbering.dag().is_cut(edge))
    }
    /// Returns true if a path may end before the edge: where it is cut, and where an iteration ends the paths that began k before.
    fn may_end(&self, graph: &Graph, edge: EdgeId) -> bool {
        self.is_cut(graph, edge)
    }
    /// Returns true if the edge enters a loop that has paths of its own, beside those that go on around it.
    fn enters(&self, _: &Graph, _: EdgeId) -> bool {
        false
    }
    /// The values that an edge adds to ids.
    fn values(&self, graph: &Graph, edge: EdgeId) -> EdgeValues {
        let printed = self.acyclic().and_then(|numbering| numbering.printed_val(graph, edge));
        printed.map_or(EdgeValues::None, EdgeValues::One)
    }
    /// The loops whose iterations are told apart: headers, and the iterations of a path; `None` if the scheme never does.
    fn iterations(&self) -> Option<Vec<(Node, u32)>> {
        None
    }
    /// The static path with an id; `None` if there is none.
    fn path(&self, graph: &Graph, id: u64) -> Option<Path> {
        path_of(graph, self.acyclic()?, id)
    }
}

/// Values that an edge adds to the ids of the paths along it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeValues {
    /// No path runs along it, or the scheme numbers none.
    None,
    /// One value.
    One(u64),
    /// `(val, cval)` in iteration 1, 2, ... of the loop around.
    PerIteration(Vec<(u64, u64)>),
}

/// The reports of one function.
pub trait Collected: Sink + DynClone + fmt::Debug + Send {
    /// Returns true if nothing was reported.
    fn is_empty(&self) -> bool;
    /// Takes the forest whose steps code counted itself; of schemes without forests nothing.
    fn stepped(&mut self, _forest: SuffixForest) {}
    /// Takes the bursts that code recorded; of schemes without samples nothing.
    fn sampled(&mut self, _sample: SampledForest) {}
    /// Takes the executions of a region that code folded itself; of schemes without regions nothing.
    fn folded(&mut self, _register: BitRegister, _runs: &Runs) {}
    /// Returns true if enough was reported, and more would not be looked at; only windows are ever full.
    fn is_full(&self) -> bool {
        false
    }
    /// Returns true if nothing more would be looked at before the next part; only windows have parts.
    fn is_part_full(&self) -> bool {
        false
    }
    /// Begins the next part, if there is one and the present is full.
    fn next_part(&mut self) {}
    /// Counters and the memory that holds them.
    fn size(&self) -> Size;
    /// Counts of complete paths by number, for schemes that number the whole program.
    fn numbers(&self) -> Vec<(u64, u64)> {
        Vec::new()
    }
    /// The reports, as paths of blocks.
    fn results(&self, graph: &Graph) -> Results;
}

dyn_clone::clone_trait_object!(Collected);

/// Nothing: of functions that are not profiled.
impl Collected for NoSink {
    fn is_empty(&self) -> bool {
        true
    }

    fn size(&self) -> Size {
        Size::default()
    }

    fn results(&self, _: &Graph) -> Results {
        Results::default()
    }
}

/// Why a function is not profiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotProfiled {
    /// The scheme knows reducible graphs only.
    Irreducible(Irreducible),
    /// There are more loops, or more blocks in one, than the stream of events can name.
    TooManyRegions {
        /// Loops are fewer.
        loops: u64,
        /// Blocks of a loop are fewer.
        blocks: u64,
    },
    /// There are more paths of several iterations than ids: so many, if they can be numbered at all.
    TooManyPaths(Option<u128>),
    /// There are more paths than the setting admits.
    AbovePathLimit {
        /// Its paths.
        paths: u64,
        /// The most that are profiled.
        limit: u64,
    },
    /// There are more paths with contexts than ids: so many, if they can be numbered at all.
    TooManyContexts(Option<u128>),
    /// The program has more paths across calls than ids: so many, if they can be numbered at all.
    TooManyProgramPaths(Option<u128>),
    /// No function of the program has few enough paths of its own.
    NoFunctionFits,
    /// The program has more paths across calls than a user wants counted.
    ProgramAbovePathLimit {
        /// Their number.
        paths: u128,
        /// The limit.
        limit: u64,
    },
    /// Only optimized code carries path probes, and the function is too large to be optimized.
    NotOptimized,
}

impl fmt::Display for NotProfiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotProfiled::Irreducible(error) => write!(f, "{error}"),
            NotProfiled::TooManyRegions { loops, blocks } => {
                write!(f, "it has {loops} loops or more, or one of {blocks} blocks or more")
            }
            NotProfiled::TooManyPaths(Some(paths)) => {
                write!(f, "it has {paths} paths, and ids have 62 bits; a smaller --k may do")
            }
            NotProfiled::TooManyPaths(None) => {
                write!(f, "it has more paths than can be numbered; a smaller --k may do")
            }
            NotProfiled::AbovePathLimit { paths, limit } => {
                write!(f, "it has {paths} paths, and those of more than {limit} are not profiled; see --path-limit")
            }
            NotProfiled::TooManyContexts(Some(paths)) => {
                write!(f, "it has {paths} paths with contexts, and ids have 63 bits")
            }
            NotProfiled::TooManyContexts(None) => write!(f, "it has more than 2^128 paths with contexts"),
            NotProfiled::TooManyProgramPaths(Some(paths)) => {
                write!(
                    f,
                    "the program has {paths} paths across calls, and ids have 62 bits; --scheme ip-hybrid cuts calls"
                )
            }
            NotProfiled::TooManyProgramPaths(None) => {
                write!(f, "the program has more than 2^128 paths across calls; --scheme ip-hybrid cuts calls")
            }
            NotProfiled::ProgramAbovePathLimit { paths, limit } => {
                write!(
                    f,
                    "the program has {paths} paths across calls, and more than {limit} are not profiled; see --path-limit"
                )
            }
            NotProfiled::NoFunctionFits => write!(f, "every function has too many paths of its own"),
            NotProfiled::NotOptimized => {
                write!(f, "it is too large to be optimized, and baseline code counts edges only")
            }
        }
    }
}

impl std::error::Error for NotProfiled {}

impl FunctionPlan {
    /// Number of static paths; see [`Decoder::num_paths`].
    pub fn num_paths(&self) -> Option<u64> {
        self.decoder.num_paths()
    }
}
