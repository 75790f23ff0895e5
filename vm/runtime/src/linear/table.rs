//! A table of references.
//!
//! In: indices. Out: references, which are words. Invariant: the first word of the mapping is the length, and the entries
//! follow; the mapping never moves.
#![expect(unsafe_code, reason = "the entries lie in a mapping, which compiled code reads by address")]

use super::bounds::{self, NO_ROOM};
use crate::failure::FailureKind;
use crate::heap::mapping::Mapping;
use holloway_ir::linear::TableDecl;
use std::io;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// The most entries that a table may grow to; no valid module declares one with more.
const MOST_ENTRIES: u32 = 10_000_000;
/// Bytes of an entry.
const ENTRY: usize = 8;

/// A table.
#[derive(Debug)]
pub struct Table {
    mapping: Mapping,
    most: u32,
}

impl Table {
    /// A table as declared, all none, which never takes more than so many bytes. Fails if its entries need more.
    pub(super) fn new(TableDecl { least, most }: TableDecl, limit: usize) -> io::Result<Table> {
        let most = most.min(MOST_ENTRIES).min(u32::try_from(limit / ENTRY).unwrap_or(u32::MAX));
        let mapping = Mapping::zeroed(ENTRY * (most as usize + 1))?;
        let mut table = Table { mapping, most };
        match table.grow(0, u64::from(least)) {
            NO_ROOM => Err(io::ErrorKind::OutOfMemory.into()),
            _ => Ok(table),
        }
    }

    /// The address of its length, behind which are the entries.
    pub fn address(&self) -> usize {
        self.mapping.base()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        // SAFETY: the first word of the mapping is the length.
        (unsafe { with_exposed_provenance::<u64>(self.address()).read() }) as usize
    }

    /// The bytes that its entries take.
    pub(super) fn bytes(&self) -> usize {
        ENTRY * self.len()
    }

    /// Returns whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn entries(&self) -> &[u64] {
        // SAFETY: the mapping has room for the length and so many entries, and no code runs while they are lent.
        unsafe { std::slice::from_raw_parts(with_exposed_provenance::<u64>(self.address()).add(1), self.len()) }
    }

    fn entries_mut(&mut self) -> &mut [u64] {
        // SAFETY: as for `entries`, and the table is lent alone.
        unsafe { std::slice::from_raw_parts_mut(with_exposed_provenance_mut::<u64>(self.address()).add(1), self.len()) }
    }

    /// Adds entries that are all one reference. Gives how many there were, or [`NO_ROOM`].
    pub(super) fn grow(&mut self, reference: u64, count: u64) -> u32 {
        let before = self.len();
        let Some(len) = (before as u64).checked_add(count).filter(|len| *len <= u64::from(self.most)) else {
            return NO_ROOM;
        };
        // SAFETY: the first word of the mapping is the length, and there is room for as many entries.
        unsafe { with_exposed_provenance_mut::<u64>(self.address()).write(len) };
        self.entries_mut()[before..].fill(reference);
        before as u32
    }

    /// An entry, if there is one of that index.
    pub fn entry(&self, index: u64) -> Option<u64> {
        self.entries().get(usize::try_from(index).ok()?).copied()
    }

    /// So many entries.
    pub fn read(&self, from: u64, count: u64) -> Result<Vec<u64>, FailureKind> {
        let range = bounds::range(from, count, self.len()).ok_or(FailureKind::TableOutOfBounds)?;
        Ok(self.entries()[range].to_vec())
    }

    /// Sets entries.
    pub fn write(&mut self, to: u64, references: &[u64]) -> Result<(), FailureKind> {
        let range = bounds::range(to, references.len() as u64, self.len()).ok_or(FailureKind::TableOutOfBounds)?;
        self.entries_mut()[range].copy_from_slice(references);
        Ok(())
    }

    /// Sets entries to one reference.
    pub fn fill(&mut self, to: u64, reference: u64, count: u64) -> Result<(), FailureKind> {
        let range = bounds::range(to, count, self.len()).ok_or(FailureKind::TableOutOfBounds)?;
        self.entries_mut()[range].fill(reference);
        Ok(())
    }
}
