//! The pieces of work, which are the same in each language.

/// A piece of work in one of the languages.
pub struct Work {
    /// Its name.
    pub name: &'static str,
    /// The language that does it.
    pub language: &'static str,
    /// The number of times that one call of the closure does it.
    pub times: u64,
    /// Does it.
    pub run: Box<dyn FnMut()>,
}

/// Calls of a function of the host that one piece of work makes.
pub(crate) const CALLS: u64 = 1000;
/// Numbers that are shared.
pub(crate) const NUMBERS: usize = 1000;

/// The names of the pieces of work, and the number of times that a closure does each.
const PIECES: [(&str, u64); 5] =
    [("call", 1), ("host call", CALLS), ("struct", 1), ("1,000 floats", 1), ("creation", 1)];

/// The work of a language, of closures in the order of [`PIECES`].
pub(crate) fn all(language: &'static str, closures: [Box<dyn FnMut()>; PIECES.len()]) -> Vec<Work> {
    PIECES.into_iter().zip(closures).map(|((name, times), run)| Work { name, language, times, run }).collect()
}
