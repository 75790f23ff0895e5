//! Random Holloway programs, and the reduction of those that a tier gets wrong.
//!
//! In: a seed and a size. Out: source text of a program that is well typed, reads nothing, and ends within about
//! [`Size::operations`] operations, with or without a failure. The same seed and size always give the same text.
//! Programs are run in every tier and their outputs compared, so they contain the whole language but `input`, `clock`
//! and `import`.
//!
//! [`endless`] gives loops that do not end, for tests that stop programs, and [`session`] what somebody might type into the REPL.
//!
//! Half of each program is noise from a typed grammar (`expr`, `stmt`, `function`), half are shapes of real code with
//! random parts (`shape`). The frequency of each construct is set in `weights` alone.
#![forbid(unsafe_code)]

mod endless;
mod expr;
mod function;
mod r#gen;
mod grown;
mod lines;
mod minimize;
mod program;
mod rng;
mod scope;
mod session;
mod shape;
mod size;
mod stmt;
mod ty;
mod weights;
mod wide;

pub use endless::endless;
pub use minimize::minimize;
pub use session::session;
pub use size::Size;

/// Returns the program of that seed.
pub fn program(seed: u64, size: Size) -> String {
    program_pieces(seed, size).concat()
}

/// Returns the same program as a list of top-level elements, each of whole lines; a reducer may try without some of
/// them.
pub fn program_pieces(seed: u64, size: Size) -> Vec<String> {
    program::pieces(seed, size)
}
