//! The limits of the language and of its messages, each with its reason: a module for each file that has some.
//!
//! In: nothing. Out: constants. Invariant: no other file of this package has a limit that another number could replace.

/// Files of source text.
pub(crate) mod source {
    /// Bytes between two counts of characters: a column is found by counting at most so many, and a text keeps a word for each.
    pub(crate) const CHUNK: usize = 1024;
    /// Bytes of a text: more than people or generators write, and few enough that a file without end is refused before
    /// it takes the memory.
    pub const MOST_BYTES: usize = 64 << 20;
}

/// Tokens.
pub(crate) mod token {
    /// A bound on the search for the closing quote keeps a line of nothing but quotes and backslashes linear.
    pub(crate) const LONGEST_CHARACTER: usize = 64;
}

/// Formatted strings.
pub(crate) mod interpolation {
    /// Formatted strings that may stand inside of one another. Each is read once by every one around it, so that a
    /// small bound keeps the whole linear.
    pub(crate) const MOST_FORMATS: usize = 16;
}

/// Nesting.
pub(crate) mod depth {
    /// Number of brackets that may be open at once.
    pub const MAX_NESTING: usize = 200;
    /// Greatest height of an expression: nested brackets, unary operators and the operators of a chain such as `a + b + c`
    /// or `a.b.c` all count.
    pub const MAX_DEPTH: usize = 500;
}

/// Brackets.
pub(crate) mod brackets {
    /// Number of brackets left open at the end of the file that are reported: one that is forgotten leaves those around it open.
    pub(crate) const UNCLOSED_SHOWN: usize = 3;
}

/// Syntax errors.
pub(crate) mod parse {
    /// Tokens of one statement after which recovery gives up. Each that it skips costs time in proportion to the nesting.
    pub(crate) const LONGEST_SKIP: u32 = 4_000;
    /// The longest list of phrases that still helps.
    pub(crate) const MOST_PHRASES: usize = 4;
    /// Distance, in tokens, up to which an opening bracket is looked for.
    pub(crate) const FARTHEST_BRACKET: usize = 10_000;
    /// Distance, in tokens, up to which the start of a statement is looked for: hints are about statements that are short.
    pub(crate) const FARTHEST_START: usize = 200;
}

/// Diagnostics of all stages.
pub(crate) mod diagnostic {
    /// Number of diagnostics that one run shows.
    pub const MAX_DIAGNOSTICS: usize = 50;
    /// Characters of the source text that a message quotes: a message stays on a line.
    pub(crate) const MOST_QUOTED: usize = 30;
}

/// The checker.
pub(crate) mod check {
    /// Number of diagnostics kept: the list is cut after sorting, and a program may be wrong in every line.
    pub(crate) const KEPT: usize = 1000;
    /// Number of names that one run compares with unknown ones: a large program full of unknown names must not take long.
    pub(crate) const MAX_COMPARISONS: usize = 200_000;
    /// Longest string that folding makes: doubling a constant again and again must not eat the memory of the compiler.
    pub(crate) const MAX_STRING: usize = 1 << 20;
    /// Parts of a tuple: the language says so.
    pub(crate) const MOST_PARTS: usize = 8;
    /// Number of functions or types that may be made one for the other: none that people write come near, and a chain
    /// without end is found before it takes the memory.
    pub(crate) const DEEPEST_MAKING: usize = 48;
    /// Levels of a type that a message names.
    pub(crate) const TYPE_NAME_LEVELS: usize = 8;
    /// Tests that follow each other in a match: they are followed by recursion, and people write a few.
    pub(crate) const DEEPEST_MATCH: usize = 400;
    /// Rows in all nodes of a match's tree of tests: some seconds of work. Patterns of many parts can double it each.
    pub(crate) const MOST_MATCH_WORK: usize = 4_000_000;
    /// Bytes of a type's name up to which it stands whole in the name of another: a tuple of two tuples of two tuples
    /// would have a name without end.
    pub(crate) const LONGEST_NAME: usize = 200;
    /// Number of missing ranges of a `match` that a message names.
    pub(crate) const GAPS_SHOWN: usize = 3;
    /// Bytes of source of the top-level statements that become one function, if they are several: about a hundred
    /// thousand instructions, an eighth of the largest function that compilers take, and no program that people write
    /// has so many.
    pub(crate) const LONGEST_PART: u32 = 1 << 18;
    /// Number of steps of a chain from a statement to a global that are shown.
    pub(crate) const STEPS_SHOWN: usize = 6;
}

/// Lowering.
pub(crate) mod lower {
    /// A range of a `match` of at most this many values becomes cases of the switch, each an entry of its table; a wider one is
    /// compared with.
    pub(crate) const WIDEST_CASES: u64 = 64;
}

/// The formatter.
pub(crate) mod format {
    /// The width that lines are kept within where possible.
    pub(crate) const WIDTH: usize = 100;
}

/// The text of syntax trees.
pub(crate) mod ast_print {
    /// The width that a list may take before its children get lines of their own.
    pub(crate) const WIDTH: usize = 100;
}
