//! Depth-first search: reverse postorder and back edges.
//!
//! In: a graph. Out: its reachable nodes in reverse postorder, and its back edges: the edges to a node that is still on
//! the search's stack. Successors are visited in numbering order, failure edges included.
//!
//! Invariant: without the back edges the reachable part is acyclic, and reverse postorder is a topological order of it.

use cranelift_entity::{EntitySet, SecondaryMap};

use super::{EdgeId, Graph, Node};

/// The result of one depth-first search from the entry.
#[derive(Clone, Debug)]
pub struct DepthFirst {
    reverse_postorder: Vec<Node>,
    position: SecondaryMap<Node, Option<u32>>,
    back_edges: Vec<EdgeId>,
    is_back_edge: EntitySet<EdgeId>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Visit {
    #[default]
    Unseen,
    OnStack,
    Finished,
}

impl DepthFirst {
    /// Searches `graph` from its entry.
    pub fn new(graph: &Graph) -> DepthFirst {
        let mut visit: SecondaryMap<Node, Visit> = SecondaryMap::new();
        let mut postorder = Vec::with_capacity(graph.node_count());
        let mut back_edges = Vec::new();
        let mut is_back_edge = EntitySet::new();
        // The stack is explicit, since a chain of a hundred thousand blocks would overflow the call stack.
        let mut stack = vec![(graph.entry(), 0)];
        visit[graph.entry()] = Visit::OnStack;
        while let Some((node, next)) = stack.last_mut() {
            let Some(&edge) = graph.successors(*node).get(*next) else {
                visit[*node] = Visit::Finished;
                postorder.push(*node);
                stack.pop();
                continue;
            };
            *next += 1;
            let to = graph.edge(edge).to;
            match visit[to] {
                Visit::Unseen => {
                    visit[to] = Visit::OnStack;
                    stack.push((to, 0));
                }
                Visit::OnStack => {
                    back_edges.push(edge);
                    is_back_edge.insert(edge);
                }
                Visit::Finished => {}
            }
        }
        postorder.reverse();
        let mut position = SecondaryMap::new();
        for (index, &node) in (0..).zip(&postorder) {
            position[node] = Some(index);
        }
        DepthFirst { reverse_postorder: postorder, position, back_edges, is_back_edge }
    }

    /// The reachable nodes in reverse postorder; the entry comes first.
    pub fn reverse_postorder(&self) -> &[Node] {
        &self.reverse_postorder
    }

    /// The index of `node` in reverse postorder; `None` if it is unreachable.
    pub fn position(&self, node: Node) -> Option<u32> {
        self.position[node]
    }

    /// Returns whether `node` is reachable from the entry.
    pub fn is_reachable(&self, node: Node) -> bool {
        self.position[node].is_some()
    }

    /// The back edges, in the order of the search.
    pub fn back_edges(&self) -> &[EdgeId] {
        &self.back_edges
    }

    /// Returns whether `edge` is a back edge.
    pub fn is_back_edge(&self, edge: EdgeId) -> bool {
        self.is_back_edge.contains(edge)
    }
}
