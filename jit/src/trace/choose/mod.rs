//! Chooses the walks through a loop that are worth traces.
//!
//! In: a profile of a function: a k-IPF (`[DD13]`), what TFP found (`[NGF03]`), or the counts of its edges; and the body. Out: a
//! [`TraceSpec`] for each loop that has one, with the share of executions that it would have covered.
//!
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013.
//! `[NGF03]` S. Nandy, X. Gao, J. Ferrante, "TFP: Time-sensitive, Flow-specific Profiling at Runtime", LCPC 2003.
//! `[RS09]` S. Roy, Y. N. Srikant, "Profiling k-Iteration Paths: A Generalization of the Ball-Larus Profiling Algorithm", CGO 2009.
//!
//! Invariant: what is chosen are closed walks, none of which begins with all of another, so [`super::form`] accepts it.

mod edges;
mod expect;
mod forest;
mod states;

pub use edges::{from_edges, from_findings, from_untaken};
pub use forest::Repeated;
pub use states::{States, from_paths};

use super::nest::Nest;
use super::spec::{Peel, TraceShape, TraceSpec, Walk};
use super::specialization::Specialization;
use crate::settings::choose::{MOST_REPEATED, PEELED_SIZE, UNROLLED_SIZE};
use cranelift_entity::EntitySet;
use holloway_lang::ir::{Block, Function};

/// Traces of walks, with all that can be expected on it, repeated as often as the budget allows.
pub fn trace(body: &Function, walk: &TraceSpec) -> Specialization {
    let spec = expect::expect(body, walk);
    let shape = shape(body, &spec);
    Specialization::Trace(spec, shape)
}

/// IR instructions of a walk.
fn size(body: &Function, walk: &Walk) -> usize {
    walk.blocks().map(|block| body.blocks[block].insts.len() + 1).sum()
}

fn shape(body: &Function, spec: &TraceSpec) -> TraceShape {
    let size: usize = spec.walks.iter().map(|walk| size(body, walk)).sum();
    let unroll = (UNROLLED_SIZE / size.max(1)).clamp(1, MOST_REPEATED) as u32;
    TraceShape { unroll, peel: if size <= PEELED_SIZE { Peel::Once } else { Peel::Off }, forced_failures: None }
}

/// True if a loop has a way that the walks do not take, or that they take in turn, other than to leave: only then can a trace be better than it.
pub fn has_other_ways(body: &Function, spec: &TraceSpec) -> bool {
    let nest = Nest::of(body);
    let Some(around) = nest.loops.headed_by(spec.header) else { return false };
    // An inner loop that is passed is straight only on the walk.
    let mut on_walk: EntitySet<Block> = EntitySet::new();
    let mut repeats = spec.walks.len() > 1;
    for block in spec.blocks() {
        repeats |= !on_walk.insert(block);
    }
    repeats || nest.loops.get(around).blocks.iter().any(|block| !on_walk.contains(*block))
}
