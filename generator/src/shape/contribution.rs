//! The contribution of one shape to a program.
//!
//! In: nothing. Out: plain data.

/// The contribution of one shape to a program.
pub(crate) struct Shape {
    /// Its definitions.
    pub(crate) items: Vec<String>,
    /// The statement that runs it.
    pub(crate) driver: String,
    /// Approximate number of operations that it takes.
    pub(crate) cost: u64,
}
