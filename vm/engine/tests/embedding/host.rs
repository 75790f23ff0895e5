//! Functions of the host, in every tier: their types, their failures, and calls of the program by them.

use super::{TIERS, captured, collecting};
use holloway::{CallError, Config, Context, DeclareError, Engine, Function, Limits, List, LoadError, RunError, Value};
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

/// Runs a program in every tier, with functions of the host; each gives the same output and the same end.
fn in_every_tier(declare: impl Fn(&mut Engine), source: &str, expected: &str) {
    for (tier, config) in TIERS.into_iter().flat_map(|tier| [(tier, captured(tier)), (tier, collecting(tier))]) {
        let mut engine = Engine::new(config).expect("there is memory");
        declare(&mut engine);
        engine.load("test.hw", source).unwrap_or_else(|error| panic!("{error}"));
        let end = match engine.run() {
            Ok(status) => format!("status {status}\n"),
            Err(RunError::Failure(failure)) => {
                format!("{failure} at {}\n", engine.sources().place(failure.span))
            }
            Err(error) => format!("{error}\n"),
        };
        let output = String::from_utf8(engine.take_output()).expect("it is text");
        assert_eq!(output + &end, expected, "{tier:?}");
    }
}

#[test]
fn values_of_every_type_go_to_the_host_and_back() {
    let declare = |engine: &mut Engine| {
        engine.function("add", |a: i64, b: i64| a + b).unwrap();
        engine.function("half", |x: f64| x / 2.0).unwrap();
        engine.function("not", |b: bool| !b).unwrap();
        engine.function("shout", |text: &str| text.to_uppercase()).unwrap();
        engine.function("size", |bytes: &[u8]| bytes.len() as i64).unwrap();
        engine.function("owned", |text: String| text + "!").unwrap();
        engine.function("mixed", |a: i64, x: f64, b: bool, s: &str| format!("{a} {x} {b} {s}")).unwrap();
        let seven = |a: i64, x: f64, b: bool, s: &str, c: i64, y: f64, t: &str| format!("{a}{x}{b}{s}{c}{y}{t}");
        engine.function("seven", seven).unwrap();
        engine.function("find", |key: &str| -> Option<i64> { (key == "a").then_some(1) }).unwrap();
        engine.function("name", |n: i64| -> Option<String> { (n > 0).then(|| n.to_string()) }).unwrap();
        engine.function("default", |n: Option<i64>| n.unwrap_or(-1)).unwrap();
        engine.function("sum", |of: Vec<i64>| of.iter().sum::<i64>()).unwrap();
        engine.function("squares", |n: i64| (0..n).map(|n| n * n).collect::<Vec<i64>>()).unwrap();
        engine.function("doubled", |of: List<f64>| List(of.0.iter().map(|x| x * 2.0).collect())).unwrap();
        engine.function("swap", |pair: (i64, String)| (pair.1, pair.0)).unwrap();
        engine.function("total", |of: HashMap<String, i64>| of.values().sum::<i64>()).unwrap();
        engine.function("nothing", || ()).unwrap();
        engine.function("one", || 1).unwrap();
    };
    let source = r#"
        print(add(40, 2), half(5.0), not(true), shout("é"), size("é"), owned("a"))
        print(mixed(1, 2.5, true, "x"), seven(1, 2.5, true, "x", 3, 0.5, "y"))
        print(find("a"), find("b"), name(3), name(0), default(none), default(4))
        print(sum([1, 2, 3]), squares(4), doubled(list(1.0, 2.5)), swap((1, "a")), total(dict("a": 1, "b": 4)))
        nothing()
        var s = 0
        for i in 0..1000 { s = add(s, i) }
        print(s, one())
        print("a".shout(), 1.add(2))
    "#;
    let expected = "42 2.5 false É 2 a!\n1 2.5 true x 12.5truex30.5y\n1 none 3 none -1 4\n\
                    6 [0, 1, 4, 9] [2.0, 5.0] (\"a\", 1) 5\n499500 1\nA 3\nstatus 0\n";
    in_every_tier(declare, source, expected);
}

#[test]
fn functions_of_the_host_are_values_and_hidden_by_those_of_the_program() {
    let declare = |engine: &mut Engine| {
        engine.function("twice", |n: i64| n * 2).unwrap();
        engine.function("hidden", || 1).unwrap();
    };
    let source = "fn hidden() -> int { return 2 }
        fn apply(f: fn(int) -> int, n: int) -> int { return f(n) }
        let f = twice
        print(f(4), apply(twice, 5), hidden())";
    in_every_tier(declare, source, "8 10 2\nstatus 0\n");
    let closures = "let n = 3\nlet f = fn(x: int) => twice(x) + n\nprint(f(4), [1, 2].map(twice), hidden())";
    in_every_tier(declare, closures, "11 [2, 4] 1\nstatus 0\n");
}

#[test]
fn errors_and_panics_are_failures_that_programs_catch() {
    let declare = |engine: &mut Engine| {
        engine.function("check", |n: i64| if n < 0 { Err("it is negative") } else { Ok(n) }).unwrap();
        engine
            .function("explode", |n: i64| -> i64 {
                if n == 0 { panic!("zero") } else { n }
            })
            .unwrap();
        engine.function("quiet", |n: i64| if n < 0 { Err(format!("no {n}")) } else { Ok(()) }).unwrap();
    };
    let source = r#"
        print(check(1), explode(2))
        try { print(check(-1)) } catch e { print(e) }
        try { print(explode(0)) } catch e { print(e) }
        try { quiet(-3) } catch e { print(e) }
        print(explode(3))
        print(check(-2))
    "#;
    let expected = "1 2\nit is negative\nthe host's function `explode` panicked: zero\nno -3\n3\n\
                    it is negative at test.hw:7:15\n";
    in_every_tier(declare, source, expected);
}

#[test]
fn calls_of_the_host_are_checked_like_all_others() {
    let mut engine = Engine::new(Config::default()).unwrap();
    engine.function("log", |_: i64, _: &str| ()).unwrap();
    let messages = |engine: &mut Engine, source: &str| match engine.load("test.hw", source) {
        Err(LoadError::Diagnostics(found)) => found[0].message(),
        other => panic!("{other:?}"),
    };
    assert!(messages(&mut engine, "log(1)").contains("argument"));
    assert!(messages(&mut engine, "log(\"a\", 1)").contains("int"));
    assert!(messages(&mut engine, "let x = log(1, \"a\")").contains("no result"));
    assert!(matches!(engine.function("1st", || ()), Err(DeclareError::Name(_))));
    assert!(matches!(engine.function("if", || ()), Err(DeclareError::Diagnostics(_))));
    assert!(engine.load("test.hw", "log(1, \"a\")").is_ok(), "nothing that failed is left");
}

#[test]
fn the_host_calls_the_program_back() {
    let declare = |engine: &mut Engine| {
        engine.function("apply", |cx: &mut Context, f: Function<(i64,), i64>, n: i64| f.call(cx, (n,))).unwrap();
        engine
            .function("text", |cx: &mut Context, f: Function<(String,), String>, s: &str| {
                let first = f.call(cx, (s.to_owned(),))?;
                Ok::<_, CallError>(format!("{s} {first}"))
            })
            .unwrap();
    };
    let source = r#"
        fn double(n: int) -> int { return n * 2 }
        fn deep(n: int) -> int { if n == 0 { return 0 } return apply(deep, n - 1) + 1 }
        fn garbage(n: int) -> int { var all = [""; 0]; for i in 0..n { all = [str(i), str(i) + "x"] } return len(all[1]) }
        fn fails(n: int) -> int { return 10 / n }
        print(apply(double, 21), deep(20), apply(garbage, 2000))
        print(text(fn(s: str) => s + "!" + s, "a" + str(garbage(10))))
        try { print(apply(fails, 0)) } catch e { print(e) }
        try { print(deep(1000)) } catch e { print(e) }
        print(apply(double, 4))
    "#;
    let plain =
        source.replace("print(text(fn(s: str) => s + \"!\" + s, \"a\" + str(garbage(10))))", "print(\"a2 a2!a2\")");
    let expected = "42 20 5\na2 a2!a2\ndivision by zero\nstack overflow\n8\nstatus 0\n";
    in_every_tier(declare, source, expected);
    in_every_tier(declare, &plain, expected);
}

#[test]
fn variables_that_closures_share_are_seen_through_the_host() {
    let declare = |engine: &mut Engine| {
        engine
            .function("times", |cx: &mut Context, n: i64, f: Function<(i64,), ()>| {
                (0..n).try_for_each(|at| f.call(cx, (at,)))
            })
            .unwrap();
    };
    let source = "fn run() -> int { var total = 0\n times(10, fn(n: int) { total += n })\n return total }
        var calls = 0
        fn count(n: int) { calls += n }
        let f = fn(n: int) { count(n) }
        times(4, f)
        print(run(), calls)";
    in_every_tier(declare, source, "45 6\nstatus 0\n");
}

#[test]
fn limits_hold_across_the_host() {
    for tier in TIERS {
        let config = Config { limits: Limits { fuel: Some(10_000), time: None }, ..captured(tier) };
        let mut engine = Engine::new(config).unwrap();
        let swallow = |cx: &mut Context, f: Function<(i64,), i64>| f.call(cx, (1,)).unwrap_or(-1);
        engine.function("swallow", swallow).unwrap();
        engine
            .load(
                "test.hw",
                "fn forever(n: int) -> int { loop { } }\nfn f() -> int { return swallow(forever) }
                fn out(n: int) -> int { exit(3) }\nfn g() -> int { try { return swallow(out) } catch e { return 0 } }",
            )
            .unwrap();
        assert_eq!(engine.call("f", &[]).unwrap_err().to_string(), "out of fuel", "{tier:?}");
        let Err(CallError::Run(RunError::Exit(3))) = engine.call("g", &[]) else { panic!("it exits") };
    }
}

#[test]
fn depth_counts_across_the_host() {
    let mut depths = Vec::new();
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        engine
            .function("over", |cx: &mut Context, f: Function<(i64,), i64>, n: i64| f.call(cx, (n,)).unwrap_or(-1))
            .unwrap();
        engine
            .load(
                "test.hw",
                "var reached = 0
                fn down(n: int) -> int { reached = max(reached, n)\n return down(n + 1) + 1 }
                fn up(n: int) -> int { if n == 50000 { return over(down, n) } return up(n + 1) + 1 }
                fn depth() -> int { up(0)\n return reached }",
            )
            .unwrap();
        depths.push(engine.call("depth", &[]).unwrap());
    }
    assert!(depths.iter().all(|depth| *depth == depths[0]), "{depths:?}");
    let Some(Value::Int(depth)) = depths[0] else { panic!("it is an int") };
    assert!((99_000..100_000).contains(&depth), "{depth}");
}

#[test]
fn closures_of_the_host_keep_state() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let calls = Arc::new(AtomicI64::new(0));
    let mut engine = Engine::new(Config::default()).unwrap();
    let (into, count) = (Arc::clone(&seen), Arc::clone(&calls));
    engine.function("log", move |level: i64, text: &str| into.lock().unwrap().push((level, text.to_owned()))).unwrap();
    let mut next = 0;
    engine
        .function("next", move || {
            next += 1;
            count.fetch_add(1, Ordering::Relaxed);
            next
        })
        .unwrap();
    engine.load("test.hw", "for i in 0..3 { log(i, \"line \" + str(next())) }").unwrap();
    engine.run().unwrap();
    assert_eq!(*seen.lock().unwrap(), [(0, "line 1".to_owned()), (1, "line 2".to_owned()), (2, "line 3".to_owned())]);
    assert_eq!(calls.load(Ordering::Relaxed), 3);
}
