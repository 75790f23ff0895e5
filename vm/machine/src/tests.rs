//! Compiled code against the interpreter, on functions written as IR text.

mod linear;
mod provided;

use super::Machine;
use holloway_abi::graph_of::{block_of, node_of};
use holloway_interp::{EdgeCounter, Interpreter};
use holloway_ir::{Block, Inst, Local, Module, Operand, parse, verify};
use holloway_jit::{FuelCounting, MOST_COMPILED, Tier};
use holloway_runtime::failure::{FailureKind, Unwind};
use holloway_runtime::{Limits, Runtime, RuntimeConfig, Sink};
use std::sync::Arc;

fn module(text: &str) -> Arc<Module> {
    let module = parse::module(text).unwrap_or_else(|error| panic!("{error}"));
    for decl in module.funcs.values() {
        verify::verify(&module, &decl.body).unwrap_or_else(|error| panic!("{error}"));
    }
    Arc::new(module)
}

fn runtime(module: &Arc<Module>, limits: Limits) -> Runtime {
    let config = RuntimeConfig { sink: Sink::Captured(Vec::new()), limits, ..RuntimeConfig::default() };
    Runtime::new(Arc::clone(module), config).expect("memory")
}

/// Runs function 0 in both, and compares results, ends, output and edge counts.
fn agree(text: &str, args: &[u64], limits: Limits) -> Result<Option<u64>, Unwind> {
    let module = module(text);
    let mut interpreted = runtime(&module, limits);
    let mut interpreter = Interpreter::with_observer(EdgeCounter::default());
    let first = module.funcs.keys().next().expect("a function");
    let expected = interpreter.call(&mut interpreted, first, args);
    let mut machine = Machine::new(runtime(&module, limits)).expect("memory");
    if limits.fuel.is_some() {
        machine.code.set_fuel_counting(FuelCounting::On);
    }
    let found = machine.call(first, args);
    assert_eq!(found, expected);
    assert_eq!(machine.runtime.output.take_captured(), interpreted.output.take_captured());
    let naive = interpreter.observer;
    for (func, decl) in module.funcs.iter() {
        let Some(profile) = machine.profiles.get(func) else {
            assert_eq!(naive.entries.get(&func), None);
            continue;
        };
        let counts = profile.counts();
        assert_eq!(counts.residual, 0, "`{}`", decl.body.name);
        assert_eq!(counts.calls, naive.entries.get(&func).copied().unwrap_or(0), "`{}`", decl.body.name);
        for (id, edge) in profile.graph.edges().filter(|(id, _)| !profile.graph.is_return(*id)) {
            let key = (func, block_of(edge.from), block_of(edge.to));
            let expected = naive.edges.get(&key).copied().unwrap_or(0);
            assert_eq!(counts.edges[id], expected, "`{}` {:?}", decl.body.name, key);
        }
        for block in decl.body.blocks.keys() {
            let _ = counts.nodes[node_of(block)];
        }
    }
    expected
}

const FIB: &str = r#"
    type t0 = int
    sig0 = (t0) -> t0
    function f0 "fib" sig0(v0: int) -> int {
        local v1: bool
        local v2: int
        local v3: int
        local v4: int
    block0:
        v1 = ilt v0, 2
        branch v1, block1, block2
    block1:
        return v0
    block2:
        v2 = isub v0, 1
        v3 = call f0(v2)
        v2 = isub v0, 2
        v4 = call f0(v2)
        v3 = iadd v3, v4
        return v3
    }"#;

#[test]
fn recursion_returns_and_is_counted() {
    assert_eq!(agree(FIB, &[20], Limits::default()), Ok(Some(6765)));
}

#[test]
fn fuel_runs_out_at_the_same_call() {
    for fuel in [0, 1, 2, 3, 100, 21890, 21891, 21892] {
        let limits = Limits { fuel: Some(fuel), ..Limits::default() };
        let _ = agree(FIB, &[20], limits);
    }
}

/// Calls itself for ever; the caller catches the overflow.
const OVERFLOW: &str = r#"
    type t0 = int
    type t1 = str
    sig0 = () -> t0
    sig1 = (t0) -> t0
    function f0 "main" sig0() -> int {
        local v0: int
        local v1: ref
    block0:
        v0 = copy 0
        jump block1
    block1 catch block2:
        v0 = call f1(0)
        return v0
    block2:
        v1 = catch_message
        builtin write t1(v1)
        v0 = len v1
        return v0
    }
    function f1 "down" sig1(v0: int) -> int {
        local v1: int
    block0:
        v1 = iadd v0, 1
        builtin write t0(v1)
        v1 = call f1(v1)
        return v1
    }"#;

#[test]
fn the_stack_overflows_at_the_same_depth() {
    assert_eq!(agree(OVERFLOW, &[], Limits::default()), Ok(Some("stack overflow".len() as u64)));
}

/// A loop over an array whose accesses fail now and then inside a `try`.
const CATCHING: &str = r#"
    type t0 = int
    type t1 = str
    sig0 = (t0) -> t0
    function f0 "main" sig0(v0: int) -> int {
        local v1: ref
        local v2: int
        local v3: int
        local v4: bool
        local v5: ref
        local v6: int
    block0:
        v1 = new_array int 10, 7
        v2 = copy 0
        v3 = copy 0
        jump block1
    block1:
        v4 = ilt v2, v0
        branch v4, block2, block6
    block2 catch block4:
        v6 = elem_get int v1, v2
        v3 = iadd v3, v6
        v6 = isub v2, 5
        v6 = idiv 100, v6
        v3 = iadd v3, v6
        v3 = call f1(v3, v2)
        jump block3
    block3:
        v2 = iadd v2, 1
        jump block1
    block4:
        v5 = catch_message
        builtin write t1(v5)
        v3 = iadd v3, 1000
        jump block5
    block5:
        jump block3
    block6:
        return v3
    }
    sig1 = (t0, t0) -> t0
    string s0 = "seven"
    function f1 "check" sig1(v0: int, v1: int) -> int {
        local v2: bool
    block0:
        v2 = ieq v1, 7
        branch v2, block1, block2
    block1:
        fail user s0
    block2:
        return v0
    }"#;

#[test]
fn failures_are_caught_and_counted() {
    assert!(agree(CATCHING, &[14], Limits::default()).is_ok());
}

/// Builds a list of 100,000 records and sums it: allocation, collection, fields.
const LIST: &str = r#"
    type t0 = int
    type t1 = record r0
    type t2 = optional t1
    type t3 = bool
    record r0 "Node" { "value": t0, "next": t2, "even": t3 }
    sig0 = (t0) -> t0
    function f0 "main" sig0(v0: int) -> int {
        local v1: ref
        local v2: int
        local v3: bool
        local v4: int
        local v5: ref
        local v6: int
    block0:
        v1 = copy none
        v2 = copy 0
        jump block1
    block1:
        v3 = ilt v2, v0
        branch v3, block2, block3
    block2:
        v4 = irem v2, 2
        v3 = ieq v4, 0
        v1 = new_record r0(v2, v1, v3)
        v5 = new_record r0(v2, none, v3)
        v2 = iadd v2, 1
        jump block1
    block3:
        v6 = copy 0
        jump block4
    block4:
        v3 = rne v1, none
        branch v3, block5, block7
    block5:
        v5 = unwrap v1
        v4 = field_get r0 0, v5
        v3 = field_get r0 2, v5
        v6 = iadd v6, v4
        v1 = field_get r0 1, v5
        branch v3, block6, block4
    block6:
        v6 = iadd v6, 1
        jump block4
    block7:
        return v6
    }"#;

#[test]
fn records_survive_collections() {
    let n = 300_000;
    assert_eq!(agree(LIST, &[n], Limits::default()), Ok(Some(n * (n - 1) / 2 + n / 2)));
}

/// Fails in its first instruction.
const FIRST: &str = r#"
    type t0 = int
    sig0 = (t0) -> t0
    function f0 "first" sig0(v0: int) -> int {
        local v1: int
    block0:
        v1 = idiv 1, v0
        return v1
    }"#;

#[test]
fn the_first_instruction_has_a_place_in_optimized_code() {
    let module = module(FIRST);
    let first = module.funcs.keys().next().expect("a function");
    let mut machine = Machine::new(runtime(&module, Limits::default())).expect("memory");
    machine.first_tier = holloway_jit::Tier::Optimized;
    let Err(Unwind::Failure(failure)) = machine.call(first, &[0]) else { panic!("it divides by zero") };
    assert_eq!(failure.stack.len(), 1);
}

/// A function that does nothing, in very many instructions.
fn larger_than_compiled() -> Module {
    let caller = r#"
    sig0 = ()
    function f0 "huge" sig0() {
        local v0: int
    block0:
        return
    }
    function f1 "caller" sig0() {
    block0:
        call f0()
        return
    }"#;
    let mut module = parse::module(caller).unwrap_or_else(|error| panic!("{error}"));
    let huge = module.funcs.keys().next().expect("a function");
    let mut body = (**module.function(huge)).clone();
    let block = &mut body.blocks[Block::from_u32(0)];
    block.insts = vec![Inst::Copy { dst: Local::from_u32(0), src: Operand::Int(1) }; MOST_COMPILED];
    block.spans = vec![block.term_span; MOST_COMPILED];
    module.funcs[huge].body = Arc::new(body);
    module
}

#[test]
fn a_function_beyond_the_compiler_is_a_failure() {
    let module = Arc::new(larger_than_compiled());
    let funcs: Vec<_> = module.funcs.keys().collect();
    let mut machine = Machine::new(runtime(&module, Limits::default())).expect("memory");
    for (called, stack) in [(funcs[0], vec![funcs[0]]), (funcs[1], vec![funcs[1]])] {
        let Err(Unwind::Failure(failure)) = machine.call(called, &[]) else { panic!("it cannot be compiled") };
        assert_eq!(failure.kind, FailureKind::FunctionTooLarge);
        assert_eq!(failure.stack.iter().map(|frame| frame.function).collect::<Vec<_>>(), stack);
    }
}

#[test]
fn a_function_too_large_to_optimize_is_baseline_code() {
    let mut module = larger_than_compiled();
    let huge = module.funcs.keys().next().expect("a function");
    let mut body = (**module.function(huge)).clone();
    for (size, tier) in [(4_999, Tier::Optimized), (5_000, Tier::Baseline)] {
        let block = &mut body.blocks[Block::from_u32(0)];
        block.insts.truncate(size);
        block.insts.resize(size, Inst::Copy { dst: Local::from_u32(0), src: Operand::Int(1) });
        block.spans.resize(size, block.term_span);
        module.funcs[huge].body = Arc::new(body.clone());
        let mut machine = Machine::new(runtime(&Arc::new(module.clone()), Limits::default())).expect("memory");
        machine.first_tier = Tier::Optimized;
        assert_eq!(machine.call(huge, &[]), Ok(None));
        assert_eq!(machine.code.version(huge).map(|version| version.tier), Some(tier));
    }
}

/// `f(n)` calls itself `n` deep with a frame of 1 MB.
fn large_frames() -> String {
    let locals = 1..130_000;
    let declared: String = locals.clone().map(|at| format!("local v{at}: int\n")).collect();
    let assigned: String = locals.clone().map(|at| format!("v{at} = copy {at}\n")).collect();
    let summed: String = locals.skip(1).map(|at| format!("v1 = iadd v1, v{at}\n")).collect();
    format!(
        "type t0 = int\nsig0 = (t0) -> t0\nfunction f0 \"f\" sig0(v0: int) -> int {{\n{declared}local v130000: bool\n\
         block0:\n{assigned}v130000 = ieq v0, 0\nbranch v130000, block2, block1\n\
         block1:\nv0 = isub v0, 1\nv0 = call f0(v0)\njump block2\n\
         block2:\n{summed}v1 = iadd v1, v0\nreturn v1\n}}\n\
         function f1 \"first\" sig0(v0: int) -> int {{\nlocal v1: bool\nblock0:\nv1 = ieq v0, 0\nbranch v1, block1, block2\n\
         block1:\nv0 = call f0(v0)\nreturn v0\nblock2:\nv0 = isub v0, 1\nv0 = call f1(v0)\nreturn v0\n}}"
    )
}

#[test]
fn frames_larger_than_the_guard_below_the_stack_overflow_it_in_good_order() {
    let module = Arc::new(parse::module(&large_frames()).unwrap_or_else(|error| panic!("{error}")));
    let funcs: Vec<_> = module.funcs.keys().collect();
    let mut machine = Machine::new(runtime(&module, Limits::default())).expect("memory");
    // The frame is first made when the stack is all but used up by smaller ones, then by itself.
    assert_eq!(machine.call(funcs[1], &[90_000]).map(|sum| sum > Some(0)), Ok(true));
    for _ in 0..2 {
        let Err(Unwind::Failure(failure)) = machine.call(funcs[0], &[100_000]) else { panic!("a gigabyte is enough") };
        assert_eq!(failure.kind, FailureKind::StackOverflow);
        assert!((900..1040).contains(&failure.stack.len()), "{}", failure.stack.len());
        assert_eq!(machine.call(funcs[0], &[500]).map(|sum| sum > Some(0)), Ok(true));
    }
}
