//! The work in WebAssembly, by Wasmtime: a module as text, which it compiles.
//!
//! It has no piece with a struct: parameters of functions are numbers, and a host would have to lay a struct out in memory by hand.

use crate::work::{CALLS, NUMBERS, Piece, Work};
use wasmtime::{Caller, Engine, Instance, Linker, Module, Store, TypedFunc, WasmParams, WasmResults};

const SOURCE: &str = r#"(module
    (import "host" "add" (func $add (param i64 i64) (result i64)))
    (memory (export "memory") 1)
    (func (export "score") (param $level i64) (param $weight f64) (result f64)
        (f64.mul (f64.convert_i64_s (local.get $level)) (local.get $weight)))
    (func (export "calls") (param $n i64) (result i64) (local $i i64) (local $s i64)
        (block $done (loop $next
            (br_if $done (i64.ge_s (local.get $i) (local.get $n)))
            (local.set $s (call $add (local.get $s) (local.get $i)))
            (local.set $i (i64.add (local.get $i) (i64.const 1)))
            (br $next)))
        (local.get $s))
    (func (export "sum") (param $at i32) (param $count i32) (result f64) (local $end i32) (local $s f64)
        (local.set $end (i32.add (local.get $at) (i32.mul (local.get $count) (i32.const 8))))
        (block $done (loop $next
            (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $s (f64.add (local.get $s) (f64.load (local.get $at))))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br $next)))
        (local.get $s)))"#;

/// A module that runs.
struct Running {
    store: Store<()>,
    instance: Instance,
}

impl Running {
    fn new() -> Running {
        let engine = Engine::default();
        let module = Module::new(&engine, SOURCE).expect("it is correct");
        let mut linker = Linker::new(&engine);
        let add = |_: Caller<'_, ()>, a: i64, b: i64| a.wrapping_add(b);
        linker.func_wrap("host", "add", add).expect("it is a name");
        let mut store = Store::new(&engine, ());
        let instance = linker.instantiate(&mut store, &module).expect("there is memory");
        Running { store, instance }
    }

    fn function<A: WasmParams, R: WasmResults>(&mut self, name: &str) -> TypedFunc<A, R> {
        self.instance.get_typed_func(&mut self.store, name).expect("it fits")
    }
}

pub(super) fn work() -> Vec<Work> {
    let mut on = Running::new();
    let score = on.function::<(i64, f64), f64>("score");
    let call = move || assert_eq!(score.call(&mut on.store, (3, 0.5)).expect("it ends"), 1.5);
    let mut on = Running::new();
    let calls = on.function::<i64, i64>("calls");
    let host = move || assert_eq!(calls.call(&mut on.store, CALLS as i64).expect("it ends"), 499_500);
    let mut on = Running::new();
    let sum = on.function::<(i32, i32), f64>("sum");
    let memory = on.instance.get_memory(&mut on.store, "memory").expect("it is exported");
    let numbers = [0.5f64.to_le_bytes(); NUMBERS];
    memory.write(&mut on.store, 0, numbers.as_flattened()).expect("there is room");
    let floats = move || {
        let value = sum.call(&mut on.store, (0, NUMBERS as i32)).expect("it ends");
        assert_eq!(value, 500.0);
    };
    let creation = || {
        let mut on = Running::new();
        let score = on.function::<(i64, f64), f64>("score");
        assert_eq!(score.call(&mut on.store, (3, 0.5)).expect("it ends"), 1.5);
    };
    vec![
        Work::new("wasmtime", Piece::Call, call),
        Work::new("wasmtime", Piece::HostCalls, host),
        Work::new("wasmtime", Piece::Floats, floats),
        Work::new("wasmtime", Piece::Creation, creation),
    ]
}
