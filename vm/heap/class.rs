//! Size classes: which cell size an object of a given size gets.
//! In: a size in bytes. Out: a [`Class`], or none for objects that take blocks of their own.
//! Invariant: classes below [`abi::SIZE_CLASSES`] are those of compiled code, class `c` having cells of `16 * c` bytes.

use super::block::BLOCK_SIZE;
use holloway_jit::abi;

/// One cell size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class(u8);

/// Cell sizes beyond the classes of compiled code. Each fits a whole number of times into a block with little left over;
/// a larger object would waste less of a block of its own than of a cell.
const MEDIUM: [usize; 14] = [640, 768, 1024, 1296, 1552, 2048, 2720, 3264, 4096, 5456, 6544, 8192, 10_912, 16_384];

/// How many classes there are; class 0 is not used.
pub const CLASSES: usize = abi::SIZE_CLASSES + MEDIUM.len();

impl Class {
    /// The class of the smallest cells that hold `size` bytes.
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
        BLOCK_SIZE / self.cell_size()
    }

    /// The class as an index below [`CLASSES`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Whether compiled code allocates from this class.
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
        assert_eq!(Class::of(16_385), None);
    }

    #[test]
    fn little_of_a_block_is_left_over() {
        for size in (1..=16_384).step_by(16) {
            let class = Class::of(size).expect("small enough for a cell");
            assert!(BLOCK_SIZE - class.cells() * class.cell_size() <= 512, "{}", class.cell_size());
        }
    }
}
