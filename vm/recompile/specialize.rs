//! Specialized bodies: from the controller's plans to one body.
//!
//! In: a request with plans for loops of its function. Out: the body with what could be formed of them, and what that is.
//! Invariant: what was formed to be weighed is not formed again, unless chance gives it another shape.

use crate::adaptive::{Chance, LoopPlan, LoopSummary, Specialization, TracePlan, TraceSummary};
use holloway_jit::Request;
use holloway_jit::trace::chance::{self, Random};
use holloway_jit::trace::{self, Several, TraceSpec, Traces, Wanted, choose, form_all};
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
            _ => wanted.iter_mut().for_each(|one| shake(one, random)),
        }
    }
    let Several { formed, heads, done } = form_all(&request.body, &wanted)?;
    let guards = formed.guards.values().filter(|guard| guard.at.is_some()).count() as u32;
    let summary = |specialization: &trace::Specialization| match specialization {
        trace::Specialization::Trace(spec, shape) => LoopSummary::Trace(TraceSummary {
            header: spec.header,
            blocks: spec.blocks().count() as u32 * shape.unroll,
            guards,
            unrolled: spec.iterations(*shape),
        }),
        trace::Specialization::Split(split) => {
            let copies = formed.body.blocks.len().saturating_sub(request.body.blocks.len());
            LoopSummary::Split { header: split.header, blocks: copies as u32 }
        }
    };
    let summaries = done.iter().map(|at| summary(&wanted[*at].specialization)).collect();
    Some((Traces::new(formed, heads), summaries))
}

/// Gives a trace a shape by chance.
fn shake(wanted: &mut Wanted, random: &mut Random) {
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
        Specialization::Trace(plan) => choose::trace(body, &walk(plan)),
        Specialization::Split(split) => trace::Specialization::Split(split.clone()),
    }
}

/// The walk of a plan.
fn walk(plan: &TracePlan) -> TraceSpec {
    TraceSpec {
        header: plan.header,
        paths: plan.paths.clone(),
        constants: plan.constants.clone(),
        stable: Vec::new(),
        distinct: Vec::new(),
        coverage: 1.0,
        executions: 1,
        source: plan.source.into(),
    }
}
