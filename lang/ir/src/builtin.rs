//! Runtime operations: strings, whole arrays, input and output, mathematics beyond the machine's instructions. Each has
//! a fixed signature, so verifier, interpreter and compiled code agree on it.

use super::entity::TypeRef;
use super::host::HostCall;
use super::types::Scalar;

/// Effect of a builtin on the rest of the program, for tiers and passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// A function of its operands alone.
    Pure,
    /// Reads or allocates; changes nothing that a program could have seen before.
    Allocates,
    /// Reads strings only, which nothing changes.
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
            /// The text that `print` writes of a value of the given type, as a string.
            Display(TypeRef),
            /// Calls a function of the host, which may do anything: call the program, too.
            Host(HostCall),
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
                    Builtin::Display(_) => "display",
                    Builtin::Host(_) => "host",
                }
            }

            /// The type whose values it prints, for the typed ones.
            pub fn ty(self) -> Option<TypeRef> {
                match self {
                    $(Builtin::$variant => None,)*
                    Builtin::Write(ty) | Builtin::Show(ty) | Builtin::Display(ty) => Some(ty),
                    Builtin::Host(_) => None,
                }
            }

            /// Operand types; `None` for the typed ones, whose single operand has the type's own scalar, and for calls of the
            /// host, which say themselves.
            pub fn params(self) -> Option<&'static [Scalar]> {
                match self {
                    $(Builtin::$variant => Some(&[$(Scalar::$param),*]),)*
                    Builtin::Write(_) | Builtin::Show(_) | Builtin::Display(_) | Builtin::Host(_) => None,
                }
            }

            /// Result type, if there is one.
            pub fn result(self) -> Option<Scalar> {
                match self {
                    $(Builtin::$variant => [$(Scalar::$result)?].first().copied(),)*
                    Builtin::Write(_) | Builtin::Show(_) => None,
                    Builtin::Display(_) => Some(Scalar::Ref),
                    Builtin::Host(call) => call.result,
                }
            }

            /// The effect beyond its result.
            pub fn effect(self) -> Effect {
                match self {
                    $(Builtin::$variant => Effect::$effect,)*
                    Builtin::Write(_) | Builtin::Show(_) | Builtin::Host(_) => Effect::Writes,
                    Builtin::Display(_) => Effect::Allocates,
                }
            }

            fn end(self) -> End {
                match self {
                    $(Builtin::$variant => End::$end,)*
                    Builtin::Write(_) | Builtin::Show(_) => End::Succeeds,
                    Builtin::Display(_) | Builtin::Host(_) => End::MayFail,
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
    /// An int by a format: the text behind the `:` in `f"{n:>8}"`, which the checker has looked at.
    FormatInt = "format_int"(Int, Ref) -> Ref: Allocates, MayFail;
    /// A float by a format.
    FormatFloat = "format_float"(Float, Ref) -> Ref: Allocates, MayFail;
    /// A string by a format.
    FormatStr = "format_str"(Ref, Ref) -> Ref: Allocates, MayFail;
    /// A hash of the bytes of a string, never negative and the same in each run.
    StrHash = "str_hash"(Ref) -> Int: Reads, Succeeds;
    /// The first index of a part in a string at or behind a start, -1 if there is none.
    StrFind = "str_find"(Ref, Ref, Int) -> Int: Reads, Succeeds;
    /// `replace(s, a, b)`; fails if `a` is empty.
    StrReplace = "str_replace"(Ref, Ref, Ref) -> Ref: Allocates, MayFail;
    /// `split(s, sep)` as an array; fails if `sep` is empty.
    StrSplit = "str_split"(Ref, Ref) -> Ref: Allocates, MayFail;
    /// `split(s)` at runs of ASCII blanks, as an array.
    StrWords = "str_words"(Ref) -> Ref: Allocates, MayFail;
    /// `lines(s)` as an array.
    StrLines = "str_lines"(Ref) -> Ref: Allocates, MayFail;
    /// `chars(s)` as an array.
    StrChars = "str_chars"(Ref) -> Ref: Allocates, MayFail;
    /// The first elements of an array of strings, so many, with a string between them.
    StrJoin = "str_join"(Ref, Int, Ref) -> Ref: Allocates, MayFail;
    /// `upper(s)`.
    StrUpper = "str_upper"(Ref) -> Ref: Allocates, MayFail;
    /// `lower(s)`.
    StrLower = "str_lower"(Ref) -> Ref: Allocates, MayFail;
    /// `trim_start(s)`.
    StrTrimStart = "str_trim_start"(Ref) -> Ref: Allocates, MayFail;
    /// `trim_end(s)`.
    StrTrimEnd = "str_trim_end"(Ref) -> Ref: Allocates, MayFail;
    /// `starts_with(s, part)`.
    StrStartsWith = "str_starts_with"(Ref, Ref) -> Bool: Reads, Succeeds;
    /// `ends_with(s, part)`.
    StrEndsWith = "str_ends_with"(Ref, Ref) -> Bool: Reads, Succeeds;
    /// `repeat(s, n)`; fails if `n` is negative.
    StrRepeat = "str_repeat"(Ref, Int) -> Ref: Allocates, MayFail;
    /// `ord(s)`: the first character, or the first byte where that is no UTF-8; fails if `s` is empty.
    StrOrd = "str_ord"(Ref) -> Int: Reads, MayFail;
    /// True if `parse_int(s)` is not `none`.
    StrIsInt = "str_is_int"(Ref) -> Bool: Reads, Succeeds;
    /// True if `parse_float(s)` is not `none`.
    StrIsFloat = "str_is_float"(Ref) -> Bool: Reads, Succeeds;
    /// `read_file(path)`.
    ReadFile = "read_file"(Ref) -> Ref: Writes, MayFail;
    /// `write_file(path, s)`.
    WriteFile = "write_file"(Ref, Ref): Writes, MayFail;
    /// `append_file(path, s)`.
    AppendFile = "append_file"(Ref, Ref): Writes, MayFail;
    /// `file_exists(path)`.
    FileExists = "file_exists"(Ref) -> Bool: Writes, MayFail;
    /// `read_all()`: the rest of standard input.
    ReadAll = "read_all"() -> Ref: Writes, MayFail;
    /// Writes a string and a newline to standard error.
    WriteError = "write_error"(Ref): Writes, Succeeds;
    /// `env(name)`, a string or `none`.
    Env = "env"(Ref) -> Ref: Writes, MayFail;
    /// `time()`: seconds since 1970.
    Time = "time"() -> Float: Writes, Succeeds;
    /// Fails with `index out of range`, for an index and a length.
    IndexFailure = "index_failure"(Int, Int): Writes, MayFail;
    /// Fails with `slice out of range`, for two indices and a length.
    SliceFailure = "slice_failure"(Int, Int, Int): Writes, MayFail;
    /// Fails with `key not found` and the key as it prints inside of others.
    KeyFailure = "key_failure"(Ref): Writes, MayFail;
    /// The pages of the linear memory.
    MemorySize = "memory_size"() -> Int: Allocates, Succeeds;
    /// Adds pages to the linear memory: gives how many there were, or 2^32 - 1 if there is no room.
    MemoryGrow = "memory_grow"(Int) -> Int: Writes, Succeeds;
    /// Fills bytes of the linear memory: address, byte, how many.
    MemoryFill = "memory_fill"(Int, Int, Int): Writes, MayFail;
    /// Copies bytes within the linear memory: to, from, how many.
    MemoryCopy = "memory_copy"(Int, Int, Int): Writes, MayFail;
    /// Copies bytes of a data segment: the segment, to, from, how many.
    MemoryInit = "memory_init"(Int, Int, Int, Int): Writes, MayFail;
    /// Empties a data segment.
    DataDrop = "data_drop"(Int): Writes, Succeeds;
    /// An entry: the table, the index.
    TableGet = "table_get"(Int, Int) -> Int: Allocates, MayFail;
    /// Sets an entry: the table, the index, the reference.
    TableSet = "table_set"(Int, Int, Int): Writes, MayFail;
    /// The entries of a table.
    TableSize = "table_size"(Int) -> Int: Allocates, Succeeds;
    /// Adds entries: the table, the reference that they are, how many. Gives how many there were, or 2^32 - 1.
    TableGrow = "table_grow"(Int, Int, Int) -> Int: Writes, Succeeds;
    /// Fills entries: the table, the index, the reference, how many.
    TableFill = "table_fill"(Int, Int, Int, Int): Writes, MayFail;
    /// Copies entries: the table to, the table from, to, from, how many.
    TableCopy = "table_copy"(Int, Int, Int, Int, Int): Writes, MayFail;
    /// Copies references of an element segment: the table, the segment, to, from, how many.
    TableInit = "table_init"(Int, Int, Int, Int, Int): Writes, MayFail;
    /// Empties an element segment.
    ElemDrop = "elem_drop"(Int): Writes, Succeeds;
    /// The function in an entry: the table, the index, the number of the type that it must have.
    TableCallee = "table_callee"(Int, Int, Int) -> Func: Allocates, MayFail;
}

impl Builtin {
    /// Returns false if its operands are all that it needs: nothing of the run, no memory, no failure.
    pub fn needs_runtime(self) -> bool {
        match self.effect() {
            Effect::Pure => false,
            Effect::Reads => self.can_fail(),
            Effect::Allocates | Effect::Writes => true,
        }
    }
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
