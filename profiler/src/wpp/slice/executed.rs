//! The statements of a program that an execution reached.
//!
//! In: an execution, and its calls. Out: whether a statement is one of them.

use std::collections::BTreeMap;

use super::model::{Execution, ProcedureId, StatementId};
use super::order::CallTree;
use crate::graph::Node;

/// The executed statements: for each block the number of those from its beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct Executed(BTreeMap<(ProcedureId, Node), u32>);

impl Executed {
    pub(super) fn new(execution: &Execution, tree: &CallTree) -> Executed {
        let mut entered: BTreeMap<(ProcedureId, Node), u64> = BTreeMap::new();
        let mut failed: BTreeMap<(ProcedureId, Node), (u64, u32)> = BTreeMap::new();
        for (trace, graph) in &execution.traces {
            let Some(&first) = tree.followers[trace].first() else { continue };
            let procedure = execution.activations[first].procedure;
            for node in graph.nodes() {
                let times = graph.times(node).len() * tree.followers[trace].len() as u64;
                graph.blocks(node).iter().for_each(|&block| *entered.entry((procedure, block)).or_default() += times);
            }
        }
        for (id, activation) in &execution.activations {
            for &point in &activation.failures {
                let Some(instance) = execution.instance(id, point) else { continue };
                let (count, reached) = failed.entry((activation.procedure, instance.block)).or_default();
                *count += 1;
                *reached = (*reached).max(point.statement + 1);
            }
        }
        // A block that never failed, or not always, was executed whole.
        let statements = |(key, times): ((ProcedureId, Node), u64)| {
            let whole = execution.procedures[key.0].blocks[key.1].len() as u32;
            let reached = failed.get(&key).filter(|(count, _)| *count == times).map_or(whole, |(_, reached)| *reached);
            (key, reached)
        };
        Executed(entered.into_iter().map(statements).collect())
    }

    /// Returns whether a statement was executed.
    pub(super) fn has(&self, statement: StatementId) -> bool {
        self.0.get(&(statement.procedure, statement.block)).is_some_and(|&count| statement.index < count)
    }

    /// Returns whether any statement of a block was executed.
    pub(super) fn has_block(&self, procedure: ProcedureId, block: Node) -> bool {
        self.0.contains_key(&(procedure, block))
    }
}
