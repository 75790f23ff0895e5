//! Stores that are made behind a loop, or where it fails or polls.
//!
//! In: what fields are to hold from here on in the block. Out: the stores, in cold blocks that fail or poll.
//! Invariant: of each field the last declaration counts, and none ahead of a store to it.

use super::{Emitter, FieldPlace};
use cranelift_codegen::ir as clif;
use holloway_lang::ir::RecordRef;

impl Emitter<'_> {
    /// From here on in the block, a field holds a value that is not in memory.
    pub(crate) fn sink(&mut self, place: FieldPlace, value: clif::Value) {
        self.sunk.retain(|(known, _)| *known != place);
        self.sunk.push((place, value));
    }

    /// From here on in the block, the fields of that number are in memory, whatever object they are of.
    pub(crate) fn sink_no_more(&mut self, record: RecordRef, field: u32) {
        self.sunk.retain(|(known, _)| (known.record, known.field) != (record, field));
    }

    /// Makes the stores, for somebody who looks at memory.
    pub(super) fn make_sunk_stores(&mut self) {
        for (FieldPlace { object, record, field }, value) in self.sunk.clone() {
            self.store_field(object, record, field, value);
        }
    }
}
