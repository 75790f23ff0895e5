//! Work that hosts have programs do, as embedded languages do it.
//!
//! In: nothing. Out: closures, each of which does a piece of work once. Invariant: the same piece of work computes the same in each
//! language; one that gives something else panics.
#![forbid(unsafe_code)]

mod holloway;
#[cfg(feature = "peers")]
mod lua;
#[cfg(feature = "peers")]
mod rhai;

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
    fn new(work: &'static str, language: &'static str, times: u64, run: impl FnMut() + 'static) -> Work {
        Work { work, language, times, run: Box::new(run) }
    }
}

/// Calls of a function of the host that one piece of work makes.
const CALLS: u64 = 1000;
/// Numbers that are shared.
const NUMBERS: usize = 1000;

/// All work of each language that is there.
pub fn all() -> Vec<Work> {
    let mut all = holloway::work();
    #[cfg(feature = "peers")]
    {
        all.extend(lua::work());
        all.extend(rhai::work());
    }
    all
}

#[cfg(test)]
mod tests {
    /// Each piece of work does what it should: it panics otherwise.
    #[test]
    fn work_is_done() {
        let mut all = super::all();
        assert!(all.len() >= 5);
        for work in &mut all {
            (0..3).for_each(|_| (work.run)());
        }
    }
}
