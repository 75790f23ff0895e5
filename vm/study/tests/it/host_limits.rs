//! The memory and the time that a program takes of its host: by values that it returns, output that is captured, and
//! work outside of its code. And the cost of a call besides the code that it runs.

use super::across::TIERS;
use super::common::{captured, engine, load, loaded};
use holloway::internals::Executor;
use holloway::{CallError, Config, Engine, RunError, TierChoice, Value};
use holloway_runtime::failure::{FailureKind, Unwind};
use holloway_runtime::heap::HeapConfig;
use holloway_runtime::{InterruptHandle, Limits, Sink};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// Values of many parts, of which most are shared: at 40 levels a copy of each part takes a terabyte.
const SHARED: &str = "
struct T { l: T?, r: T? }
fn bomb(n: int) -> T {
    var t = T(l: none, r: none)
    for i in 0..n { t = T(l: t, r: t) }
    return t
}
fn rows(n: int) -> [[int]] { let row = [7; n]; return [row; n] }
fn texts(n: int) -> [str] {
    var s = \"0123456789\"
    for i in 0..n { s = s + s }
    return [s; 1 << n]
}
fn list(n: int) -> T {
    var t = T(l: none, r: none)
    for i in 1..n { t = T(l: t, r: none) }
    return t
}
// Lists of 900 levels, each of which ends in the one before, the first of which is copied first.
fn long(n: int) -> [T] {
    var t = T(l: none, r: none)
    var all = [t; n]
    for i in 0..n {
        for j in 0..900 { t = T(l: t, r: none) }
        all[i] = t
    }
    return all
}
fn circle() -> T {
    let t = T(l: none, r: none)
    t.l = t
    t.r = t
    return t
}
";

fn small(tier: TierChoice) -> Config {
    Config { heap: HeapConfig { limit: 16 << 20, ..HeapConfig::default() }, ..captured(tier, &[]) }
}

fn called(engine: &mut Engine, name: &str, n: i64) -> Result<Value, CallError> {
    engine.call(name, &[Value::Int(n)]).map(|result| result.expect("it has a result"))
}

#[test]
fn shared_parts_of_a_result_are_copied_once() {
    for tier in TIERS {
        let mut engine = loaded(small(tier), SHARED);
        let mut bomb = called(&mut engine, "bomb", 500).expect("it is a small value");
        let mut levels = 0;
        while let Value::Struct(_, fields) = bomb.clone() {
            assert_eq!(fields[0].1, fields[1].1);
            bomb = fields[0].1.clone();
            levels += 1;
        }
        assert_eq!(levels, 501);
        let Value::Array(rows) = called(&mut engine, "rows", 1000).expect("one row and its places") else { panic!() };
        assert_eq!((rows.len(), &rows[0]), (1000, &Value::from(vec![Value::Int(7); 1000])));
        assert!(called(&mut engine, "texts", 16).is_ok(), "one text and its places");
    }
}

#[test]
fn a_result_takes_no_more_than_the_heap_may_have() {
    let limit = 16 << 20;
    let mut engine = loaded(
        small(TierChoice::Auto),
        "fn doubled(n: int) -> [byte] { var s = \"0123456789\"; for i in 0..n { s = s + s }; return bytes(s) }",
    );
    assert!(called(&mut engine, "doubled", 7).is_ok());
    let refused = called(&mut engine, "doubled", 18);
    assert!(matches!(refused, Err(CallError::TooLarge { limit: found }) if found == limit), "{refused:?}");
}

#[test]
fn a_result_is_no_deeper_than_its_host_can_drop() {
    let mut engine = loaded(small(TierChoice::Auto), SHARED);
    assert!(called(&mut engine, "list", 1000).is_ok());
    assert!(matches!(called(&mut engine, "list", 1001), Err(CallError::TooDeep)));
    assert!(called(&mut engine, "long", 1).is_ok());
    assert!(matches!(called(&mut engine, "long", 2), Err(CallError::TooDeep)), "the second leads on to the first");
    assert!(matches!(engine.call("circle", &[]), Err(CallError::TooDeep)));
}

#[test]
fn captured_output_is_as_large_as_the_heap_may_be() {
    let source = "
        fn flood(lines: int) { for i in 0..lines { print(\"0123456789abcde\") } }
        fn once() { print([[\"0123456789\" + \"0123456789\"; 100]; 100]) }
        fn doubled(s: str, n: int) -> str { return if n == 0 { s } else { doubled(s + s, n - 1) } }
        fn huge() { let s = doubled(\"0123456789\", 18); let a = [s; 100]; print([[a; 100]; 100]) }
        fn quoted() { let s = doubled(\"\\0\\n\\\"\", 18); let a = [s; 100]; print([[a; 100]; 100]) }
    ";
    let lost = |result: Result<Option<Value>, CallError>| match result {
        Err(CallError::Run(RunError::Failure(failure))) => assert_eq!(failure.kind, FailureKind::OutputLost),
        other => panic!("{other:?}"),
    };
    for tier in TIERS {
        let mut engine = loaded(small(tier), source);
        engine.call("flood", &[Value::Int(1 << 20)]).expect("the output is as large as the limit");
        lost(engine.call("once", &[]));
        lost(engine.call("once", &[]));
        assert_eq!(engine.take_output().len(), 16 << 20);
        engine.call("once", &[]).expect("there is room again");
        assert_eq!(engine.take_output().len(), 240_201);
        for name in ["huge", "quoted"] {
            lost(engine.call(name, &[]));
            assert_eq!(engine.take_output().len(), 16 << 20, "as much as fits of a terabyte");
        }
    }
}

#[test]
fn a_program_that_is_to_stop_prints_no_more() {
    let printed = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&printed);
    let source = "
        fn doubled(s: str, n: int) -> str { return if n == 0 { s } else { doubled(s + s, n - 1) } }
        fn huge() { let s = doubled(\"0123456789\", 18); let a = [s; 100]; print([[a; 100]; 100]) }
    ";
    let (send, handle) = mpsc::channel::<InterruptHandle>();
    let output = Sink::Callback(Box::new(move |bytes| {
        counter.fetch_add(bytes.len(), Ordering::SeqCst);
        handle.try_iter().for_each(|handle| handle.interrupt());
    }));
    let mut engine = loaded(Config { output, ..small(TierChoice::Auto) }, source);
    send.send(engine.interrupt_handle()).expect("the program listens");
    // Whether it polls before it ends is another question.
    let _ = engine.call("huge", &[]);
    assert!(printed.load(Ordering::SeqCst) < 1 << 20);
}

/// A function that takes long to compile.
fn large() -> String {
    let arms: String =
        (0..3000).map(|n| format!("if s % {} == 1 {{ s += {n} }} else {{ s ^= {n} }}\n", n + 3)).collect();
    format!("fn large(n: int) -> int {{\n var s = n\n{arms} return s\n}}\n")
}

#[test]
fn a_program_is_stopped_while_it_compiles() {
    let mut engine = loaded(captured(TierChoice::Baseline, &[]), &large());
    let func = engine.function_named("large").expect("it is loaded");
    let has_code = |engine: &Engine| match engine.executor() {
        Executor::Compiled(machine) => machine.code.version(func).is_some(),
        Executor::Interpreted(_) => unreachable!("it is compiled"),
    };
    engine.interrupt_handle().interrupt();
    let Executor::Compiled(machine) = engine.executor_mut() else { unreachable!("it is compiled") };
    let stopped = machine.call(func, &[3]);
    assert!(matches!(stopped, Err(Unwind::Failure(ref failure)) if failure.kind == FailureKind::Interrupted));
    assert!(!has_code(&engine), "it did not wait for the code");
    let mut interpreted = loaded(captured(TierChoice::Interp, &[]), &large());
    let expected = called(&mut interpreted, "large", 3).expect("it ends");
    assert_eq!(called(&mut engine, "large", 3).expect("it ends"), expected);
    assert!(has_code(&engine));
}

/// Calls after which a thread would have been woken as often as there are calls, if each woke it.
const CALLS: i64 = 20_000;

#[test]
fn calls_wake_no_thread() {
    let source = "fn add(a: int, b: int) -> int { return a + b }; fn sum(n: int) -> int { var s = 0; for i in 0..n { s += i }; return s }";
    let limited = Limits { fuel: None, time: Some(Duration::from_secs(1000)) };
    for tier in [TierChoice::Auto, TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
        for limits in [Limits::default(), limited] {
            let mut engine = engine(Config { limits, ..captured(tier, &[]) });
            load(&mut engine, source);
            for n in 0..CALLS {
                assert_eq!(
                    engine.call("add", &[Value::Int(n), Value::Int(1)]).expect("it ends"),
                    Some(Value::Int(n + 1))
                );
                assert_eq!(called(&mut engine, "sum", 3).expect("it ends"), Value::Int(3));
            }
            // The thread sleeps where the host does not call for long, which a loaded machine may bring about now and
            // then.
            let woken = engine.executor().runtime().timer().wake_ups();
            assert!(woken <= CALLS as u64 / 100, "{woken} of {CALLS} calls woke the timer: {tier:?}, {limits:?}");
        }
    }
}
