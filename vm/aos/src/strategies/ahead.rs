//! Everything that a tick falls on is optimized, by the counts of baseline code, as a compiler ahead of time would;
//! paths are never profiled.

use crate::event::{Choice, Kind};
use crate::reason::Reason;
use crate::strategy::{Asked, Decision, Strategy, View};

pub(super) const AHEAD: Strategy = Strategy {
    name: "ahead",
    about: "optimizes a function at its first tick, and never profiles paths",
    wants_back_edges: false,
    choose,
};

fn choose(view: &View, asked: Asked<'_>) -> Decision {
    let candidates = view.candidates(asked);
    match (asked, view.kind) {
        (Asked::Tick(_), Kind::Baseline) if view.may_optimize => {
            Decision::of(candidates, Choice::Optimize, Reason::TickFell)
        }
        (Asked::Tick(_), _) => Decision::of(candidates, Choice::Stay, Reason::NothingElse),
        (Asked::Profile(_), _) => Decision::of(candidates, Choice::Optimize, Reason::PathsUnused),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::cost_benefit::tests::{baseline, optimized};

    #[test]
    fn whatever_a_tick_falls_on_is_optimized_once() {
        let tick = Asked::Tick(Err(&Reason::NoLoop));
        assert_eq!(choose(&baseline(1.0), tick).choice, Choice::Optimize);
        assert_eq!(choose(&View { may_optimize: false, ..baseline(1.0) }, tick).choice, Choice::Stay);
        assert_eq!(choose(&optimized(1e9), tick).choice, Choice::Stay);
    }
}
