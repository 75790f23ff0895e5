//! Modules with a linear memory: both tiers against the interpreter.

use super::{Interpreter, Machine, Tier, module, runtime};
use holloway_ir::Module;
use holloway_runtime::Limits;
use holloway_runtime::failure::Unwind;
use std::sync::Arc;

/// Runs function 0 in both tiers, which must end as the interpreter does, and leave the same memory.
fn agree(module: &Arc<Module>, args: &[u64]) -> Result<Option<u64>, Unwind> {
    let first = module.funcs.keys().next().expect("a function");
    let mut interpreted = runtime(module, Limits::default());
    interpreted.instantiate().expect("there is room");
    let expected = Interpreter::new().call(&mut interpreted, first, args);
    for tier in [Tier::Baseline, Tier::Optimized] {
        let mut machine = Machine::new(runtime(module, Limits::default())).expect("memory");
        machine.first_tier = tier;
        machine.instantiate().expect("there is room");
        assert_eq!(machine.call(first, args), expected, "{tier:?} {args:?}");
        let [found, wanted] = [&machine.runtime, &interpreted].map(|rt| rt.linear().expect("a memory").memory.bytes());
        assert!(found == wanted, "{tier:?} {args:?}: the memories differ");
    }
    expected
}

fn message(end: Result<Option<u64>, Unwind>) -> String {
    match end {
        Err(Unwind::Failure(failure)) => failure.to_string(),
        other => panic!("{other:?} is no failure"),
    }
}

/// Stores and loads of each width, at an address and a place behind it.
const ACCESSES: &str = r#"
    type t0 = int
    type t1 = float
    sig0 = (t0, t0) -> t0
    linear {
        memory 1 2
        types (0)
    }
    function f0 "accesses" sig0(v0: int, v1: int) -> int {
        local v2: int
        local v3: int
        local v4: float
    block0:
        store u8 v0, 0, v1
        store u16 v0, 2, v1
        store u32 v0, 4, v1
        store int v0, 8, v1
        v2 = load s8 v0, 0
        v3 = load u16 v0, 1
        v2 = ixor v2, v3
        v3 = load s16 v0, 2
        v2 = isub v2, v3
        v3 = load s32 v0, 4
        v2 = iadd v2, v3
        v3 = load u32 v0, 8
        v2 = imul v2, v3
        v4 = load float v0, 8
        store float v0, 16, v4
        v3 = load int v0, 16
        v2 = ixor v2, v3
        v3 = load u8 v0, 3
        v2 = iadd v2, v3
        return v2
    }"#;

#[test]
fn accesses_agree() {
    let module = module(ACCESSES);
    let value = 0x8182_f3f4_85c6_9788;
    for address in [0, 1, 4093, 65_512] {
        assert!(agree(&module, &[address, value]).is_ok());
    }
    for address in [65_513, 65_520, 65_536, 1 << 20, u64::from(u32::MAX)] {
        assert_eq!(message(agree(&module, &[address, value])), "out of bounds memory access");
    }
}

/// Grows the memory, and fills it as far as the operand says; a call deeper than the function that is called first.
const GROWN: &str = r#"
    type t0 = int
    sig0 = (t0) -> t0
    linear {
        memory 1 3
        table 3 3
        elements (3, 2)
        types (0, 0, 1)
    }
    function f0 "grown" sig0(v0: int) -> int {
        local v1: int
        local v2: func
    block0:
        builtin table_init(0, 0, 0, 0, 2)
        v1 = builtin memory_grow(1)
        v2 = builtin table_callee(0, 1, 0)
        v1 = call_indirect sig0 v2(v0)
        v2 = builtin table_callee(0, v1, 0)
        v1 = call_indirect sig0 v2(v0)
        return v1
    }
    function f1 "fill" sig0(v0: int) -> int {
        local v1: int
        local v2: bool
        local v3: int
    block0:
        v1 = copy 0
        v3 = copy 0
        jump block1
    block1:
        v2 = ult v1, v0
        branch v2, block2, block3
    block2:
        store int v1, 2147483648, v1
        v1 = wadd v1, 8
        jump block1
    block3:
        v3 = wrotl v1, 28
        return v3
    }
    function f2 "other" sig0(v0: int) -> int {
    block0:
        return v0
    }"#;

#[test]
fn calls_through_tables_and_faults_in_callees_agree() {
    let module = module(&GROWN.replace("2147483648", "16"));
    assert_eq!(message(agree(&module, &[0])), "indirect call type mismatch");
    assert!(agree(&module, &[16]).is_ok());
    assert_eq!(message(agree(&module, &[32])), "uninitialized element");
    assert_eq!(message(agree(&module, &[48])), "undefined element");
    assert_eq!(message(agree(&module, &[200_000])), "out of bounds memory access");
    let far = super::module(GROWN);
    assert_eq!(message(agree(&far, &[200_000])), "out of bounds memory access");
}

#[test]
fn a_fault_after_another_machine_is_gone_is_still_a_failure() {
    let module = module(ACCESSES);
    let first = module.funcs.keys().next().expect("a function");
    let machine = || {
        let mut machine = Machine::new(runtime(&module, Limits::default())).expect("memory");
        machine.instantiate().expect("there is room");
        machine
    };
    let (mut one, other) = (machine(), machine());
    drop(other);
    for _ in 0..3 {
        assert_eq!(message(one.call(first, &[1 << 30, 0])), "out of bounds memory access");
        assert!(one.call(first, &[8, 1]).is_ok());
    }
}
