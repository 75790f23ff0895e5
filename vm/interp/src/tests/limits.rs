//! Fuel, time and interrupts: counted exactly, reported in place, never caught.

use super::*;
use holloway_runtime::flag;
use std::time::Duration;

/// Calls `f1` once, then runs a loop `n` times, all inside a `try`.
const PROGRAM: &str = r#"
type t0 = int
sig0 = (t0) -> t0
function f0 "main" sig0(v0: int) -> int !0:1..2 {
local v1: int
local v2: bool
local v3: ref
block0 catch block4: v1 = call f1(3) !0:10..11 v1 = copy 0 jump block1
block1 catch block4: v2 = ilt v1, v0 !0:20..21 branch v2, block2, block3
block2 catch block4: v1 = iadd v1, 1 !0:30..31 jump block1
block3: return v1
block4: v3 = catch_message return -1
}
function f1 "inner" sig0(v0: int) -> int !0:40..41 {
block0: return v0 !0:50..51
}
"#;

fn run_with(limits: Limits, times: u64, prepare: impl FnOnce(&mut Runtime)) -> String {
    let mut rt = runtime(PROGRAM, limits, 0);
    prepare(&mut rt);
    let outcome = Interpreter::new().call(&mut rt, FuncRef::from_u32(0), &[times]);
    told(&mut rt, outcome)
}

fn with_fuel(fuel: u64, times: u64) -> String {
    run_with(Limits { fuel: Some(fuel), time: None }, times, |_| {})
}

#[test]
fn fuel_pays_entries_and_back_edges() {
    assert_eq!(with_fuel(0, 5), "out of fuel @ 10..11\n  in main @ 10..11");
    assert_eq!(with_fuel(1, 5), "out of fuel @ 50..51\n  in inner @ 50..51\n  in main @ 10..11");
    assert_eq!(with_fuel(2, 0), "= 0", "two entries and no back edge");
    assert_eq!(with_fuel(2, 5), "out of fuel @ 20..21\n  in main @ 20..21");
    assert_eq!(with_fuel(6, 5), "out of fuel @ 20..21\n  in main @ 20..21");
    assert_eq!(with_fuel(7, 5), "= 5");
}

#[test]
fn limits_start_anew() {
    let limits = Limits { fuel: Some(7), time: None };
    let mut rt = runtime(PROGRAM, limits, 0);
    let mut interpreter = Interpreter::new();
    for _ in 0..3 {
        assert_eq!(interpreter.call(&mut rt, FuncRef::from_u32(0), &[5]), Ok(Some(5)));
        assert!(interpreter.call(&mut rt, FuncRef::from_u32(0), &[5]).is_err());
        rt.set_limits(limits);
    }
    rt.set_limits(Limits::default());
    assert_eq!(interpreter.call(&mut rt, FuncRef::from_u32(0), &[100_000]), Ok(Some(100_000)));
}

#[test]
fn an_interrupt_stops_the_program_once() {
    let raised = |rt: &mut Runtime| rt.interrupt_handle().interrupt();
    assert_eq!(run_with(Limits::default(), 5, raised), "interrupted @ 10..11\n  in main @ 10..11");
    let mut rt = runtime(PROGRAM, Limits::default(), 0);
    rt.interrupt_handle().interrupt();
    let mut interpreter = Interpreter::new();
    assert!(interpreter.call(&mut rt, FuncRef::from_u32(0), &[5]).is_err());
    assert_eq!(interpreter.call(&mut rt, FuncRef::from_u32(0), &[5]), Ok(Some(5)));
}

#[test]
fn an_interrupt_from_another_thread_ends_an_endless_loop() {
    let mut rt = runtime(PROGRAM, Limits::default(), 0);
    let handle = rt.interrupt_handle();
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        handle.interrupt();
    });
    let outcome = Interpreter::new().call(&mut rt, FuncRef::from_u32(0), &[i64::MAX as u64]);
    other.join().expect("no panic");
    assert!(told(&mut rt, outcome).starts_with("interrupted @ "));
}

#[test]
fn time_runs_out() {
    let none = Limits { fuel: None, time: Some(Duration::ZERO) };
    assert_eq!(run_with(none, 5, |_| {}), "out of time @ 10..11\n  in main @ 10..11");
    let some = Limits { fuel: None, time: Some(Duration::from_millis(20)) };
    assert!(run_with(some, i64::MAX as u64, |_| {}).starts_with("out of time @ "));
    let plenty = Limits { fuel: None, time: Some(Duration::from_secs(1000)) };
    assert_eq!(run_with(plenty, 5, |_| {}), "= 5");
}

#[test]
fn flags_of_the_adaptive_system_stop_nothing() {
    let mut rt = runtime(PROGRAM, Limits::default(), 0);
    rt.interrupt_handle().raise(flag::TICK | flag::INSTALL);
    assert_eq!(Interpreter::new().call(&mut rt, FuncRef::from_u32(0), &[5]), Ok(Some(5)));
    assert_eq!(rt.context().flags(), flag::TICK | flag::INSTALL);
}
