//! Progress of versions that are compared: they count the outermost loop around the specialized one that comes round
//! often enough, so that counting costs little, or else the one right around it, or that loop itself. Calls of a
//! function are as a loop around all of its own. Invariant: versions of one body that are compared count the same loop.

use super::RecompilationExecutor;
use crate::settings::{LONGEST_AROUND, LONGEST_ITERATION};
use crate::{Action, LoopKey, Observation, ProgressRequest, Reading};
use holloway_ir::{Block, Cfg, FuncRef, Function, Loops};
use holloway_jit::VersionId;
use holloway_jit::progress::Progress;
use holloway_machine::Machine;
use holloway_runtime::cpu_time;
use std::sync::Arc;

impl RecompilationExecutor {
    /// A counter for a version that is compared by a loop, or by one around it.
    pub(super) fn progress_counter(
        &mut self,
        machine: &Machine,
        func: FuncRef,
        wanted: ProgressRequest,
    ) -> Option<Arc<Progress>> {
        let ProgressRequest { at, around } = wanted;
        let choose = || {
            let module = machine.runtime.module();
            let own = machine.profiles.get(func)?.observed();
            let inlined = at.callee.and_then(|callee| Some((callee, machine.profiles.get(callee)?.observed())));
            let executions = |at: LoopKey| match &inlined {
                Some((callee, counts)) if at.callee == Some(*callee) => counts.executions(at.header),
                _ => own.executions(at.header),
            };
            let mut nest = nest(module.function(at.callee.unwrap_or(func)), at.header, at.callee);
            nest.extend(around.into_iter().flat_map(|around| self::nest(module.function(func), around, None)));
            let is_counted = |at: &LoopKey| !is_own_latch(module.function(at.callee.unwrap_or(func)), at.header);
            counted_loop(&nest, executions).filter(is_counted)
        };
        let counted = (*self.present.progress_loops.entry((func, at)).or_insert_with(choose))?;
        Some(Arc::new(match counted.callee {
            None => Progress::new(counted.header),
            Some(callee) => Progress::inlined(callee, counted.header),
        }))
    }

    pub(super) fn read_progress(&mut self, versions: &[VersionId]) -> Vec<Action> {
        let iterations = |id: &VersionId| Some((*id, self.present.versions.get(id)?.iterations()?));
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

/// The loop with a header, those around it from the inside out, and the entry.
fn nest(body: &Function, header: Block, callee: Option<FuncRef>) -> Vec<LoopKey> {
    let loops = Loops::of(&Cfg::compute(body));
    let headers = loops.chain(header).map(|id| loops.get(id).header);
    headers.chain([body.entry()]).map(|header| LoopKey { callee, header }).collect()
}

/// The outermost loop of which few enough iterations of the first make one; else the one right around it, or itself.
fn counted_loop(nest: &[LoopKey], executions: impl Fn(LoopKey) -> u64) -> Option<LoopKey> {
    let (at, around) = nest.split_first()?;
    let is_often = |header: &LoopKey, longest: u64| executions(*header) > executions(*at) / longest;
    let often = around.iter().take_while(|header| is_often(header, LONGEST_ITERATION)).last();
    let right_around = || around.first().filter(|header| is_often(header, LONGEST_AROUND));
    Some(*often.or_else(right_around).unwrap_or(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::{body, module_of};
    use cranelift_entity::EntityRef;

    /// Three loops, one in the other: headers 1, 2 and 3.
    const NEST: &str = "block0:
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
";

    #[test]
    fn the_loop_that_is_counted_comes_round_often_enough() {
        let module = module_of(NEST);
        let body = body(&module);
        let blocks = [0, 1, 2, 3].map(Block::from_u32);
        let [calls, outer, middle, inner] = blocks.map(LoopKey::own);
        for (counts, counted) in [
            ([1, 1_000, 10_000, 100_000], outer),
            ([1, 1, 10_000, 100_000], middle),
            ([1, 1, 1_000, 1_000_000], middle),
            ([1, 1, 10, 1_000_000], middle),
            ([1, 1, 2, 1_000_000], inner),
            ([500, 500, 10_000, 100_000], calls),
            ([500, 500, 500, 1_000_000], middle),
        ] {
            let executions = |at: LoopKey| counts[at.header.index()];
            let nest = nest(body, inner.header, None);
            assert_eq!(nest, [inner, middle, outer, calls]);
            assert_eq!(counted_loop(&nest, executions), Some(counted), "{counts:?}");
        }
    }

    #[test]
    fn calls_are_counted_of_a_function_with_one_long_loop() {
        let nest = [3, 0].map(Block::from_u32).map(LoopKey::own);
        let of_calls = |calls: u64| counted_loop(&nest, |at| if at == nest[0] { 1_000_000 } else { calls });
        assert_eq!([of_calls(100), of_calls(1)], [Some(nest[1]), Some(nest[0])]);
    }
}
