//! The linear memory: a reservation as large as any access reaches, of which the first pages can be used.
//!
//! In: addresses of the program. Out: its bytes. Invariant: the memory never moves, and an access of compiled code behind its
//! size faults, whatever the address and the offset.
#![expect(unsafe_code, reason = "the memory lies in a mapping, which compiled code accesses by address")]

use super::bounds::{self, NO_ROOM};
use crate::failure::FailureKind;
use crate::heap::mapping::Mapping;
use holloway_ir::linear::{MOST_PAGES, MemoryDecl, PAGE};
use std::io;
use std::ops::Range;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// Bytes that an address of 32 bits and an offset of 32 bits reach.
const REACH: usize = (1 << 33) + 8;

/// Addresses to begin at: so low that instructions can hold them, with offsets, and above what the system gives to others that ask for low ones.
const WANTED: [usize; 2] = [0x7800_0000, 0x7000_0000];

/// The linear memory.
#[derive(Debug)]
pub struct Memory {
    mapping: Mapping,
    /// Bytes that an access may name, those that cannot be used included.
    reach: usize,
    /// Bytes that can be used.
    len: usize,
    /// The most pages it may have.
    most: u64,
}

impl Memory {
    /// A memory as declared, all zeros.
    pub(super) fn new(decl: Option<MemoryDecl>, heap_limit: usize) -> io::Result<Memory> {
        let MemoryDecl { least, most } = decl.unwrap_or(MemoryDecl { least: 0, most: 0 });
        let most = most.min(MOST_PAGES).min(heap_limit as u64 / PAGE);
        let reach = if decl.is_some() { REACH } else { 0 };
        let mut memory = Memory { mapping: reserve(reach)?, reach, len: 0, most };
        match memory.grow(least) {
            NO_ROOM => Err(io::ErrorKind::OutOfMemory.into()),
            _ => Ok(memory),
        }
    }

    /// The address of its first byte.
    pub fn address(&self) -> usize {
        self.mapping.base()
    }

    /// The addresses that an access may name, those behind its size included.
    pub fn reach(&self) -> Range<usize> {
        self.address()..self.address() + self.reach
    }

    /// The pages that it has.
    pub fn pages(&self) -> u32 {
        (self.len as u64 / PAGE) as u32
    }

    /// Adds pages. Gives how many there were, or [`NO_ROOM`].
    pub(super) fn grow(&mut self, pages: u64) -> u32 {
        let before = self.pages();
        let fits = u64::from(before).checked_add(pages).is_some_and(|pages| pages <= self.most);
        let bytes = (pages as usize).saturating_mul(PAGE as usize);
        if !fits || bytes > 0 && self.mapping.commit(self.len, bytes).is_err() {
            return NO_ROOM;
        }
        self.len += bytes;
        before
    }

    /// Every byte.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes of the mapping can be used, and no code runs while they are lent.
        unsafe { std::slice::from_raw_parts(with_exposed_provenance(self.address()), self.len) }
    }

    /// Every byte, to change.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `bytes`, and the memory is lent alone.
        unsafe { std::slice::from_raw_parts_mut(with_exposed_provenance_mut(self.address()), self.len) }
    }

    /// So many bytes.
    pub fn range(&self, start: u64, count: u64) -> Result<Range<usize>, FailureKind> {
        bounds::range(start, count, self.len).ok_or(FailureKind::MemoryOutOfBounds)
    }

    /// The low bytes of the result are those at `address + offset`.
    #[inline]
    pub fn load(&self, address: u64, offset: u32, size: u64) -> Result<u64, FailureKind> {
        let range = self.range(address + u64::from(offset), size)?;
        let mut bits = [0; 8];
        bits[..range.len()].copy_from_slice(&self.bytes()[range]);
        Ok(u64::from_le_bytes(bits))
    }

    /// Writes the low bytes of a word to `address + offset`.
    #[inline]
    pub fn store(&mut self, address: u64, offset: u32, size: u64, word: u64) -> Result<(), FailureKind> {
        self.write(address + u64::from(offset), &word.to_le_bytes()[..size as usize])
    }

    /// Writes bytes.
    pub fn write(&mut self, to: u64, bytes: &[u8]) -> Result<(), FailureKind> {
        let range = self.range(to, bytes.len() as u64)?;
        self.bytes_mut()[range].copy_from_slice(bytes);
        Ok(())
    }

    /// Fills bytes.
    pub fn fill(&mut self, to: u64, byte: u8, count: u64) -> Result<(), FailureKind> {
        let range = self.range(to, count)?;
        self.bytes_mut()[range].fill(byte);
        Ok(())
    }

    /// Copies bytes, which may overlap.
    pub fn copy(&mut self, to: u64, from: u64, count: u64) -> Result<(), FailureKind> {
        let (from, to) = (self.range(from, count)?, self.range(to, count)?);
        self.bytes_mut().copy_within(from, to.start);
        Ok(())
    }
}

fn reserve(reach: usize) -> io::Result<Mapping> {
    let low = WANTED.into_iter().find_map(|address| Mapping::reserve_at(address, reach).ok());
    low.map_or_else(|| Mapping::reserve(reach), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        Memory::new(Some(MemoryDecl { least: 1, most: 3 }), 1 << 30).expect("there is room")
    }

    #[test]
    fn it_grows_to_what_is_declared_or_allowed() {
        let mut memory = memory();
        assert_eq!([memory.grow(0), memory.grow(2), memory.grow(1), memory.grow(u64::MAX)], [1, 1, NO_ROOM, NO_ROOM]);
        assert_eq!(memory.store(3 * PAGE - 8, 0, 8, 5), Ok(()));
        let decl = Some(MemoryDecl { least: 1, most: 100 });
        assert_eq!(Memory::new(decl, 2 * PAGE as usize).expect("there is room").grow(2), NO_ROOM);
        assert!(Memory::new(decl, 1).is_err());
    }

    #[test]
    fn accesses_stay_inside() {
        let mut memory = memory();
        let out = Err(FailureKind::MemoryOutOfBounds);
        assert_eq!(memory.load(PAGE - 1, 0, 2), out.clone().map(|()| 0));
        assert_eq!(memory.load(u64::from(u32::MAX), u32::MAX, 8), out.clone().map(|()| 0));
        assert_eq!(memory.store(PAGE - 4, 1, 4, u64::MAX), out);
        assert_eq!(memory.load(PAGE - 4, 0, 4), Ok(0));
        assert_eq!(memory.store(3, 4, 2, 0x1_2345), Ok(()));
        assert_eq!(memory.load(7, 0, 8), Ok(0x2345));
        assert_eq!(memory.fill(PAGE, 1, 0), Ok(()));
        assert_eq!(memory.fill(PAGE + 1, 1, 0), out);
        assert_eq!(memory.copy(8, 7, 2), Ok(()));
        assert_eq!(memory.load(8, 0, 2), Ok(0x2345));
    }
}
