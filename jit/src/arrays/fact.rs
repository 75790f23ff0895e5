//! Facts about arrays.
//!
//! In: nothing. Out: plain data. Invariant: a fact is true of every array that a place holds.

use holloway_lang::ir::{Elem, Operand};
use std::sync::Arc;

/// A fact about every array that a local refers to.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The length.
    pub length: i64,
    /// The elements, if they are constants that nobody writes.
    pub table: Option<Arc<Table>>,
}

/// The elements of an array that nobody writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Their kind.
    pub elem: Elem,
    /// The constants.
    pub items: Vec<Operand>,
}

impl Table {
    /// The element at an index.
    pub fn at(&self, index: i64) -> Option<Operand> {
        self.items.get(usize::try_from(index).ok()?).copied()
    }
}
