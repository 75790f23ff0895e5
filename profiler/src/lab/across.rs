//! Interprocedural paths in names of blocks.
//!
//! In: a numbering of a program, and counts. Out: an [`AcrossResult`], and the [`LinearFunctions`] of each procedure.
//!
//! Invariant: nothing is counted here; every number was reported by the same numbering.

use super::procedure::Program;
use super::result::{AcrossResult, Function, LinearFunctions, PathRow, ReturnValue, StaticPath};
use crate::graph::Node;
use crate::number::ball_larus::StepKind;
use crate::number::interprocedural::encode::InterCounts;
use crate::number::interprocedural::{Arrival, GlobalTarget, InterEnd, InterNumbering, InterPath, Linear, PathVertex};
use crate::settings::lab::PATH_LIST_MAX_VERTICES;
use crate::supergraph::{ProcedureId, SiteId, Supergraph};

/// A numbering of a program, with its names.
pub(super) struct Report<'a> {
    pub(super) program: &'a Program,
    pub(super) supergraph: &'a Supergraph,
    pub(super) numbering: &'a InterNumbering,
}

impl Report<'_> {
    /// The functions of a procedure.
    pub(super) fn functions(&self, procedure: ProcedureId) -> LinearFunctions {
        let (numbering, graph) = (self.numbering, self.supergraph.graph(procedure));
        let named = &self.program.procedures[procedure];
        let vertex = |kind: &str| format!("{kind}_{}", named.name);
        let mut found = LinearFunctions {
            max_enters: numbering.calls().max_enters(procedure),
            unbalanced_paths_from_exit: numbering.unbalanced_paths_from_exit(procedure),
            ..LinearFunctions::default()
        };
        if !numbering.calls().topological().contains(&procedure) {
            return found;
        }
        let is_context = found.unbalanced_paths_from_exit.is_none();
        let source = if is_context { named.name(graph.entry()) } else { vertex("GEntry") };
        let surrogates = numbering.surrogates(procedure).iter();
        found.surrogates = surrogates.map(|s| (source.clone(), named.name(s.to), pair(s.rho))).collect();
        for node in graph.nodes().filter(|&node| self.supergraph.order(procedure).is_reachable(node)) {
            let is_entry = node == graph.entry();
            let psi = if is_entry { numbering.entry_psi(procedure) } else { numbering.psi(procedure, node) };
            found.psi.push((named.name(node), pair(psi)));
            for step in numbering.steps(procedure, node) {
                match step.kind {
                    StepKind::Edge(edge) => {
                        found.rho.push((named.name(node), named.name(graph.edge(edge).to), pair(step.rho)));
                    }
                    StepKind::Cut | StepKind::Stop => {
                        found.surrogates.push((named.name(node), vertex("GExit"), pair(step.rho)));
                    }
                }
            }
        }
        found
    }

    /// Everything about the whole program.
    pub(super) fn across(&self, counts: &InterCounts, path_list_max: u64) -> AcrossResult {
        let (numbering, supergraph) = (self.numbering, self.supergraph);
        let row = |number: u128, path: Option<InterPath>, count: u64| {
            let path = path.expect("the encoder reports numbers of its numbering");
            let StaticPath { context, blocks, surrogates, returns_to, .. } = self.listed(number, &path);
            PathRow { id: number.to_string(), context, blocks, surrogates, returns_to, count }
        };
        // A complete path is as long as a trace at most.
        let path = |number| numbering.path_of(supergraph, number, usize::MAX);
        let prefix = |(&(number, vertices), &count): (&(u128, usize), &u64)| {
            row(number, numbering.prefix_of(supergraph, number, vertices), count)
        };
        let (recursive, cut) = self.cut_sites();
        AcrossResult {
            num_paths: numbering.num_paths(),
            bits: numbering.bits(),
            recursive,
            cut,
            entry_values: numbering.global_edges().iter().map(|edge| (self.target(edge.to), edge.value)).collect(),
            return_values: self.return_values(),
            paths: counts.paths.iter().map(|(&number, &count)| row(number, path(number), count)).collect(),
            prefixes: counts.prefixes.iter().map(prefix).collect(),
            path_list: self.path_list(path_list_max),
        }
    }

    /// The recursive call sites, and the others that are cut.
    fn cut_sites(&self) -> (Vec<String>, Vec<String>) {
        let calls = self.numbering.calls();
        let cut = self.sites().filter(|&site| calls.is_cut(site));
        let (recursive, further): (Vec<SiteId>, Vec<SiteId>) = cut.partition(|&site| calls.is_recursive(site));
        let names = |sites: Vec<SiteId>| sites.into_iter().map(|site| self.call_block(site)).collect();
        (names(recursive), names(further))
    }

    fn sites(&self) -> impl Iterator<Item = SiteId> {
        let reached = self.numbering.calls().topological();
        let procedures = self.supergraph.procedures().filter(|procedure| reached.contains(procedure));
        procedures.flat_map(|procedure| self.supergraph.sites(procedure)).copied()
    }

    fn return_values(&self) -> Vec<ReturnValue> {
        let crossed = self.sites().filter(|&site| !self.numbering.calls().is_cut(site));
        let value = |site: SiteId| {
            let call = self.supergraph.site(site);
            let return_site = self.supergraph.graph(call.caller).edge(call.edge).to;
            Some(ReturnValue {
                exit: self.block(call.callee, self.supergraph.graph(call.callee).exit()),
                call: self.call_block(site),
                return_site: self.block(call.caller, return_site),
                value: self.numbering.return_value(site)?,
            })
        };
        crossed.filter_map(value).collect()
    }

    /// Every static path; `None` if there are too many, or if all of them together are too long.
    fn path_list(&self, max: u64) -> Option<Vec<StaticPath>> {
        let paths = Some(self.numbering.num_paths()).filter(|paths| *paths <= u128::from(max))?;
        let mut left = PATH_LIST_MAX_VERTICES;
        let mut list = Vec::new();
        for number in 0..paths {
            let path = self.numbering.path_of(self.supergraph, number, left)?;
            left -= path.vertices.len();
            list.push(self.listed(number, &path));
        }
        Some(list)
    }

    fn listed(&self, id: u128, path: &InterPath) -> StaticPath {
        let names = |vertices: &[PathVertex]| vertices.iter().map(|v| self.block(v.procedure, v.block)).collect();
        let arrivals = path.vertices.iter().enumerate();
        StaticPath {
            id,
            context: names(path.context()),
            blocks: names(path.active()),
            surrogates: arrivals.filter(|(_, v)| v.arrival == Arrival::Surrogate).map(|(index, _)| index).collect(),
            returns_to: self.open_returns(path),
        }
    }

    /// The call blocks of the calls that a path returns from without having entered them.
    fn open_returns(&self, path: &InterPath) -> Vec<String> {
        let mut entered: u32 = 0;
        let mut open = Vec::new();
        let mut returned = |site: SiteId, entered: &mut u32| match entered.checked_sub(1) {
            Some(less) => *entered = less,
            None => open.push(self.call_block(site)),
        };
        for vertex in &path.vertices {
            match vertex.arrival {
                Arrival::Call => entered += 1,
                Arrival::Return(site) => returned(site, &mut entered),
                Arrival::Start | Arrival::Edge | Arrival::Surrogate => {}
            }
        }
        if let InterEnd::CutAfterCall(site) = path.end {
            returned(site, &mut entered);
        }
        open
    }

    fn target(&self, target: GlobalTarget) -> String {
        let name = |procedure: ProcedureId| self.program.procedures[procedure].name.as_str();
        match target {
            GlobalTarget::Entry(procedure) => format!("Entry_{}", name(procedure)),
            GlobalTarget::GEntry(procedure) => format!("GEntry_{}", name(procedure)),
        }
    }

    fn call_block(&self, site: SiteId) -> String {
        let call = self.supergraph.site(site);
        self.block(call.caller, call.block)
    }

    fn block(&self, procedure: ProcedureId, block: Node) -> String {
        self.program.qualified(procedure, block)
    }
}

fn pair(function: Linear) -> Function {
    (function.a, function.b)
}
