//! Decisions by costs and benefits, and views for tests of all strategies.

use super::*;
use crate::event::Kind;
use crate::strategy::{CompileCosts, Prospect};

const COMPILE: CompileCosts = CompileCosts { optimized: 400.0, profiled: 500.0, specialized: 800.0 };

pub(crate) fn baseline(time: f64) -> View {
    View {
        kind: Kind::Baseline,
        time,
        speedup: 3.0,
        compile: COMPILE,
        may_optimize: true,
        ticks: 10,
        loop_ticks: 10,
        calls: 0,
        back_edges: 0,
        clock: Clock::Real,
    }
}

pub(crate) fn optimized(time: f64) -> View {
    View { kind: Kind::Optimized, speedup: 1.0, ..baseline(time) }
}

fn tick(view: View) -> Decision {
    choose(&view, Asked::Tick(Err(&Reason::OneWay)))
}

fn with_prospect(view: View, gain: f64) -> Choice {
    choose(&view, Asked::Tick(Ok(Prospect { gain, window: 600.0 }))).choice
}

#[test]
fn hot_code_is_optimized_once_it_pays() {
    // 400 + T/3 < T from 600 on.
    assert_eq!(tick(baseline(590.0)).choice, Choice::Stay);
    assert_eq!(tick(baseline(610.0)).choice, Choice::Optimize);
    let stays = tick(View { may_optimize: false, ..baseline(1e9) });
    assert_eq!((stays.choice, stays.reason), (Choice::Stay, Reason::OneWay));
}

#[test]
fn a_tick_at_a_prologue_may_be_chance() {
    let few = View { ticks: SURE_TICKS - 1, loop_ticks: 0, ..baseline(1e9) };
    assert_eq!(tick(few).choice, Choice::Stay);
    assert_eq!(tick(View { ticks: SURE_TICKS, ..few }).choice, Choice::Optimize);
}

#[test]
fn optimized_code_is_profiled_when_the_gain_should_pay_for_all_of_it() {
    // 500 + 600 + 800 = 1900 against a tenth of T.
    assert_eq!(with_prospect(optimized(18_000.0), 0.1), Choice::Stay);
    assert_eq!(with_prospect(optimized(20_000.0), 0.1), Choice::Profile);
}

#[test]
fn baseline_code_goes_straight_to_what_pays_most() {
    assert_eq!(with_prospect(baseline(5_000.0), 0.1), Choice::Optimize);
    assert_eq!(with_prospect(baseline(500_000.0), 0.1), Choice::Profile);
}

#[test]
fn a_profile_ends_in_the_cheaper_code() {
    let view = View { compile: CompileCosts { optimized: 0.0, ..COMPILE }, ..optimized(10_000.0) };
    let found = |view: &View, gain| choose(view, Asked::Profile(gain));
    let nothing = found(&view, Err(&Reason::NothingRan));
    assert_eq!((nothing.choice, nothing.reason), (Choice::Optimize, Reason::NothingRan));
    assert_eq!(found(&view, Ok(0.07)).choice, Choice::Optimize, "800 against 700");
    let longer = View { time: 20_000.0, ..view };
    assert_eq!(found(&longer, Ok(0.07)).choice, Choice::Specialize);
    assert_eq!(found(&View { clock: Clock::Polls, ..longer }, Ok(0.07)).choice, Choice::Optimize);
    let decision = found(&view, Ok(0.2));
    assert_eq!((decision.choice, decision.candidates.len()), (Choice::Specialize, 2));
    assert_eq!(decision.reason.to_string(), "specialize comes to 8.80 ms, optimize to 10.0 ms");
}
