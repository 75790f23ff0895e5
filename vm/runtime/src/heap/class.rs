//! Size classes: the cell size for each object size.
//! In: a size in bytes. Out: a [`Class`], or none for objects that take blocks of their own.
//! Invariant: classes below [`abi::SIZE_CLASSES`] are those of compiled code, class `c` having cells of `16 * c` bytes.

use super::settings::BLOCK_SIZE;
use holloway_abi as abi;

/// One cell size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class(u8);

/// Bytes of a block that cells of more than [`abi::MAX_SMALL`] leave free, so that the first cell of each block can
/// start at another cache line: otherwise the rows of a matrix would all lie in the same few sets of the first-level
/// cache.
const SLACK: usize = 31 * LINE;
/// Bytes of a cache line.
const LINE: usize = 64;

/// Greatest number of cells of these classes in a block.
const MOST_CELLS: usize = 57;

/// Cell sizes beyond the classes of compiled code: those that divide a block into 57, 56, ... 2 cells. A larger object
/// would waste less of a block of its own than of a cell. The last one is two to a block without slack.
const MEDIUM: [usize; MOST_CELLS] = {
    let mut sizes = [0; MOST_CELLS];
    let mut at = 0;
    while at < sizes.len() - 1 {
        sizes[at] = (BLOCK_SIZE - SLACK) / (MOST_CELLS - at) / 16 * 16;
        at += 1;
    }
    sizes[at] = BLOCK_SIZE / 2;
    sizes
};

/// Number of classes; class 0 is not used.
pub const CLASSES: usize = abi::SIZE_CLASSES + MEDIUM.len();

impl Class {
    /// The class of the smallest cells that hold `size` bytes.
    #[inline]
    pub fn of(size: usize) -> Option<Class> {
        if size <= abi::MAX_SMALL {
            return Some(Class(size.max(1).div_ceil(abi::CLASS_STEP) as u8));
        }
        let at = MEDIUM.partition_point(|cell| *cell < size);
        (at < MEDIUM.len()).then(|| Class((abi::SIZE_CLASSES + at) as u8))
    }

    /// A class of compiled code, by its number.
    pub fn small(index: usize) -> Class {
        assert!((1..abi::SIZE_CLASSES).contains(&index), "compiled code knows no class {index}");
        Class(index as u8)
    }

    /// Bytes of one cell.
    pub fn cell_size(self) -> usize {
        match self.index().checked_sub(abi::SIZE_CLASSES) {
            None => self.index() * abi::CLASS_STEP,
            Some(at) => MEDIUM[at],
        }
    }

    /// Cells in one block.
    pub fn cells(self) -> usize {
        match self.index().checked_sub(abi::SIZE_CLASSES) {
            None => BLOCK_SIZE / self.cell_size(),
            Some(at) => (MOST_CELLS - at).max(2),
        }
    }

    /// Offset of the first cell of a block.
    pub fn first_cell(self, block: usize) -> usize {
        if self.is_small() || self.index() == CLASSES - 1 {
            return 0;
        }
        // 5 and 32 have no common factor: neighbours differ, and every line has its turn.
        block * 5 % (SLACK / LINE + 1) * LINE
    }

    /// The class as an index below [`CLASSES`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns true if compiled code allocates from this class.
    pub fn is_small(self) -> bool {
        self.index() < abi::SIZE_CLASSES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_gets_the_smallest_cell_that_holds_it() {
        let mut before = 0;
        for size in 1..=MEDIUM[MEDIUM.len() - 1] {
            let cell = Class::of(size).expect("small enough for a cell").cell_size();
            assert!(cell >= size && cell >= before && cell.is_multiple_of(16), "{size} in {cell}");
            assert!(size <= before || cell > before, "{size} would have fitted into {before}");
            before = cell;
        }
        assert_eq!(Class::of(MEDIUM[MEDIUM.len() - 1] + 1), None);
    }

    #[test]
    fn cells_lie_in_their_block_and_little_of_it_is_left_over() {
        for size in (16..=MEDIUM[MEDIUM.len() - 1]).step_by(16) {
            let class = Class::of(size).expect("small enough for a cell");
            let used = class.cells() * class.cell_size();
            assert!(BLOCK_SIZE - used <= SLACK + 16 * MOST_CELLS, "{}", class.cell_size());
            for block in 0..64 {
                assert!(class.first_cell(block) + used <= BLOCK_SIZE, "{}", class.cell_size());
            }
        }
    }

    #[test]
    fn first_cells_start_at_every_line() {
        let class = Class::of(1616).expect("small enough for a cell");
        let mut starts: Vec<usize> = (0..32).map(|block| class.first_cell(block)).collect();
        starts.sort_unstable();
        assert_eq!(starts, (0..32).map(|line| line * LINE).collect::<Vec<_>>());
    }
}
