//! Ways through a loop: what is chosen where a loop is entered again and again, and what is formed.

use super::super::choose::{Repeated, copies_loops, trace};
use super::{IntFunction, Paths, blocks, form, func, module, printed, spec};
use crate::observed::{Counts, Observed};
use crate::request::Request;
use crate::tier::Tier;
use crate::trace::{Declined, Layout, Trace, TraceShape, TraceSpec};
use hashbrown::HashMap;
use holloway_lang::ir::{Block, FuncRef, Module, parse};
use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::path_id::PathEnd;
use std::sync::Arc;

const PLAIN: TraceShape = TraceShape { unroll: 1, forced_failures: None };

/// The loop 1-2-3 or 1-2-4 adds the number at hand to itself until it is larger than the parameter.
const CALLED: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "bool"],
    blocks: "
    block0:
        v1 = copy 1
        jump block1
    block1:
        v2 = igt v1, v0
        branch v2, block5, block2
    block2:
        v2 = ieq v1, 2
        branch v2, block3, block4
    block3:
        v1 = iadd v1, 7
        jump block1
    block4:
        v1 = iadd v1, v1
        jump block1
    block5:
        return v1",
};

fn through(ways: &[&[&[u32]]]) -> TraceSpec {
    let trace = |way: &&[&[u32]]| Trace::new(way.iter().map(|path| blocks(path)).collect());
    let traces: Vec<Trace> = ways.iter().map(trace).collect();
    TraceSpec { layout: Layout::Through, traces, ..spec(&[&[1]]) }
}

#[test]
fn a_way_through_leads_from_the_entry_to_the_exit() {
    let way = through(&[&[&[1, 2, 4], &[1, 2, 3], &[1, 5]]]);
    insta::assert_snapshot!(printed(&module(CALLED), &way, PLAIN), @r#"
    function f0 "f" sig0(v0: int) -> int {
        local v1: int
        local v2: bool
    block0:
        v1 = copy 1
        jump block1
    block1:
        jump block2
    block2:
        v2 = igt v1, v0
        branch v2, block3, block4
    block3:
        return v1
    block4:
        v2 = ieq v1, 2
        branch v2, block5, block6
    block5:
        v1 = iadd v1, 7
        jump block7
    block6:
        v1 = iadd v1, v1
        jump block8
    block7:
        v2 = igt v1, v0
        branch v2, block3, block9
    block8:
        v2 = igt v1, v0
        branch v2, block3, block10
    block9:
        v2 = ieq v1, 2
        branch v2, block11, block12
    block10:
        v2 = ieq v1, 2
        branch v2, block13, block14
    block11:
        v1 = iadd v1, 7
        jump block7
    block12:
        v1 = iadd v1, v1
        jump block7
    block13:
        v1 = iadd v1, 7
        jump block15
    block14:
        v1 = iadd v1, v1
        jump block7
    block15:
        v2 = igt v1, v0
        branch v2, block3, block16
    block16:
        v2 = ieq v1, 2
        branch v2, block5, block14
    }

    guard0: block2 -> block3, at Some((0, 0)), was block5
    guard1: block4 -> block5, at Some((0, 1)), was block3
    guard2: block8 -> block3, at Some((1, 0)), was block5
    guard3: block10 -> block14, at Some((1, 1)), was block4
    guard4: block15 -> block16, at Some((2, 0)), was block2
    entry block1, head block2
    "#);
}

#[test]
fn ways_share_what_they_begin_with() {
    let ways = through(&[&[&[1, 2, 4], &[1, 2, 3], &[1, 5]], &[&[1, 2, 4], &[1, 5]]]);
    let formed = form(func(&module(CALLED)), &ways, PLAIN).expect("they can be formed");
    let copies = |of: u32| {
        let made = formed.origins.blocks.iter().filter(|(_, origin)| **origin == Block::from_u32(of));
        made.filter(|(block, _)| !formed.origins.cold.contains(*block)).count()
    };
    // The entry is made for the header; both ways pass it twice together, and once more each.
    assert_eq!([1, 2, 3, 4].map(copies), [1 + 3, 2, 1, 1]);
    assert_eq!(ways.copied().len(), 3 + 2 + 1 + 1);
    // As many iterations are counted where a way begins as they have on average; the rest is known where one is left.
    assert_eq!(ways.counted_iterations(&ways.traces[0]), 1);
    let guards = formed.guards.values().map(|guard| (guard.target.as_u32(), guard.left, guard.uncounted));
    let guards: Vec<(u32, u32, i32)> = guards.collect();
    assert_eq!(guards, [(5, 0, -1), (3, 2, 1), (4, 1, 1), (2, 1, 2)]);
}

#[test]
fn what_is_no_way_through_is_declined() {
    let module = module(CALLED);
    let declined = |ways: &[&[&[u32]]]| form(func(&module), &through(ways), PLAIN).err();
    assert_eq!(declined(&[&[&[1, 2, 4], &[1, 2, 3]]]), Some(Declined::NotClosed), "it stays in the loop");
    assert_eq!(declined(&[&[&[1, 2, 4], &[1, 2, 5]]]), Some(Declined::NotClosed), "no edge leads there");
    assert_eq!(declined(&[&[&[5]]]), Some(Declined::NotClosed), "it is not in the loop");
    assert_eq!(declined(&[&[&[1, 2, 4], &[1, 99]]]), Some(Declined::NotClosed), "there is no such block");
    assert_eq!(declined(&[&[&[1, 5]]]), None);
}

#[test]
fn blocks_that_do_not_exist_are_declined_and_not_looked_at() {
    let module = module(CALLED);
    for named in [through(&[&[&[1, 2, 99], &[1, 5]]]), spec(&[&[1, 2, 99]])] {
        let wanted = trace(func(&module), &named, None);
        let formed = form(func(&module), &wanted, wanted.shape);
        assert_eq!(formed.err(), Some(Declined::NotClosed), "{named:?}");
    }
}

/// The ways through the loop that are chosen where each activation takes one, told by the blocks behind the header.
fn chosen(activations: impl Iterator<Item = Vec<u32>>) -> Vec<TraceSpec> {
    let module = module(CALLED);
    let paths = Paths::of(func(&module));
    let mut slabs = SlabForest::new(8, paths.numbering.num_paths());
    let mut stream = Vec::new();
    slabs.enter();
    for activation in activations {
        let mut ids = vec![paths.id(&[0, 1, 2, activation[0]], PathEnd::Cut)];
        ids.extend(activation[1..].iter().map(|side| paths.id(&[1, 2, *side], PathEnd::Cut)));
        ids.push(paths.id(&[1, 5], PathEnd::Return));
        ids.iter().for_each(|id| slabs.process_bl_path_id(*id));
        stream.extend(ids);
    }
    slabs.leave();
    let forest = PathForest::of(&slabs);
    Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, &[stream])).through().to_vec()
}

#[test]
fn the_usual_way_is_chosen() {
    let usual = || vec![4, 3, 4];
    let found = chosen((0..100).map(|nth| if nth % 10 == 9 { vec![4, 4, 4, 4, 3] } else { usual() }));
    let [one] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(one.layout, Layout::Through);
    assert_eq!(one.traces[0].paths, [&[1, 2, 4][..], &[1, 2, 3], &[1, 2, 4], &[1, 5]].map(blocks));
    assert_eq!(one.executions, 90 * 3 + 10 * 5);
    // Both ways have more than a twentieth of the iterations.
    assert_eq!(one.traces.len(), 2);
    assert_eq!(one.coverage, 1.0);
}

#[test]
fn an_activation_that_parts_from_the_way_leaves_it_there() {
    // One in 40 takes the way for an iteration and is another from there on.
    let found = chosen((0..400).map(|nth| if nth % 40 == 39 { vec![4, 4, 4] } else { vec![4, 3, 4] }));
    let [one] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(one.traces.len(), 1, "the other way is rare");
    assert_eq!(one.coverage, (390.0 * 3.0 + 10.0) / 1_200.0);
}

#[test]
fn iterations_of_activations_that_are_no_way_count() {
    let found = chosen((0..101).map(|nth| if nth == 50 { vec![4; 300] } else { vec![4, 3, 4] }));
    let [one] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((one.executions, one.coverage), (600, 0.5));
}

#[test]
fn ways_that_differ_each_time_are_not_chosen() {
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        bits >> 33
    };
    let found = chosen((0..200).map(|_| (0..12).map(|_| 3 + (random() % 2) as u32).collect()));
    assert!(found.is_empty(), "{found:?}");
}

/// `f0` has a loop that calls `f1`, which has one too.
fn calling() -> Module {
    let text = "type t0 = int\nsig0 = (t0) -> t0\n\
         function f0 \"f0\" sig0(v0: int) -> int {\n local v1: bool\nblock0:\n jump block1\nblock1:\n v0 = call f1(v0)\n v1 = ilt v0, 9\n \
         branch v1, block1, block2\nblock2:\n return v0\n}\n\
         function f1 \"f1\" sig0(v0: int) -> int {\n local v1: bool\nblock0:\n jump block1\nblock1:\n v0 = iadd v0, 1\n v1 = ilt v0, 9\n \
         branch v1, block1, block2\nblock2:\n return v0\n}\n";
    parse::module(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn ways_copy_loops_of_callees_that_run_and_are_inlined() {
    let module = calling();
    let [caller, callee] = [0, 1].map(FuncRef::from_u32);
    let [entry, header] = [0, 1].map(Block::from_u32);
    let plain = || Request::new(caller, Arc::clone(module.function(caller)), Tier::Optimized);
    let observed = |rounds: u64| {
        let edges = HashMap::from([((entry, header), 100), ((header, header), rounds)]);
        Request { observed: Observed::new([(callee, Counts::new(module.function(callee), 100, edges, []))]), ..plain() }
    };
    let way = through(&[&[&[1], &[1, 2]]]);
    assert!(copies_loops(&module, &observed(900), &way));
    assert!(!copies_loops(&module, &observed(0), &way), "it is left at once");
    assert!(!copies_loops(&module, &plain(), &way), "nothing is known of it");
    assert!(!copies_loops(&module, &Request { not_inlined: vec![callee], ..observed(900) }, &way), "it is called");
    assert!(!copies_loops(&module, &observed(900), &spec(&[&[1]])), "a loop goes round in any case");
}
