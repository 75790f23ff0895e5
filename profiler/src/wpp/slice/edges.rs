//! Dependences between statements that the execution exercised: approach 2.
//!
//! In: a part of a statement. Out: the parts of other statements on which one of its executions depends.
//!
//! For a local and for control, one query <T(n), n>_V a path trace finds the sources of all executions together: a statement that
//! sets V, or that decides, generates the fact. Accesses to memory are looked up one by one, since each has a cell of its own; and so
//! is everything in activations with failures, since these leave blocks in the middle.

use std::collections::BTreeSet;

use super::Slicer;
use super::dependence::{Dependence, Part, uses};
use super::locals::{DefinitionSite, branch_of};
use super::model::{ActivationId, Cells, Instance, Location, Point, StatementId, TraceId};
use crate::wpp::dynamic_graph::{DynamicGraph, DynamicNode};
use crate::wpp::query::{DynamicEffect, Outcome, ask};
use crate::wpp::series::Series;

/// The places of a path trace that a query looks for.
struct Answers<'a> {
    graph: &'a DynamicGraph,
    sites: Vec<(DynamicNode, u32, DefinitionSite)>,
}

impl<'a> Answers<'a> {
    fn new(graph: &'a DynamicGraph, sites: impl IntoIterator<Item = DefinitionSite>) -> Answers<'a> {
        let home = |site: DefinitionSite| graph.home(site.block).map(|(node, offset)| (node, offset, site));
        let mut sites: Vec<_> = sites.into_iter().filter_map(home).collect();
        sites.sort_unstable_by_key(|&(node, offset, site)| (node, offset, site));
        Answers { graph, sites }
    }

    /// The last place in a node, before a statement of it if one is given.
    fn last_in(&self, node: DynamicNode, before: Option<(u32, u32)>) -> Option<DefinitionSite> {
        let is_before = |offset, site: &DefinitionSite| before.is_none_or(|before| (offset, site.statement) < before);
        let in_node = self.sites.iter().rev().filter(|(at, _, _)| *at == node);
        in_node
            .map(|(_, offset, site)| (*offset, *site))
            .find(|(offset, site)| is_before(*offset, site))
            .map(|found| found.1)
    }

    /// The places that executions of a statement at `times` reach first, the executions without any, and the number of queries.
    fn ask(&self, node: DynamicNode, before: (u32, u32), times: &Series) -> (BTreeSet<DefinitionSite>, Series, u64) {
        if let Some(site) = self.last_in(node, Some(before)) {
            return ([site].into(), Series::default(), 1);
        }
        let mut problem = |node: DynamicNode, times: &Series| match self.last_in(node, None) {
            Some(_) => DynamicEffect::of_all(times, Outcome::Generates),
            None => DynamicEffect::default(),
        };
        let answer = ask(self.graph, &mut problem, node, times, &DynamicEffect::default());
        let found = answer.resolutions.iter().filter_map(|it| self.last_in(it.node, None)).collect();
        (found, answer.unresolved, answer.queries.len() as u64)
    }
}

impl<C: Cells> Slicer<'_, C> {
    /// The dependences of a part of a statement, from the cache if they were computed before.
    pub(super) fn edge_sources(&mut self, statement: StatementId, part: Part) -> Vec<Dependence<StatementId>> {
        if let Some(known) = self.edges.get(&(statement, part)) {
            return known.clone();
        }
        let execution = self.execution;
        let procedure = &execution.procedures[statement.procedure];
        let mut sources = Vec::new();
        for &location in uses(&procedure.blocks[statement.block][statement.index as usize], part) {
            self.edge_data(statement, location, &mut sources);
        }
        self.edge_control(statement, &mut sources);
        let mut seen = BTreeSet::new();
        sources.retain(|source| seen.insert(*source));
        self.edges.insert((statement, part), sources.clone());
        sources
    }

    fn edge_data(&mut self, statement: StatementId, location: Location, sources: &mut Vec<Dependence<StatementId>>) {
        let is_local = matches!(location, Location::Local(_));
        for (trace, together, alone) in self.executions_of(statement) {
            if is_local && !together.is_empty() {
                let sites = self.sites.definitions(statement.procedure, location).to_vec();
                let (found, unset) = self.ask_trace(trace, statement, sites);
                sources.extend(found.into_iter().map(|site| {
                    let index = site.statement;
                    let by = StatementId { block: site.block, index, ..statement };
                    Dependence::Data(location, by, Part::Definition(site.number))
                }));
                if let Some(time) = unset.first() {
                    self.each(&together, trace, statement, &Series::range(time, time), |slicer, instance| {
                        sources.push(slicer.of_statements(slicer.argument_source(instance, location)));
                    });
                }
            }
            let one_by_one = if is_local { alone } else { [together, alone].concat() };
            let times = self.times_of(trace, statement);
            self.each(&one_by_one, trace, statement, &times, |slicer, instance| {
                let found = slicer.instance_data(instance, location);
                sources.extend(found.into_iter().map(|source| slicer.of_statements(source)));
            });
        }
    }

    fn edge_control(&mut self, statement: StatementId, sources: &mut Vec<Dependence<StatementId>>) {
        let execution = self.execution;
        for (trace, together, alone) in self.executions_of(statement) {
            if !together.is_empty() {
                let procedure = &execution.procedures[statement.procedure];
                let branches = self.sites.control(statement.procedure).branches(statement.block);
                let site = |block| Some(DefinitionSite { block, statement: branch_of(procedure, block)?, number: 0 });
                let sites: Vec<DefinitionSite> = branches.filter_map(site).collect();
                // A block depends on decisions before it, so the question is about its beginning.
                let (found, unset) = self.ask_trace(trace, StatementId { index: 0, ..statement }, sites);
                sources.extend(found.into_iter().map(|site| {
                    Dependence::Control(StatementId { block: site.block, index: site.statement, ..statement })
                }));
                if let Some(time) = unset.first() {
                    self.each(&together, trace, statement, &Series::range(time, time), |slicer, instance| {
                        let decision = slicer.instance_control(instance);
                        sources.extend(decision.map(|by| slicer.of_statements(Dependence::Control(by))));
                    });
                }
            }
            let times = self.times_of(trace, statement);
            self.each(&alone, trace, statement, &times, |slicer, instance| {
                let decision = slicer.instance_control(instance);
                sources.extend(decision.map(|by| slicer.of_statements(Dependence::Control(by))));
            });
        }
    }

    /// The traces in which a statement's block is, each with the activations that followed it: those without failures, which are
    /// alike, and the others.
    fn executions_of(&self, statement: StatementId) -> Vec<(TraceId, Vec<ActivationId>, Vec<ActivationId>)> {
        let execution = self.execution;
        let mut found = Vec::new();
        for (trace, graph) in &execution.traces {
            let followers = &self.tree.followers[trace];
            let is_of_procedure = |&id: &ActivationId| execution.activations[id].procedure == statement.procedure;
            if graph.home(statement.block).is_some() && followers.first().is_some_and(is_of_procedure) {
                let fails = |id: &ActivationId| !execution.activations[*id].failures.is_empty();
                let (alone, together) = followers.iter().copied().partition(fails);
                found.push((trace, together, alone));
            }
        }
        found
    }

    fn times_of(&self, trace: TraceId, statement: StatementId) -> Series {
        let graph = &self.execution.traces[trace];
        graph.home(statement.block).map_or_else(Series::default, |(node, _)| graph.times(node).clone())
    }

    /// Asks which of some places the executions of a statement along a trace reach first.
    fn ask_trace(
        &mut self,
        trace: TraceId,
        statement: StatementId,
        sites: Vec<DefinitionSite>,
    ) -> (BTreeSet<DefinitionSite>, Series) {
        let graph = &self.execution.traces[trace];
        let Some((node, offset)) = graph.home(statement.block) else { return Default::default() };
        let (found, unset, queries) =
            Answers::new(graph, sites).ask(node, (offset, statement.index), graph.times(node));
        self.queries += queries;
        (found, unset)
    }

    /// Visits the executions of a statement at some times in some activations along a trace.
    fn each(
        &mut self,
        activations: &[ActivationId],
        trace: TraceId,
        statement: StatementId,
        times: &Series,
        mut visit: impl FnMut(&mut Self, Instance),
    ) {
        let execution = self.execution;
        let Some((_, offset)) = execution.traces[trace].home(statement.block) else { return };
        for &activation in activations {
            for time in times.iter() {
                let point = Point { time, offset, statement: statement.index };
                if execution.activations[activation].reaches(point) {
                    visit(self, Instance { activation, block: statement.block, point });
                }
            }
        }
    }

    /// A dependence on an instance as one on its statement.
    pub(super) fn of_statements(&self, source: Dependence<Instance>) -> Dependence<StatementId> {
        match source {
            Dependence::Data(location, by, part) => Dependence::Data(location, self.execution.statement_of(by), part),
            Dependence::Control(by) => Dependence::Control(self.execution.statement_of(by)),
            Dependence::Unset(location) => Dependence::Unset(location),
        }
    }
}
