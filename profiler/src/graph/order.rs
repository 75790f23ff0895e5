//! Depth-first search: reverse postorder and back edges.
//!
//! In: a graph. Out: its reachable nodes in reverse postorder, and its back edges: the edges to a node that is still on
//! the search's stack. Successors are visited in numbering order, failure edges included.
//!
//! Invariant: without the back edges the reachable part is acyclic, and reverse postorder is a topological order of it.

use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};

use super::{EdgeId, Graph, Node};
use holloway_flow::steps;

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

/// Searches depth first from some roots in order, where `successor` gives the edges out of a node in order: all that was reached in
/// reverse postorder, and the edges to what was still on the stack.
pub(crate) fn search<N: EntityRef, E>(
    roots: impl IntoIterator<Item = N>,
    successor: impl Fn(N, usize) -> Option<(E, N)>,
) -> (Vec<N>, Vec<E>) {
    let mut visit: SecondaryMap<N, Visit> = SecondaryMap::new();
    let (mut postorder, mut back_edges) = (Vec::new(), Vec::new());
    for root in roots {
        if visit[root] != Visit::Unseen {
            continue;
        }
        // The stack is explicit, since a chain of a hundred thousand blocks would overflow the call stack.
        let mut stack = vec![(root, 0)];
        visit[root] = Visit::OnStack;
        while let Some((node, next)) = stack.last_mut() {
            let Some((edge, to)) = successor(*node, *next) else {
                visit[*node] = Visit::Finished;
                postorder.push(*node);
                stack.pop();
                continue;
            };
            *next += 1;
            match visit[to] {
                Visit::Unseen => {
                    visit[to] = Visit::OnStack;
                    stack.push((to, 0));
                }
                Visit::OnStack => back_edges.push(edge),
                Visit::Finished => {}
            }
        }
    }
    postorder.reverse();
    (postorder, back_edges)
}

impl DepthFirst {
    /// Searches `graph` from its entry.
    pub fn new(graph: &Graph) -> DepthFirst {
        let successor = |node: Node, nth: usize| {
            let edge = *graph.successors(node).get(nth)?;
            Some((edge, graph.edge(edge).to))
        };
        let (reverse_postorder, back_edges) = search([graph.entry()], successor);
        let mut is_back_edge = EntitySet::new();
        back_edges.iter().for_each(|edge| _ = is_back_edge.insert(*edge));
        let mut position = SecondaryMap::new();
        for (index, &node) in (0..).zip(&reverse_postorder) {
            position[node] = Some(index);
        }
        DepthFirst { reverse_postorder, position, back_edges, is_back_edge }
    }

    /// The reachable nodes in reverse postorder; the entry comes first.
    pub fn reverse_postorder(&self) -> &[Node] {
        &self.reverse_postorder
    }

    /// The index of `node` in reverse postorder; `None` if it is unreachable.
    pub fn position(&self, node: Node) -> Option<u32> {
        steps::count(1);
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
