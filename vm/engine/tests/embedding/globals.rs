//! Globals, expressions, reloading.

use super::{TIERS, captured};
use holloway::{CallError, Config, Engine, Function, List, ReloadError, Value};

#[test]
fn globals_are_read_and_written() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        let source = "var threshold = 3\nvar names = list(\"a\")\nvar last: int? = none\nlet fixed = 2.5
            fn above(n: int) -> bool { return n > threshold }\nfn count() -> int { return len(names) }";
        engine.load("rules.hw", source).unwrap();
        let above: Function<(i64,), bool> = engine.typed("above").unwrap();
        assert_eq!(engine.get::<i64>("threshold").unwrap(), 3);
        for _ in 0..1000 {
            assert!(above.call(&mut engine, (4,)).unwrap());
        }
        engine.set("threshold", 7).unwrap();
        assert!(!above.call(&mut engine, (4,)).unwrap(), "{tier:?}");
        assert_eq!(engine.get::<i64>("threshold").unwrap(), 7);
        engine.set("names", List(vec!["x".to_owned(), "y".to_owned()])).unwrap();
        assert_eq!(engine.call("count", &[]).unwrap(), Some(Value::Int(2)));
        assert_eq!(engine.get::<Option<i64>>("last").unwrap(), None);
        engine.set("last", Some(5)).unwrap();
        assert_eq!(engine.get::<Option<i64>>("last").unwrap(), Some(5));
        assert_eq!(engine.get::<f64>("fixed").unwrap(), 2.5);
        let text = |result: Result<(), CallError>| result.unwrap_err().to_string();
        assert_eq!(text(engine.set("fixed", 1.0)), "`fixed` is a `let`, which is never assigned");
        assert_eq!(text(engine.set("threshold", 1.0)), "expected a value of type int, found float");
        assert_eq!(text(engine.set("unknown", 1)), "there is no global `unknown`");
    }
}

#[test]
fn expressions_have_values() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        engine.load("a.hw", "var n = 4\nfn double(x: int) -> int { return x * 2 }").unwrap();
        assert_eq!(engine.eval("double(n) + 1").unwrap(), Some(Value::Int(9)));
        assert_eq!(
            engine.eval("n += 1\nlet pair = (n, \"x\")\npair").unwrap().unwrap().items().unwrap()[0].as_int(),
            Some(5)
        );
        assert_eq!(engine.eval("\"many\"[..2]").unwrap(), Some(Value::from("ma")));
        assert_eq!(engine.eval("print(n)").unwrap(), None);
        assert_eq!(engine.eval("let own = 3").unwrap(), None);
        assert_eq!(engine.eval("own + n").unwrap(), Some(Value::Int(8)));
        assert_eq!(engine.eval("1 / (n - 5)").unwrap_err().to_string(), "division by zero");
        assert!(engine.eval("missing").unwrap_err().to_string().contains("missing"));
        assert_eq!(engine.eval("[1.5, 2.0]").unwrap(), Some(Value::array([1.5, 2.0])));
        assert_eq!(engine.take_output(), b"5\n");
    }
}

#[test]
fn reloading_replaces_functions_and_keeps_globals() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        let first = "struct P { x: float }\nvar frame = 0\nvar player = P(x: 1.0)\nvar f = step
            fn step(n: int) -> int { frame += 1\n return n + 1 }\nfn again(n: int) -> int { return f(n) }\nprint(\"loaded\")";
        engine.load("game.hw", first).unwrap();
        let step: Function<(i64,), i64> = engine.typed("step").unwrap();
        for _ in 0..100 {
            assert_eq!(step.call(&mut engine, (1,)).unwrap(), 2);
        }
        let second =
            "struct P { x: float }\nvar frame = 1000\nvar player = P(x: 9.0)\nvar added = frame * 2\nvar f = step
            fn step(n: int) -> int { frame += 10\n return n + 5 }\nfn again(n: int) -> int { return f(n) }
            fn x() -> float { return player.x }\nprint(\"loaded again\")";
        engine.reload("game.hw", second).unwrap();
        assert_eq!(step.call(&mut engine, (1,)).unwrap(), 6, "{tier:?}");
        assert_eq!(engine.get::<i64>("frame").unwrap(), 110);
        assert_eq!(engine.get::<i64>("added").unwrap(), 200);
        assert_eq!(engine.call("x", &[]).unwrap(), Some(Value::Float(1.0)));
        assert_eq!(engine.call("again", &[Value::Int(0)]).unwrap(), Some(Value::Int(5)), "values of functions, too");
        assert_eq!(engine.take_output(), b"loaded\n");

        let refused =
            |engine: &mut Engine, from: &str, to: &str| engine.reload("game.hw", second.replace(from, to)).unwrap_err();
        let error = refused(&mut engine, "var frame = 1000", "var frame = 0.5");
        assert!(matches!(error, ReloadError::Load(_)), "{error}");
        let error = refused(&mut engine, "struct P { x: float }", "struct P { x: float, y: float }");
        assert!(matches!(error, ReloadError::Load(_)), "{error}");
        let more = second.replace("struct P { x: float }", "struct P { x: float, y: float }");
        let error = engine.reload("game.hw", more.replace("P(x: 9.0)", "P(x: 9.0, y: 0.0)")).unwrap_err();
        let expected = "the global `player` cannot keep its value: it was `struct P { x: float }` and would be \
                        `struct P { x: float, y: float }`";
        assert_eq!(error.to_string(), expected);
        let error = engine.reload("game.hw", second.replace("var added = frame * 2", "let added = 0")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the global `added` cannot keep its value: it was `var added: int` and would be `let added: int`"
        );
        assert_eq!(step.call(&mut engine, (1,)).unwrap(), 6, "nothing has changed");
        engine.reload("game.hw", "var frame = 0\nfn step(n: float) -> float { return n }").unwrap();
        let changed = step.call(&mut engine, (1,)).unwrap_err();
        assert_eq!(changed.to_string(), "the function `step` has other types now");
        assert!(engine.call("again", &[Value::Int(0)]).is_err(), "it is gone");
    }
}

#[test]
fn values_have_accessors() {
    let value = Value::structure("P", [("x", Value::from(1.5)), ("names", Value::list(vec![Value::from("a")]))]);
    assert_eq!(value.field("x").and_then(Value::as_float), Some(1.5));
    assert_eq!(value.field("names").and_then(Value::items).map(<[Value]>::len), Some(1));
    assert_eq!(value.field("y"), None);
    assert_eq!(Value::from(Some(3)).as_int(), Some(3));
    assert!(Value::from(None::<i64>).is_none());
    let dict = Value::Dict([(Value::from("k"), Value::from(true))].into());
    assert_eq!(dict.get(&Value::from("k")).and_then(Value::as_bool), Some(true));
    assert_eq!(Value::from([1, 2]).to::<Vec<i64>>().unwrap(), [1, 2]);
    assert_eq!(Value::of((1, "a".to_owned())).to::<(i64, String)>().unwrap(), (1, "a".to_owned()));
    assert!(Value::from(1).to::<f64>().is_err());
    assert_eq!(Value::variant("A", vec![]).as_variant(), Some(("A", &[][..])));
}

#[test]
fn fields_of_structs_are_those_of_the_program() {
    let mut engine = Engine::new(Config::default()).unwrap();
    engine.load("p.hw", "struct P { x: int, y: int }\nfn sum(p: P) -> int { return p.x + p.y }").unwrap();
    let mut call = |fields: &[(&str, i64)]| {
        let fields = fields.iter().map(|(name, n)| (*name, Value::Int(*n)));
        engine.call("sum", &[Value::structure("P", fields)])
    };
    assert_eq!(call(&[("y", 2), ("x", 1)]).unwrap(), Some(Value::Int(3)));
    assert!(call(&[("x", 1)]).unwrap_err().to_string().contains("`y`"));
    assert!(call(&[("x", 1), ("y", 2), ("z", 3)]).unwrap_err().to_string().contains("without a field `z`"));
    assert!(call(&[("x", 1), ("y", 2), ("x", 3)]).is_err());
}
