//! Types as written to types of the module.
//!
//! In: a [`TypeExpr`] and whether it names storage. Out: its [`TypeRef`]. Invariant: `byte` comes out only as the type
//! of a field or the element type of an array.

use std::sync::Arc;

use hashbrown::HashSet;

use super::Checker;
use super::environment::DefKind;
use super::error::CheckError;
use super::report::Checked;
use crate::ast::{Name, TypeExpr, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::ir::module::MOST_PARAMS;
use crate::ir::{Signature, Type, TypeRef};

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
            TypeKind::Array(of) => {
                let of = self.resolve(of, Use::Storage, names)?;
                Ok(self.env.array(of))
            }
            TypeKind::Optional(of) => {
                // `byte?` is refused as optional, not as `byte` in the wrong place.
                let content = self.resolve(of, Use::Storage, names)?;
                self.env.optional(content).ok_or_else(|| {
                    let ty = self.env.module.type_name(content);
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
            Some(def) => match def.kind {
                DefKind::Struct(record) => Ok(self.env.ty(Type::Record(record))),
                DefKind::Fn(_) | DefKind::Const(_) | DefKind::Global(_) => {
                    let what = def.kind.describe();
                    let error = CheckError::NotAType { name: name.text.to_string(), what };
                    Err(self.report(Diagnostic::error(error, name.span).with_label(def.span, "it is defined here")))
                }
            },
            None => {
                let error = Diagnostic::error(CheckError::UnknownType(name.text.to_string()), name.span);
                let help = foreign_type(name.as_str())
                    .map(|ours| format!("the type is called `{ours}` here"))
                    .or_else(|| self.did_you_mean(name.as_str(), self.type_names()));
                Err(self.report(match help {
                    Some(help) => error.with_help(help),
                    None => error,
                }))
            }
        }
    }

    fn type_names(&self) -> impl Iterator<Item = &str> {
        let structs = self.env.names.iter().filter(|(_, def)| matches!(def.kind, DefKind::Struct(_)));
        structs.map(|(name, _)| &**name).chain(BUILTIN_TYPES)
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
        _ => None,
    }
}
