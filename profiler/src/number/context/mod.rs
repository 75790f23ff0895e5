//! Intraprocedural context paths, numbered statically.
//!
//! In: a reducible graph. Out: a [`ContextNumbering`]: each path has its own number in `0..num_paths`; [`encode::Activation`]
//! computes the numbers along an execution.
//!
//! `[MR98]` D. Melski, T. Reps, "Interprocedural Path Profiling", TR 1382, University of Wisconsin-Madison, 1998;
//! section 7. A path is a context prefix, which leads from the entry to a loop's header, and an active suffix from there.
//!
//! ```text
//!      |                  |
//!      v <--+            v_a            Transformations 1 and 2: a header v becomes v_a and v_b, joined by two edges, one
//!     / \   |            | | surrogate  of them a surrogate. A back edge w -> v becomes the surrogate w -> Exit. A path
//!    x   w -+            v_b            along the surrogate v_a -> v_b came to v before, and is in the loop again.
//!                        / \
//!                       x   w -> Exit
//! ```
//!
//! The target of a failure edge has a surrogate from the entry: a path that starts there has no context (9.2.2).
//!
//! `num_paths[v]` counts the paths from `v_b`; twice as many start at `v_a`.
//! Order: the entry's own paths before those of its surrogates; the edge `v_a -> v_b` before its surrogate; a surrogate to the exit before
//! its source's other edges.
//!
//! Invariants: a header is reached before its back edges, as the graph is reducible; numbers fit 128 bits.

pub mod encode;

use std::fmt;

use cranelift_entity::{EntitySet, SecondaryMap};

use super::ball_larus::{StepKind, steps_between_back_edges};
use crate::graph::{DepthFirst, Dominators, EdgeId, EdgeKind, Graph, Node};
use crate::path_id::{PathEnd, PathStart};
use crate::persistence::Irreducible;

/// The numbered context paths of a graph.
#[derive(Clone, Debug)]
pub struct ContextNumbering {
    order: DepthFirst,
    headers: EntitySet<Node>,
    steps: SecondaryMap<Node, Vec<ContextStep>>,
    num_paths: SecondaryMap<Node, u128>,
    /// The starts of paths with their least numbers: the entry, then the targets of failure edges.
    starts: Vec<(Node, u128)>,
    start_val: SecondaryMap<Node, Option<u128>>,
    total: u128,
}

#[derive(Clone, Copy, Debug)]
struct ContextStep {
    kind: StepKind,
    val: u128,
}

/// Reasons for which a graph has no context paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextError {
    /// A loop has two entries.
    Irreducible(Irreducible),
    /// There are more paths than numbers of 128 bits.
    TooManyPaths,
}

impl fmt::Display for ContextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContextError::Irreducible(error) => error.fmt(f),
            ContextError::TooManyPaths => write!(f, "there are more context paths than numbers of 128 bits"),
        }
    }
}

impl std::error::Error for ContextError {}

/// A context path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContextPath {
    /// Kind of its start.
    pub start: PathStart,
    /// Its blocks. A header whose surrogate the path takes stands twice, as `v_a` and as `v_b`.
    pub blocks: Vec<Node>,
    /// The indices of the blocks `v_b` that the path reaches by a surrogate.
    pub surrogates: Vec<usize>,
    /// Kind of its end.
    pub end: PathEnd,
}

impl ContextPath {
    /// The context prefix, which ends with the header that the active suffix starts with; empty without a surrogate.
    pub fn context(&self) -> &[Node] {
        &self.blocks[..self.surrogates.last().copied().unwrap_or(0)]
    }

    /// The active suffix.
    pub fn active(&self) -> &[Node] {
        &self.blocks[self.surrogates.last().copied().unwrap_or(0)..]
    }
}

/// Numbers the context paths of `graph`.
pub fn number_contexts(graph: &Graph) -> Result<ContextNumbering, ContextError> {
    let order = DepthFirst::new(graph);
    if let Some(edge) = Dominators::new(graph, &order).irreducible_edge(graph, &order) {
        let ends = graph.edge(edge);
        return Err(ContextError::Irreducible(Irreducible { edge, from: ends.from, to: ends.to }));
    }
    let mut headers = EntitySet::new();
    for &edge in order.back_edges() {
        headers.insert(graph.edge(edge).to);
    }
    let (steps, num_paths) = (SecondaryMap::new(), SecondaryMap::new());
    let mut numbering = ContextNumbering {
        order,
        headers,
        steps,
        num_paths,
        starts: Vec::new(),
        start_val: SecondaryMap::new(),
        total: 0,
    };
    numbering.assign(graph).ok_or(ContextError::TooManyPaths)?;
    Ok(numbering)
}

impl ContextNumbering {
    /// Ball and Larus's algorithm on the transformed graph; `None` if a number does not fit.
    fn assign(&mut self, graph: &Graph) -> Option<()> {
        for at in (0..self.order.reverse_postorder().len()).rev() {
            let node = self.order.reverse_postorder()[at];
            let mut sum: u128 = 0;
            for kind in steps_between_back_edges(graph, &self.order, node) {
                self.steps[node].push(ContextStep { kind, val: sum });
                let further = match kind {
                    StepKind::Edge(edge) => self.paths_at(graph.edge(edge).to)?,
                    StepKind::Cut | StepKind::Stop => 1,
                };
                sum = sum.checked_add(further)?;
            }
            self.num_paths[node] = sum;
        }
        let failures =
            graph.edges().filter(|(_, edge)| edge.kind == EdgeKind::Failure && self.order.is_reachable(edge.from));
        for to in std::iter::once(graph.entry()).chain(failures.map(|(_, edge)| edge.to)) {
            if self.start_val(to).is_none() {
                self.starts.push((to, self.total));
                self.start_val[to] = Some(self.total);
                self.total = self.total.checked_add(self.paths_at(to)?)?;
            }
        }
        Some(())
    }

    /// Number of paths from a node that is reached by an edge that is kept: from `v_a` at a header.
    fn paths_at(&self, node: Node) -> Option<u128> {
        let copies = if self.headers.contains(node) { 2 } else { 1 };
        self.num_paths[node].checked_mul(copies)
    }

    /// Number of paths; every number is below it.
    pub fn num_paths(&self) -> u128 {
        self.total
    }

    /// The value that an edge adds; for a back edge that of the surrogate to the exit; `None` if it is not reachable.
    pub fn val(&self, graph: &Graph, edge: EdgeId) -> Option<u128> {
        let steps = &self.steps[graph.edge(edge).from];
        if self.order.is_back_edge(edge) {
            return steps.first().filter(|step| step.kind == StepKind::Cut).map(|step| step.val);
        }
        // The end of a path comes first, then the edges as they are numbered in the graph.
        let is_before = |step: &ContextStep| match step.kind {
            StepKind::Edge(other) => other < edge,
            StepKind::Cut | StepKind::Stop => true,
        };
        let step = steps.get(steps.partition_point(is_before));
        step.filter(|step| step.kind == StepKind::Edge(edge)).map(|step| step.val)
    }

    /// The least number of the paths that start at the entry or at the target of a failure edge; `None` of other nodes.
    pub fn start_val(&self, node: Node) -> Option<u128> {
        self.start_val[node]
    }

    /// Returns whether taking an edge ends a path and records it.
    pub fn is_back_edge(&self, edge: EdgeId) -> bool {
        self.order.is_back_edge(edge)
    }

    /// The loops' headers.
    pub fn headers(&self) -> impl Iterator<Item = Node> {
        self.headers.keys()
    }

    /// The value of the surrogate `v_a -> v_b`; `None` if the node is no header.
    pub fn surrogate_val(&self, node: Node) -> Option<u128> {
        self.headers.contains(node).then(|| self.num_paths[node])
    }

    /// The path with this number; `None` if it is not below `num_paths`.
    pub fn path_of(&self, graph: &Graph, number: u128) -> Option<ContextPath> {
        if number >= self.total {
            return None;
        }
        let (mut node, first) = self.starts[self.starts.partition_point(|(_, val)| *val <= number) - 1];
        let start = if node == graph.entry() { PathStart::Entry } else { PathStart::Restart };
        let mut path = ContextPath { start, blocks: Vec::new(), surrogates: Vec::new(), end: PathEnd::Return };
        let mut rest = number - first;
        loop {
            if graph.is_block(node) {
                path.blocks.push(node);
            }
            if let Some(val) = self.surrogate_val(node).filter(|val| *val <= rest) {
                rest -= val;
                path.surrogates.push(path.blocks.len());
                path.blocks.push(node);
            }
            let step = self.steps[node].iter().rfind(|step| step.val <= rest).expect("the first step adds 0");
            rest -= step.val;
            match step.kind {
                StepKind::Edge(edge) => node = graph.edge(edge).to,
                StepKind::Cut => path.end = PathEnd::Cut,
                StepKind::Stop if node == graph.exit() => path.end = PathEnd::Return,
                StepKind::Stop => path.end = PathEnd::DeadEnd,
            }
            if !matches!(step.kind, StepKind::Edge(_)) {
                return Some(path);
            }
        }
    }

    /// The path that a failure inside `block` cut short, from the number so far.
    pub fn prefix_of(&self, graph: &Graph, block: Node, number: u128) -> Option<ContextPath> {
        let mut path = self.path_of(graph, number)?;
        let at = path.blocks.iter().rposition(|&other| other == block)?;
        path.blocks.truncate(at + 1);
        path.end = PathEnd::Failure;
        Some(path)
    }
}
