//! Looking a profile through, on the compiler's thread: what was found in each loop, and what traces of it should gain.
//!
//! In: what was gathered of a function, with its code. Out: findings in the session's terms, with a candidate for each loop that
//! can be specialized: the trace that should gain most by the optimizer's own work on it.

use super::job::Trial;
use super::settings::MOST_TRIED;
use crate::adaptive::{
    LoopFindings, PersistentPath, ProfileFindings, RepeatingSequence, TraceCandidate, TracePlan, TraceSource,
    WindowState,
};
use cranelift_entity::EntityRef;
use holloway_jit::Env;
use holloway_jit::graph_of::{block_of, node_of};
use holloway_jit::trace::choose::States;
use holloway_jit::trace::estimate::{Estimate, estimate};
use holloway_jit::trace::{TraceSpec, choose};
use holloway_lang::ir::{Block, BlockData, Function, Terminator};
use holloway_lang::source::SourceMap;
use holloway_profiler::graph::{EdgeKind, Graph};
use holloway_profiler::number::ball_larus::Numbering;
use holloway_profiler::path_id::{PathEnd, id_of};
use holloway_profiler::persistence::{Persistence, Place};

/// Looks a profile through.
pub(super) fn findings(env: &Env, trial: &Trial) -> ProfileFindings {
    let Trial { request, profile: (plan, collected), sources, .. } = trial;
    let results = collected.results(&plan.graph);
    let body = &*request.body;
    let (Some(numbering), Some(joined), Some(persistence)) =
        (plan.decoder.acyclic(), &results.sequences, &results.regions)
    else {
        return ProfileFindings { window: WindowState::Complete, loops: Vec::new() };
    };
    let sequences = choose::from_forest(body, &plan.graph, numbering, &joined.k_ipf);
    let splits = choose::from_paths(body, &plan.graph, numbering, &joined.k_ipf);
    let specs = specs(body, persistence, &sequences);
    let tried: Vec<(TraceSpec, Estimate)> = specs
        .into_iter()
        .filter_map(|spec| {
            let expected = choose::expect(body, &spec);
            let estimate = estimate(env, request, &expected, choose::shape(body, &spec))?;
            Some((spec, estimate))
        })
        .collect();
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
        let current = persistence.current(register);
        let sequence =
            sequences.iter().find(|spec| spec.header == header).map(|spec| sequence(&plan.graph, numbering, spec));
        loops.push(LoopFindings {
            header,
            iterations: overall.executions,
            persistent,
            untaken: lines(sources, body, places(current.untaken.iter())),
            sequence,
            trace: best(sources, body, header, &tried)
                .into_iter()
                .chain(splits.iter().filter(|found| found.split.header == header).map(|found| {
                    let lines = lines(sources, body, std::iter::once(header));
                    split_candidate(found, lines)
                }))
                .max_by(|a, b| saved(a).total_cmp(&saved(b))),
        });
    }
    leave_one_split(&mut loops);
    ProfileFindings { window: WindowState::Complete, loops }
}

/// Code with a loop that is split has no traces beside it: where one is a candidate, only the best of all candidates stays.
fn leave_one_split(loops: &mut [LoopFindings]) {
    let candidates = || loops.iter().filter_map(|found| found.trace.as_ref());
    if candidates().any(|candidate| candidate.plan.source == TraceSource::States) {
        let best = candidates().map(saved).fold(f64::MIN, f64::max);
        loops.iter_mut().for_each(|found| found.trace = found.trace.take_if(|candidate| saved(candidate) == best));
    }
}

/// The trace of a loop that should gain most.
fn best(
    sources: &SourceMap,
    body: &Function,
    header: Block,
    tried: &[(TraceSpec, Estimate)],
) -> Option<TraceCandidate> {
    let gain = |(spec, estimate): &&(TraceSpec, Estimate)| part_saved(spec.coverage, estimate.trace, estimate.general);
    let of_loop = tried.iter().filter(|(spec, _)| spec.header == header);
    let (spec, estimate) = of_loop.max_by(|a, b| gain(a).total_cmp(&gain(b)))?;
    Some(TraceCandidate {
        plan: TracePlan {
            header: spec.header,
            paths: spec.paths.clone(),
            constants: spec.constants.clone(),
            source: spec.source.into(),
            break_even: 0.0,
        },
        coverage: spec.coverage,
        trace_cost: estimate.trace,
        general_cost: estimate.general,
        lines: lines(sources, body, spec.blocks()),
    })
}

/// The part of a loop's time that a candidate should save.
fn saved(candidate: &TraceCandidate) -> f64 {
    part_saved(candidate.coverage, candidate.trace_cost, candidate.general_cost)
}

fn part_saved(coverage: f64, trace: f64, general: f64) -> f64 {
    coverage * (1.0 - trace / general.max(f64::MIN_POSITIVE))
}

/// A split as a candidate. Iterations that start with other values do not fail: their weight is in the split's.
fn split_candidate(found: &States, lines: Vec<u32>) -> TraceCandidate {
    let split = &found.split;
    TraceCandidate {
        plan: TracePlan {
            header: split.header,
            paths: vec![vec![split.header]],
            constants: split.values.iter().map(|value| (split.local, *value)).collect(),
            source: TraceSource::States,
            break_even: 0.0,
        },
        coverage: 1.0,
        trace_cost: found.split_weight,
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

/// Every trace worth a try: persistent paths, repeating sequences, and what is left when untaken blocks are left out.
fn specs(body: &Function, persistence: &Persistence, sequences: &[TraceSpec]) -> Vec<TraceSpec> {
    let regions = persistence.regions();
    let persistent = regions.iter().filter_map(|(register, _)| persistence.persistent(register));
    let mut specs: Vec<TraceSpec> =
        persistent.filter_map(|findings| choose::from_findings(body, regions, findings).ok()).collect();
    specs.extend(sequences.iter().cloned());
    for (register, region) in regions.iter() {
        let (Some(_), Place::Block(head)) = (region.around, region.head) else { continue };
        let current = persistence.current(register);
        let is_untaken = |block: Block| current.untaken.contains(&Place::Block(node_of(block)));
        specs.extend(choose::from_untaken(body, block_of(head), is_untaken, current.executions).ok());
    }
    specs.retain(|spec| choose::has_other_ways(body, spec));
    specs.sort_by_key(|spec| (spec.header.index(), std::cmp::Reverse(spec.executions)));
    specs.dedup_by(|a, b| a.header == b.header && a.paths == b.paths);
    specs.truncate(MOST_TRIED);
    specs
}

fn sequence(graph: &Graph, numbering: &Numbering, spec: &TraceSpec) -> RepeatingSequence {
    RepeatingSequence {
        ids: spec.paths.iter().map(|path| id(graph, numbering, path)).collect(),
        period: spec.paths.len() as u32,
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
