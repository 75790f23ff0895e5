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
//! is at least `forest::LEAST_SHARE`, up to `k`; 2. the period is the least `p` with `s[i + p] = s[i]` over the whole;
//! 3. the period is turned so that it starts at the header of the outermost loop in it. Of the walks of a loop the one with
//! the greatest coverage is taken. A path that enters or leaves the loop ends a sequence.
//! Invariant: what is chosen is a closed walk, so [`super::form`] accepts it.

mod edges;
mod expect;
mod forest;
mod states;

pub use edges::{from_edges, from_findings, from_untaken};
pub use forest::from_forest;
pub use states::{States, from_paths};

use super::nest::Nest;
use super::spec::{Peel, TraceShape, TraceSpec};
use super::specialization::Specialization;
use crate::settings::choose::{MOST_REPEATED, PEELED_SIZE, UNROLLED_SIZE};
use cranelift_entity::EntitySet;
use holloway_lang::ir::{Block, Function};

/// A trace of a walk, with all that can be expected on it, repeated as often as the budget allows.
pub fn trace(body: &Function, walk: &TraceSpec) -> Specialization {
    let spec = expect::expect(body, walk);
    let shape = shape(body, &spec);
    Specialization::Trace(spec, shape)
}

fn shape(body: &Function, spec: &TraceSpec) -> TraceShape {
    let size: usize = spec.blocks().map(|block| body.blocks[block].insts.len() + 1).sum();
    let unroll = (UNROLLED_SIZE / size.max(1)).clamp(1, MOST_REPEATED) as u32;
    TraceShape { unroll, peel: if size <= PEELED_SIZE { Peel::Once } else { Peel::Off }, forced_failures: None }
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
