//! Values of each shape on their way into a program and back.

use super::{Value, brings_objects, of_word, to_word};
use crate::error::CallError;
use holloway_lang::ir::{Module, TypeRef, parse, print};
use holloway_runtime::{Runtime, RuntimeConfig};
use std::sync::Arc;

const TYPES: &str = r#"
closures
type t0 = int
type t1 = str
type t2 = array t0
type t3 = optional t0
type t4 = record r0
type t5 = record r1
type t6 = record r2
type t7 = record r3
type t8 = optional t7
type t9 = func sig0
type t10 = code sig1
type t11 = record r6
type t12 = array t3
type t13 = record r8
type t14 = optional t4
sig0 = (t0) -> t0
sig1 = (t11, t0) -> t0
record r0 "(int, str)" tuple { "0": t0, "1": t1 }
record r1 "list[int]" list { "items": t2, "len": t0 }
record r2 "Tree" enum ["Leaf"(), "Node"(1, 2, 3)] { "variant": t0, "0": t6, "1": t3, "2": t6 }
record r3 "Color" tag ["Red", "Green"] { }
record r4 "int?" box { "content": t0 }
record r5 "Color?" box { "content": t7 }
record r6 "captured" hidden { "x": t0 }
record r7 "fn(int) -> int" closure { "code": t10, "captured": t11 }
record r8 "dict[int, int]" dict { "keys": t2, "values": t2, "hashes": t2, "used": t0, "len": t0, "table": t2, "moves": t3 }

function f0 "double" sig0(v0: int) -> int {
block0:
    return v0
}
provided f1 "double" sig1(v0: ref, v1: int) -> int {
block0:
    return v1
}
"#;

/// A module with those types, and a runtime for it.
fn program() -> (Arc<Module>, Runtime) {
    let module = Arc::new(parse::module(TYPES).expect("well formed"));
    assert!(print::module(&module, print::Spans::Hidden).contains("closures"));
    let rt = Runtime::new(Arc::clone(&module), RuntimeConfig::default()).expect("address space");
    (module, rt)
}

fn there_and_back(ty: u32, value: &Value) -> Result<Value, CallError> {
    let (_, mut rt) = program();
    let ty = TypeRef::from_u32(ty);
    let word = to_word(&mut rt, 0, ty, value)?;
    of_word(&rt, ty, word)
}

fn node(left: Value, middle: Value, right: Value) -> Value {
    Value::variant("Node", vec![left, middle, right])
}

#[test]
fn values_come_back_as_they_went() {
    let leaf = || Value::variant("Leaf", Vec::new());
    for (ty, value) in [
        (3, Value::Int(-7)),
        (3, Value::None),
        (4, Value::tuple(vec![Value::Int(1), Value::from("a")])),
        (5, Value::list(Vec::new())),
        (5, Value::list(vec![Value::Int(3), Value::Int(4)])),
        (6, leaf()),
        (6, node(leaf(), Value::Int(2), node(leaf(), Value::None, leaf()))),
        (7, Value::variant("Green", Vec::new())),
        (8, Value::variant("Red", Vec::new())),
        (8, Value::None),
        (9, Value::Function("double".to_owned())),
        (12, Value::from(vec![Value::Int(1), Value::None])),
        (13, Value::Dict([].into())),
        (13, Value::Dict((0..100).map(|n| (Value::Int(-n), Value::Int(n))).collect())),
        (14, Value::None),
        (14, Value::tuple(vec![Value::Int(1), Value::from("")])),
    ] {
        assert_eq!(there_and_back(ty, &value).expect("it fits"), value);
    }
}

#[test]
fn values_of_other_shapes_are_refused() {
    for (ty, value, message) in [
        (3, Value::from("a"), "expected a value of type int, found a str"),
        (4, Value::tuple(vec![Value::Int(1)]), "expected a value of type (int, str), found a tuple of 1 parts"),
        (4, Value::list(vec![]), "expected a value of type (int, str), found a list"),
        (5, Value::from(vec![]), "expected a value of type list[int], found an array"),
        (6, Value::variant("Tree", vec![]), "expected a value of type Tree, found the variant Tree"),
        (6, Value::variant("Node", vec![]), "expected a value of type Tree, found the variant Node"),
        (7, Value::variant("Blue", vec![]), "expected a value of type Color, found the variant Blue"),
        (7, Value::Int(0), "expected a value of type Color, found an int"),
        (
            9,
            Value::Function("no_such".to_owned()),
            "expected a value of type fn(int) -> int, found the function no_such",
        ),
        (13, Value::Set([].into()), "expected a value of type dict[int, int], found a set"),
        (13, Value::Dict([(1.into(), 1.5.into())].into()), "expected a value of type int, found a float"),
    ] {
        assert_eq!(there_and_back(ty, &value).expect_err("it does not fit").to_string(), message);
    }
}

#[test]
fn entries_that_were_removed_do_not_come_back() {
    let (_, mut rt) = program();
    let array = |rt: &mut Runtime, items: &[i64]| {
        let items = items.iter().map(|item| Value::Int(*item)).collect::<Vec<_>>();
        to_word(rt, 0, TypeRef::from_u32(2), &Value::from(items)).expect("it fits")
    };
    let parts = [&[1, 2, 3, 0][..], &[10, 20, 30, 0], &[5, -1, 7, 0]].map(|items| array(&mut rt, items));
    let dict = super::argument::object_of_words(
        &mut rt,
        holloway_lang::ir::RecordRef::from_u32(8),
        &[(0, parts[0]), (1, parts[1]), (2, parts[2]), (3, 3)],
    );
    let found = of_word(&rt, TypeRef::from_u32(13), dict.expect("room")).expect("it is small");
    let Value::Dict(entries) = found else { panic!("it is a dict") };
    assert_eq!(*entries, [(Value::Int(1), Value::Int(10)), (Value::Int(3), Value::Int(30))]);
}

/// An object that is brought in does not do as the optimizer saw those of the program do.
#[test]
fn boxes_and_records_are_objects_from_elsewhere() {
    let (module, _) = program();
    let brings = |ty: u32, value: Value| brings_objects(&module, TypeRef::from_u32(ty), &value);
    assert!(!brings(0, Value::Int(1)) && !brings(3, Value::None) && !brings(1, Value::from("a")));
    assert!(!brings(7, Value::variant("Red", Vec::new())));
    assert!(brings(3, Value::Int(1)) && brings(8, Value::variant("Red", Vec::new())));
    assert!(brings(6, Value::variant("Leaf", Vec::new())) && brings(5, Value::list(Vec::new())));
}
