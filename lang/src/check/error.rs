//! The messages of the checker, as data; the texts are here and nowhere else. Invariant: each message names the thing
//! found and, if something else could stand there, the thing expected; the diagnostic's `help` suggests a correction.

use std::fmt;

use crate::ir::module::MOST_PARAMS;

/// Reasons for which a program that parses is refused. Types are in the notation of the language.
#[derive(Clone, PartialEq, Debug)]
pub enum CheckError {
    /// A name that nothing defines.
    UnknownName(String),
    /// A type that nothing defines.
    UnknownType(String),
    /// A field that the struct does not have.
    UnknownField {
        /// The struct.
        record: String,
        /// The field.
        field: String,
    },
    /// A label that no enclosing loop has.
    UnknownLabel(String),
    /// Two definitions, parameters or fields of one name.
    Duplicate {
        /// The kind of the thing defined twice.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A definition called `_`.
    Nameless(&'static str),
    /// A name that has a meaning, but no value.
    NotAValue {
        /// The name.
        name: String,
        /// Its kind, with its article.
        what: &'static str,
    },
    /// A name that has a meaning, but is no type.
    NotAType {
        /// The name.
        name: String,
        /// Its kind, with its article.
        what: &'static str,
    },
    /// A definition that would hide a built-in type.
    BuiltinType(String),
    /// `byte` where no array element or field is meant.
    ByteOutsideStorage,
    /// The wrong number of types in brackets behind a type.
    TypeCount {
        /// The type.
        name: String,
        /// The number that it takes.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// A tuple of more parts than there may be.
    TupleTooLong,
    /// A type that cannot be the key of a dict or the element of a set.
    BadKey(String),
    /// A type parameter that neither the arguments nor the place fix.
    OpenTypeParam {
        /// The function, struct, enum or constructor.
        of: String,
        /// The parameter.
        param: String,
    },
    /// A function that is made for ever more types.
    EndlessTypes(String),
    /// A name that an imported file does not define.
    UnknownMember {
        /// The name of the import.
        module: String,
        /// The name.
        name: String,
    },
    /// A variant that the enum does not have.
    UnknownVariant {
        /// The enum.
        of: String,
        /// The variant.
        variant: String,
    },
    /// A call with a dot of something that is no function.
    NoMethod {
        /// The type of what stands before the dot.
        of: String,
        /// The name.
        name: String,
    },
    /// A part that the tuple does not have.
    NoPart {
        /// The tuple.
        of: String,
        /// The index.
        part: u32,
    },
    /// The parameter of a closure without a type where nothing says which.
    ClosureParam(String),
    /// Closures in a program whose function values were fixed without.
    LateClosures,
    /// A pattern that does not fit the type of what is matched.
    BadPattern {
        /// The pattern's kind, with its article.
        pattern: &'static str,
        /// The type.
        of: String,
    },
    /// A name in one of several alternatives.
    NameInAlternative(String),
    /// A format that its value cannot have.
    BadFormat(String),
    /// A dict in a `for` with one name.
    DictInFor,
    /// `?` after a type that cannot be optional.
    BadOptional(String),
    /// An expression of another type than its place needs.
    Mismatch {
        /// The type that is needed.
        expected: String,
        /// The type that is there.
        found: String,
    },
    /// An expression of a kind that its place cannot use.
    Expected {
        /// The usable expressions, as a phrase.
        what: &'static str,
        /// The type that is there.
        found: String,
    },
    /// Something without a value where one is needed.
    NoValue(String),
    /// `none` or `[]` where nothing says what type it has.
    TypeUnknown(&'static str),
    /// An operator on a type that it does not apply to.
    BadOperand {
        /// The operator.
        op: &'static str,
        /// The type.
        operand: String,
    },
    /// An operator on two types that it does not apply to.
    BadOperands {
        /// The operator.
        op: &'static str,
        /// The type on the left.
        lhs: String,
        /// The type on the right.
        rhs: String,
    },
    /// The wrong number of arguments.
    ArgumentCount {
        /// The callee.
        callee: String,
        /// The expected number, as a phrase.
        expected: String,
        /// The number found.
        found: usize,
    },
    /// An argument that a built-in cannot use.
    BadArgument {
        /// The built-in.
        callee: &'static str,
        /// The accepted types, as a phrase.
        expected: &'static str,
        /// The type that is there.
        found: String,
    },
    /// A construction that does not give every field.
    MissingFields {
        /// The struct.
        record: String,
        /// The fields.
        fields: Vec<String>,
    },
    /// A construction without names.
    PositionalFields(String),
    /// Named arguments for something that is no struct.
    NotAStruct {
        /// The name.
        name: String,
        /// Its kind, with its article.
        what: &'static str,
    },
    /// A second assignment to something fixed.
    Fixed {
        /// The name.
        name: String,
        /// Its kind, with its article.
        what: &'static str,
    },
    /// An assignment to a byte of a string.
    ByteOfString,
    /// A value that nobody takes.
    UnusedValue,
    /// An `if` without `else` where a value is needed.
    IfWithoutElse,
    /// More definitions than there is room for.
    TooMany {
        /// The kind of definition.
        what: &'static str,
        /// The greatest number.
        most: usize,
    },
    /// A function, or a function type, with more parameters than a function may have.
    TooManyParams,
    /// A `match` that leaves values out where its value is needed.
    NotExhaustive(Vec<String>),
    /// A range that holds nothing.
    EmptyRange,
    /// A range of something else than integers.
    RangeOf(String),
    /// A name in a pattern that is no constant.
    PatternNotConstant(String),
    /// A function with a result whose end can be reached.
    MissingReturn(String),
    /// `return` among the top-level statements.
    ReturnAtTopLevel,
    /// `return` without the value that the function must return.
    ReturnWithoutValue(String),
    /// `return` with a value in a function that has no result.
    ReturnWithValue(String),
    /// `break` or `continue` outside of a loop.
    OutsideLoop(&'static str),
    /// A constant that is not made of constants.
    NotConstant,
    /// A division by zero while compiling.
    ConstantDivision,
    /// A constant string that grows out of bounds.
    ConstantTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// A constant that needs itself.
    ConstantCycle(String),
    /// A constant of a type that cannot be one.
    ConstantType(String),
    /// A global read before its `let` or `var` has run.
    UsedBefore {
        /// The global.
        global: String,
        /// The functions from the statement to the use; empty where the statement itself uses it.
        chain: Vec<String>,
    },
    /// An import that cannot be read.
    CannotImport {
        /// The path as written.
        path: String,
        /// The reason, as the system says it.
        reason: String,
    },
    /// An import of a file that is being imported.
    ImportCycle(String),
    /// A `main` that cannot be run.
    BadMain,
    /// A function for a key whose result has no order.
    NoOrder {
        /// The built-in that orders.
        callee: String,
        /// The type of the key.
        key: String,
    },
    /// A closure with another number of parameters than its place gives arguments.
    ClosureCount {
        /// The number that its place gives.
        expected: usize,
        /// The number that it takes.
        found: usize,
    },
    /// A match whose tree of tests is out of bounds.
    MatchTooLarge,
    /// Types in brackets behind the function that is called.
    TypesAtCall(String),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName(name) => write!(f, "unknown name `{name}`"),
            Self::UnknownType(name) => write!(f, "unknown type `{name}`"),
            Self::UnknownField { record, field } => write!(f, "`{record}` has no field `{field}`"),
            Self::UnknownLabel(name) => write!(f, "no loop around here has the label `{name}`"),
            Self::Duplicate { what, name } => write!(f, "`{name}` is {what} twice"),
            Self::Nameless(what) => write!(f, "{what} needs a name, `_` is none"),
            Self::NotAValue { name, what } => write!(f, "expected a value, but `{name}` is {what}"),
            Self::NotAType { name, what } => write!(f, "expected a type, but `{name}` is {what}"),
            Self::BuiltinType(name) => write!(f, "`{name}` is a built-in type and cannot be defined"),
            Self::ByteOutsideStorage => f.write_str("`byte` is a type of array elements and struct fields only"),
            Self::BadOptional(ty) => write!(f, "`{ty}?` is no type: a type can be optional once, and `byte` cannot"),
            Self::TypeCount { name, expected: 0, .. } => write!(f, "`{name}` takes no types in brackets"),
            Self::TypeCount { name, expected, found } => {
                let plural = if *expected == 1 { "" } else { "s" };
                write!(f, "`{name}` takes {expected} type{plural} in brackets, found {found}")
            }
            Self::TupleTooLong => f.write_str("a tuple has at most 8 parts"),
            Self::BadKey(ty) => write!(f, "`{ty}` cannot be a key"),
            Self::OpenTypeParam { of, param } => write!(f, "nothing says what type `{param}` of this `{of}` is"),
            Self::EndlessTypes(name) => write!(f, "`{name}` would be made for types without end"),
            Self::UnknownMember { module, name } => write!(f, "`{module}` has no `{name}`"),
            Self::UnknownVariant { of, variant } => write!(f, "`{of}` has no variant `{variant}`"),
            Self::NoMethod { of, name } => write!(f, "`{of}` has no field `{name}`, and there is no such function"),
            Self::NoPart { of, part } => write!(f, "`{of}` has no part `{part}`"),
            Self::ClosureParam(name) => write!(f, "nothing says what type the parameter `{name}` has"),
            Self::LateClosures => f.write_str("the first closure of a program comes after function values without"),
            Self::BadPattern { pattern, of } => write!(f, "{pattern} does not fit `{of}`"),
            Self::NameInAlternative(name) => write!(f, "`{name}` would be bound in one of several alternatives"),
            Self::BadFormat(why) => f.write_str(why),
            Self::DictInFor => f.write_str("the entries of a dict are pairs"),
            Self::Mismatch { expected, found } => write!(f, "expected `{expected}`, found `{found}`"),
            Self::Expected { what, found } => write!(f, "expected {what}, found `{found}`"),
            Self::NoValue(what) => write!(f, "expected a value, but {what}"),
            Self::TypeUnknown(what) => write!(f, "nothing says what type this `{what}` has"),
            _ => self.fmt_rest(f),
        }
    }
}

impl CheckError {
    /// The second half of the table, split for its length.
    fn fmt_rest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadOperand { op, operand } => write!(f, "`{op}` does not apply to `{operand}`"),
            Self::BadOperands { op, lhs, rhs } => write!(f, "`{op}` does not apply to `{lhs}` and `{rhs}`"),
            Self::ArgumentCount { callee, expected, found } => write!(f, "`{callee}` takes {expected}, found {found}"),
            Self::BadArgument { callee, expected, found } => {
                write!(f, "`{callee}` takes {expected}, found `{found}`")
            }
            Self::MissingFields { record, fields } => {
                let plural = if fields.len() == 1 { "field" } else { "fields" };
                write!(f, "this `{record}` lacks the {plural} `{}`", fields.join("`, `"))
            }
            Self::PositionalFields(name) => write!(f, "the construction of `{name}` must name its fields"),
            Self::NotAStruct { name, what } => write!(f, "expected a struct, but `{name}` is {what}"),
            Self::Fixed { name, what } => write!(f, "`{name}` cannot be assigned: it is {what}"),
            Self::ByteOfString => f.write_str("a byte of a string cannot be assigned: strings do not change"),
            Self::UnusedValue => f.write_str("the value is not used"),
            Self::IfWithoutElse => f.write_str("an `if` with a value needs an `else`"),
            Self::TooMany { what, most } => write!(f, "too many {what}: there is room for {most}"),
            Self::TooManyParams => write!(f, "a function has at most {MOST_PARAMS} parameters"),
            Self::NotExhaustive(missing) => write!(f, "the match leaves out {}", missing.join(", ")),
            Self::EmptyRange => f.write_str("the range holds no value"),
            Self::RangeOf(ty) => write!(f, "a range holds integers, not `{ty}`"),
            Self::PatternNotConstant(name) => write!(f, "expected a literal or a constant, but `{name}` is neither"),
            Self::MissingReturn(name) => write!(f, "`{name}` has a result, but can end without `return`"),
            Self::ReturnAtTopLevel => f.write_str("`return` outside of a function"),
            Self::ReturnWithoutValue(ty) => write!(f, "expected a value of type `{ty}` after `return`"),
            Self::ReturnWithValue(name) => write!(f, "`{name}` has no result, but this `return` gives one"),
            Self::OutsideLoop(word) => write!(f, "`{word}` outside of a loop"),
            Self::NotConstant => f.write_str("expected a constant expression"),
            Self::ConstantDivision => f.write_str("division by zero in a constant"),
            Self::ConstantTooLong { limit } => write!(f, "the constant is longer than {limit} bytes"),
            Self::ConstantCycle(name) => write!(f, "the constant `{name}` needs itself"),
            Self::ConstantType(ty) => write!(f, "a constant is an int, float, bool or str, not a `{ty}`"),
            Self::UsedBefore { global, chain } => match chain.as_slice() {
                [] => write!(f, "`{global}` is used before it is initialised"),
                [one] => write!(f, "`{global}` is used before it is initialised, by `{one}`"),
                [first, rest @ ..] => {
                    write!(f, "`{global}` is used before it is initialised: `{first}`")?;
                    rest.iter().try_for_each(|next| write!(f, " calls `{next}`"))?;
                    write!(f, ", which uses it")
                }
            },
            Self::CannotImport { path, reason } => write!(f, "cannot import `{path}`: {reason}"),
            Self::ImportCycle(path) => write!(f, "importing `{path}` here closes a cycle"),
            Self::BadMain => {
                f.write_str("expected `fn main()` or `fn main(args: [str])`, both with or without `-> int`")
            }
            Self::NoOrder { callee, key } => write!(f, "`{callee}` orders by a key, and `{key}` has no order"),
            Self::ClosureCount { expected, found } => {
                write!(f, "this function is given {}, but takes {found}", count_phrase(*expected))
            }
            Self::MatchTooLarge => f.write_str("this match needs too many tests"),
            Self::TypesAtCall(name) => write!(f, "the types of `{name}` are not written at a call"),
            Self::UnknownName(_)
            | Self::UnknownType(_)
            | Self::UnknownField { .. }
            | Self::UnknownLabel(_)
            | Self::Duplicate { .. }
            | Self::Nameless(_)
            | Self::NotAValue { .. }
            | Self::NotAType { .. }
            | Self::BuiltinType(_)
            | Self::ByteOutsideStorage
            | Self::BadOptional(_)
            | Self::TypeCount { .. }
            | Self::TupleTooLong
            | Self::BadKey(_)
            | Self::OpenTypeParam { .. }
            | Self::EndlessTypes(_)
            | Self::UnknownMember { .. }
            | Self::UnknownVariant { .. }
            | Self::NoMethod { .. }
            | Self::NoPart { .. }
            | Self::ClosureParam(_)
            | Self::LateClosures
            | Self::BadPattern { .. }
            | Self::NameInAlternative(_)
            | Self::BadFormat(_)
            | Self::DictInFor
            | Self::Mismatch { .. }
            | Self::Expected { .. }
            | Self::NoValue(_)
            | Self::TypeUnknown(_) => unreachable!("`fmt` writes these"),
        }
    }
}

/// Several numbers of arguments as a phrase.
pub(super) fn counts_phrase(counts: &[usize]) -> String {
    match counts {
        [before @ .., last] if !before.is_empty() => {
            let before: Vec<String> = before.iter().map(usize::to_string).collect();
            format!("{} or {}", before.join(", "), count_phrase(*last))
        }
        _ => count_phrase(counts.first().copied().unwrap_or_default()),
    }
}

/// A number of arguments as a phrase.
pub(super) fn count_phrase(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
