//! The entries of the operand stack, and the slots that they may be in.
//!
//! In: pushes and pops of [`stack`](super::stack). Out: entries by depth. Invariant: the list of entries that are locals of the program is kept as they come and go.

use holloway_ir::{Local, Operand, Scalar};

/// Entries that are locals of the program at once. More are copied, so that no assignment looks at many.
pub(super) const MOST_READERS: usize = 64;

/// The entries, and the slots made so far.
#[derive(Default)]
pub(super) struct Stack {
    pub(super) entries: Vec<Operand>,
    /// The depths of entries that are locals of the program, in order; [`MOST_READERS`] at most.
    pub(super) readers: Vec<usize>,
    /// By depth: of integers, floats, truth values and functions.
    pub(super) slots: Vec<[Option<Local>; 4]>,
    /// The depth of the next temporary.
    pub(super) temporary: usize,
}

impl Stack {
    pub(super) fn begin_operator(&mut self) {
        self.temporary = self.entries.len() + 1;
    }

    pub(super) fn depth(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn truncate(&mut self, depth: usize) {
        self.entries.truncate(depth);
        self.forget_readers();
    }

    /// Forgets entries that are there no more.
    pub(super) fn forget_readers(&mut self) {
        while self.readers.last().is_some_and(|reader| *reader >= self.entries.len()) {
            self.readers.pop();
        }
    }

    /// The entry of a depth.
    pub(super) fn entry(&self, depth: usize) -> Operand {
        self.entries[depth]
    }

    /// The slot of a depth and a scalar, if it was made.
    pub(super) fn slot_at(&self, depth: usize, scalar: Scalar) -> Option<Local> {
        self.slots.get(depth)?[kind(scalar)]
    }

    /// The entries from a depth on.
    pub(super) fn from(&self, depth: usize) -> &[Operand] {
        &self.entries[depth..]
    }
}

/// The place of a scalar's slot among those of a depth.
pub(super) fn kind(scalar: Scalar) -> usize {
    match scalar {
        Scalar::Int => 0,
        Scalar::Float => 1,
        Scalar::Bool => 2,
        Scalar::Func => 3,
        Scalar::Ref => unreachable!("no value is a reference of the language"),
    }
}
