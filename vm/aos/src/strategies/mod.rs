//! The policies of a run: strategies, which decide about functions (a new one is a file here and a row in
//! [`STRATEGIES`]), and schedules, which know no reasons: [`ReplayController`](replay::ReplayController) and
//! [`StressController`](random::StressController).

mod ahead;
mod cost_benefit;
mod counters;
pub mod random;
pub mod replay;

use crate::strategy::Strategy;

/// Every strategy; the first is the default.
pub const STRATEGIES: [&Strategy; 3] = [&cost_benefit::COST_BENEFIT, &counters::COUNTERS, &ahead::AHEAD];

/// The strategy of that name.
pub fn strategy(name: &str) -> Option<&'static Strategy> {
    STRATEGIES.into_iter().find(|strategy| strategy.name == name)
}
