//! Imports from the host, and errors as texts.

use super::{TIERS, captured};
use holloway::{CallError, Config, Context, Engine, Function, LoadError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

#[test]
fn programs_from_memory_import_what_the_host_gives() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        let main = "import \"a.hw\"\nimport \"lib/b.hw\" as b\nprint(one(), b.two())";
        let error = engine.load("main.hw", main).unwrap_err();
        assert!(engine.report(&error).contains("the host gives nothing to import"), "{}", engine.report(&error));
        let texts = HashMap::from([
            ("a.hw", "import \"lib/b.hw\" as other\nfn one() -> int { return other.two() - 1 }"),
            ("lib/b.hw", "fn two() -> int { return 2 }"),
        ]);
        engine.imports(move |path: &str| texts.get(path).copied().ok_or_else(|| format!("there is no {path} here")));
        engine.load("main.hw", main).unwrap_or_else(|error| panic!("{error}"));
        engine.run().unwrap();
        assert_eq!(engine.take_output(), b"1 2\n");
        let error = engine.load("more.hw", "import \"c.hw\"").unwrap_err();
        assert!(error.to_string().contains("there is no c.hw here"), "{error}");
    }
}

#[test]
fn errors_are_shown_with_their_places() {
    let mut engine = Engine::new(Config::default()).unwrap();
    let error = engine.load("typo.hw", "let total = 1\nprint(totl)").unwrap_err();
    let text = engine.report(&error);
    assert!(text.starts_with("error: "), "{text}");
    assert!(text.contains("  at typo.hw:2:7\n   2 | print(totl)\n     |       ^^^^\n"), "{text}");
    assert!(text.contains("  help: "), "{text}");

    engine.load("deep.hw", "fn down(n: int) -> int { if n == 0 { return 1 / n }\n return down(n - 1) + 1 }").unwrap();
    let error = engine.call("down", &[50.into()]).unwrap_err();
    let text = engine.report(&error);
    assert!(text.starts_with("error: division by zero\n  at deep.hw:1:45\n"), "{text}");
    assert!(text.contains("call stack:\n  down at deep.hw:1\n  down at deep.hw:2\n"), "{text}");
    assert!(text.contains("\n  ... 31 more frames ...\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("  down")).count(), 20);
    let holloway::CallError::Run(holloway::RunError::Failure(failure)) = &error else { panic!("{error}") };
    let stack = engine.call_stack(failure);
    assert_eq!(stack.len(), 51);
    assert_eq!((stack[0].function.as_str(), stack[0].file.as_str(), stack[0].line), ("down", "deep.hw", 1));

    let error = engine.call("no_such", &[]).unwrap_err();
    assert_eq!(engine.report(&error), "error: there is no function `no_such`\n");
    assert!(matches!(engine.load_file("no/such/file.hw"), Err(LoadError::Io(..))));
}

/// A failure of a top-level statement leaves no name whose value was never given, whatever was loaded behind it.
#[test]
fn names_without_values_are_withdrawn() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        engine.load("a.hw", "let a = [1 / len(args())]\nfn of_a() -> int { return a[0] }").unwrap();
        engine.function("one", || 1).unwrap();
        engine.load("b.hw", "let b = [2]\nfn of_b() -> int { return b[0] }").unwrap();
        engine.opaque::<String>("Text").unwrap();
        assert_eq!(engine.call("of_b", &[]).unwrap_err().to_string(), "division by zero", "{tier:?}");
        assert!(engine.call("of_a", &[]).is_err(), "{tier:?}");
        assert!(engine.call("of_b", &[]).is_err(), "{tier:?}");
    }
}

/// A host that looks a function up and calls it from a statement ahead of the globals that it uses.
#[test]
fn functions_wait_for_the_globals() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        let slot: Arc<Mutex<Option<Function<(), i64>>>> = Arc::default();
        let inside = Arc::clone(&slot);
        engine
            .function("early", move |cx: &mut Context| {
                let function = inside.lock().unwrap().clone().expect("it was looked up");
                function.call(cx, ())
            })
            .unwrap();
        let source = "try { print(early()) } catch e { print(e) }\nlet late = [7]\nfn read() -> int { return late[0] }
            fn again() -> int { return early() }";
        engine.load("test.hw", source).unwrap();
        *slot.lock().unwrap() = Some(engine.typed("read").unwrap());
        engine.run().unwrap();
        let expected = "the function `read` is called before the program's statements have run\n";
        assert_eq!(String::from_utf8(engine.take_output()).unwrap(), expected, "{tier:?}");
        let again: Function<(), i64> = engine.typed("again").unwrap();
        assert_eq!(again.call(&mut engine, ()).unwrap(), 7, "{tier:?}");
        assert!(matches!(engine.typed::<(), i64>("early").map(drop), Err(CallError::UnknownFunction(_))));
    }
}

/// A function that the program gave, whose body is replaced by one with a global of its own.
#[test]
fn functions_that_were_given_wait_for_the_globals_of_a_new_text() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        let slot: Arc<Mutex<Option<Function<(), i64>>>> = Arc::default();
        let (into, inside) = (Arc::clone(&slot), Arc::clone(&slot));
        engine
            .function("keep", move |_: &mut Context, f: Function<(), i64>| {
                *into.lock().unwrap() = Some(f);
            })
            .unwrap();
        engine
            .function("poke", move |cx: &mut Context| {
                let function = inside.lock().unwrap().clone().expect("it was kept");
                function.call(cx, ())
            })
            .unwrap();
        engine.load("a.hw", "fn g() -> int { return 1 }\nkeep(g)\nfn call() -> int { return poke() }").unwrap();
        assert_eq!(engine.call("call", &[]).unwrap(), Some(1.into()), "{tier:?}");
        let second = "fn tried() -> str { try { poke() } catch e { return e }\n return \"called\" }
            var first = tried()\nlet later = [5]\nfn g() -> int { return later[0] }\nfn call() -> int { return poke() }";
        engine.reload("a.hw", second).unwrap();
        let first: String = engine.get("first").unwrap();
        assert_eq!(first, "the function `fn` is called before the program's statements have run", "{tier:?}");
        assert_eq!(engine.call("call", &[]).unwrap(), Some(5.into()), "{tier:?}");
    }
}
