//! Division of a graph into parts, of which each has innermost loops where iterations are to be told apart.
//!
//! In: a reducible graph, and the loops that are to have iterations. Out: [`Parts`]: the function, and each loop inside of such a loop, as graphs
//! of their own. In a part such a loop is collapsed: `[RS09]` section 5, "if the profiling information for an outer loop is desired, all
//! the contained inner loops can be collapsed into single node, effectively reducing the outer loop into an innermost loop".
//!
//! ```text
//!   1 -> 2 -> 3 -> 4 -> 5          the function: 1 -> 2 -> 3 ~> 4 -> 5, 4 -> 2    ~> stands for the collapsed loop of 3 and 4
//!        ^    ^----+    |          the loop:     3 -> 4 -> exit, 4 -> 3
//!        +--------------+
//! ```
//! The paper leaves open how a single node is left. Here it has two ends, the header and the block by which it is left, so that paths
//! tell the exit that was taken, and each edge out of the loop is on the paths around it as itself.
//!
//! Invariants: nodes are those of the whole graph, and a part's exit is one more if the part is a loop; each edge of the whole is the own edge of
//! exactly one part; the header of a collapsed loop is in the loop's part, and stands for it in the part around.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

use crate::graph::{Edge, EdgeId, EdgeKind, ExitKind, Graph, GraphBuilder, LoopId, LoopNest, Node};

/// A part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct PartId(u32);
entity_impl!(PartId);

/// The function, or a collapsed loop in the part around it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The part around.
    pub(super) parent: Option<PartId>,
    /// Number of parts around.
    pub(super) depth: u32,
    /// Its graph. Calls are left out.
    pub(super) graph: Graph,
    /// The edge of the whole that each edge is, if it is one.
    own: SecondaryMap<EdgeId, PackedOption<EdgeId>>,
    /// The edges of the whole on which each edge is taken.
    taken_by: SecondaryMap<EdgeId, Vec<EdgeId>>,
}

/// All parts, outer before inner; the first one is the function.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    all: PrimaryMap<PartId, Part>,
    of: SecondaryMap<Node, PartId>,
}

impl Part {
    /// The node at which it is entered.
    pub(super) fn header(&self) -> Node {
        self.graph.entry()
    }

    /// The edge of the whole that an edge is; `None` for what stands for a collapsed loop, or for all edges out of the part.
    pub(super) fn own(&self, edge: EdgeId) -> Option<EdgeId> {
        self.own[edge].expand()
    }

    /// Weights of its edges, by those of the whole graph.
    pub(super) fn weights(&self, of_whole: &SecondaryMap<EdgeId, u64>) -> SecondaryMap<EdgeId, u64> {
        let mut weights = SecondaryMap::new();
        for (edge, _) in self.graph.edges() {
            weights[edge] = self.taken_by[edge].iter().fold(0, |sum: u64, &by| sum.saturating_add(of_whole[by]));
        }
        weights
    }

    /// The edges from a node to another, where the first stands for a collapsed loop if that is left by another block, `by`.
    pub(super) fn edges(&self, from: Node, by: Node, to: Node) -> impl Iterator<Item = EdgeId> {
        let find = |from, to| self.graph.find_edge(from, to).expect("a part has its edges");
        let inside = (by != from).then(|| find(from, by));
        inside.into_iter().chain([find(by, to)])
    }
}

impl Parts {
    /// Divides a graph: loops inside of a loop of which `iterates` says so are collapsed.
    pub(super) fn new(graph: &Graph, nest: &LoopNest, iterates: impl Fn(LoopId) -> bool) -> Parts {
        let mut part_of_loop: SecondaryMap<LoopId, PackedOption<PartId>> = SecondaryMap::new();
        let mut building: PrimaryMap<PartId, Building> = PrimaryMap::new();
        building.push(Building::new(graph, None, 0));
        for (id, each) in nest.iter() {
            let around = each.parent.map_or(PartId::new(0), |parent| part_of_loop[parent].expect("outer before inner"));
            let is_collapsed = each.parent.is_some_and(&iterates);
            part_of_loop[id] = match is_collapsed {
                true => {
                    let depth = building[around].depth + 1;
                    building.push(Building::new(graph, Some((around, each.header)), depth)).into()
                }
                false => around.into(),
            };
        }
        let mut of: SecondaryMap<Node, PartId> = SecondaryMap::with_default(PartId::new(0));
        for node in graph.nodes() {
            of[node] = nest.innermost(node).map_or(PartId::new(0), |id| part_of_loop[id].expect("every loop has one"));
        }
        for (id, edge) in graph.edges() {
            project(&mut building, &of, (id, *edge));
        }
        let all = building.into_iter().map(|(_, part)| part.finish(graph)).collect();
        Parts { all, of }
    }

    /// Every part.
    pub(super) fn iter(&self) -> impl Iterator<Item = (PartId, &Part)> {
        self.all.iter()
    }

    /// One part.
    pub(super) fn get(&self, id: PartId) -> &Part {
        &self.all[id]
    }

    /// The parts that an edge leaves, innermost first, each with the node that it is left from; and the part that it stays in, with
    /// that node.
    pub(super) fn left(&self, edge: Edge) -> (Vec<(PartId, Node)>, (PartId, Node)) {
        let to: Vec<PartId> = self.chain(edge.to).map(|(part, _)| part).collect();
        let mut chain = self.chain(edge.from);
        let mut left = Vec::new();
        loop {
            let at = chain.next().expect("the function is around everything");
            if to.contains(&at.0) {
                return (left, at);
            }
            left.push(at);
        }
    }

    /// The parts around a node, innermost first, each with the node that stands for it there.
    pub(super) fn chain(&self, node: Node) -> impl Iterator<Item = (PartId, Node)> + '_ {
        let outwards = |&(part, _): &(PartId, Node)| {
            let part = &self.all[part];
            part.parent.map(|around| (around, part.header()))
        };
        std::iter::successors(Some((self.of[node], node)), outwards)
    }

    /// The part that an edge enters, if it enters one.
    pub(super) fn entered(&self, edge: Edge) -> Option<PartId> {
        let (_, (stays, _)) = self.left(edge);
        (self.of[edge.to] != stays).then_some(self.of[edge.to])
    }
}

/// A part while its edges are collected.
struct Building {
    around: Option<(PartId, Node)>,
    depth: u32,
    builder: GraphBuilder,
    exit: Node,
    known: hashbrown::HashMap<(Node, Node, EdgeKind), EdgeId>,
    own: SecondaryMap<EdgeId, PackedOption<EdgeId>>,
    taken_by: SecondaryMap<EdgeId, Vec<EdgeId>>,
}

impl Building {
    fn new(graph: &Graph, around: Option<(PartId, Node)>, depth: u32) -> Building {
        let mut builder = GraphBuilder::default();
        graph.nodes().for_each(|_| {
            builder.node();
        });
        let exit = if around.is_some() { builder.node() } else { graph.exit() };
        let (known, own, taken_by) = Default::default();
        Building { around, depth, builder, exit, known, own, taken_by }
    }

    fn add(&mut self, (from, to, kind): (Node, Node, EdgeKind), by: EdgeId) -> EdgeId {
        let builder = &mut self.builder;
        let edge = *self.known.entry((from, to, kind)).or_insert_with(|| builder.edge(from, to, kind));
        self.taken_by[edge].push(by);
        edge
    }

    fn finish(self, graph: &Graph) -> Part {
        let (entry, kind) = match self.around {
            Some((_, header)) => (header, ExitKind::Synthetic),
            None => (graph.entry(), graph.exit_kind()),
        };
        let part = self.builder.finish(entry, self.exit, kind).expect("parts keep the invariants of their graph");
        let parent = self.around.map(|(parent, _)| parent);
        Part { parent, depth: self.depth, graph: part, own: self.own, taken_by: self.taken_by }
    }
}

/// Adds an edge to the parts that it leaves, and as itself to the part that it stays in.
fn project(parts: &mut PrimaryMap<PartId, Building>, of: &SecondaryMap<Node, PartId>, (id, edge): (EdgeId, Edge)) {
    let around = |parts: &PrimaryMap<PartId, Building>, of: PartId| parts[of].around;
    let mut targets = vec![of[edge.to]];
    while let Some((outer, _)) = around(parts, targets[targets.len() - 1]) {
        targets.push(outer);
    }
    let (mut at, mut from) = (of[edge.from], edge.from);
    let is_normal = edge.kind == EdgeKind::Normal;
    loop {
        let stays = targets.contains(&at);
        // A failure inside a collapsed loop is one inside its header, and one that leaves a part ends it.
        if is_normal && from != edge.from {
            parts[at].add((from, edge.from, EdgeKind::Normal), id);
        }
        let source = if is_normal { edge.from } else { from };
        if stays {
            let own = parts[at].add((source, edge.to, edge.kind), id);
            // Failures inside of one loop, caught at one place, are one edge.
            parts[at].own[own] = id.into();
            return;
        }
        let exit = parts[at].exit;
        if is_normal {
            parts[at].add((source, exit, EdgeKind::Normal), id);
        }
        (at, from) = around(parts, at).expect("the function is around everything");
    }
}
