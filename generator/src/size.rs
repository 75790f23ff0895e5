//! Sizes of programs.
//!
//! In: nothing. Out: how much of each thing a program of a size has at most.

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
    pub(crate) fn functions(self) -> (i64, i64) {
        match self {
            Self::Small => (1, 3),
            Self::Medium => (3, 8),
            Self::Large => (6, 14),
        }
    }

    /// The least and greatest number of statements in the main part.
    pub(crate) fn statements(self) -> (i64, i64) {
        match self {
            Self::Small => (2, 6),
            Self::Medium => (5, 14),
            Self::Large => (10, 24),
        }
    }
}
