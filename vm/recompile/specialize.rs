//! Specialized bodies: from the controller's plans to one body of a function, and one of each that is inlined into it.
//!
//! In: a request with plans for loops of its function and of others. Out: the bodies with what could be formed of them, and what that is.
//! Invariant: a body that was formed to be weighed is not formed again, unless `--stress` gives it another shape.

use crate::adaptive::{Chance, LoopKey, LoopPlan, LoopSummary, Specialization, TracePlan, TraceSummary};
use holloway_jit::Request;
use holloway_jit::arrays::{Arrays, BodyFacts};
use holloway_jit::trace::chance::{self, Random};
use holloway_jit::trace::{
    self, Collapsed, InlinedTraces, Several, Trace, TraceSpec, Traces, Wanted, choose, form_all,
};
use holloway_lang::ir::{FuncRef, Function, Inst, Module};
use std::sync::Arc;

/// Specialized bodies.
pub(super) struct Specialized {
    /// The function's own.
    pub(super) own: Option<Traces>,
    /// Those of functions that are inlined into it.
    pub(super) inlined: InlinedTraces,
    /// The loops that are specialized.
    pub(super) loops: Vec<LoopSummary>,
}

/// The bodies with the specializations of some plans, as far as they can be formed; `None` if nothing can.
pub(super) fn specialize(
    request: &Request,
    (module, arrays): (&Module, &Arrays),
    plans: &[LoopPlan],
    chance: Option<Chance>,
) -> Option<Specialized> {
    let mut random = chance.map(|chance| Random(chance.seed));
    let mut formed = Specialized { own: None, inlined: InlinedTraces::default(), loops: Vec::new() };
    let mut callees = specialized_callees(&request.body, plans, chance);
    if let Some(random) = random.as_mut().filter(|_| plans.is_empty()) {
        callees.retain(|_| random.below(2) == 0);
    }
    let near = chance.and_then(|chance| chance.near);
    for callee in std::iter::once(None).chain(callees.into_iter().map(Some)) {
        let body = match callee {
            None => request.whole(),
            Some(callee) => request.expanded.of(callee).map_or(module.function(callee), |expanded| &expanded.body),
        };
        let facts = request.facts(arrays, callee.unwrap_or(request.func));
        let of_body: Vec<&LoopPlan> = plans.iter().filter(|plan| plan.callee == callee).collect();
        let mut wanted: Vec<Wanted> = of_body.iter().map(|plan| self::wanted(body, plan, facts.as_ref())).collect();
        if let Some(random) = &mut random {
            match plans {
                [] => {
                    let near = near.filter(|_| callee.is_none());
                    wanted = chance::specs(body, near, random).into_iter().map(Wanted::from).collect();
                }
                _ => wanted.iter_mut().for_each(|one| reshape(one, random)),
            }
        }
        let Some((traces, loops)) = specialized(module, body, callee, &wanted) else { continue };
        formed.loops.extend(loops);
        match callee {
            None => formed.own = Some(traces),
            Some(callee) => formed.inlined.add(callee, traces),
        }
    }
    (!formed.loops.is_empty()).then_some(formed)
}

/// The functions whose loops may be specialized where they are inlined: those of plans, or by chance any that the body calls.
pub(super) fn specialized_callees(body: &Function, plans: &[LoopPlan], chance: Option<Chance>) -> Vec<FuncRef> {
    if plans.is_empty() && chance.is_some() {
        return called(body);
    }
    let mut callees: Vec<FuncRef> = plans.iter().filter_map(|plan| plan.callee).collect();
    callees.sort_unstable();
    callees.dedup();
    callees
}

/// Functions that a body calls by name.
pub(super) fn called(body: &Function) -> Vec<FuncRef> {
    let insts = body.blocks.values().flat_map(|block| &block.insts);
    let callee = |inst: &Inst| match inst {
        Inst::Call { func, .. } => Some(*func),
        _ => None,
    };
    let mut called: Vec<FuncRef> = insts.filter_map(callee).collect();
    called.sort_unstable();
    called.dedup();
    called
}

/// One body with what is wanted.
fn specialized(
    module: &Module,
    body: &Function,
    callee: Option<FuncRef>,
    wanted: &[Wanted],
) -> Option<(Traces, Vec<LoopSummary>)> {
    let Several { formed, heads, done } = form_all(body, wanted)?;
    let guards = formed.guards.values().filter(|guard| guard.at.is_some()).count() as u32;
    let summary = |specialization: &trace::Specialization| {
        let at = LoopKey { callee, header: specialization.header() };
        match specialization {
            trace::Specialization::Trace(spec, shape) => {
                let unroll = spec.shape(*shape).unroll;
                LoopSummary::Trace(TraceSummary {
                    at,
                    blocks: spec.copied().len() as u32 * unroll,
                    guards,
                    traces: spec.traces.len() as u32,
                    unrolled: spec.iterations() * unroll,
                })
            }
            trace::Specialization::Split(split) => {
                let copies = formed.body.blocks.len().saturating_sub(body.blocks.len());
                LoopSummary::Split { at, state: split.state.name(body, module), blocks: copies as u32 }
            }
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

fn wanted(body: &Arc<Function>, plan: &LoopPlan, facts: Option<&BodyFacts<'_>>) -> Wanted {
    match plan.formed.of(body) {
        Some(weighed) => {
            let formed = Some(weighed.formed.clone());
            Wanted { specialization: weighed.specialization.clone(), formed }
        }
        None => specialization(body, &plan.specialization, facts).into(),
    }
}

fn specialization(body: &Function, wanted: &Specialization, facts: Option<&BodyFacts<'_>>) -> trace::Specialization {
    match wanted {
        Specialization::Trace(plan) => choose::trace(body, &spec(plan), facts),
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
        layout: plan.layout,
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
    use holloway_jit::trace::{Specialized, Split, State};
    use holloway_lang::ir::{Block, Local, parse};

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
        let split = Split {
            header: Block::from_u32(1),
            state: State::Local(Local::from_u32(1)),
            values: vec![0, 1],
            rare: Vec::new(),
        };
        let weighed = Specialized::form(body, trace::Specialization::Split(split.clone())).expect("it can be split");
        let formed: *const trace::Formed = &*weighed.formed;
        let bare = LoopPlan::from(Specialization::Split(split));
        let plan = LoopPlan { formed: FormedBody::new(weighed), ..bare.clone() };
        assert_eq!(plan, bare);
        assert_eq!(format!("{plan:?}"), format!("{bare:?}"));

        let is_weighed = |body: &Arc<Function>, plan: &LoopPlan| {
            let request = Request::new(func, Arc::clone(body), Tier::Optimized);
            let found = specialize(&request, (&module, &Arrays::unknown()), std::slice::from_ref(plan), None)
                .expect("it can be split");
            assert_eq!(
                found.loops,
                [LoopSummary::Split { at: Block::from_u32(1).into(), state: "v1".into(), blocks: 7 }]
            );
            std::ptr::eq(formed, found.own.expect("its own loop is split").formed())
        };
        assert!(is_weighed(body, &plan));
        assert!(!is_weighed(body, &bare), "advice has no formed body");
        assert!(!is_weighed(&Arc::new(Function::clone(body)), &plan), "its function has a new body");
    }
}
