//! Call sites that hybrid paths do not cross, as users name them.
//!
//! In: what a user wrote. Out: a [`CutChoice`]; the program that the calls are of is not loaded yet. Invariant: nothing is checked here.

use holloway_profiler::scheme::CutStrategy;

/// The option `--cut`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CutChoice {
    /// By a strategy.
    Strategy(CutStrategy),
    /// These.
    Calls(Vec<CallName>),
}

/// Calls as a user names them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallName {
    /// Every call of a function.
    Callee(String),
    /// The calls in a line of a function.
    Line(String, u32),
}
