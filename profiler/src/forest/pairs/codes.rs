//! Codes of slabs: small numbers in the order in which slabs are first seen.
//!
//! In: a piece of a slab and the code of the pieces before it. Out: the code of both together, and back.
//! Invariant: equal slabs have one code; 0 is no slab.

use crate::settings::slab::{FIRST_SLOTS, SPARSE};

/// The code of a slab, or of its first pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Code(pub(super) u32);

impl Code {
    /// No slab.
    pub(super) const NONE: Code = Code(0);
}

/// A hash table with open addressing, and each code's slab.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    slots: Vec<Slot>,
    /// A hash is shifted to the right by so much.
    shift: u32,
    /// By code less 1.
    pieces: Vec<(Code, u64)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// 0 in a free slot.
    piece: u64,
    before: Code,
    code: Code,
}

impl Default for Codes {
    fn default() -> Codes {
        let mut codes = Codes { slots: Vec::new(), shift: 0, pieces: Vec::new() };
        codes.resize(FIRST_SLOTS);
        codes
    }
}

impl Codes {
    /// The code of a piece behind none, if it is where the search for it begins.
    #[inline]
    pub(super) fn first(&self, piece: u64) -> Option<Code> {
        let slot = self.slots.get(hash(Code::NONE, piece) >> self.shift)?;
        (slot.piece == piece && slot.before == Code::NONE).then_some(slot.code)
    }

    /// The code of a piece, which is not 0, behind others.
    #[inline]
    pub(super) fn find(&self, before: Code, piece: u64) -> Option<Code> {
        let mask = self.slots.len() - 1;
        let mut at = hash(before, piece) >> self.shift;
        loop {
            let slot = &self.slots[at & mask];
            if slot.piece == piece && slot.before == before {
                return Some(slot.code);
            }
            if slot.piece == 0 {
                return None;
            }
            at += 1;
        }
    }

    /// A code for a piece that has none.
    #[cold]
    pub(super) fn add(&mut self, before: Code, piece: u64) -> Code {
        self.pieces.push((before, piece));
        let code = Code(self.pieces.len() as u32);
        if SPARSE * self.pieces.len() > self.slots.len() {
            self.resize(2 * self.slots.len());
        } else {
            self.put(Slot { piece, before, code });
        }
        code
    }

    /// Gives the table so many slots, a power of two.
    fn resize(&mut self, count: usize) {
        self.slots = vec![Slot::default(); count];
        self.shift = u64::BITS - count.ilog2();
        for nth in 0..self.pieces.len() {
            let (before, piece) = self.pieces[nth];
            self.put(Slot { piece, before, code: Code(nth as u32 + 1) });
        }
    }

    fn put(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let first = hash(slot.before, slot.piece) >> self.shift;
        let free = (first..).map(|at| at & mask).find(|at| self.slots[*at].piece == 0);
        self.slots[free.expect("some are free")] = slot;
    }

    /// The piece that a code stands for, with the code of those before; none of [`Code::NONE`].
    pub(super) fn piece(&self, code: Code) -> Option<(Code, u64)> {
        (code != Code::NONE).then(|| self.pieces[code.0 as usize - 1])
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.slots.as_slice()) + size_of_val(self.pieces.as_slice())
    }
}

/// The highest bits of a product depend on all bits of its factors.
#[inline]
fn hash(before: Code, piece: u64) -> usize {
    (piece ^ u64::from(before.0).rotate_right(24)).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize
}
