//! Specialized bodies: from the controller's plans to one body.
//!
//! In: a request with plans for loops of its function. Out: the body with what could be formed of them, and what that is.
//! Invariant: a body that was formed to be weighed is not formed again, unless `--stress` gives it another shape.

use crate::adaptive::{Chance, LoopPlan, LoopSummary, Specialization, TracePlan, TraceSummary};
use holloway_jit::Request;
use holloway_jit::trace::chance::{self, Random};
use holloway_jit::trace::{self, Collapsed, Several, Trace, TraceSpec, Traces, Wanted, choose, form_all};
use holloway_lang::ir::Function;

/// The body with the specializations of some plans, as far as they can be formed.
pub(super) fn specialize(
    request: &Request,
    plans: &[LoopPlan],
    chance: Option<Chance>,
) -> Option<(Traces, Vec<LoopSummary>)> {
    let mut wanted: Vec<Wanted> = plans.iter().map(|plan| wanted(request, plan)).collect();
    if let Some(Chance { seed, near }) = chance {
        let random = &mut Random(seed);
        match plans {
            [] => wanted = chance::specs(&request.body, near, random).into_iter().map(Wanted::from).collect(),
            _ => wanted.iter_mut().for_each(|one| reshape(one, random)),
        }
    }
    let Several { formed, heads, done } = form_all(&request.body, &wanted)?;
    let guards = formed.guards.values().filter(|guard| guard.at.is_some()).count() as u32;
    let summary = |specialization: &trace::Specialization| match specialization {
        trace::Specialization::Trace(spec, shape) => LoopSummary::Trace(TraceSummary {
            header: spec.header,
            blocks: spec.blocks().count() as u32 * shape.unroll,
            guards,
            traces: spec.traces.len() as u32,
            unrolled: spec.traces.iter().map(|trace| trace.iterations() * shape.unroll).sum(),
        }),
        trace::Specialization::Split(split) => {
            let copies = formed.body.blocks.len().saturating_sub(request.body.blocks.len());
            LoopSummary::Split { header: split.header, blocks: copies as u32 }
        }
    };
    let summaries = done.iter().map(|at| summary(&wanted[*at].specialization)).collect();
    Some((Traces::new(formed, heads), summaries))
}

/// Gives a trace a random shape.
fn reshape(wanted: &mut Wanted, random: &mut Random) {
    if let trace::Specialization::Trace(_, shape) = &mut wanted.specialization {
        *shape = chance::shape(random);
        wanted.formed = None;
    }
}

fn wanted(request: &Request, plan: &LoopPlan) -> Wanted {
    match plan.formed.of(&request.body) {
        Some(weighed) => {
            let formed = Some(weighed.formed.clone());
            Wanted { specialization: weighed.specialization.clone(), formed }
        }
        None => specialization(&request.body, &plan.specialization).into(),
    }
}

fn specialization(body: &Function, wanted: &Specialization) -> trace::Specialization {
    match wanted {
        Specialization::Trace(plan) => choose::trace(body, &spec(plan)),
        Specialization::Split(split) => trace::Specialization::Split(split.clone()),
    }
}

/// The traces of a plan.
fn spec(plan: &TracePlan) -> TraceSpec {
    TraceSpec {
        header: plan.header,
        traces: plan.traces.iter().cloned().map(Trace::new).collect(),
        constants: plan.constants.clone(),
        distinct: Vec::new(),
        // Only weighing asks how often they come round.
        collapsed: plan.collapsed.iter().map(|header| Collapsed { header: *header, visits: 1.0 }).collect(),
        coverage: 1.0,
        executions: 1,
        source: plan.source.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adaptive::FormedBody;
    use holloway_jit::Tier;
    use holloway_jit::trace::{Specialized, Split};
    use holloway_lang::ir::{Block, FuncRef, Local, parse};
    use std::sync::Arc;

    const MACHINE: &str = "type t0 = int\nsig0 = (t0) -> t0\nfunction f0 \"f\" sig0(v0: int) -> int {
    local v1: int
    local v2: bool
block0:
    v1 = copy 0
    jump block1
block1:
    v0 = isub v0, 1
    v2 = ieq v1, 1
    branch v2, block2, block3
block2:
    v1 = copy 0
    jump block4
block3:
    v1 = copy 1
    jump block4
block4:
    v2 = igt v0, 0
    branch v2, block1, block5
block5:
    return v0
}";

    #[test]
    fn what_was_weighed_is_compiled_if_it_is_of_that_very_body() {
        let module = parse::module(MACHINE).unwrap_or_else(|error| panic!("{error}"));
        let func = FuncRef::from_u32(0);
        let body = &module.funcs[func].body;
        let split = Split { header: Block::from_u32(1), local: Local::from_u32(1), values: vec![0, 1] };
        let weighed = Specialized::form(body, trace::Specialization::Split(split.clone())).expect("it can be split");
        let formed: *const trace::Formed = &*weighed.formed;
        let bare = LoopPlan::from(Specialization::Split(split));
        let plan = LoopPlan { formed: FormedBody::new(weighed), ..bare.clone() };
        assert_eq!(plan, bare);
        assert_eq!(format!("{plan:?}"), format!("{bare:?}"));

        let is_weighed = |body: &Arc<Function>, plan: &LoopPlan| {
            let request = Request::new(func, Arc::clone(body), Tier::Optimized);
            let (traces, loops) = specialize(&request, std::slice::from_ref(plan), None).expect("it can be split");
            assert_eq!(loops, [LoopSummary::Split { header: Block::from_u32(1), blocks: 7 }]);
            std::ptr::eq(formed, traces.formed())
        };
        assert!(is_weighed(body, &plan));
        assert!(!is_weighed(body, &bare), "advice has no formed body");
        assert!(!is_weighed(&Arc::new(Function::clone(body)), &plan), "its function has a new body");
    }
}
