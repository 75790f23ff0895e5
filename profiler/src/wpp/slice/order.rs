//! The order of events across activations, and who set a global or a cell last.
//!
//! In: an [`Execution`] with its [`Cells`]. Out: a total order of instances, and for a global or a cell of memory the definitions of
//! it in that order.
//!
//! Invariant: activations are numbered in the order in which they were entered. So the descendants of one are the numbers behind it up to
//! a last one, and an event is before another iff fewer activations had been entered; or as many, and it is in a
//! deeper one, which has returned by then; or in the same one, and earlier there.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;

use super::model::{ActivationId, Cells, Execution, Instance, Location, Point, ProcedureId, StatementId, TraceId};
use crate::hash::KeyMap;

/// The position of an event in the execution. The fields compare in this order.
pub(super) type Moment = (ActivationId, Reverse<ActivationId>, Point);

/// A definition that an instance makes: its number in the statement.
pub(super) type Store = (Moment, Instance, u32);

/// Tables of the calls of an execution: who called whom, who followed which trace, what failed.
#[derive(Clone, Debug, Default)]
pub(super) struct CallTree {
    last_descendant: SecondaryMap<ActivationId, Option<ActivationId>>,
    callees: SecondaryMap<ActivationId, Vec<ActivationId>>,
    /// The activations that followed a trace.
    pub(super) followers: SecondaryMap<TraceId, Vec<ActivationId>>,
    /// The statements that called a procedure.
    pub(super) callers: SecondaryMap<ProcedureId, BTreeSet<StatementId>>,
    /// The procedures that a statement called.
    pub(super) called: BTreeMap<StatementId, BTreeSet<ProcedureId>>,
    /// The statements of a procedure that failed.
    pub(super) failed: SecondaryMap<ProcedureId, BTreeSet<StatementId>>,
}

impl CallTree {
    pub(super) fn new(execution: &Execution) -> CallTree {
        let mut tree = CallTree::default();
        for (id, activation) in &execution.activations {
            tree.followers[activation.trace].push(id);
            for &point in &activation.failures {
                if let Some(instance) = execution.instance(id, point) {
                    tree.failed[activation.procedure].insert(execution.statement_of(instance));
                }
            }
            let Some((caller, point)) = activation.caller else { continue };
            tree.callees[caller].push(id);
            if let Some(instance) = execution.instance(caller, point) {
                let statement = execution.statement_of(instance);
                tree.callers[activation.procedure].insert(statement);
                tree.called.entry(statement).or_default().insert(activation.procedure);
            }
        }
        for (id, activation) in execution.activations.iter().rev() {
            let last = tree.last_descendant(id);
            if let Some((caller, _)) = activation.caller {
                let known = tree.last_descendant(caller);
                tree.last_descendant[caller] = Some(known.max(last));
            }
        }
        tree
    }

    fn last_descendant(&self, activation: ActivationId) -> ActivationId {
        self.last_descendant[activation].unwrap_or(activation)
    }

    /// The activations that an instance called, in order.
    pub(super) fn callees<'a>(
        &'a self,
        execution: &'a Execution,
        instance: Instance,
    ) -> impl DoubleEndedIterator<Item = ActivationId> + 'a {
        let called = &self.callees[instance.activation];
        let point = move |id: &ActivationId| execution.activations[*id].caller.map(|(_, point)| point);
        let from = called.partition_point(|id| point(id) < Some(instance.point));
        called[from..]
            .iter()
            .copied()
            .take_while(move |id| point(id) == Some(instance.point))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The moment at which an instance uses its locations: before the activations that it calls.
    pub(super) fn use_moment(&self, execution: &Execution, instance: Instance) -> Moment {
        self.moment(execution, instance, |point| point < instance.point)
    }

    /// The moment at which an instance makes its definitions: behind the activations that it calls.
    pub(super) fn definition_moment(&self, execution: &Execution, instance: Instance) -> Moment {
        self.moment(execution, instance, |point| point <= instance.point)
    }

    fn moment(&self, execution: &Execution, instance: Instance, is_over: impl Fn(Point) -> bool) -> Moment {
        let called = &self.callees[instance.activation];
        let point = |id: ActivationId| execution.activations[id].caller.map(|(_, point)| point);
        let over = called.partition_point(|&id| point(id).is_some_and(&is_over));
        let entered = over.checked_sub(1).map_or(instance.activation, |last| self.last_descendant(called[last]));
        (entered, Reverse(instance.activation), instance.point)
    }
}

/// Definitions of globals and of the cells of one class.
#[derive(Clone, Debug, Default)]
pub(super) struct Stores {
    /// For each cell its definitions in order; a global is the cell 0 of its own class.
    by_cell: KeyMap<u64, Vec<Store>>,
}

/// A location without the operand that selects a cell.
pub(super) fn class_of(location: Location) -> Location {
    match location {
        Location::Cell { class, .. } => Location::Cell { class, operand: 0 },
        Location::Local(_) | Location::Global(_) | Location::Argument(_) | Location::Result | Location::Returned => {
            location
        }
    }
}

/// The cells that a global or an access to memory reads.
pub(super) fn cells_of(cells: &impl Cells, instance: Instance, location: Location) -> Vec<u64> {
    match location {
        Location::Cell { operand, .. } => cells.cells(instance, operand),
        Location::Global(_) => vec![0],
        Location::Local(_) | Location::Argument(_) | Location::Result | Location::Returned => Vec::new(),
    }
}

/// The cell that a global or an access to memory sets.
fn cell_of(cells: &impl Cells, instance: Instance, location: Location) -> Option<u64> {
    match location {
        Location::Cell { operand, .. } => cells.cell(instance, operand),
        Location::Global(_) => Some(0),
        Location::Local(_) | Location::Argument(_) | Location::Result | Location::Returned => None,
    }
}

impl Stores {
    /// Collects the definitions of a class of cells, or of a global.
    pub(super) fn new(execution: &Execution, cells: &impl Cells, tree: &CallTree, class: Location) -> Stores {
        let mut stores = Stores::default();
        for (procedure, model) in &execution.procedures {
            for block in model.graph.nodes() {
                for (index, statement) in (0..).zip(&model.blocks[block]) {
                    for (number, definition) in (0..).zip(&statement.definitions) {
                        if class_of(definition.target) == class {
                            let at = StatementId { procedure, block, index };
                            stores.collect(execution, cells, tree, (at, number, definition.target));
                        }
                    }
                }
            }
        }
        stores.by_cell.values_mut().for_each(|list| list.sort_unstable_by_key(|&(moment, _, number)| (moment, number)));
        stores
    }

    fn collect(
        &mut self,
        execution: &Execution,
        cells: &impl Cells,
        tree: &CallTree,
        (at, number, target): (StatementId, u32, Location),
    ) {
        for (trace, graph) in &execution.traces {
            let Some((node, offset)) = graph.home(at.block) else { continue };
            for &activation in &tree.followers[trace] {
                if execution.activations[activation].procedure != at.procedure {
                    continue;
                }
                for time in graph.times(node).iter() {
                    let point = Point { time, offset, statement: at.index };
                    let instance = Instance { activation, block: at.block, point };
                    if !execution.activations[activation].completes(point) {
                        continue;
                    }
                    if let Some(cell) = cell_of(cells, instance, target) {
                        let moment = tree.definition_moment(execution, instance);
                        self.by_cell.entry(cell).or_default().push((moment, instance, number));
                    }
                }
            }
        }
    }

    /// The last definition of a cell before a moment.
    pub(super) fn last_before(&self, cell: u64, moment: Moment) -> Option<(Instance, u32)> {
        let list = self.by_cell.get(&cell)?;
        let before = list.partition_point(|&(at, _, _)| at < moment);
        let (_, instance, number) = list[before.checked_sub(1)?];
        Some((instance, number))
    }
}
