//! Kinds of locations that an instruction sets, whichever object they are of.
//!
//! In: an instruction. Out: the [`Kinds`] that it sets when it is executed; new objects aside, of which nothing has
//! been read.

use super::accesses::{ObjectAccess, object_access};
use super::builtins::MemoryEffect;
use super::linear::{linear_access, writes_bytes};
use super::locations::{ELEMENTS, class_of_elements};
use holloway_lang::ir::{Global, Inst, RecordRef};
use std::ops::Range;

/// Kinds of locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::trace) enum Kinds {
    Nothing,
    Global(Global),
    Field(RecordRef, u32),
    /// Elements of some kinds, as numbers of [`ELEMENTS`].
    Elements(Range<usize>),
    /// Bytes of the linear memory.
    Bytes,
}

impl Kinds {
    /// Number of kinds of elements.
    pub(in crate::trace) const ELEMENTS: usize = ELEMENTS.len();
}

/// The kinds that an instruction sets.
pub(in crate::trace) fn kinds_set_by(inst: &Inst) -> Kinds {
    if let Inst::GlobalSet { global, .. } = inst {
        return Kinds::Global(*global);
    }
    if linear_access(inst).is_some_and(writes_bytes) {
        return Kinds::Bytes;
    }
    let one = |kind: usize| Kinds::Elements(kind..kind + 1);
    match object_access(inst) {
        Some(ObjectAccess::SetField { record, field, .. }) => Kinds::Field(record, field),
        Some(ObjectAccess::SetElement { elem, .. }) => one(class_of_elements(elem)),
        Some(ObjectAccess::Builtin { effect, .. }) => match effect {
            MemoryEffect::Copy | MemoryEffect::Sort => Kinds::Elements(0..ELEMENTS.len()),
            MemoryEffect::Fill(elem) => one(class_of_elements(elem)),
            MemoryEffect::Values
            | MemoryEffect::World
            | MemoryEffect::Nothing
            | MemoryEffect::Linear
            | MemoryEffect::OfString(_)
            | MemoryEffect::Args
            | MemoryEffect::Text
            | MemoryEffect::Join
            | MemoryEffect::Display(_)
            | MemoryEffect::Slice => Kinds::Nothing,
        },
        Some(
            ObjectAccess::GetField { .. }
            | ObjectAccess::GetElement { .. }
            | ObjectAccess::GetLength { .. }
            | ObjectAccess::GetMessage
            | ObjectAccess::NewRecord { .. }
            | ObjectAccess::NewArray { .. }
            | ObjectAccess::ArrayOf { .. },
        )
        | None => Kinds::Nothing,
    }
}
