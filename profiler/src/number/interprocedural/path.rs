//! Interprocedural paths as vertices.
//!
//! In: nothing. Out: [`InterPath`], and [`Base`] and [`AtCut`], which tell which paths there are. Invariant: every vertex tells how the path came to it, so that calls entered and left,
//! calls passed over and surrogates can be told apart.

use crate::graph::Node;
use crate::supergraph::{ProcedureId, SiteId};

/// The paths that are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Context paths: a path in a loop keeps the way to the loop as its context.
    Context,
    /// Piecewise paths: each execution is a concatenation of paths without contexts.
    Piecewise,
}

/// The treatment of a path at a cut call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtCut {
    /// It is put aside, and continues behind the call: the summary edge `c -> r`.
    Aside,
    /// It ends before the call, and another one starts behind it: the surrogates `c -> GExit_P` and `Entry_P -> r`, or
    /// `GEntry_P -> r`. No path is ever put aside.
    Split,
}

/// An interprocedural path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InterPath {
    /// Its vertices.
    pub vertices: Vec<PathVertex>,
    /// Its end.
    pub end: InterEnd,
}

/// Ends of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InterEnd {
    /// At the exit of a root.
    Return,
    /// Before a back edge.
    Cut,
    /// After a return to this call site, whose edge to the return site is a back edge. The last vertex is the callee's exit.
    CutAfterCall(SiteId),
    /// In a block that every activation leaves by failing: no such path is ever complete.
    DeadEnd,
    /// By a failure inside its last block.
    Failure,
}

/// One vertex of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathVertex {
    /// The procedure.
    pub procedure: ProcedureId,
    /// Its block.
    pub block: Node,
    /// The way by which the path reached it.
    pub arrival: Arrival,
}

/// The way by which a path reaches a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arrival {
    /// The path starts at the entry of a root.
    Start,
    /// By an edge of the procedure; the summary edge of a cut call site is one.
    Edge,
    /// By a surrogate edge, in place of a back edge.
    Surrogate,
    /// By a call.
    Call,
    /// By a return to a call site, and its edge to the return site. Several call sites may have the same return site.
    Return(SiteId),
}

impl PathVertex {
    /// Returns whether the path enters the procedure here.
    pub fn is_entered(&self) -> bool {
        matches!(self.arrival, Arrival::Start | Arrival::Call)
    }
}

impl InterPath {
    /// The context prefix: everything before the last surrogate edge.
    pub fn context(&self) -> &[PathVertex] {
        &self.vertices[..self.active_from()]
    }

    /// The active suffix: everything behind the last surrogate edge.
    pub fn active(&self) -> &[PathVertex] {
        &self.vertices[self.active_from()..]
    }

    fn active_from(&self) -> usize {
        self.vertices.iter().rposition(|vertex| vertex.arrival == Arrival::Surrogate).unwrap_or(0)
    }
}
