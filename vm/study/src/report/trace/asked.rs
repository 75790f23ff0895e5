//! Parts of questions to recorded runs, as users ask them.
//!
//! In: what a user wrote. Out: values that answers are headed by. Invariant: nothing is checked here against a program.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// The events that `trace replay` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayRange {
    /// The first one, from 1; `None` is the end where replay begins.
    pub from: Option<NonZeroU64>,
    /// Their number; `None` sets no limit.
    pub events: Option<u64>,
    /// The order.
    pub direction: Direction,
}

/// The order of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// As they were executed.
    Forward,
    /// The last one first.
    Backward,
}

/// Kinds of data-flow facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// the value that is loaded is known from a load or store before
    Load,
    /// the operator's result was computed before
    Expr,
    /// a definition of the variable reaches the line
    Def,
}

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLine {
    /// The file's name, or the end of it; empty if the program has only one.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl FromStr for SourceLine {
    type Err = String;

    fn from_str(text: &str) -> Result<SourceLine, String> {
        let (file, line) = text.rsplit_once(':').unwrap_or(("", text));
        match line.parse() {
            Ok(line) if line > 0 => Ok(SourceLine { file: file.to_owned(), line }),
            _ => Err("write a file and a line in it, as in sieve.hw:12".to_owned()),
        }
    }
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file.as_str() {
            "" => write!(f, "line {}", self.line),
            file => write!(f, "{file}:{}", self.line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_stand_without_its_file() {
        let read = |text: &str| text.parse::<SourceLine>().map(|at| (at.file, at.line)).ok();
        assert_eq!(read("lib/a.hw:12"), Some(("lib/a.hw".to_owned(), 12)));
        assert_eq!(read("c:a.hw:3"), Some(("c:a.hw".to_owned(), 3)));
        assert_eq!(read("7"), Some((String::new(), 7)));
        assert_eq!([read("a.hw"), read("a.hw:0"), read("a.hw:x"), read("")], [None, None, None, None]);
    }
}
