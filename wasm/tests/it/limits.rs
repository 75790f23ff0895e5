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
