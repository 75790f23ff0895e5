//! Runtime operations: strings, whole arrays, input and output, mathematics beyond the machine's instructions. Each has
//! a fixed signature, so verifier, interpreter and compiled code agree on it.

use super::entity::TypeRef;
use super::types::Scalar::{self, Bool, Float, Int, Ref};

/// One operation of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `sin(x)`.
    Sin,
    /// `cos(x)`.
    Cos,
    /// `tan(x)`.
    Tan,
    /// `asin(x)`.
    Asin,
    /// `acos(x)`.
    Acos,
    /// `atan(x)`.
    Atan,
    /// `atan2(y, x)`.
    Atan2,
    /// `exp(x)`.
    Exp,
    /// `log(x)`, natural.
    Log,
    /// `pow(x, y)`.
    Pow,
    /// `round(x)`, ties away from zero.
    Round,
    /// Concatenation of two strings.
    StrConcat,
    /// Equality of two strings, either of which may be `none`.
    StrEq,
    /// -1, 0 or 1 by bytes.
    StrCmp,
    /// `s[a..b]`; fails when out of range.
    StrSlice,
    /// `str(int)`.
    StrOfInt,
    /// `str(float)`.
    StrOfFloat,
    /// `str(bool)`.
    StrOfBool,
    /// `parse_int(s, default)`.
    ParseInt,
    /// `parse_float(s, default)`.
    ParseFloat,
    /// `chr(n)`; fails where `n` is no Unicode scalar value.
    Chr,
    /// `bytes(s)`.
    Bytes,
    /// `text(b, from, to)`; fails when out of range.
    Text,
    /// `a[x..y]` of any array; fails when out of range.
    ArraySlice,
    /// `copy(dst, dst_start, src, src_start, n)`; fails when out of range.
    Copy,
    /// `fill(a, v)` of an int array.
    FillInt,
    /// `fill(a, v)` of a float array.
    FillFloat,
    /// `fill(a, v)` of a bool array.
    FillBool,
    /// `fill(a, v)` of a byte array.
    FillByte,
    /// `fill(a, v)` of an array of references.
    FillRef,
    /// `fill(a, v)` of an array of function values.
    FillFunc,
    /// `sort(a)`: the object's header tells int, float or byte; strings are by bytes.
    Sort,
    /// `clock()` in seconds.
    Clock,
    /// `random()` in [0, 1).
    Random,
    /// `random_seed(n)`.
    RandomSeed,
    /// `input()`, a string or `none`.
    Input,
    /// `args()`.
    Args,
    /// Writes a value of the given type as `print` does.
    Write(TypeRef),
    /// Writes a value of the given type as it stands inside arrays and records: strings quoted.
    Show(TypeRef),
}

/// Effect of a builtin on the rest of the program, for tiers and passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// A function of its operands alone.
    Pure,
    /// Reads or allocates; changes nothing that a program could have seen before.
    Allocates,
    /// Reads the heap only.
    Reads,
    /// Changes the heap or the world outside.
    Writes,
}

/// Every builtin that takes no type, with its name in IR text and its signature.
const TABLE: &[(Builtin, &str, &[Scalar], Option<Scalar>)] = &[
    (Builtin::Sin, "sin", &[Float], Some(Float)),
    (Builtin::Cos, "cos", &[Float], Some(Float)),
    (Builtin::Tan, "tan", &[Float], Some(Float)),
    (Builtin::Asin, "asin", &[Float], Some(Float)),
    (Builtin::Acos, "acos", &[Float], Some(Float)),
    (Builtin::Atan, "atan", &[Float], Some(Float)),
    (Builtin::Atan2, "atan2", &[Float, Float], Some(Float)),
    (Builtin::Exp, "exp", &[Float], Some(Float)),
    (Builtin::Log, "log", &[Float], Some(Float)),
    (Builtin::Pow, "pow", &[Float, Float], Some(Float)),
    (Builtin::Round, "round", &[Float], Some(Float)),
    (Builtin::StrConcat, "str_concat", &[Ref, Ref], Some(Ref)),
    (Builtin::StrEq, "str_eq", &[Ref, Ref], Some(Bool)),
    (Builtin::StrCmp, "str_cmp", &[Ref, Ref], Some(Int)),
    (Builtin::StrSlice, "str_slice", &[Ref, Int, Int], Some(Ref)),
    (Builtin::StrOfInt, "str_of_int", &[Int], Some(Ref)),
    (Builtin::StrOfFloat, "str_of_float", &[Float], Some(Ref)),
    (Builtin::StrOfBool, "str_of_bool", &[Bool], Some(Ref)),
    (Builtin::ParseInt, "parse_int", &[Ref, Int], Some(Int)),
    (Builtin::ParseFloat, "parse_float", &[Ref, Float], Some(Float)),
    (Builtin::Chr, "chr", &[Int], Some(Ref)),
    (Builtin::Bytes, "bytes", &[Ref], Some(Ref)),
    (Builtin::Text, "text", &[Ref, Int, Int], Some(Ref)),
    (Builtin::ArraySlice, "array_slice", &[Ref, Int, Int], Some(Ref)),
    (Builtin::Copy, "copy", &[Ref, Int, Ref, Int, Int], None),
    (Builtin::FillInt, "fill_int", &[Ref, Int], None),
    (Builtin::FillFloat, "fill_float", &[Ref, Float], None),
    (Builtin::FillBool, "fill_bool", &[Ref, Bool], None),
    (Builtin::FillByte, "fill_byte", &[Ref, Int], None),
    (Builtin::FillRef, "fill_ref", &[Ref, Ref], None),
    (Builtin::FillFunc, "fill_func", &[Ref, Scalar::Func], None),
    (Builtin::Sort, "sort", &[Ref], None),
    (Builtin::Clock, "clock", &[], Some(Float)),
    (Builtin::Random, "random", &[], Some(Float)),
    (Builtin::RandomSeed, "random_seed", &[Int], None),
    (Builtin::Input, "input", &[], Some(Ref)),
    (Builtin::Args, "args", &[], Some(Ref)),
];

impl Builtin {
    /// Every builtin that takes no type.
    pub fn untyped() -> impl Iterator<Item = Builtin> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> Option<&'static (Builtin, &'static str, &'static [Scalar], Option<Scalar>)> {
        TABLE.iter().find(|row| row.0 == self)
    }

    /// The name in IR text, without a type operand.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Write(_) => "write",
            Builtin::Show(_) => "show",
            other => other.row().expect("every untyped builtin stands in the table").1,
        }
    }

    /// The builtin of that name that takes no type.
    pub fn from_name(name: &str) -> Option<Builtin> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The type whose values it prints, for the typed ones.
    pub fn ty(self) -> Option<TypeRef> {
        match self {
            Builtin::Write(ty) | Builtin::Show(ty) => Some(ty),
            _ => None,
        }
    }

    /// Operand types; `None` for the typed ones, whose single operand has the type's own scalar.
    pub fn params(self) -> Option<&'static [Scalar]> {
        self.row().map(|row| row.2)
    }

    /// Result type, if there is one.
    pub fn result(self) -> Option<Scalar> {
        self.row().and_then(|row| row.3)
    }

    /// Returns true if it can end in a run-time failure; allocation can run out of memory.
    pub fn can_fail(self) -> bool {
        match self {
            Builtin::Sin
            | Builtin::Cos
            | Builtin::Tan
            | Builtin::Asin
            | Builtin::Acos
            | Builtin::Atan
            | Builtin::Atan2
            | Builtin::Exp
            | Builtin::Log
            | Builtin::Pow
            | Builtin::Round
            | Builtin::StrEq
            | Builtin::StrCmp
            | Builtin::ParseInt
            | Builtin::ParseFloat
            | Builtin::FillInt
            | Builtin::FillFloat
            | Builtin::FillBool
            | Builtin::FillByte
            | Builtin::FillRef
            | Builtin::FillFunc
            | Builtin::Sort
            | Builtin::Clock
            | Builtin::Random
            | Builtin::RandomSeed
            | Builtin::Write(_)
            | Builtin::Show(_) => false,
            Builtin::StrConcat
            | Builtin::StrSlice
            | Builtin::StrOfInt
            | Builtin::StrOfFloat
            | Builtin::StrOfBool
            | Builtin::Chr
            | Builtin::Bytes
            | Builtin::Text
            | Builtin::ArraySlice
            | Builtin::Copy
            | Builtin::Input
            | Builtin::Args => true,
        }
    }

    /// The effect beyond its result.
    pub fn effect(self) -> Effect {
        match self {
            Builtin::Sin
            | Builtin::Cos
            | Builtin::Tan
            | Builtin::Asin
            | Builtin::Acos
            | Builtin::Atan
            | Builtin::Atan2
            | Builtin::Exp
            | Builtin::Log
            | Builtin::Pow
            | Builtin::Round => Effect::Pure,
            Builtin::StrEq | Builtin::StrCmp | Builtin::ParseInt | Builtin::ParseFloat => Effect::Reads,
            Builtin::StrConcat
            | Builtin::StrSlice
            | Builtin::StrOfInt
            | Builtin::StrOfFloat
            | Builtin::StrOfBool
            | Builtin::Chr
            | Builtin::Bytes
            | Builtin::Text
            | Builtin::ArraySlice
            | Builtin::Args => Effect::Allocates,
            Builtin::Copy
            | Builtin::FillInt
            | Builtin::FillFloat
            | Builtin::FillBool
            | Builtin::FillByte
            | Builtin::FillRef
            | Builtin::FillFunc
            | Builtin::Sort
            | Builtin::Clock
            | Builtin::Random
            | Builtin::RandomSeed
            | Builtin::Input
            | Builtin::Write(_)
            | Builtin::Show(_) => Effect::Writes,
        }
    }
}
