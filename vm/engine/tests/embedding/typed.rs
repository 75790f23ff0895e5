//! Functions that are looked up once.

use super::{TIERS, captured, collecting};
use holloway::{CallError, Config, Engine, Function, Limits, List, RunError};
use std::time::Duration;

/// As many arguments as a call takes.
type Many<'a> = (i64, f64, bool, &'a str, i64, f64, Vec<i64>, Option<i64>);

#[test]
fn typed_calls_give_what_others_give() {
    for tier in TIERS {
        for limits in [Limits::default(), Limits { fuel: Some(1000), time: Some(Duration::from_secs(600)) }] {
            let mut engine = Engine::new(Config { limits, ..collecting(tier) }).unwrap();
            let source = r#"fn score(n: int, x: float) -> float { return float(n) * x }
                fn hello(name: str) -> str { return "hello " + name }
                fn nothing() { print("called") }
                fn many(a: int, b: float, c: bool, d: str, e: int, f: float, g: [int], h: int?) -> str {
                    return f"{a} {b} {c} {d} {e} {f} {g[1]} {h ?? -1}"
                }
                fn swap(p: (int, str)) -> (str, int) { return (p.1, p.0) }
                fn evens(of: list[int]) -> list[int] { return of.filter(fn(n) => n % 2 == 0) }
                fn divide(a: int, b: int) -> int { return a / b }"#
                .replace("{h ?? -1}", "{show(h)}");
            let source = source + "\nfn show(n: int?) -> str { if let n = n { return str(n) } return \"none\" }";
            engine.load("test.hw", &source).unwrap();
            let score: Function<(i64, f64), f64> = engine.typed("score").unwrap();
            for n in 0..300 {
                assert_eq!(score.call(&mut engine, (n, 0.5)).unwrap(), n as f64 / 2.0);
            }
            let hello: Function<(&str,), String> = engine.typed("hello").unwrap();
            assert_eq!(hello.call(&mut engine, ("Ada",)).unwrap(), "hello Ada");
            let nothing: Function<(), ()> = engine.typed("nothing").unwrap();
            nothing.call(&mut engine, ()).unwrap();
            assert_eq!(engine.take_output(), b"called\n");
            let many: Function<Many<'_>, String> = engine.typed("many").unwrap();
            let text = many.call(&mut engine, (1, 2.5, true, "d", 5, 6.5, vec![7, 8], Some(9))).unwrap();
            assert_eq!(text, "1 2.5 true d 5 6.5 8 9", "{tier:?}");
            let swap: Function<((i64, String),), (String, i64)> = engine.typed("swap").unwrap();
            assert_eq!(swap.call(&mut engine, ((1, "a".to_owned()),)).unwrap(), ("a".to_owned(), 1));
            let evens: Function<(List<i64>,), List<i64>> = engine.typed("evens").unwrap();
            assert_eq!(evens.call(&mut engine, (List(vec![1, 2, 3, 4]),)).unwrap(), List(vec![2, 4]));
            let divide: Function<(i64, i64), i64> = engine.typed("divide").unwrap();
            let failed = divide.call(&mut engine, (1, 0)).unwrap_err();
            assert!(matches!(&failed, CallError::Run(RunError::Failure(_))), "{failed}");
            assert_eq!(divide.call(&mut engine, (6, 3)).unwrap(), 2);
        }
    }
}

#[test]
fn types_are_compared_once() {
    let mut engine = Engine::new(Config::default()).unwrap();
    engine.load("test.hw", "fn f(n: int) -> str { return str(n) }\nfn g() {}").unwrap();
    let text = |error: CallError| error.to_string();
    let error = engine.typed::<(f64,), String>("f").map(drop).unwrap_err();
    assert_eq!(text(error), "expected a value of type int, found float");
    let error = engine.typed::<(i64,), i64>("f").map(drop).unwrap_err();
    assert_eq!(text(error), "expected a value of type str, found int");
    let error = engine.typed::<(), String>("f").map(drop).unwrap_err();
    assert_eq!(text(error), "the function takes 1 arguments, 0 were given");
    let error = engine.typed::<(), String>("g").map(drop).unwrap_err();
    assert_eq!(text(error), "expected a value of type nothing, found str");
    assert!(engine.typed::<(i64,), ()>("f").is_ok(), "a result may be left where it is");
    let f: Function<(i64,), String> = engine.typed("f").unwrap();
    let mut other = Engine::new(Config::default()).unwrap();
    other.load("test.hw", "fn f(n: int) -> str { return str(n) }").unwrap();
    assert!(matches!(f.call(&mut other, (1,)), Err(CallError::OtherEngine)));
}

#[test]
fn limits_hold_for_each_typed_call() {
    for tier in TIERS {
        let limits = Limits { fuel: None, time: Some(Duration::from_millis(20)) };
        let mut engine = Engine::new(Config { limits, ..captured(tier) }).unwrap();
        engine.load("test.hw", "fn spin(n: int) -> int { var s = 0\n while n > 0 { s += 1 }\n return s }").unwrap();
        let spin: Function<(i64,), i64> = engine.typed("spin").unwrap();
        for _ in 0..3 {
            assert_eq!(spin.call(&mut engine, (1,)).unwrap_err().to_string(), "out of time", "{tier:?}");
            for _ in 0..100 {
                assert_eq!(spin.call(&mut engine, (0,)).unwrap(), 0);
            }
        }
    }
}

/// An engine moves between threads, with its program and what was looked up.
#[test]
fn engines_are_sent() {
    fn is_send<T: Send>() {}
    is_send::<Engine>();
    is_send::<Function<(i64,), i64>>();
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        let mut calls = 0;
        engine
            .function("next", move || {
                calls += 1;
                calls
            })
            .unwrap();
        engine.load("test.hw", "fn f(n: int) -> int { return n * next() }").unwrap();
        let f: Function<(i64,), i64> = engine.typed("f").unwrap();
        assert_eq!(f.call(&mut engine, (10,)).unwrap(), 10);
        let thread = std::thread::spawn(move || {
            let result = f.call(&mut engine, (10,)).unwrap();
            (engine, f, result)
        });
        let (mut engine, f, result) = thread.join().unwrap();
        assert_eq!(result, 20);
        assert_eq!(f.call(&mut engine, (10,)).unwrap(), 30, "{tier:?}");
    }
}

/// Captured output has a limit of its own, whatever the heap may have.
#[test]
fn captured_output_is_bounded() {
    for tier in TIERS {
        let mut engine = Engine::new(Config { most_captured: Some(1000), ..captured(tier) }).unwrap();
        engine.load("test.hw", "fn say(n: int) { for i in 0..n { print(\"123456789\") } }").unwrap();
        let say: Function<(i64,), ()> = engine.typed("say").unwrap();
        say.call(&mut engine, (100,)).unwrap();
        assert_eq!(engine.take_output().len(), 1000, "{tier:?}");
        assert!(say.call(&mut engine, (101,)).is_err(), "{tier:?}");
    }
}
