//! Conversion between path ids and paths.
//!
//! In: a graph, a numbering of it (canonical or smart) and an id. Out: the [`Path`]: its blocks and the kinds of its
//! start and end. A path's blocks run from its start to the source of the cut edge, or to the exit, that ends it; a
//! synthetic exit is not listed.
//!
//! Invariant: [`path_of`] and [`id_of`] are inverse functions on `0..num_paths`.

use crate::graph::{EdgeId, Graph, Node};
use crate::number::ball_larus::{Numbering, StepKind};

/// One acyclic path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Kind of its start.
    pub start: PathStart,
    /// Its blocks.
    pub blocks: Vec<Node>,
    /// The edges between its blocks, and the return edge if the path ends with one.
    pub edges: Vec<EdgeId>,
    /// Kind of its end.
    pub end: PathEnd,
}

impl Path {
    /// The path along consecutive blocks.
    pub(crate) fn along(graph: &Graph, start: PathStart, blocks: Vec<Node>, end: PathEnd) -> Path {
        let between = |pair: &[Node]| graph.find_edge(pair[0], pair[1]).expect("consecutive blocks have an edge");
        let mut edges: Vec<EdgeId> = blocks.windows(2).map(between).collect();
        if let (PathEnd::Return, Some(&last)) = (end, blocks.last()) {
            edges.extend(graph.normal_successors(last).find(|&edge| graph.is_return(edge)));
        }
        Path { start, blocks, edges, end }
    }
}

/// Kinds of starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathStart {
    /// At the entry, by a call or by a back edge to the entry.
    Entry,
    /// At the target of a cut edge or of a failure edge.
    Restart,
}

/// Kinds of ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathEnd {
    /// At the exit.
    Return,
    /// Before a cut edge.
    Cut,
    /// Before an edge out of a loop, where the loop has paths of its own.
    Left,
    /// In a block that every activation leaves by failing: no such path is ever complete.
    DeadEnd,
    /// By a failure inside its last block.
    Failure,
}

/// The path with this id; `None` if the id is not below `num_paths`.
pub fn path_of(graph: &Graph, numbering: &Numbering, id: u64) -> Option<Path> {
    if id >= numbering.num_paths() {
        return None;
    }
    let starts = numbering.starts();
    let start = starts[starts.partition_point(|s| s.base <= id) - 1];
    let mut rest = id - start.base;
    let mut path =
        Path { start: start_kind(graph, start.node), blocks: Vec::new(), edges: Vec::new(), end: PathEnd::Return };
    let mut node = start.node;
    loop {
        if graph.is_block(node) {
            path.blocks.push(node);
        }
        let steps = numbering.steps(node);
        let step = steps[steps.partition_point(|s| s.val <= rest) - 1];
        rest -= step.val;
        match step.kind {
            StepKind::Edge(edge) => {
                path.edges.push(edge);
                node = graph.edge(edge).to;
            }
            StepKind::Cut => {
                path.end = PathEnd::Cut;
                return Some(path);
            }
            StepKind::Stop => {
                path.end = if node == graph.exit() { PathEnd::Return } else { PathEnd::DeadEnd };
                return Some(path);
            }
        }
    }
}

/// The path that a failure inside `block` cut short, from the id reported with it.
///
/// The sum of the values up to a node is the id of the path that continues with first steps, so the prefix ends where
/// that path reaches `block`. `None` if it does not reach it: then the report is not from this numbering.
pub fn prefix_of(graph: &Graph, numbering: &Numbering, block: Node, id: u64) -> Option<Path> {
    let mut path = path_of(graph, numbering, id)?;
    let length = path.blocks.iter().position(|&b| b == block)? + 1;
    path.blocks.truncate(length);
    path.edges.truncate(length - 1);
    path.end = PathEnd::Failure;
    Some(path)
}

/// The id of the path from `start` along `edges` with the given end.
pub fn id_of(graph: &Graph, numbering: &Numbering, start: Node, edges: &[EdgeId], end: PathEnd) -> Option<u64> {
    let mut id = numbering.base(start)?;
    let mut node = start;
    for &edge in edges {
        if graph.edge(edge).from != node {
            return None;
        }
        id += numbering.val(graph, edge)?;
        node = graph.edge(edge).to;
    }
    let last = match end {
        PathEnd::Failure => return Some(id),
        PathEnd::Cut => StepKind::Cut,
        PathEnd::Return | PathEnd::Left | PathEnd::DeadEnd => StepKind::Stop,
    };
    let step = numbering.steps(node).iter().find(|step| step.kind == last)?;
    Some(id + step.val)
}

/// Every path with its id. The caller makes sure that there are few.
pub fn all_paths<'a>(graph: &'a Graph, numbering: &'a Numbering) -> impl Iterator<Item = (u64, Path)> + 'a {
    (0..numbering.num_paths()).map(|id| (id, path_of(graph, numbering, id).expect("the id is below num_paths")))
}

fn start_kind(graph: &Graph, node: Node) -> PathStart {
    if node == graph.entry() { PathStart::Entry } else { PathStart::Restart }
}
