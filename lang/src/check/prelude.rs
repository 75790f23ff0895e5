//! The part of the language that is written in itself: files of functions with type parameters, each read when one of
//! its functions is needed first.
//!
//! In: the name of a function of the prelude. Out: its template. Invariant: a program that uses none of these functions
//! pays for none of them. The functions of a sequence stand once, in `sequence.hw`, for lists and for arrays: the text
//! is read once with each of the two types in place of `seq[T]`.

use std::sync::Arc;

use super::Checker;
use super::blueprint::{Author, TemplateItem};
use super::environment::TemplateId;
use crate::ast::{Item, TopLevel};
use crate::ir::{Shape, TypeRef};
use crate::parse::parse;
use crate::source::{FileId, Span};

/// A file of the prelude: the beginning of its functions' names, its name and its text.
const FILES: &[(&str, &str, &str)] = &[
    ("list_", "prelude/list.hw", include_str!("../prelude/list.hw")),
    ("dict_", "prelude/dict.hw", include_str!("../prelude/dict.hw")),
    ("set_", "prelude/set.hw", include_str!("../prelude/set.hw")),
    ("str_", "prelude/str.hw", include_str!("../prelude/str.hw")),
    ("hash_", "prelude/hash.hw", include_str!("../prelude/hash.hw")),
    ("deep_", "prelude/deep.hw", include_str!("../prelude/deep.hw")),
];

/// The functions of sequences, whose text is read twice.
const SEQUENCE: &str = include_str!("../prelude/sequence.hw");

/// The files of the prelude: the beginning of their functions' names, their names and their texts.
pub(crate) fn prelude_files() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FILES.iter().copied().chain([("seq_", "prelude/sequence.hw", SEQUENCE)])
}

impl Checker<'_> {
    /// The function of the prelude of that name.
    pub(super) fn provided(&mut self, name: &str) -> Option<TemplateId> {
        if let Some(&id) = self.env.provided.get(name) {
            return Some(id);
        }
        let text = if let Some(of) = name.strip_prefix("in_list_") {
            ("prelude/sequence.hw, lists", SEQUENCE.replace("seq[", "list[").replace("seq_", "in_list_"), of)
        } else if let Some(of) = name.strip_prefix("in_array_") {
            ("prelude/sequence.hw, arrays", arrays(SEQUENCE), of)
        } else {
            let &(prefix, file, text) = FILES.iter().find(|(prefix, ..)| name.starts_with(prefix))?;
            (file, text.to_owned(), &name[prefix.len()..])
        };
        self.read_prelude(text.0, &text.1);
        self.env.provided.get(name).copied()
    }

    /// A function that the compiler writes for one type: its text is made and read as the prelude is.
    pub(super) fn synthesized(&mut self, name: &str, text: impl FnOnce() -> String) -> TemplateId {
        if let Some(&id) = self.env.provided.get(name) {
            return id;
        }
        self.read_prelude("prelude/made for a type", &text());
        self.env.provided[name]
    }

    fn read_prelude(&mut self, file: &str, text: &str) {
        let file = self.sources.add(file, text);
        self.env.prelude_files.insert(file);
        let (program, errors) = parse(self.sources, file);
        assert!(errors.is_empty(), "the prelude parses: {errors:?}");
        for part in program.body {
            let TopLevel::Item(Item::Fn(item)) = part else { panic!("the prelude has functions alone") };
            let name = item.name.text.clone();
            let id = self.add_template(TemplateItem::Fn(Arc::new(item), Author::Prelude));
            self.env.provided.insert(name, id);
        }
    }

    /// A place for what no program has written.
    pub(super) fn nowhere(&self) -> Span {
        Span::new(FileId::from_u32(0), 0, 0)
    }

    /// `==` of two values of a tuple or an enum with payloads.
    pub(super) fn equal_template(&mut self, ty: TypeRef) -> TemplateId {
        let record = self.env.record_of(ty).expect("tuples and enums are records");
        match self.env.module.records[record].shape.clone() {
            Shape::Tuple => {
                let parts = self.env.records[record].fields.len();
                self.synthesized(&format!("equal_tuple{parts}"), || {
                    let tests: Vec<_> = (0..parts).map(|at| format!("a.{at} == b.{at}")).collect();
                    format!("fn equal_tuple{parts}[T](a: T, b: T) -> bool {{ return {} }}", tests.join(" && "))
                })
            }
            Shape::Enum(variants) => self.synthesized(&format!("equal_enum{}", record.as_u32()), || {
                let test = |field: &u32| format!("a._{field} == b._{field}");
                let body = by_variant(&variants, |fields| {
                    format!("{{ return {} }}", fields.iter().map(test).collect::<Vec<_>>().join(" && "))
                });
                let name = record.as_u32();
                format!(
                    "fn equal_enum{name}[T](a: T, b: T) -> bool {{ if a._tag != b._tag {{ return false }}\n{body}return true }}"
                )
            }),
            other => unreachable!("`==` of {other:?} is identity"),
        }
    }

    /// An ordering of two tuples: `<`, `<=`, `>` or `>=`.
    pub(super) fn order_template(&mut self, parts: usize, op: &'static str) -> TemplateId {
        let name = match op {
            "<" => "less",
            "<=" => "less_equal",
            ">" => "greater",
            _ => "greater_equal",
        };
        self.synthesized(&format!("{name}_tuple{parts}"), || {
            let strict = &op[..1];
            let tests: String =
                (0..parts - 1).map(|at| format!("if a.{at} != b.{at} {{ return a.{at} {strict} b.{at} }}\n")).collect();
            let last = parts - 1;
            format!("fn {name}_tuple{parts}[T](a: T, b: T) -> bool {{ {tests}return a.{last} {op} b.{last} }}")
        })
    }

    /// The hash of a key that is a tuple or an enum with payloads.
    pub(super) fn hash_template(&mut self, ty: TypeRef) -> TemplateId {
        let record = self.env.record_of(ty).expect("tuples and enums are records");
        match self.env.module.records[record].shape.clone() {
            Shape::Tuple => {
                let parts = self.env.records[record].fields.len();
                self.synthesized(&format!("hash_tuple{parts}"), || {
                    let parts_of: String = (0..parts).map(|at| format!("h = hash_mix(h, hash_of(a.{at}))\n")).collect();
                    format!("fn hash_tuple{parts}[T](a: T) -> int {{ var h = {parts}\n{parts_of}return h }}")
                })
            }
            Shape::Enum(variants) => self.synthesized(&format!("hash_enum{}", record.as_u32()), || {
                let step = |field: &u32| format!("h = hash_mix(h, hash_of(a._{field}))\n");
                let body =
                    by_variant(&variants, |fields| format!("{{ {} }}", fields.iter().map(step).collect::<String>()));
                let name = record.as_u32();
                format!("fn hash_enum{name}[T](a: T) -> int {{ var h = hash_of(a._tag)\n{body}return h }}")
            }),
            other => unreachable!("{other:?} is no key"),
        }
    }

    /// `equal(a, b)` of structs, tuples and enums, by their parts.
    pub(super) fn deep_template(&mut self, ty: TypeRef) -> TemplateId {
        let record = self.env.record_of(ty).expect("structs, tuples and enums are records");
        let id = record.as_u32();
        let name = format!("equal_parts{id}");
        match self.env.module.records[record].shape.clone() {
            Shape::Enum(variants) => self.synthesized(&name, || {
                let test = |field: &u32| format!("equal(a._{field}, b._{field})");
                let body = by_variant(&variants, |fields| {
                    format!("{{ return {} }}", fields.iter().map(test).collect::<Vec<_>>().join(" && "))
                });
                format!(
                    "fn equal_parts{id}[T](a: T, b: T) -> bool {{ if a._tag != b._tag {{ return false }}\n{body}return true }}"
                )
            }),
            _ => {
                let fields: Vec<_> =
                    self.env.module.records[record].fields.iter().map(|field| field.name.clone()).collect();
                self.synthesized(&name, || {
                    let tests: Vec<_> = fields.iter().map(|field| format!("equal(a.{field}, b.{field})")).collect();
                    let all = if tests.is_empty() { "true".to_owned() } else { tests.join(" && ") };
                    format!("fn equal_parts{id}[T](a: T, b: T) -> bool {{ return {all} }}")
                })
            }
        }
    }
}

/// `match a._tag { ... }` with an arm for each variant that has payloads.
fn by_variant(variants: &[crate::ir::Variant], arm: impl Fn(&[u32]) -> String) -> String {
    let arms = variants.iter().enumerate().filter(|(_, variant)| !variant.fields.is_empty());
    let arms: String = arms.map(|(at, variant)| format!("{at} => {}\n", arm(&variant.fields))).collect();
    format!("match a._tag {{\n{arms}}}\n")
}

/// The functions of sequences, for arrays.
fn arrays(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("seq[") {
        out.push_str(&rest[..at]);
        out.push('[');
        rest = &rest[at + "seq[".len()..];
    }
    out.push_str(rest);
    out.replace("seq_", "in_array_")
}
