//! What is collected of one function, by scheme.
//!
//! In: the reports of the function's plan, from the interpreter or from a stream of events. Out: counts, a forest, persistence.
//! Invariant: nothing is lost unless the scheme was told to (`sample`, `forest_limit`), and then the loss is known.

use holloway_profiler::counts::{Counts, PathCounts, TableKind};
use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::place::Place;
use holloway_profiler::forest::sample::SampledForest;
use holloway_profiler::graph::Node;
use holloway_profiler::machine::Sink;
use holloway_profiler::number::bala::BranchCounts;
use holloway_profiler::persistence::{Ending, Keep, Persistence};
use holloway_profiler::plan::BitRegister;

use super::scheme::{FunctionPlan, PathScheme, Paths, Stream};

/// The reports of one function.
#[derive(Clone, Debug)]
pub enum Collected {
    /// `bl`.
    Bl(PathCounts),
    /// `k-bl`.
    KBl(Box<Joined>),
    /// `tfp`.
    Tfp(Box<Persistence>),
    /// `bala`.
    Bala(BranchCounts),
    /// The function is not profiled.
    Nothing,
}

/// Sequences of paths, and the prefixes that are in none.
#[derive(Clone, Debug)]
pub struct Joined {
    /// Prefixes alone.
    pub prefixes: PathCounts,
    /// The sequences.
    pub forest: Forest,
}

/// A forest of all that was reported, or of a part.
#[derive(Clone, Debug)]
pub enum Forest {
    /// Of all.
    Whole(SlabForest),
    /// Of bursts.
    Sampled(SampledForest),
}

impl Forest {
    /// The forest itself.
    pub fn slabs(&self) -> &SlabForest {
        match self {
            Forest::Whole(forest) => forest,
            Forest::Sampled(sampled) => sampled.forest(),
        }
    }

    /// Whether every sequence has its exact count.
    pub fn is_exact(&self) -> bool {
        let complete = match self {
            Forest::Whole(_) => true,
            Forest::Sampled(sampled) => sampled.recorded() == sampled.seen(),
        };
        complete && self.slabs().lost() == 0
    }
}

impl Collected {
    /// Nothing yet, of a function with this plan.
    pub fn new(scheme: PathScheme, plan: &FunctionPlan) -> Collected {
        match (scheme, &plan.paths) {
            (PathScheme::Bl { .. }, Paths::BallLarus(numbering)) => {
                let kind = match plan.stream {
                    Stream::Array(_) => TableKind::Array,
                    Stream::Activations | Stream::Steps | Stream::Lone | Stream::Folds | Stream::Branches => {
                        TableKind::Hash
                    }
                };
                let mut counts = PathCounts::new(0);
                counts.paths = Counts::of_kind(kind, numbering.num_paths());
                Collected::Bl(counts)
            }
            (PathScheme::KBl { k, forest_limit, sample }, Paths::BallLarus(numbering)) => {
                let mut forest = SlabForest::new(k, numbering.num_paths());
                if let Some(limit) = forest_limit {
                    forest = forest.with_limit(limit);
                }
                let forest = match sample {
                    None => Forest::Whole(forest),
                    Some(sampling) => {
                        Forest::Sampled(SampledForest::new(forest, sampling.burst.get(), sampling.gap.get()))
                    }
                };
                Collected::KBl(Box::new(Joined { prefixes: PathCounts::new(0), forest }))
            }
            (PathScheme::Tfp { k }, Paths::Regions(regions)) => {
                let mut persistence = Persistence::keeping(Keep::Summary, regions.clone(), k, Ending::Fixed);
                persistence.monitor_all(&plan.graph);
                Collected::Tfp(Box::new(persistence))
            }
            (PathScheme::Bala, Paths::Branches(_)) => Collected::Bala(BranchCounts::default()),
            (scheme, _) => panic!("a plan of {scheme:?} is read back in its own way"),
        }
    }

    /// Adds what was counted in place, by path id: of a plan with [`Stream::Array`].
    pub fn add_in_place(&mut self, counters: &[u64]) {
        let taken = (0..).zip(counters.iter().copied()).filter(|&(_, count)| count > 0);
        match self {
            Collected::Bl(counts) => taken.for_each(|(id, count)| counts.paths.add(id, count)),
            // Each path is an activation of its own.
            Collected::KBl(joined) => {
                let Forest::Whole(forest) = &mut joined.forest else { panic!("a sample is of a stream") };
                taken.for_each(|(id, count)| {
                    let root = forest.follow(Place::default(), id);
                    forest.add_at(root, count);
                });
            }
            other => panic!("only counts are kept in place, not {other:?}"),
        }
    }
}

impl Collected {
    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        match self {
            Collected::Bl(counts) => counts.paths.total() == 0 && counts.prefixes().is_empty(),
            Collected::KBl(joined) => joined.forest.slabs().node_count() == 0 && joined.prefixes.prefixes().is_empty(),
            Collected::Tfp(persistence) => {
                persistence.regions().iter().all(|(register, _)| persistence.overall(register).executions == 0)
            }
            Collected::Bala(counts) => counts.paths().is_empty() && counts.prefixes().is_empty(),
            Collected::Nothing => true,
        }
    }
}

impl Sink for Collected {
    fn path(&mut self, id: u64) {
        self.paths(&[id]);
    }

    fn paths(&mut self, ids: &[u64]) {
        match self {
            Collected::Bl(counts) => ids.iter().for_each(|&id| counts.path(id)),
            Collected::KBl(joined) => match &mut joined.forest {
                Forest::Whole(forest) => forest.paths(ids),
                Forest::Sampled(forest) => forest.paths(ids),
            },
            Collected::Tfp(_) | Collected::Bala(_) | Collected::Nothing => {}
        }
    }

    fn prefix(&mut self, block: Node, id: u64) {
        match self {
            Collected::Bl(counts) => counts.prefix(block, id),
            Collected::KBl(joined) => {
                joined.prefixes.prefix(block, id);
                match &mut joined.forest {
                    Forest::Whole(forest) => forest.prefix(block, id),
                    Forest::Sampled(forest) => forest.prefix(block, id),
                }
            }
            Collected::Tfp(_) | Collected::Bala(_) | Collected::Nothing => {}
        }
    }

    fn enter(&mut self) {
        if let Collected::KBl(joined) = self {
            match &mut joined.forest {
                Forest::Whole(forest) => forest.enter(),
                Forest::Sampled(forest) => Sink::enter(forest),
            }
        }
    }

    fn leave(&mut self) {
        if let Collected::KBl(joined) = self {
            match &mut joined.forest {
                Forest::Whole(forest) => forest.leave(),
                Forest::Sampled(forest) => Sink::leave(forest),
            }
        }
    }

    fn fold(&mut self, register: BitRegister, bits: &[u64]) {
        self.folds(register, bits, 1);
    }

    fn folds(&mut self, register: BitRegister, bits: &[u64], count: u64) {
        if let Collected::Tfp(persistence) = self {
            persistence.folds(register, bits, count);
        }
    }

    fn branches(&mut self, start: Node, history: u64) {
        if let Collected::Bala(counts) = self {
            counts.branches(start, history);
        }
    }

    fn branch_prefix(&mut self, block: Node, start: Node, history: u64) {
        if let Collected::Bala(counts) = self {
            counts.branch_prefix(block, start, history);
        }
    }
}
