//! The bare graph of a function, which profiling schemes number and plan on.
//!
//! In: a function body. Out: a [`Graph`] whose node `i` is block `i`, with a synthetic exit behind them
//! that every returning block leads to; its calls are those of functions, not of builtins. Edges stand in the order of [`cfg::edges`].

use cranelift_entity::EntityRef;
use holloway_ir::{Block, EdgeKind, Function, Terminator, cfg};
use holloway_profiler::graph::{self, ExitKind, Graph, GraphBuilder, Node};

/// The node of a block.
pub fn node_of(block: Block) -> Node {
    Node::new(block.index())
}

/// The block of a node that is not the exit.
pub fn block_of(node: Node) -> Block {
    Block::new(node.index())
}

/// Builds the graph of a function.
pub fn graph_of(body: &Function) -> Graph {
    let mut builder = GraphBuilder::default();
    for _ in body.blocks.keys() {
        builder.node();
    }
    let exit = builder.node();
    for (block, data) in body.blocks.iter() {
        for _ in data.insts.iter().filter(|inst| inst.is_call()) {
            builder.call(node_of(block));
        }
        for (to, kind) in cfg::edges(body, block) {
            let kind = match kind {
                EdgeKind::Normal => graph::EdgeKind::Normal,
                EdgeKind::Failure => graph::EdgeKind::Failure,
            };
            builder.edge(node_of(block), node_of(to), kind);
        }
        if matches!(data.term, Terminator::Return(_)) {
            builder.edge(node_of(block), exit, graph::EdgeKind::Normal);
        }
    }
    builder
        .finish(node_of(body.entry()), exit, ExitKind::Synthetic)
        .expect("the edges of a function are distinct and its exit is new")
}
