//! The warnings as data, with their texts.

use std::fmt;

/// Reasons for which part of a program that runs is not what it seems.
#[derive(Clone, PartialEq, Debug)]
pub enum Warning {
    /// A variable or constant that nothing reads.
    UnusedVariable {
        /// Its kind.
        what: &'static str,
        /// Its name.
        name: String,
        /// True if something assigns it.
        assigned: bool,
    },
    /// A parameter that nothing reads.
    UnusedParam(String),
    /// A function that nothing calls.
    UnusedFunction(String),
    /// An import of which nothing is used.
    UnusedImport(String),
    /// A struct or an enum that nothing names.
    UnusedType {
        /// Its kind.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A `var` that keeps its first value.
    NeverAssigned(String),
    /// A statement behind one that always leaves.
    Unreachable,
    /// An operator with the same thing on both sides.
    SameOperands {
        /// The thing as it is written.
        text: String,
        /// The operator.
        op: &'static str,
    },
    /// A condition that has one value whenever it is looked at.
    SettledCondition(bool),
    /// An arm whose values earlier arms take.
    UnreachedArm,
    /// The result of a call that does nothing else.
    IgnoredResult(String),
    /// A call of `main` that runs before the one that is made anyway.
    MainTwice,
    /// `==` or `!=` by identity with something that was just made.
    IdentityOfNew {
        /// The type as a phrase.
        what: String,
        /// The value that the comparison always has.
        value: bool,
    },
    /// The bytes of a string made into characters one by one.
    BytesAsCharacters,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnusedVariable { what, name, assigned: false } => write!(f, "the {what} `{name}` is never used"),
            Self::UnusedVariable { what, name, assigned: true } => {
                write!(f, "the {what} `{name}` is assigned, but never read")
            }
            Self::UnusedParam(name) => write!(f, "the parameter `{name}` is never used"),
            Self::UnusedFunction(name) => write!(f, "the function `{name}` is never used"),
            Self::UnusedImport(name) => write!(f, "the import of `{name}` is never used"),
            Self::UnusedType { what, name } => write!(f, "the {what} `{name}` is never used"),
            Self::NeverAssigned(name) => write!(f, "`{name}` is declared with `var`, but never assigned"),
            Self::Unreachable => f.write_str("this is never reached"),
            Self::SameOperands { text, op } => write!(f, "both sides of this `{op}` are `{text}`"),
            Self::SettledCondition(value) => write!(f, "this condition is always `{value}`"),
            Self::UnreachedArm => f.write_str("this arm is never reached: the arms before it take all its values"),
            Self::IgnoredResult(name) => write!(f, "`{name}` has no effect but its result, which is not used"),
            Self::MainTwice => f.write_str("`main` runs by itself after these statements, so it runs twice"),
            Self::IdentityOfNew { what, value } => {
                write!(f, "this is always `{value}`: {what} is compared by identity, and this one is new")
            }
            Self::BytesAsCharacters => {
                f.write_str("`chr` makes a character of each byte, which breaks those of several bytes")
            }
        }
    }
}
