//! Chooses the traces that loops are worth, from a k-IPF of a function (`[DD13]`), with the share of executions that
//! each would have covered. Invariant: closed paths, none of which begins with all of another, so [`super::form`]
//! accepts them.
//!
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013.
//! `[RS09]` S. Roy, Y. N. Srikant, "Profiling k-Iteration Paths: A Generalization of the Ball-Larus Profiling
//! Algorithm", CGO 2009.

mod expect;
mod forest;
mod positions;
mod room;
mod through;

pub use forest::Repeated;
pub use room::NoRoom;
pub use through::copies_loops;

use super::nest::Nest;
use super::spec::{TraceShape, TraceSpec};
use crate::arrays::BodyFacts;
use crate::settings::choose::{MOST_REPEATED, UNROLLED_SIZE};
use cranelift_entity::EntitySet;
use holloway_lang::ir::{Block, Function};

/// Traces with all that can be expected on them, repeated as often as the budget allows.
pub fn trace(body: &Function, spec: &TraceSpec, facts: Option<&BodyFacts<'_>>) -> TraceSpec {
    // Advice may name any block; nothing can be formed of it then.
    let spec = match spec.blocks().all(|block| body.blocks.is_valid(block)) {
        true => TraceSpec { shape: shape(body, spec), ..expect::expect(body, spec, facts) },
        false => spec.clone(),
    };
    TraceSpec { shape: spec.formed_shape(), ..spec }
}

fn shape(body: &Function, spec: &TraceSpec) -> TraceShape {
    let size: usize = spec.blocks().map(|block| body.blocks[block].insts.len() + 1).sum();
    let unroll = (UNROLLED_SIZE / size.max(1)).clamp(1, MOST_REPEATED) as u32;
    TraceShape { unroll, forced_failures: None }
}

/// True if a loop has a path that the traces do not take, or take in turn: only then can they be better.
pub fn has_other_ways(body: &Function, spec: &TraceSpec) -> bool {
    let nest = Nest::of(body);
    let Some(around) = nest.loops.headed_by(spec.header) else { return false };
    let mut on_trace: EntitySet<Block> = EntitySet::new();
    let repeats = spec.blocks().fold(spec.traces.len() > 1, |repeats, block| !on_trace.insert(block) || repeats);
    repeats || nest.loops.get(around).blocks.iter().any(|block| !on_trace.contains(*block))
}
