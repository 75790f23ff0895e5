//! The verifier of the SSA form refuses each kind of bad function.
//!
//! In: a small function with one fault. Out: the sentence that names it. The same function without the fault is accepted.

use holloway_jit::opt::ssa::Origin;
use holloway_jit::opt::{parse, verify};
use holloway_lang::ir::{self, Module};

/// Module whose items the functions may refer to.
const MODULE: &str = r#"
type t0 = int
type t1 = float
type t2 = str
sig0 = (t0, t1) -> t0
record r0 "R" { "a": t0, "b": t1, "c": t2 }
string s0 = "text"
global g0 "g": t1
function f0 "f" sig0(v0: int, v1: float) -> int {
block0:
    return v0
}"#;

fn module() -> Module {
    ir::parse::module(MODULE).unwrap_or_else(|error| panic!("{error}"))
}

fn verified(text: &str) -> Result<(), String> {
    let func = parse::function(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify::verify(&module(), &func)
}

/// A function of one block with values of each type: `%0` to `%4`.
fn with(insts: &str) -> String {
    format!("ssa {{\n    slot 0: float\nb0(%0: int, %1: float, %2: bool, %3: ref, %4: func):\n{insts}\n    return\n}}")
}

#[test]
fn operands_and_results_of_every_operation_have_their_types() {
    // What is right, and the same with something wrong.
    for (good, bad) in [
        ("%5: float = itof %0", "%5: float = itof %1"),
        ("%5: int = iadd %0, 1", "%5: int = iadd %0, 1.0f"),
        ("%5: bool = ilt %0, 1", "%5: int = ilt %0, 1"),
        ("%5: float = select %2, %1, 1.5f", "%5: float = select %2, %1, 1"),
        ("%5: float = select %2, %1, 1.5f", "%5: float = select %0, %1, 1.5f"),
        ("%5: bool = below %0, 1", "%5: bool = below %0, %2"),
        ("check_zero %0", "check_zero %1"),
        ("check_zero %0", "%5: int = check_zero %0"),
        ("check_index %0, 1", "check_index %3, 1"),
        ("check_some %3", "check_some %0"),
        ("check_some %4", "check_some true"),
        ("%5: int = load len %3", "%5: int = load len %0"),
        ("%5: float = load elem float %3, %0", "%5: int = load elem float %3, %0"),
        ("%5: int = load elem byte %3, %0", "%5: int = load elem byte %0, %3"),
        ("%5: ref = load field r0.2 %3", "%5: float = load field r0.2 %3"),
        ("%5: float = load global g0", "%5: int = load global g0"),
        ("%5: float = load slot 0", "%5: int = load slot 0"),
        ("%5: bool = load state 0", "load state 0"),
        ("store elem int %3, %0, 7", "store elem int %3, %0, true"),
        ("store field r0.0 %3, %0", "store field r0.0 %3, %1"),
        ("store global g0 %1", "store global g0 %0"),
        ("store slot 0 %1", "store slot 0 %3"),
        ("store slot 0 %1", "store state 0 %0"),
        ("store slot 0 %1", "store len %3, 5"),
        ("%5: int = call f0(%0, %1)", "%5: int = call f0(%0)"),
        ("%5: int = call f0(%0, %1)", "call f0(%0, %1)"),
        ("%5: int = call_indirect sig0 %4(%0, %1)", "%5: int = call_indirect sig0 %3(%0, %1)"),
        ("%5: int = call_indirect sig0 %4(%0, %1)", "%5: int = call_indirect sig0 %4(%1, %0)"),
        ("builtin write t2(%3)", "builtin write t2(%0)"),
        ("%5: float = builtin sin(%1)", "%5: float = builtin sin(%0)"),
        ("%5: float = builtin sin(%1)", "%5: int = builtin sin(%1)"),
        ("%5: ref = new_record r0(%0, %1, %3)", "%5: ref = new_record r0(%0, %1)"),
        ("%5: ref = new_array float %0, %1", "%5: ref = new_array float %0, %0"),
        ("%5: ref = array_of byte(%0, 1)", "%5: ref = array_of byte(%0, true)"),
        ("%5: ref = allocated(%3, %0)", "%5: ref = allocated(%3, %1)"),
        ("osr_point(%0, %3)", "%5: int = osr_point(%0, %3)"),
        ("probe count 8 %0", "probe count 8 %1"),
        ("%5: int = probe paths one steps 8 64 4 15 0 %0, %0", "probe paths one steps 8 64 4 15 0 %0, %0"),
        ("probe emit(%0, 1)", "probe emit(%0, %2)"),
    ] {
        assert_eq!(verified(&with(good)), Ok(()), "{good}");
        let problem = verified(&with(bad)).expect_err(bad);
        let told = ["other types", "another type", "is no store"];
        assert!(told.iter().any(|words| problem.contains(words)), "{bad}: {problem}");
    }
}

#[test]
fn what_is_named_is_declared() {
    for (inst, name) in [
        ("%5: int = call f7(%0)", "f7"),
        ("%5: int = call_indirect sig3 %4()", "sig3"),
        ("%5: ref = new_record r1()", "r1"),
        ("%5: int = load field r0.3 %3", "r0.3"),
        ("%5: int = load global g5", "g5"),
        ("%5: int = load slot 1", "slot 1"),
        ("builtin write t9(%0)", "t9"),
        ("probe pending 0(%0, %0)", "slots from 0 on"),
    ] {
        let problem = verified(&with(inst)).expect_err(inst);
        assert!(problem.contains(name) && problem.contains("not declared"), "{inst}: {problem}");
    }
    let site = "ssa {\n    site 0 = f0 block0 in @3\n    entry @0\nb0():\n    return @0\n}";
    assert_eq!(verified(site), Err("site 3 is not declared".to_owned()));
}

#[test]
fn blocks_end_as_they_should() {
    let bad = |term: &str, more: &str| {
        format!("ssa -> int {{\nb0(%0: int, %1: float, %2: bool):\n    {term}\nb1(%3: int):\n    return %3\n{more}}}")
    };
    assert_eq!(verified(&bad("branch %2, b1(%0), b1(7)", "")), Ok(()));
    for (term, why) in [
        ("branch %0, b1(1), b1(2)", "b0 ends with a value of another type"),
        ("switch %2 [1: b1(1)], b1(2)", "b0 ends with a value of another type"),
        ("switch %0 [1: b1(1), 1: b1(3)], b1(2)", "b0 switches to two targets in one case"),
        ("return %1", "b0 ends with a value of another type"),
        ("return", "b0 ends with a value of another type"),
        ("fail user %0", "b0 ends with a value of another type"),
        ("exit %2", "b0 ends with a value of another type"),
        ("jump b1()", "b0 gives 0 arguments to b1"),
        ("jump b1(%1)", "b0 gives %1 to %3 of another type"),
    ] {
        assert_eq!(verified(&bad(term, "")), Err(why.to_owned()), "{term}");
    }
}

#[test]
fn uses_are_behind_definitions_and_blocks_in_their_places() {
    for (text, why) in [
        (
            "b0(%0: int):\n    %1: int = iadd %2, 1\n    %2: int = iadd %0, 1\n    return",
            "b0 uses %2, which does not reach it",
        ),
        (
            "b0(%0: bool):\n    branch %0, b1(), b2()\nb1():\n    %1: int = iadd 1, 2\n    jump b2()\nb2():\n    exit %1",
            "b2 uses %1, which does not reach it",
        ),
        // A failure leaves a block before its values may be there.
        (
            "b0():\n    jump b1()\nb1() catch b2:\n    %0: int = iadd 1, 2\n    check_zero %0\n    return\nb2():\n    \
             %1: ref = catch_message\n    exit %0",
            "b2 uses %0, which does not reach it",
        ),
        ("b0():\n    jump b1()\nb1():\n    jump b0()", "b1 jumps to the entry"),
        (
            "b0():\n    jump b1()\nb1() catch b2:\n    check_zero 0\n    jump b2()\nb2():\n    %1: ref = catch_message\n    return",
            "b1 jumps to the handler b2",
        ),
        (
            "b0():\n    jump b1()\nb1() catch b2:\n    check_zero 0\n    return\nb2():\n    return",
            "the handler b2 does not start with catch_message",
        ),
        (
            "b0():\n    jump b1()\nb1() catch b2:\n    check_zero 0\n    return\nb2(%0: int):\n    %1: ref = catch_message\n    return",
            "the handler b2 has parameters",
        ),
        (
            "b0():\n    check_zero 1\n    %1: ref = catch_message\n    return",
            "b0 catches a message behind other instructions",
        ),
    ] {
        assert_eq!(verified(&format!("ssa {{\n{text}\n}}")), Err(why.to_owned()), "{text}");
    }
}

#[test]
fn an_instruction_stands_once() {
    let mut func = parse::function("ssa {\nb0(%0: int):\n    check_zero %0\n    return\n}").expect("it is right");
    let inst = func.blocks[func.entry].insts[0];
    let entry = func.entry;
    func.blocks[entry].insts.push(inst);
    assert_eq!(verify::verify(&module(), &func), Err(format!("{inst} stands twice")));
    // An unreachable block is one, too.
    func.blocks[entry].insts.pop();
    assert_eq!(verify::verify(&module(), &func), Ok(()));
    let left = func.new_block(Origin::own(ir::Block::from_u32(0)), None, 0);
    func.blocks[left].insts.push(inst);
    assert_eq!(verify::verify(&module(), &func), Err(format!("{inst} stands twice")));
}

#[test]
fn the_entry_has_the_parameters_that_callers_pass() {
    let mut func = parse::function(&with("")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verify::verify(&module(), &func), Ok(()));
    func.add_param(func.entry, ir::Scalar::Int);
    assert_eq!(verify::verify(&module(), &func), Err("the entry b0 has other parameters".to_owned()));
}
