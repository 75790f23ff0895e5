//! Several traces of one loop: what is chosen from streams with several long runs, and the tree that leads to the loop of each trace.

use super::super::choose::{Repeated, trace};
use super::{ALTERNATING, IntFunction, Paths, blocks, form, func, local, module, spec, text};
use crate::trace::nest::Nest;
use crate::trace::{Declined, Trace, TraceShape, TraceSpec};
use holloway_lang::ir::Block;
use holloway_profiler::path_id::PathEnd;

const PLAIN: TraceShape = TraceShape { unroll: 1, forced_failures: None };

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
    let chosen = Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, &[])).choose().0;
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
    let specs = Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, &[])).choose().0;
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
    let specs = |streams: &[Vec<u64>]| {
        Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, streams)).choose().0
    };
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
    let chosen = Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, &[ids])).choose().0;
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
        .map(|head| nest.loops.get(nest.loops.headed_by(head.block).expect("a head heads a loop")).latches.len())
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
        trace(func(&module), &spec(paths), None)
            .traces
            .into_iter()
            .flat_map(|Trace { stable, .. }| stable)
            .collect::<Vec<_>>()
    };
    assert_eq!(stable(&[&[1, 3]]), [local(1)]);
    assert_eq!(stable(&[&[1, 2, 3]]), []);
}
