//! The limits of modules, each with its reason.
//!
//! In: nothing. Out: constants. Invariant: no other file of this package has a limit that another number could replace.

/// The most functions of a module: tables that cannot move have room for so many. Front ends refuse more.
pub const MOST_FUNCTIONS: usize = 1 << 20;
/// The most globals of a module, for the same reason.
pub const MOST_GLOBALS: usize = 1 << 20;
/// The most parameters of a function: those that fit no register are copied at each call, and code generators refuse or abort
/// beyond some thousands.
pub const MOST_PARAMS: usize = 255;
/// Depth to which types are written out, by recursion: inference can nest arrays deeper than a program could be written.
pub(crate) const SHOWN_LEVELS: usize = 400;
