//! The heap: a mark-sweep collector that never moves an object.
//!
//! In: sizes to allocate, and roots when the runtime decides to collect. Out: cells, which the caller turns into
//! objects.
//! Invariants:
//! 1. Objects lie in one reserved range, small ones in cells of one size class a block, large ones in blocks of their
//!    own.
//! 2. [`Heap::alloc`] never collects: it reports that a collection is due, and the caller, who knows the roots, runs
//!    it. So objects disappear only in [`Heap::collect`].
//! 3. Cells that compiled code may pop are in the context's lists; everything in them has been charged already, so the
//!    limit and the time of the next collection do not depend on who allocates.
//! 4. Blocks in use never exceed the limit. A request is refused as [`Refused::Full`] only when the limit is reached.
//!
//! The phases of a collection: (1) blocks not yet swept are swept, so that "free" is written in each cell; (2) marks
//! are cleared; (3) roots and all they lead to are marked; (4) blocks without marks are given back, the others wait to
//! be swept, which happens when their class runs out of cells.

pub mod block;
pub mod buffer;
mod cells;
pub mod class;
mod extent;
pub mod layout;
pub mod mapping;
mod mark;
pub mod object;
pub mod root;
mod settings;
mod word;

#[cfg(test)]
mod tests;

use block::{Holds, Space};
use cells::{Dead, FreeCells};
use class::{CLASSES, Class};
use holloway_abi as abi;
pub use layout::{Layout, Layouts};
pub use object::{Cell, Obj, PermanentStr};
pub use root::Roots;
use settings::{BLOCK_SIZE, FULL_TRIGGER, LEAST_TRIGGER, TRIGGER_PER_LIVE};
use std::io;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

/// The context's lists of free cells, one for each small class.
pub type FreeLists = [usize; abi::SIZE_CLASSES];

/// The size limit of the heap, and its stress testing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapConfig {
    /// Number of bytes that objects may take in all.
    pub limit: usize,
    /// Collect at every so many allocations, overwrite dead objects, and hand compiled code one cell at a time.
    pub stress: Option<NonZeroU32>,
}

impl Default for HeapConfig {
    fn default() -> Self {
        HeapConfig { limit: 1 << 30, stress: None }
    }
}

/// Reasons for which there is no cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A collection is due.
    CollectionDue,
    /// The limit is reached; a collection may help.
    Full,
    /// More than the limit at once; nothing helps.
    TooLarge,
}

/// Statistics of the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapStats {
    /// Collections.
    pub collections: u64,
    /// Bytes handed out, unused cells of the present lists included.
    pub allocated: u64,
    /// Bytes of cells and blocks that the last collection found live.
    pub live: usize,
    /// Bytes of blocks in use.
    pub used: usize,
    /// Time spent in collections.
    pub paused: Duration,
    /// The longest of them.
    pub longest_pause: Duration,
}

/// The heap.
#[derive(Debug)]
pub struct Heap {
    limit: usize,
    space: Space,
    layouts: Layouts,
    /// Free cells of the classes that the context has no list for; of all classes under stress.
    lists: [usize; CLASSES],
    /// Blocks of each class not yet swept, the next one last.
    unswept: [Vec<usize>; CLASSES],
    /// Bytes handed out since the last collection.
    since: usize,
    trigger: usize,
    stress: Option<Stress>,
    stats: HeapStats,
}

#[derive(Debug)]
struct Stress {
    every: u32,
    left: u32,
}

/// Bytes that may be allocated until the next collection, by what one looks at: live bytes, and roots, which are many in deep stacks.
fn trigger(scanned: usize) -> usize {
    scanned.max(scanned.saturating_mul(TRIGGER_PER_LIVE).clamp(LEAST_TRIGGER, FULL_TRIGGER))
}

impl Heap {
    /// Reserves the range.
    pub fn new(config: HeapConfig) -> io::Result<Heap> {
        Ok(Heap {
            limit: config.limit,
            space: Space::new(config.limit)?,
            layouts: Layouts::new(),
            lists: [0; CLASSES],
            unswept: std::array::from_fn(|_| Vec::new()),
            since: 0,
            trigger: trigger(0),
            stress: config.stress.map(|every| Stress { every: every.get(), left: every.get() }),
            stats: HeapStats::default(),
        })
    }

    /// Record layouts; they are only ever added to.
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// Adds the layout of the next record.
    pub fn add_layout(&mut self, layout: Layout) {
        self.layouts.push(layout);
    }

    /// Bytes that objects may take in all.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The statistics so far.
    pub fn stats(&self) -> HeapStats {
        HeapStats { used: self.space.used() * BLOCK_SIZE, ..self.stats }
    }

    /// A cell of at least `size` bytes, if one of a small class is on its list.
    #[inline]
    pub fn alloc_free(&self, free: &mut FreeLists, size: usize) -> Option<Cell> {
        let class = Class::of(size).filter(|class| class.is_small() && self.stress.is_none())?;
        let address = cells::pop(&mut free[class.index()])?;
        Some(Cell::new(address, class.cell_size(), object::Content::Garbage))
    }

    /// A cell, or blocks, of at least `size` bytes.
    pub fn alloc(&mut self, free: &mut FreeLists, size: usize) -> Result<Cell, Refused> {
        self.count_for_stress()?;
        let Some(class) = Class::of(size) else { return self.alloc_large(size) };
        let address = self.pop(free, class)?;
        Ok(Cell::new(address, class.cell_size(), object::Content::Garbage))
    }

    /// Puts at least one cell on a list of compiled code; under stress no more than one.
    pub fn provide(&mut self, free: &mut FreeLists, class: Class) -> Result<(), Refused> {
        if free[class.index()] == 0 {
            self.count_for_stress()?;
            let address = self.pop(free, class)?;
            cells::push(&mut free[class.index()], address);
        }
        Ok(())
    }

    /// Collects: every object not reachable from `roots` is freed.
    pub fn collect(&mut self, free: &mut FreeLists, roots: &Roots<'_>) {
        let start = Instant::now();
        self.finish_sweeping();
        self.space.clear_marks();
        mark::mark(&mut self.space, &self.layouts, roots);
        *free = [0; abi::SIZE_CLASSES];
        self.lists = [0; CLASSES];
        self.stats.live = self.triage();
        self.since = 0;
        self.trigger = trigger(self.stats.live + roots.bytes());
        if let Some(stress) = &mut self.stress {
            stress.left = stress.every;
        }
        self.record_pause(start.elapsed());
    }

    /// Returns true if the last collection found the object that a word refers to, which was there then.
    pub fn was_found(&self, word: u64) -> bool {
        let place = self.space.locate(word as usize);
        place.is_some_and(|(block, offset)| self.space.entry(block).is_marked(offset))
    }

    /// The start of the object that an address points to or into. Valid only when every block is swept.
    #[cfg(test)]
    fn object_at(&self, address: usize) -> Option<usize> {
        cells::object_at(&self.space, address)
    }

    fn count_for_stress(&mut self) -> Result<(), Refused> {
        if let Some(stress) = &mut self.stress {
            stress.left = stress.left.checked_sub(1).ok_or(Refused::CollectionDue)?;
        }
        Ok(())
    }

    #[inline]
    fn pop(&mut self, free: &mut FreeLists, class: Class) -> Result<usize, Refused> {
        loop {
            if let Some(address) = cells::pop(self.list(free, class)) {
                return Ok(address);
            }
            self.refill(free, class)?;
        }
    }

    fn list<'a>(&'a mut self, free: &'a mut FreeLists, class: Class) -> &'a mut usize {
        match class.is_small() && self.stress.is_none() {
            true => &mut free[class.index()],
            false => &mut self.lists[class.index()],
        }
    }

    /// Extends the list of a class by the free cells of one block.
    #[cold]
    fn refill(&mut self, free: &mut FreeLists, class: Class) -> Result<(), Refused> {
        if self.since >= self.trigger {
            return Err(Refused::CollectionDue);
        }
        let cells = match self.unswept[class.index()].pop() {
            Some(block) => cells::sweep(&self.space, block, self.dead()),
            None => {
                let taken = self.space.take_cells(class).ok_or(Refused::Full)?;
                cells::carve(&mut self.space, taken.block)
            }
        };
        self.charge(cells.count * class.cell_size());
        *self.list(free, class) = cells.first;
        Ok(())
    }

    #[cold]
    fn alloc_large(&mut self, size: usize) -> Result<Cell, Refused> {
        let blocks = size.div_ceil(BLOCK_SIZE);
        if blocks > self.space.limit() {
            return Err(Refused::TooLarge);
        }
        if self.since >= self.trigger {
            return Err(Refused::CollectionDue);
        }
        let taken = self.space.take_large(blocks).ok_or(Refused::Full)?;
        self.charge(blocks * BLOCK_SIZE);
        let content = if taken.zeroed { object::Content::Zeroes } else { object::Content::Garbage };
        Ok(Cell::new(self.space.address(taken.block), blocks * BLOCK_SIZE, content))
    }

    fn charge(&mut self, bytes: usize) {
        self.since += bytes;
        self.stats.allocated += bytes as u64;
    }

    fn dead(&self) -> Dead {
        if self.stress.is_some() { Dead::Poisoned } else { Dead::Left }
    }

    fn finish_sweeping(&mut self) {
        let dead = self.dead();
        for blocks in &mut self.unswept {
            for block in blocks.drain(..) {
                let FreeCells { .. } = cells::sweep(&self.space, block, dead);
            }
        }
    }

    /// Frees blocks without marks and lists the others for sweeping. Returns the number of live bytes.
    fn triage(&mut self) -> usize {
        let mut live = 0;
        for block in self.space.blocks().rev() {
            let entry = self.space.entry(block);
            let marked = entry.marked();
            match entry.holds {
                Holds::Nothing | Holds::MoreOf { .. } => {}
                Holds::Cells(_) | Holds::Large { .. } if marked == 0 => self.space.release(block),
                Holds::Cells(class) => {
                    live += marked * class.cell_size();
                    if marked < class.cells() {
                        self.unswept[class.index()].push(block);
                    }
                }
                Holds::Large { blocks } => live += blocks * BLOCK_SIZE,
            }
        }
        self.space.gather_runs();
        live
    }

    fn record_pause(&mut self, pause: Duration) {
        self.stats.collections += 1;
        self.stats.paused += pause;
        self.stats.longest_pause = self.stats.longest_pause.max(pause);
    }
}
