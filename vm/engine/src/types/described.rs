//! A type of programs as the host knows it.
//!
//! In: what a Rust type says of itself. Out: the type as a program writes it, the declarations that this needs, and a
//! comparison with a type of the program. Invariant: a struct or enum names its parts only when asked, so that types may
//! contain themselves.

use hashbrown::HashMap;
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
    /// `byte`, of which arrays are
    Byte,
    /// `str`
    Str,
    /// `T?`
    Optional(Box<Described>),
    /// `[T]`
    Array(Box<Described>),
    /// `[T]` that the host and the program share.
    Shared(Box<Described>),
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
    /// A type of the host, which programs pass on.
    Opaque {
        /// The Rust type.
        id: TypeId,
        /// The name of that.
        rust: &'static str,
    },
}

/// Types of the host that programs know: the name and the record of each.
pub(crate) type OpaqueTypes = HashMap<TypeId, (String, RecordRef)>;

/// The program that a type is compared with.
struct Program<'a> {
    module: &'a Module,
    names: &'a OpaqueTypes,
}

/// Structs and enums of the host, by name, and the records of the program that they are being compared with.
type Comparisons = Vec<(&'static str, RecordRef)>;

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
            Described::Int | Described::Float | Described::Bool | Described::Byte | Described::Str => true,
            Described::Optional(of) => matches!(**of, Described::Str),
            Described::Array(_)
            | Described::Shared(_)
            | Described::List(_)
            | Described::Dict(_)
            | Described::Set(_)
            | Described::Tuple(_)
            | Described::Function(..)
            | Described::Struct(..)
            | Described::Enum(..)
            | Described::Opaque { .. } => false,
        }
    }

    /// Calls `f` with this type and all that its text names.
    pub(crate) fn each(&self, f: &mut dyn FnMut(&Described)) {
        f(self);
        match self {
            Described::Optional(of)
            | Described::Array(of)
            | Described::Shared(of)
            | Described::List(of)
            | Described::Set(of) => of.each(f),
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
            | Described::Byte
            | Described::Str
            | Described::Struct(..)
            | Described::Enum(..)
            | Described::Opaque { .. } => {}
        }
    }

    /// True if the host gets arrays of the program by it, which it may change, or functions, which it may give anything.
    pub(crate) fn is_open(&self) -> bool {
        let mut found = false;
        self.each(&mut |part| found |= matches!(part, Described::Shared(_) | Described::Function(..)));
        found
    }

    /// The type as a program writes it, with the names that programs know.
    pub(crate) fn text(&self, names: &OpaqueTypes) -> String {
        Written { of: self, names: Some(names) }.to_string()
    }

    /// The definition of a struct or an enum, as a program would write it.
    pub(super) fn definition(&self, names: &OpaqueTypes) -> String {
        let list = |items: Vec<String>| items.join(", ");
        match self {
            Described::Struct(name, fields) => {
                let fields = fields().into_iter().map(|(name, ty)| format!("{name}: {}", ty.text(names))).collect();
                format!("struct {name} {{ {} }}", list(fields))
            }
            Described::Enum(name, variants) => {
                let variant = |(name, payloads): (&str, Vec<Described>)| match payloads.is_empty() {
                    true => name.to_owned(),
                    false => format!("{name}({})", list(payloads.iter().map(|ty| ty.text(names)).collect())),
                };
                format!("enum {name} {{ {} }}", list(variants().into_iter().map(variant).collect()))
            }
            other => unreachable!("{other} needs no definition"),
        }
    }

    /// True if a type of a program is this one.
    pub(crate) fn fits(&self, module: &Module, names: &OpaqueTypes, ty: TypeRef) -> bool {
        self.fits_outside(&Program { module, names }, ty, &mut Vec::new())
    }

    /// The same; structs and enums that are being compared fit themselves.
    fn fits_outside(&self, program: &Program<'_>, ty: TypeRef, known: &mut Comparisons) -> bool {
        let module = program.module;
        match (self, &module.types[ty]) {
            (Described::Int, Type::Int)
            | (Described::Float, Type::Float)
            | (Described::Bool, Type::Bool)
            | (Described::Byte, Type::Byte)
            | (Described::Str, Type::Str) => true,
            (Described::Optional(of), Type::Optional(ty))
            | (Described::Array(of) | Described::Shared(of), Type::Array(ty)) => of.fits_outside(program, *ty, known),
            (Described::Function(params, result), Type::Func(sig)) => {
                let sig = &module.sigs[*sig];
                params.len() == sig.params.len()
                    && params.iter().zip(&sig.params).all(|(param, ty)| param.fits_outside(program, *ty, known))
                    && match (result, sig.result) {
                        (Some(result), Some(ty)) => result.fits_outside(program, ty, known),
                        (None, None) => true,
                        (Some(_), None) | (None, Some(_)) => false,
                    }
            }
            (Described::Opaque { id, .. }, Type::Record(record)) => {
                program.names.get(id).is_some_and(|(_, known)| known == record)
            }
            (Described::Struct(name, _) | Described::Enum(name, _), Type::Record(record)) => {
                if known.contains(&(name, *record)) {
                    return true;
                }
                known.push((name, *record));
                let fits = self.fits_record(program, *record, known);
                known.pop();
                fits
            }
            (_, Type::Record(record)) => self.fits_record(program, *record, known),
            _ => false,
        }
    }

    fn fits_record(&self, program: &Program<'_>, record: RecordRef, known: &mut Comparisons) -> bool {
        let module = program.module;
        let decl = &module.records[record];
        let field = |at: usize| decl.fields[at].ty;
        let elements = |ty: TypeRef| module.element_type(ty);
        match (self, &decl.shape) {
            (Described::Tuple(parts), Shape::Tuple) => {
                parts.len() == decl.fields.len()
                    && parts.iter().enumerate().all(|(at, part)| part.fits_outside(program, field(at), known))
            }
            (Described::List(of), Shape::List) => of.fits_outside(program, elements(field(0)), known),
            (Described::Dict(of), Shape::Dict) => {
                of.0.fits_outside(program, elements(field(0)), known)
                    && of.1.fits_outside(program, elements(field(1)), known)
            }
            (Described::Set(of), Shape::Set) => {
                let Type::Record(dict) = module.types[field(0)] else { unreachable!("a set has a dict") };
                of.fits_outside(program, elements(module.records[dict].fields[0].ty), known)
            }
            (Described::Struct(name, fields), Shape::Struct) => {
                let fields = fields();
                decl.name == *name
                    && fields.len() == decl.fields.len()
                    && fields
                        .iter()
                        .zip(&decl.fields)
                        .all(|((name, of), field)| field.name == *name && of.fits_outside(program, field.ty, known))
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
                            && parts.all(|(part, at)| part.fits_outside(program, field(*at as usize), known))
                    })
            }
            _ => false,
        }
    }
}

impl fmt::Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Written { of: self, names: None }.fmt(f)
    }
}

/// A type as a program writes it.
struct Written<'a> {
    of: &'a Described,
    /// The names of types of the host, if they are known.
    names: Option<&'a OpaqueTypes>,
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names;
        let part = |of| Written { of, names };
        let list = |items: &[Described]| {
            let texts: Vec<String> = items.iter().map(|of| Written { of, names }.to_string()).collect();
            texts.join(", ")
        };
        match self.of {
            Described::Int => f.write_str("int"),
            Described::Float => f.write_str("float"),
            Described::Bool => f.write_str("bool"),
            Described::Byte => f.write_str("byte"),
            Described::Str => f.write_str("str"),
            Described::Optional(of) => match **of {
                Described::Function(..) => write!(f, "({})?", part(of)),
                _ => write!(f, "{}?", part(of)),
            },
            Described::Array(of) | Described::Shared(of) => write!(f, "[{}]", part(of)),
            Described::List(of) => write!(f, "list[{}]", part(of)),
            Described::Dict(of) => write!(f, "dict[{}, {}]", part(&of.0), part(&of.1)),
            Described::Set(of) => write!(f, "set[{}]", part(of)),
            Described::Tuple(parts) => write!(f, "({})", list(parts)),
            Described::Function(params, result) => {
                write!(f, "fn({})", list(params))?;
                result.iter().try_for_each(|result| write!(f, " -> {}", part(result)))
            }
            Described::Struct(name, _) | Described::Enum(name, _) => f.write_str(name),
            Described::Opaque { id, rust } => match self.names.and_then(|names| names.get(id)) {
                Some((name, _)) => f.write_str(name),
                None => write!(f, "{rust}, which has no name for programs"),
            },
        }
    }
}
