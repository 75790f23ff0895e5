//! The options of `bench --unseen`, resolved.

use std::path::PathBuf;

use super::super::progress::Progress;
use crate::extent::{Rounds, SizeName};
use holloway_study::report::style::OutputFormat;

/// Options of `bench --unseen`.
#[derive(Clone, PartialEq, Debug)]
pub struct UnseenConfig {
    /// The folder with the programs.
    pub folder: PathBuf,
    /// The programs in it that are measured; all of them if there are no names.
    pub names: Vec<String>,
    /// Sizes from the command line; of several about a program the last one counts.
    pub sizes: Vec<GivenSize>,
    /// The size that the others have in the folder's `expected.json`.
    pub size: SizeName,
    /// Number of runs of each contestant.
    pub rounds: Rounds,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
    /// The binary: this one.
    pub executable: PathBuf,
}

/// A size from the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenSize {
    /// The program that it is for; `None` means all that have no size of their own.
    pub program: Option<String>,
    /// The argument.
    pub size: u64,
}

impl UnseenConfig {
    /// The size of a program that the command line says.
    pub(super) fn given(&self, name: &str) -> Option<u64> {
        let last = |of: Option<&str>| self.sizes.iter().rev().find(|given| given.program.as_deref() == of);
        last(Some(name)).or_else(|| last(None)).map(|given| given.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_of_its_own_comes_first_and_the_last_one_counts() {
        let size = |program: Option<&str>, size| GivenSize { program: program.map(str::to_owned), size };
        let config = UnseenConfig {
            folder: PathBuf::new(),
            names: Vec::new(),
            sizes: vec![size(Some("a"), 3), size(None, 5), size(Some("a"), 4)],
            size: SizeName::Default,
            rounds: Rounds::new(1).unwrap(),
            format: OutputFormat::Text,
            progress: Progress::Silent,
            executable: PathBuf::new(),
        };
        assert_eq!((config.given("a"), config.given("b")), (Some(4), Some(5)));
        let none = UnseenConfig { sizes: vec![size(Some("a"), 3)], ..config };
        assert_eq!((none.given("a"), none.given("b")), (Some(3), None));
    }
}
