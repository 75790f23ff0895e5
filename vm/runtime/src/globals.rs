//! The program's global variables: one word each, at addresses that never change.
//!
//! In: the number of globals; it only grows. Out: their words, and the address of the first for compiled code.
//! Invariant: a global's address is that of the first plus 8 times its index. Unwritten globals are 0.
#![expect(unsafe_code, reason = "compiled code reads and writes globals by address")]

use crate::heap::mapping::Mapping;
use cranelift_entity::EntityRef;
use holloway_ir::Global;
use holloway_ir::module::MOST_GLOBALS;
use std::io;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// All globals.
#[derive(Debug)]
pub struct Globals {
    mapping: Mapping,
    len: usize,
}

impl Globals {
    /// Reserves the address range.
    pub fn new() -> io::Result<Globals> {
        Ok(Globals { mapping: Mapping::zeroed(8 * MOST_GLOBALS)?, len: 0 })
    }

    /// Makes room for so many globals in all.
    pub fn grow(&mut self, len: usize) {
        assert!((self.len..=MOST_GLOBALS).contains(&len), "from {} to {len} globals", self.len);
        self.len = len;
    }

    /// Address of global 0.
    pub fn address(&self) -> usize {
        self.mapping.base()
    }

    /// Every global's word.
    #[inline]
    pub fn words(&self) -> &[u64] {
        // SAFETY: the mapping holds more words than `len`, and no code runs while they are lent.
        unsafe { std::slice::from_raw_parts(with_exposed_provenance(self.address()), self.len) }
    }

    /// Sets a global.
    #[inline]
    pub fn set(&mut self, global: Global, word: u64) {
        assert!(global.index() < self.len, "{global} of {}", self.len);
        // SAFETY: the index is below the number of words of the mapping.
        unsafe { with_exposed_provenance_mut::<u64>(self.address()).add(global.index()).write(word) }
    }

    /// Reads a global.
    #[inline]
    pub fn get(&self, global: Global) -> u64 {
        self.words()[global.index()]
    }
}
