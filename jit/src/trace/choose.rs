//! Chooses the walk through a loop that is worth a trace.
//!
//! In: a profile of a function: a k-IPF (`[DD13]`), what TFP found (`[NGF03]`), or the counts of its edges; and the body. Out: a
//! [`TraceSpec`] for each loop that has one, with the share of executions that it would have covered.
//!
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013.
//! `[NGF03]` S. Nandy, X. Gao, J. Ferrante, "TFP: Time-sensitive, Flow-specific Profiling at Runtime", LCPC 2003.
//! `[RS09]` S. Roy, Y. N. Srikant, "Profiling k-Iteration Paths: A Generalization of the Ball-Larus Profiling Algorithm", CGO 2009.
//!
//! From a forest, for each id that starts at a loop's header and ends at a back edge: 1. follow the likeliest child while its share
//! is at least [`LEAST_SHARE`], up to `k`; 2. the period is the least `p` with `s[i + p] = s[i]` over the whole;
//! 3. the period is turned so that it starts at the header of the outermost loop in it. Of the walks of a loop the one with
//! the greatest coverage is taken. A path that enters or leaves the loop ends a sequence.
//! Invariant: what is chosen is a closed walk, so [`super::form`] accepts it.

mod edges;
mod expect;
mod forest;
mod states;

pub use edges::{from_edges, from_findings, from_untaken};
pub use expect::expect;
pub use forest::from_forest;
pub use states::{States, from_paths};

use super::TraceSpec;
use super::form::{Peel, Shape};
use super::nest::Nest;
use cranelift_entity::EntitySet;
use holloway_lang::ir::{Block, Function};

/// A child is followed if it has at least this share of its parent.
pub const LEAST_SHARE: f64 = 0.8;

/// An edge is followed if it is taken at least this often when its source is executed.
pub const LEAST_BIAS: f64 = 0.95;

/// Greatest number of ids of a loop that are tried as the start of a sequence, hottest first.
pub const MOST_STARTS: usize = 64;

/// A walk is repeated while the trace's loop has at most so many IR instructions.
pub const UNROLLED_SIZE: usize = 200;

/// A walk with more IR instructions is not peeled, as the code in front of the loop is as large again.
pub const PEELED_SIZE: usize = 400;

/// The shape for a spec: as often as the budget allows.
pub fn shape(body: &Function, spec: &TraceSpec) -> Shape {
    let size: usize = spec.blocks().map(|block| body.blocks[block].insts.len() + 1).sum();
    let unroll = (UNROLLED_SIZE / size.max(1)).clamp(1, 8) as u32;
    Shape { unroll, peel: if size <= PEELED_SIZE { Peel::Once } else { Peel::Off }, chance: None }
}

/// True if a loop has a way that a walk does not take, other than to leave: only then can a trace be better than it.
pub fn has_other_ways(body: &Function, spec: &TraceSpec) -> bool {
    let nest = Nest::of(body);
    let Some(around) = nest.loops.headed_by(spec.header) else { return false };
    // An inner loop that is passed is straight only on the walk.
    let mut on_walk: EntitySet<Block> = EntitySet::new();
    let repeats = spec.blocks().any(|block| !on_walk.insert(block));
    repeats || nest.loops.get(around).blocks.iter().any(|block| !on_walk.contains(*block))
}
