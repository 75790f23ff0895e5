//! The memory that a value takes: that of every object it leads to.
//!
//! In: a reference. Out: bytes of cells and blocks. Invariant: shared objects are counted once; the heap, its marks
//! included, stays as it is.
#![expect(unsafe_code, reason = "reads the references inside objects")]

use super::Heap;
use super::block::Holds;
use super::settings::BLOCK_SIZE;
use super::word;
use holloway_abi::{self as abi, Shape};
use holloway_ir::Elem;
use std::collections::HashSet;

impl Heap {
    /// Bytes of the objects that a reference leads to; permanent strings are in no heap and count nothing.
    ///
    /// # Safety
    /// `reference` is 0 or that of a live object, and nothing has been collected since it was read.
    pub unsafe fn bytes_reached_from(&self, reference: u64) -> usize {
        let (mut seen, mut pending, mut bytes) = (HashSet::new(), vec![reference as usize], 0);
        while let Some(object) = pending.pop() {
            let Some(size) = self.cell_size_at(object) else { continue };
            if seen.insert(object) {
                bytes += size;
                self.add_references(object, &mut pending);
            }
        }
        bytes
    }

    /// The size of the cell, or of the blocks, in which the object at an address lies.
    fn cell_size_at(&self, object: usize) -> Option<usize> {
        let (block, _) = self.space.locate(object)?;
        match self.space.entry(block).holds {
            Holds::Cells(class) => Some(class.cell_size()),
            Holds::Large { blocks } => Some(blocks * BLOCK_SIZE),
            Holds::Nothing | Holds::MoreOf { .. } => None,
        }
    }

    fn add_references(&self, object: usize, pending: &mut Vec<usize>) {
        // SAFETY: a live object has its header and, by its shape, its references inside its cell or blocks.
        let load = |offset: usize| unsafe { word::load(object + offset) };
        match Shape::of_word(load(abi::SHAPE as usize)) {
            Shape::Record(record) => {
                let offsets = &self.layouts[record].references;
                pending.extend(offsets.iter().map(|offset| load(*offset as usize) as usize));
            }
            Shape::Array(Elem::Ref) => {
                let elements = 0..load(abi::LEN as usize) as usize;
                pending.extend(elements.map(|at| load(abi::ELEMENTS as usize + 8 * at) as usize));
            }
            Shape::Str => {
                let own = (object + (abi::CHARS - abi::ELEMENTS) as usize) as u64;
                // Bytes that do not lie in the string itself lie in a buffer.
                if load(abi::BASE as usize) != own {
                    pending.push(load(abi::CHARS as usize) as usize);
                }
            }
            Shape::Array(Elem::Int | Elem::Float | Elem::Bool | Elem::Byte | Elem::Func | Elem::Char)
            | Shape::Buffer
            | Shape::Free => {}
        }
    }
}
