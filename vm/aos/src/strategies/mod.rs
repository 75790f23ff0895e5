//! The policies of a run: strategies, which decide about functions (a new one is a file here and a row in
//! [`STRATEGIES`]), and schedules, which know no reasons: [`ReplayController`](replay::ReplayController) and
//! [`StressController`](random::StressController).

pub mod ahead;
pub mod cost_benefit;
pub mod counters;
pub mod random;
pub mod replay;

use crate::strategy::Strategy;

/// Every strategy; the first is the default.
pub const STRATEGIES: [&dyn Strategy; 3] = [&cost_benefit::CostBenefit, &counters::Counters, &ahead::Ahead];

/// The strategy of that name.
pub fn strategy(name: &str) -> Option<&'static dyn Strategy> {
    STRATEGIES.into_iter().find(|strategy| strategy.name() == name)
}
