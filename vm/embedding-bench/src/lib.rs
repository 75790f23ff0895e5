//! Work that hosts have programs do, as embedded languages do it.
//!
//! In: nothing. Out: closures, each of which does a piece of work once. Invariant: the same piece of work computes the same in each
//! language; one that gives something else panics. A language that has no such thing lacks the piece: see the head of its file.
#![forbid(unsafe_code)]

mod holloway;
#[cfg(feature = "peers")]
mod lua;
#[cfg(feature = "peers")]
mod rhai;
#[cfg(feature = "peers")]
mod wasm;
mod work;

pub use work::{Piece, Work};

/// All work of each language that is there.
pub fn all() -> Vec<Work> {
    #[cfg(feature = "peers")]
    let peers = lua::work().into_iter().chain(rhai::work()).chain(wasm::work());
    #[cfg(not(feature = "peers"))]
    let peers = std::iter::empty();
    holloway::work().into_iter().chain(peers).collect()
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
