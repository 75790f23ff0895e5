//! Looking a profile through, on the compiler's thread: what was found in each loop, and what its specialization should gain.
//!
//! In: what was gathered of a function, with its code. Out: findings in the session's terms, with a candidate for each loop that
//! can be specialized: the traces, or the split by state, that should save most of its time by the optimizer's own work on it.

use super::evidence::{self, Sorted};
use super::preference::Preference;
use crate::adaptive::{
    FormedBody, LoopCandidate, LoopFindings, LoopKey, LoopPlan, Micros, NoCandidate, Part, Parts, PersistentPath,
    ProfileFindings, RepeatingSequence, Specialization, TracePlan,
};
use holloway_jit::graph_of::{block_of, node_of};
use holloway_jit::trace::choose::{Repeated, States, Untaken};
use holloway_jit::trace::estimate::Estimator;
use holloway_jit::trace::{Layout, Specialized, TraceSpec, choose};
use holloway_jit::{Env, Request};
use holloway_lang::ir::{Block, BlockData, FuncRef, Function, Terminator};
use holloway_lang::source::SourceMap;
use holloway_profiler::graph::{EdgeKind, Graph};
use holloway_profiler::number::ball_larus::Numbering;
use holloway_profiler::path_id::{PathEnd, id_of};
use holloway_profiler::persistence::Place;
use holloway_profiler::scheme::{Collected, FunctionPlan};
use std::sync::Arc;
use std::time::Instant;

/// A profile to look through.
pub(super) struct Trial {
    pub(super) number: u64,
    /// The function that was profiled, and those inlined into it that were watched.
    pub(super) members: Vec<TrialOf>,
    pub(super) sources: SourceMap,
    /// Parts that the run does without: no candidates for them.
    pub(super) without: Parts,
    /// The measure of candidates.
    pub(super) preference: Preference,
}

/// Reports of one function of a profile.
pub(super) struct TrialOf {
    /// The function, if it is an inlined one.
    pub(super) callee: Option<FuncRef>,
    /// Plain optimized code of it.
    pub(super) request: Request,
    /// Its plan, and everything collected by it.
    pub(super) profile: (Arc<FunctionPlan>, Box<dyn Collected>),
}

/// Looks a profile through.
pub(super) fn findings(env: &Env, trial: &Trial) -> ProfileFindings {
    let start = Instant::now();
    let loops = trial.members.iter().flat_map(|member| found_in(env, member, trial)).collect();
    ProfileFindings { micros: Micros(start.elapsed().as_micros() as u64), loops }
}

/// Looks through what one function reported. What a specialization of an inlined one saves is estimated by code of its own.
fn found_in(env: &Env, member: &TrialOf, trial: &Trial) -> Vec<LoopFindings> {
    let Trial { sources, without, preference, .. } = trial;
    let without = *without;
    let TrialOf { callee, request, profile: (plan, collected) } = member;
    let results = collected.results(&plan.graph);
    let body = request.whole();
    let (Some(numbering), Some(joined), Some(persistence)) =
        (plan.decoder.acyclic(), &results.sequences, &results.regions)
    else {
        return Vec::new();
    };
    let streams = joined.forest.streams();
    let repeated = Repeated::of(body, &plan.graph, numbering, (&joined.k_ipf, &streams));
    let rest = Untaken::of(body, (&plan.graph, numbering), &streams);
    let (sequences, no_room) = repeated.choose();
    let splits = choose::from_paths(body, &plan.graph, numbering, &joined.k_ipf);
    let found = evidence::found(body, (persistence, &rest), &repeated, &sequences);
    let Sorted { tried, mut left } =
        evidence::sorted(found, body, without, |spec| choose::copies_loops(&env.module, request, spec));
    let estimator = (!tried.is_empty()).then(|| Estimator::new(env, request));
    let traces = tried
        .iter()
        .zip(estimator.iter().cycle())
        .filter_map(|(spec, estimator)| trace_candidate(estimator, request, spec, lines(sources, body, spec.blocks())));
    let (splits, left_out): (Vec<_>, Vec<_>) = splits.into_iter().partition(|_| !without.has(Part::Splits));
    left.extend(left_out.iter().map(|(found, _)| (found.split.header, NoCandidate::LeftOut)));
    let splits = splits.into_iter().map(|(found, formed)| {
        let lines = lines(sources, body, std::iter::once(found.split.header));
        split_candidate(found, formed, lines)
    });
    let (mut candidates, declined): (Vec<LoopCandidate>, Vec<LoopCandidate>) =
        traces.chain(splits).partition(|candidate| preference.is_enough(candidate));
    candidates.iter_mut().for_each(|candidate| candidate.plan.callee = *callee);
    let mut loops = Vec::new();
    for (register, region) in persistence.regions().iter() {
        let (Some(_), Place::Block(head)) = (region.around, region.head) else { continue };
        let header = block_of(head);
        let overall = persistence.overall(register);
        if overall.executions == 0 {
            continue;
        }
        let persistent = persistence.persistent(register).map(|findings| PersistentPath {
            k: findings.k,
            executions: findings.consecutive,
            lines: lines(sources, body, places(findings.path.iter().flatten())),
        });
        let (untaken, _) = persistence.untaken(register);
        let mut repeating = sequences.iter().chain(repeated.through());
        let sequence = repeating.find(|spec| spec.header == header).map(|spec| sequence(&plan.graph, numbering, spec));
        let no_room = no_room.get(&header).copied().unwrap_or_default();
        let why_none = || match declined.iter().any(|one| one.plan.header() == header) {
            true => NoCandidate::LittleSaved,
            false => evidence::why_none(header, (&tried, &left), no_room, persistent.is_some()),
        };
        let of_loop = candidates.iter().filter(|candidate| candidate.plan.header() == header);
        let best = of_loop.max_by(|a, b| preference.of(a).total_cmp(&preference.of(b))).cloned();
        loops.push(LoopFindings {
            at: LoopKey { callee: *callee, header },
            iterations: overall.executions,
            candidate: best.ok_or_else(why_none),
            second: None,
            persistent,
            untaken: lines(sources, body, places(untaken.iter())),
            sequence,
            no_room,
        });
    }
    preference.leave_one_split(&mut loops);
    preference.leave_apart(&mut loops);
    loops
}

/// Traces as a candidate, formed and weighed, if traces of them can be formed.
fn trace_candidate(
    estimator: &Estimator<'_>,
    request: &Request,
    spec: &TraceSpec,
    lines: Vec<u32>,
) -> Option<LoopCandidate> {
    let chosen = choose::trace(request.whole(), spec, estimator.facts().as_ref());
    let formed = Specialized::form(request.whole(), chosen).ok()?;
    let estimate = estimator.estimate(&formed)?;
    let trace = TracePlan {
        header: spec.header,
        traces: spec.traces.iter().map(|trace| trace.paths.clone()).collect(),
        collapsed: spec.collapsed.iter().map(|one| one.header).collect(),
        layout: spec.layout,
        constants: spec.constants.clone(),
        source: spec.source.into(),
        break_even: 0.0,
    };
    Some(LoopCandidate {
        plan: LoopPlan { callee: None, specialization: Specialization::Trace(trace), formed: FormedBody::new(formed) },
        coverage: spec.coverage,
        cost: estimate.trace,
        general_cost: estimate.general,
        lines,
    })
}

/// A split as a candidate. Iterations that start with other values do not fail: their weight is in the split's.
fn split_candidate(found: States, formed: Specialized, lines: Vec<u32>) -> LoopCandidate {
    LoopCandidate {
        plan: LoopPlan {
            callee: None,
            specialization: Specialization::Split(found.split),
            formed: FormedBody::new(formed),
        },
        coverage: 1.0,
        cost: found.split_weight,
        general_cost: found.general,
        lines,
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

fn places<'a>(places: impl Iterator<Item = &'a Place>) -> impl Iterator<Item = Block> {
    places.map(|place| match place {
        Place::Block(node) | Place::Loop(node) => block_of(*node),
    })
}

/// The sequence that a loop repeats most, or its usual way through.
fn sequence(graph: &Graph, numbering: &Numbering, spec: &TraceSpec) -> RepeatingSequence {
    let trace = &spec.traces[0];
    let is_inner = |block: &Block| spec.collapsed.iter().any(|one| one.header == *block);
    let passes = |path: &[Block]| path.iter().any(is_inner);
    let place = |block: &Block| format!("{}{}", block.as_u32(), if is_inner(block) { "*" } else { "" });
    let places = |path: &[Block]| path.iter().map(place).collect::<Vec<_>>().join(".");
    // On the last path of a way through the loop no iteration ends.
    let goes_through = spec.layout == Layout::Through;
    let paths = &trace.paths[..trace.paths.len() - usize::from(goes_through)];
    let told = paths.iter().map(|path| if passes(path) { places(path) } else { id(graph, numbering, path) });
    RepeatingSequence {
        ids: told.collect(),
        period: paths.len() as u32,
        goes_through,
        alternatives: spec.traces.len() as u32,
        coverage: spec.coverage,
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
