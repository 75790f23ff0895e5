//! Addresses of the linear memory and of tables, which compiled code of a module of WebAssembly holds, and who notices accesses out of bounds.

/// Addresses that never change as long as the module runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearAddresses {
    /// The first byte of the memory.
    pub memory: usize,
    /// For each table the word that holds its length; its entries follow, a word each.
    pub tables: Vec<usize>,
    /// The number of the type of function 0; others follow, 4 bytes each.
    pub types: usize,
    /// The notice of accesses out of bounds.
    pub bounds: Bounds,
}

/// The notice of accesses to the linear memory that are out of bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// The code tests each.
    #[default]
    Tested,
    /// The system raises a signal.
    Guarded,
}
