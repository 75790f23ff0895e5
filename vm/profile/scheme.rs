//! What a scheme makes of one function body.
//!
//! In: a [`PathScheme`] and a body. Out: a [`FunctionPlan`]: the steps to carry out, how what they report is written to the stream, and
//! what reads ids back as blocks; or why the function is [`NotProfiled`].
//!
//! The numbering is the canonical one of Ball and Larus, as `holloway_profiler::lab` numbers; increments stand on the chords of a
//! spanning tree by static weights. Invariant: a plan is a function of the scheme and the body alone, the same for every tier.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;

use holloway_jit::graph_of::graph_of;
use holloway_lang::ir::Function;
use holloway_profiler::counts::{ARRAY_MAX_PATHS, TableKind};
use holloway_profiler::event::encode::{MOST_LONE_PATHS, MOST_REGISTER_WORDS, MOST_REGISTERS};
use holloway_profiler::graph::{EdgeId, EdgeKind, Graph};
use holloway_profiler::number::bala::BranchHistories;
use holloway_profiler::number::ball_larus::{Numbering, number};
use holloway_profiler::number::increments::Potentials;
use holloway_profiler::number::spanning_tree::static_weights;
use holloway_profiler::persistence::{Irreducible, Regions};
use holloway_profiler::plan::{Markers, Plan};

/// The longest sequences that `k-bl` counts: a slab is below, and a forest's levels stay few enough to print.
pub const MOST_K: u32 = 1024;

/// Paths that `k-bl` joins where nothing is asked for: the `[DD13]` paper's figures begin to show loops of more than one iteration there.
pub const SEQUENCE: u32 = 4;

/// Executions in a window of `tfp` where nothing is asked for. Chosen, not measured.
pub const WINDOW: u32 = 8;

/// The largest table that `--table array` makes: 2^20 counters are 8 MiB. Functions with more paths are counted in hash tables.
pub const ARRAY_MOST_PATHS: u64 = 1 << 20;

/// A path profiling scheme with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathScheme {
    /// Acyclic paths, counted.
    Bl {
        /// Where the counts are; `None`: what suits the function.
        table: Option<TableKind>,
    },
    /// Concatenations of up to `k` acyclic paths.
    KBl {
        /// The longest that are counted.
        k: u32,
        /// Bytes that each function's forest may take.
        forest_limit: Option<usize>,
        /// Which stretches of the stream are recorded; `None`: all.
        sample: Option<Sampling>,
    },
    /// K-persistent flow properties.
    Tfp {
        /// Executions in a window.
        k: u64,
    },
    /// Start block and branch bits.
    Bala,
}

/// Bursty sampling: so many ids are recorded, then about so many left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Ids in a burst.
    pub burst: NonZeroU64,
    /// Ids in a gap, on average.
    pub gap: NonZeroU64,
}

/// The plan of one function body.
#[derive(Clone, Debug)]
pub struct FunctionPlan {
    /// The body's graph.
    pub graph: Graph,
    /// The steps to carry out. Where [`Stream::Lone`] says so, `Enter` and `Leave` write nothing.
    pub plan: Arc<Plan>,
    /// What reads reports back as blocks.
    pub paths: Paths,
    /// How reports are written.
    pub stream: Stream,
}

/// What a function's reports mean.
#[derive(Clone, Debug)]
pub enum Paths {
    /// Ids of acyclic paths.
    BallLarus(Numbering),
    /// Bits of regions.
    Regions(Regions),
    /// Branch histories.
    Branches(BranchHistories),
}

/// How a function's reports are written to the stream of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Ids between the activation's markers: `Event::{Enter, Path, Prefix, Leave}`.
    Activations,
    /// Code steps through the forest itself; prefixes are `Event::LonePrefix`.
    Steps,
    /// Each path for itself: `Event::{Lone, LonePrefix}`. Either an activation is one path, or paths are only counted.
    Lone,
    /// Complete paths are counted in place, in an array of so many counters; prefixes are `Event::LonePrefix`.
    Array(u64),
    /// Executions of regions, equal ones together: `Event::Fold`.
    Folds,
    /// Branch histories: `Event::{Branches, BranchPrefix}`.
    Branches,
}

/// Why a function is not profiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotProfiled {
    /// The scheme knows reducible graphs only.
    Irreducible(Irreducible),
    /// There are more loops, or more blocks in one, than the stream of events can name.
    TooLarge,
    /// Only optimized code carries path probes, and the function is too large to be optimized.
    NotOptimized,
}

impl fmt::Display for NotProfiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotProfiled::Irreducible(error) => write!(f, "{error}"),
            NotProfiled::NotOptimized => {
                write!(f, "it is too large to be optimized, and baseline code counts edges only")
            }
            NotProfiled::TooLarge => write!(
                f,
                "it has {MOST_REGISTERS} loops or more, or one of {} blocks or more",
                64 * (MOST_REGISTER_WORDS - 1)
            ),
        }
    }
}

impl std::error::Error for NotProfiled {}

impl PathScheme {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            PathScheme::Bl { .. } => "bl",
            PathScheme::KBl { .. } => "k-bl",
            PathScheme::Tfp { .. } => "tfp",
            PathScheme::Bala => "bala",
        }
    }

    /// The option K, where the scheme has one.
    pub fn k(self) -> Option<u64> {
        match self {
            PathScheme::KBl { k, .. } => Some(u64::from(k)),
            PathScheme::Tfp { k } => Some(k),
            PathScheme::Bl { .. } | PathScheme::Bala => None,
        }
    }
}

impl FunctionPlan {
    /// Plans a function body.
    pub fn new(scheme: PathScheme, body: &Function) -> Result<FunctionPlan, NotProfiled> {
        FunctionPlan::of_graph(scheme, graph_of(body))
    }

    /// Plans a graph.
    pub fn of_graph(scheme: PathScheme, graph: Graph) -> Result<FunctionPlan, NotProfiled> {
        match scheme {
            PathScheme::Bl { table } => Ok(FunctionPlan::counted(graph, table)),
            PathScheme::KBl { forest_limit, sample, .. } => {
                Ok(FunctionPlan::joined(graph, forest_limit.is_some() || sample.is_some()))
            }
            PathScheme::Tfp { .. } => FunctionPlan::regions(graph),
            PathScheme::Bala => {
                let histories = BranchHistories::new(&graph);
                let plan = Arc::new(histories.plan(&graph, Markers::Omit));
                Ok(FunctionPlan { graph, plan, paths: Paths::Branches(histories), stream: Stream::Branches })
            }
        }
    }

    fn counted(graph: Graph, table: Option<TableKind>) -> FunctionPlan {
        let numbering = number(&graph);
        let num_paths = numbering.num_paths();
        let array_up_to = match table {
            None => ARRAY_MAX_PATHS,
            Some(TableKind::Array) => ARRAY_MOST_PATHS,
            Some(TableKind::Hash) => 0,
        };
        let (stream, markers) = if num_paths <= array_up_to {
            (Stream::Array(num_paths), Markers::Omit)
        } else if num_paths <= MOST_LONE_PATHS {
            (Stream::Lone, Markers::Omit)
        } else {
            (Stream::Activations, Markers::Emit)
        };
        FunctionPlan::numbered(graph, numbering, stream, markers)
    }

    /// `partial`: only a part of the sequences is kept, which the consumer of the stream chooses.
    fn joined(graph: Graph, partial: bool) -> FunctionPlan {
        let numbering = number(&graph);
        let one_path_each = numbering.dag().restarts().is_empty() && numbering.num_paths() <= MOST_LONE_PATHS;
        let cut = graph.nodes().any(|node| numbering.dag().ends_paths(node));
        let stream = match (one_path_each && !cut, partial) {
            (true, true) => Stream::Lone,
            (true, false) if numbering.num_paths() <= ARRAY_MAX_PATHS => Stream::Array(numbering.num_paths()),
            (false, true) => Stream::Activations,
            (true | false, false) => Stream::Steps,
        };
        FunctionPlan::numbered(graph, numbering, stream, Markers::Emit)
    }

    fn numbered(graph: Graph, numbering: Numbering, stream: Stream, markers: Markers) -> FunctionPlan {
        let potentials = Potentials::chords(&graph, &numbering, &static_weights(&graph));
        let plan = Arc::new(numbering.plan(&graph, &potentials, markers));
        FunctionPlan { graph, plan, paths: Paths::BallLarus(numbering), stream }
    }

    fn regions(graph: Graph) -> Result<FunctionPlan, NotProfiled> {
        let regions = Regions::new(&graph).map_err(NotProfiled::Irreducible)?;
        let fits = |words: u32| u64::from(words) < MOST_REGISTER_WORDS;
        let count = regions.iter().count() as u64;
        if count > MOST_REGISTERS || !regions.iter().all(|(register, _)| fits(regions.words(register))) {
            return Err(NotProfiled::TooLarge);
        }
        let plan = Arc::new(regions.plan(&graph));
        Ok(FunctionPlan { graph, plan, paths: Paths::Regions(regions), stream: Stream::Folds })
    }

    /// Number of acyclic paths, where the scheme numbers them; after cutting, if there were too many for ids.
    pub fn num_paths(&self) -> Option<u64> {
        self.numbering().map(Numbering::num_paths)
    }

    /// The numbering, where the scheme numbers paths.
    pub fn numbering(&self) -> Option<&Numbering> {
        match &self.paths {
            Paths::BallLarus(numbering) => Some(numbering),
            Paths::Regions(_) | Paths::Branches(_) => None,
        }
    }

    /// The edges that end paths only because there would be too many paths, or branches, otherwise.
    pub fn truncated(&self) -> &[EdgeId] {
        match &self.paths {
            Paths::BallLarus(numbering) => numbering.truncated(),
            Paths::Branches(histories) => histories.dag().truncated(),
            Paths::Regions(_) => &[],
        }
    }

    /// Whether taking `edge` ends a path before it and starts another behind it.
    pub fn is_cut(&self, edge: EdgeId) -> bool {
        match self.graph.edge(edge).kind {
            EdgeKind::Failure => true,
            EdgeKind::Normal => match &self.paths {
                Paths::BallLarus(numbering) => numbering.dag().is_cut(edge),
                Paths::Branches(histories) => histories.dag().is_cut(edge),
                Paths::Regions(_) => false,
            },
        }
    }
}
