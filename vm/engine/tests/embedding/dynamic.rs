//! Functions whose types the host knows only when it runs.

use super::{TIERS, collecting};
use holloway::{CallError, Config, Context, DynamicFunction, Engine, RunError, Value};
use std::sync::{Arc, Mutex};

/// Declares functions that call the first argument with the second; without one they give the second.
fn declare(engine: &mut Engine) {
    let apply = |cx: &mut Context<'_>, args: &[Value]| match cx.function(0) {
        Some(function) => function.call(cx, &args[1..]).map(|value| value.unwrap_or(Value::None)),
        None => Ok::<_, CallError>(args[1].clone()),
    };
    engine.function_as("fn apply(f: fn(str) -> list[str], text: str) -> list[str]", apply).unwrap();
    engine.function_as("fn apply_if(f: (fn(int) -> int)?, n: int) -> int", apply).unwrap();
}

#[test]
fn functions_that_programs_give_are_called_with_values() {
    for tier in TIERS {
        let mut engine = Engine::new(collecting(tier)).unwrap();
        declare(&mut engine);
        let source = r#"
            fn words(text: str, end: str) -> list[str] { return apply(fn(s: str) => list(s, s + end), text) }
            fn twice(n: int) -> int { return 2 * n }
            fn known(n: int) -> int { return apply_if(twice, n) }
            fn unknown(n: int) -> int { return apply_if(none, n) }
            fn divided(by: int) -> int { try { return apply_if(fn(n: int) => n / by, 1) } catch e { return len(e) } }
        "#;
        engine.load("test.hw", source).unwrap();
        let words = engine.call("words", &["a".into(), "!".into()]).unwrap();
        assert_eq!(words, Some(Value::list(vec!["a".into(), "a!".into()])), "{tier:?}");
        assert_eq!(engine.call("known", &[21.into()]).unwrap(), Some(42.into()));
        assert_eq!(engine.call("unknown", &[21.into()]).unwrap(), Some(21.into()));
        assert_eq!(engine.call("divided", &[1.into()]).unwrap(), Some(1.into()));
        assert_eq!(engine.call("divided", &[0.into()]).unwrap(), Some(("division by zero".len() as i64).into()));
    }
}

#[test]
fn names_are_looked_up_once_and_arguments_compared_at_each_call() {
    let mut engine = Engine::new(Config::default()).unwrap();
    engine.load("test.hw", "fn grown(of: [int], by: int) -> [int] { of[0] += by\n return of }\nfn quiet() {}").unwrap();
    let grown = engine.dynamic("grown").unwrap();
    let ones = Value::array([1, 1]);
    assert_eq!(grown.call(&mut engine, &[ones.clone(), 4.into()]).unwrap(), Some(Value::array([5, 1])));
    assert_eq!(engine.dynamic("quiet").unwrap().call(&mut engine, &[]).unwrap(), None);
    let text = |result: Result<Option<Value>, CallError>| result.unwrap_err().to_string();
    assert_eq!(text(grown.call(&mut engine, &[])), "the function takes 2 arguments, 0 were given");
    assert!(text(grown.call(&mut engine, &[ones.clone(), 0.5.into()])).contains("expected"));
    assert!(engine.dynamic("shrunk").is_err());
    let mut other = Engine::new(Config::default()).unwrap();
    assert!(matches!(grown.call(&mut other, &[]), Err(CallError::OtherEngine)));
    engine.reload("test.hw", "fn grown(of: [int], by: int) -> [int] { return [by] }").unwrap();
    assert_eq!(grown.call(&mut engine, &[ones, 4.into()]).unwrap(), Some(Value::array([4])));
    engine.reload("test.hw", "fn grown(by: int) -> int { return by }").unwrap();
    assert!(matches!(grown.call(&mut engine, &[4.into()]), Err(CallError::Changed(_))));
}

/// A function of the host calls one that was looked up by name; not before the globals have values.
#[test]
fn functions_of_the_host_call_what_was_looked_up() {
    for tier in TIERS {
        let mut engine = Engine::new(collecting(tier)).unwrap();
        let kept: Arc<Mutex<Option<DynamicFunction>>> = Arc::default();
        let inside = Arc::clone(&kept);
        let named = move |cx: &mut Context<'_>, args: &[Value]| {
            let function =
                inside.lock().unwrap().clone().ok_or_else(|| CallError::UnknownFunction("none".to_owned()))?;
            function.call(cx, args).map(|value| value.unwrap_or(Value::None))
        };
        engine.function_as("fn named(n: int) -> int", named).unwrap();
        engine
            .load("a.hw", "var by = 3\nfn times(n: int) -> int { return by * n }\nfn f() -> int { return named(5) }")
            .unwrap();
        *kept.lock().unwrap() = Some(engine.dynamic("times").unwrap());
        assert_eq!(engine.call("f", &[]).unwrap(), Some(15.into()), "{tier:?}");
        engine.load("b.hw", "let early = named(1)").unwrap();
        let Err(CallError::Run(RunError::Failure(failure))) = engine.call("f", &[]) else { panic!("it is too early") };
        assert!(failure.kind.to_string().contains("times"), "{}", failure.kind);
        assert_eq!(engine.call("f", &[]).unwrap(), Some(15.into()));
    }
}
