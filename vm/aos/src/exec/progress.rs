//! Progress of versions that are compared: which loop they count, and how far they came by the program's own clock.
//!
//! In: the loop that was specialized, or that calls what versions differ in. Out: a counter for the outermost loop around it that comes round often enough, so that counting costs
//! next to nothing where it can, or else for the one right around it, or for the loop itself; and readings of such counters.
//! Invariant: versions of one body that are compared count the same loop.

use super::RecompilationExecutor;
use crate::settings::{LONGEST_AROUND, LONGEST_ITERATION};
use crate::{Action, Observation, ProgressRequest, Reading};
use holloway_ir::{Block, Cfg, FuncRef, Function, Loops};
use holloway_jit::VersionId;
use holloway_jit::progress::Progress;
use holloway_machine::Machine;
use holloway_runtime::cpu_time;
use std::sync::Arc;

impl RecompilationExecutor {
    /// A counter for a version that is compared by a loop. Where no loop around it comes round often enough, iterations
    /// of that very loop are counted.
    pub(super) fn progress_counter(
        &mut self,
        machine: &Machine,
        func: FuncRef,
        wanted: ProgressRequest,
    ) -> Option<Arc<Progress>> {
        let ProgressRequest { at, around } = wanted;
        let choose = || {
            let body = machine.runtime.module().function(func);
            let counts = machine.profiles.get(func)?.observed();
            let iterations = machine.profiles.get(at.callee.unwrap_or(func))?.observed().executions(at.header);
            let own = at.own_header();
            let nest = counted_loop(body, own, around, iterations, |block| counts.executions(block));
            nest.or(own.filter(|header| !is_own_latch(body, *header)))
        };
        let counted = *self.progress_loops.entry((func, at)).or_insert_with(choose);
        Some(Arc::new(Progress::new(counted?)))
    }

    /// Answers how far versions came.
    pub(super) fn read_progress(&mut self, versions: &[VersionId]) -> Vec<Action> {
        let iterations = |id: &VersionId| Some((*id, self.versions.get(id)?.iterations()?));
        let iterations = versions.iter().filter_map(iterations).collect();
        let nanos = cpu_time::of_thread().as_nanos() as u64;
        self.tell(Observation::Progress(Reading { nanos, iterations }))
    }
}

/// True iff a loop is a single block: its back edge is like the edges between the parts of the block that inlined calls leave.
fn is_own_latch(body: &Function, header: Block) -> bool {
    let mut is_own = false;
    body.blocks[header].term.targets(|to| is_own |= to == header);
    is_own
}

/// The outermost loop around a specialized one of which few enough iterations of that one make one; if there is none, the one right around it. The
/// specialized loop is the body's own, or of a function that is inlined in the loop `around`.
fn counted_loop(
    body: &Function,
    own: Option<Block>,
    around: Option<Block>,
    iterations: u64,
    executions: impl Fn(Block) -> u64,
) -> Option<Block> {
    let loops = Loops::of(&Cfg::compute(body));
    let nearest = match own {
        Some(header) => loops.get(loops.headed_by(header)?).parent,
        None => loops.headed_by(around?),
    };
    let nest = std::iter::successors(nearest, |id| loops.get(*id).parent).map(|id| loops.get(id).header);
    let is_often = |header: &Block, longest: u64| executions(*header) > iterations / longest;
    let often = nest.clone().take_while(|header| is_often(header, LONGEST_ITERATION)).last();
    often.or(nest.take(1).find(|header| is_often(header, LONGEST_AROUND)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_ir::parse;

    /// Three loops, one in the other: headers 1, 2 and 3.
    const NEST: &str = "type t0 = int
type t1 = bool
sig0 = (t0) -> t0
function f0 \"f\" sig0(v0: int) -> int {
    local v1: bool
block0:
    jump block1
block1:
    jump block2
block2:
    jump block3
block3:
    v0 = isub v0, 1
    v1 = igt v0, 0
    branch v1, block3, block4
block4:
    v1 = igt v0, 1
    branch v1, block2, block5
block5:
    v1 = igt v0, 2
    branch v1, block1, block6
block6:
    return v0
}";

    #[test]
    fn the_loop_that_is_counted_comes_round_often_enough() {
        let module = parse::module(NEST).unwrap_or_else(|error| panic!("{error}"));
        let body = module.function(FuncRef::from_u32(0));
        let headers = [1, 2, 3].map(Block::from_u32);
        let [outer, middle, inner] = headers;
        for (counts, counted) in [
            ([1_000, 10_000, 100_000], Some(outer)),
            ([1, 10_000, 100_000], Some(middle)),
            ([1, 1_000, 1_000_000], Some(middle)),
            ([1, 10, 1_000_000], Some(middle)),
            ([1, 2, 1_000_000], None),
        ] {
            let executions = |block| counts[headers.iter().position(|header| *header == block).unwrap()];
            assert_eq!(counted_loop(body, Some(inner), None, counts[2], executions), counted, "{counts:?}");
            assert_eq!(counted_loop(body, None, Some(middle), counts[2], executions), counted, "inlined, {counts:?}");
        }
    }
}
