//! The export that a run begins with.
//!
//! In: modules whose exports set a global. Out: its value afterwards.

use holloway::wasm::{WasmConfig, WasmValue};
use holloway::{Config, Engine, Sink};

/// The value of the global when a module with these exports has run.
fn ran(exports: &str, invoke: Option<&str>) -> i32 {
    let text = format!(
        "(module (global $seen (export \"seen\") (mut i32) (i32.const 0))
            (func $see (param i32)
                (global.set $seen (i32.add (i32.mul (global.get $seen) (i32.const 10)) (local.get 0))))
            {exports})"
    );
    let wasm = WasmConfig { invoke: invoke.map(str::to_owned), ..WasmConfig::default() };
    let config = Config { wasm, output: Sink::Captured(Vec::new()), ..Config::default() };
    let mut engine = Engine::new(config).expect("there is memory");
    engine.load("a.wat", text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(engine.run().expect("it ends"), 0);
    match engine.exported_global("seen") {
        Ok(WasmValue::I32(seen)) => seen,
        other => panic!("{other:?}"),
    }
}

const START: &str = "(func (export \"_start\") (call $see (i32.const 1)))";
const MAIN: &str = "(func (export \"main\") (call $see (i32.const 2)))";
const INITIALIZE: &str = "(func (export \"_initialize\") (call $see (i32.const 3)))";
const OTHER: &str = "(func (export \"other\") (call $see (i32.const 4)))";

#[test]
fn a_run_begins_with_its_entry() {
    assert_eq!(ran(&[START, MAIN, OTHER].concat(), None), 1);
    assert_eq!(ran(&[MAIN, OTHER].concat(), None), 2);
    assert_eq!(ran(OTHER, None), 0);
    let start = "(func (export \"_start\") (param i32) (call $see (i32.const 5)))";
    assert_eq!(ran(&[start, MAIN].concat(), None), 0, "`main` does not stand for another `_start`");
}

#[test]
fn a_library_is_made_ready_before_an_export_is_called() {
    assert_eq!(ran(&[INITIALIZE, OTHER].concat(), None), 3);
    assert_eq!(ran(&[INITIALIZE, OTHER].concat(), Some("other")), 34);
    assert_eq!(ran(&[START, OTHER].concat(), Some("other")), 4, "a program is not run for one of its exports");
}

#[test]
fn what_cannot_be_called_is_said_before_anything_runs() {
    let text = "(module (func $trap unreachable) (start $trap) (func (export \"f\") (param i32)))";
    for (name, said) in [("g", "the module exports no function `g`"), ("f", "`f` takes 1 arguments, and 0 are given")] {
        let wasm = WasmConfig { invoke: Some(name.to_owned()), ..WasmConfig::default() };
        let mut engine = Engine::new(Config { wasm, ..Config::default() }).expect("there is memory");
        engine.load("a.wat", text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(engine.run().unwrap_err().to_string(), said);
    }
}
