//! Dependences, and the parts of statements between which they are.
//!
//! In: a statement. Out: the locations that a part of it depends on.
//!
//! A part is what depends on something: a call sets a parameter from one argument, and is not for this dependent on the
//! others.

use super::model::{Location, Statement};

/// A part of a statement that depends on others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Part {
    /// The definition with this number.
    Definition(u32),
    /// Its decision: the outcome of a branch, a call, a failure.
    Decision,
}

/// A dependence, by its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Dependence<I> {
    /// A part of a statement or of an instance, which set a location.
    Data(Location, I, Part),
    /// A statement or an instance, which decided.
    Control(I),
    /// A location that nothing set.
    Unset(Location),
}

/// The locations on which a part depends.
pub(super) fn uses(statement: &Statement, part: Part) -> &[Location] {
    match part {
        Part::Definition(number) => &statement.definitions[number as usize].uses,
        Part::Decision => &statement.decides_on,
    }
}
