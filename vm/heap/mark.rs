//! Marking: sets the mark bit of every object reachable from the roots.
//!
//! In: roots, record layouts, and a space whose marks are clear and whose blocks are all swept. Out: marks.
//! Invariant: a marked object is either on a work list or all its references are marked. Work lists replace recursion,
//! so no structure of data is too deep; a long array is scanned piece by piece, so none makes the lists much longer
//! either.
#![expect(unsafe_code, reason = "reads the references inside objects")]

use super::block::Space;
use super::cells;
use super::layout::Layouts;
use super::root::Roots;
use super::settings::SCANNED_ELEMENTS;
use super::word;
use holloway_jit::abi::{self, Shape};
use holloway_lang::ir::Elem;

struct Marker<'a> {
    space: &'a mut Space,
    layouts: &'a Layouts,
    objects: Vec<usize>,
    /// Rests of arrays: address of the first element not scanned, and the number of elements left.
    rests: Vec<(usize, usize)>,
}

/// Marks every reachable object.
pub(super) fn mark(space: &mut Space, layouts: &Layouts, roots: &Roots<'_>) {
    let mut marker = Marker { space, layouts, objects: Vec::new(), rests: Vec::new() };
    roots.each(|word| marker.root(word as usize));
    marker.drain();
}

impl Marker<'_> {
    fn root(&mut self, address: usize) {
        if let Some(object) = cells::object_at(self.space, address) {
            self.object(object);
        }
    }

    /// Marks an object whose start is known. An object outside of the range is a permanent string.
    #[inline]
    fn object(&mut self, object: usize) {
        if let Some((block, offset)) = self.space.locate(object)
            && self.space.mark(block, offset)
        {
            self.objects.push(object);
        }
    }

    fn drain(&mut self) {
        loop {
            while let Some(object) = self.objects.pop() {
                self.references_of(object);
            }
            match self.rests.pop() {
                Some((first, count)) => self.elements(first, count),
                None => break,
            }
        }
    }

    fn references_of(&mut self, object: usize) {
        // SAFETY: a marked object has its header and, by its shape, its references inside its cell or blocks.
        let header = |offset: i32| unsafe { word::load(object + offset as usize) };
        match Shape::of_word(header(abi::SHAPE)) {
            Shape::Record(record) => {
                let layouts = self.layouts;
                for offset in &layouts[record].references {
                    self.object(header(*offset as i32) as usize);
                }
            }
            Shape::Array(Elem::Ref) => {
                self.elements(object + abi::ELEMENTS as usize, header(abi::LEN) as usize);
            }
            Shape::Str => {
                let own = (object + (abi::CHARS - abi::ELEMENTS) as usize) as u64;
                // Bytes that do not lie in the string itself lie in a buffer.
                if header(abi::BASE) != own {
                    self.object(header(abi::CHARS) as usize);
                }
            }
            Shape::Array(Elem::Int | Elem::Float | Elem::Bool | Elem::Byte | Elem::Func | Elem::Char)
            | Shape::Buffer => {}
            Shape::Free => panic!("the heap is damaged: a reference leads to the free cell {object:#x}"),
        }
    }

    fn elements(&mut self, first: usize, count: usize) {
        let now = count.min(SCANNED_ELEMENTS);
        for at in 0..now {
            // SAFETY: the array has `count` elements from `first` on.
            self.object(unsafe { word::load(first + 8 * at) } as usize);
        }
        if now < count {
            self.rests.push((first + 8 * now, count - now));
        }
    }
}
