//! Progress of versions that are compared: which loop they count, and how far they came by the program's own clock.
//!
//! In: the loop that was specialized. Out: a counter for the outermost loop around it that comes round often enough, so that counting costs
//! next to nothing where it can; and readings of such counters.
//! Invariant: versions of one body that are compared count the same loop.

use super::RecompilationExecutor;
use super::settings::LONGEST_ITERATION;
use crate::adaptive::{Directive, Observation, Reading};
use crate::machine::Machine;
use crate::runtime::cpu_time;
use holloway_jit::VersionId;
use holloway_jit::progress::Progress;
use holloway_lang::ir::{Block, Cfg, FuncRef, Loops};
use std::sync::Arc;

impl RecompilationExecutor {
    /// A counter for a version that specializes a loop, or that such a one is compared with. None where the iterations of that very loop
    /// would have to be counted: in each copy on a trace, one behind the other, that made bytecodevm run 1.4 times as long.
    pub(super) fn progress_counter(
        &mut self,
        machine: &Machine,
        func: FuncRef,
        specialized: Block,
    ) -> Option<Arc<Progress>> {
        let choose = || counted_loop(machine, func, specialized);
        let counted = *self.progress_loops.entry((func, specialized)).or_insert_with(choose);
        (counted != specialized).then(|| Arc::new(Progress::new(counted)))
    }

    /// Answers how far versions came.
    pub(super) fn read_progress(&mut self, versions: &[VersionId]) -> Vec<Directive> {
        let iterations = |id: &VersionId| {
            let version = self.versions.get(id)?;
            Some((*id, version.progress.as_ref()?.iterations()))
        };
        let iterations = versions.iter().filter_map(iterations).collect();
        let nanos = cpu_time::of_thread().as_nanos() as u64;
        let now = self.now();
        self.session.observe(now, Observation::Progress(Reading { nanos, iterations }))
    }
}

/// The outermost loop around a loop of which few enough iterations of the inner one make one.
fn counted_loop(machine: &Machine, func: FuncRef, specialized: Block) -> Block {
    let body = machine.runtime.module().function(func);
    let loops = Loops::of(&Cfg::compute(body));
    let (Some(id), Some(profile)) = (loops.headed_by(specialized), machine.profiles.get(func)) else {
        return specialized;
    };
    let counts = profile.observed();
    let least = counts.executions(specialized) / LONGEST_ITERATION;
    let nest = std::iter::successors(Some(id), |id| loops.get(*id).parent).map(|id| loops.get(id).header);
    nest.take_while(|header| counts.executions(*header) > least).last().unwrap_or(specialized)
}
