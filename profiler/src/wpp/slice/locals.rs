//! The places within an activation on which a statement depends: definitions of locals, and decisions.
//!
//! In: procedures, traces, and a point of an activation. Out: the latest definition before it, or the decision that led to it.
//!
//! The latest execution before time `t` of any of some blocks is the greatest timestamp below `t` in their sets `T(n)`: a binary search
//! in each, however long ago it was.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;

use super::control::ControlDependence;
use super::model::{Activation, ActivationId, Execution, Instance, Location, Point, Procedure, ProcedureId};
use crate::graph::Node;
use crate::wpp::dynamic_graph::DynamicGraph;

/// A definition in the text of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct DefinitionSite {
    pub(super) block: Node,
    pub(super) statement: u32,
    /// The number of definitions before it in the statement.
    pub(super) number: u32,
}

/// Definitions and control dependences of every procedure.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    definitions: SecondaryMap<ProcedureId, BTreeMap<Location, Vec<DefinitionSite>>>,
    control: SecondaryMap<ProcedureId, ControlDependence>,
}

impl Sites {
    pub(super) fn new(execution: &Execution) -> Sites {
        let mut sites = Sites::default();
        for (id, procedure) in &execution.procedures {
            sites.control[id] = ControlDependence::new(&procedure.graph);
            for block in procedure.graph.nodes() {
                for (index, statement) in (0..).zip(&procedure.blocks[block]) {
                    for (number, definition) in (0..).zip(&statement.definitions) {
                        let site = DefinitionSite { block, statement: index, number };
                        sites.definitions[id].entry(definition.target).or_default().push(site);
                    }
                }
            }
        }
        sites
    }

    /// The definitions of a location in the order of blocks and statements.
    pub(super) fn definitions(&self, procedure: ProcedureId, location: Location) -> &[DefinitionSite] {
        self.definitions[procedure].get(&location).map_or(&[], Vec::as_slice)
    }

    /// The locations that a procedure defines.
    pub(super) fn locations(&self, procedure: ProcedureId) -> impl Iterator<Item = Location> + '_ {
        self.definitions[procedure].keys().copied()
    }

    /// The control dependences of a procedure.
    pub(super) fn control(&self, procedure: ProcedureId) -> &ControlDependence {
        &self.control[procedure]
    }

    /// The latest definition of a location by an activation before a point.
    pub(super) fn latest_definition(
        &self,
        execution: &Execution,
        activation: ActivationId,
        location: Location,
        before: Point,
    ) -> Option<(Instance, u32)> {
        let data = &execution.activations[activation];
        let trace = execution.trace_of(activation);
        let sites = self.definitions(data.procedure, location).iter();
        let latest = sites.filter_map(|site| {
            let at = latest_execution(trace, site.block, site.statement, before, |point| data.completes(point))?;
            Some((at, *site))
        });
        let (point, site) = latest.max_by_key(|&(point, _)| point)?;
        Some((Instance { activation, block: site.block, point }, site.number))
    }

    /// The decision of the activation itself by which a block is executed at a point; `None` if the call decided.
    pub(super) fn decision(&self, execution: &Execution, instance: Instance) -> Option<Instance> {
        let data = &execution.activations[instance.activation];
        let procedure = &execution.procedures[data.procedure];
        let trace = execution.trace_of(instance.activation);
        let control = &self.control[data.procedure];
        let start = Point { statement: 0, ..instance.point };
        // A branch that failed has not decided.
        let branches = control.branches(instance.block).filter_map(|block| {
            let branch = branch_of(procedure, block)?;
            let point = latest_execution(trace, block, branch, start, |point| data.completes(point))?;
            Some(Instance { activation: instance.activation, block, point })
        });
        let failure = latest_failure(data, trace, control, instance);
        branches.chain(failure.map(|(block, point)| Instance { block, point, ..instance })).max_by_key(|at| at.point)
    }
}

/// The index of a block's branch: its last statement.
pub(super) fn branch_of(procedure: &Procedure, block: Node) -> Option<u32> {
    (procedure.blocks[block].len() as u32).checked_sub(1)
}

/// The latest execution of a statement before a point that satisfies a condition.
fn latest_execution(
    trace: &DynamicGraph,
    block: Node,
    statement: u32,
    before: Point,
    is_meant: impl Fn(Point) -> bool,
) -> Option<Point> {
    let (node, offset) = trace.home(block)?;
    // The node's execution at the same time counts if the statement comes earlier in it.
    let is_earlier = (offset, statement) < (before.offset, before.statement);
    let mut limit = if is_earlier { before.time.saturating_add(1) } else { before.time };
    loop {
        limit = trace.last_before(node, limit)?;
        let point = Point { time: limit, offset, statement };
        if is_meant(point) {
            return Some(point);
        }
    }
}

/// The latest failure before an instance that led to its block.
fn latest_failure(
    data: &Activation,
    trace: &DynamicGraph,
    control: &ControlDependence,
    instance: Instance,
) -> Option<(Node, Point)> {
    control.failing(instance.block).next()?;
    let start = Point { statement: 0, ..instance.point };
    let count = data.failures.partition_point(|&failure| failure < start);
    data.failures[..count].iter().rev().find_map(|&failure| {
        let (from, to) = left_edge(trace, failure)?;
        control.is_by_failure(instance.block, from, to).then_some((from, failure))
    })
}

/// The block at a point and the one that is executed next.
pub(super) fn left_edge(trace: &DynamicGraph, point: Point) -> Option<(Node, Node)> {
    let node = trace.at(point.time)?;
    let blocks = trace.blocks(node);
    let from = *blocks.get(point.offset as usize)?;
    let next = || trace.behind(node, point.time).map(|(next, _)| trace.blocks(next)[0]);
    let to = blocks.get(point.offset as usize + 1).copied().or_else(next)?;
    Some((from, to))
}
