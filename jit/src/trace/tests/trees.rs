//! Several traces of one loop: what is chosen from streams with several long runs, and the tree that leads to the loop of each trace.

use super::super::choose::{Repeated, trace};
use super::{ALTERNATING, IntFunction, Paths, blocks, func, local, module, spec, text};
use crate::trace::nest::Nest;
use crate::trace::{Declined, Layout, Peel, Specialization, Trace, TraceShape, TraceSpec, form};
use holloway_lang::ir::Block;
use holloway_profiler::path_id::PathEnd;

const PLAIN: TraceShape = TraceShape { unroll: 1, peel: Peel::Off, forced_failures: None };

/// A spec of traces, each of one path.
fn tree(of: &[&[&[u32]]]) -> TraceSpec {
    let traces = of.iter().flat_map(|paths| spec(paths).traces).collect();
    TraceSpec { traces, ..spec(of[0]) }
}

#[test]
fn long_runs_that_take_turns_are_traces_of_one_loop() {
    let module = module(ALTERNATING);
    let paths = Paths::of(func(&module));
    let (odd, even) = (paths.id(&[2, 3, 5], PathEnd::Cut), paths.id(&[2, 4, 5], PathEnd::Cut));
    let mut ids = Vec::new();
    for _ in 0..10 {
        ids.extend([odd; 30]);
        ids.extend([even, odd].repeat(20));
    }
    let forest = paths.forest(12, &ids);
    let chosen = Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, &[])).specs();
    let [spec] = chosen.as_slice() else { panic!("one loop: {chosen:?}") };
    let (straight, first) = (&spec.traces[1], &spec.traces[0]);
    assert_eq!(straight.paths, [blocks(&[2, 3, 5])]);
    assert_eq!(first.paths, [blocks(&[2, 4, 5]), blocks(&[2, 3, 5])], "where they have nothing in common");
    // The last path of 20 times two continues the run of the other that follows, and the first of 30 the run before.
    assert_eq!((straight.share, spec.executions), (309.0 / 700.0, 700));
    assert!((spec.coverage - 680.0 / 700.0).abs() < 1e-9, "20 runs end: {}", spec.coverage);
}

#[test]
fn runs_of_some_tens_of_paths_are_found_behind_much_longer_ones() {
    let module = module(ALTERNATING);
    let paths = Paths::of(func(&module));
    let sides = [&[2, 3, 5], &[2, 4, 5]].map(|path| paths.id(path, PathEnd::Cut));
    let lengths = (1..60).map(|n: usize| 20 + ((n * 0x9e37_79b9) >> 12) % 109);
    let lengths: Vec<usize> = [3000].into_iter().chain(lengths).collect();
    let runs = lengths.iter().zip(sides.into_iter().cycle());
    let ids: Vec<u64> = runs.flat_map(|(length, side)| std::iter::repeat_n(side, *length)).collect();
    let forest = paths.forest(32, &ids);
    let specs = Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, &[])).specs();
    let [spec] = specs.as_slice() else { panic!("one loop: {specs:?}") };
    let mut found: Vec<_> = spec.traces.iter().map(|trace| trace.paths.clone()).collect();
    found.sort();
    assert_eq!(found, [vec![blocks(&[2, 3, 5])], vec![blocks(&[2, 4, 5])]]);
    let all = ids.len() as f64;
    assert!((spec.coverage - (all - 60.0) / all).abs() < 1e-9, "60 runs end: {}", spec.coverage);
}

#[test]
fn a_period_longer_than_a_forest_shows_is_found_in_the_ids() {
    let module = module(ALTERNATING);
    let paths = Paths::of(func(&module));
    let (odd, even) = (paths.id(&[2, 3, 5], PathEnd::Cut), paths.id(&[2, 4, 5], PathEnd::Cut));
    let round: Vec<u64> =
        (1..18).flat_map(|n: usize| [even].into_iter().chain(vec![odd; ((n * 0x9e37_79b9) >> 12) % 5])).collect();
    assert!(round.len() > 40, "{}", round.len());
    let ids = round.repeat(20);
    let forest = paths.forest(80, &ids);
    let specs =
        |streams: &[Vec<u64>]| Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, streams)).specs();
    let covered = |specs: &[TraceSpec]| specs.first().map_or(0.0, |spec| spec.coverage);
    let chosen = specs(std::slice::from_ref(&ids));
    assert!(covered(&specs(&[])) < 0.5 && covered(&chosen) > 0.99, "{chosen:?}");
    assert_eq!(chosen[0].traces[0].paths.len(), round.len());
}

#[test]
fn a_longer_period_is_found_beside_a_run_that_has_most_paths() {
    let module = module(ALTERNATING);
    let paths = Paths::of(func(&module));
    let [odd, even] = [&[2, 3, 5], &[2, 4, 5]].map(|path| paths.id(path, PathEnd::Cut));
    let round = [even, odd, even, odd, even];
    let ids: Vec<u64> = std::iter::repeat_n(odd, 3_000).chain(round.repeat(500)).collect();
    let forest = paths.forest(8, &ids);
    let chosen = Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, &[ids])).specs();
    let [spec] = chosen.as_slice() else { panic!("one loop: {chosen:?}") };
    let lengths: Vec<usize> = spec.traces.iter().map(|trace| trace.paths.len()).collect();
    assert_eq!(lengths, [1, 5]);
    assert!(spec.coverage > 0.99, "{}", spec.coverage);
}

#[test]
fn walks_share_a_copy_until_they_part_and_have_a_loop_each() {
    let module = module(ALTERNATING);
    let formed = form(func(&module), &tree(&[&[&[2, 3, 5]], &[&[2, 4, 5]]]), PLAIN).expect("they can be formed");
    text(&module, &formed.body);
    let nest = Nest::of(&formed.body);
    let heads: Vec<usize> = formed
        .heads
        .iter()
        .map(|head| nest.loops.get(nest.loops.headed_by(*head).expect("a head heads a loop")).latches.len())
        .collect();
    assert_eq!(heads, [1, 1]);
    let made_of = |of: u32| formed.origins.blocks.values().filter(|block| **block == Block::from_u32(of)).count();
    assert_eq!(made_of(2), 4, "the entry, one copy in front, and one in each loop");
    assert_eq!(made_of(3), 3, "one in front, one in its loop, and one as it was");
    let parts = formed.guards.values().filter(|guard| guard.at.is_some_and(|(_, position)| position == 0)).count();
    assert_eq!(parts, 2, "where the traces part is no guard, but in each loop there is one");
}

#[test]
fn a_trace_that_begins_with_all_of_another_is_declined() {
    let module = module(ALTERNATING);
    let declined = form(func(&module), &tree(&[&[&[2, 3, 5]], &[&[2, 3, 5], &[2, 4, 5]]]), PLAIN);
    assert_eq!(declined.map(|formed| formed.heads), Err(Declined::Shadowed));
}

/// A loop of four ways, of which the last is rare, behind a choice of two.
pub(super) const FOUR_WAYS: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "bool", "int"],
    blocks: "
    block0:
        v1 = copy 0
        jump block1
    block1:
        v1 = iadd v1, 1
        v3 = irem v1, 3
        v2 = ieq v3, 0
        branch v2, block2, block3
    block2:
        v1 = iadd v1, 2
        jump block4
    block3:
        v1 = iadd v1, 5
        jump block4
    block4:
        v2 = igt v1, 1000
        branch v2, block5, block6
    block5:
        v1 = iadd v1, 7
        jump block6
    block6:
        v2 = ilt v1, v0
        branch v2, block1, block7
    block7:
        return v1",
};

#[test]
fn a_tree_is_one_loop_in_which_paths_meet_at_the_header_only() {
    let module = module(FOUR_WAYS);
    let paths = tree(&[&[&[1, 2, 4, 6]], &[&[1, 3, 4, 6]]]);
    let copies = |layout: Layout| {
        // Neither is peeled nor repeated, whatever is asked for.
        let shape = TraceShape { unroll: 3, peel: Peel::Once, forced_failures: None };
        let formed = form(func(&module), &TraceSpec { layout, ..paths.clone() }, shape).expect("they can be formed");
        text(&module, &formed.body);
        let nest = Nest::of(&formed.body);
        let [head] = formed.heads.as_slice() else { panic!("one loop has one head: {:?}", formed.heads) };
        let l = nest.loops.get(nest.loops.headed_by(*head).expect("a head heads a loop"));
        let of = |block: u32| {
            let is_copy = |copy: &&Block| formed.origins.blocks[**copy] == Block::from_u32(block);
            l.blocks.iter().filter(is_copy).count()
        };
        ([1, 2, 3, 4, 5, 6].map(of), l.latches.len(), formed.guards.len())
    };
    // A guard at each copy of blocks 4 and 6.
    assert_eq!(copies(Layout::Tree), ([1, 1, 1, 2, 0, 2], 2, 4));
    assert_eq!(copies(Layout::Graph), ([1, 1, 1, 1, 0, 1], 1, 2));
    let declined = |layout: Layout, spec: TraceSpec| {
        form(func(&module), &TraceSpec { layout, ..spec }, PLAIN).map(|formed| formed.heads) == Err(Declined::NotClosed)
    };
    let two_rounds = tree(&[&[&[1, 2, 4, 6], &[1, 3, 4, 6]], &[&[1, 3, 4, 6]]]);
    assert!(declined(Layout::Tree, two_rounds) && !declined(Layout::Tree, paths.clone()));
    let twice = tree(&[&[&[1, 2, 4, 6, 1, 3, 4, 6]], &[&[1, 3, 4, 6]]]);
    assert!(declined(Layout::Graph, twice), "the way on from a block would not be known");
    let mut stable = paths;
    stable.traces[1].stable.push(local(1));
    assert!(declined(Layout::Graph, stable), "the first path would not test what the second expects");
}

#[test]
fn paths_that_have_nearly_all_iterations_make_one_loop() {
    let module = module(FOUR_WAYS);
    let paths = Paths::of(func(&module));
    let id = |blocks: &[u32]| paths.id(blocks, PathEnd::Cut);
    let (two, three, rare) = (id(&[1, 2, 4, 6]), id(&[1, 3, 4, 6]), id(&[1, 2, 4, 5, 6]));
    let mut ids: Vec<u64> = (0..990_u64).map(|n| if (n * n / 7) % 5 < 2 { two } else { three }).collect();
    ids.extend([rare; 10]);
    let chosen = |ids: &[u64]| {
        let forest = paths.forest(4, ids);
        Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, &[])).frequent()
    };
    let specs = chosen(&ids);
    let [spec] = specs.as_slice() else { panic!("one loop: {specs:?}") };
    assert_eq!(spec.layout, Layout::Graph);
    let followed: Vec<_> = spec.traces.iter().map(|trace| trace.paths[0].clone()).collect();
    assert_eq!(followed, [blocks(&[1, 3, 4, 6]), blocks(&[1, 2, 4, 6])], "the most frequent first, and no rare one");
    assert!((spec.coverage - 0.99).abs() < 1e-9, "{}", spec.coverage);

    // Who leaves the loop leaves its paths.
    let left = paths.id(&[1, 2, 4, 6, 7], PathEnd::Return);
    ids.extend([left; 100]);
    assert!((chosen(&ids)[0].coverage - 0.89).abs() < 1e-9, "{}", chosen(&ids)[0].coverage);
    ids.extend([left; 100]);
    assert_eq!(chosen(&ids), []);
    assert_eq!(chosen(&[two; 500]), [], "one path is a trace");
    let all: Vec<u64> = (0..900).map(|n: usize| [two, three, rare][n * n / 7 % 3]).collect();
    let specs = chosen(&all);
    assert_eq!(specs.iter().map(|spec| spec.layout).collect::<Vec<_>>(), [Layout::Tree], "nothing is left out");
}

/// A position that goes one up and one down again, and a counter.
const THERE_AND_BACK: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "int", "bool"],
    blocks: "
    block0:
        v1 = copy 0
        v2 = copy 0
        jump block1
    block1:
        v1 = iadd v1, 3
        v2 = iadd v2, 1
        v3 = ieq v2, v1
        branch v3, block2, block3
    block2:
        v1 = iadd v1, 9
        jump block3
    block3:
        v1 = isub v1, 3
        v3 = ilt v2, v0
        branch v3, block1, block4
    block4:
        return v1",
};

#[test]
fn a_position_that_comes_back_is_expected_to() {
    let module = module(THERE_AND_BACK);
    let stable = |paths: &[&[u32]]| {
        let Specialization::Trace(spec, _) = trace(func(&module), &spec(paths), None) else { panic!("it is a trace") };
        spec.traces.into_iter().flat_map(|Trace { stable, .. }| stable).collect::<Vec<_>>()
    };
    assert_eq!(stable(&[&[1, 3]]), [local(1)]);
    assert_eq!(stable(&[&[1, 2, 3]]), []);
}
