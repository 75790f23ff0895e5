//! Deciding, apart from acting: what each plan costs once (C) and how long the function would then run on (F), and which sum is least.
//!
//! In: figures of one function ([`Situation`] or [`Profiled`]). Out: a [`Decision`] that carries every figure it was made on.
//! Jikes RVM's analytic model: the future is as long as the past, so F = T x speed(present) / speed(plan), and a plan is
//! chosen if C + F is less than T. Specializing is two steps, a profile and what it may find, so its gain counts as
//! expected before the profile and as estimated from it after.
//! Invariant: pure.

use super::event::{Candidate, Choice, Kind};
use super::settings::Clock;

/// A function that may be compiled again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Situation<'a> {
    /// Kind of code that it runs as.
    pub kind: Kind,
    /// Time for which it would run on like that, in microseconds.
    pub time: f64,
    /// Speed of optimized code to its present code's.
    pub speedup: f64,
    /// Cost that compilations would have for the program, in microseconds.
    pub compile: CompileCosts,
    /// Promise of a profile, or why none is to be made now.
    pub prospect: Result<Prospect, &'a str>,
    /// True iff it may be compiled at all.
    pub may_optimize: bool,
    /// Measure of times, for the reason.
    pub clock: Clock,
}

/// Cost that compilations would have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CompileCosts {
    /// As optimized code.
    pub optimized: f64,
    /// With probes.
    pub profiled: f64,
    /// With traces.
    pub specialized: f64,
}

/// Promise of a profile.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prospect {
    /// The part of the function's time that a specialization is expected to save.
    pub gain: f64,
    /// The time lost to probes while it is made, in microseconds.
    pub window: f64,
}

/// A function whose profile is complete.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Profiled<'a> {
    /// Time for which it would run on as optimized code, in microseconds.
    pub time: f64,
    /// Cost of having optimized code: nothing if there is some from before.
    pub optimize: f64,
    /// Cost of specializing.
    pub specialize: f64,
    /// The part of the function's time that specializing should save, as the profile says; or why nothing can be gained.
    pub gain: Result<f64, &'a str>,
    /// The least part worth doing it for.
    pub least_gain: f64,
    /// Measure of times, for the reason.
    pub clock: Clock,
}

/// Choice of what is done, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// Choices that could be made, what is done now first.
    pub candidates: Vec<Candidate>,
    /// Choice that is made.
    pub choice: Choice,
    /// Why, in words.
    pub reason: String,
}

/// Decides about a function by its time.
pub fn decide(at: &Situation<'_>) -> Decision {
    let mut candidates = vec![Candidate { choice: Choice::Stay, cost: 0.0, future: at.time }];
    let optimized = at.time / at.speedup;
    if at.kind == Kind::Baseline && at.may_optimize {
        candidates.push(Candidate { choice: Choice::Optimize, cost: at.compile.optimized, future: optimized });
    }
    if let Ok(prospect) = at.prospect {
        let cost = at.compile.profiled + prospect.window + at.compile.specialized;
        let future = optimized * (1.0 - prospect.gain);
        candidates.push(Candidate { choice: Choice::Profile, cost, future });
    }
    let decision = least(candidates, at.clock);
    match (decision.candidates.len(), at.prospect) {
        (1, Err(reason)) => Decision { reason: reason.to_owned(), ..decision },
        _ => decision,
    }
}

/// Decides about a function whose profile is complete. It cannot stay as it is: probes cost and have nothing more to tell.
pub fn decide_profiled(at: &Profiled<'_>) -> Decision {
    let mut candidates = vec![Candidate { choice: Choice::Optimize, cost: at.optimize, future: at.time }];
    let reason = match at.gain {
        Err(reason) => reason.to_owned(),
        Ok(gain) => {
            let future = at.time * (1.0 - gain);
            candidates.push(Candidate { choice: Choice::Specialize, cost: at.specialize, future });
            if gain >= at.least_gain {
                return least(candidates, at.clock);
            }
            let (gain, least) = (gain * 100.0, at.least_gain * 100.0);
            format!("it should save {gain:.1}% of the function's time, less than {least:.0}% is not tried")
        }
    };
    Decision { candidates, choice: Choice::Optimize, reason }
}

/// The candidate with the least sum; of equals the first.
fn least(candidates: Vec<Candidate>, clock: Clock) -> Decision {
    let best = candidates.iter().min_by(|a, b| a.total().total_cmp(&b.total())).expect("there is one").clone();
    let next = candidates.iter().filter(|other| other.choice != best.choice);
    let reason = match next.min_by(|a, b| a.total().total_cmp(&b.total())) {
        None => "there is nothing else to do".to_owned(),
        Some(next) => format!(
            "{} comes to {}, {} to {}",
            best.choice.name(),
            clock.brief(best.total()),
            next.choice.name(),
            clock.brief(next.total())
        ),
    };
    Decision { candidates, choice: best.choice, reason }
}

/// The part of begun iterations that may fail before a trace costs more than it gains, where an iteration on it takes `ratio` of a general
/// one and a failure costs `penalty` of one besides: (1 - r) ratio + r (1 + penalty) = 1.
pub fn break_even(ratio: f64, penalty: f64) -> f64 {
    ((1.0 - ratio) / (1.0 + penalty - ratio)).clamp(0.0, 1.0)
}

/// The same rate, where a trace was measured to save `gain` while so many iterations failed.
pub fn measured_break_even(gain: f64, rate: f64, ratio: f64, penalty: f64) -> f64 {
    (rate + gain / (1.0 + penalty - ratio)).clamp(0.0, 1.0)
}

/// The part of a loop's time that a trace saves when `rate` of the iterations begun on it fail.
pub fn gain_at(ratio: f64, penalty: f64, rate: f64) -> f64 {
    1.0 - ((1.0 - rate) * ratio + rate * (1.0 + penalty))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPILE: CompileCosts = CompileCosts { optimized: 400.0, profiled: 500.0, specialized: 800.0 };

    fn baseline(time: f64) -> Situation<'static> {
        Situation {
            kind: Kind::Baseline,
            time,
            speedup: 3.0,
            compile: COMPILE,
            prospect: Err("it has one path"),
            may_optimize: true,
            clock: Clock::Real,
        }
    }

    fn optimized(time: f64, gain: f64) -> Situation<'static> {
        let prospect = Ok(Prospect { gain, window: 600.0 });
        Situation {
            kind: Kind::Optimized,
            time,
            speedup: 1.0,
            compile: COMPILE,
            prospect,
            may_optimize: true,
            clock: Clock::Real,
        }
    }

    #[test]
    fn hot_code_is_optimized_once_it_pays() {
        // 400 + T/3 < T from 600 on.
        assert_eq!(decide(&baseline(590.0)).choice, Choice::Stay);
        assert_eq!(decide(&baseline(610.0)).choice, Choice::Optimize);
        assert_eq!(decide(&Situation { may_optimize: false, ..baseline(1e9) }).choice, Choice::Stay);
    }

    #[test]
    fn optimized_code_is_profiled_when_the_gain_should_pay_for_all_of_it() {
        // 500 + 600 + 800 = 1900 against a tenth of T.
        assert_eq!(decide(&optimized(18_000.0, 0.1)).choice, Choice::Stay);
        assert_eq!(decide(&optimized(20_000.0, 0.1)).choice, Choice::Profile);
    }

    #[test]
    fn a_function_that_is_left_as_it_is_has_a_reason() {
        let stays = decide(&Situation { may_optimize: false, ..baseline(1e9) });
        assert_eq!((stays.choice, stays.reason.as_str()), (Choice::Stay, "it has one path"));
    }

    #[test]
    fn baseline_code_goes_straight_to_what_pays_most() {
        let prospect = Ok(Prospect { gain: 0.1, window: 600.0 });
        assert_eq!(decide(&Situation { prospect, ..baseline(5_000.0) }).choice, Choice::Optimize);
        assert_eq!(decide(&Situation { prospect, ..baseline(500_000.0) }).choice, Choice::Profile);
    }

    #[test]
    fn a_profile_ends_in_the_cheaper_code() {
        let found = |gain| Profiled {
            time: 10_000.0,
            optimize: 0.0,
            specialize: 800.0,
            gain,
            least_gain: 0.03,
            clock: Clock::Real,
        };
        assert_eq!(decide_profiled(&found(Err("nothing repeats"))).choice, Choice::Optimize);
        assert_eq!(decide_profiled(&found(Err("nothing repeats"))).reason, "nothing repeats");
        assert_eq!(decide_profiled(&found(Ok(0.02))).choice, Choice::Optimize);
        assert_eq!(decide_profiled(&found(Ok(0.07))).choice, Choice::Optimize);
        let decision = decide_profiled(&found(Ok(0.2)));
        assert_eq!((decision.choice, decision.candidates.len()), (Choice::Specialize, 2));
        assert_eq!(decision.reason, "specialize comes to 8.80 ms, optimize to 10.0 ms");
    }

    #[test]
    fn at_the_break_even_rate_nothing_is_gained() {
        for ratio in [0.3, 0.5, 0.8, 0.95] {
            let rate = break_even(ratio, 0.5);
            assert!(gain_at(ratio, 0.5, rate).abs() < 1e-12);
            assert!(gain_at(ratio, 0.5, rate / 2.0) > 0.0);
        }
        assert_eq!(break_even(1.2, 0.5), 0.0);
    }

    #[test]
    fn what_was_measured_pays_for_as_many_failures_as_what_was_expected() {
        for (ratio, rate) in [(0.3, 0.0), (0.5, 0.2), (0.8, 0.1)] {
            let gain = gain_at(ratio, 0.5, rate);
            assert!((measured_break_even(gain, rate, ratio, 0.5) - break_even(ratio, 0.5)).abs() < 1e-12);
            assert!(measured_break_even(gain + 0.1, rate, ratio, 0.5) > break_even(ratio, 0.5));
        }
    }
}
