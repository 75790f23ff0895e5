//! Progress of versions that are compared: which loop they count, and how far they came by the program's own clock.
//!
//! In: the loop that was specialized, or that calls what versions differ in. Out: a counter for the outermost loop around it that comes round often enough, so that counting costs
//! next to nothing where it can, or else for the one right around it, or for the loop itself; and readings of such counters.
//! Invariant: versions of one body that are compared count the same loop.

use super::RecompilationExecutor;
use super::settings::{LONGEST_AROUND, LONGEST_ITERATION};
use crate::adaptive::{Directive, Observation, ProgressRequest, Reading};
use crate::machine::Machine;
use crate::runtime::cpu_time;
use holloway_jit::VersionId;
use holloway_jit::progress::Progress;
use holloway_lang::ir::{Block, Cfg, FuncRef, Function, Loops};
use std::sync::Arc;

impl RecompilationExecutor {
    /// A counter for a version that is compared by a loop. Where no loop around it comes round often enough,
    /// iterations of that very loop are counted, if they may: not in a split that is in use, as each of its loops would have to count them.
    pub(super) fn progress_counter(
        &mut self,
        machine: &Machine,
        func: FuncRef,
        wanted: ProgressRequest,
    ) -> Option<Arc<Progress>> {
        let ProgressRequest { at, may_count_it, around } = wanted;
        let choose = || {
            let body = machine.runtime.module().function(func);
            let counts = machine.profiles.get(func)?.observed();
            let iterations = machine.profiles.get(at.callee.unwrap_or(func))?.observed().executions(at.header);
            let own = at.own_header();
            let nest = counted_loop(body, own, around, iterations, |block| counts.executions(block));
            nest.or(own.filter(|header| may_count_it && !is_own_latch(body, *header)))
        };
        let counted = *self.progress_loops.entry((func, at, may_count_it)).or_insert_with(choose);
        Some(Arc::new(Progress::new(counted?)))
    }

    /// Answers how far versions came.
    pub(super) fn read_progress(&mut self, versions: &[VersionId]) -> Vec<Directive> {
        let iterations = |id: &VersionId| Some((*id, self.versions.get(id)?.iterations()?));
        let iterations = versions.iter().filter_map(iterations).collect();
        let nanos = cpu_time::of_thread().as_nanos() as u64;
        let now = self.now();
        self.session.observe(now, Observation::Progress(Reading { nanos, iterations }))
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
    use crate::{Config, Engine};

    #[test]
    fn the_loop_that_is_counted_comes_round_often_enough() {
        let mut engine = Engine::new(Config::default()).unwrap();
        let text = "fn f(n: int) -> int {\n    var sum = 0\n    for i in 0..n {\n        for j in 0..n {\n            for k in 0..n { sum += i ^ j ^ k }\n        }\n    }\n    return sum\n}\n";
        engine.load("nest.hw", text).unwrap();
        let body = &engine.module().funcs.values().find(|decl| decl.body.name == "f").unwrap().body;
        let loops = Loops::of(&Cfg::compute(body));
        let mut headers: Vec<Block> = loops.values().map(|one| one.header).collect();
        headers.sort_by_key(|header| loops.depth(*header));
        let [outer, middle, inner] = headers[..] else { panic!("three loops: {headers:?}") };
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
