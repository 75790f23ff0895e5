//! The evidence of a profile: everything that traces may be made of, and which of it is worth a try.
//!
//! In: what was found of a function's paths. Out: the specs that are tried, and why the others are not. Invariant: a loop of which nothing is tried has
//! a reason.

use super::settings::{KNOWN_COVERAGE, LEAST_COVERAGE, MOST_TRIED};
use crate::adaptive::{NoCandidate, Part, Parts};
use holloway_jit::graph_of::{block_of, node_of};
use holloway_jit::trace::choose::{self, NoRoom, Repeated, Untaken};
use holloway_jit::trace::{Layout, Source, TraceSpec};
use holloway_lang::ir::{Block, Function};
use holloway_profiler::persistence::{Persistence, RegionPlace};

/// Everything that traces may be made of: persistent paths, what is left when untaken blocks are left out, repeating
/// sequences, and the frequent paths of one loop. Graphs of what is left come last.
pub(super) fn found(
    body: &Function,
    (persistence, rest): (&Persistence, &Untaken<'_>),
    repeated: &Repeated<'_>,
    sequences: &[TraceSpec],
) -> Vec<TraceSpec> {
    let regions = persistence.regions();
    let persistent = regions.iter().filter_map(|(register, _)| persistence.persistent(register));
    let mut single: Vec<TraceSpec> =
        persistent.filter_map(|findings| choose::from_findings(body, regions, findings).ok()).collect();
    let left = regions.iter().filter_map(|(register, region)| {
        let (Some(_), RegionPlace::Block(head)) = (region.around, region.head) else { return None };
        let (untaken, executions) = persistence.untaken(register);
        let is_untaken = |block: Block| {
            let node = node_of(block);
            untaken.contains(&RegionPlace::Block(node)) || untaken.contains(&RegionPlace::Loop(node))
        };
        let left = rest.left(block_of(head), is_untaken, executions).ok()?;
        // Several paths are more code: K executions must have left those blocks out.
        (is_path(&left) || executions >= persistence.current(register).k).then_some(left)
    });
    let (paths, graphs): (Vec<TraceSpec>, Vec<TraceSpec>) = left.partition(is_path);
    single.extend(paths);
    // A path may be persistent across activations of a loop that each make a few iterations of it.
    for spec in &mut single {
        spec.coverage = repeated.coverage(spec.header, &spec.traces[0].paths[0]);
    }
    single.extend(sequences.iter().chain(repeated.through()).cloned());
    let frequent = repeated.frequent().into_iter();
    let is_known = |header: Block| single.iter().any(|spec| spec.header == header && spec.coverage >= KNOWN_COVERAGE);
    let frequent = frequent.filter(|spec| !is_known(spec.header)).max_by_key(|spec| spec.executions);
    single.extend(frequent);
    single.extend(graphs);
    single
}

/// True iff a spec is one path that passes no inner loop as a whole.
fn is_path(spec: &TraceSpec) -> bool {
    spec.layout == Layout::Apart && spec.collapsed.is_empty()
}

/// Specs by whether they are worth a try.
pub(super) struct Sorted {
    /// The specs that are, those that cover most first, up to a number.
    pub(super) tried: Vec<TraceSpec>,
    /// The loops of the others, and why they are not.
    pub(super) left: Vec<(Block, NoCandidate)>,
}

/// Sorts out what covers too little, copies loops of callees, is not wanted, leaves nothing of its loop out, or comes after too many others.
pub(super) fn sorted(
    found: Vec<TraceSpec>,
    body: &Function,
    without: Parts,
    copies_loops: impl Fn(&TraceSpec) -> bool,
) -> Sorted {
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
            None => match tried.iter().position(|known| is_same(body, known, &spec)) {
                // Of a loop of several paths that with more edges covers more.
                Some(known) if spec.layout == Layout::Graph && spec.coverage > tried[known].coverage => {
                    tried[known] = spec;
                }
                Some(_) => {}
                None if tried.iter().any(|known| leaves_as_much_out(body, known, &spec)) => {}
                None => tried.push(spec),
            },
        }
    }
    let covered = |spec: &TraceSpec| spec.coverage * spec.executions as f64;
    tried.sort_by(|a, b| covered(b).total_cmp(&covered(a)));
    let beyond = tried.split_off(MOST_TRIED.min(tried.len()));
    left.extend(beyond.iter().map(|spec| (spec.header, NoCandidate::NotTried)));
    Sorted { tried, left }
}

/// True iff two specs, perhaps with other evidence, are of the same traces, or of graphs that leave the same blocks out.
fn is_same(body: &Function, one: &TraceSpec, other: &TraceSpec) -> bool {
    let paths = |spec: &TraceSpec| spec.traces.iter().map(|trace| trace.paths.clone()).collect::<Vec<_>>();
    let inner = |spec: &TraceSpec| spec.collapsed.iter().map(|one| one.header).collect::<Vec<_>>();
    let is_like = || match one.layout {
        Layout::Graph => choose::left_out(body, one) == choose::left_out(body, other),
        Layout::Apart | Layout::Tree | Layout::Through => paths(one) == paths(other),
    };
    one.header == other.header && one.layout == other.layout && inner(one) == inner(other) && is_like()
}

/// True iff what is known of a loop covers nearly all of it, and leaves as much out as a loop without untaken blocks: that would be no better.
fn leaves_as_much_out(body: &Function, known: &TraceSpec, graph: &TraceSpec) -> bool {
    let may_be_known = graph.source == Source::Tfp && !is_path(graph) && known.coverage >= KNOWN_COVERAGE;
    may_be_known && known.header == graph.header && {
        let left_out = choose::left_out(body, known);
        choose::left_out(body, graph).iter().all(|block| left_out.contains(block))
    }
}

fn is_wanted(spec: &TraceSpec, without: Parts) -> bool {
    match spec.source {
        Source::Tfp => !without.has(Part::Tfp),
        Source::Forest => !without.has(Part::Forest),
    }
}

/// Reason for which a loop has no candidate, by what was tried, why the rest was not, and whether a path of it is persistent. Of several reasons the one
/// that was come across last on the way to a trial tells most; what is left for want of room covers nothing.
pub(super) fn why_none(
    header: Block,
    (tried, left): (&[TraceSpec], &[(Block, NoCandidate)]),
    no_room: NoRoom,
    is_persistent: bool,
) -> NoCandidate {
    if tried.iter().any(|spec| spec.header == header) {
        return NoCandidate::NotFormed;
    }
    let is_left = |reason: &NoCandidate| left.contains(&(header, *reason));
    let found = [NoCandidate::NotTried, NoCandidate::OnePath, NoCandidate::LeftOut, NoCandidate::CallsLoops];
    let passes = |spec: &TraceSpec| spec.blocks().any(|block| block == header);
    match found.into_iter().find(is_left) {
        Some(reason) => reason,
        None if tried.iter().any(passes) => NoCandidate::Unrolled,
        None if no_room.too_large > 0 => NoCandidate::TooLarge,
        None if no_room.too_many > 0 => NoCandidate::TooMany,
        None if is_left(&NoCandidate::LittleCovered) => NoCandidate::LittleCovered,
        None if is_persistent => NoCandidate::ShortRuns,
        None => NoCandidate::NothingRepeats,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_jit::trace::Trace;
    use holloway_lang::ir::{FuncRef, parse};

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

    /// One loop of several paths.
    fn graph(paths: &[&[u32]], coverage: f64, source: Source) -> TraceSpec {
        let traces = paths.iter().flat_map(|path| spec(&[path], coverage).traces).collect();
        TraceSpec { traces, layout: Layout::Graph, source, ..spec(paths, coverage) }
    }

    #[test]
    fn a_loop_without_untaken_blocks_is_tried_where_nothing_known_leaves_as_much_out() {
        let tried = |found: Vec<TraceSpec>, without: &[Part]| {
            let sources = sort(found, without, false).tried.into_iter().map(|spec| (spec.layout, spec.source));
            sources.collect::<Vec<_>>()
        };
        let (of_forest, of_tfp) = ((Layout::Graph, Source::Forest), (Layout::Graph, Source::Tfp));
        // Both leave block 6 out; a cover may have other paths, and they come in another order.
        let frequent = |coverage| graph(&[WAYS[0], WAYS[2]], coverage, Source::Forest);
        let rest = || graph(&[WAYS[2], WAYS[0]], 0.97, Source::Tfp);
        assert_eq!(tried(vec![frequent(0.98), rest()], &[]), [of_forest]);
        assert_eq!(tried(vec![frequent(0.95), rest()], &[]), [of_tfp], "it covers more, with more edges");
        assert_eq!(tried(vec![frequent(0.95), rest()], &[Part::Forest]), [of_tfp]);
        assert_eq!(tried(vec![frequent(0.95), rest()], &[Part::Tfp]), [of_forest]);
        let other = graph(&[WAYS[0], WAYS[1]], 0.95, Source::Forest);
        assert_eq!(tried(vec![other, rest()], &[]), [of_tfp, of_forest], "it leaves block 3 out, and not 6");
        // A trace leaves more out.
        let trace = (Layout::Apart, Source::Forest);
        assert_eq!(tried(vec![spec(&WAYS[..1], 0.95), rest()], &[]), [trace]);
        assert_eq!(tried(vec![spec(&WAYS[..1], 0.8), rest()], &[]), [of_tfp, trace], "it covers too little");
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
        let none = NoRoom::default();
        let why =
            |at: Block, tried: &[TraceSpec], left: &[(Block, NoCandidate)]| why_none(at, (tried, left), none, false);
        for (nth, (_, reason)) in all.iter().enumerate() {
            assert_eq!(why(header, &[], &all[..=nth]), *reason);
        }
        let tried = [spec(&WAYS[..1], 0.8)];
        assert_eq!(why(header, &tried, &all), NoCandidate::NotFormed);
        assert_eq!(why(inner, &tried, &all), NoCandidate::Unrolled);
        assert_eq!(why(inner, &[], &all), NoCandidate::NothingRepeats);
    }

    #[test]
    fn little_is_covered_for_want_of_room_or_as_runs_are_short() {
        let header = Block::from_u32(1);
        let little = [(header, NoCandidate::LittleCovered)];
        let why = |left: &[(Block, NoCandidate)], no_room: [u32; 2], is_persistent: bool| {
            let [too_large, too_many] = no_room;
            why_none(header, (&[], left), NoRoom { too_large, too_many }, is_persistent)
        };
        assert_eq!(why(&little, [0, 0], true), NoCandidate::LittleCovered);
        assert_eq!(why(&little, [1, 1], true), NoCandidate::TooLarge);
        assert_eq!(why(&[], [1, 0], false), NoCandidate::TooLarge);
        assert_eq!(why(&little, [0, 1], false), NoCandidate::TooMany);
        assert_eq!(why(&[], [0, 0], true), NoCandidate::ShortRuns, "its path is shown beside");
    }
}
