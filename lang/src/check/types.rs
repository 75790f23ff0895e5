//! Types as written to types of the module.
//!
//! In: a [`TypeExpr`] and whether it names storage. Out: its [`TypeRef`]. Invariant: `byte` comes out only as the type
//! of a field or the element type of an array.

use std::sync::Arc;

use hashbrown::HashSet;

use super::Checker;
use super::blueprint::TemplateItem;
use super::collection::collection_named;
use super::environment::{Def, DefKind};
use super::error::CheckError;
use super::report::{Checked, Reported};
use crate::ast::{Name, TypeExpr, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::ir::module::MOST_PARAMS;
use crate::ir::{Signature, Type, TypeRef};
use crate::source::Span;

/// The names of the types that need no definition.
pub(super) const BUILTIN_TYPES: [&str; 5] = ["int", "float", "bool", "byte", "str"];

/// The use of a written type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Variables, parameters and results.
    Value,
    /// Array elements and struct fields, which may be `byte`.
    Storage,
}

impl Checker<'_> {
    /// The type that `written` stands for; the names in it are added to `names`.
    pub(super) fn resolve(&mut self, written: &TypeExpr, of: Use, names: &mut HashSet<Arc<str>>) -> Checked<TypeRef> {
        match &written.kind {
            TypeKind::Paren(inner) => self.resolve(inner, of, names),
            TypeKind::Name(name) => self.resolve_name(name, of, names),
            TypeKind::Applied { module, name, args } => {
                self.resolve_applied(module.as_ref(), name, args, written.span, names)
            }
            TypeKind::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.resolve(part, Use::Value, names)).collect();
                let parts = parts.into_iter().collect::<Checked<Vec<_>>>()?;
                self.tuple_type(parts, written.span)
            }
            TypeKind::Array(of) => {
                let of = self.resolve(of, Use::Storage, names)?;
                Ok(self.env.array(of))
            }
            TypeKind::Optional(of) => {
                // `byte?` is refused as optional, not as `byte` in the wrong place.
                let is_param = matches!(&of.kind, TypeKind::Name(name) if self.bindings.contains_key(&name.text));
                let content = self.resolve(of, if is_param { Use::Value } else { Use::Storage }, names)?;
                self.env.optional(content).ok_or_else(|| {
                    let ty = self.env.type_name(content, self.sources);
                    self.error(CheckError::BadOptional(ty), written.span)
                })
            }
            TypeKind::Fn { params, result } => {
                if let Some(beyond) = params.get(MOST_PARAMS) {
                    return Err(self.error(CheckError::TooManyParams, beyond.span));
                }
                let params: Vec<_> = params.iter().map(|ty| self.resolve(ty, Use::Value, names)).collect();
                let result = result.as_ref().map(|ty| self.resolve(ty, Use::Value, names)).transpose();
                let sig = Signature { params: params.into_iter().collect::<Checked<_>>()?, result: result? };
                let sig = self.env.sig(sig);
                Ok(self.env.ty(Type::Func(sig)))
            }
        }
    }

    fn resolve_name(&mut self, name: &Name, of: Use, names: &mut HashSet<Arc<str>>) -> Checked<TypeRef> {
        if name.as_str() == "_moves" && self.env.prelude_files.contains(&name.span.file) {
            return Ok(self.moves_type());
        }
        if let Some(&ty) = self.bindings.get(&name.text) {
            return Ok(if of == Use::Value { self.env.read_type(ty) } else { ty });
        }
        names.insert(name.text.clone());
        let basic = self.env.basic;
        let ty = match name.as_str() {
            "int" => basic.int,
            "float" => basic.float,
            "bool" => basic.bool,
            "str" => basic.str,
            "byte" if of == Use::Storage => basic.byte,
            "byte" => {
                let error = Diagnostic::error(CheckError::ByteOutsideStorage, name.span);
                return Err(self.report(error.with_help("use `int`; a byte reads as an `int` from 0 to 255")));
            }
            _ => return self.resolve_struct(name),
        };
        Ok(ty)
    }

    fn resolve_struct(&mut self, name: &Name) -> Checked<TypeRef> {
        match self.env.lookup(name.as_str(), name.span.file) {
            Some(def) => self.type_of_def(name, def, &[], name.span),
            None => Err(self.unknown_type(name)),
        }
    }

    /// The type that a definition stands for, with the given types in brackets.
    fn type_of_def(&mut self, name: &Name, def: Def, args: &[TypeRef], span: Span) -> Checked<TypeRef> {
        let text = || name.text.to_string();
        match def.kind {
            DefKind::Struct(record) if args.is_empty() => Ok(self.env.ty(Type::Record(record))),
            DefKind::Struct(_) => Err(self.wrong_type_count(text(), 0, args.len(), span, Some(def.span))),
            DefKind::Template(id) if !matches!(self.env.templates[id].item, TemplateItem::Fn(..)) => {
                let params = self.env.templates[id].item.type_params().len();
                if params != args.len() {
                    return Err(self.wrong_type_count(text(), params, args.len(), span, Some(def.span)));
                }
                let record = self.record_of_template(id, args.to_vec(), span)?;
                Ok(self.env.ty(Type::Record(record)))
            }
            DefKind::Fn(_) | DefKind::Const(_) | DefKind::Global(_) | DefKind::Template(_) | DefKind::Module(_) => {
                let what = self.describe(def.kind);
                let error = CheckError::NotAType { name: text(), what };
                Err(self.report(Diagnostic::error(error, name.span).with_label(def.span, "it is defined here")))
            }
        }
    }

    /// A type with types in brackets, or a module before it.
    fn resolve_applied(
        &mut self,
        module: Option<&Name>,
        name: &Name,
        args: &[TypeExpr],
        span: Span,
        names: &mut HashSet<Arc<str>>,
    ) -> Checked<TypeRef> {
        let args: Vec<_> = args.iter().map(|arg| self.resolve(arg, Use::Value, names)).collect();
        let args = args.into_iter().collect::<Checked<Vec<_>>>()?;
        if let Some(module) = module {
            names.insert(module.text.clone());
            let def = self.member(module, name)?;
            return self.type_of_def(name, def, &args, span);
        }
        names.insert(name.text.clone());
        match self.env.lookup(name.as_str(), name.span.file) {
            Some(def) => self.type_of_def(name, def, &args, span),
            None => match collection_named(name.as_str()) {
                Some((collection, count)) if args.len() == count => self.collection_type(collection, args, span),
                Some((_, count)) => Err(self.wrong_type_count(name.text.to_string(), count, args.len(), span, None)),
                None if BUILTIN_TYPES.contains(&name.as_str()) => {
                    Err(self.wrong_type_count(name.text.to_string(), 0, args.len(), span, None))
                }
                None => Err(self.unknown_type(name)),
            },
        }
    }

    fn unknown_type(&mut self, name: &Name) -> Reported {
        if let Some((_, count)) = collection_named(name.as_str()) {
            return self.wrong_type_count(name.text.to_string(), count, 0, name.span, None);
        }
        let error = Diagnostic::error(CheckError::UnknownType(name.text.to_string()), name.span);
        let help = foreign_type(name.as_str())
            .map(|ours| match name.as_str() {
                "char" => "`int` holds a byte such as `'a'`, `str` a character of any kind".to_owned(),
                "u8" | "i8" => "`int` holds a byte; arrays and fields of them are `[byte]` and `byte`".to_owned(),
                "Array" | "array" => "an array of ints is written `[int]`".to_owned(),
                _ => format!("the type is called `{ours}` here"),
            })
            .or_else(|| self.did_you_mean(name.as_str(), self.type_names()));
        self.report(match help {
            Some(help) => error.with_help(help),
            None => error,
        })
    }

    fn wrong_type_count(
        &mut self,
        name: String,
        expected: usize,
        found: usize,
        span: Span,
        declared: Option<Span>,
    ) -> Reported {
        let help = (found == 0).then(|| {
            let params = ["A", "B", "C", "D", "E", "F", "G", "H"];
            let example = match name.as_str() {
                "list" => "list[int]".to_owned(),
                "set" => "set[str]".to_owned(),
                "dict" => "dict[str, int]".to_owned(),
                _ => format!("{name}[{}]", params[..expected.min(8)].join(", ")),
            };
            format!("write its types in brackets: `{example}`")
        });
        let mut error = Diagnostic::error(CheckError::TypeCount { name, expected, found }, span);
        error.labels.extend(declared.map(|span| (span, "it is defined here".to_owned())));
        error.help = help;
        self.report(error)
    }

    /// The kind of a definition as a phrase with its article.
    pub(super) fn describe(&self, kind: DefKind) -> &'static str {
        match kind {
            DefKind::Template(id) => self.env.templates[id].item.describe(),
            _ => kind.describe(),
        }
    }

    fn type_names(&self) -> impl Iterator<Item = &str> {
        let is_type = |kind| match kind {
            DefKind::Struct(_) => true,
            DefKind::Template(id) => !matches!(self.env.templates[id].item, TemplateItem::Fn(..)),
            DefKind::Fn(_) | DefKind::Const(_) | DefKind::Global(_) | DefKind::Module(_) => false,
        };
        let types = self.env.names.iter().filter(move |(_, def)| is_type(def.kind));
        types.map(|(name, _)| &**name).chain(BUILTIN_TYPES).chain(["list", "dict", "set"])
    }
}

/// Our name for a type that people coming from other languages try first.
fn foreign_type(name: &str) -> Option<&'static str> {
    match name {
        "i64" | "i32" | "u64" | "u32" | "isize" | "usize" | "Int" | "long" | "integer" | "number" => Some("int"),
        "f64" | "f32" | "double" | "Float" | "Double" => Some("float"),
        "boolean" | "Bool" => Some("bool"),
        "u8" | "i8" | "char" => Some("byte"),
        "String" | "string" | "Str" => Some("str"),
        "Vec" | "vec" | "vector" | "Vector" | "ArrayList" => Some("list"),
        "map" | "Map" | "HashMap" | "hashmap" | "object" | "table" => Some("dict"),
        "HashSet" | "hashset" => Some("set"),
        "Array" | "array" => Some("[int]"),
        _ => None,
    }
}
