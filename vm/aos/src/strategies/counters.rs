//! Thresholds of calls and back edges, as HotSpot's tiered policy has them; optimized code whose loops stay hot is
//! profiled, and whatever should save anything specialized. Costs and benefits are told beside, and decide nothing.
//!
//! `[HS]` OpenJDK, `compilationPolicy.hpp`: with i calls and b back edges a method is compiled by tier 4 if i >
//! Tier4InvocationThreshold, or i > Tier4MinInvocationThreshold and i + b > Tier4CompileThreshold; a loop if b >
//! Tier4BackEdgeThreshold.

use crate::event::{Choice, Kind};
use crate::reason::Reason;
use crate::strategy::{Asked, Decision, Strategy, View};

/// Calls after which a function is optimized `[HS]`.
const CALLS: u64 = 5_000;
/// Calls without which calls and back edges together do not count `[HS]`.
const LEAST_CALLS: u64 = 600;
/// Calls and back edges together after which a function is optimized `[HS]`.
const BOTH: u64 = 15_000;
/// Back edges after which a function is optimized for the activation that runs `[HS]`.
const BACK_EDGES: u64 = 40_000;
/// Ticks on loops after which a function is profiled: a millisecond each, so that the loop has run some 10^6 times.
const LOOP_TICKS: u64 = 8;

pub(super) const COUNTERS: Strategy = Strategy {
    name: "counters",
    about: "goes by thresholds of calls and back edges, as HotSpot does",
    wants_back_edges: true,
    choose,
};

fn choose(view: &View, asked: Asked<'_>) -> Decision {
    let candidates = view.candidates(asked);
    let View { calls, back_edges, .. } = *view;
    match asked {
        Asked::Tick(_) if view.kind == Kind::Baseline => {
            let by_calls = calls > CALLS || calls > LEAST_CALLS && calls + back_edges > BOTH;
            match view.may_optimize && (by_calls || back_edges > BACK_EDGES) {
                true => Decision::of(candidates, Choice::Optimize, Reason::Counted { calls, back_edges }),
                false => Decision::of(candidates, Choice::Stay, Reason::CountedFew { calls, back_edges }),
            }
        }
        Asked::Tick(Ok(_)) if view.loop_ticks >= LOOP_TICKS => {
            Decision::of(candidates, Choice::Profile, Reason::LoopTicks(view.loop_ticks))
        }
        Asked::Tick(Ok(_)) => Decision::of(candidates, Choice::Stay, Reason::FewLoopTicks(view.loop_ticks)),
        Asked::Tick(Err(reason)) => Decision::of(candidates, Choice::Stay, reason.clone()),
        Asked::Profile(Ok(gain)) if gain > 0.0 => Decision::of(candidates, Choice::Specialize, Reason::Saves(gain)),
        Asked::Profile(Ok(_)) => Decision::of(candidates, Choice::Optimize, Reason::SavesNothing),
        Asked::Profile(Err(reason)) => Decision::of(candidates, Choice::Optimize, reason.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::cost_benefit::tests::{baseline, optimized};
    use crate::strategy::Prospect;

    fn counted(calls: u64, back_edges: u64) -> Choice {
        let view = View { calls, back_edges, ..baseline(1.0) };
        choose(&view, Asked::Tick(Err(&Reason::NoLoop))).choice
    }

    #[test]
    fn thresholds_are_those_of_hotspot() {
        assert_eq!([(5_000, 0), (5_001, 0)].map(|(i, b)| counted(i, b)), [Choice::Stay, Choice::Optimize]);
        assert_eq!([(600, 39_000), (601, 14_400)].map(|(i, b)| counted(i, b)), [Choice::Stay, Choice::Optimize]);
        assert_eq!([(1, 40_000), (1, 40_001)].map(|(i, b)| counted(i, b)), [Choice::Stay, Choice::Optimize]);
    }

    #[test]
    fn whatever_should_save_anything_is_specialized() {
        let ticks = |loop_ticks| {
            let asked = Asked::Tick(Ok(Prospect { gain: 0.001, window: 1e9 }));
            choose(&View { loop_ticks, ..optimized(1.0) }, asked).choice
        };
        assert_eq!([7, 8].map(ticks), [Choice::Stay, Choice::Profile]);
        let profile = |gain| choose(&optimized(1.0), Asked::Profile(gain)).choice;
        assert_eq!(
            [Ok(0.01), Ok(0.0), Err(&Reason::NothingRan)].map(profile),
            [Choice::Specialize, Choice::Optimize, Choice::Optimize]
        );
    }
}
