//! Looking a profile through, on the compiler's thread: what was found in each loop, and what its specialization should gain.
//!
//! In: what was gathered of a function, with its code. Out: findings in the session's terms, with a candidate for each loop that
//! can be specialized: the traces, or the split by state, that should save most of its time by the optimizer's own work on it.

use super::preference::Preference;
use super::settings::{KNOWN_COVERAGE, LEAST_COVERAGE, MOST_TRIED};
use crate::adaptive::{
    FormedBody, LoopCandidate, LoopFindings, LoopKey, LoopPlan, Micros, NoCandidate, Part, Parts, PersistentPath,
    ProfileFindings, RepeatingSequence, Specialization, TracePlan, WindowState,
};
use holloway_jit::graph_of::{block_of, node_of};
use holloway_jit::trace::choose::{Repeated, States};
use holloway_jit::trace::estimate::Estimator;
use holloway_jit::trace::{Layout, Source, Specialized, TraceSpec, choose};
use holloway_jit::{Env, Request};
use holloway_lang::ir::{Block, BlockData, FuncRef, Function, Terminator};
use holloway_lang::source::SourceMap;
use holloway_profiler::graph::{EdgeKind, Graph};
use holloway_profiler::number::ball_larus::Numbering;
use holloway_profiler::path_id::{PathEnd, id_of};
use holloway_profiler::persistence::{Persistence, Place};
use holloway_profiler::scheme::{Collected, FunctionPlan};
use std::sync::Arc;
use std::time::Instant;

/// A profile to look through.
pub(super) struct Trial {
    pub(super) func: FuncRef,
    /// The function itself, and those inlined into it that were watched.
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
    ProfileFindings { micros: Micros(start.elapsed().as_micros() as u64), window: WindowState::Complete, loops }
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
    let repeated = Repeated::of(body, &plan.graph, numbering, (&joined.k_ipf, &joined.forest.streams()));
    let sequences = repeated.specs();
    let splits = choose::from_paths(body, &plan.graph, numbering, &joined.k_ipf);
    let found = found(body, persistence, &repeated, &sequences);
    let Sorted { tried, mut left } =
        sorted(found, body, without, |spec| choose::copies_loops(&env.module, request, spec));
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
        let current = persistence.current(register);
        let mut repeating = sequences.iter().chain(repeated.through());
        let sequence = repeating.find(|spec| spec.header == header).map(|spec| sequence(&plan.graph, numbering, spec));
        let of_loop = candidates.iter().filter(|candidate| candidate.plan.header() == header);
        loops.push(LoopFindings {
            at: LoopKey { callee: *callee, header },
            iterations: overall.executions,
            persistent,
            untaken: lines(sources, body, places(current.untaken.iter())),
            sequence,
            candidate: of_loop.max_by(|a, b| preference.of(a).total_cmp(&preference.of(b))).cloned().ok_or_else(|| {
                match declined.iter().any(|one| one.plan.header() == header) {
                    true => NoCandidate::LittleSaved,
                    false => why_none(header, &tried, &left),
                }
            }),
        });
    }
    preference.leave_one_split(&mut loops);
    preference.leave_apart(&mut loops);
    loops
}

fn is_wanted(spec: &TraceSpec, without: Parts) -> bool {
    match spec.source {
        Source::Tfp => !without.has(Part::Tfp),
        Source::Forest => !without.has(Part::Forest),
    }
}

/// Reason for which a loop has no candidate, by what was tried, and why the rest was not. Of several reasons the one that was come across last on the
/// way to a trial tells most.
fn why_none(header: Block, tried: &[TraceSpec], left: &[(Block, NoCandidate)]) -> NoCandidate {
    if tried.iter().any(|spec| spec.header == header) {
        return NoCandidate::NotFormed;
    }
    let is_left = |reason: &NoCandidate| left.contains(&(header, *reason));
    let found = [NoCandidate::NotTried, NoCandidate::OnePath, NoCandidate::LeftOut, NoCandidate::CallsLoops];
    let passes = |spec: &TraceSpec| spec.blocks().any(|block| block == header);
    match found.into_iter().find(is_left) {
        Some(reason) => reason,
        None if tried.iter().any(passes) => NoCandidate::Unrolled,
        None if is_left(&NoCandidate::LittleCovered) => NoCandidate::LittleCovered,
        None => NoCandidate::NothingRepeats,
    }
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

/// Everything that traces may be made of, as far as they might gain: persistent paths, what is left when untaken blocks are left out, repeating
/// sequences, and the frequent paths of one loop.
fn found(
    body: &Function,
    persistence: &Persistence,
    repeated: &Repeated<'_>,
    sequences: &[TraceSpec],
) -> Vec<TraceSpec> {
    let regions = persistence.regions();
    let persistent = regions.iter().filter_map(|(register, _)| persistence.persistent(register));
    let mut single: Vec<TraceSpec> =
        persistent.filter_map(|findings| choose::from_findings(body, regions, findings).ok()).collect();
    for (register, region) in regions.iter() {
        let (Some(_), Place::Block(head)) = (region.around, region.head) else { continue };
        let current = persistence.current(register);
        let is_untaken = |block: Block| current.untaken.contains(&Place::Block(node_of(block)));
        single.extend(choose::from_untaken(body, block_of(head), is_untaken, current.executions).ok());
    }
    // A path may be persistent across activations of a loop that each make a few iterations of it.
    for spec in &mut single {
        spec.coverage = repeated.coverage(spec.header, &spec.traces[0].paths[0]);
    }
    single.extend(sequences.iter().chain(repeated.through()).cloned());
    let frequent = repeated.frequent().into_iter();
    let is_known = |header: Block| single.iter().any(|spec| spec.header == header && spec.coverage >= KNOWN_COVERAGE);
    let frequent = frequent.filter(|spec| !is_known(spec.header)).max_by_key(|spec| spec.executions);
    single.extend(frequent);
    single
}

/// Specs by whether they are worth a try.
struct Sorted {
    /// The specs that are, those that cover most first, up to a number.
    tried: Vec<TraceSpec>,
    /// The loops of the others, and why they are not.
    left: Vec<(Block, NoCandidate)>,
}

/// Sorts out what covers too little, copies loops of callees, is not wanted, leaves nothing of its loop out, or comes after too many others.
fn sorted(found: Vec<TraceSpec>, body: &Function, without: Parts, copies_loops: impl Fn(&TraceSpec) -> bool) -> Sorted {
    let (mut tried, mut left): (Vec<TraceSpec>, Vec<(Block, NoCandidate)>) = (Vec::new(), Vec::new());
    for spec in found {
        let against = if spec.coverage <= LEAST_COVERAGE {
            // It is unknown of a path in activations that are too short for a cycle.
            Some(if spec.coverage > 0.0 { NoCandidate::LittleCovered } else { NoCandidate::NothingRepeats })
        } else if copies_loops(&spec) {
            Some(NoCandidate::CallsLoops)
        } else if !is_wanted(&spec, without) {
            Some(NoCandidate::LeftOut)
        } else {
            (!choose::has_other_ways(body, &spec)).then_some(NoCandidate::OnePath)
        };
        match against {
            Some(reason) => left.push((spec.header, reason)),
            None if tried.iter().any(|known| is_same(known, &spec)) => {}
            None => tried.push(spec),
        }
    }
    let covered = |spec: &TraceSpec| spec.coverage * spec.executions as f64;
    tried.sort_by(|a, b| covered(b).total_cmp(&covered(a)));
    let beyond = tried.drain(MOST_TRIED.min(tried.len())..).map(|spec| (spec.header, NoCandidate::NotTried));
    left.extend(beyond.collect::<Vec<_>>());
    Sorted { tried, left }
}

/// True iff two specs, perhaps with other evidence, are of the same traces.
fn is_same(one: &TraceSpec, other: &TraceSpec) -> bool {
    let paths = |spec: &TraceSpec| spec.traces.iter().map(|trace| trace.paths.clone()).collect::<Vec<_>>();
    one.header == other.header
        && one.layout == other.layout
        && paths(one) == paths(other)
        && one.collapsed == other.collapsed
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
    RepeatingSequence { ids: told.collect(), period: paths.len() as u32, goes_through, coverage: spec.coverage }
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

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_jit::trace::Trace;
    use holloway_lang::ir::parse;

    /// A loop of four ways.
    const LOOP: &str = "type t0 = int
type t1 = bool
sig0 = (t0) -> t0
function f0 \"f\" sig0(v0: int) -> int {
    local v1: bool
block0:
    jump block1
block1:
    v1 = igt v0, 5
    branch v1, block2, block3
block2:
    v0 = isub v0, 1
    jump block4
block3:
    v0 = isub v0, 2
    jump block4
block4:
    v1 = igt v0, 3
    branch v1, block5, block6
block5:
    v0 = isub v0, 3
    jump block7
block6:
    v0 = isub v0, 4
    jump block7
block7:
    v1 = igt v0, 0
    branch v1, block1, block8
block8:
    return v0
}";

    fn spec(paths: &[&[u32]], coverage: f64) -> TraceSpec {
        let path = |blocks: &&[u32]| blocks.iter().copied().map(Block::from_u32).collect();
        TraceSpec {
            header: Block::from_u32(paths[0][0]),
            traces: vec![Trace::new(paths.iter().map(path).collect())],
            constants: Vec::new(),
            distinct: Vec::new(),
            collapsed: Vec::new(),
            layout: Layout::Apart,
            coverage,
            executions: 100,
            source: Source::Forest,
        }
    }

    fn sort(found: Vec<TraceSpec>, without: &[Part], copies_loops: bool) -> Sorted {
        let module = parse::module(LOOP).unwrap_or_else(|error| panic!("{error}"));
        let body = module.function(FuncRef::from_u32(0));
        sorted(found, body, without.iter().copied().collect(), |_| copies_loops)
    }

    const WAYS: [&[u32]; 4] = [&[1, 2, 4, 5, 7], &[1, 2, 4, 6, 7], &[1, 3, 4, 5, 7], &[1, 3, 4, 6, 7]];

    #[test]
    fn what_is_not_tried_has_its_reason() {
        let header = Block::from_u32(1);
        let left = |spec: TraceSpec, without: &[Part], copies_loops| sort(vec![spec], without, copies_loops).left;
        let one = |coverage| spec(&WAYS[..1], coverage);
        assert_eq!(left(one(0.5), &[], false), [(header, NoCandidate::LittleCovered)]);
        assert_eq!(left(one(0.0), &[], false), [(header, NoCandidate::NothingRepeats)]);
        assert_eq!(left(one(0.8), &[], true), [(header, NoCandidate::CallsLoops)]);
        assert_eq!(left(one(0.8), &[Part::Traces], false), [(header, NoCandidate::LeftOut)]);
        assert_eq!(left(spec(&[&[1, 2, 3, 4, 5, 6, 7]], 0.8), &[], false), [(header, NoCandidate::OnePath)]);
        assert_eq!(left(one(0.8), &[Part::Tfp], false), []);
    }

    #[test]
    fn what_covers_most_is_tried_and_nothing_twice() {
        let mut found = vec![spec(&WAYS[..1], 0.7), spec(&WAYS[..1], 0.75)];
        found.extend((1..=MOST_TRIED).map(|nth| spec(&[WAYS[nth], WAYS[0]], 0.8)));
        let Sorted { tried, left } = sort(found, &[], false);
        assert_eq!((tried.len(), tried.iter().all(|spec| spec.coverage == 0.8)), (MOST_TRIED, true));
        assert_eq!(left, [(Block::from_u32(1), NoCandidate::NotTried)]);
    }

    #[test]
    fn of_several_reasons_the_one_nearest_to_a_trial_is_told() {
        let [header, inner] = [1, 4].map(Block::from_u32);
        let all = [
            (header, NoCandidate::LittleCovered),
            (header, NoCandidate::CallsLoops),
            (header, NoCandidate::LeftOut),
            (header, NoCandidate::OnePath),
            (header, NoCandidate::NotTried),
        ];
        for (nth, (_, reason)) in all.iter().enumerate() {
            assert_eq!(why_none(header, &[], &all[..=nth]), *reason);
        }
        let tried = [spec(&WAYS[..1], 0.8)];
        assert_eq!(why_none(header, &tried, &all), NoCandidate::NotFormed);
        assert_eq!(why_none(inner, &tried, &all), NoCandidate::Unrolled);
        assert_eq!(why_none(inner, &[], &all), NoCandidate::NothingRepeats);
    }
}
