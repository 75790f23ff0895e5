//! Shapes of records: their text in IR, and the fields that each of them asks for.
//!
//! In: a record, or the text of its shape. Out: the text, or the shape. Invariant: a record that passed [`fits`] has the
//! fields that the runtime reads of a value of its shape, so that printing and converting such a value checks nothing.

use super::entity::RecordRef;
use super::field::{closure, dict, list, set, variant};
use super::module::{Module, Record, Shape, Variant};
use super::parse::Parsed;
use super::scan::{Scanner, refuse};
use super::types::{Elem, Type};
use std::fmt::{self, Write};

impl Shape {
    /// The word that stands for it in IR text.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Struct => "struct",
            Shape::Tuple => "tuple",
            Shape::List => "list",
            Shape::Dict => "dict",
            Shape::Set => "set",
            Shape::Enum(_) => "enum",
            Shape::Tag(_) => "tag",
            Shape::Closure => "closure",
            Shape::Box => "box",
            Shape::Hidden => "hidden",
        }
    }
}

/// Appends a shape behind the name of a record; nothing for a struct.
pub(super) fn write(out: &mut String, shape: &Shape) -> fmt::Result {
    if *shape == Shape::Struct {
        return Ok(());
    }
    write!(out, " {}", shape.name())?;
    match shape {
        Shape::Enum(variants) => {
            write!(out, " [")?;
            for (at, variant) in variants.iter().enumerate() {
                let comma = if at == 0 { "" } else { ", " };
                let fields: Vec<String> = variant.fields.iter().map(u32::to_string).collect();
                write!(out, "{comma}{:?}({})", variant.name, fields.join(", "))?;
            }
            write!(out, "]")
        }
        Shape::Tag(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
            write!(out, " [{}]", names.join(", "))
        }
        Shape::Struct
        | Shape::Tuple
        | Shape::List
        | Shape::Dict
        | Shape::Set
        | Shape::Closure
        | Shape::Box
        | Shape::Hidden => Ok(()),
    }
}

/// Parses what [`write`] wrote.
pub(super) fn parse(s: &mut Scanner<'_>) -> Parsed<Shape> {
    if s.peek_word().is_none() {
        return Ok(Shape::Struct);
    }
    Ok(match s.any_word()? {
        "struct" => Shape::Struct,
        "tuple" => Shape::Tuple,
        "list" => Shape::List,
        "dict" => Shape::Dict,
        "set" => Shape::Set,
        "enum" => Shape::Enum(s.list("[", "]", |s| {
            let name = s.name()?;
            Ok(Variant { name, fields: s.list("(", ")", |s| Ok(s.number()? as u32))? })
        })?),
        "tag" => Shape::Tag(s.list("[", "]", Scanner::name)?),
        "closure" => Shape::Closure,
        "box" => Shape::Box,
        "hidden" => Shape::Hidden,
        _ => return refuse(s, "expected a shape"),
    })
}

/// Returns true if a record has the fields that its shape asks for. Those behind them are the compiler's own.
pub(super) fn fits(module: &Module, record: RecordRef) -> bool {
    let Record { fields, shape, .. } = &module.records[record];
    let ty = |at: u32| fields.get(at as usize).map(|field| &module.types[field.ty]);
    let elem = |at: u32| fields.get(at as usize).map(|field| module.elem(field.ty));
    let is_array = |at: u32| matches!(ty(at), Some(Type::Array(_)));
    match shape {
        Shape::Struct | Shape::Tuple | Shape::Hidden => true,
        Shape::List => is_array(list::DATA) && ty(list::LEN) == Some(&Type::Int),
        Shape::Dict => {
            let hashes = matches!(ty(dict::HASHES), Some(Type::Array(of)) if module.types[*of] == Type::Int);
            is_array(dict::KEYS) && is_array(dict::VALUES) && hashes && ty(dict::USED) == Some(&Type::Int)
        }
        Shape::Set => matches!(ty(set::DICT), Some(Type::Record(dict)) if module.records[*dict].shape == Shape::Dict),
        Shape::Enum(variants) => {
            let payloads = variants.iter().flat_map(|variant| &variant.fields);
            ty(variant::NUMBER) == Some(&Type::Int)
                && payloads.into_iter().all(|at| (1..fields.len()).contains(&(*at as usize)))
        }
        // Its values are no records.
        Shape::Tag(_) => false,
        Shape::Closure => elem(closure::CODE) == Some(Elem::Func) && elem(closure::CAPTURES) == Some(Elem::Ref),
        Shape::Box => fields.len() == 1 && module.is_boxed(fields[0].ty),
    }
}

#[cfg(test)]
mod tests {
    use super::super::entity::TypeRef;
    use super::super::print::Spans;
    use super::super::{FuncRef, parse, print, verify};
    use super::*;

    const TEXT: &str = r#"closures
type t0 = int
type t1 = str
type t2 = array t0
type t3 = array t1
type t4 = bool
type t5 = array t4
type t6 = record r2
type t7 = record r3
type t8 = record r5
type t9 = optional t0
type t10 = func sig0
type t11 = code sig1
type t12 = record r9
type t13 = record r6
type t14 = optional t13
sig0 = (t0) -> t0
sig1 = (t12, t0) -> t0
sig2 = () -> t1
record r0 "(int, str)" tuple { "0": t0, "1": t1 }
record r1 "list[int]" list { "items": t2, "len": t0 }
record r2 "dict[str, bool]" dict { "keys": t3, "values": t5, "hashes": t2, "len": t0, "index": t2 }
record r3 "set[str]" set { "dict": t6 }
record r4 "Point" { "x": t0 }
record r5 "Token" enum ["Num"(1), "Pair"(1, 2), "End"()] { "variant": t0, "0": t0, "1": t8 }
record r6 "Color" tag ["Red", "Green"] { }
record r7 "fn(int) -> int" closure { "code": t11, "captured": t12 }
record r8 "int?" box { "content": t0 }
record r9 "captured" hidden { "x": t0 }
record r10 "Color?" box { "content": t13 }

function f0 "f" sig2() -> ref !0:0..1 {
    local v0: ref
    local v1: ref
block0:
    v0 = new_record r8(7) !0:2..3
    v1 = builtin display t9(v0) !0:2..4
    v0 = new_record r7(f1, none) !0:2..3
    return v1 !0:0..1
}

provided f1 "thunk" sig1(v0: ref, v1: int) -> int !0:0..1 {
block0:
    builtin key_failure(v0) !0:0..1
    return v1 !0:0..1
}
"#;

    #[test]
    fn shapes_read_back() {
        let module = parse::module(TEXT).expect("well formed");
        assert_eq!(print::module(&module, Spans::Shown), TEXT);
        assert_eq!(parse::module(&print::module(&module, Spans::Shown)), Ok(module.clone()));
        for func in module.funcs.values() {
            assert_eq!(verify::verify(&module, &func.body), Ok(()));
        }
        assert!(parse::module("record r0 \"A\" heap { }").is_err());
    }

    #[test]
    fn boxes_are_found_again() {
        let mut module = parse::module(TEXT).expect("well formed");
        let [int, color, text] = [0, 13, 1].map(TypeRef::from_u32);
        assert_eq!(module.intern_box(int), RecordRef::from_u32(8));
        assert_eq!(module.intern_box(color), RecordRef::from_u32(10));
        assert!(!module.is_boxed(text));
        let float = module.intern_type(Type::Float);
        let added = module.intern_box(float);
        assert_eq!(module.records[added].name, "float?");
        assert_eq!(parse::module(&print::module(&module, Spans::Shown)), Ok(module));
    }

    #[test]
    fn storage_follows_the_shape() {
        let mut module = parse::module(TEXT).expect("well formed");
        let elem = |module: &Module, ty: u32| module.elem(TypeRef::from_u32(ty));
        // Colors are numbers, and optional ones boxed; function values are closures, and their code is none.
        assert_eq!([13, 14, 9].map(|ty| elem(&module, ty)), [Elem::Int, Elem::Ref, Elem::Ref]);
        assert_eq!([10, 11].map(|ty| elem(&module, ty)), [Elem::Ref, Elem::Func]);
        module.closures = false;
        assert_eq!([10, 11].map(|ty| elem(&module, ty)), [Elem::Func, Elem::Func]);
    }

    #[test]
    fn records_that_do_not_fit_their_shapes_are_not_made() {
        for (shape, fields, values, fits) in [
            ("list", "\"a\": t2, \"len\": t0", "none, 1", true),
            ("list", "\"a\": t1, \"len\": t0", "none, 1", false),
            ("list", "\"a\": t2", "none", false),
            ("dict", "\"k\": t2, \"v\": t2, \"h\": t3, \"n\": t0", "none, none, none, 0", false),
            ("set", "\"a\": t1", "none", false),
            ("enum [\"A\"(), \"B\"(1)]", "\"v\": t0, \"0\": t1", "0, none", true),
            ("enum [\"A\"(), \"B\"(2)]", "\"v\": t0, \"0\": t1", "0, none", false),
            ("enum [\"A\"(0)]", "\"v\": t0, \"0\": t1", "0, none", false),
            ("tag [\"A\"]", "", "", false),
            ("box", "\"content\": t1", "none", false),
            ("box", "\"content\": t0", "1", true),
            ("closure", "\"code\": t0, \"captured\": t1", "1, none", false),
        ] {
            let text = format!(
                "type t0 = int\ntype t1 = str\ntype t2 = array t0\ntype t3 = array t1\nsig0 = ()
                record r0 \"R\" {shape} {{ {fields} }}
                function f0 \"f\" sig0() {{\n local v0: ref\nblock0:\n v0 = new_record r0({values})\n return\n}}"
            );
            let module = parse::module(&text).expect("well formed");
            let found = verify::verify(&module, module.function(FuncRef::from_u32(0)));
            assert_eq!(found.is_ok(), fits, "{shape} {{ {fields} }}: {found:?}");
        }
    }
}
