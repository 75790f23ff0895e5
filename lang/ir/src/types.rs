//! Types at two levels: the contents of a local ([`Scalar`]), the contents of memory ([`Elem`]), and the source-level
//! [`Type`] that printing and record layouts need.

use super::entity::{RecordRef, SigRef, TypeRef};

/// Contents of a local or an operand. Every scalar fits in one 64-bit word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// 64-bit two's complement integer.
    Int,
    /// IEEE-754 binary64.
    Float,
    /// `false` = 0, `true` = 1.
    Bool,
    /// A pointer to a heap object (string, array, record), or null for `none`.
    Ref,
    /// A function value: the function's index plus one, 0 for `none`.
    Func,
}

/// Storage of one array element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elem {
    /// 8 bytes, integer.
    Int,
    /// 8 bytes, binary64.
    Float,
    /// 1 byte, 0 or 1.
    Bool,
    /// 1 byte, reads as an integer 0..255.
    Byte,
    /// 8 bytes, a pointer the collector follows.
    Ref,
    /// 8 bytes, a function value.
    Func,
    /// 1 byte of a string, reads as an integer 0..255. No array has such elements, and nothing writes them.
    Char,
}

/// A source-level type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `int`.
    Int,
    /// `float`.
    Float,
    /// `bool`.
    Bool,
    /// `byte`, in storage only.
    Byte,
    /// `str`.
    Str,
    /// `[T]`.
    Array(TypeRef),
    /// A struct.
    Record(RecordRef),
    /// `T?`.
    Optional(TypeRef),
    /// `fn(A) -> R`.
    Func(SigRef),
    /// The code of a closure of a program that has closures, which takes the captured values before its parameters. No
    /// program names this type.
    Code(SigRef),
}

impl Scalar {
    /// All scalars, in a fixed order.
    pub const ALL: [Scalar; 5] = [Scalar::Int, Scalar::Float, Scalar::Bool, Scalar::Ref, Scalar::Func];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Int => "int",
            Scalar::Float => "float",
            Scalar::Bool => "bool",
            Scalar::Ref => "ref",
            Scalar::Func => "func",
        }
    }
}

impl Elem {
    /// All element kinds, in a fixed order; the discriminant is used in object headers.
    pub const ALL: [Elem; 7] = [Elem::Int, Elem::Float, Elem::Bool, Elem::Byte, Elem::Ref, Elem::Func, Elem::Char];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            Elem::Int => "int",
            Elem::Float => "float",
            Elem::Bool => "bool",
            Elem::Byte => "byte",
            Elem::Ref => "ref",
            Elem::Func => "func",
            Elem::Char => "char",
        }
    }

    /// Bytes one element takes.
    pub fn size(self) -> usize {
        match self {
            Elem::Int | Elem::Float | Elem::Ref | Elem::Func => 8,
            Elem::Bool | Elem::Byte | Elem::Char => 1,
        }
    }

    /// The scalar that reading an element gives.
    pub fn scalar(self) -> Scalar {
        match self {
            Elem::Int | Elem::Byte | Elem::Char => Scalar::Int,
            Elem::Float => Scalar::Float,
            Elem::Bool => Scalar::Bool,
            Elem::Ref => Scalar::Ref,
            Elem::Func => Scalar::Func,
        }
    }
}
