//! Runtime operations: strings, whole arrays, input and output, mathematics beyond the machine's instructions. Each has
//! a fixed signature, so verifier, interpreter and compiled code agree on it.

use super::entity::TypeRef;
use super::types::Scalar;

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

macro_rules! builtins {
    ($($(#[doc = $doc:literal])* $variant:ident = $text:literal ($($param:ident),*) $(-> $result:ident)? : $effect:ident, $end:ident;)*) => {
        /// One operation of the runtime.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Builtin {
            $($(#[doc = $doc])* $variant,)*
            /// Writes a value of the given type as `print` does.
            Write(TypeRef),
            /// Writes a value of the given type as it stands inside arrays and records: strings quoted.
            Show(TypeRef),
        }

        /// Every builtin that takes no type.
        const UNTYPED: &[Builtin] = &[$(Builtin::$variant,)*];

        impl Builtin {
            /// The name in IR text, without a type operand.
            pub fn name(self) -> &'static str {
                match self {
                    $(Builtin::$variant => $text,)*
                    Builtin::Write(_) => "write",
                    Builtin::Show(_) => "show",
                }
            }

            /// The type whose values it prints, for the typed ones.
            pub fn ty(self) -> Option<TypeRef> {
                match self {
                    $(Builtin::$variant => None,)*
                    Builtin::Write(ty) | Builtin::Show(ty) => Some(ty),
                }
            }

            /// Operand types; `None` for the typed ones, whose single operand has the type's own scalar.
            pub fn params(self) -> Option<&'static [Scalar]> {
                match self {
                    $(Builtin::$variant => Some(&[$(Scalar::$param),*]),)*
                    Builtin::Write(_) | Builtin::Show(_) => None,
                }
            }

            /// Result type, if there is one.
            pub fn result(self) -> Option<Scalar> {
                match self {
                    $(Builtin::$variant => [$(Scalar::$result)?].first().copied(),)*
                    Builtin::Write(_) | Builtin::Show(_) => None,
                }
            }

            /// The effect beyond its result.
            pub fn effect(self) -> Effect {
                match self {
                    $(Builtin::$variant => Effect::$effect,)*
                    Builtin::Write(_) | Builtin::Show(_) => Effect::Writes,
                }
            }

            fn end(self) -> End {
                match self {
                    $(Builtin::$variant => End::$end,)*
                    Builtin::Write(_) | Builtin::Show(_) => End::Succeeds,
                }
            }
        }
    };
}

builtins! {
    /// `sin(x)`.
    Sin = "sin"(Float) -> Float: Pure, Succeeds;
    /// `cos(x)`.
    Cos = "cos"(Float) -> Float: Pure, Succeeds;
    /// `tan(x)`.
    Tan = "tan"(Float) -> Float: Pure, Succeeds;
    /// `asin(x)`.
    Asin = "asin"(Float) -> Float: Pure, Succeeds;
    /// `acos(x)`.
    Acos = "acos"(Float) -> Float: Pure, Succeeds;
    /// `atan(x)`.
    Atan = "atan"(Float) -> Float: Pure, Succeeds;
    /// `atan2(y, x)`.
    Atan2 = "atan2"(Float, Float) -> Float: Pure, Succeeds;
    /// `exp(x)`.
    Exp = "exp"(Float) -> Float: Pure, Succeeds;
    /// `log(x)`, natural.
    Log = "log"(Float) -> Float: Pure, Succeeds;
    /// `pow(x, y)`.
    Pow = "pow"(Float, Float) -> Float: Pure, Succeeds;
    /// `round(x)`, ties away from zero.
    Round = "round"(Float) -> Float: Pure, Succeeds;
    /// Concatenation of two strings.
    StrConcat = "str_concat"(Ref, Ref) -> Ref: Allocates, MayFail;
    /// Equality of two strings, either of which may be `none`.
    StrEq = "str_eq"(Ref, Ref) -> Bool: Reads, Succeeds;
    /// -1, 0 or 1 by bytes.
    StrCmp = "str_cmp"(Ref, Ref) -> Int: Reads, Succeeds;
    /// `s[a..b]`; fails when out of range.
    StrSlice = "str_slice"(Ref, Int, Int) -> Ref: Allocates, MayFail;
    /// `str(int)`.
    StrOfInt = "str_of_int"(Int) -> Ref: Allocates, MayFail;
    /// `str(float)`.
    StrOfFloat = "str_of_float"(Float) -> Ref: Allocates, MayFail;
    /// `str(bool)`.
    StrOfBool = "str_of_bool"(Bool) -> Ref: Allocates, MayFail;
    /// `parse_int(s, default)`.
    ParseInt = "parse_int"(Ref, Int) -> Int: Reads, Succeeds;
    /// `parse_float(s, default)`.
    ParseFloat = "parse_float"(Ref, Float) -> Float: Reads, Succeeds;
    /// `chr(n)`; fails where `n` is no Unicode scalar value.
    Chr = "chr"(Int) -> Ref: Allocates, MayFail;
    /// `bytes(s)`.
    Bytes = "bytes"(Ref) -> Ref: Allocates, MayFail;
    /// `text(b, from, to)`; fails when out of range.
    Text = "text"(Ref, Int, Int) -> Ref: Allocates, MayFail;
    /// `a[x..y]` of any array; fails when out of range.
    ArraySlice = "array_slice"(Ref, Int, Int) -> Ref: Allocates, MayFail;
    /// `copy(dst, dst_start, src, src_start, n)`; fails when out of range.
    Copy = "copy"(Ref, Int, Ref, Int, Int): Writes, MayFail;
    /// `fill(a, v)` of an int array.
    FillInt = "fill_int"(Ref, Int): Writes, Succeeds;
    /// `fill(a, v)` of a float array.
    FillFloat = "fill_float"(Ref, Float): Writes, Succeeds;
    /// `fill(a, v)` of a bool array.
    FillBool = "fill_bool"(Ref, Bool): Writes, Succeeds;
    /// `fill(a, v)` of a byte array.
    FillByte = "fill_byte"(Ref, Int): Writes, Succeeds;
    /// `fill(a, v)` of an array of references.
    FillRef = "fill_ref"(Ref, Ref): Writes, Succeeds;
    /// `fill(a, v)` of an array of function values.
    FillFunc = "fill_func"(Ref, Func): Writes, Succeeds;
    /// `sort(a)`: the object's header tells int, float or byte; strings are by bytes.
    Sort = "sort"(Ref): Writes, Succeeds;
    /// `clock()` in seconds.
    Clock = "clock"() -> Float: Writes, Succeeds;
    /// `random()` in [0, 1).
    Random = "random"() -> Float: Writes, Succeeds;
    /// `random_seed(n)`.
    RandomSeed = "random_seed"(Int): Writes, Succeeds;
    /// `input()`, a string or `none`.
    Input = "input"() -> Ref: Writes, MayFail;
    /// `args()`.
    Args = "args"() -> Ref: Allocates, MayFail;
}

/// The ends that a builtin can come to.
#[derive(PartialEq, Eq)]
enum End {
    /// It gives its result.
    Succeeds,
    /// It may end in a run-time failure; allocation can run out of memory.
    MayFail,
}

impl Builtin {
    /// Every builtin that takes no type.
    pub fn untyped() -> impl Iterator<Item = Builtin> {
        UNTYPED.iter().copied()
    }

    /// The builtin of that name that takes no type.
    pub fn from_name(name: &str) -> Option<Builtin> {
        Builtin::untyped().find(|builtin| builtin.name() == name)
    }

    /// Returns true if it can end in a run-time failure.
    pub fn can_fail(self) -> bool {
        self.end() == End::MayFail
    }
}
