//! Positions in tables that nobody writes: found by the way a trace takes, and what code is left of it.

use super::super::choose::trace;
use super::*;
use crate::arrays::{Arrays, BodyFacts};
use crate::compile::ssa;
use crate::opt::cfg::Graph;
use crate::opt::ssa::{Mem, Op, Term};
use crate::trace::counted::Traces;
use crate::{Request, Tier};
use holloway_lang::ir::{Elem, Module, parse};
use std::sync::Arc;

/// An interpreter whose program goes round through the positions 1, 2 and 3; `%` is what the program is made of.
const INTERPRETER: &str = "type t0 = int
type t1 = array t0
sig0 = (t1, t0) -> t0
sig1 = ()
global g0 \"code\": t1
top_level f1
function f0 \"run\" sig0(v0: ref \"code\", v1: int \"n\") -> int {
    local v2: int \"pc\"
    local v3: int \"sum\"
    local v4: bool
    local v5: int \"op\"
block0:
    v2 = copy 0
    v3 = copy 0
    jump block1
block1:
    v4 = ilt v3, v1
    branch v4, block2, block3
block2:
    v5 = elem_get int v0, v2
    v2 = iadd v2, 1
    switch v5 [0: block5, 1: block6], block7
block3:
    return v3
block4:
    jump block1
block5:
    v3 = iadd v3, 1
    jump block4
block6:
    v3 = iadd v3, 2
    jump block4
block7:
    v2 = copy 1
    jump block4
}
statements f1 \"test.hw\" sig1() {
    local v0: ref
    local v1: int
block0:
    v0 = array_of int(%)
    global_set g0, v0
    v1 = call f0(v0, 100)
    return
}";

/// The paths through one round of the program.
const ROUND: [[u32; 4]; 3] = [[1, 2, 6, 4], [1, 2, 5, 4], [1, 2, 7, 4]];

fn interpreter(program: &str) -> Arc<Module> {
    Arc::new(parse::module(&INTERPRETER.replace('%', program)).unwrap_or_else(|error| panic!("{error}")))
}

fn spec(rounds: &[&[[u32; 4]]]) -> TraceSpec {
    let trace = |round: &&[[u32; 4]]| Trace::new(round.iter().map(|path| blocks(path)).collect());
    TraceSpec { traces: rounds.iter().map(trace).collect(), ..super::spec(&[&ROUND[0]]) }
}

/// The spec of some rounds with what is expected in them.
fn expected(module: &Arc<Module>, rounds: &[&[[u32; 4]]]) -> TraceSpec {
    let arrays = Arrays::new(Arc::clone(module));
    let facts = BodyFacts::new(&arrays, FuncRef::from_u32(0), None);
    trace(module.function(FuncRef::from_u32(0)), &spec(rounds), Some(&facts))
}

#[test]
fn the_way_of_a_trace_tells_its_position() {
    let pc = Local::from_u32(2);
    let found = |program: &str| expected(&interpreter(program), &[&ROUND]).constants;
    assert_eq!(found("0, 1, 0, 2, 1, 1"), [(pc, 1)]);
    assert_eq!(found("0, 1, 0, 1, 1, 1"), [], "the program takes no such way");
    assert_eq!(found("0, 1, 0, 2, 1, 1, 0, 2"), [(pc, 1)], "from 5 it takes that way, but ends at 1");
}

#[test]
fn nothing_is_said_of_a_table_that_is_written() {
    let text = INTERPRETER.replace('%', "0, 1, 0, 2, 1, 1");
    let written = text.replace("v3 = iadd v3, 2", "elem_set int v0, 0, 1\n    v3 = iadd v3, 2");
    let module = Arc::new(parse::module(&written).unwrap_or_else(|error| panic!("{error}")));
    let spec = expected(&module, &[&ROUND]);
    assert_eq!((spec.constants, spec.traces[0].constants.as_slice()), (Vec::new(), [].as_slice()));
}

#[test]
fn each_of_several_traces_has_its_position() {
    let module = interpreter("0, 1, 0, 2, 1, 1");
    let turned = [ROUND[1], ROUND[2], ROUND[0]];
    let spec = expected(&module, &[&ROUND, &turned]);
    assert_eq!(spec.constants, []);
    let pc = Local::from_u32(2);
    assert_eq!(spec.traces.iter().map(|trace| trace.constants.clone()).collect::<Vec<_>>(), [[(pc, 1)], [(pc, 2)]]);
}

#[test]
fn the_code_of_a_trace_reads_no_more_of_the_program() {
    let module = interpreter("0, 1, 0, 2, 1, 1");
    let (func, spec) = (FuncRef::from_u32(0), expected(&module, &[&ROUND]));
    let body = module.function(func);
    let formed = form(body, &spec, TraceShape { unroll: 1, forced_failures: None }).expect("it can be formed");
    let traces = Some(Arc::new(Traces::new(Arc::new(formed))));
    let request = Request { traces, ..Request::new(func, Arc::clone(body), Tier::Optimized) };
    let in_loop = |arrays: &Arrays| {
        let ssa = ssa(&module, arrays, &request).expect("it is entered by calls");
        let graph = Graph::of(&ssa);
        let on_trace = graph.rpo.iter().filter(|block| graph.loop_depth(**block) > 0 && !ssa.blocks[**block].cold);
        let is_read = |op: Op| op == Op::Load(Mem::Elem(Elem::Int)) || op == Op::CheckIndex;
        let reads = |block: &&crate::opt::ssa::Block| {
            let insts = &ssa.blocks[**block].insts;
            insts.iter().any(|inst| is_read(ssa.insts[*inst].op))
                || matches!(ssa.blocks[**block].term, Term::Switch { .. })
        };
        on_trace.filter(reads).count()
    };
    assert_eq!(in_loop(&Arrays::new(Arc::clone(&module))), 0);
    assert!(in_loop(&Arrays::unknown()) > 0, "it does without");
}
