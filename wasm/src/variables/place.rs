//! Places of variables.
//!
//! In: nothing. Out: where a value is, and the addresses of code at which it is there. Invariant: these are words for what debug information says, and may be wrong as it may.

use std::ops::Range;
use std::rc::Rc;

/// A place that holds a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariablePlace {
    /// The local of that index.
    Local(u32),
    /// Bytes of the linear memory.
    Memory {
        /// The local or global whose value is added to the address.
        base: Option<VariableBase>,
        /// The address of the first byte.
        address: i64,
        /// The number of bytes.
        size: u64,
    },
}

/// The word that an address counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableBase {
    /// The local of that index.
    Local(u32),
    /// The global of that index.
    Global(u32),
}

/// A variable, in a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceVariable {
    pub(super) name: String,
    /// The addresses of the scope; none for a variable of the whole program.
    pub(super) scope: Rc<[Range<u64>]>,
    /// Its places, each by the addresses at which it is there.
    pub(super) places: Vec<(Range<u64>, VariablePlace)>,
}
