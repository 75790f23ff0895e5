//! Modules that are refused, each with the text that says why.

use holloway_wasm::lower;

fn refusal(text: impl AsRef<[u8]>) -> String {
    lower("a.wat", text.as_ref(), &mut |_| None).expect_err("it is refused").to_string()
}

#[test]
fn proposals_are_named() {
    let uses = |text: &str| {
        let refusal = refusal(text);
        let (_, proposal) =
            refusal.split_once("a proposal that is not supported: ").unwrap_or_else(|| panic!("{refusal}"));
        proposal.to_owned()
    };
    assert_eq!(uses("(module (func (drop (v128.const i64x2 0 0))))"), "SIMD");
    assert_eq!(uses("(module (func (result v128) (i32x4.relaxed_trunc_f32x4_s (v128.const i64x2 0 0))))"), "SIMD");
    assert_eq!(uses("(module (memory 1 1 shared))"), "threads");
    assert_eq!(uses("(module (memory 1) (func (drop (i32.atomic.load (i32.const 0)))))"), "threads");
    assert_eq!(uses("(module (func $f (return_call $f)))"), "tail calls");
    assert_eq!(uses("(module (tag) (func (throw 0)))"), "exception handling");
    assert_eq!(uses("(module (func try nop catch_all end))"), "legacy exception handling");
    assert_eq!(uses("(module (memory i64 1))"), "memory64");
    assert_eq!(uses("(module (memory 1) (memory 1))"), "multiple memories");
    assert_eq!(uses("(module (global i32 (i32.add (i32.const 1) (i32.const 2))))"), "extended constant expressions");
    assert_eq!(uses("(module (type $t (func)) (func (param (ref $t))))"), "function references");
    assert_eq!(uses("(module (type $t (struct)))"), "garbage collection");
    assert_eq!(
        uses("(module (func (drop (i64.add128 (i64.const 0) (i64.const 0) (i64.const 0) (i64.const 0))) drop))"),
        "wide arithmetic"
    );
    assert_eq!(uses("(module (memory 1 (pagesize 1)))"), "custom page sizes");
    assert_eq!(
        uses("(module (import \"a\" \"b\" (global funcref)) (elem funcref (global.get 0)))"),
        "imported globals in passive element segments"
    );
    assert_eq!(
        refusal(b"\0asm\x0d\0\x01\0"),
        "at offset 0x4 the module uses a proposal that is not supported: component model"
    );
    assert_eq!(
        refusal("(module (func (drop (v128.const i64x2 0 0))))"),
        "at offset 0x17 the module uses a proposal that is not supported: SIMD"
    );
}

#[test]
fn faults_have_their_places() {
    assert_eq!(
        refusal("(module\n  (func (result i32) i32.fish))"),
        "line 2, column 22: unknown operator or unexpected token"
    );
    assert_eq!(
        refusal("(module (func (result i32) i64.const 1))"),
        "invalid module at offset 0x1a: type mismatch: expected i32, found i64"
    );
    assert_eq!(refusal(b"\0asm\x01\0\0\0\x01"), "invalid module at offset 0x9: unexpected end-of-file");
    assert_eq!(refusal(b"\xff\xfe"), "invalid module at offset 0x0: neither a module nor text: it is not UTF-8");
}

#[test]
fn modules_have_limits() {
    let text = format!("(module (type (func (param {}))))", "i32 ".repeat(256));
    let refused = refusal(text);
    assert!(
        refused.ends_with("the module has too many parameters of a function: at most 255 are supported"),
        "{refused}"
    );
}
