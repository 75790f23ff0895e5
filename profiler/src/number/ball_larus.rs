//! Ball-Larus path numbering.
//!
//! In: a graph and an order of each node's successors. Out: a [`Numbering`]: a value for each edge such that the sum
//! along each acyclic path is its id. Ids are dense in `0..num_paths`.
//!
//! `[BL96]` T. Ball, J. R. Larus, "Efficient path profiling", MICRO-29, 1996; the algorithm as in Figure 2 of
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013.
//!
//! Notation: `num_paths(v)` and `val(e)` as there. A path starts at one of `starts` (the successors of a virtual ENTRY,
//! with their values). At each node it takes one of the node's `steps`: a kept edge, or [`StepKind::Cut`], the
//! surrogate to the exit.
//! Canonical order: surrogates from the entry before the entry's own edges, a surrogate to the exit before its source's
//! other edges.
//!
//! Limit: ids fit a positive `i64`. With more paths, further edges are cut like back edges ("truncated"), at nodes that
//! have more paths than their share of the limit, until the rest fits. [`Numbering::truncated`] lists these edges.
//!
//! Invariant: each node has at least one step, the value of the first is 0, and the values of a node increase strictly.

use cranelift_entity::SecondaryMap;

use super::dag::Dag;
use crate::graph::{DepthFirst, EdgeId, Graph, Node};

/// Ids must fit the path register as positive numbers.
pub const MAX_PATHS: u64 = i64::MAX as u64;

/// One continuation of paths at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its kind.
    pub kind: StepKind,
    /// Its value, the addend of the id.
    pub val: u64,
}

/// Kinds of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// An edge.
    Edge(EdgeId),
    /// End of the path before a cut edge.
    Cut,
    /// End of the path at the exit, or in a block that every activation leaves by failing.
    Stop,
}

/// A node at which paths start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The node.
    pub node: Node,
    /// The least id of the paths that start there.
    pub base: u64,
}

/// The numbered paths of a graph.
#[derive(Clone, Debug)]
pub struct Numbering {
    dag: Dag,
    steps: SecondaryMap<Node, Vec<Step>>,
    /// The place of an edge's step among those of its source, if it has one.
    place: SecondaryMap<EdgeId, u32>,
    num_paths: SecondaryMap<Node, u64>,
    starts: Vec<Start>,
    base: SecondaryMap<Node, Option<u64>>,
    total: u64,
    entry: Node,
}

/// Order in which the steps of a node are numbered.
pub trait StepOrder {
    /// Reorders the steps of `node`, which are in canonical order.
    fn order_steps(&self, graph: &Graph, dag: &Dag, node: Node, steps: &mut [StepKind]);
    /// Reorders the starts, which are in canonical order: restarts, then the entry.
    fn order_starts(&self, graph: &Graph, starts: &mut [Node]);
}

/// The canonical order, which the papers' figures use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Canonical;

impl StepOrder for Canonical {
    fn order_steps(&self, _: &Graph, _: &Dag, _: Node, _: &mut [StepKind]) {}
    fn order_starts(&self, _: &Graph, _: &mut [Node]) {}
}

/// Numbers the paths of `graph` in canonical order.
pub fn number(graph: &Graph) -> Numbering {
    number_with(graph, &Canonical, MAX_PATHS)
}

/// Numbers the paths in a given order, with at most `limit` ids.
///
/// `limit` must leave two ids for each node and two more.
pub fn number_with(graph: &Graph, order: &impl StepOrder, limit: u64) -> Numbering {
    if let Some(numbering) = assign(graph, Dag::new(graph), order, limit) {
        return numbering;
    }
    let mut dag = Dag::new(graph);
    truncate(graph, &mut dag, limit);
    assign(graph, dag, order, limit).expect("truncation leaves at most `limit` paths")
}

/// Figure 2; `None` if there are more than `limit` paths.
fn assign(graph: &Graph, dag: Dag, order: &impl StepOrder, limit: u64) -> Option<Numbering> {
    let mut num_paths: SecondaryMap<Node, u64> = SecondaryMap::new();
    let mut steps: SecondaryMap<Node, Vec<Step>> = SecondaryMap::new();
    let mut place: SecondaryMap<EdgeId, u32> = SecondaryMap::new();
    for &node in dag.topological().iter().rev() {
        let mut kinds = canonical_steps(dag.ends_paths(node), dag.kept(graph, node));
        order.order_steps(graph, &dag, node, &mut kinds);
        let mut sum: u64 = 0;
        for kind in kinds {
            let further = match kind {
                StepKind::Edge(edge) => {
                    place[edge] = steps[node].len() as u32;
                    num_paths[graph.edge(edge).to]
                }
                StepKind::Cut | StepKind::Stop => 1,
            };
            steps[node].push(Step { kind, val: sum });
            sum = sum.checked_add(further).filter(|&sum| sum <= limit)?;
        }
        num_paths[node] = sum;
    }
    let mut nodes = dag.restarts().to_vec();
    nodes.push(graph.entry());
    order.order_starts(graph, &mut nodes);
    let mut total: u64 = 0;
    let mut starts = Vec::with_capacity(nodes.len());
    let mut base = SecondaryMap::new();
    for node in nodes {
        starts.push(Start { node, base: total });
        base[node] = Some(total);
        total = total.checked_add(num_paths[node]).filter(|&sum| sum <= limit)?;
    }
    Some(Numbering { dag, steps, place, num_paths, starts, base, total, entry: graph.entry() })
}

/// The steps of a node where paths end before its back edges, in canonical order.
pub(super) fn steps_between_back_edges(graph: &Graph, order: &DepthFirst, node: Node) -> Vec<StepKind> {
    let (back, kept): (Vec<_>, Vec<_>) = graph.normal_successors(node).partition(|&edge| order.is_back_edge(edge));
    canonical_steps(!back.is_empty(), kept)
}

fn canonical_steps(ends_paths: bool, kept: impl IntoIterator<Item = EdgeId>) -> Vec<StepKind> {
    let mut kinds = Vec::new();
    if ends_paths {
        kinds.push(StepKind::Cut);
    }
    kinds.extend(kept.into_iter().map(StepKind::Edge));
    if kinds.is_empty() {
        kinds.push(StepKind::Stop);
    }
    kinds
}

/// Cuts edges, from the exit upwards, until no node has more than its share of `limit`; the sum over all starts then
/// fits.
///
/// All edges of a node above its share are cut, except one to the exit, and the node counts as one path. Cutting only
/// as many edges as necessary was tried: then the next branch above exceeds the share again, and a chain of diamonds is
/// cut at every diamond.
fn truncate(graph: &Graph, dag: &mut Dag, limit: u64) {
    let share = limit / (graph.node_count() as u64 + 1);
    assert!(share >= 2, "a limit of {limit} ids is too small for {} nodes", graph.node_count());
    let mut num_paths: SecondaryMap<Node, u64> = SecondaryMap::new();
    for node in dag.topological().to_vec().into_iter().rev() {
        let paths = |dag: &Dag| {
            let cut = u64::from(dag.ends_paths(node));
            let kept = dag.kept(graph, node);
            kept.fold(cut, |sum, e| sum.saturating_add(num_paths[graph.edge(e).to]))
        };
        if paths(dag) > share {
            let kept: Vec<EdgeId> = dag.kept(graph, node).filter(|&e| !graph.is_return(e)).collect();
            for edge in kept {
                dag.truncate(graph, edge);
            }
        }
        num_paths[node] = paths(dag).max(1);
    }
}

impl Numbering {
    /// Number of paths; every id is below it.
    pub fn num_paths(&self) -> u64 {
        self.total
    }

    /// Number of paths from `node` to their ends.
    pub fn num_paths_from(&self, node: Node) -> u64 {
        self.num_paths[node]
    }

    /// The steps of `node`, by increasing value.
    pub fn steps(&self, node: Node) -> &[Step] {
        &self.steps[node]
    }

    /// The nodes at which paths start, by increasing base.
    pub fn starts(&self) -> &[Start] {
        &self.starts
    }

    /// The least id of the paths that start at `node`; `None` if none does.
    pub fn base(&self, node: Node) -> Option<u64> {
        self.base[node]
    }

    /// The graph with its cuts.
    pub fn dag(&self) -> &Dag {
        &self.dag
    }

    /// The edges that were cut only because there were too many paths.
    pub fn truncated(&self) -> &[EdgeId] {
        self.dag.truncated()
    }

    /// The value of `edge`; `None` for an edge on no path.
    pub fn val(&self, graph: &Graph, edge: EdgeId) -> Option<u64> {
        let step = self.steps[graph.edge(edge).from].get(self.place[edge] as usize);
        step.filter(|step| step.kind == StepKind::Edge(edge)).map(|step| step.val)
    }

    /// The value printed at `edge` in the papers' figures, where the entry's own edges and the surrogates from it are
    /// numbered together.
    pub fn printed_val(&self, graph: &Graph, edge: EdgeId) -> Option<u64> {
        let offset = if graph.edge(edge).from == self.entry { self.base[self.entry].unwrap_or(0) } else { 0 };
        self.val(graph, edge).map(|val| val + offset)
    }

    /// The value of the surrogate to the exit.
    pub(super) fn cut_val(&self, node: Node) -> u64 {
        let step = self.steps[node].iter().find(|step| step.kind == StepKind::Cut);
        step.expect("a node with a cut edge has a cut step").val
    }
}
