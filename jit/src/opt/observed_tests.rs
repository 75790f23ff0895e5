//! The optimizer with a profile: inlining behind a guard, by heat, and the layout of blocks.

use super::loop_tests::{count, optimized};
use super::ssa::{self, Func, Op, Term};
use crate::observed::{Counts, Observed, TargetCell, indirect_calls};
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Block, FuncRef, Terminator, cfg};
use holloway_lang::session::Session;

fn named(session: &Session, name: &str) -> FuncRef {
    session.function(name).unwrap_or_else(|| panic!("there is a function `{name}`"))
}

/// `f` was called once and went each way of its branches 1000 times, but for those that lead out of its loop and those to a block
/// with a call of one of `rarely`; its indirect calls called `target`, but for some.
fn observed(session: &Session, target: Option<(&str, u64)>, rarely: &[&str]) -> Observed {
    let (func, module) = (named(session, "f"), session.module());
    let body = module.function(func);
    let rarely: Vec<FuncRef> = rarely.iter().map(|name| named(session, name)).collect();
    let calls_rarely = |block: Block| {
        let calls = body.blocks[block].insts.iter();
        calls
            .filter_map(|inst| inst.to_string().split("call ").nth(1).map(str::to_owned))
            .any(|call| rarely.iter().any(|func| call.starts_with(&format!("{func}("))))
    };
    let leads_out = |block: Block| matches!(body.blocks[block].term, Terminator::Return(_));
    let edges = body.blocks.keys().flat_map(|from| cfg::edges(body, from).into_iter().map(move |(to, _)| (from, to)));
    let edges: HashMap<_, _> = edges
        .map(|(from, to)| ((from, to), if calls_rarely(to) || calls_rarely(from) || leads_out(to) { 0 } else { 1000 }))
        .collect();
    let cell = target.map(|(name, other)| TargetCell { func: Some(named(session, name)), same: 1000, other });
    let cells: Vec<_> = indirect_calls(body).filter_map(|at| Some((at, cell?))).collect();
    Observed::new([(func, Counts::new(body, 1, edges, cells))])
}

fn is_indirect(op: Op) -> bool {
    matches!(op, Op::CallIndirect(_))
}

fn cold_blocks(func: &Func, is: impl Fn(Op) -> bool) -> usize {
    let has = |block: &ssa::BlockData| block.insts.iter().any(|inst| is(func.insts[*inst].op));
    func.blocks.values().filter(|block| block.cold && has(block)).count()
}

const INDIRECT: &str = "fn times(x: int, y: int) -> int { return x * y }
fn f(op: fn(int, int) -> int, n: int) -> int {
    var s = 1
    for i in 0..n { s += op(s, i) }
    return s
}";

#[test]
fn a_call_that_mostly_calls_one_function_is_inlined_behind_a_test() {
    let func = optimized(INDIRECT, None, |session| observed(session, Some(("times", 1)), &[]));
    assert_eq!(count(&func, 0, |op| op == Op::Binary(BinaryOp::IntMul)), 1);
    assert_eq!(count(&func, 0, |op| op == Op::Binary(BinaryOp::FuncEq)), 1);
    assert_eq!((count(&func, 0, is_indirect), cold_blocks(&func, is_indirect)), (0, 1));
    assert!(func.sites.iter().any(|site| site.inlined_at.is_some()));
    assert_eq!((func.inlined.calls, func.inlined.guarded), (1, 1));
}

#[test]
fn a_target_that_is_often_missed_leaves_the_call_at_hand() {
    let func = optimized(INDIRECT, None, |session| observed(session, Some(("times", 200)), &[]));
    assert_eq!((count(&func, 1, is_indirect), cold_blocks(&func, is_indirect)), (1, 0));
    assert_eq!(count(&func, 1, |op| op == Op::Binary(BinaryOp::IntMul)), 1);
}

#[test]
fn other_calls_stay_as_they_are() {
    for observe in [|session: &Session| observed(session, Some(("times", 900)), &[]), |_: &Session| Observed::default()]
    {
        let func = optimized(INDIRECT, None, observe);
        assert_eq!((count(&func, 1, is_indirect), count(&func, 0, |op| op == Op::Binary(BinaryOp::FuncEq))), (1, 0));
    }
}

#[test]
fn a_target_of_another_signature_is_none() {
    let source = format!("{INDIRECT}\nfn other(x: int) -> int {{ return x }}");
    let func = optimized(&source, None, |session| observed(session, Some(("other", 0)), &[]));
    assert_eq!((count(&func, 1, is_indirect), func.sites.iter().any(|site| site.inlined_at.is_some())), (1, false));
}

#[test]
fn a_function_value_that_is_found_to_be_known_is_called_directly() {
    let func = optimized(
        "fn deep(x: int) -> int { if x > 9 { return deep(x - 1) + deep(x - 2) + deep(x - 3) } return x }
         fn f(n: int) -> int {
             var op = deep
             var s = 0
             for i in 0..n { s += op(i) }
             return s
         }",
        None,
        |_| Observed::default(),
    );
    assert_eq!(count(&func, 0, is_indirect), 0);
    assert!(count(&func, 1, |op| matches!(op, Op::Call(_))) > 0);
}

/// `seldom` is too large to be inlined wherever it is called.
const BRANCHY: &str = "var g = 0
fn often(x: int) { g += x }
fn seldom(x: int) {
    g = (g * 3 - x) ^ 5
    g = (g * 5 - x) ^ 7
    g = (g * 7 - x) ^ 9
    g = (g * 9 - x) ^ 3
    g = (g * 3 - x) ^ 1
}
fn f(n: int) {
    for i in 0..n {
        if i & 7 == 0 { seldom(i) } else { often(i) }
    }
}";

#[test]
fn what_is_rarely_called_is_out_of_line_and_not_inlined_if_it_has_a_loop() {
    let is_call = |op: Op| matches!(op, Op::Call(_));
    let calls = |source: &str, rarely: &'static [&str]| {
        let func = optimized(source, None, |session| observed(session, None, rarely));
        (count(&func, 0, is_call), cold_blocks(&func, is_call))
    };
    let looping = BRANCHY.replace("g = (g * 3 - x) ^ 5", "for k in 0..x { g = (g * 3 - x) ^ 5 }");
    assert_eq!(calls(&looping, &["seldom"]), (0, 1));
    assert_eq!(calls(BRANCHY, &["seldom"]), (0, 0), "the loop around keeps what it has in registers");
    let func = optimized(BRANCHY, None, |session| observed(session, None, &["seldom"]));
    assert!(cold_blocks(&func, |op| op == Op::Binary(BinaryOp::IntXor)) > 0);
    let plain = optimized(&looping, None, |_| Observed::default());
    assert_eq!((count(&plain, 0, is_call), cold_blocks(&plain, is_call)), (0, 0));
}

#[test]
fn a_small_function_is_inlined_where_it_is_rarely_called_and_out_of_line() {
    let func = optimized(BRANCHY, None, |session| observed(session, None, &["often"]));
    let (sum, calls) = (|op: Op| matches!(op, Op::Binary(BinaryOp::IntAdd)), |op: Op| matches!(op, Op::Call(_)));
    assert!(cold_blocks(&func, sum) > 0 && cold_blocks(&func, calls) == 0);
}

#[test]
fn the_likelier_way_falls_through() {
    let ways = |rarely: &'static str| {
        let func = optimized(BRANCHY, None, move |session| observed(session, None, &[rarely]));
        let mostly = func.blocks.keys().filter(|block| func.mostly_then.contains(*block));
        let cold = |block: ssa::Block| func.blocks[block].cold;
        mostly
            .map(|block| match &func.blocks[block].term {
                Term::Branch { then, otherwise, .. } => (cold(then.block), cold(otherwise.block)),
                other => panic!("{other:?} has one way"),
            })
            .collect::<Vec<_>>()
    };
    assert!(ways("often").contains(&(false, true)), "{:?}", ways("often"));
    assert!(!ways("seldom").iter().any(|(then, _)| *then), "{:?}", ways("seldom"));
}
