//! A piece of work in one of the languages, and how large it is.

/// A piece of work.
pub struct Work {
    /// What is done.
    pub work: &'static str,
    /// The language that does it.
    pub language: &'static str,
    /// How often one call of the closure does it.
    pub times: u64,
    /// Does it.
    pub run: Box<dyn FnMut()>,
}

impl Work {
    pub(crate) fn new(work: &'static str, language: &'static str, times: u64, run: impl FnMut() + 'static) -> Work {
        Work { work, language, times, run: Box::new(run) }
    }
}

/// Calls of a function of the host that one piece of work makes.
pub(crate) const CALLS: u64 = 1000;
/// Numbers that are shared.
pub(crate) const NUMBERS: usize = 1000;
