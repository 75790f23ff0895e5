//! The profile of a run, by edges or by paths. Invariant: functions come in order of the module.

use super::function_edges::FunctionEdges;
use super::paths::PathProfile;

/// A profile of either kind.
#[derive(Clone, Debug)]
pub enum Counted {
    /// Edges of every function, in order.
    Edges(Vec<FunctionEdges>),
    /// Paths.
    Paths(PathProfile),
}
