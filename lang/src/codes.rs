//! The codes of errors and warnings: `E0301`, `W0001`.
//!
//! In: the kind of a message. Out: its code. Invariants: every kind has one, and no two have the same; a code keeps its
//! meaning for ever, so a new kind takes the next free number of its stage, and a kind that goes leaves a gap. Errors
//! of files are below 100, those of tokens follow 100, of syntax 200, of the checker 300.

use std::fmt;

use crate::diagnostic::{CheckError, DiagnosticKind, LexError, SourceError, SyntaxError, Warning};

/// The code of a kind of error or warning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code {
    letter: char,
    number: u16,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:04}", self.letter, self.number)
    }
}

impl Code {
    /// The code that a text writes, in letters of either case, where there is one.
    pub fn parse(text: &str) -> Option<Self> {
        all().find(|code| code.to_string().eq_ignore_ascii_case(text))
    }
}

/// Every code, in order.
pub fn all() -> impl Iterator<Item = Code> {
    let mut codes: Vec<Code> = TABLES.iter().flat_map(|table| table.iter().copied()).collect();
    codes.sort_unstable();
    codes.into_iter()
}

/// Gives each variant of the enums its number.
macro_rules! codes {
    ($($kind:ident $letter:literal { $($variant:ident = $number:literal,)* })*) => {
        $(impl $kind {
            /// The code of the kind.
            pub fn code(&self) -> Code {
                let number = match self {
                    $(Self::$variant { .. } => $number,)*
                };
                Code { letter: $letter, number }
            }
        })*

        /// The codes of each enum.
        const TABLES: &[&[Code]] = &[$(&[$(Code { letter: $letter, number: $number },)*],)*];
    };
}

impl DiagnosticKind {
    /// The code of the kind.
    pub fn code(&self) -> Code {
        match self {
            Self::Source(kind) => kind.code(),
            Self::Lex(kind) => kind.code(),
            Self::Syntax(kind) => kind.code(),
            Self::Check(kind) => kind.code(),
            Self::Warning(kind) => kind.code(),
        }
    }
}

codes! {
    SourceError 'E' {
        NotUtf8 = 1,
        TooLarge = 2,
    }
    LexError 'E' {
        StrayCharacters = 101,
        UnterminatedString = 102,
        UnterminatedChar = 103,
        UnterminatedComment = 104,
        EmptyChar = 105,
        LongChar = 106,
        BadEscape = 107,
        BadCodePoint = 108,
        BadNumber = 109,
        IntTooLarge = 110,
        FloatTooLarge = 111,
        UnclosedHole = 112,
        StrayBrace = 113,
        BraceInFormat = 114,
        FormatTooDeep = 115,
        CommentInFormat = 116,
    }
    SyntaxError 'E' {
        Unexpected = 201,
        UnclosedBracket = 202,
        MismatchedBracket = 203,
        StrayBracket = 204,
        TooDeep = 205,
        ChainedComparison = 206,
        NotAssignable = 207,
        MixedArguments = 208,
        NamedArgumentsToValue = 209,
        KeyedArguments = 210,
        ShortTuple = 211,
        CompoundTuple = 212,
        BadPart = 213,
        PartOfNumber = 214,
        EmptyPayload = 215,
        AssignmentAsCondition = 216,
        WildcardAsValue = 217,
        NestedItem = 218,
        BadImportPath = 219,
    }
    CheckError 'E' {
        UnknownName = 301,
        UnknownType = 302,
        UnknownField = 303,
        UnknownLabel = 304,
        Duplicate = 305,
        Nameless = 306,
        NotAValue = 307,
        NotAType = 308,
        BuiltinType = 309,
        ByteOutsideStorage = 310,
        TypeCount = 311,
        TupleTooLong = 312,
        BadKey = 313,
        OpenTypeParam = 314,
        EndlessTypes = 315,
        UnknownMember = 316,
        UnknownVariant = 317,
        NoMethod = 318,
        NoPart = 319,
        ClosureParam = 320,
        BadPattern = 321,
        NameInAlternative = 322,
        BadFormat = 323,
        DictInFor = 324,
        BadOptional = 325,
        Mismatch = 326,
        Expected = 327,
        NoValue = 328,
        TypeUnknown = 329,
        BadOperand = 330,
        BadOperands = 331,
        ArgumentCount = 332,
        BadArgument = 333,
        MissingFields = 334,
        PositionalFields = 335,
        NotAStruct = 336,
        Fixed = 337,
        ByteOfString = 338,
        UnusedValue = 339,
        IfWithoutElse = 340,
        TooMany = 341,
        TooManyParams = 342,
        NotExhaustive = 343,
        EmptyRange = 344,
        RangeOf = 345,
        PatternNotConstant = 346,
        MissingReturn = 347,
        ReturnAtTopLevel = 348,
        ReturnWithoutValue = 349,
        ReturnWithValue = 350,
        OutsideLoop = 351,
        NotConstant = 352,
        ConstantDivision = 353,
        ConstantTooLong = 354,
        ConstantCycle = 355,
        ConstantType = 356,
        UsedBefore = 357,
        CannotImport = 358,
        ImportCycle = 359,
        BadMain = 360,
    }
    Warning 'W' {
        UnusedVariable = 1,
        UnusedParam = 2,
        UnusedFunction = 3,
        UnusedImport = 4,
        UnusedType = 5,
        NeverAssigned = 6,
        Unreachable = 7,
        SameOperands = 8,
        SettledCondition = 9,
        UnreachedArm = 10,
        IgnoredResult = 11,
        MainTwice = 12,
        IdentityOfNew = 13,
        BytesAsCharacters = 14,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_is_used_twice() {
        let codes: Vec<Code> = all().collect();
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:?}");
    }

    #[test]
    fn codes_parse_back() {
        for code in all() {
            assert_eq!(Code::parse(&code.to_string()), Some(code));
        }
        assert_eq!(Code::parse("e0301"), Code::parse("E0301"));
        assert_eq!((Code::parse("E9999"), Code::parse(""), Code::parse("W1")), (None, None, None));
    }
}
