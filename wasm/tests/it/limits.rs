//! Small modules that stand for much: none becomes large, and some are refused.

use holloway_ir::FuncRef;
use holloway_wasm::{Lowered, WasmError, lower};

fn lowered(text: &str) -> Result<Lowered, WasmError> {
    lower("a.wat", text.as_bytes(), &mut |_| None)
}

#[test]
fn only_locals_that_are_named_are_made() {
    let declared = "i32 ".repeat(20_000);
    let text = format!(
        "(module (func (param f64) (result i32)
            (local f64 {declared} f64 i64)
            (local.set 20003 (i64.const 3))
            (local.set 7 (i32.const 4))
            (local.set 1 (local.get 20002))
            (i32.add (local.get 7) (i32.wrap_i64 (local.get 20003)))))"
    );
    let lowered = lowered(&text).expect("it is valid");
    let function = lowered.module.function(FuncRef::from_u32(0));
    assert!(function.locals.len() < 12, "{} locals", function.locals.len());
}

fn refusal(text: &str) -> String {
    lowered(text).expect_err("it is refused").to_string()
}

#[test]
fn lists_of_values_have_limits() {
    let many = "i32 ".repeat(256);
    let limit = "the module has too many results of a function: at most 255 are supported";
    // The offset is that of the type, behind an empty one.
    let refused = refusal(&format!("(module (type (func)) (type (func (result {many}))))"));
    assert_eq!(refused, format!("at offset 0xf {limit}"));
    let refused = refusal(&format!("(module (type (func)) (type (func (param {many}))))"));
    assert_eq!(refused, format!("at offset 0xf {}", limit.replace("results", "parameters")));
    let refused = refusal(&format!("(module (func (block (result {many}) unreachable) unreachable))"));
    assert!(refused.ends_with(limit), "{refused}");
}

#[test]
fn the_operand_stack_has_a_limit() {
    let many = "i32 ".repeat(255);
    let calls = "(call $many) ".repeat(260);
    let refused = refusal(&format!("(module (func $many (result {many}) unreachable) (func {calls} unreachable))"));
    assert!(refused.ends_with("too many values on the stack of a function: at most 65536 are supported"), "{refused}");
}

/// Code that names a list of 255 values, once more for each repetition.
const NAMINGS: &[&str] = &[
    "(block (call $many) (br 0))",
    "(block (block (type $many) (call $many) (br_if 0 (i32.const 1))) (br 0))",
    "(block (call $many) (call $takes))",
    "(block (call $many) (call_indirect (type $takes) (i32.const 0)))",
    "(block (call $many) (if (type $takes) (i32.const 1) (then (br 1)) (else (br 1))))",
];

#[test]
fn lists_of_values_are_not_written_out_without_end() {
    let values = "i32 ".repeat(255);
    for naming in NAMINGS {
        let text = format!(
            "(module (type $many (func (result {values}))) (type $takes (func (param {values}))) (table 1 funcref)
                (func $many (type $many) unreachable)
                (func $takes (type $takes))
                (func {}))",
            naming.repeat(17_500)
        );
        let refused = refusal(&text);
        let limit = "too many parameters and results of functions, calls and branches: at most 4194304 are supported";
        assert!(refused.ends_with(limit), "{naming}: {refused}");
    }
}

#[test]
fn functions_of_many_parameters_are_not_made_without_end() {
    let values = "i32 ".repeat(255);
    let ty = format!("(type $takes (func (param {values})))");
    let functions = "(func (type $takes)) ".repeat(17_500);
    assert!(lowered(&format!("(module {ty} {functions})")).is_err());
    let imports = "(import \"a\" \"b\" (func (type $takes))) ".repeat(17_500);
    assert!(lowered(&format!("(module {ty} {imports})")).is_err());
}
