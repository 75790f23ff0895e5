//! The locals that have a value.
//!
//! In: reads and assignments, in the order of the code. Out: the locals that may be read before they are assigned. Invariant: an assignment counts for the
//! rest of the construct that it stands in, so that no paths are looked at.

use cranelift_entity::{EntityRef, EntitySet};
use holloway_ir::Local;

/// The locals that were assigned on each path to the present place, and those that were read before.
pub(super) struct Initialized {
    is_set: EntitySet<Local>,
    missed: EntitySet<Local>,
    /// In the order in which they were assigned, to undo it at the end of a construct.
    set: Vec<Local>,
}

impl Initialized {
    /// At the beginning of a function, whose parameters are the first locals and have values.
    pub(super) fn new(params: usize) -> Initialized {
        let mut is_set = EntitySet::new();
        is_set.extend((0..params).map(Local::new));
        Initialized { is_set, missed: EntitySet::new(), set: Vec::new() }
    }

    /// The place, to return to with [`Initialized::forget`].
    pub(super) fn mark(&self) -> usize {
        self.set.len()
    }

    /// Forgets the assignments since a place.
    pub(super) fn forget(&mut self, mark: usize) {
        for local in self.set.drain(mark..) {
            self.is_set.remove(local);
        }
    }

    pub(super) fn read(&mut self, local: Local) {
        if !self.is_set.contains(local) {
            self.missed.insert(local);
        }
    }

    pub(super) fn assign(&mut self, local: Local) {
        if self.is_set.insert(local) {
            self.set.push(local);
        }
    }

    /// The locals that zero is assigned to.
    pub(super) fn missed(&self) -> impl Iterator<Item = Local> {
        self.missed.iter()
    }
}
