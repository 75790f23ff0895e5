//! Results of forming traces: formed bodies as text, and what the optimizer makes of one.

use super::{ALTERNATING, IntFunction, NESTED, ROW, blocks, form, func, local, module, printed, spec};
use crate::arrays::Arrays;
use crate::opt::cfg::Graph;
use crate::opt::ssa::Term;
use crate::request::Request;
use crate::tier::Tier;
use crate::trace::nest::Nest;
use crate::trace::{Declined, Formed, TraceShape, TraceSpec, Traces, form_all};
use holloway_lang::ir::FuncRef;
use std::sync::Arc;

const PLAIN: TraceShape = TraceShape { unroll: 1, forced_failures: None };

/// Both ways through [`ALTERNATING`], one after the other.
fn turns() -> TraceSpec {
    spec(&[&[2, 3, 5], &[2, 4, 5]])
}

#[test]
fn a_sequence_of_period_two_becomes_one_straight_loop() {
    insta::assert_snapshot!(printed(&module(ALTERNATING), &turns(), PLAIN), @r#"
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
    let spec = TraceSpec { constants: vec![(local(3), 0)], ..turns() };
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

#[test]
fn a_guard_inside_an_inner_loop_leads_over_a_bridge() {
    let trace = spec(&[&[1, 2, 3], &[2, 3], &[2, 5]]);
    insta::assert_snapshot!(printed(&module(NESTED), &trace, PLAIN), @r#"
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

const SWITCH: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "bool"],
    blocks: "
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
        jump block1",
};

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

/// A nest of loops, and a trace through all of its headers: loop `n` is headed by block `n`, and what leaves it by the latch of the loop
/// around.
fn nest(depth: u32) -> (String, Vec<Vec<u32>>) {
    let mut blocks = "block0:\n jump block1\n".to_owned();
    let latch = |of: u32| depth + 1 + of;
    for header in 1..=depth {
        let inner = if header == depth { latch(header) } else { header + 1 };
        blocks +=
            &format!("block{header}:\n v1 = igt v0, {header}\n branch v1, block{inner}, block{}\n", latch(header - 1));
    }
    blocks += &format!("block{}:\n return v0\n", latch(0));
    (1..=depth).for_each(|of| blocks += &format!("block{}:\n v0 = isub v0, 1\n jump block{of}\n", latch(of)));
    let outwards = (1..depth)
        .rev()
        .map(|of| if of == depth - 1 { (1..=depth).chain([latch(of)]).collect() } else { vec![of + 1, latch(of)] });
    (blocks, outwards.collect())
}

#[test]
fn a_trace_through_a_deep_nest_is_declined() {
    let formed = |depth: u32| {
        let (text, paths) = nest(depth);
        let module = module(IntFunction { params: 1, locals: &["bool"], blocks: text.leak() });
        let paths: Vec<&[u32]> = paths.iter().map(Vec::as_slice).collect();
        form(func(&module), &spec(&paths), PLAIN).map(|formed| formed.body.blocks.len())
    };
    assert!(formed(10).is_ok_and(|blocks| blocks < 150), "{:?}", formed(10));
    assert_eq!(formed(60), Err(Declined::TooLarge));
}

#[test]
fn what_is_no_trace_is_declined() {
    let module = module(NESTED);
    let declined = |spec: &TraceSpec| form(func(&module), spec, PLAIN).expect_err("it is no trace");
    assert_eq!(declined(&spec(&[&[1, 3]])), Declined::NotClosed);
    assert_eq!(declined(&spec(&[&[1, 2, 5, 6]])), Declined::NotClosed, "it leaves the loop");
    assert_eq!(declined(&spec(&[&[1, 2, 3]])), Declined::NotClosed, "it does not come back");
    assert_eq!(declined(&spec(&[&[3, 2]])), Declined::NoLoop);
    let constant = |number| TraceSpec { constants: vec![(local(number), 0)], ..spec(&[&[1, 2, 5]]) };
    assert_eq!(declined(&constant(2)), Declined::NotTestable, "it is assigned before it is read");
    assert_eq!(declined(&constant(3)), Declined::NotTestable, "it is a bool");
    assert!(form(func(&module), &constant(1), PLAIN).is_ok());
}

/// A spec that is not formed yet.
fn new(spec: &TraceSpec) -> (&TraceSpec, Option<&Arc<Formed>>) {
    (spec, None)
}

#[test]
fn traces_of_several_loops_go_together() {
    let module = module(NESTED);
    let specs = [spec(&[&[2, 3]]), spec(&[&[1, 2, 5]]), spec(&[&[2, 3, 4]])];
    let (formed, done) = form_all(func(&module), specs.iter().map(new)).expect("the first can be formed");
    assert_eq!(done, [0], "the others pass blocks that were copied");
    assert_eq!(formed.guards.len(), 2);
}

#[test]
fn what_was_formed_to_be_weighed_is_not_formed_again() {
    let module = module(ROW);
    let body = &module.funcs[FuncRef::from_u32(0)].body;
    let (first, second) = (spec(&[&[1, 2]]), spec(&[&[4, 5]]));
    let known = Arc::new(form(body, &first, PLAIN).expect("it can be formed"));
    let (formed, _) = form_all(body, [(&first, Some(&known))]).expect("it is formed");
    assert!(Arc::ptr_eq(&formed, &known));
    assert_eq!(formed.heads.len(), 1);
    let (_, done) = form_all(body, [(&first, Some(&known)), new(&second)]).expect("both can be formed");
    assert_eq!(done, [0, 1], "another trace is formed on it");
}

#[test]
fn the_rounds_of_each_trace_start_at_a_head() {
    let module = module(ROW);
    let twice = TraceShape { unroll: 2, ..PLAIN };
    let specs = [spec(&[&[1, 2]]), TraceSpec { shape: twice, ..spec(&[&[4, 5]]) }];
    let (formed, done) = form_all(func(&module), specs.iter().map(new)).expect("both can be formed");
    assert_eq!(done, [0, 1]);
    let heads: Vec<_> = formed.heads.iter().map(|head| (formed.origins.blocks[head.block], head.iterations)).collect();
    assert_eq!(heads, [(blocks(&[1])[0], 1), (blocks(&[4])[0], 2)]);
    let nest = Nest::of(&formed.body);
    for head in &formed.heads {
        let around = nest.loops.headed_by(head.block).expect("a head heads a loop");
        assert_eq!(nest.loops.get(around).latches.len(), 1, "and that is the trace's");
    }
    assert_eq!(Traces::new(formed).counted().blocks.len(), 2);
}

/// Branches in the innermost loop of the optimized body.
fn branches_of_the_trace(function: IntFunction, spec: &TraceSpec, shape: TraceShape) -> usize {
    let module = module(function);
    let formed = form(func(&module), spec, shape).expect("it can be formed");
    let body = Arc::clone(&module.funcs[FuncRef::from_u32(0)].body);
    let traces = Some(Arc::new(Traces::new(Arc::new(formed))));
    let request = Request { traces, ..Request::new(FuncRef::from_u32(0), body, Tier::Optimized) };
    let ssa = crate::compile::ssa(&module, &Arrays::unknown(), &request).expect("it is entered by calls");
    assert!(ssa.sites.iter().all(|site| site.block.as_u32() <= 6), "sites name blocks of the original");
    let graph = Graph::of(&ssa);
    let is_passed =
        |block: &crate::opt::ssa::Block| spec.blocks().any(|passed| passed == ssa.blocks[*block].origin.block);
    let of_trace = |l: &&crate::opt::cfg::Loop| !ssa.blocks[l.header].cold && l.blocks.iter().any(is_passed);
    let innermost = graph.loops.values().filter(of_trace).max_by_key(|l| l.depth).expect("there is a loop");
    innermost.blocks.iter().filter(|block| matches!(ssa.blocks[**block].term, Term::Branch { .. })).count()
}

#[test]
fn what_a_trace_knows_is_not_tested_again() {
    let trace = turns();
    let known = TraceSpec { constants: vec![(local(3), 0)], ..trace };
    assert_eq!(
        branches_of_the_trace(ALTERNATING, &known, PLAIN),
        2,
        "the bound is tested once an iteration, the way never"
    );
}
