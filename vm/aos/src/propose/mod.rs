//! Looks a profile through: what was found in each loop, and the traces that should save most of its time, by the
//! optimizer's own work on them. Persistence `[NGF03]` is a fact beside the forest's sequences `[DD13]`, of which
//! traces are made. Invariant: of proposals that pass the same loops only the best stays, as one body cannot have both.
//!
//! `[NGF03]` S. Nandy, X. Gao, J. Ferrante, "TFP: Time-sensitive, Flow-specific Profiling at Runtime", LCPC 2003.
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013.

mod evidence;

use crate::event::Persistent;
use crate::{Estimate, LoopKey, Micros, NoProposal, Part, ProfileFindings, Proposal, Reason, Settings};
use evidence::Sorted;
use holloway_ir::{Block, BlockData, FuncRef, Function, Terminator};
use holloway_jit::graph_of::{block_of, node_of};
use holloway_jit::trace::choose::{self, Repeated};
use holloway_jit::trace::estimate::Estimator;
use holloway_jit::trace::{Layout, TraceSpec, form};
use holloway_jit::{Env, Request};
use holloway_lang::source::SourceMap;
use holloway_profiler::graph::{EdgeKind, Graph};
use holloway_profiler::number::ball_larus::Numbering;
use holloway_profiler::path_id::{PathEnd, id_of};
use holloway_profiler::persistence::RegionPlace;
use holloway_profiler::scheme::{Collected, FunctionPlan};
use holloway_runtime::cpu_time;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) struct Profile {
    pub(crate) number: u64,
    /// The function that was profiled, and those inlined into it that were watched.
    pub(crate) members: Vec<Member>,
    pub(crate) sources: SourceMap,
    pub(crate) settings: Settings,
}

/// Reports of one function of a profile.
pub(crate) struct Member {
    /// The function, if it is an inlined one.
    pub(crate) callee: Option<FuncRef>,
    /// Plain optimized code of it.
    pub(crate) request: Request,
    /// Its plan, and everything collected by it.
    pub(crate) reports: (Arc<FunctionPlan>, Box<dyn Collected>),
}

pub(crate) fn propose(env: &Env, profile: &Profile) -> ProfileFindings {
    let start = cpu_time::of_thread();
    let loops = profile.members.iter().flat_map(|member| found_in(env, member, profile)).collect();
    ProfileFindings { micros: Micros((cpu_time::of_thread() - start).as_micros() as u64), loops }
}

/// Looks through what one function reported. What a specialization of an inlined one saves is estimated by code of its own.
fn found_in(env: &Env, member: &Member, profile: &Profile) -> Vec<(LoopKey, Persistent)> {
    let Profile { sources, settings: Settings { without, guard_penalty, .. }, .. } = profile;
    let Member { callee, request, reports: (plan, collected) } = member;
    let results = collected.results(&plan.graph);
    let body = request.whole();
    let (Some(numbering), Some(joined), Some(persistence)) =
        (plan.decoder.acyclic(), &results.sequences, &results.regions)
    else {
        return Vec::new();
    };
    let streams = joined.forest.streams();
    let repeated = Repeated::of(body, &plan.graph, numbering, (&joined.k_ipf, &streams));
    let (sequences, no_room) = repeated.choose();
    let specs: Vec<TraceSpec> = sequences.iter().chain(repeated.through()).cloned().collect();
    let has_traces = !without.has(Part::Traces);
    let copies_loops = |spec: &TraceSpec| choose::copies_loops(&env.module, request, spec);
    let Sorted { tried, left } = evidence::sorted(specs.clone(), body, (has_traces, *guard_penalty), copies_loops);
    let estimator = (!tried.is_empty()).then(|| Estimator::new(env, request));
    let proposals: Vec<Arc<Proposal>> = tried
        .iter()
        .zip(estimator.iter().cycle())
        .filter_map(|(spec, estimator)| proposal(estimator, request, spec, (*callee, sources)))
        .collect();
    let mut loops = Vec::new();
    for (register, region) in persistence.regions().iter() {
        let (Some(_), RegionPlace::Block(head)) = (region.around, region.head) else { continue };
        let header = block_of(head);
        let overall = persistence.overall(register);
        if overall.executions == 0 {
            continue;
        }
        let persistent = persistence.persistent(register);
        let (untaken, _) = persistence.untaken(register);
        let no_room = no_room.get(&header).copied().unwrap_or_default();
        let of_loop = proposals.iter().filter(|proposal| proposal.spec.header == header);
        let best = of_loop.max_by(|a, b| saved(a, *guard_penalty).total_cmp(&saved(b, *guard_penalty))).cloned();
        let path = persistent.map(|found| lines(sources, body, places(found.path.iter().flatten())));
        let shown = path.or_else(|| best.as_ref().map(|best| best.lines.clone())).unwrap_or_default();
        let some = |number: u32| (number > 0).then_some(number);
        let reason = || evidence::why_none(header, (&tried, &left), no_room, persistent.is_some());
        let found = Persistent {
            iterations: overall.executions,
            k: persistent.map(|found| found.k),
            executions: persistent.map(|found| found.consecutive),
            lines: shown,
            untaken: lines(sources, body, places(untaken.iter())),
            too_large: some(no_room.too_large),
            too_many: some(no_room.too_many),
            declined: best.is_none().then(reason).map(Reason::NoProposal),
            proposal: best,
            ..Persistent::default()
        };
        let sequence = specs.iter().find(|spec| spec.header == header);
        let found = match sequence {
            Some(spec) => repeating(found, &plan.graph, numbering, spec),
            None => found,
        };
        loops.push((LoopKey { callee: *callee, header }, found));
    }
    leave_apart(&mut loops, *guard_penalty);
    loops
}

/// A proposal of traces, formed and weighed, if they can be formed.
fn proposal(
    estimator: &Estimator<'_>,
    request: &Request,
    spec: &TraceSpec,
    (callee, sources): (Option<FuncRef>, &SourceMap),
) -> Option<Arc<Proposal>> {
    let body = request.whole();
    let spec = choose::trace(body, spec, estimator.facts().as_ref());
    let formed = Arc::new(form(body, &spec).ok()?);
    let (cost, general_cost) = estimator.estimate(&spec, &formed)?;
    let estimate = Estimate { coverage: spec.coverage, cost, general_cost };
    let (formed, lines) = (Some((Arc::clone(body), formed)), lines(sources, body, spec.blocks()));
    Some(Arc::new(Proposal { callee, spec, formed, estimate, lines }))
}

/// The part of a loop's time that a proposal should save.
fn saved(proposal: &Proposal, guard_penalty: f64) -> f64 {
    proposal.estimate.gain(guard_penalty)
}

/// Traces that pass the same loops cannot be formed in one body: of those that do only the best stays.
fn leave_apart(loops: &mut [(LoopKey, Persistent)], guard_penalty: f64) {
    let gain = |found: &Persistent| found.proposal.as_ref().map_or(f64::MIN, |one| saved(one, guard_penalty));
    let mut by_gain: Vec<&mut Persistent> = loops.iter_mut().map(|(_, found)| found).collect();
    by_gain.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
    let mut passed: BTreeSet<Block> = BTreeSet::new();
    for found in by_gain {
        let blocks = found.proposal.as_ref().map(|proposal| proposal.blocks()).unwrap_or_default();
        if blocks.iter().any(|block| passed.contains(block)) {
            (found.proposal, found.declined) = (None, Some(Reason::NoProposal(NoProposal::AnotherLoop)));
        } else {
            passed.extend(blocks);
        }
    }
}

/// The lines of blocks. Those in which nothing happens, like a branch's other way where none is written, have none to show.
fn lines(sources: &SourceMap, body: &Function, blocks: impl Iterator<Item = Block>) -> Vec<u32> {
    let happens = |data: &&BlockData| !data.insts.is_empty() || !matches!(data.term, Terminator::Jump(_));
    let shown = blocks.map(|block| &body.blocks[block]).filter(happens);
    let mut lines: Vec<u32> = shown.map(|data| sources.line_col(data.span()).0).collect();
    lines.dedup();
    lines
}

fn places<'a>(places: impl Iterator<Item = &'a RegionPlace>) -> impl Iterator<Item = Block> {
    places.map(|place| match place {
        RegionPlace::Block(node) | RegionPlace::Loop(node) => block_of(*node),
    })
}

/// Adds the sequence that a loop repeats most, or its usual path through.
fn repeating(found: Persistent, graph: &Graph, numbering: &Numbering, spec: &TraceSpec) -> Persistent {
    let trace = &spec.traces[0];
    // On the last path through the loop no iteration ends.
    let goes_through = spec.layout == Layout::Through;
    let paths = &trace.paths[..trace.paths.len() - usize::from(goes_through)];
    let length = paths.len() as u32;
    Persistent {
        ids: paths.iter().map(|path| id(graph, numbering, path)).collect(),
        period: (!goes_through).then_some(length),
        way: goes_through.then_some(length),
        alternatives: Some(spec.traces.len() as u32).filter(|number| *number > 1),
        coverage: Some(spec.coverage),
        ..found
    }
}

/// The id of a path that ends at a back edge, as text.
fn id(graph: &Graph, numbering: &Numbering, path: &[Block]) -> String {
    let edge = |pair: &[Block]| {
        let out = graph.successors(node_of(pair[0])).iter().copied();
        let to = node_of(pair[1]);
        out.into_iter().find(|edge| graph.edge(*edge).to == to && graph.edge(*edge).kind == EdgeKind::Normal)
    };
    let edges: Option<Vec<_>> = path.windows(2).map(edge).collect();
    let id = edges.and_then(|edges| id_of(graph, numbering, node_of(path[0]), &edges, PathEnd::Cut));
    id.map_or_else(|| "?".to_owned(), |id| id.to_string())
}
