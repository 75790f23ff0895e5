//! The numbers of the fields that a record of each shape begins with.

/// A list.
pub mod list {
    /// The array of its elements, as long as its capacity.
    pub const DATA: u32 = 0;
    /// The number of elements.
    pub const LEN: u32 = 1;
}

/// A dict.
pub mod dict {
    /// The array of keys, in the order of insertion.
    pub const KEYS: u32 = 0;
    /// The array of values.
    pub const VALUES: u32 = 1;
    /// The array of hashes; -1 where an entry was removed.
    pub const HASHES: u32 = 2;
    /// The number of places in these arrays that are in use, entries that were removed included.
    pub const USED: u32 = 3;
    /// The number of entries.
    pub const LEN: u32 = 4;
}

/// A set.
pub mod set {
    /// The dict whose keys are its elements.
    pub const DICT: u32 = 0;
}

/// An enum with payloads.
pub mod variant {
    /// The number of the variant.
    pub const NUMBER: u32 = 0;
}

/// A closure.
pub mod closure {
    /// The function that it calls.
    pub const CODE: u32 = 0;
    /// The record of the variables that it captured.
    pub const CAPTURES: u32 = 1;
}

/// The box of a variable that closures share, or of a number that may be absent.
pub mod boxed {
    /// Its value.
    pub const CONTENT: u32 = 0;
}
