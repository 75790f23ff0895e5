//! Moves that no pass makes are recorded like those that passes make.

use super::{Assignment, Fate, When};
use crate::body::osr::{Entry, Leaving, Shape};
use crate::opt::construct::{Inlining, Input, build_recorded};
use crate::opt::ssa::{Func, Inst, Op, Term};
use crate::probes::Paths;
use holloway_lang::ir::BinaryOp;
use holloway_lang::session::{self, NoFiles, Session, SessionKind};

/// The assignments of function `f`, after something is done to it.
fn after(source: &str, act: impl Fn(&mut Func)) -> Vec<Assignment> {
    let mut session = Session::new(SessionKind::Program);
    let input = session::Input { name: "test.hw", key: None, bytes: source.as_bytes() };
    assert!(session.add(input, &mut NoFiles).is_ok(), "the program is correct");
    let func = session.function("f").expect("there is a function `f`");
    let body = session.module().function(func);
    let mut ssa = build_recorded(&Input {
        module: session.module(),
        arrays: None,
        func,
        body,
        shape: &Shape::plain(body),
        entry: Entry::Call,
        leaving: Leaving::Never,
        paths: &Paths::default(),
        traces: None,
        expanded: &crate::body::expand::ExpandedBodies::default(),
        inlined_traces: &crate::trace::InlinedTraces::default(),
        not_inlined: &[],
        progress: None,
        observed: &crate::observed::Observed::default(),
        inlining: Inlining::Off,
    });
    act(&mut ssa);
    let mut record = ssa.record.take().expect("it is kept");
    record.after(&ssa, "sink");
    record.assignments(&ssa)
}

const PARTIALLY_DEAD: &str = "fn f(a: int, b: int) -> int {
    let x = a * b
    if a < b { return x }
    return a
}";

#[test]
fn a_sunk_assignment_is_in_the_branch_that_reads_it() {
    let sink = |func: &mut Func| {
        let block = func.blocks.keys().find(|block| matches!(func.blocks[*block].term, Term::Branch { .. }));
        let block = block.expect("there is a branch");
        let Term::Branch { then, .. } = &func.blocks[block].term else { unreachable!("it was looked for") };
        let to = then.block;
        let is_sunk = |inst: &Inst| func.insts[*inst].op == Op::Binary(BinaryOp::IntMul);
        let (sunk, kept): (Vec<Inst>, Vec<Inst>) = func.blocks[block].insts.iter().copied().partition(is_sunk);
        func.blocks[block].insts = kept;
        func.blocks[to].insts.splice(0..0, sunk);
    };
    let [x] = after(PARTIALLY_DEAD, sink).try_into().expect("there is one assignment");
    let Fate::Executed(places) = &x.fate else { panic!("{x:?}") };
    let [place] = places.as_slice() else { panic!("{x:?}") };
    assert!(place.position.block != x.block && place.position.index == 0 && place.when == When::Always, "{x:?}");
}

#[test]
fn what_a_pass_deletes_bears_its_name() {
    let [x] = after(PARTIALLY_DEAD, |func| func.blocks.values_mut().for_each(|data| data.insts.clear()))
        .try_into()
        .expect("there is one assignment");
    assert_eq!(x.fate, Fate::Deleted { pass: "sink", known: None });
}
