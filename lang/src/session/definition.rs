//! The definitions of a session as people read them: `fn gcd(a: int, b: int) -> int`.
//!
//! In: the environment. Out: [`Definition`]s, plain text. Invariant: the text is the head of the definition as it would
//! be written in a program, with every type spelled out; whatever the layout of the source, it is one line.

use super::Session;
use crate::ast::{self, Mutability};
use crate::check::blueprint::TemplateItem;
use crate::check::environment::{ConstId, ConstValue, Def, DefKind, Environment, TemplateId};
use crate::check::report::Checked;
use crate::ir::{FuncRef, Global, RecordRef, TypeRef};
use crate::source::{SourceMap, Span};

/// The present meaning of a top-level name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// The span of its name in the definition.
    pub span: Span,
    /// Its head: `fn gcd(a: int, b: int) -> int`, `struct Point { x: float }`, `const N: int = 3`, `var total: int`.
    pub head: String,
    /// The text of the `///` lines before it.
    pub doc: Option<String>,
}

impl Session {
    /// The present meaning of `name`.
    pub fn definition(&self, name: &str) -> Option<Definition> {
        self.env.names.get(name).map(|def| self.env.definition(name, *def, &self.sources))
    }

    /// The present meaning of every top-level name but those of answers, in the order of definition.
    pub fn definitions(&self) -> Vec<Definition> {
        let answers = self.answer_names();
        let defined = self.env.names.iter().filter(|(name, _)| !answers.contains(&&***name));
        let mut all: Vec<_> = defined.map(|(name, def)| self.env.definition(name, *def, &self.sources)).collect();
        all.sort_by_key(|definition| definition.span);
        all
    }
}

impl Environment {
    pub(crate) fn definition(&self, name: &str, def: Def, sources: &SourceMap) -> Definition {
        let (head, doc) = match def.kind {
            DefKind::Fn(func) => self.function(name, func, sources),
            DefKind::Template(id) => self.template(id),
            DefKind::Module(_) => (format!("import {name}"), None),
            DefKind::Struct(record) => self.record(name, record, sources),
            DefKind::Const(id) => self.constant(name, id),
            DefKind::Global(global) => (self.global(name, global, sources), None),
        };
        Definition { name: name.to_owned(), span: def.span, head, doc }
    }

    fn function(&self, name: &str, func: FuncRef, sources: &SourceMap) -> (String, Option<String>) {
        let info = &self.funcs[func];
        let item = info.item.as_deref();
        let names = item.map_or(&[][..], |item| &item.params);
        let param = |(name, param): (&ast::Param, _)| self.typed(name.name.as_str(), param, sources);
        let params: Vec<_> = names.iter().zip(info.params.iter().map(|param| param.ty)).map(param).collect();
        let result = info.result.ok().flatten().map(|ty| format!(" -> {}", self.type_name(ty, sources)));
        let head = format!("fn {name}({}){}", params.join(", "), result.unwrap_or_default());
        (head, item.and_then(|item| item.doc.clone()))
    }

    fn record(&self, name: &str, record: RecordRef, sources: &SourceMap) -> (String, Option<String>) {
        let doc = self.struct_item(record).and_then(|item| item.doc.clone());
        let fields = &self.module.records[record].fields;
        let fields: Vec<_> = fields.iter().map(|field| self.typed(&field.name, Ok(field.ty), sources)).collect();
        let head = match fields.is_empty() {
            true => format!("struct {name} {{}}"),
            false => format!("struct {name} {{ {} }}", fields.join(", ")),
        };
        (head, doc)
    }

    /// A definition with type parameters, or an enum, with its types as they are written.
    fn template(&self, id: TemplateId) -> (String, Option<String>) {
        let params = |names: &[ast::Name]| match names.is_empty() {
            true => String::new(),
            false => format!("[{}]", names.iter().map(ast::Name::as_str).collect::<Vec<_>>().join(", ")),
        };
        match &self.templates[id].item {
            TemplateItem::Fn(item, _) => {
                let typed = item.params.iter().map(|param| format!("{}: {}", param.name.as_str(), param.ty.written()));
                let typed: Vec<_> = typed.collect();
                let result = item.result.as_ref().map(|ty| format!(" -> {}", ty.written())).unwrap_or_default();
                let (name, params) = (item.name.as_str(), params(&item.type_params));
                (format!("fn {name}{params}({}){result}", typed.join(", ")), item.doc.clone())
            }
            TemplateItem::Struct(item) => {
                let fields = item.fields.iter().map(|field| format!("{}: {}", field.name.as_str(), field.ty.written()));
                let fields: Vec<_> = fields.collect();
                let (name, params) = (item.name.as_str(), params(&item.type_params));
                (format!("struct {name}{params} {{ {} }}", fields.join(", ")), item.doc.clone())
            }
            TemplateItem::Enum(item) => {
                let variant = |variant: &ast::Variant| match variant.payloads.is_empty() {
                    true => variant.name.text.to_string(),
                    false => {
                        let payloads: Vec<_> = variant.payloads.iter().map(ast::TypeExpr::written).collect();
                        format!("{}({})", variant.name.as_str(), payloads.join(", "))
                    }
                };
                let variants: Vec<_> = item.variants.iter().map(variant).collect();
                let (name, params) = (item.name.as_str(), params(&item.type_params));
                (format!("enum {name}{params} {{ {} }}", variants.join(", ")), item.doc.clone())
            }
        }
    }

    fn constant(&self, name: &str, id: ConstId) -> (String, Option<String>) {
        let info = &self.consts[id];
        let head = match info.value {
            Some(Ok(value)) => {
                let ty = self.module.type_name(self.const_type(value));
                format!("const {name}: {ty} = {}", self.value(value))
            }
            Some(Err(_)) | None => format!("const {name}"),
        };
        (head, info.item.doc.clone())
    }

    fn global(&self, name: &str, global: Global, sources: &SourceMap) -> String {
        let info = &self.globals[global];
        let keyword = match info.mutability {
            Mutability::Fixed => "let",
            Mutability::Variable => "var",
        };
        match info.ty {
            Some(ty) => format!("{keyword} {}", self.typed(name, ty, sources)),
            None => format!("{keyword} {name}"),
        }
    }

    /// `name: type`. Types are known wherever a session has accepted the input.
    fn typed(&self, name: &str, ty: Checked<TypeRef>, sources: &SourceMap) -> String {
        match ty {
            Ok(ty) => format!("{name}: {}", self.type_name(ty, sources)),
            Err(_) => name.to_owned(),
        }
    }

    fn value(&self, value: ConstValue) -> String {
        match value {
            ConstValue::Int(value) => value.to_string(),
            ConstValue::Float(value) if value.is_nan() => "nan".to_owned(),
            ConstValue::Float(value) => format!("{value:?}"),
            ConstValue::Bool(value) => value.to_string(),
            ConstValue::Str(text) => format!("{:?}", String::from_utf8_lossy(&self.module.strings[text])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Input, NoFiles, Session, SessionKind};

    fn session(text: &str) -> Session {
        let mut session = Session::new(SessionKind::Repl);
        session.add(Input { name: "a", key: None, bytes: text.as_bytes() }, &mut NoFiles).expect("it is right");
        session
    }

    #[test]
    fn heads_are_what_a_program_would_say() {
        let text = "struct P { x: float\n name: str? }\n/// Sums up.\nfn f(a: int,\n  b: [P]) -> fn(int) {\n return g }
            fn g(n: int) {}\nconst N = 2 * 3\nconst S = \"a\\n\"\nlet p = P(x: 1.0, name: none)\nvar n = [p]";
        let definitions = session(text).definitions();
        let heads: Vec<&str> = definitions.iter().map(|definition| definition.head.as_str()).collect();
        assert_eq!(
            heads,
            [
                "struct P { x: float, name: str? }",
                "fn f(a: int, b: [P]) -> fn(int)",
                "fn g(n: int)",
                "const N: int = 6",
                "const S: str = \"a\\n\"",
                "let p: P",
                "var n: [P]",
            ]
        );
        assert_eq!(definitions[1].doc.as_deref(), Some("Sums up."));
    }

    #[test]
    fn heads_tell_former_types_apart() {
        let mut session = session("struct P { x: int }\nlet p = P(x: 1)\nlet ps = list(p)");
        let mut add = |name: &str, text: &str| {
            session.add(Input { name, key: None, bytes: text.as_bytes() }, &mut NoFiles).expect("it is right");
        };
        add("b", "struct P { y: int }");
        add("c", "struct Q { p: P }\nlet f = fn(n: int) => ps");
        let heads = ["p", "ps", "Q", "f"].map(|name| session.definition(name).unwrap().head);
        let expected = ["let p: P of a", "let ps: list[P of a]", "struct Q { p: P }", "let f: fn(int) -> list[P of a]"];
        assert_eq!(heads, expected);
        let mut type_of = |text: &str| {
            let input = Input { name: "d", key: None, bytes: text.as_bytes() };
            session.type_of(input, &mut NoFiles).expect("it is right").unwrap()
        };
        assert_eq!([type_of("[p]"), type_of("[P(y: 1)]")], ["[P of a]", "[P]"]);
    }

    #[test]
    fn names_that_mean_nothing_have_no_definition() {
        let session = session("let x = 1");
        assert_eq!(session.definition("x").map(|found| found.name), Some("x".to_owned()));
        assert_eq!(session.definition("y"), None);
    }
}
