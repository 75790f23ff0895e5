//! Traces: the paths that a loop keeps taking, as straight code behind guards.
//!
//! In: profiles of a function (a path forest, persistence findings, or edge counts) and its body. Out: a [`TraceSpec`] for a
//! loop, and a [`Formed`] body that holds the trace beside the general loop, in the same function.
//! The road: [`choose`] -> [`TraceSpec`] -> [`form`] -> a body that is compiled like any other, with [`Origins`] to name the
//! blocks it was made from.
//! Invariant: a formed body does what the body it was made from does, whatever the profile said; a trace that is never
//! taken costs time and nothing else.

pub mod chance;
pub mod choose;
pub mod counted;
pub mod estimate;
pub mod form;
mod nest;
mod sequence;
mod several;
pub mod split;

#[cfg(test)]
mod tests;

pub use counted::{Counted, Head, Traces};
pub use form::{Formed, Guard, GuardId, Shape, form};
pub use several::{Several, form_all};

use cranelift_entity::{EntitySet, PrimaryMap};
use holloway_lang::ir::{Block, Local};

/// Which profile a trace was chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A persistent path, or blocks persistently not taken.
    Tfp,
    /// A sequence of path ids that repeats.
    Forest,
    /// Edges that are nearly always taken.
    Edges,
    /// Paths that leave a local as they found it, which says what state the loop is in.
    States,
}

impl Source {
    /// The name in events.
    pub fn name(self) -> &'static str {
        match self {
            Source::Tfp => "tfp",
            Source::Forest => "forest",
            Source::Edges => "edges",
            Source::States => "states",
        }
    }
}

/// A closed walk through a loop that is worth a straight copy.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceSpec {
    /// The loop's header, where the walk starts and ends.
    pub header: Block,
    /// The acyclic paths of the walk. The first starts at the header; each other where the back edge behind the one before
    /// leads, which is the header or an inner loop's; behind the last comes the header again.
    pub paths: Vec<Vec<Block>>,
    /// Integer locals with the value that they are expected to have each time the walk starts.
    pub constants: Vec<(Local, i64)>,
    /// Integer locals that are expected to have the same value, whatever it is, each time the walk starts.
    pub stable: Vec<Local>,
    /// References that the walk does not change and that are expected not to be of the same object.
    pub distinct: Vec<(Local, Local)>,
    /// The share of the loop's executions that followed the walk.
    pub coverage: f64,
    /// Executions of paths of the loop that this was found in.
    pub executions: u64,
    /// Source in which it was found.
    pub source: Source,
}

impl TraceSpec {
    /// The blocks of the walk in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.paths.iter().flatten().copied()
    }

    /// Iterations of the loop in one round of a trace of that shape.
    pub fn iterations(&self, shape: Shape) -> u32 {
        self.paths.len() as u32 * shape.unroll
    }
}

/// Which blocks of another body the blocks of a body were made from.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// For each block, the one it is a copy of; for a block of its own making, the one it was made for.
    pub blocks: PrimaryMap<Block, Block>,
    /// Blocks that are off the trace.
    pub cold: EntitySet<Block>,
}

/// Why no trace was chosen, or the chosen one cannot be formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Declined {
    /// The block heads no loop.
    NoLoop,
    /// The body has a loop with two entries.
    Irreducible,
    /// The walk is empty, uses an edge that is not there, leaves the loop, or does not come back.
    NotAWalk,
    /// The path passes an inner loop whose trips are not known.
    InnerLoop,
    /// No path is taken often enough.
    NoPath,
    /// Something is expected of a local that has the wrong type, or is not live where the walk starts.
    NotTestable,
}

impl std::fmt::Display for Declined {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Declined::NoLoop => "the block heads no loop",
            Declined::Irreducible => "the function has a loop with two entries",
            Declined::NotAWalk => "the blocks are no closed walk through the loop",
            Declined::InnerLoop => "the path passes an inner loop",
            Declined::NoPath => "no path is taken often enough",
            Declined::NotTestable => "what is expected of a local cannot be tested at the header",
        })
    }
}

impl std::error::Error for Declined {}
