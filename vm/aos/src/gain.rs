//! Gains: the part of a loop's or a program's time that a specialization saves. One is expected before anything is
//! known ([`LoopHistory`](crate::loop_history::LoopHistory)), estimated from the optimizer's work ([`Estimate`]), or
//! measured in turns ([`Measured`]).

use serde::{Deserialize, Serialize};

/// Estimated costs of a specialized loop.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The part of the loop's iterations that stays on its traces.
    pub coverage: f64,
    /// Weighted cost of one iteration on them, after the passes.
    pub cost: f64,
    /// Weighted cost of the same iteration in the general loop.
    pub general_cost: f64,
}

impl Estimate {
    /// Time of an iteration on traces, by that of a general one.
    pub fn ratio(&self) -> f64 {
        if self.general_cost > 0.0 { self.cost / self.general_cost } else { 1.0 }
    }

    /// The part of the loop's time that is saved if as many iterations fail as are not covered, where a failing guard
    /// costs `penalty` of a general iteration besides.
    pub fn gain(&self, penalty: f64) -> f64 {
        gain_at(self.ratio(), penalty, 1.0 - self.coverage)
    }

    /// The part of begun iterations that may fail before the traces cost more than they gain:
    /// (1 - r) ratio + r (1 + penalty) = 1.
    pub fn break_even(&self, penalty: f64) -> f64 {
        let ratio = self.ratio();
        ((1.0 - ratio) / (1.0 + penalty - ratio)).clamp(0.0, 1.0)
    }
}

/// The gain of one version over another, measured in turns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The median of all pairs.
    pub median: f64,
    /// Bounds that hold the median of all possible pairs, whatever their distribution, in 94 of 100 cases or more: of
    /// five pairs the first and the last, of nine the second and the last but one, of 25 the eighth and the last but seven.
    pub interval: (f64, f64),
}

/// The part of a loop's time that traces save when `rate` of the iterations begun on them fail.
pub fn gain_at(ratio: f64, penalty: f64, rate: f64) -> f64 {
    1.0 - ((1.0 - rate) * ratio + rate * (1.0 + penalty))
}

/// The rate of failures that pays, where traces were measured to save `gain` while `rate` of the iterations failed.
pub fn measured_break_even(gain: f64, rate: f64, ratio: f64, penalty: f64) -> f64 {
    (rate + gain / (1.0 + penalty - ratio)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(ratio: f64) -> Estimate {
        Estimate { coverage: 1.0, cost: ratio, general_cost: 1.0 }
    }

    #[test]
    fn at_the_break_even_rate_nothing_is_gained() {
        for ratio in [0.3, 0.5, 0.8, 0.95] {
            let rate = estimate(ratio).break_even(0.5);
            assert!(gain_at(ratio, 0.5, rate).abs() < 1e-12);
            assert!(gain_at(ratio, 0.5, rate / 2.0) > 0.0);
        }
        assert_eq!(estimate(1.2).break_even(0.5), 0.0);
    }

    #[test]
    fn what_was_measured_pays_for_as_many_failures_as_what_was_expected() {
        for (ratio, rate) in [(0.3, 0.0), (0.5, 0.2), (0.8, 0.1)] {
            let (gain, expected) = (gain_at(ratio, 0.5, rate), estimate(ratio).break_even(0.5));
            assert!((measured_break_even(gain, rate, ratio, 0.5) - expected).abs() < 1e-12);
            assert!(measured_break_even(gain + 0.1, rate, ratio, 0.5) > expected);
        }
    }
}
