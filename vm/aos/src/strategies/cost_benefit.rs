//! Costs and benefits: the choice with the least sum of cost C and future F, after Jikes RVM's analytic model
//! `[AFGHS00]`. The future is as long as the past, so F = T x speed(present) / speed(plan). Specializing takes a
//! profile first: its gain counts as expected before that, and as estimated after.
//!
//! `[AFGHS00]` M. Arnold, S. Fink, D. Grove, M. Hind, P. Sweeney, "Adaptive Optimization in the Jalapeno JVM", OOPSLA
//! 2000.

use crate::event::{Candidate, Choice};
use crate::settings::{LEAST_SAVING, SURE_TICKS};
use crate::strategy::{Asked, Decision, Strategy, View};
use crate::{Clock, Reason};

pub(super) const COST_BENEFIT: Strategy = Strategy {
    name: "cost-benefit",
    about: "weighs what compilation costs against what it should save",
    wants_back_edges: false,
    choose,
};

fn choose(view: &View, asked: Asked<'_>) -> Decision {
    let candidates = view.candidates(asked);
    match asked {
        Asked::Tick(prospect) => {
            let decision = least(candidates, view.clock);
            match prospect {
                Err(reason) if decision.candidates.len() == 1 => Decision { reason: reason.clone(), ..decision },
                _ if decision.choice != Choice::Stay && is_chance(view) => {
                    let reason = Reason::MayBeChance { ticks: view.ticks, sure: SURE_TICKS };
                    Decision { choice: Choice::Stay, reason, ..decision }
                }
                _ => decision,
            }
        }
        // Where versions are compared in turns, an estimate forbids nothing.
        Asked::Profile(Ok(gain)) if gain >= LEAST_SAVING || view.clock == Clock::Real => least(candidates, view.clock),
        Asked::Profile(Ok(gain)) => {
            Decision::of(candidates, Choice::Optimize, Reason::SavesLittle { gain, least: LEAST_SAVING })
        }
        Asked::Profile(Err(reason)) => Decision::of(candidates, Choice::Optimize, reason.clone()),
    }
}

/// True iff so few ticks at prologues may be chance.
fn is_chance(view: &View) -> bool {
    view.loop_ticks == 0 && view.ticks < SURE_TICKS
}

/// The candidate with the least sum; of equals the first.
fn least(candidates: Vec<Candidate>, clock: Clock) -> Decision {
    let best = candidates.iter().min_by(|a, b| a.total().total_cmp(&b.total())).expect("there is one").clone();
    let next = candidates.iter().filter(|other| other.choice != best.choice);
    let reason = match next.min_by(|a, b| a.total().total_cmp(&b.total())) {
        None => Reason::NothingElse,
        Some(next) => Reason::Least {
            choice: best.choice,
            total: best.total(),
            next: next.choice,
            next_total: next.total(),
            clock,
        },
    };
    Decision { candidates, choice: best.choice, reason }
}

#[cfg(test)]
#[path = "cost_benefit_tests.rs"]
pub(crate) mod tests;
