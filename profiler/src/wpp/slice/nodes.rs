//! Dependences of the program text between executed statements: approach 1.
//!
//! In: a part of a statement. Out: the parts of executed statements on which it may depend.
//!
//! For a local the search runs backward over the control-flow graph, from executed block to executed block, and each path ends
//! at a definition. A block that is left by a failure ends no path: its definitions may not have been made. Globals and cells of
//! memory depend on all their executed definitions, in any order.

use std::collections::BTreeSet;

use super::Slicer;
use super::dependence::{Dependence, Part, uses};
use super::locals::{Sites, branch_of};
use super::model::{Cells, Execution, Location, ProcedureId, StatementId};
use super::order::class_of;
use crate::graph::{EdgeKind, Node};

impl<C: Cells> Slicer<'_, C> {
    /// The dependences of a part of a statement, from the cache if they were computed before.
    pub(super) fn node_sources(&mut self, statement: StatementId, part: Part) -> Vec<Dependence<StatementId>> {
        if let Some(known) = self.nodes.get(&(statement, part)) {
            return known.clone();
        }
        let execution = self.execution;
        let text = &execution.procedures[statement.procedure].blocks[statement.block][statement.index as usize];
        let mut sources: Vec<Dependence<StatementId>> = Vec::new();
        for &location in uses(text, part) {
            sources.extend(self.node_data(statement, location));
        }
        sources.extend(self.node_control(statement).into_iter().map(Dependence::Control));
        self.nodes.insert((statement, part), sources.clone());
        sources
    }

    /// The definitions of a location that may reach a statement.
    pub(super) fn node_data(&mut self, statement: StatementId, location: Location) -> Vec<Dependence<StatementId>> {
        self.queries += 1;
        let found: Vec<(StatementId, u32)> = match location {
            Location::Local(_) | Location::Returned | Location::Argument(_) => self.reaching(statement, location),
            Location::Global(_) | Location::Cell { .. } => self
                .sites
                .of_class(self.execution, class_of(location))
                .filter(|(by, _)| self.executed.has(*by))
                .collect(),
            Location::Result => {
                let called = self.tree.called.get(&statement).into_iter().flatten();
                let returns = called.flat_map(|&callee| self.sites.in_procedure(callee, Location::Returned));
                returns.filter(|(by, _)| self.executed.has(*by)).collect()
            }
        };
        let data = found.iter().map(|&(by, number)| Dependence::Data(location, by, Part::Definition(number)));
        data.chain(found.is_empty().then_some(Dependence::Unset(location))).collect()
    }

    /// The statements that may decide on a statement.
    fn node_control(&mut self, statement: StatementId) -> BTreeSet<StatementId> {
        self.queries += 1;
        let procedure = &self.execution.procedures[statement.procedure];
        let control = self.sites.control(statement.procedure);
        let branch = |block| Some(StatementId { block, index: branch_of(procedure, block)?, ..statement });
        let branches = control.branches(statement.block).filter_map(branch).filter(|&by| self.executed.has(by));
        let failing: BTreeSet<Node> = control.failing(statement.block).collect();
        let failed = self.tree.failed[statement.procedure].iter().filter(|by| failing.contains(&by.block));
        let thrown = failed.flat_map(|&by| self.throwers(by));
        branches.chain(thrown).chain(self.tree.callers[statement.procedure].iter().copied()).collect()
    }

    /// A statement that failed, and all those that may have failed within the calls that it made.
    fn throwers(&self, failed: StatementId) -> BTreeSet<StatementId> {
        let (mut found, mut pending) = (BTreeSet::new(), vec![failed]);
        while let Some(statement) = pending.pop() {
            if found.insert(statement) {
                let called = self.tree.called.get(&statement).into_iter().flatten();
                pending.extend(called.flat_map(|&callee| self.tree.failed[callee].iter().copied()));
            }
        }
        found
    }

    /// The definitions of a local that reach a statement, those by the calls among them.
    fn reaching(&self, statement: StatementId, location: Location) -> Vec<(StatementId, u32)> {
        let procedure = &self.execution.procedures[statement.procedure];
        let graph = &procedure.graph;
        let mut found = BTreeSet::new();
        let (mut seen, mut pending) = (BTreeSet::new(), vec![(statement.block, statement.index, EdgeKind::Normal)]);
        while let Some((block, limit, left_by)) = pending.pop() {
            let sites = self.sites.definitions(statement.procedure, location).iter();
            let in_block = sites.filter(|site| site.block == block && site.statement < limit);
            let definitions: Vec<(StatementId, u32)> = in_block
                .map(|site| (StatementId { block, index: site.statement, ..statement }, site.number))
                .filter(|(by, _)| self.executed.has(*by))
                .collect();
            match left_by {
                EdgeKind::Normal => {
                    if let Some(&last) = definitions.last() {
                        found.insert(last);
                        continue;
                    }
                }
                EdgeKind::Failure => found.extend(definitions),
            }
            if block == graph.entry() {
                found.extend(self.arguments_of(statement.procedure, location));
            }
            for &edge in graph.predecessors(block) {
                let edge = graph.edge(edge);
                if self.executed.has_block(statement.procedure, edge.from) && seen.insert((edge.from, edge.kind)) {
                    pending.push((edge.from, u32::MAX, edge.kind));
                }
            }
        }
        found.into_iter().collect()
    }

    /// The definitions by calls of the parameter that a local holds.
    fn arguments_of(&self, callee: ProcedureId, location: Location) -> Vec<(StatementId, u32)> {
        let Location::Local(local) = location else { return Vec::new() };
        let parameters = &self.execution.procedures[callee].parameters;
        let Some(number) = parameters.iter().position(|&it| it == local) else { return Vec::new() };
        let target = Location::Argument(number as u32);
        let callers = self.tree.callers[callee].iter();
        callers
            .filter_map(|&call| {
                let statement = &self.execution.procedures[call.procedure].blocks[call.block][call.index as usize];
                let definition = statement.definitions.iter().position(|it| it.target == target)?;
                Some((call, definition as u32))
            })
            .collect()
    }
}

impl Sites {
    /// The definitions of a location in a procedure.
    fn in_procedure(
        &self,
        procedure: ProcedureId,
        location: Location,
    ) -> impl Iterator<Item = (StatementId, u32)> + '_ {
        let sites = self.definitions(procedure, location).iter();
        sites.map(move |site| (StatementId { procedure, block: site.block, index: site.statement }, site.number))
    }

    /// The definitions of a global, or of the cells of a class, in all procedures.
    fn of_class(&self, execution: &Execution, class: Location) -> impl Iterator<Item = (StatementId, u32)> + '_ {
        let procedures = execution.procedures.keys();
        procedures.flat_map(move |procedure| {
            let locations = self.locations(procedure).filter(move |&location| class_of(location) == class);
            locations.flat_map(move |location| self.in_procedure(procedure, location))
        })
    }
}
