//! Segments of blocks: a graph whose calls stand at the ends of nodes, as a supergraph needs them.
//!
//! In: a graph with calls in the middle of blocks. Out: [`Segments`]: a graph in which a block of n calls is a chain of n + 1 nodes, and the
//! places of both.
//!
//! ```text
//!   b: ... call 0 ... call 1 ...        b.0 --> b.1 --> b.2       b.0 and b.1 are call blocks, each the other's return site
//! ```
//!
//! Failure edges leave the first segment, which every failure in the block passes.
//! Invariant: edges keep their order, and the exit has one segment.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use crate::graph::{Call, EdgeId, EdgeKind, Graph, GraphBuilder, Node};

/// A graph of segments.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    /// The graph.
    pub(super) graph: Graph,
    first: PrimaryMap<Node, Node>,
    places: PrimaryMap<Node, (Node, u32)>,
    edges: SecondaryMap<EdgeId, PackedOption<EdgeId>>,
}

impl Segments {
    /// Splits the blocks of `graph` behind their calls.
    pub(super) fn new(graph: &Graph) -> Segments {
        let mut builder = GraphBuilder::default();
        let mut first: PrimaryMap<Node, Node> = PrimaryMap::new();
        let (mut places, mut edges) = (PrimaryMap::new(), SecondaryMap::new());
        for block in graph.nodes() {
            first.push(places.next_key());
            for segment in 0..=graph.calls(block).count() as u32 {
                builder.node();
                places.push((block, segment));
            }
        }
        let last = |block: Node| -> Node { Node::new(first[block].index() + graph.calls(block).count()) };
        for block in graph.nodes() {
            for segment in first[block].index()..last(block).index() {
                builder.edge(Node::new(segment), Node::new(segment + 1), EdgeKind::Normal);
            }
            for &edge in graph.successors(block) {
                let ends = graph.edge(edge);
                let from = match ends.kind {
                    EdgeKind::Normal => last(block),
                    EdgeKind::Failure => first[block],
                };
                edges[edge] = builder.edge(from, first[ends.to], ends.kind).into();
            }
        }
        let split = builder.finish(first[graph.entry()], first[graph.exit()], graph.exit_kind());
        Segments { graph: split.expect("segments keep a graph's invariants"), first, places, edges }
    }

    /// The segment that a call ends.
    pub(super) fn of_call(&self, call: Call) -> Node {
        self.of(call.block, call.number)
    }

    /// The segment of a block behind so many of its calls.
    pub(super) fn of(&self, block: Node, calls: u32) -> Node {
        Node::new(self.first[block].index() + calls as usize)
    }

    /// The edge that stands for an edge of the original graph.
    pub(super) fn edge(&self, edge: EdgeId) -> EdgeId {
        self.edges[edge].expect("every edge of the original graph has one")
    }

    /// The block of a segment, and the calls before it.
    pub(super) fn place(&self, segment: Node) -> (Node, u32) {
        self.places[segment]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::ExitKind;

    /// A block with two calls that a handler is around, and the handler.
    #[test]
    fn a_block_is_a_chain_of_segments() {
        let mut builder = GraphBuilder::default();
        let [block, handler, exit] = [(); 3].map(|()| builder.node());
        let calls = [builder.call(block), builder.call(block)];
        let edges = [
            builder.edge(block, handler, EdgeKind::Failure),
            builder.edge(block, exit, EdgeKind::Normal),
            builder.edge(handler, exit, EdgeKind::Normal),
        ];
        let graph = builder.finish(block, exit, ExitKind::Synthetic).expect("a graph");
        let segments = Segments::new(&graph);
        let ends = |edge: EdgeId| {
            let edge = segments.graph.edge(edge);
            (edge.from.index(), edge.to.index())
        };
        assert_eq!(edges.map(|edge| ends(segments.edge(edge))), [(0, 3), (2, 4), (3, 4)]);
        assert_eq!(calls.map(|call| segments.of_call(call).index()), [0, 1]);
        assert_eq!(segments.place(Node::new(2)), (block, 2));
        assert!(
            segments.graph.find_edge(Node::new(0), Node::new(1)).is_some(),
            "a call block leads to its return site"
        );
        assert_eq!((segments.graph.entry().index(), segments.graph.exit().index()), (0, 4));
    }
}
