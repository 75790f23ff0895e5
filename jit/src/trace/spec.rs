//! Traces as they are wanted: closed paths through a loop, what is expected on them, and their shape. Invariant: a spec
//! says all that [`form`](super::form()) depends on, but for the body.

use hashbrown::HashSet;
use holloway_lang::ir::{Block, Local};
use serde::{Deserialize, Serialize};

/// A trace: a closed path through a loop that is worth a straight copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The acyclic paths of the trace: the first from the loop's header, each other from where the back edge before it
    /// leads. The last one ends at the header, or where the loop is passed through, with the block that it is left to.
    pub paths: Vec<Vec<Block>>,
    /// Integer locals that are expected to have the same value, whatever it is, each time the trace starts.
    pub stable: Vec<Local>,
    /// Integer locals with the value that they are expected to have each time a round but the first starts.
    pub constants: Vec<(Local, i64)>,
    /// The share of the loop's iterations that followed the trace.
    pub share: f64,
}

/// Arrangement of the traces of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Each has a loop of its own, for loops that repeat one for a while and then another.
    #[default]
    Apart,
    /// A tree of paths through the loop, for loops that take the same path each time they are entered.
    Through,
}

/// The traces of a loop: one, several that it repeats for a while in turn, or all that it takes often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceSpec {
    /// The loop's header, where the traces start and end.
    pub header: Block,
    /// The traces. None begins with all of another, if they stand apart.
    pub traces: Vec<Trace>,
    /// Integer locals with the value that they are expected to have each time a trace starts.
    pub constants: Vec<(Local, i64)>,
    /// Arrangement of the traces.
    pub layout: Layout,
    /// The share of the loop's iterations that stay on the traces: what follows them, less one for each run that ends.
    pub coverage: f64,
    /// Iterations of the loop that this was found in.
    pub executions: u64,
    /// Shape of their code, as it is asked for. Files have it beside the rest.
    #[serde(skip)]
    pub shape: TraceShape,
}

impl Trace {
    /// A trace that everything follows.
    pub fn new(paths: Vec<Vec<Block>>) -> Trace {
        Trace { paths, stable: Vec::new(), constants: Vec::new(), share: 1.0 }
    }

    /// Its blocks in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.paths.iter().flatten().copied()
    }

    /// Iterations of the loop in one round: the paths that start where the first does. Others are of inner loops.
    pub fn iterations(&self) -> u32 {
        let starts = self.paths.iter().filter(|path| path.first() == self.paths[0].first());
        starts.count() as u32
    }
}

impl TraceSpec {
    /// The blocks of the traces that are in the loop, in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.traces.iter().flat_map(|trace| self.inside(trace))
    }

    /// The blocks of which a round of the traces has copies, each as often as it has one. In front of loops there are more.
    pub fn copied(&self) -> Vec<Block> {
        match self.layout {
            Layout::Apart => self.blocks().collect(),
            Layout::Through => {
                let traces: Vec<Vec<Block>> = self.traces.iter().map(|trace| self.inside(trace).collect()).collect();
                let ways: HashSet<&[Block]> =
                    traces.iter().flat_map(|blocks| (1..=blocks.len()).map(|upto| &blocks[..upto])).collect();
                ways.iter().filter_map(|way| way.last().copied()).collect()
            }
        }
    }

    /// The blocks of a trace that are in the loop.
    pub fn inside(&self, trace: &Trace) -> impl Iterator<Item = Block> {
        let outside = usize::from(self.layout == Layout::Through);
        let inside = trace.paths.iter().map(Vec::len).sum::<usize>().saturating_sub(outside);
        trace.blocks().take(inside)
    }

    /// Iterations of the loop in one round of a trace: on the last path of a way through it no iteration ends.
    pub fn iterations_of(&self, trace: &Trace) -> u32 {
        match self.layout {
            Layout::Through => trace.iterations().saturating_sub(1),
            Layout::Apart => trace.iterations(),
        }
    }

    /// Iterations that are counted where a round of a trace begins: where ways through the loop begin alike, as many as they have on average.
    pub fn counted_iterations(&self, trace: &Trace) -> u32 {
        let of = |trace: &Trace| f64::from(self.iterations_of(trace).max(1));
        match self.layout {
            Layout::Through => {
                let iterations: f64 = self.traces.iter().map(|trace| trace.share).sum();
                let ways: f64 = self.traces.iter().map(|trace| trace.share / of(trace)).sum();
                if ways > 0.0 { (iterations / ways).round().max(1.0) as u32 } else { 1 }
            }
            Layout::Apart => self.iterations_of(trace),
        }
    }

    /// Iterations of the loop in one round of each trace, or on the longest path through it.
    pub fn iterations(&self) -> u32 {
        match self.layout {
            Layout::Apart => self.traces.iter().map(Trace::iterations).sum(),
            Layout::Through => self.traces.iter().map(|trace| self.iterations_of(trace)).max().unwrap_or(0),
        }
    }

    /// The shape that it is formed in: paths through the loop are not unrolled.
    pub fn formed_shape(&self) -> TraceShape {
        match self.layout {
            Layout::Apart => TraceShape { unroll: self.shape.unroll.max(1), ..self.shape },
            Layout::Through => TraceShape { unroll: 1, ..self.shape },
        }
    }
}

/// Way in which traces become code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TraceShape {
    /// Number of times that a trace stands in its loop: at least 1.
    pub unroll: u32,
    /// Seed of forced guard failures, for tests.
    pub forced_failures: Option<u64>,
}

/// As it is.
impl Default for TraceShape {
    fn default() -> TraceShape {
        TraceShape { unroll: 1, forced_failures: None }
    }
}

/// Why a trace cannot be formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Declined {
    /// The block heads no loop.
    NoLoop,
    /// The body has a loop with two entries.
    Irreducible,
    /// A trace is empty, uses an edge that is not there, leaves the loop, or does not come back; or a way through the loop does not leave it.
    NotClosed,
    /// The path passes an inner loop whose trips are not known.
    InnerLoop,
    /// Too much would be copied: of loops inside, what is left of each behind each of the guards in it.
    TooLarge,
    /// A trace begins with all of another, so that nothing would lead to its loop.
    Shadowed,
    /// Something is expected of a local that has the wrong type, or is not live where the trace starts.
    NotTestable,
}
