//! Types as written.

use super::name::Name;
use crate::source::Span;

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeExpr {
    /// Its kind.
    pub kind: TypeKind,
    /// The whole type.
    pub span: Span,
}

/// The kinds of type.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `int`, `Point`, ...: built-in types are names like any other.
    Name(Name),
    /// `list[int]`, `Pair[A, B]`, `geo.Point`: a name with a module before it or types behind it.
    Applied {
        /// The name of an import, before a dot.
        module: Option<Name>,
        /// The type.
        name: Name,
        /// The types in brackets, none where nothing is in brackets.
        args: Vec<TypeExpr>,
    },
    /// `(A, B)`, two parts at least.
    Tuple(Vec<TypeExpr>),
    /// `[T]`
    Array(Box<TypeExpr>),
    /// `T?`
    Optional(Box<TypeExpr>),
    /// `fn(A, B) -> R`
    Fn {
        /// The types of the parameters.
        params: Vec<TypeExpr>,
        /// The type of the result.
        result: Option<Box<TypeExpr>>,
    },
    /// `(T)`
    Paren(Box<TypeExpr>),
}

impl TypeExpr {
    /// The type as it is written, on one line.
    pub fn written(&self) -> String {
        let list = |types: &[TypeExpr]| types.iter().map(TypeExpr::written).collect::<Vec<_>>().join(", ");
        match &self.kind {
            TypeKind::Name(name) => name.text.to_string(),
            TypeKind::Paren(inner) => format!("({})", inner.written()),
            TypeKind::Array(of) => format!("[{}]", of.written()),
            TypeKind::Optional(of) => format!("{}?", of.written()),
            TypeKind::Tuple(parts) => format!("({})", list(parts)),
            TypeKind::Applied { module, name, args } => {
                let module = module.as_ref().map(|module| format!("{}.", module.as_str())).unwrap_or_default();
                let args = if args.is_empty() { String::new() } else { format!("[{}]", list(args)) };
                format!("{module}{}{args}", name.as_str())
            }
            TypeKind::Fn { params, result } => {
                let result = result.as_ref().map(|ty| format!(" -> {}", ty.written())).unwrap_or_default();
                format!("fn({}){result}", list(params))
            }
        }
    }
}
