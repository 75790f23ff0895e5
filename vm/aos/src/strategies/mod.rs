//! The policies of a run: strategies, which decide about functions, and schedules, which say what is done when.
//!
//! In: a name. Out: a strategy. A new strategy is a file here and a row in [`STRATEGIES`]. The schedules,
//! [`ReplayController`](replay::ReplayController) and [`StressController`](random::StressController), know no reasons:
//! they answer observations by themselves.

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
