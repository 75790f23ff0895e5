//! Accesses of instructions to objects.
//!
//! In: an instruction. Out: its [`ObjectAccess`], by its operands. Invariant: no other list says which instructions access objects; those that access the
//! memory and the tables of a module are told by [`super::linear`]. What an access means
//! for a slice, a fact or an execution is said by those who ask.

use super::builtins::{MemoryEffect, memory_effect};
use holloway_lang::ir::{Elem, Inst, Local, Operand, RecordRef};

/// An access to objects.
#[derive(Clone, Copy, Debug)]
pub enum ObjectAccess<'i> {
    /// A field is loaded.
    GetField {
        /// The record.
        object: Operand,
        /// The number of the field.
        field: u32,
    },
    /// A field is stored.
    SetField {
        /// The record.
        object: Operand,
        /// Its type.
        record: RecordRef,
        /// The number of the field.
        field: u32,
    },
    /// An element of an array, or a byte of a string, is loaded.
    GetElement {
        /// The array or string.
        array: Operand,
        /// The index.
        index: Operand,
    },
    /// An element is stored.
    SetElement {
        /// The array.
        array: Operand,
        /// The kind of its elements.
        elem: Elem,
        /// The index.
        index: Operand,
    },
    /// The length of an array or string is loaded.
    GetLength {
        /// The array or string.
        object: Operand,
    },
    /// The message of the last failure is read.
    GetMessage,
    /// A record is allocated.
    NewRecord {
        /// The local that refers to it.
        dst: Local,
        /// Number of its fields, each with a value of its own.
        fields: u32,
    },
    /// An array is allocated whose elements all have one value.
    NewArray {
        /// The local that refers to it.
        dst: Local,
    },
    /// An array is allocated whose elements have a value each.
    ArrayOf {
        /// The local that refers to it.
        dst: Local,
        /// Number of its elements.
        items: u32,
    },
    /// An operation of the runtime accesses objects.
    Builtin {
        /// Its effect, which is not that of one on values alone.
        effect: MemoryEffect,
        /// The local that has its result.
        dst: Option<Local>,
        /// Its operands.
        args: &'i [Operand],
    },
}

/// The access of an instruction; `None` if it accesses no object.
pub fn object_access(inst: &Inst) -> Option<ObjectAccess<'_>> {
    match inst {
        Inst::FieldGet { object, field, .. } => Some(ObjectAccess::GetField { object: *object, field: *field }),
        Inst::FieldSet { object, record, field, .. } => {
            Some(ObjectAccess::SetField { object: *object, record: *record, field: *field })
        }
        Inst::ElemGet { array, index, .. } => Some(ObjectAccess::GetElement { array: *array, index: *index }),
        Inst::ElemSet { array, elem, index, .. } => {
            Some(ObjectAccess::SetElement { array: *array, elem: *elem, index: *index })
        }
        Inst::Len { object, .. } => Some(ObjectAccess::GetLength { object: *object }),
        Inst::CatchMessage { .. } => Some(ObjectAccess::GetMessage),
        Inst::NewRecord { dst, fields, .. } => Some(ObjectAccess::NewRecord { dst: *dst, fields: fields.len() as u32 }),
        Inst::NewArray { dst, .. } => Some(ObjectAccess::NewArray { dst: *dst }),
        Inst::ArrayOf { dst, items, .. } => Some(ObjectAccess::ArrayOf { dst: *dst, items: items.len() as u32 }),
        Inst::Builtin { dst, builtin, args } => match memory_effect(*builtin) {
            MemoryEffect::Values | MemoryEffect::World | MemoryEffect::Nothing | MemoryEffect::Linear => None,
            effect => Some(ObjectAccess::Builtin { effect, dst: *dst, args }),
        },
        Inst::Copy { .. }
        | Inst::Unary { .. }
        | Inst::Binary { .. }
        | Inst::Select { .. }
        | Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::GlobalGet { .. }
        | Inst::GlobalSet { .. }
        | Inst::Call { .. }
        | Inst::CallIndirect { .. }
        | Inst::Unwrap { .. } => None,
    }
}
