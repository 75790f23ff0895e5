//! The nest of natural loops.
//!
//! In: a graph with its depth-first order and dominators. Out: its loops, one for each header, outer before inner.
//!
//! Invariant: two loops are disjoint or nested. In an irreducible graph only back edges whose target dominates their
//! source form loops; [`LoopNest::irreducible`] then returns one that does not, and schemes that need loops refuse the
//! graph.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap, entity_impl};

use super::{DepthFirst, Dominators, EdgeId, Graph, Node};

/// A natural loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// One loop of the nest.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The only node through which the loop is entered.
    pub header: Node,
    /// The enclosing loop.
    pub parent: Option<LoopId>,
    /// Nesting depth, 1 for an outermost loop.
    pub depth: u32,
    /// Every member, inner loops' members included, in reverse postorder.
    pub members: Vec<Node>,
    /// The edges from members to the header.
    pub back_edges: Vec<EdgeId>,
}

/// Every natural loop of a graph.
#[derive(Clone, Debug)]
pub struct LoopNest {
    loops: PrimaryMap<LoopId, Loop>,
    innermost: SecondaryMap<Node, PackedOption<LoopId>>,
    /// The loops with another one in them.
    outer: EntitySet<LoopId>,
    irreducible: Option<EdgeId>,
}

impl LoopNest {
    /// Finds the loops of `graph`.
    pub fn of(graph: &Graph) -> LoopNest {
        let order = DepthFirst::new(graph);
        let dominators = Dominators::new(graph, &order);
        LoopNest::new(graph, &order, &dominators)
    }

    /// Finds the loops, given the depth-first order and the dominators.
    pub fn new(graph: &Graph, order: &DepthFirst, dominators: &Dominators) -> LoopNest {
        let mut loops: PrimaryMap<LoopId, Loop> = PrimaryMap::new();
        let mut innermost: SecondaryMap<Node, PackedOption<LoopId>> = SecondaryMap::new();
        // Back edges are in the order of the search.
        let mut place: SecondaryMap<EdgeId, u32> = SecondaryMap::new();
        order.back_edges().iter().zip(0..).for_each(|(edge, at)| place[*edge] = at);
        // Reverse postorder visits an outer header before the inner ones that it dominates. So the last loop written to
        // `innermost` is the innermost one, and the value it replaces is its parent.
        let mut seen = EntitySet::new();
        for &header in order.reverse_postorder() {
            let forms_loop =
                |edge: &EdgeId| order.is_back_edge(*edge) && dominators.dominates(header, graph.edge(*edge).from);
            let mut back_edges: Vec<EdgeId> = graph.predecessors(header).iter().copied().filter(forms_loop).collect();
            if back_edges.is_empty() {
                continue;
            }
            back_edges.sort_unstable_by_key(|edge| place[*edge]);
            let members = body(graph, order, header, &back_edges, &mut seen);
            let parent = innermost[header].expand();
            let depth = parent.map_or(1, |p| loops[p].depth + 1);
            let id = loops.push(Loop { header, parent, depth, members, back_edges });
            for &member in &loops[id].members {
                innermost[member] = id.into();
            }
        }
        let mut outer = EntitySet::new();
        loops.values().filter_map(|l| l.parent).for_each(|parent| _ = outer.insert(parent));
        LoopNest { loops, innermost, outer, irreducible: dominators.irreducible_edge(graph, order) }
    }

    /// Every loop, outer before inner.
    pub fn iter(&self) -> impl Iterator<Item = (LoopId, &Loop)> {
        self.loops.iter()
    }

    /// One loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// The innermost loop around `node`.
    pub fn innermost(&self, node: Node) -> Option<LoopId> {
        self.innermost[node].expand()
    }

    /// Returns whether no other loop is in a loop.
    pub fn is_innermost(&self, id: LoopId) -> bool {
        !self.outer.contains(id)
    }

    /// Number of loops around `node`.
    pub fn depth(&self, node: Node) -> u32 {
        self.innermost(node).map_or(0, |id| self.loops[id].depth)
    }

    /// Returns whether `node` is a member of `id`, directly or through an inner loop.
    pub fn contains(&self, id: LoopId, node: Node) -> bool {
        self.chain(node).any(|around| around == id)
    }

    /// The innermost loop around both nodes.
    pub fn common(&self, a: Node, b: Node) -> Option<LoopId> {
        self.chain(a).find(|&id| self.contains(id, b))
    }

    /// The loops around `node`, innermost first.
    pub fn chain(&self, node: Node) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(self.innermost(node), |&id| self.loops[id].parent)
    }

    /// A back edge that forms no natural loop, if the graph is irreducible.
    pub fn irreducible(&self) -> Option<EdgeId> {
        self.irreducible
    }
}

/// The header, and the nodes from which a back edge is reached without passing it. `seen` is empty before and after:
/// a set for each loop would be as large as the graph.
fn body(
    graph: &Graph,
    order: &DepthFirst,
    header: Node,
    back_edges: &[EdgeId],
    seen: &mut EntitySet<Node>,
) -> Vec<Node> {
    seen.insert(header);
    let mut members = vec![header];
    let mut work: Vec<Node> = back_edges.iter().map(|&e| graph.edge(e).from).collect();
    while let Some(node) = work.pop() {
        if order.is_reachable(node) && seen.insert(node) {
            members.push(node);
            work.extend(graph.predecessors(node).iter().map(|&e| graph.edge(e).from));
        }
    }
    members.iter().for_each(|node| _ = seen.remove(*node));
    members.sort_by_key(|&node| order.position(node));
    members
}
