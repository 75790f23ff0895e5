//! Random Holloway programs, and the reduction of those that a tier gets wrong.
//!
//! In: a seed and a size. Out: source text of a program that is well typed, reads nothing, and ends within about
//! [`Size::operations`] operations, with or without a failure. The same seed and size always give the same text.
//! Programs are run in every tier and their outputs compared, so they contain the whole language but `input`, `clock`
//! and `import`.
//!
//! [`endless`] gives loops that do not end, for tests that stop programs, and [`session`] what somebody might type into the REPL.
//!
//! Half of each program is noise from a typed grammar (`expr`, `stmt`, `function`), half are shapes of real code with
//! random parts (`shape`). The frequency of each construct is set in `weights` alone.
#![forbid(unsafe_code)]

mod endless;
mod expr;
mod function;
mod r#gen;
mod lines;
mod minimize;
mod program;
mod rng;
mod scope;
mod session;
mod shape;
mod stmt;
mod ty;
mod weights;
mod wide;

pub use endless::endless;
pub use minimize::minimize;
pub use session::session;

/// Size of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Size {
    /// A few statements, some thousand operations.
    Small,
    /// The size that most tests run.
    #[default]
    Medium,
    /// Enough to make several functions hot.
    Large,
}

impl Size {
    /// Approximate number of operations that a program executes at most.
    pub fn operations(self) -> u64 {
        match self {
            Self::Small => 15_000,
            Self::Medium => 120_000,
            Self::Large => 400_000,
        }
    }

    /// The least and greatest number of functions beyond those that stand for function values.
    fn functions(self) -> (i64, i64) {
        match self {
            Self::Small => (1, 3),
            Self::Medium => (3, 8),
            Self::Large => (6, 14),
        }
    }

    /// The least and greatest number of statements in the main part.
    fn statements(self) -> (i64, i64) {
        match self {
            Self::Small => (2, 6),
            Self::Medium => (5, 14),
            Self::Large => (10, 24),
        }
    }
}

/// Returns the program of that seed.
pub fn program(seed: u64, size: Size) -> String {
    program_pieces(seed, size).concat()
}

/// Returns the same program as a list of top-level elements, each of whole lines; a reducer may try without some of
/// them.
pub fn program_pieces(seed: u64, size: Size) -> Vec<String> {
    program::pieces(seed, size)
}
