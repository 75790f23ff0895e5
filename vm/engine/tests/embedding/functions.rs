//! Functions of the program that the host has: what it gives them, and when it may call them.

use super::{TIERS, captured, collecting};
use holloway::{Array, CallError, Config, Context, Engine, Function, Holloway, Limits, List, Scheme, Sink, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Holloway)]
struct Place {
    at: i64,
    of: Vec<i64>,
}

/// The optimizer sees what the program makes, and relies on it until the host has a function that it can give something else.
#[test]
fn functions_that_come_out_are_given_structs() {
    for tier in TIERS {
        for is_global in [false, true] {
            let mut engine = Engine::new(captured(tier)).unwrap();
            let source = "struct Place { at: int, of: [int] }
                let table = [1, 2, 3, 4, 5, 6, 7, 8]
                fn found(place: Place) -> int { return table[place.at] + place.of[3] }
                fn own(n: int) -> int { var s = 0\n for i in 0..n { s += found(Place(at: i & 7, of: [0, 0, 0, 1])) }\n return s }
                fn give() -> fn(Place) -> int { return found }\nlet given = found";
            engine.load("test.hw", source).unwrap();
            for _ in 0..20 {
                assert_eq!(engine.call("own", &[Value::Int(1600)]).unwrap(), Some(Value::Int(8800)), "{tier:?}");
            }
            let given: Function<(Place,), i64> = match is_global {
                true => engine.get("given").unwrap(),
                false => {
                    let give: Function<(), Function<(Place,), i64>> = engine.typed("give").unwrap();
                    give.call(&mut engine, ()).unwrap()
                }
            };
            let place = |at: i64, of: &[i64]| Place { at, of: of.to_vec() };
            assert_eq!(given.call(&mut engine, (place(1, &[0, 0, 0, 1 << 40]),)).unwrap(), (1 << 40) + 2, "{tier:?}");
            let failed = given.call(&mut engine, (place(1000, &[0; 4]),)).unwrap_err();
            assert_eq!(failed.to_string(), "index out of range: the length is 8 but the index is 1000", "{tier:?}");
            let failed = given.call(&mut engine, (place(0, &[0]),)).unwrap_err();
            assert_eq!(failed.to_string(), "index out of range: the length is 1 but the index is 3", "{tier:?}");
        }
    }
}

/// A host that goes on after a call that a limit ended, or `exit`, cannot run the program any further.
#[test]
fn no_call_goes_on_behind_an_end() {
    for tier in TIERS {
        for (fuel, time, expected) in [
            (None, Some(Duration::from_millis(20)), "out of time"),
            (Some(100_000), None, "out of fuel"),
            (None, None, "the program ended with status 3"),
        ] {
            let config = Config { limits: Limits { fuel, time }, ..captured(tier) };
            let mut engine = Engine::new(config).unwrap();
            let seen = Arc::new(Mutex::new(Vec::new()));
            let ends = Arc::clone(&seen);
            engine
                .function("insist", move |cx: &mut Context, f: Function<(i64,), i64>, g: Function<(i64,), i64>| {
                    for call in [&f, &g, &g] {
                        ends.lock().unwrap().push(call.call(cx, (1,)).map_err(|error| error.to_string()));
                    }
                    1
                })
                .unwrap();
            let last = if expected.contains("status") { "exit(3)" } else { "loop { }" };
            let source = format!(
                "var after = 0\nfn end(n: int) -> int {{ {last} }}\nfn more(n: int) -> int {{ after += 1\n return after }}
                fn run() -> int {{ try {{ return insist(end, more) }} catch e {{ return 2 }} }}"
            );
            engine.load("test.hw", &source).unwrap_or_else(|error| panic!("{}", engine.report(&error)));
            assert_eq!(engine.call("run", &[]).unwrap_err().to_string(), expected, "{tier:?}");
            let end = Err(expected.to_owned());
            assert_eq!(*seen.lock().unwrap(), [end.clone(), end.clone(), end], "{tier:?}");
            assert_eq!(engine.get::<i64>("after").unwrap(), 0, "{tier:?}");
            // The next call is one of its own.
            let more: Function<(i64,), i64> = engine.typed("more").unwrap();
            assert_eq!(more.call(&mut engine, (1,)).unwrap(), 1, "{tier:?}");
        }
    }
}

/// A statement cannot reach a later global by a value that goes through the host, either.
#[test]
fn values_of_functions_keep_the_order_of_initialisation() {
    for closures in [false, true] {
        let mut engine = Engine::interactive(Config::default()).unwrap();
        engine.function("apply", |cx: &mut Context, f: Function<(), i64>| f.call(cx, ())).unwrap();
        let as_text = |cx: &mut Context, args: &[Value]| -> Result<Value, CallError> {
            let _ = (cx, args);
            Ok(Value::Int(0))
        };
        engine.function_as("fn text_of(f: (fn() -> int)?) -> int", as_text).unwrap();
        let first = "fn read() -> int { return 1 }\nvar kept = read";
        engine.load("a.hw", first).unwrap();
        if closures {
            engine.load("b.hw", "let n = 3\nvar other = fn() => n").unwrap();
        }
        engine.run_statements().unwrap();
        let error = engine
            .load("c.hw", "fn read() -> int { return late[0] }\nlet early = apply(kept)\nlet late = [7]")
            .unwrap_err();
        assert!(engine.report(&error).contains("late"), "{}", engine.report(&error));
        engine
            .load("c.hw", "fn read() -> int { return late[0] }\nlet late = [7]\nlet fine = apply(kept)")
            .unwrap_or_else(|error| panic!("{}", engine.report(&error)));
        engine.run_statements().unwrap();
        assert_eq!(engine.get::<i64>("fine").unwrap(), 7);
    }
}

/// A function that was looked up is the present one also where a function of the host calls it.
#[test]
fn looked_up_functions_are_current_inside_of_the_host() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        type OfNumbers = Function<(i64,), i64>;
        let slot: Arc<Mutex<Option<OfNumbers>>> = Arc::default();
        let inside = Arc::clone(&slot);
        engine
            .function("poke", move |cx: &mut Context, n: i64| {
                let function = inside.lock().unwrap().clone().expect("it was looked up");
                function.call(cx, (n,))
            })
            .unwrap();
        let text = |by: &str| {
            format!(
                "fn step(n: int) -> {by}\nfn call() -> str {{ try {{ return str(poke(1)) }} catch e {{ return e }} }}"
            )
        };
        engine.load("a.hw", text("int { return n + 1 }")).unwrap();
        *slot.lock().unwrap() = Some(engine.typed("step").unwrap());
        let called = |engine: &mut Engine| engine.call("call", &[]).unwrap().unwrap().to::<String>().unwrap();
        assert_eq!(called(&mut engine), "2", "{tier:?}");
        engine.load("b.hw", "fn other() -> int { return 5 }").unwrap();
        assert_eq!(called(&mut engine), "2", "{tier:?}");
        engine.reload("a.hw", text("int { return n + 10 }")).unwrap();
        assert_eq!(called(&mut engine), "11", "{tier:?}");
        engine.reload("a.hw", text("float { return 1.0 }")).unwrap();
        assert_eq!(called(&mut engine), "the function `step` has other types now", "{tier:?}");
        engine.reload("a.hw", "fn call() -> str { try { return str(poke(1)) } catch e { return e } }").unwrap();
        assert_eq!(called(&mut engine), "there is no function `step`", "{tier:?}");
        engine.reload("a.hw", text("int { return n + 20 }")).unwrap();
        assert_eq!(called(&mut engine), "21", "{tier:?}");
    }
}

/// Dicts and sets go into programs with an index of their own, in every tier.
#[test]
fn maps_and_sets_go_into_programs() {
    for tier in TIERS {
        for config in [captured(tier), collecting(tier)] {
            let mut engine = Engine::new(config).unwrap();
            engine
                .function("prices", |n: i64| (0..n).map(|k| (format!("k{k}"), k)).collect::<BTreeMap<_, _>>())
                .unwrap();
            let source = r#"var kept: dict[str, int] = dict("a": 1)
                fn get_of(d: dict[str, int], k: str) -> int { return d.get(k, -1) }
                fn grown(d: dict[(int, bool), str], n: int) -> int {
                    for i in 0..n { d[(i, true)] = "n" }
                    d.remove((1, false))
                    return len(d)
                }
                fn with(s: set[int], n: int) -> set[int] { s.add(n)\n return s }
                fn has(s: set[str], t: str) -> bool { return s.contains(t) }
                fn nested(d: dict[str, list[dict[int, float]]]) -> float { return d["x"][0][5] }
                fn of_host() -> int { let p = prices(100)\n var s = 0\n for i in 0..100 { s += p[f"k{i}"] }\n return s }
                enum Key { No, Of(int, str) }
                fn by_enum(d: dict[Key, int]) -> int { return d[Key.No] + d[Key.Of(2, "b")] }
                fn text(d: dict[int, int]) -> str { return f"{d}" }"#
                .replace("\\n", "\n");
            engine.load("test.hw", &source).unwrap_or_else(|error| panic!("{}", engine.report(&error)));
            let get: Function<(HashMap<String, i64>, &str), i64> = engine.typed("get_of").unwrap();
            let map: HashMap<String, i64> = (0..300).map(|n| (n.to_string(), n)).collect();
            let names: Vec<String> = (0..300).step_by(17).map(|n| n.to_string()).collect();
            for name in &names {
                assert_eq!(get.call(&mut engine, (map.clone(), name)).unwrap().to_string(), *name, "{tier:?}");
            }
            assert_eq!(get.call(&mut engine, (map.clone(), "300")).unwrap(), -1);
            assert_eq!(get.call(&mut engine, (HashMap::new(), "300")).unwrap(), -1);
            type Table = BTreeMap<(i64, bool), String>;
            let grown: Function<(Table, i64), i64> = engine.typed("grown").unwrap();
            let pairs: BTreeMap<(i64, bool), String> = (0..10).map(|n| ((n, false), "x".to_owned())).collect();
            assert_eq!(grown.call(&mut engine, (pairs, 50)).unwrap(), 59);
            let with: Function<(HashSet<i64>, i64), BTreeSet<i64>> = engine.typed("with").unwrap();
            assert_eq!(with.call(&mut engine, (HashSet::from([1, 2]), 3)).unwrap(), BTreeSet::from([1, 2, 3]));
            assert_eq!(with.call(&mut engine, (HashSet::from([1, 2]), 2)).unwrap(), BTreeSet::from([1, 2]));
            let has: Function<(BTreeSet<String>, &str), bool> = engine.typed("has").unwrap();
            assert!(has.call(&mut engine, (BTreeSet::from(["é".to_owned()]), "é")).unwrap());
            type Nested = HashMap<String, List<HashMap<i64, f64>>>;
            let nested: Function<(Nested,), f64> = engine.typed("nested").unwrap();
            let inner = HashMap::from([("x".to_owned(), List(vec![HashMap::from([(5, 2.5)])]))]);
            assert_eq!(nested.call(&mut engine, (inner,)).unwrap(), 2.5);
            assert_eq!(engine.call("of_host", &[]).unwrap(), Some(Value::Int(4950)));
            let entries = [
                (Value::variant("No", vec![]), 1.into()),
                (Value::variant("Of", vec![2.into(), "b".into()]), 4.into()),
            ];
            assert_eq!(engine.call("by_enum", &[Value::Dict(entries.into())]).unwrap(), Some(Value::Int(5)));
            let twice = [(1.into(), 1.into()), (2.into(), 2.into()), (1.into(), 3.into())];
            assert_eq!(engine.call("text", &[Value::Dict(twice.into())]).unwrap(), Some(Value::from("{1: 3, 2: 2}")));
            engine.set("kept", HashMap::from([("b".to_owned(), 2_i64)])).unwrap();
            assert_eq!(engine.eval("kept[\"b\"]").unwrap(), Some(Value::Int(2)));
        }
    }
}

/// An array that both sides share stays that inside of what is copied.
#[test]
fn arrays_are_shared_inside_of_values() {
    for tier in TIERS {
        let mut engine = Engine::new(collecting(tier)).unwrap();
        let source = "fn add(all: [[int]]) { for one in all { one[0] = one[0] + 1 } }
            fn second(pair: (str, [int]?)) -> int { if let of = pair.1 { return of[0] }\n return -1 }";
        engine.load("test.hw", source).unwrap();
        let array: Array<i64> = engine.array(&[1, 2]).unwrap();
        let add: Function<(Vec<Array<i64>>,), ()> = engine.typed("add").unwrap();
        add.call(&mut engine, (vec![array.clone(), array.clone()],)).unwrap();
        assert_eq!(array.with(&mut engine, <[i64]>::to_vec).unwrap(), [3, 2], "{tier:?}");
        type Pair = (String, Option<Array<i64>>);
        let second: Function<(Pair,), i64> = engine.typed("second").unwrap();
        assert_eq!(second.call(&mut engine, (("a".to_owned(), Some(array.clone())),)).unwrap(), 3, "{tier:?}");
        let value = Value::tuple(vec!["a".into(), Value::of(array.clone())]);
        assert_eq!(engine.call("second", std::slice::from_ref(&value)).unwrap(), Some(Value::Int(3)), "{tier:?}");
        assert_eq!(value.items().unwrap()[1].to::<Array<i64>>().unwrap().len(), 2);
        assert!(value.items().unwrap()[1].to::<Array<f64>>().is_err());
        let mut other = Engine::new(Config::default()).unwrap();
        other.load("test.hw", source).unwrap();
        assert!(matches!(other.call("second", &[value]), Err(CallError::OtherEngine)));
        let wrong = Value::tuple(vec!["a".into(), Value::of(engine.array(&[1.5]).unwrap())]);
        assert!(matches!(engine.call("second", &[wrong]), Err(CallError::Type { .. })));
    }
}

/// The last handle of an array may go with the call that it is given to, while other arguments are made.
#[test]
fn an_array_is_kept_for_the_call_that_it_is_given_to() {
    for tier in TIERS {
        let mut engine = Engine::new(collecting(tier)).unwrap();
        engine.function("joined", |of: Array<i64>, texts: Vec<String>| (of, texts)).unwrap();
        let source = "fn sum(of: [int], texts: [str]) -> int { var s = len(texts)\n for x in of { s += x }\n return s }
            fn back(texts: [str]) -> int { let pair = joined([7; 40], texts)\n return sum(pair.0, pair.1) }";
        engine.load("test.hw", source).unwrap_or_else(|error| panic!("{}", engine.report(&error)));
        let sum: Function<(Array<i64>, Vec<String>), i64> = engine.typed("sum").unwrap();
        // As long as the array, in whose place one of them would be.
        let texts = || vec!["x".repeat(800); 30];
        let array = engine.array(&[3_i64; 100]).unwrap();
        assert_eq!(sum.call(&mut engine, (array, texts())).unwrap(), 330, "{tier:?}");
        let array = engine.array(&[3_i64; 100]).unwrap();
        let values = [Value::of(array), Value::of(texts())];
        assert_eq!(engine.call("sum", &values).unwrap(), Some(Value::Int(330)), "{tier:?}");
        let text = Value::of(texts());
        assert_eq!(engine.call("back", &[text]).unwrap(), Some(Value::Int(310)), "{tier:?}");
    }
}

/// Values of some enums are numbers in arrays, as truth values are; not any number is one of them.
#[test]
fn a_shared_array_is_one_of_numbers_alone() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        let source = "enum Colour { Red, Green }
            fn first(of: [Colour]) -> Colour { return of[0] }
            fn bytes(of: [byte]) -> int { return of[0] }
            fn truth(of: [bool]) -> bool { return of[0] }";
        engine.load("test.hw", source).unwrap_or_else(|error| panic!("{}", engine.report(&error)));
        let numbers = Value::of(engine.array(&[1000_i64]).unwrap());
        let bytes = Value::of(engine.array(&[200_u8]).unwrap());
        assert_eq!(engine.call("bytes", std::slice::from_ref(&bytes)).unwrap(), Some(Value::Int(200)), "{tier:?}");
        for (name, value) in [("first", &numbers), ("truth", &bytes), ("truth", &numbers), ("bytes", &numbers)] {
            let refused = engine.call(name, std::slice::from_ref(value));
            assert!(matches!(refused, Err(CallError::Type { .. })), "{tier:?} {name}: {refused:?}");
        }
    }
}

/// Statements of a program are a run, whose `exit` is its end.
#[test]
fn expressions_may_define_main() {
    let mut engine = Engine::new(Config { output: Sink::Captured(Vec::new()), ..Config::default() }).unwrap();
    engine.eval("fn main() -> int { print(\"main\")\n return 4 }").unwrap();
    assert_eq!(engine.run().unwrap(), 4);
    assert_eq!(engine.take_output(), b"main\n");
    assert!(matches!(engine.run(), Ok(0)), "it ran");
}

/// A run that is counted apart has code of its own, which expects what the program's own code was told to expect.
#[test]
fn runs_apart_expect_values_of_the_host() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        let source = "struct Place { at: int, of: [int] }
            let table = [1, 2, 3, 4, 5, 6, 7, 8]
            fn found(place: Place) -> int { return table[place.at] }
            fn own(n: int) -> int { var s = 0\n for i in 0..n { s += found(Place(at: i & 7, of: [i])) }\n return s }";
        engine.load("test.hw", source).unwrap();
        let own: Function<(i64,), i64> = engine.typed("own").unwrap();
        own.call(&mut engine, (1000,)).unwrap();
        let bl = || Scheme::named("bl").expect("it is a scheme");
        let place = |at: i64| (Place { at, of: Vec::new() },);
        let inside = engine.count_apart(bl(), |engine| {
            let found: Function<(Place,), i64> = engine.typed("found").unwrap();
            own.call(engine, (1000,)).unwrap();
            (found.call(engine, place(1000)).is_err(), found)
        });
        let (is_refused, found) = inside.unwrap().0;
        assert!(is_refused, "{tier:?}");
        own.call(&mut engine, (1000,)).unwrap();
        assert!(found.call(&mut engine, place(1000)).is_err(), "{tier:?}");
        let later = engine.count_apart(bl(), |engine| {
            own.call(engine, (1000,)).unwrap();
            found.call(engine, place(1000)).is_err()
        });
        assert!(later.unwrap().0, "{tier:?}");
    }
}

/// A function that the host gives by its name is in a value as one that the program takes.
#[test]
fn functions_that_go_in_keep_the_order_of_initialisation() {
    for by_host in [false, true] {
        let mut engine = Engine::new(Config::default()).unwrap();
        let slot: Arc<Mutex<Option<Function<(), i64>>>> = Arc::default();
        let given = Arc::clone(&slot);
        if by_host {
            engine.function("given", move || given.lock().unwrap().clone().expect("it was looked up")).unwrap();
        }
        let rest = "fn other() -> int { return 2 }\nvar kept = other";
        engine.load("a.hw", format!("fn read() -> int {{ return 1 }}\n{rest}")).unwrap();
        let read: Function<(), i64> = engine.typed("read").unwrap();
        *slot.lock().unwrap() = Some(read.clone());
        let calls = if by_host { "let f = given()\nlet early = f()" } else { "let early = kept()" };
        if !by_host {
            engine.set("kept", read).unwrap();
        }
        let late = format!("fn read() -> int {{ return late[0] }}\n{rest}\n{calls}\nlet late = [7]");
        let error = engine.reload("a.hw", late).expect_err("it is refused");
        assert!(engine.report(&error).contains("late"), "{}", engine.report(&error));
        let soon = format!("fn read() -> int {{ return late[0] }}\n{rest}\nlet late = [7]\n{calls}");
        engine.reload("a.hw", soon).unwrap_or_else(|error| panic!("{}", engine.report(&error)));
        assert_eq!(engine.get::<i64>("early").unwrap(), 7);
    }
}
