//! Chooses the traces that loops are worth.
//!
//! In: a profile of a function: a k-IPF (`[DD13]`) or what TFP found (`[NGF03]`); and the body. Out: a
//! [`TraceSpec`] for each loop that has one, with the share of executions that it would have covered.
//!
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013.
//! `[NGF03]` S. Nandy, X. Gao, J. Ferrante, "TFP: Time-sensitive, Flow-specific Profiling at Runtime", LCPC 2003.
//! `[RS09]` S. Roy, Y. N. Srikant, "Profiling k-Iteration Paths: A Generalization of the Ball-Larus Profiling Algorithm", CGO 2009.
//!
//! Invariant: what is chosen are closed paths, none of which begins with all of another, so [`super::form`] accepts it.

mod expect;
mod forest;
mod frequent;
mod iteration;
mod nested;
mod persistent;
mod positions;
mod room;
mod smaller;
mod states;
mod through;
mod untaken;

pub use forest::Repeated;
pub use persistent::from_findings;
pub use room::NoRoom;
pub use states::{States, from_paths};
pub use through::copies_loops;
pub use untaken::Untaken;

use super::nest::Nest;
use super::spec::{Layout, Peel, TraceShape, TraceSpec};
use super::specialization::Specialization;
use crate::arrays::BodyFacts;
use crate::settings::choose::{MOST_REPEATED, PEELED_SIZE, UNROLLED_SIZE};
use cranelift_entity::EntitySet;
use holloway_lang::ir::{Block, Function, Inst};
use persistent::one_path;

/// Traces with all that can be expected on them, repeated as often as the budget allows.
pub fn trace(body: &Function, spec: &TraceSpec, facts: Option<&BodyFacts<'_>>) -> Specialization {
    // Advice may name any block; nothing can be formed of it then.
    if !spec.blocks().all(|block| body.blocks.is_valid(block)) {
        let shape = TraceShape { unroll: 1, peel: Peel::Off, forced_failures: None };
        return Specialization::Trace(spec.clone(), spec.shape(shape));
    }
    let spec = expect::expect(body, spec, facts);
    let shape = spec.shape(shape(body, &spec));
    Specialization::Trace(spec, shape)
}

fn shape(body: &Function, spec: &TraceSpec) -> TraceShape {
    let nest = Nest::of(body);
    let blocks: Vec<Block> = match nest.collapsed(body, spec) {
        Some(collapsed) => spec.blocks().flat_map(|block| collapsed.expand(&nest.loops, block)).collect(),
        None => spec.blocks().collect(),
    };
    let size: usize = blocks.into_iter().map(|block| body.blocks[block].insts.len() + 1).sum();
    let unroll = (UNROLLED_SIZE / size.max(1)).clamp(1, MOST_REPEATED) as u32;
    TraceShape { unroll, peel: if size <= PEELED_SIZE { Peel::Once } else { Peel::Off }, forced_failures: None }
}

/// True if a loop has a way that the traces do not take, or that they take in turn, other than to leave: only then can they be better than it.
pub fn has_other_ways(body: &Function, spec: &TraceSpec) -> bool {
    let nest = Nest::of(body);
    let mut on_trace: EntitySet<Block> = EntitySet::new();
    let repeats = spec.traces.len() > 1 || spec.blocks().any(|block| !on_trace.insert(block));
    let is_loop = nest.loops.headed_by(spec.header).is_some();
    is_loop && repeats && spec.layout != Layout::Graph || !left_out_in(&nest, body, spec).is_empty()
}

/// Blocks of a loop that its traces leave out.
pub fn left_out(body: &Function, spec: &TraceSpec) -> Vec<Block> {
    left_out_in(&Nest::of(body), body, spec)
}

fn left_out_in(nest: &Nest, body: &Function, spec: &TraceSpec) -> Vec<Block> {
    let Some(around) = nest.loops.headed_by(spec.header) else { return Vec::new() };
    // An inner loop that is passed path by path is straight only on the trace; one that is passed as a whole is none of what is left out.
    let collapsed = nest.collapsed(body, spec);
    let is_inner = |block: Block| collapsed.as_ref().is_some_and(|all| all.around(block).is_some());
    let mut on_trace: EntitySet<Block> = EntitySet::new();
    spec.blocks().for_each(|block| {
        on_trace.insert(block);
    });
    let blocks = nest.loops.get(around).blocks.iter().copied();
    blocks.filter(|block| !on_trace.contains(*block) && !is_inner(*block)).collect()
}

/// True if there are calls in blocks: where the general loop has a callee inlined, copies of the call might not.
fn calls(body: &Function, mut blocks: impl Iterator<Item = Block>) -> bool {
    let is_call = |inst: &Inst| matches!(inst, Inst::Call { .. } | Inst::CallIndirect { .. });
    blocks.any(|block| body.blocks[block].insts.iter().any(is_call))
}
