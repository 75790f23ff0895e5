//! The heap's address range, divided into blocks, and the table of each block's contents and marks.
//!
//! In: requests for blocks. Out: block numbers and addresses.
//! Invariants: the range is used from its start up to a frontier that never goes back; beyond it memory is untouched,
//! so it reads as zero. No more blocks are in use than the limit allows. Free blocks below the frontier are in `runs`,
//! lowest address last, maximal right after a collection.

use super::class::Class;
use super::mapping::Mapping;
use super::settings::{BLOCK_SIZE, COMMITTED_BLOCKS, MOST_BYTES};
use std::io;

/// Objects start at multiples of this, and there is one mark bit for each.
pub const GRANULE: usize = 16;
const MARK_WORDS: usize = BLOCK_SIZE / GRANULE / 64;

/// Contents of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Nothing.
    Nothing,
    /// Cells of one class.
    Cells(Class),
    /// The start of one object that takes this many blocks.
    Large {
        /// Blocks in all.
        blocks: usize,
    },
    /// A further block of the object that starts so many blocks before.
    MoreOf {
        /// Distance to the block where the object starts.
        back: usize,
    },
}

/// One block's entry in the table.
#[derive(Debug)]
pub struct BlockEntry {
    /// Its contents.
    pub holds: Holds,
    marks: [u64; MARK_WORDS],
}

#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    len: usize,
}

/// Blocks just taken.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The first one's number.
    pub block: usize,
    /// True if every byte of them is still zero.
    pub zeroed: bool,
}

/// The range and its table.
#[derive(Debug)]
pub struct Space {
    mapping: Mapping,
    base: usize,
    limit: usize,
    committed: usize,
    table: Vec<BlockEntry>,
    runs: Vec<Run>,
    used: usize,
}

impl Space {
    /// Reserves the range for a limit in bytes.
    pub fn new(limit: usize) -> io::Result<Space> {
        let limit = limit.min(MOST_BYTES) / BLOCK_SIZE;
        // A piece more, so that pieces can be aligned to their size.
        let mapping = Mapping::reserve((limit + COMMITTED_BLOCKS) * BLOCK_SIZE)?;
        let base = mapping.base().next_multiple_of(COMMITTED_BLOCKS * BLOCK_SIZE);
        // The first piece is all that small programs need, and a huge page takes longer to clear than they run.
        mapping.prefer_huge_pages(base + COMMITTED_BLOCKS * BLOCK_SIZE - mapping.base());
        Ok(Space { mapping, base, limit, committed: 0, table: Vec::new(), runs: Vec::new(), used: 0 })
    }

    /// The limit, in blocks.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Blocks in use.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Every block below the frontier.
    pub fn blocks(&self) -> std::ops::Range<usize> {
        0..self.table.len()
    }

    /// A block's entry.
    pub fn entry(&self, block: usize) -> &BlockEntry {
        &self.table[block]
    }

    /// The address of a block.
    pub fn address(&self, block: usize) -> usize {
        self.base + block * BLOCK_SIZE
    }

    /// The block and the offset in it of an address below the frontier.
    #[inline]
    pub fn locate(&self, address: usize) -> Option<(usize, usize)> {
        let offset = address.wrapping_sub(self.base);
        let block = offset / BLOCK_SIZE;
        (block < self.table.len()).then_some((block, offset % BLOCK_SIZE))
    }

    /// Takes a block for cells of a class.
    pub fn take_cells(&mut self, class: Class) -> Option<Taken> {
        let taken = self.take(1)?;
        self.table[taken.block].holds = Holds::Cells(class);
        Some(taken)
    }

    /// Takes adjacent blocks for one large object.
    pub fn take_large(&mut self, blocks: usize) -> Option<Taken> {
        let taken = self.take(blocks)?;
        self.table[taken.block].holds = Holds::Large { blocks };
        for back in 1..blocks {
            self.table[taken.block + back].holds = Holds::MoreOf { back };
        }
        Some(taken)
    }

    fn take(&mut self, blocks: usize) -> Option<Taken> {
        let taken = match self.runs.iter().rposition(|run| run.len >= blocks) {
            Some(at) => {
                let run = &mut self.runs[at];
                let block = run.start;
                *run = Run { start: run.start + blocks, len: run.len - blocks };
                // Single blocks are the common request: they come from the last run, so this is mostly a pop.
                if run.len == 0 {
                    self.runs.remove(at);
                }
                Taken { block, zeroed: false }
            }
            None => self.take_at_frontier(blocks)?,
        };
        self.used += blocks;
        Some(taken)
    }

    /// Takes blocks up to and beyond the frontier; a free run that ends there is used first.
    fn take_at_frontier(&mut self, blocks: usize) -> Option<Taken> {
        let frontier = self.table.len();
        let before = self.runs.first().filter(|run| run.start + run.len == frontier).map_or(0, |run| run.len);
        let end = frontier + (blocks - before);
        if end > self.limit || !self.commit(end) {
            return None;
        }
        if before > 0 {
            self.runs.remove(0);
        }
        self.table.resize_with(end, || BlockEntry { holds: Holds::Nothing, marks: [0; MARK_WORDS] });
        Some(Taken { block: end - blocks, zeroed: before == 0 })
    }

    fn commit(&mut self, end: usize) -> bool {
        if end <= self.committed {
            return true;
        }
        let new = end.next_multiple_of(COMMITTED_BLOCKS).min(self.limit);
        let from = self.address(self.committed) - self.mapping.base();
        let done = self.mapping.commit(from, (new - self.committed) * BLOCK_SIZE).is_ok();
        if done {
            self.committed = new;
        }
        done
    }

    /// Gives back a block of cells, or all blocks of a large object, to be found by [`Space::gather_runs`].
    pub fn release(&mut self, block: usize) {
        let blocks = match self.table[block].holds {
            Holds::Large { blocks } => blocks,
            Holds::Cells(_) => 1,
            Holds::Nothing | Holds::MoreOf { .. } => panic!("block {block} cannot be released"),
        };
        for entry in &mut self.table[block..block + blocks] {
            entry.holds = Holds::Nothing;
        }
        self.used -= blocks;
    }

    /// Finds the maximal runs of free blocks anew.
    pub fn gather_runs(&mut self) {
        self.runs.clear();
        for (block, entry) in self.table.iter().enumerate().rev() {
            if entry.holds != Holds::Nothing {
                continue;
            }
            match self.runs.last_mut() {
                Some(run) if run.start == block + 1 => *run = Run { start: block, len: run.len + 1 },
                _ => self.runs.push(Run { start: block, len: 1 }),
            }
        }
    }

    /// Clears every mark.
    pub fn clear_marks(&mut self) {
        for entry in &mut self.table {
            entry.marks = [0; MARK_WORDS];
        }
    }

    /// Clears the marks of one block.
    pub fn clear_marks_of(&mut self, block: usize) {
        self.table[block].marks = [0; MARK_WORDS];
    }

    /// Marks the object that starts at the offset in the block; true if it was not marked before.
    #[inline]
    pub fn mark(&mut self, block: usize, offset: usize) -> bool {
        let (word, bit) = mark_bit(offset);
        let word = &mut self.table[block].marks[word];
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

impl BlockEntry {
    /// Returns true if the object that starts at the offset is marked.
    pub fn is_marked(&self, offset: usize) -> bool {
        let (word, bit) = mark_bit(offset);
        self.marks[word] & bit != 0
    }

    /// Number of marked objects.
    pub fn marked(&self) -> usize {
        self.marks.iter().map(|word| word.count_ones() as usize).sum()
    }
}

#[inline]
fn mark_bit(offset: usize) -> (usize, u64) {
    let granule = offset / GRANULE;
    (granule / 64, 1 << (granule % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_join_and_reach_beyond_the_frontier() {
        let mut space = Space::new(8 * BLOCK_SIZE).expect("address space");
        let class = Class::of(16).expect("a class");
        let first = space.take_cells(class).expect("room").block;
        let large = space.take_large(3).expect("room");
        assert!(large.zeroed);
        space.release(large.block);
        space.gather_runs();
        assert_eq!(space.used(), 1);
        // Three free blocks lie before the frontier at 4: seven more end exactly at the limit.
        let all = space.take_large(7).expect("the free run and what follows");
        assert_eq!((all.block, all.zeroed), (1, false));
        assert_eq!(space.entry(7).holds, Holds::MoreOf { back: 6 });
        assert!(space.take_cells(class).is_none(), "the limit holds");
        space.release(first);
        space.gather_runs();
        assert_eq!(space.take_cells(class).map(|taken| taken.block), Some(0));
    }

    #[test]
    fn addresses_outside_are_not_located() {
        let mut space = Space::new(4 * BLOCK_SIZE).expect("address space");
        assert_eq!(space.locate(space.address(0)), None, "nothing is in use yet");
        space.take_large(2).expect("room");
        assert_eq!(space.locate(space.address(1) + 5), Some((1, 5)));
        assert_eq!(space.locate(space.address(2)), None);
        assert_eq!(space.locate(space.address(0) - 1), None);
        assert_eq!(space.locate(0), None);
    }
}
