//! Loops without untaken blocks: what is left of a loop of several paths, and the smaller graph that is formed of it.

use super::super::choose::{Repeated, Untaken, has_other_ways, left_out};
use super::trees::FOUR_WAYS;
use super::{ALTERNATING, IntFunction, NESTED, Paths, blocks, func, module, text};
use crate::trace::nest::Nest;
use crate::trace::{Declined, Layout, Peel, Source, Trace, TraceShape, TraceSpec, form};
use holloway_lang::ir::Block;
use holloway_profiler::path_id::PathEnd;

const PLAIN: TraceShape = TraceShape { unroll: 1, peel: Peel::Off, forced_failures: None };

fn block(number: u32) -> Block {
    Block::from_u32(number)
}

/// The rest of a loop without some blocks, by the paths that were seen.
fn left(of: IntFunction, header: u32, untaken: &[u32], streams: &[Vec<u64>]) -> Result<TraceSpec, Declined> {
    let module = module(of);
    let Paths { graph, numbering } = Paths::of(func(&module));
    let is_untaken = |block: Block| untaken.contains(&block.as_u32());
    Untaken::of(func(&module), (&graph, &numbering), streams).left(block(header), is_untaken, 9)
}

#[test]
fn a_loop_of_several_paths_is_left_as_a_graph_with_its_exact_share_of_iterations() {
    let module = module(FOUR_WAYS);
    let paths = Paths::of(func(&module));
    let id = |blocks: &[u32]| paths.id(blocks, PathEnd::Cut);
    let (two, three, rare) = (id(&[1, 2, 4, 6]), id(&[1, 3, 4, 6]), id(&[1, 2, 4, 5, 6]));
    let way_in = id(&[0, 1, 3, 4, 6]);
    let way_out = paths.id(&[1, 2, 4, 6, 7], PathEnd::Return);
    let turns = [two, three, three].repeat(100);
    // Two activations: the first fails once, in the middle, and each ends a run.
    let first = [&[way_in], turns.as_slice(), &[rare], turns.as_slice(), &[way_out]].concat();
    let second = [&[way_in], turns.as_slice(), &[way_out]].concat();
    let spec = left(FOUR_WAYS, 1, &[5], &[first, second]).expect("two paths are left");
    assert_eq!((spec.layout, spec.source, spec.executions), (Layout::Graph, Source::Tfp, 901));
    assert_eq!(spec.coverage, (900 - 3) as f64 / 901.0, "three runs end");
    let of = |path: &[u32], count: u64| Trace { share: count as f64 / 901.0, ..Trace::new(vec![blocks(path)]) };
    assert_eq!(spec.traces, [of(&[1, 3, 4, 6], 600), of(&[1, 2, 4, 6], 300)]);
    assert!(has_other_ways(func(&module), &spec));
    assert_eq!(left_out(func(&module), &spec), blocks(&[5]));

    let seldom = [&[rare; 60], turns.as_slice()].concat();
    assert_eq!(left(FOUR_WAYS, 1, &[5], &[seldom]), Err(Declined::NoPath), "a sixth of the iterations is not left");
    assert_eq!(left(FOUR_WAYS, 1, &[], std::slice::from_ref(&turns)), Err(Declined::NoPath), "nothing is left out");
    let one = left(FOUR_WAYS, 1, &[3, 5], &[]).expect("one path is left");
    assert_eq!(
        (one.layout, one.traces, one.executions),
        (Layout::Apart, vec![Trace::new(vec![blocks(&[1, 2, 4, 6])])], 9)
    );
    assert_eq!(left(FOUR_WAYS, 1, &[2, 3], std::slice::from_ref(&turns)), Err(Declined::NoPath), "no path is left");
    assert_eq!(left(FOUR_WAYS, 2, &[5], &[turns]), Err(Declined::NoLoop));
}

#[test]
fn rare_paths_are_seen_and_edges_that_none_takes_stay() {
    let module = module(FOUR_WAYS);
    let paths = Paths::of(func(&module));
    let id = |blocks: &[u32]| paths.id(blocks, PathEnd::Cut);
    // Block 2 is on one path of a hundred, which a forest of frequent sequences would not have.
    let ids = [vec![id(&[1, 3, 4, 6]); 99], vec![id(&[1, 2, 4, 5, 6])]].concat();
    let spec = left(FOUR_WAYS, 1, &[], std::slice::from_ref(&ids));
    assert_eq!(spec, Err(Declined::NoPath));
    let spec = left(FOUR_WAYS, 1, &[5], &[ids]).expect("block 2 stays");
    assert_eq!((spec.coverage, spec.traces.len()), ((99 - 1) as f64 / 100.0, 2));
    assert_eq!((spec.traces[1].share, &spec.traces[1].paths[0]), (0.0, &blocks(&[1, 2, 4, 6])));
}

#[test]
fn the_formed_loop_has_each_block_that_is_left_once_and_the_entry_to_the_others_is_a_guard() {
    let module = module(FOUR_WAYS);
    let paths = Paths::of(func(&module));
    let ids = [&[1, 2, 4, 6][..], &[1, 3, 4, 6]].map(|path| paths.id(path, PathEnd::Cut)).repeat(50);
    let spec = left(FOUR_WAYS, 1, &[5], &[ids]).expect("two paths are left");
    let formed = form(func(&module), &spec, PLAIN).expect("it can be formed");
    text(&module, &formed.body);
    let nest = Nest::of(&formed.body);
    let [head] = formed.heads.as_slice() else { panic!("one loop has one head: {:?}", formed.heads) };
    let l = nest.loops.get(nest.loops.headed_by(*head).expect("a head heads a loop"));
    let mut of: Vec<Block> = l.blocks.iter().map(|block| formed.origins.blocks[*block]).collect();
    of.sort();
    assert_eq!(of, blocks(&[1, 2, 3, 4, 6]), "each block but 5");
    let targets: Vec<Block> = formed.guards.values().map(|guard| guard.target).collect();
    assert_eq!(targets, blocks(&[5, 7]), "what is left out, and the way out of the loop");
}

#[test]
fn a_path_that_ends_the_loop_and_an_untaken_inner_loop_are_no_ways_of_it() {
    let only = |of, header, untaken: &[u32]| left(of, header, untaken, &[]).map(|spec| spec.traces);
    assert_eq!(only(ALTERNATING, 2, &[4]), Ok(vec![Trace::new(vec![blocks(&[2, 3, 5])])]));
    assert_eq!(
        only(GUARDED, 1, &[2]),
        Ok(vec![Trace::new(vec![blocks(&[1, 4])])]),
        "the loop of 2 and 3 is not entered"
    );
}

/// A loop around another, which is entered if a number is odd.
const GUARDED: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "int", "bool"],
    blocks: "
    block0:
        v1 = copy 0
        v2 = copy 0
        jump block1
    block1:
        v1 = iadd v1, 1
        v2 = iand v1, 1
        v3 = ieq v2, 1
        branch v3, block2, block4
    block2:
        v2 = iadd v2, 3
        v3 = igt v2, v1
        branch v3, block4, block3
    block3:
        jump block2
    block4:
        v3 = ilt v1, v0
        branch v3, block1, block5
    block5:
        return v1",
};

/// The loops of `NESTED` with two choices behind the inner one.
const CHOICE_AROUND: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "int", "bool"],
    blocks: "
    block0:
        v1 = copy 0
        jump block1
    block1:
        v2 = copy 0
        jump block2
    block2:
        v3 = ilt v2, v1
        branch v3, block3, block5
    block3:
        v2 = iadd v2, 1
        v3 = ieq v2, v0
        branch v3, block4, block2
    block4:
        v2 = iadd v2, 2
        jump block2
    block5:
        v3 = igt v2, 1000
        branch v3, block6, block7
    block6:
        v1 = iadd v1, v2
        jump block9
    block7:
        v3 = ieq v2, 3
        branch v3, block8, block9
    block8:
        v1 = iadd v1, 2
        jump block9
    block9:
        v1 = iadd v1, 1
        v3 = ilt v1, v0
        branch v3, block1, block10
    block10:
        return v1",
};

#[test]
fn an_inner_loop_is_passed_as_a_whole_also_where_it_takes_some_blocks_only() {
    let module = module(CHOICE_AROUND);
    let paths = Paths::of(func(&module));
    let mut ids = Vec::new();
    for n in 0..200 {
        let way: &[u32] = if n % 3 == 0 { &[2, 5, 7, 8, 9] } else { &[2, 5, 7, 9] };
        ids.push(paths.id(&[1, 2, 3], PathEnd::Cut));
        ids.extend(vec![paths.id(&[2, 3], PathEnd::Cut); n % 4]);
        ids.push(paths.id(way, PathEnd::Cut));
    }
    let spec = left(CHOICE_AROUND, 1, &[6, 4], std::slice::from_ref(&ids)).expect("two paths are left");
    assert_eq!(
        spec.traces.iter().map(|trace| &trace.paths[0]).collect::<Vec<_>>(),
        [&blocks(&[1, 2, 5, 7, 9]), &blocks(&[1, 2, 5, 7, 8, 9]),]
    );
    assert_eq!(spec.traces.iter().map(|trace| (trace.share * 200.0).round()).collect::<Vec<_>>(), [133.0, 67.0]);
    let [inner] = spec.collapsed.as_slice() else { panic!("one inner loop: {:?}", spec.collapsed) };
    assert_eq!((inner.header, inner.visits, spec.coverage), (block(2), 3.5, 199.0 / 200.0));
    let formed = form(func(&module), &spec, PLAIN).expect("it can be formed");
    text(&module, &formed.body);
    let nest = Nest::of(&formed.body);
    let of_loop = &nest.loops.get(nest.loops.headed_by(formed.heads[0]).expect("a head heads a loop")).blocks;
    let copies = |of: u32| of_loop.iter().filter(|block| formed.origins.blocks[**block] == self::block(of)).count();
    assert_eq!([2, 3, 4, 5, 6, 7, 8, 9].map(copies), [1, 1, 1, 1, 0, 1, 1, 1]);

    // One path with a loop in it is a trace, whose coverage is known here.
    let even: Vec<u64> = ids.iter().copied().filter(|id| *id != paths.id(&[2, 5, 7, 8, 9], PathEnd::Cut)).collect();
    let one = left(CHOICE_AROUND, 1, &[6, 8], &[even]).expect("one path is left");
    assert_eq!(
        (one.layout, one.collapsed.len(), &one.traces[0].paths[0]),
        (Layout::Apart, 1, &blocks(&[1, 2, 5, 7, 9]))
    );
    assert_eq!(left(NESTED, 1, &[4], &[]), Err(Declined::NoPath), "of the outer loop nothing is left out");
}

/// The loop of `FOUR_WAYS`, one of whose ways calls.
const CALLING: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "bool", "int"],
    blocks: "
    block0:
        v1 = copy 0
        jump block1
    block1:
        v2 = ilt v1, 9
        branch v2, block2, block3
    block2:
        v1 = iadd v1, 2
        jump block4
    block3:
        v1 = call f0(v1)
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
fn a_call_is_left_out_or_nothing_is() {
    let module = module(CALLING);
    let paths = Paths::of(func(&module));
    let ids = [&[1, 2, 4, 6][..], &[1, 2, 4, 5, 6]].map(|path| paths.id(path, PathEnd::Cut)).repeat(50);
    let of = |untaken: &[u32]| left(CALLING, 1, untaken, std::slice::from_ref(&ids)).map(|spec| spec.layout);
    assert_eq!(of(&[3]), Ok(Layout::Graph));
    assert_eq!(of(&[5]), Err(Declined::Calls));
}

#[test]
fn a_graph_from_untaken_blocks_is_that_of_frequent_paths_where_these_are_all() {
    let module = module(FOUR_WAYS);
    let paths = Paths::of(func(&module));
    let [two, three] = [&[1, 2, 4, 6][..], &[1, 3, 4, 6]].map(|path| paths.id(path, PathEnd::Cut));
    let ids: Vec<u64> = (0..990_u64).map(|n| if (n * n / 7) % 5 < 2 { two } else { three }).collect();
    let forest = paths.forest(4, &ids);
    let frequent = Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, &[])).frequent();
    let spec = left(FOUR_WAYS, 1, &[5], &[ids]).expect("two paths are left");
    assert_eq!(frequent.len(), 1);
    assert_eq!((&spec.traces, spec.layout), (&frequent[0].traces, frequent[0].layout));
}
