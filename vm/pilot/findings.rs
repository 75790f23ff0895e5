//! What profiled and specialized versions have to tell, in the session's terms.
//!
//! In: forests, persistence, guard counters. Out: findings and reports. Traces are chosen here and tried out on the compiler's
//! thread, so that what they should gain is known before anything is decided.

use super::job::{Job, Trial};
use super::watch::{Gathered, Watched};
use super::{Driver, watcher};
use crate::adaptive::{
    Directive, GuardCount, GuardReport, LoopFindings, LoopGuards, PersistentPath, ProfileFindings, RepeatingSequence,
    TraceCandidate, TracePlan, TraceSource, WindowState,
};
use crate::machine::Machine;
use cranelift_entity::EntityRef;
use holloway_jit::graph_of::{block_of, node_of};
use holloway_jit::trace::choose;
use holloway_jit::trace::estimate::Estimate;
use holloway_jit::trace::{Source, TraceSpec};
use holloway_jit::{Tier, VersionId};
use holloway_lang::ir::{Block, FuncRef, Function};
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::graph::EdgeKind;
use holloway_profiler::path_id::{PathEnd, id_of};
use holloway_profiler::persistence::{Findings, Place};
use std::sync::Arc;

impl Driver {
    /// Answers what a profiled version has gathered; traces are tried out first.
    pub(super) fn read_profile(&mut self, machine: &mut Machine, func: FuncRef, version: VersionId) -> Vec<Directive> {
        if self.tried.contains(&func) || !self.versions.contains_key(&version) {
            return Vec::new();
        }
        let Some((watched, gathered)) = watcher(machine).and_then(|all| all.gathered(func)) else { return Vec::new() };
        let request = machine.code.request(func, Tier::Optimized);
        let state = self.window_state(func, &watched, &gathered);
        let findings = self.findings(func, &request.body, &watched, &gathered, state);
        let specs = specs(&request.body, &watched, &gathered);
        let is_over = state == WindowState::Complete;
        if specs.is_empty() || !is_over {
            let now = self.now();
            return self.session.profile(now, func, &findings);
        }
        self.tried.push(func);
        self.untold.insert(func, findings);
        let trial = Trial { func, request, specs };
        self.submit(machine, Job::Try(Box::new((machine.code.env().clone(), trial))))
    }

    /// The traces of a profile were tried out: now it can be told.
    pub(super) fn tried(
        &mut self,
        machine: &Machine,
        func: FuncRef,
        tried: Vec<(TraceSpec, Estimate)>,
    ) -> Vec<Directive> {
        self.tried.retain(|known| *known != func);
        let Some(mut findings) = self.untold.remove(&func) else { return Vec::new() };
        let body = Arc::clone(machine.runtime.module().function(func));
        for found in &mut findings.loops {
            let of_loop = tried.iter().filter(|(spec, _)| spec.header == found.header);
            let gain = |(spec, estimate): &&(TraceSpec, Estimate)| {
                spec.coverage * (1.0 - estimate.trace / estimate.general.max(f64::MIN_POSITIVE))
            };
            let best = of_loop.max_by(|a, b| gain(a).total_cmp(&gain(b)));
            found.trace = best.map(|(spec, estimate)| self.candidate(&body, spec, *estimate));
        }
        let now = self.now();
        self.session.profile(now, func, &findings)
    }

    fn candidate(&self, body: &Function, spec: &TraceSpec, estimate: Estimate) -> TraceCandidate {
        TraceCandidate {
            plan: TracePlan {
                header: spec.header,
                paths: spec.paths.clone(),
                constants: spec.constants.clone(),
                source: match spec.source {
                    Source::Tfp => TraceSource::Tfp,
                    Source::Forest => TraceSource::Forest,
                    Source::Edges => TraceSource::Edges,
                },
                break_even: 0.0,
            },
            coverage: spec.coverage,
            trace_cost: estimate.trace,
            general_cost: estimate.general,
            lines: self.lines(body, spec.blocks()),
        }
    }

    fn window_state(&self, func: FuncRef, watched: &Watched, gathered: &Gathered) -> WindowState {
        let Some(window) = self.windows.get(&func) else { return WindowState::Complete };
        let ran = |register| gathered.persistence.overall(register).executions;
        let loops = watched.regions.iter().filter(|(_, region)| region.around.is_some());
        let hottest = loops.map(|(register, _)| register).max_by_key(|register| ran(*register));
        match hottest {
            Some(hottest) if ran(hottest) < window.executions && !gathered.persistent.contains_key(&hottest) => {
                WindowState::Open
            }
            _ => WindowState::Complete,
        }
    }

    fn findings(
        &self,
        func: FuncRef,
        body: &Function,
        watched: &Watched,
        gathered: &Gathered,
        window: WindowState,
    ) -> ProfileFindings {
        let sequences = sequences(body, watched, gathered);
        let k = self.windows.get(&func).map_or(0, |window| window.k);
        let mut loops = Vec::new();
        for (register, region) in watched.regions.iter() {
            let (Some(_), Place::Block(head)) = (region.around, region.head) else { continue };
            let header = block_of(head);
            let overall = gathered.persistence.overall(register);
            if overall.executions == 0 {
                continue;
            }
            let last = gathered.persistent.get(&register);
            let current = gathered.persistence.current(register);
            let persistent = last.map(|findings| PersistentPath {
                k,
                executions: findings.consecutive,
                lines: self.lines(body, places(findings.path.iter().flatten())),
            });
            let untaken = self.lines(body, places(current.untaken.iter()));
            let sequence =
                sequences.iter().find(|(spec, _)| spec.header == header).map(|(_, sequence)| sequence.clone());
            loops.push(LoopFindings {
                header,
                iterations: overall.executions,
                persistent,
                untaken,
                sequence,
                trace: None,
            });
        }
        ProfileFindings { window, loops }
    }

    fn lines(&self, body: &Function, blocks: impl Iterator<Item = Block>) -> Vec<u32> {
        let mut lines: Vec<u32> = blocks.map(|block| self.sources.line_col(body.blocks[block].span()).0).collect();
        lines.dedup();
        lines
    }

    /// Answers how the guards of a version did.
    pub(super) fn read_guards(&mut self, id: VersionId) -> Vec<Directive> {
        let Some(traces) = self.versions.get(&id).and_then(|version| version.traces.clone()) else { return Vec::new() };
        let formed = traces.formed();
        let rounds = traces.rounds(0);
        let mut guards = Vec::new();
        let mut failures = 0;
        for (guard, data) in formed.guards.iter() {
            let failed = traces.failures(guard);
            // What a trace expects of the state at its start fails before an iteration begins.
            failures += failed;
            if failed > 0 {
                let line = self.sources.line_col(formed.body.blocks[data.edge.0].term_span).0;
                guards.push(GuardCount { line, failures: failed });
            }
        }
        let header = formed.origins.blocks[formed.head];
        // What left the trace had begun an iteration, be it in the copy in front of the loop.
        let unrolled = self.unrolled.get(&id).copied().unwrap_or(1);
        let rounds = rounds * unrolled + failures;
        let report =
            GuardReport { loops: vec![LoopGuards { header, iterations: rounds, failures, per_guard: guards }] };
        let now = self.now();
        self.session.guards(now, id, &report)
    }
}

fn places<'a>(places: impl Iterator<Item = &'a Place>) -> impl Iterator<Item = Block> {
    places.map(|place| match place {
        Place::Block(node) | Place::Loop(node) => block_of(*node),
    })
}

/// Every trace worth a try: persistent paths, repeating sequences, and what is left when untaken blocks are left out.
fn specs(body: &Function, watched: &Watched, gathered: &Gathered) -> Vec<TraceSpec> {
    let mut specs: Vec<TraceSpec> = Vec::new();
    let from_findings = |findings: &Findings| choose::from_findings(body, &watched.regions, findings).ok();
    specs.extend(gathered.persistent.values().filter_map(from_findings));
    specs.extend(sequences(body, watched, gathered).into_iter().map(|(spec, _)| spec));
    for (register, region) in watched.regions.iter() {
        let (Some(_), Place::Block(head)) = (region.around, region.head) else { continue };
        let current = gathered.persistence.current(register);
        let is_untaken = |block: Block| current.untaken.contains(&Place::Block(node_of(block)));
        specs.extend(choose::from_untaken(body, block_of(head), is_untaken, current.executions).ok());
    }
    specs.retain(|spec| choose::has_other_ways(body, spec));
    specs.sort_by_key(|spec| spec.header.index());
    specs.dedup_by(|a, b| a.header == b.header && a.paths == b.paths);
    specs
}

/// The id of a path that ends at a back edge, as text.
fn id(watched: &Watched, path: &[Block]) -> String {
    let graph = &watched.graph;
    let edge = |pair: &[Block]| {
        let out = graph.successors(node_of(pair[0])).iter().copied();
        let to = node_of(pair[1]);
        out.into_iter().find(|edge| graph.edge(*edge).to == to && graph.edge(*edge).kind == EdgeKind::Normal)
    };
    let edges: Option<Vec<_>> = path.windows(2).map(edge).collect();
    let id = edges.and_then(|edges| id_of(graph, &watched.numbering, node_of(path[0]), &edges, PathEnd::Cut));
    id.map_or_else(|| "?".to_owned(), |id| id.to_string())
}

fn sequences(body: &Function, watched: &Watched, gathered: &Gathered) -> Vec<(TraceSpec, RepeatingSequence)> {
    let forest = PathForest::of(&gathered.forest);
    let specs = choose::from_forest(body, &watched.graph, &watched.numbering, &forest);
    specs
        .into_iter()
        .map(|spec| {
            let sequence = RepeatingSequence {
                ids: spec.paths.iter().map(|path| id(watched, path)).collect(),
                period: spec.paths.len() as u32,
                coverage: spec.coverage,
            };
            (spec, sequence)
        })
        .collect()
}
