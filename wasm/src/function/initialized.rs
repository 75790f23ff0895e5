//! The locals that have a value.
//!
//! In: reads and assignments, in the order of the code. Out: the locals that may be read before they are assigned. Invariant: an assignment counts for the
//! rest of the construct that it stands in, so that no paths are looked at.

use cranelift_entity::EntityRef;
use holloway_ir::Local;

/// The locals that were assigned on each path to the present place, and those that were read before.
pub(super) struct Initialized {
    is_set: Vec<bool>,
    is_missed: Vec<bool>,
    /// In the order in which they were assigned, to undo it at the end of a construct.
    set: Vec<Local>,
}

impl Initialized {
    pub(super) fn new(params: usize, locals: usize) -> Initialized {
        let is_set = (0..locals).map(|local| local < params).collect();
        Initialized { is_set, is_missed: vec![false; locals], set: Vec::new() }
    }

    /// The place, to return to with [`Initialized::forget`].
    pub(super) fn mark(&self) -> usize {
        self.set.len()
    }

    /// Forgets the assignments since a place.
    pub(super) fn forget(&mut self, mark: usize) {
        self.set.drain(mark..).for_each(|local| self.is_set[local.index()] = false);
    }

    pub(super) fn read(&mut self, local: Local) {
        self.is_missed[local.index()] |= !self.is_set[local.index()];
    }

    pub(super) fn assign(&mut self, local: Local) {
        if !std::mem::replace(&mut self.is_set[local.index()], true) {
            self.set.push(local);
        }
    }

    /// The locals that zero is assigned to.
    pub(super) fn missed(&self) -> impl Iterator<Item = Local> {
        self.is_missed.iter().enumerate().filter(|(_, missed)| **missed).map(|(local, _)| Local::new(local))
    }
}
