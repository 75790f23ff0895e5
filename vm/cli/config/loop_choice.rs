//! Loops that have a k of their own in a profile of `k-iter`, as users name them.
//!
//! In: what a user wrote. Out: a [`LoopChoice`]; the program that the loops are of is not loaded yet. Invariant: nothing is checked here.

/// The loops with a k of their own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopChoice {
    /// Those that are named.
    pub named: Vec<(LoopName, u32)>,
    /// Set if a base run chooses others.
    pub auto: bool,
}

/// A loop as users name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopName {
    /// Name of its function.
    pub function: String,
    /// Its header.
    pub place: LoopPlace,
}

/// The header of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopPlace {
    /// The line on which it starts.
    Line(u32),
    /// Its block, as `dump --stage ir` numbers it.
    Block(u32),
}
