//! Traces as text: what is chosen from the papers' streams of paths, and what is formed.

use super::choose::{from_edges, from_findings, from_forest, from_untaken};
use super::form::{Peel, Shape};
use super::{Declined, Source, TraceSpec, form, form_all};
use crate::graph_of::{graph_of, node_of};
use holloway_lang::ir::print::{Spans, body};
use holloway_lang::ir::{Block, FuncRef, Function, Local, Module, parse, verify};
use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::graph::{EdgeId, Graph};
use holloway_profiler::machine::Machine;
use holloway_profiler::number::ball_larus::{Numbering, number};
use holloway_profiler::path_id::{PathEnd, id_of};
use holloway_profiler::persistence::{Ending, Persistence, Regions};

/// The loop of `[RS09]`: 2-3-5 and 2-4-5 take turns. Its header is `block2`, as there.
const ALTERNATING: &str = "
    type t0 = int
    sig0 = (t0) -> t0
    function f0 \"f\" sig0(v0: int) -> int {
        local v1: int
        local v2: bool
        local v3: int
    block0:
        v1 = copy 0
        jump block1
    block1:
        v3 = copy 0
        jump block2
    block2:
        v1 = iadd v1, 1
        v2 = ieq v3, 0
        branch v2, block3, block4
    block3:
        v3 = copy 1
        jump block5
    block4:
        v3 = copy 0
        jump block5
    block5:
        v2 = ilt v1, v0
        branch v2, block2, block6
    block6:
        return v1
    }";

fn module(text: &str) -> Module {
    let module = parse::module(text).unwrap_or_else(|error| panic!("{error}"));
    module.funcs.values().for_each(|decl| verify::verify(&module, &decl.body).unwrap_or_else(|e| panic!("{e}")));
    module
}

fn func(module: &Module) -> &Function {
    &module.funcs[FuncRef::from_u32(0)].body
}

fn blocks(numbers: &[u32]) -> Vec<Block> {
    numbers.iter().copied().map(Block::from_u32).collect()
}

fn spec(paths: &[&[u32]]) -> TraceSpec {
    let paths: Vec<Vec<Block>> = paths.iter().map(|path| blocks(path)).collect();
    let source = Source::Forest;
    TraceSpec {
        header: paths[0][0],
        paths,
        constants: Vec::new(),
        stable: Vec::new(),
        distinct: Vec::new(),
        coverage: 1.0,
        executions: 1,
        source,
    }
}

/// The edges along blocks.
fn edges(graph: &Graph, along: &[u32]) -> Vec<EdgeId> {
    let nodes: Vec<_> = blocks(along).into_iter().map(node_of).collect();
    nodes.windows(2).map(|pair| graph.find_edge(pair[0], pair[1]).expect("an edge")).collect()
}

/// The id of the path along blocks that ends at a back edge or at a return.
fn id(graph: &Graph, numbering: &Numbering, along: &[u32], end: PathEnd) -> u64 {
    let mut path = edges(graph, along);
    if end == PathEnd::Return {
        let last = node_of(Block::from_u32(along[along.len() - 1]));
        path.push(graph.find_edge(last, graph.exit()).expect("it returns"));
    }
    id_of(graph, numbering, node_of(Block::from_u32(along[0])), &path, end).expect("a path")
}

const PLAIN: Shape = Shape { unroll: 1, peel: Peel::Off };

fn printed(module: &Module, spec: &TraceSpec, shape: Shape) -> String {
    let formed = form(func(module), spec, shape).expect("it can be formed");
    verify::verify(module, &formed.body).unwrap_or_else(|error| panic!("{error}"));
    let mut text = body(module, FuncRef::from_u32(0), &formed.body, Spans::Hidden);
    for (id, guard) in &formed.guards {
        let (from, to) = guard.edge;
        text += &format!("\n{id}: {from} -> {to}, at {:?}, was {}", guard.at, guard.target);
    }
    text + &format!("\nentry {}, head {}", formed.entry, formed.head)
}

/// A forest of one activation: the way in, paths of the loop, the way out.
fn forest(k: u32, numbering: &Numbering, ids: &[u64]) -> PathForest {
    let mut slabs = SlabForest::new(k, numbering.num_paths());
    slabs.enter();
    ids.iter().for_each(|id| slabs.process_bl_path_id(*id));
    slabs.leave();
    PathForest::of(&slabs)
}

#[test]
fn two_paths_that_take_turns_have_period_two() {
    let module = module(ALTERNATING);
    let graph = graph_of(func(&module));
    let numbering = number(&graph);
    let path = |along: &[u32], end| id(&graph, &numbering, along, end);
    let (odd, even) = (path(&[2, 3, 5], PathEnd::Cut), path(&[2, 4, 5], PathEnd::Cut));
    let mut ids = vec![path(&[0, 1, 2, 3, 5], PathEnd::Cut)];
    for _ in 0..50 {
        ids.extend([even, odd]);
    }
    ids.push(path(&[2, 4, 5, 6], PathEnd::Return));
    let chosen = from_forest(func(&module), &graph, &numbering, &forest(8, &numbering, &ids));
    let [spec] = chosen.as_slice() else { panic!("one loop, one trace: {chosen:?}") };
    assert_eq!(spec.header, Block::from_u32(2));
    let mut found = spec.paths.clone();
    found.sort();
    assert_eq!(found, [blocks(&[2, 3, 5]), blocks(&[2, 4, 5])]);
    assert_eq!((spec.coverage, spec.executions), (1.0, 100), "entering and leaving paths end a sequence");
}

#[test]
fn a_sequence_of_period_two_becomes_one_straight_loop() {
    insta::assert_snapshot!(printed(&module(ALTERNATING), &spec(&[&[2, 3, 5], &[2, 4, 5]]), PLAIN), @r#"
    function f0 "f" sig0(v0: int) -> int {
        local v1: int
        local v2: bool
        local v3: int
    block0:
        v1 = copy 0
        jump block1
    block1:
        v3 = copy 0
        jump block2
    block2:
        jump block3
    block3:
        v1 = iadd v1, 1
        v2 = ieq v3, 0
        branch v2, block4, block5
    block4:
        v3 = copy 1
        jump block6
    block5:
        v3 = copy 0
        jump block7
    block6:
        v2 = ilt v1, v0
        branch v2, block8, block9
    block7:
        v2 = ilt v1, v0
        branch v2, block2, block9
    block8:
        v1 = iadd v1, 1
        v2 = ieq v3, 0
        branch v2, block10, block11
    block9:
        return v1
    block10:
        v3 = copy 1
        jump block7
    block11:
        v3 = copy 0
        jump block12
    block12:
        v2 = ilt v1, v0
        branch v2, block3, block9
    }

    guard0: block3 -> block5, at Some((0, 0)), was block4
    guard1: block6 -> block9, at Some((0, 2)), was block6
    guard2: block8 -> block10, at Some((1, 0)), was block3
    guard3: block12 -> block9, at Some((1, 2)), was block6
    entry block2, head block3
    "#);
}

#[test]
fn a_constant_is_tested_on_the_way_in_and_round() {
    let spec = TraceSpec { constants: vec![(Local::from_u32(3), 0)], ..spec(&[&[2, 3, 5], &[2, 4, 5]]) };
    insta::assert_snapshot!(printed(&module(ALTERNATING), &spec, PLAIN), @r#"
    function f0 "f" sig0(v0: int) -> int {
        local v1: int
        local v2: bool
        local v3: int
        local v4: bool
        local v5: bool
    block0:
        v1 = copy 0
        jump block1
    block1:
        v3 = copy 0
        jump block2
    block2:
        v4 = ieq v3, 0
        branch v4, block3, block4
    block3:
        v3 = copy 0
        v1 = iadd v1, 1
        v2 = ieq v3, 0
        branch v2, block5, block6
    block4:
        v1 = iadd v1, 1
        v2 = ieq v3, 0
        branch v2, block7, block6
    block5:
        v3 = copy 1
        jump block8
    block6:
        v3 = copy 0
        jump block9
    block7:
        v3 = copy 1
        jump block9
    block8:
        v2 = ilt v1, v0
        branch v2, block10, block11
    block9:
        v2 = ilt v1, v0
        branch v2, block2, block11
    block10:
        v1 = iadd v1, 1
        v2 = ieq v3, 0
        branch v2, block7, block12
    block11:
        return v1
    block12:
        v3 = copy 0
        jump block13
    block13:
        v2 = ilt v1, v0
        branch v2, block14, block11
    block14:
        v5 = ieq v3, 0
        branch v5, block3, block2
    }

    guard0: block2 -> block4, at None, was block2
    guard1: block3 -> block6, at Some((0, 0)), was block4
    guard2: block8 -> block11, at Some((0, 2)), was block6
    guard3: block10 -> block7, at Some((1, 0)), was block3
    guard4: block13 -> block11, at Some((1, 2)), was block6
    guard5: block14 -> block2, at None, was block2
    entry block2, head block3
    "#);
}

/// In `[DD13]` a path in, 86 again and again, a path out: 38-86-86-86-755.
#[test]
fn one_path_that_repeats_has_period_one() {
    let module = module(ALTERNATING);
    let graph = graph_of(func(&module));
    let numbering = number(&graph);
    let path = |along: &[u32], end| id(&graph, &numbering, along, end);
    let mut ids = Vec::new();
    for round in 0..10 {
        ids.push(path(&[0, 1, 2, 3, 5], PathEnd::Cut));
        ids.extend([path(&[2, 4, 5], PathEnd::Cut); 30]);
        if round == 5 {
            ids.push(path(&[2, 3, 5], PathEnd::Cut));
        }
        ids.push(path(&[2, 3, 5, 6], PathEnd::Return));
    }
    let chosen = from_forest(func(&module), &graph, &numbering, &forest(5, &numbering, &ids));
    assert_eq!(chosen.len(), 1);
    assert_eq!(chosen[0].paths, [blocks(&[2, 4, 5])]);
    // Of 10 x 26 windows of five and one more, which the other path ends, one does not fit.
    assert!((chosen[0].coverage - 260.0 / 261.0).abs() < 1e-9, "{}", chosen[0].coverage);
}

#[test]
fn nothing_is_chosen_where_paths_alternate_at_random() {
    let module = module(ALTERNATING);
    let graph = graph_of(func(&module));
    let numbering = number(&graph);
    let path = |along: &[u32], end| id(&graph, &numbering, along, end);
    let mut state = 1_u32;
    let ids: Vec<u64> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        path(if state >> 31 == 0 { &[2, 3, 5] } else { &[2, 4, 5] }, PathEnd::Cut)
    })
    .take(1000)
    .collect();
    assert_eq!(from_forest(func(&module), &graph, &numbering, &forest(6, &numbering, &ids)), []);
}

/// A loop in a loop: 1-2-3-2-3-2-4, with two trips of the inner one.
const NESTED: &str = "
    type t0 = int
    sig0 = (t0) -> t0
    function f0 \"f\" sig0(v0: int) -> int {
        local v1: int
        local v2: int
        local v3: bool
    block0:
        v1 = copy 0
        jump block1
    block1:
        v2 = copy 0
        jump block2
    block2:
        v3 = ilt v2, 2
        branch v3, block3, block5
    block3:
        v2 = iadd v2, 1
        v3 = ieq v2, v0
        branch v3, block4, block2
    block4:
        v2 = iadd v2, 2
        jump block2
    block5:
        v1 = iadd v1, 1
        v3 = ilt v1, v0
        branch v3, block1, block6
    block6:
        return v1
    }";

#[test]
fn inner_trips_that_repeat_are_unrolled() {
    let module = module(NESTED);
    let graph = graph_of(func(&module));
    let numbering = number(&graph);
    let path = |along: &[u32], end| id(&graph, &numbering, along, end);
    let round = [path(&[1, 2, 3], PathEnd::Cut), path(&[2, 3], PathEnd::Cut), path(&[2, 5], PathEnd::Cut)];
    let ids: Vec<u64> = round.iter().cycle().take(3 * 40).copied().collect();
    let chosen = from_forest(func(&module), &graph, &numbering, &forest(8, &numbering, &ids));
    let outer = chosen.iter().find(|spec| spec.header == Block::from_u32(1)).expect("a walk of the outer loop");
    assert_eq!(outer.paths, [blocks(&[1, 2, 3]), blocks(&[2, 3]), blocks(&[2, 5])]);
    assert_eq!(outer.coverage, 1.0);
}

#[test]
fn a_guard_inside_an_inner_loop_leads_over_a_bridge() {
    let walk = spec(&[&[1, 2, 3], &[2, 3], &[2, 5]]);
    insta::assert_snapshot!(printed(&module(NESTED), &walk, PLAIN), @r#"
    function f0 "f" sig0(v0: int) -> int {
        local v1: int
        local v2: int
        local v3: bool
    block0:
        v1 = copy 0
        jump block1
    block1:
        jump block2
    block2:
        v2 = copy 0
        jump block3
    block3:
        v3 = ilt v2, 2
        branch v3, block4, block5
    block4:
        v2 = iadd v2, 1
        v3 = ieq v2, v0
        branch v3, block6, block7
    block5:
        v1 = iadd v1, 1
        v3 = ilt v1, v0
        branch v3, block1, block8
    block6:
        v2 = iadd v2, 2
        jump block9
    block7:
        v3 = ilt v2, 2
        branch v3, block10, block5
    block8:
        return v1
    block9:
        v3 = ilt v2, 2
        branch v3, block11, block5
    block10:
        v2 = iadd v2, 1
        v3 = ieq v2, v0
        branch v3, block6, block12
    block11:
        v2 = iadd v2, 1
        v3 = ieq v2, v0
        branch v3, block13, block9
    block12:
        v3 = ilt v2, 2
        branch v3, block14, block15
    block13:
        v2 = iadd v2, 2
        jump block9
    block14:
        v2 = iadd v2, 1
        v3 = ieq v2, v0
        branch v3, block6, block9
    block15:
        v1 = iadd v1, 1
        v3 = ilt v1, v0
        branch v3, block2, block8
    }

    guard0: block3 -> block5, at Some((0, 1)), was block5
    guard1: block4 -> block6, at Some((0, 2)), was block4
    guard2: block7 -> block5, at Some((1, 0)), was block5
    guard3: block10 -> block6, at Some((1, 1)), was block4
    guard4: block12 -> block14, at Some((2, 0)), was block3
    guard5: block15 -> block8, at Some((2, 1)), was block6
    entry block1, head block2
    "#);
}

const SWITCH: &str = "
    type t0 = int
    sig0 = (t0) -> t0
    function f0 \"f\" sig0(v0: int) -> int {
        local v1: int
        local v2: bool
    block0:
        v1 = copy 0
        jump block1
    block1:
        v1 = iadd v1, 1
        switch v1 [0: block2, 7: block3], block4
    block2:
        jump block1
    block3:
        return v1
    block4:
        jump block1
    }";

#[test]
fn one_case_of_a_switch_becomes_a_comparison() {
    insta::assert_snapshot!(printed(&module(SWITCH), &spec(&[&[1, 2]]), PLAIN), @r#"
    function f0 "f" sig0(v0: int) -> int {
        local v1: int
        local v2: bool
        local v3: bool
    block0:
        v1 = copy 0
        jump block1
    block1:
        jump block2
    block2:
        v1 = iadd v1, 1
        v3 = ieq v1, 0
        branch v3, block4, block3
    block3:
        switch v1 [0: block5, 7: block6], block7
    block4:
        jump block2
    block5:
        jump block1
    block6:
        return v1
    block7:
        jump block1
    }

    guard0: block2 -> block3, at Some((0, 0)), was block1
    entry block1, head block2
    "#);
}

#[test]
fn the_default_of_a_switch_stays_one() {
    insta::assert_snapshot!(printed(&module(SWITCH), &spec(&[&[1, 4]]), PLAIN), @r#"
    function f0 "f" sig0(v0: int) -> int {
        local v1: int
        local v2: bool
    block0:
        v1 = copy 0
        jump block1
    block1:
        jump block2
    block2:
        v1 = iadd v1, 1
        switch v1 [0: block3, 7: block4], block5
    block3:
        jump block1
    block4:
        return v1
    block5:
        jump block2
    }

    guard0: block2 -> block3, at Some((0, 0)), was block2
    guard1: block2 -> block4, at Some((0, 0)), was block3
    entry block1, head block2
    "#);
}

#[test]
fn what_is_no_walk_is_declined() {
    let module = module(NESTED);
    let declined = |spec: &TraceSpec| form(func(&module), spec, PLAIN).expect_err("it is no walk");
    assert_eq!(declined(&spec(&[&[1, 3]])), Declined::NotAWalk);
    assert_eq!(declined(&spec(&[&[1, 2, 5, 6]])), Declined::NotAWalk, "it leaves the loop");
    assert_eq!(declined(&spec(&[&[1, 2, 3]])), Declined::NotAWalk, "it does not come back");
    assert_eq!(declined(&spec(&[&[3, 2]])), Declined::NoLoop);
    let constant = |local| TraceSpec { constants: vec![(Local::from_u32(local), 0)], ..spec(&[&[1, 2, 5]]) };
    assert_eq!(declined(&constant(2)), Declined::NotTestable, "it is assigned before it is read");
    assert_eq!(declined(&constant(3)), Declined::NotTestable, "it is a bool");
    assert!(form(func(&module), &constant(1), PLAIN).is_ok());
}

#[test]
fn traces_of_several_loops_go_together() {
    let module = module(NESTED);
    let specs = [(spec(&[&[2, 3]]), PLAIN), (spec(&[&[1, 2, 5]]), PLAIN), (spec(&[&[2, 3, 4]]), PLAIN)];
    let (formed, done) = form_all(func(&module), &specs).expect("the first can be formed");
    assert_eq!(done, [0], "the others pass blocks that were copied");
    assert_eq!(formed.guards.len(), 2);
}

#[test]
fn tfp_gives_a_path_or_what_is_left_of_the_loop() {
    let module = module(ALTERNATING);
    let graph = graph_of(func(&module));
    let regions = Regions::new(&graph).expect("reducible");
    let mut machine = Machine::new(&graph, regions.plan(&graph));
    let mut persistence = Persistence::new(regions.clone(), 4, Ending::Early);
    let mut frame = machine.enter(&mut persistence);
    for edge in edges(&graph, &[0, 1, 2, 3, 5, 2, 3, 5, 2, 3, 5, 2, 3, 5, 2]) {
        machine.take(&mut frame, edge, &mut persistence);
    }
    let findings = persistence.take_finished();
    let chosen = from_findings(func(&module), &regions, &findings[0]).expect("four times the same path");
    assert_eq!(chosen.paths, [blocks(&[2, 3, 5])]);
    assert_eq!((chosen.source, chosen.executions), (Source::Tfp, 4));
    let left = from_untaken(func(&module), Block::from_u32(2), |block| block == Block::from_u32(4), 9);
    assert_eq!(left.map(|spec| spec.paths), Ok(vec![blocks(&[2, 3, 5])]));
    let both = from_untaken(func(&module), Block::from_u32(2), |_| false, 9);
    assert_eq!(both, Err(Declined::NoPath));
}

#[test]
fn biased_edges_give_a_path() {
    let module = module(ALTERNATING);
    let count = |rare: u64| {
        move |from: Block, to: Block| match (from.as_u32(), to.as_u32()) {
            (2, 3) | (3, 5) => rare,
            (2, 4) | (4, 5) => 1000 - rare,
            (5, 2) => 999,
            _ => 1,
        }
    };
    let chosen = from_edges(func(&module), count(20));
    assert_eq!(chosen.len(), 1);
    assert_eq!(chosen[0].paths, [blocks(&[2, 4, 5])]);
    assert!((chosen[0].coverage - 0.98 * 0.999).abs() < 1e-9);
    assert_eq!(from_edges(func(&module), count(60)), []);
}
