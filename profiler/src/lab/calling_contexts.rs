//! Calling contexts in the lab.
//!
//! In: a program and its executions. Out: a [`ContextRow`] for each calling context. A call site is its call block, which an activation is in when it calls.
//!
//! Invariant: each activation of the traces is counted in one context.

use cranelift_entity::EntityRef;

use super::error::LabError;
use super::executions::Executions;
use super::procedure::Program;
use super::result::ContextRow;
use super::trace::Follower;
use crate::context_tree::{ContextId, ContextNode, ContextTree};
use crate::event::FunctionId;
use crate::graph::{EdgeId, Node};
use crate::supergraph::ProcedureId;

/// The contexts of the traces, in the order in which they were entered first.
pub(super) fn evaluate(program: &Program, executions: &Executions) -> Result<Vec<ContextRow>, LabError> {
    let mut follower = ContextFollower { program, tree: ContextTree::default() };
    executions.follow(&mut follower)?;
    let ContextFollower { tree, .. } = follower;
    Ok(tree.nodes().map(|(context, node)| row(program, &tree, context, node)).collect())
}

fn row(program: &Program, tree: &ContextTree, context: ContextId, node: &ContextNode) -> ContextRow {
    let procedure = |function: FunctionId| &program.procedures[ProcedureId::from_u32(function.as_u32())];
    let site = |(parent, site): (ContextId, Option<u32>)| {
        let site = site.expect("activations are in a block when they call");
        procedure(tree.node(parent).function).name(Node::from_u32(site))
    };
    ContextRow {
        id: context.as_u32(),
        parent: node.parent.map(|(parent, _)| parent.as_u32()),
        site: node.parent.map(site),
        procedure: procedure(node.function).name.clone(),
        calls: node.calls,
        recursive: node.recursive,
    }
}

/// Builds the tree of contexts along the traces.
struct ContextFollower<'a> {
    program: &'a Program,
    tree: ContextTree,
}

impl ContextFollower<'_> {
    /// The innermost activation is in a block, from which it may call.
    fn is_in(&mut self, block: Node) {
        let is_active = self.tree.reach(block.as_u32());
        assert!(is_active, "a step belongs to an activation");
    }

    fn ends(&mut self) {
        let was_active = self.tree.leave();
        assert!(was_active, "a step belongs to an activation");
    }
}

impl Follower for ContextFollower<'_> {
    type Activation = ();

    fn enter(&mut self, procedure: ProcedureId) {
        self.tree.enter(FunctionId::from_u32(procedure.index() as u32));
        self.is_in(self.program.procedures[procedure].graph.entry());
    }

    fn take(&mut self, procedure: ProcedureId, (): &mut (), edge: EdgeId) {
        self.is_in(self.program.procedures[procedure].graph.edge(edge).to);
    }

    fn leave(&mut self, _: ProcedureId, (): ()) {
        self.ends();
    }

    fn abort(&mut self, _: ProcedureId, (): (), _: Node) {
        self.ends();
    }
}
