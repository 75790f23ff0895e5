//! A type of programs as the host knows it.
//!
//! In: what a Rust type says of itself. Out: the type as a program writes it, the declarations that this needs, and a
//! comparison with a type of the program. Invariant: a struct or enum names its parts only when asked, so that types may
//! contain themselves.

use holloway_lang::ir::{Module, RecordRef, Shape, Type, TypeRef};
use std::any::TypeId;
use std::fmt;

/// A type of programs.
#[derive(Clone, Debug)]
pub enum Described {
    /// `int`
    Int,
    /// `float`
    Float,
    /// `bool`
    Bool,
    /// `str`
    Str,
    /// `T?`
    Optional(Box<Described>),
    /// `[T]`
    Array(Box<Described>),
    /// `list[T]`
    List(Box<Described>),
    /// `dict[K, V]`
    Dict(Box<(Described, Described)>),
    /// `set[T]`
    Set(Box<Described>),
    /// `(A, B)`
    Tuple(Vec<Described>),
    /// `fn(A) -> R`
    Function(Vec<Described>, Option<Box<Described>>),
    /// A struct: its name, and its fields.
    Struct(&'static str, fn() -> Vec<Member>),
    /// An enum: its name, and its variants, of which each has payloads.
    Enum(&'static str, fn() -> Vec<(&'static str, Vec<Described>)>),
    /// A type of the host, which programs pass on: by the name it was given, and the Rust type.
    Opaque(Option<String>, TypeId),
}

/// A field of a struct.
pub type Member = (&'static str, Described);

impl Described {
    /// `T?`
    pub fn optional(of: Described) -> Described {
        Described::Optional(Box::new(of))
    }

    /// True if no value of the type is an object that a program changes, or a function.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Described::Int | Described::Float | Described::Bool | Described::Str => true,
            Described::Optional(of) => matches!(**of, Described::Str),
            Described::Array(_)
            | Described::List(_)
            | Described::Dict(_)
            | Described::Set(_)
            | Described::Tuple(_)
            | Described::Function(..)
            | Described::Struct(..)
            | Described::Enum(..)
            | Described::Opaque(..) => false,
        }
    }

    /// Calls `f` with this type and all that its text names.
    pub(crate) fn each(&self, f: &mut dyn FnMut(&Described)) {
        f(self);
        match self {
            Described::Optional(of) | Described::Array(of) | Described::List(of) | Described::Set(of) => of.each(f),
            Described::Dict(of) => {
                of.0.each(f);
                of.1.each(f);
            }
            Described::Tuple(parts) => parts.iter().for_each(|part| part.each(f)),
            Described::Function(params, result) => {
                params.iter().for_each(|param| param.each(f));
                result.iter().for_each(|result| result.each(f));
            }
            Described::Int
            | Described::Float
            | Described::Bool
            | Described::Str
            | Described::Struct(..)
            | Described::Enum(..)
            | Described::Opaque(..) => {}
        }
    }

    /// Gives types of the host the names under which they were declared.
    pub(crate) fn name_opaque(&mut self, name: &dyn Fn(TypeId) -> Option<String>) {
        match self {
            Described::Opaque(known, id) => *known = name(*id),
            Described::Optional(of) | Described::Array(of) | Described::List(of) | Described::Set(of) => {
                of.name_opaque(name);
            }
            Described::Dict(of) => {
                of.0.name_opaque(name);
                of.1.name_opaque(name);
            }
            Described::Tuple(parts) => parts.iter_mut().for_each(|part| part.name_opaque(name)),
            Described::Function(params, result) => {
                params.iter_mut().for_each(|param| param.name_opaque(name));
                result.iter_mut().for_each(|result| result.name_opaque(name));
            }
            Described::Int
            | Described::Float
            | Described::Bool
            | Described::Str
            | Described::Struct(..)
            | Described::Enum(..) => {}
        }
    }

    /// The definition of a struct or an enum, as a program would write it.
    pub(crate) fn definition(&self) -> Option<String> {
        let list = |items: Vec<String>| items.join(", ");
        match self {
            Described::Struct(name, fields) => {
                let fields = fields().into_iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
                Some(format!("struct {name} {{ {} }}", list(fields)))
            }
            Described::Enum(name, variants) => {
                let variant = |(name, payloads): (&str, Vec<Described>)| match payloads.is_empty() {
                    true => name.to_owned(),
                    false => format!("{name}({})", list(payloads.iter().map(Described::to_string).collect())),
                };
                Some(format!("enum {name} {{ {} }}", list(variants().into_iter().map(variant).collect())))
            }
            _ => None,
        }
    }

    /// True if a type of a program is this one.
    pub(crate) fn fits(&self, module: &Module, ty: TypeRef) -> bool {
        self.fits_outside(module, ty, &mut Vec::new())
    }

    /// The same; structs and enums that are being compared fit themselves.
    fn fits_outside(&self, module: &Module, ty: TypeRef, known: &mut Vec<RecordRef>) -> bool {
        match (self, &module.types[ty]) {
            (Described::Int, Type::Int)
            | (Described::Float, Type::Float)
            | (Described::Bool, Type::Bool)
            | (Described::Str, Type::Str) => true,
            (Described::Optional(of), Type::Optional(ty)) | (Described::Array(of), Type::Array(ty)) => {
                of.fits_outside(module, *ty, known)
            }
            (Described::Function(params, result), Type::Func(sig)) => {
                let sig = &module.sigs[*sig];
                params.len() == sig.params.len()
                    && params.iter().zip(&sig.params).all(|(param, ty)| param.fits_outside(module, *ty, known))
                    && match (result, sig.result) {
                        (Some(result), Some(ty)) => result.fits_outside(module, ty, known),
                        (None, None) => true,
                        (Some(_), None) | (None, Some(_)) => false,
                    }
            }
            (_, Type::Record(record)) => {
                if known.contains(record) {
                    return true;
                }
                known.push(*record);
                let fits = self.fits_record(module, *record, known);
                known.pop();
                fits
            }
            _ => false,
        }
    }

    fn fits_record(&self, module: &Module, record: RecordRef, known: &mut Vec<RecordRef>) -> bool {
        let decl = &module.records[record];
        let field = |at: usize| decl.fields[at].ty;
        let elements = |ty: TypeRef| match module.types[ty] {
            Type::Array(of) => of,
            _ => unreachable!("a collection has arrays"),
        };
        match (self, &decl.shape) {
            (Described::Tuple(parts), Shape::Tuple) => {
                parts.len() == decl.fields.len()
                    && parts.iter().enumerate().all(|(at, part)| part.fits_outside(module, field(at), known))
            }
            (Described::List(of), Shape::List) => of.fits_outside(module, elements(field(0)), known),
            (Described::Dict(of), Shape::Dict) => {
                of.0.fits_outside(module, elements(field(0)), known)
                    && of.1.fits_outside(module, elements(field(1)), known)
            }
            (Described::Set(of), Shape::Set) => {
                let Type::Record(dict) = module.types[field(0)] else { unreachable!("a set has a dict") };
                of.fits_outside(module, elements(module.records[dict].fields[0].ty), known)
            }
            (Described::Struct(name, fields), Shape::Struct) => {
                let fields = fields();
                decl.name == *name
                    && fields.len() == decl.fields.len()
                    && fields
                        .iter()
                        .zip(&decl.fields)
                        .all(|((name, of), field)| field.name == *name && of.fits_outside(module, field.ty, known))
            }
            (Described::Enum(name, variants), Shape::Tag(names)) => {
                let variants = variants();
                decl.name == *name
                    && variants.len() == names.len()
                    && variants.iter().zip(names).all(|((name, payloads), tag)| tag == name && payloads.is_empty())
            }
            (Described::Enum(name, variants), Shape::Enum(found)) => {
                let variants = variants();
                decl.name == *name
                    && variants.len() == found.len()
                    && variants.iter().zip(found).all(|((name, payloads), variant)| {
                        let mut parts = payloads.iter().zip(&variant.fields);
                        variant.name == *name
                            && payloads.len() == variant.fields.len()
                            && parts.all(|(part, at)| part.fits_outside(module, field(*at as usize), known))
                    })
            }
            (Described::Opaque(Some(name), _), Shape::Struct) => decl.name == *name,
            _ => false,
        }
    }
}

impl fmt::Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |items: &[Described]| items.iter().map(Described::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Described::Int => f.write_str("int"),
            Described::Float => f.write_str("float"),
            Described::Bool => f.write_str("bool"),
            Described::Str => f.write_str("str"),
            Described::Optional(of) => match **of {
                Described::Function(..) => write!(f, "({of})?"),
                _ => write!(f, "{of}?"),
            },
            Described::Array(of) => write!(f, "[{of}]"),
            Described::List(of) => write!(f, "list[{of}]"),
            Described::Dict(of) => write!(f, "dict[{}, {}]", of.0, of.1),
            Described::Set(of) => write!(f, "set[{of}]"),
            Described::Tuple(parts) => write!(f, "({})", list(parts)),
            Described::Function(params, result) => {
                write!(f, "fn({})", list(params))?;
                result.iter().try_for_each(|result| write!(f, " -> {result}"))
            }
            Described::Struct(name, _) | Described::Enum(name, _) => f.write_str(name),
            Described::Opaque(name, _) => f.write_str(name.as_deref().unwrap_or("a type of the host without a name")),
        }
    }
}
