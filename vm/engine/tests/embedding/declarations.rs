//! Declarations of the host: names, types and texts that mean nothing are refused, and leave nothing behind.

use super::{TIERS, captured};
use holloway::{Config, DeclareError, Engine, Holloway, Opaque, ReloadError, Value};

fn refused(result: Result<(), DeclareError>) -> String {
    result.expect_err("it is refused").to_string()
}

/// A declaration is one function, and nothing beside it.
#[test]
fn texts_declare_one_function() {
    let mut engine = Engine::new(Config::default()).unwrap();
    let given = |_: &mut holloway::Context<'_>, _: &[Value]| Ok::<_, String>(Value::Int(1));
    for text in [
        "",
        "fn id[T](x: T) -> T",
        "fn a() { }\nfn b()",
        "let x = 1\nfn c()",
        "fn c() {} let x = fn()",
        "struct P { x: int }\nfn d(p: P)",
        "if true",
        "print(1)\nfn f()",
        "const N = 1\nfn g()",
        "// fn h()",
        "fn i() { } //",
    ] {
        let error = refused(engine.function_as(text, given));
        assert_eq!(error, format!("`{text}` does not declare one function, as `fn name(a: int) -> int` does"));
    }
    for text in ["fn (", "fn a(x: Nothing)", "import \"a.hw\"\nfn e()"] {
        assert!(matches!(engine.function_as(text, given), Err(DeclareError::Diagnostics(_))), "{text}");
    }
    for name in ["a", "b", "c", "d", "x", "i"] {
        assert!(engine.load("test.hw", format!("let value = {name}")).is_err(), "nothing is left of `{name}`");
    }
    engine.function_as("fn a(\n    x: int, // the number\n) -> int", given).unwrap();
    assert_eq!(engine.eval("a(5)").unwrap(), Some(Value::Int(1)));
}

mod metric {
    #[derive(holloway::Holloway)]
    pub(super) struct Size {
        pub(super) width: f64,
    }
}

mod pixels {
    #[derive(holloway::Holloway)]
    pub(super) struct Size {
        pub(super) width: i64,
    }
}

#[derive(Holloway)]
struct Holder {
    inside: Opaque<Vec<u8>>,
}

/// A raw name is the name that it stands for.
#[expect(non_camel_case_types, reason = "it is a word of Rust, and none of programs")]
#[derive(Holloway, Debug, PartialEq)]
struct r#dyn {
    r#impl: i64,
}

#[test]
fn types_that_were_not_declared_are_not_known() {
    let mut engine = Engine::new(Config::default()).unwrap();
    assert!(engine.function("if", |size: metric::Size| size.width).is_err());
    engine.function("width", |size: metric::Size| size.width).unwrap();
    assert_eq!(engine.eval("width(Size(width: 2.5))").unwrap(), Some(Value::Float(2.5)));
    let error = refused(engine.function("pixels", |size: pixels::Size| size.width));
    assert_eq!(error, "programs know another type of the host as `Size`");
    let error = refused(engine.opaque::<String>("Size"));
    assert_eq!(error, "programs know another type of the host as `Size`");
    engine.function("width_again", |size: metric::Size| size.width).unwrap();

    let error = refused(engine.function("hold", |_: Holder| ()));
    assert!(error.ends_with(" has no name for programs") && error.contains("Vec<u8>"), "{error}");
    engine.opaque::<Vec<u8>>("Bytes").unwrap();
    engine.function("hold", |_: Holder| ()).unwrap();
    assert!(matches!(engine.opaque::<Vec<u8>>("Other"), Err(DeclareError::NameTaken(name)) if name == "Other"));
    assert_eq!(refused(engine.opaque::<f32>("Bytes")), "programs know another type of the host as `Bytes`");
    assert_eq!(refused(engine.opaque::<Vec<u8>>("Bytes")), "programs know another type of the host as `Bytes`");
}

#[test]
fn names_are_those_that_programs_write() {
    let mut engine = Engine::new(Config::default()).unwrap();
    engine.function("größe", |n: i64| n + 1).unwrap();
    assert_eq!(engine.eval("größe(1)").unwrap(), Some(Value::Int(2)));
    engine.opaque::<String>("Übersicht").unwrap();
    for name in ["", "1a", "a b", "a-b", "a\u{200b}", "_"] {
        assert!(matches!(engine.function(name, || ()), Err(DeclareError::Name(_))), "{name:?}");
    }
    engine.function("of", |d: r#dyn| d.r#impl).unwrap();
    assert_eq!(engine.eval("of(dyn(impl: 3))").unwrap(), Some(Value::Int(3)));
    let made = Value::of(r#dyn { r#impl: 2 });
    assert_eq!(made.to::<r#dyn>().unwrap(), r#dyn { r#impl: 2 });
}

#[test]
fn structs_are_no_values_of_the_host() {
    let mut engine = Engine::new(Config::default()).unwrap();
    engine.opaque::<String>("Text").unwrap();
    engine.load("test.hw", "fn pass(text: Text) -> Text { return text }").unwrap();
    let error = engine.call("pass", &[Value::structure("Text", [])]).unwrap_err();
    assert_eq!(error.to_string(), "expected a value of type Text, found a struct Text");
}

#[test]
fn only_what_was_loaded_is_loaded_again() {
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        engine.function("one", || 1).unwrap();
        engine.load("a.hw", "let (a, b) = (1, 2)\nvar n = 5\nfn sum() -> int { return a + b + n }").unwrap();
        assert!(engine.load("b.hw", "let x = ").is_err());
        for name in ["b.hw", "host", "eval", ""] {
            let Err(ReloadError::Unknown(found)) = engine.reload(name, "fn f() {}") else {
                panic!("{name} is refused")
            };
            assert_eq!(found, name);
        }
        engine.set("n", 6).unwrap();
        let next = "let (a, c) = (10, 20)\nlet (b, (d, n)) = (7, (8, 9))\nfn sum() -> int { return a + b + c }";
        assert!(matches!(engine.reload("a.hw", next), Err(ReloadError::Global { .. })));
        let next = next.replace("(d, n)", "(d, e)");
        engine.reload("a.hw", &next).unwrap();
        assert_eq!(engine.call("sum", &[]).unwrap(), Some(Value::Int(1 + 2 + 20)), "{tier:?}");
        assert_eq!(engine.get::<i64>("d").unwrap() + engine.get::<i64>("e").unwrap(), 17);
        engine.reload("a.hw", &next).unwrap();
        assert_eq!(engine.get::<i64>("a").unwrap(), 1);
        assert!(engine.get::<i64>("n").is_err(), "it is gone");
    }
}
