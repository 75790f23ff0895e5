//! Frequency of each construct: every table of weights, in one place.
//!
//! In: nothing. Out: read by the expression and statement generators through `Rng::weighted`. Invariant: a row whose
//! construct is impossible at some point of a program falls back on a leaf or on another row, so that no weight has to
//! know about scopes or budgets.

/// Forms that an expression of any type can take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Common {
    /// An access path from a variable through fields and elements.
    Path,
    /// A call of a function with that result.
    Call,
    /// A call of a function value with that result.
    IndirectCall,
    /// `if c { a } else { b }`
    If,
    /// `match`
    Match,
    /// `{ let t = a; b }`
    Block,
    /// A form of the type's own.
    Own,
}

pub(crate) const COMMON: &[(u32, Common)] = &[
    (26, Common::Path),
    (10, Common::Call),
    (4, Common::IndirectCall),
    (4, Common::If),
    (2, Common::Match),
    (1, Common::Block),
    (55, Common::Own),
];

/// Forms of an `int`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Int {
    Leaf,
    Sum,
    Bits,
    Shift,
    Divide,
    Unary,
    Len,
    Least,
    Convert,
    StrByte,
    Parse,
    BitCount,
}

pub(crate) const INT: &[(u32, Int)] = &[
    (8, Int::Leaf),
    (34, Int::Sum),
    (12, Int::Bits),
    (8, Int::Shift),
    (12, Int::Divide),
    (7, Int::Unary),
    (5, Int::Len),
    (6, Int::Least),
    (5, Int::Convert),
    (3, Int::StrByte),
    (2, Int::Parse),
    (3, Int::BitCount),
];

/// Forms of a `float`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Float {
    Leaf,
    Arithmetic,
    Negate,
    Convert,
    Rounding,
    Function,
    Least,
    Parse,
    Random,
}

pub(crate) const FLOAT: &[(u32, Float)] = &[
    (10, Float::Leaf),
    (40, Float::Arithmetic),
    (6, Float::Negate),
    (14, Float::Convert),
    (6, Float::Rounding),
    (9, Float::Function),
    (8, Float::Least),
    (2, Float::Parse),
    (5, Float::Random),
];

/// Forms of a `bool`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bool {
    Leaf,
    CompareInts,
    CompareFloats,
    CompareStrs,
    CompareBools,
    Not,
    ShortCircuit,
    Bits,
    Identity,
    IsNone,
}

pub(crate) const BOOL: &[(u32, Bool)] = &[
    (4, Bool::Leaf),
    (34, Bool::CompareInts),
    (10, Bool::CompareFloats),
    (7, Bool::CompareStrs),
    (3, Bool::CompareBools),
    (6, Bool::Not),
    (16, Bool::ShortCircuit),
    (6, Bool::Bits),
    (5, Bool::Identity),
    (6, Bool::IsNone),
];

/// Forms of a `str`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Str {
    Leaf,
    Concat,
    OfValue,
    Slice,
    Chr,
    Text,
}

pub(crate) const STR: &[(u32, Str)] =
    &[(16, Str::Leaf), (22, Str::Concat), (20, Str::OfValue), (12, Str::Slice), (6, Str::Chr), (5, Str::Text)];

/// Forms of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Array {
    Literal,
    Repeat,
    Slice,
    Bytes,
}

pub(crate) const ARRAY: &[(u32, Array)] =
    &[(10, Array::Literal), (12, Array::Repeat), (6, Array::Slice), (6, Array::Bytes)];

/// Statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stmt {
    Let,
    LetFromBranches,
    Const,
    Shadow,
    Assign,
    Compound,
    Swap,
    Bulk,
    SortFloats,
    If,
    IfLet,
    NoneCheck,
    ForRange,
    ForEdge,
    ForEach,
    While,
    Halving,
    Loop,
    WhileLet,
    MatchInt,
    MatchOther,
    Try,
    Print,
    Call,
    Return,
    Leave,
    Block,
    Assert,
    Failing,
    Seed,
    Alias,
}

pub(crate) const STATEMENTS: &[(u32, Stmt)] = &[
    (26, Stmt::Let),
    (4, Stmt::LetFromBranches),
    (2, Stmt::Const),
    (3, Stmt::Shadow),
    (22, Stmt::Assign),
    (26, Stmt::Compound),
    (4, Stmt::Swap),
    (5, Stmt::Bulk),
    (1, Stmt::SortFloats),
    (16, Stmt::If),
    (5, Stmt::IfLet),
    (2, Stmt::NoneCheck),
    (14, Stmt::ForRange),
    (2, Stmt::ForEdge),
    (7, Stmt::ForEach),
    (6, Stmt::While),
    (2, Stmt::Halving),
    (4, Stmt::Loop),
    (3, Stmt::WhileLet),
    (6, Stmt::MatchInt),
    (4, Stmt::MatchOther),
    (11, Stmt::Try),
    (14, Stmt::Print),
    (8, Stmt::Call),
    (3, Stmt::Return),
    (6, Stmt::Leave),
    (2, Stmt::Block),
    (2, Stmt::Assert),
    (4, Stmt::Failing),
    (1, Stmt::Seed),
    (3, Stmt::Alias),
];

/// Ways to fail at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    Fail,
    Assert,
    AssertMessage,
    Index,
    StrIndex,
    StoreIndex,
    DivideByZero,
    UnwrapNone,
    StrSlice,
    ArraySlice,
    NegativeLength,
    StepZero,
    Chr,
    Text,
    Copy,
    HugeArray,
}

pub(crate) const FAILURES: &[(u32, Failure)] = &[
    (20, Failure::Fail),
    (5, Failure::Assert),
    (6, Failure::AssertMessage),
    (14, Failure::Index),
    (4, Failure::StrIndex),
    (10, Failure::StoreIndex),
    (12, Failure::DivideByZero),
    (12, Failure::UnwrapNone),
    (6, Failure::StrSlice),
    (6, Failure::ArraySlice),
    (4, Failure::NegativeLength),
    (4, Failure::StepZero),
    (3, Failure::Chr),
    (3, Failure::Text),
    (4, Failure::Copy),
    (1, Failure::HugeArray),
];

/// The end of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// After its last statement.
    Finish,
    /// By a failure that nothing catches.
    Fail,
    /// By `exit`.
    Exit,
}

pub(crate) const FATES: &[(u32, Fate)] = &[(69, Fate::Finish), (26, Fate::Fail), (5, Fate::Exit)];

/// The place of a program's main part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Home {
    /// At top level.
    TopLevel,
    /// In `fn main()`.
    Main,
    /// In `fn main() -> int`.
    MainInt,
    /// In `fn main(args: [str])`.
    MainArgs,
}

pub(crate) const HOMES: &[(u32, Home)] =
    &[(50, Home::TopLevel), (20, Home::Main), (20, Home::MainInt), (10, Home::MainArgs)];

/// Construction of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Build {
    /// Random statements.
    Plain,
    /// Calls itself, or a partner that calls it, with a parameter that counts down.
    Recursive,
    /// A shape of real code with random parts.
    Shape,
    /// Many parameters and locals that live over loops.
    Wide,
}

pub(crate) const BUILDS: &[(u32, Build)] =
    &[(50, Build::Plain), (15, Build::Recursive), (35, Build::Shape), (12, Build::Wide)];

/// Per hundred: an operation that may fail where failing is allowed is left unguarded.
pub(crate) const UNGUARDED: u64 = 9;
/// Per hundred: parentheses that nothing asks for.
pub(crate) const NEEDLESS_PARENS: u64 = 3;
/// Per hundred: a loop has a label.
pub(crate) const LABEL: u64 = 18;
/// Per hundred: a loop with room for it has a trip count of hundreds.
pub(crate) const LONG_LOOP: u64 = 22;
/// Per hundred: a function may fail to its caller.
pub(crate) const FALLIBLE_FUNCTION: u64 = 25;
/// Per hundred: a function has more parameters than fit in registers.
pub(crate) const MANY_PARAMS: u64 = 9;
/// Per hundred: function values may be functions that fail.
pub(crate) const FALLIBLE_VALUES: u64 = 15;
/// Per hundred: a program defines a function with the name of a built-in.
pub(crate) const REPLACES_BUILTIN: u64 = 12;
