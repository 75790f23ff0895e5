//! Hosts that load modules: what they get, and every refusal.

use holloway::wasm::{ValType, WasmValue};
use holloway::{Config, Context, DeclareError, Engine, RunError, TierChoice, Value};

#[test]
fn functions_of_the_host_are_called() {
    for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized, TierChoice::Auto] {
        let mut engine = Engine::new(Config { tier, ..Config::default() }).expect("there is memory");
        let params = [ValType::I32, ValType::I64, ValType::F32, ValType::F64, ValType::I32, ValType::F64];
        let results = [ValType::F64, ValType::I32];
        engine.wasm_imports().function("env", "mix", &params, &results, |args| {
            let [_, _, _, _, WasmValue::I32(fifth), WasmValue::F64(sixth)] = args else { panic!("{args:?}") };
            if *fifth < 0 {
                return Err("the host refuses".to_owned());
            }
            Ok(vec![WasmValue::F64(*sixth + 0.5), WasmValue::I32(*fifth)])
        });
        engine.wasm_imports().global("env", "constant", WasmValue::I32(40));
        let text = r#"(module
            (import "env" "mix" (func $mix (param i32 i64 f32 f64 i32 f64) (result f64 i32)))
            (import "env" "constant" (global i32))
            (func (export "mix") (param i32) (result f64 i32)
                (call $mix (i32.const 1) (i64.const 2) (f32.const 3) (f64.const 4) (local.get 0) (f64.const 6)))
            (func (export "constant") (result i32) (i32.add (global.get 0) (i32.const 2))))"#;
        engine.load("a.wat", text).unwrap_or_else(|error| panic!("{error}"));
        let mixed = engine.call_export("mix", &[WasmValue::I32(9)]).unwrap();
        assert_eq!(mixed, [WasmValue::F64(6.5), WasmValue::I32(9)]);
        assert_eq!(engine.call_export("constant", &[]).unwrap(), [WasmValue::I32(42)]);
        let refused = engine.call_export("mix", &[WasmValue::I32(-1)]).unwrap_err();
        assert_eq!(refused.to_string(), "the host refuses");
        let ty = engine.call_export("mix", &[WasmValue::I64(1)]).unwrap_err();
        assert_eq!(ty.to_string(), "expected a value of type i32, found i64");
        assert!(engine.call_export("mix", &[]).is_err() && engine.call_export("nothing", &[]).is_err());
    }
}

#[test]
fn functions_are_those_of_the_module() {
    let text = r#"(module
        (import "env" "give" (func $give (result funcref)))
        (type $number (func (result i32)))
        (table 1 funcref)
        (func $seven (export "seven") (result i32) (i32.const 7))
        (elem declare func $seven)
        (func (export "reference") (result funcref) (ref.func $seven))
        (func (export "call") (param funcref) (result i32)
            (table.set (i32.const 0) (local.get 0))
            (call_indirect (type $number) (i32.const 0)))
        (func (export "given") (result i32)
            (table.set (i32.const 0) (call $give))
            (call_indirect (type $number) (i32.const 0))))"#;
    for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
        for (given, expected) in [
            (Some(1), "[I32(7)]"),
            (Some(1000), "none of the module"),
            (Some(u32::MAX), "none of the module"),
            (None, "uninitialized element"),
        ] {
            let mut engine = Engine::new(Config { tier, ..Config::default() }).expect("there is memory");
            let give = move |_: &[WasmValue]| Ok(vec![WasmValue::FuncRef(given)]);
            engine.wasm_imports().function("env", "give", &[], &[ValType::FuncRef], give);
            engine.load("a.wat", text).unwrap();
            let reference = engine.call_export("reference", &[]).unwrap();
            assert_eq!(engine.call_export("call", &reference).unwrap(), [WasmValue::I32(7)]);
            for none in [6, u32::MAX] {
                let other = engine.call_export("call", &[WasmValue::FuncRef(Some(none))]).unwrap_err().to_string();
                assert_eq!(other, format!("expected a value of type function of the module, found func {none}"));
            }
            let found = engine.call_export("given", &[]);
            let found = found.map_or_else(|error| error.to_string(), |values| format!("{values:?}"));
            assert!(found.ends_with(expected), "{found}");
        }
    }
}

#[test]
fn a_failure_has_its_place_and_its_callers() {
    let text = "(module\n  (func $inner (param i32) (result i32)\n    (i32.div_u\n      (i32.const 1)\n      (local.get 0)))\n  (func (export \"outer\") (result i32)\n    (call $inner\n      (i32.const 0))))";
    for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
        let mut engine = Engine::new(Config { tier, ..Config::default() }).expect("there is memory");
        engine.load("dir/a.wat", text).unwrap();
        let error = engine.call_export("outer", &[]).unwrap_err();
        let holloway::CallError::Run(RunError::Failure(failure)) = error else { panic!("{error}") };
        assert_eq!(failure.to_string(), "integer divide by zero");
        let places: Vec<String> = failure.stack.iter().map(|frame| engine.sources().place(frame.at)).collect();
        assert_eq!(places, ["dir/a.wat:3:5", "dir/a.wat:7:5"]);
    }
}

/// Imports that a host does not have, and what is said.
const UNKNOWN: [(&str, &str); 5] = [
    (r#""env" "f" (func)"#, "unknown import: there is no function `f` in `env`"),
    (
        r#""wasi_snapshot_preview1" "fd_close" (func (param i64) (result i32))"#,
        "incompatible import type: `fd_close` in `wasi_snapshot_preview1` is (i32) -> (i32), not (i64) -> (i32)",
    ),
    (r#""env" "g" (global i32)"#, "unknown import: there is no global `g` in `env`"),
    (r#""env" "m" (memory 1)"#, "unknown import: there is no memory `m` in `env`"),
    (r#""env" "t" (table 1 funcref)"#, "unknown import: there is no table `t` in `env`"),
];

/// Imports that are other than those of a host with a global, a memory and a table, and what is said.
const OTHERS: [(&str, &str); 4] = [
    (r#""env" "g" (global i32)"#, "`g` in `env` is a constant i64, not a constant i32"),
    (r#""env" "g" (global (mut i64))"#, "`g` in `env` is a constant i64, not a mutable i64"),
    (r#""env" "m" (memory 2 3)"#, "`m` in `env` is a memory of 1 to 2 pages, not a memory of 2 to 3 pages"),
    (r#""env" "t" (table 1 1 funcref)"#, "`t` in `env` is a table of 1 to 2 entries, not a table of 1 to 1 entries"),
];

#[test]
fn what_cannot_be_linked_is_named() {
    let mut engine = Engine::new(Config::default()).unwrap();
    let refused = |engine: &mut Engine, import: &str, said: &str| {
        let error = engine.load("a.wat", format!("(module (import {import}))")).expect_err("it is refused");
        assert_eq!(error.to_string(), format!("a.wat: {said}"));
    };
    UNKNOWN.iter().for_each(|(import, said)| refused(&mut engine, import, said));
    engine.wasm_imports().global("env", "g", WasmValue::I64(1));
    engine.wasm_imports().memory("env", "m", 1, 2);
    engine.wasm_imports().table("env", "t", 1, 2);
    for (import, said) in OTHERS {
        refused(&mut engine, import, &format!("incompatible import type: {said}"));
    }
}

#[test]
fn a_module_is_alone() {
    let alone = "a module of WebAssembly is a program of its own; nothing is added to one, nor one to others";
    let mut engine = Engine::new(Config::default()).unwrap();
    engine.load("a.wat", "(module)").unwrap();
    assert_eq!(engine.load("b.wat", "(module)").unwrap_err().to_string(), format!("b.wat: {alone}"));
    assert_eq!(engine.load("b.hw", "print(1)").unwrap_err().to_string(), format!("b.hw: {alone}"));
    let mut engine = Engine::new(Config::default()).unwrap();
    engine.load("a.hw", "fn f() {}").unwrap();
    assert_eq!(engine.load("b.wat", "(module)").unwrap_err().to_string(), format!("b.wat: {alone}"));
}

#[test]
fn memory_is_bounded() {
    let heap = holloway::HeapConfig { limit: 1 << 20, ..Default::default() };
    let mut engine = Engine::new(Config { heap, ..Config::default() }).unwrap();
    let error = engine.load("a.wat", "(module (memory 17))").unwrap_err().to_string();
    assert!(error.starts_with("a.wat: no room for the memory or the tables: "), "{error}");
    let mut engine = Engine::new(Config { heap, ..Config::default() }).unwrap();
    let text = "(module (memory 1) (func (export \"grow\") (param i32) (result i32) (memory.grow (local.get 0))))";
    engine.load("a.wat", text).unwrap();
    let mut grow = |pages| engine.call_export("grow", &[WasmValue::I32(pages)]).unwrap()[0];
    assert_eq!([grow(15), grow(1)], [WasmValue::I32(1), WasmValue::I32(-1)]);
}

#[test]
fn nothing_is_declared_in_a_module() {
    let text = r#"(module
        (import "env" "seven" (func $seven (result i32)))
        (func (export "seven") (result i32) (call $seven)))"#;
    let mut engine = Engine::new(Config::default()).unwrap();
    let seven = |_: &[WasmValue]| Ok(vec![WasmValue::I32(7)]);
    engine.wasm_imports().function("env", "seven", &[], &[ValType::I32], seven);
    engine.load("a.wat", text).unwrap();
    let refused = |declared: Result<(), DeclareError>, name: &str| {
        let error = declared.expect_err("it is refused");
        assert!(matches!(&error, DeclareError::OfModule(found) if found == name), "{error}");
    };
    refused(engine.function("other", || 8), "other");
    let eight = |_: &mut Context<'_>, _: &[Value]| Ok::<_, String>(Value::Int(8));
    refused(engine.function_as("fn other() -> int", eight), "fn other() -> int");
    refused(engine.opaque::<u8>("Other"), "Other");
    assert_eq!(engine.call_export("seven", &[]).unwrap(), [WasmValue::I32(7)]);
}

#[test]
fn what_was_not_instantiated_has_no_exports() {
    let text = r#"(module
        (memory 1)
        (global (export "global") i32 (i32.const 7))
        (data (i32.const 65536) "a")
        (func (export "seven") (result i32) (global.get 0)))"#;
    for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
        let mut engine = Engine::new(Config { tier, ..Config::default() }).unwrap();
        engine.load("a.wat", text).unwrap();
        let failed = engine.call_export("seven", &[]).unwrap_err().to_string();
        assert_eq!(failed, "out of bounds memory access");
        assert_eq!(engine.call_export("seven", &[]).unwrap_err().to_string(), "there is no function `seven`");
        assert_eq!(engine.exported_global("global").unwrap_err().to_string(), "there is no global `global`");
        assert_eq!(engine.exports().count(), 0);
    }
}
