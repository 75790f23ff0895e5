//! Effects of instructions on memory: what they read, and what they set.
//!
//! In: an instruction with its operands, before it is executed and after it. Out: the stores that set what it reads; and the memory that it sets, in the
//! [`Shadow`]. Invariant: each operand of a statement that sets cells stands for one store.

use super::shadow::Shadow;
use crate::trace::facts::builtins::{MemoryEffect, memory_effect, write_of};
use crate::trace::facts::locations::{NEW_LENGTH, WRITE};
use holloway_interp::{Operands, SeenObject};
use holloway_jit::abi::Shape;
use holloway_lang::ir::{Builtin, Inst, Local, Operand};
use std::ops::Range;

/// An access to memory, as far as it is known before the instruction is executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    /// The stores that it reads.
    pub(super) reads: Vec<u64>,
    /// The store of the length that it reads.
    pub(super) length: Option<u64>,
    /// The addresses that it reads.
    pub(super) addresses: Range<u64>,
    /// Those that it writes, but for new objects.
    pub(super) stored: Range<u64>,
}

impl Reading {
    fn read(&mut self, shadow: &Shadow, object: SeenObject, parts: Range<usize>) {
        self.addresses = shadow.addresses(object.address, parts.clone());
        self.reads = shadow.stores(object.address, parts);
    }
}

/// What an instruction is about to read; `None` if it does not access memory. `message` is the store of the message of the last failure.
pub(super) fn reading(shadow: &Shadow, message: Option<u64>, inst: &Inst, operands: Operands<'_>) -> Option<Reading> {
    let mut access = Reading::default();
    match inst {
        Inst::FieldGet { object, field, .. } => {
            access.read(shadow, operands.object(*object)?, one(*field as usize));
        }
        Inst::FieldSet { object, field, .. } => {
            let object = operands.object(*object)?;
            access.stored = shadow.addresses(object.address, one(*field as usize));
        }
        Inst::ElemGet { array: object, index, .. } => {
            let object = array(operands, *object)?;
            access.length = shadow.length(object.address);
            if let Some(index) = index_in(operands, *index, object) {
                access.read(shadow, object, one(index));
            }
        }
        Inst::ElemSet { array: object, index, .. } => {
            let object = array(operands, *object)?;
            access.length = shadow.length(object.address);
            if let Some(index) = index_in(operands, *index, object) {
                access.stored = shadow.addresses(object.address, one(index));
            }
        }
        Inst::Len { object, .. } => access.length = shadow.length(array(operands, *object)?.address),
        Inst::CatchMessage { .. } => access.reads = message.into_iter().collect(),
        Inst::Builtin { builtin, args, .. } => builtin_reading(shadow, &mut access, *builtin, args, operands)?,
        Inst::NewRecord { .. } | Inst::NewArray { .. } | Inst::ArrayOf { .. } => {}
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
        | Inst::Unwrap { .. } => return None,
    }
    Some(access)
}

/// The part of a builtin; `None` if it is not on memory.
fn builtin_reading(
    shadow: &Shadow,
    access: &mut Reading,
    builtin: Builtin,
    args: &[Operand],
    operands: Operands<'_>,
) -> Option<()> {
    match memory_effect(builtin) {
        MemoryEffect::Values | MemoryEffect::World | MemoryEffect::Nothing => return None,
        MemoryEffect::OfString(_) | MemoryEffect::Args => {}
        MemoryEffect::Join => {
            let object = array(operands, args[0])?;
            let count = usize::try_from(operands.word(args[1]) as i64).unwrap_or(0).min(object.len);
            access.read(shadow, object, 0..count);
        }
        // The parts are of several objects, so there is no range of addresses.
        MemoryEffect::Display(ty) => {
            let mut stores = Vec::new();
            for part in operands.printed(ty, args[0]) {
                stores.extend(shadow.stores(part.object.address, part.parts));
                stores.extend(part.with_length.then(|| shadow.length(part.object.address)).flatten());
            }
            access.reads = stores;
        }
        MemoryEffect::Text | MemoryEffect::Slice => {
            let object = array(operands, args[0])?;
            access.length = shadow.length(object.address);
            if let Some(parts) = range_in(operands, (args[1], args[2]), object) {
                access.read(shadow, object, parts);
            }
        }
        MemoryEffect::Copy => {
            let object = array(operands, args[0])?;
            access.length = shadow.length(object.address);
            // The source may be a string.
            if let Some(source) = array(operands, args[2])
                && let Some(parts) = counted_in(operands, (args[3], args[4]), source)
            {
                access.read(shadow, source, parts);
            }
            if let Some(parts) = counted_in(operands, (args[1], args[4]), object) {
                access.stored = shadow.addresses(object.address, parts);
            }
        }
        MemoryEffect::Sort => {
            let object = array(operands, args[0])?;
            access.read(shadow, object, 0..object.len);
            access.stored = access.addresses.clone();
        }
        MemoryEffect::Fill(_) => {
            let object = array(operands, args[0])?;
            access.stored = shadow.addresses(object.address, 0..object.len);
        }
    }
    Some(())
}

/// An instruction was executed: its operands set what they set, each by the store that it stands for.
pub(super) fn write(shadow: &mut Shadow, inst: &Inst, operands: Operands<'_>, store: &dyn Fn(u32) -> u64) {
    match inst {
        Inst::NewRecord { dst, fields, .. } => {
            let object = allocated(operands, *dst);
            let stores = (WRITE..).take(fields.len()).map(store).collect();
            shadow.allocate_each(object.address, None, stores);
        }
        Inst::ArrayOf { dst, items, .. } => {
            let object = allocated(operands, *dst);
            let stores = (WRITE..).take(items.len()).map(store).collect();
            shadow.allocate_each(object.address, Some(store(NEW_LENGTH)), stores);
        }
        Inst::NewArray { dst, .. } => {
            let object = allocated(operands, *dst);
            shadow.allocate(object.address, Some(store(NEW_LENGTH)), object.len, store(WRITE));
        }
        Inst::FieldSet { object, field, .. } => {
            shadow.set(written(operands, *object).address, one(*field as usize), store(WRITE));
        }
        Inst::ElemSet { array, index, .. } => {
            let index = operands.word(*index) as usize;
            shadow.set(written(operands, *array).address, one(index), store(WRITE));
        }
        Inst::Builtin { dst, builtin, args } => write_by_builtin(shadow, (*dst, *builtin), args, operands, store),
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
        | Inst::FieldGet { .. }
        | Inst::ElemGet { .. }
        | Inst::Len { .. }
        | Inst::Unwrap { .. }
        | Inst::CatchMessage { .. } => {}
    }
}

fn write_by_builtin(
    shadow: &mut Shadow,
    (dst, builtin): (Option<Local>, Builtin),
    args: &[Operand],
    operands: Operands<'_>,
    store: &dyn Fn(u32) -> u64,
) {
    match memory_effect(builtin) {
        MemoryEffect::Values
        | MemoryEffect::World
        | MemoryEffect::Nothing
        | MemoryEffect::Text
        | MemoryEffect::Join
        | MemoryEffect::Display(_) => {}
        MemoryEffect::OfString(_) | MemoryEffect::Args | MemoryEffect::Slice => {
            let Some(dst) = dst else { return };
            let object = allocated(operands, dst);
            shadow.allocate(object.address, Some(store(NEW_LENGTH)), object.len, store(operand_of(object)));
        }
        MemoryEffect::Copy => {
            let object = written(operands, args[0]);
            let parts = counted_in(operands, (args[1], args[4]), object).expect("it was in range");
            shadow.set(object.address, parts, store(operand_of(object)));
        }
        MemoryEffect::Fill(_) | MemoryEffect::Sort => {
            let object = written(operands, args[0]);
            shadow.set(object.address, 0..object.len, store(operand_of(object)));
        }
    }
}

/// The operand by which a builtin sets the elements of an array.
fn operand_of(object: SeenObject) -> u32 {
    match object.shape {
        Shape::Array(elem) => write_of(elem),
        Shape::Free | Shape::Str | Shape::Buffer | Shape::Record(_) => unreachable!("it is an array"),
    }
}

pub(super) fn one(part: usize) -> Range<usize> {
    part..part + 1
}

pub(super) fn allocated(operands: Operands<'_>, dst: Local) -> SeenObject {
    operands.result(dst).expect("it was allocated")
}

fn written(operands: Operands<'_>, object: Operand) -> SeenObject {
    operands.object(object).expect("it was written to")
}

/// The array of an operand; `None` if it is a string.
pub(super) fn array(operands: Operands<'_>, operand: Operand) -> Option<SeenObject> {
    operands.object(operand).filter(|object| matches!(object.shape, Shape::Array(_)))
}

/// The value of an index if it is in range.
pub(super) fn index_in(operands: Operands<'_>, index: Operand, object: SeenObject) -> Option<usize> {
    usize::try_from(operands.word(index) as i64).ok().filter(|index| *index < object.len)
}

/// The range `from..to` if it is within the array.
pub(super) fn range_in(
    operands: Operands<'_>,
    (from, to): (Operand, Operand),
    object: SeenObject,
) -> Option<Range<usize>> {
    let from = usize::try_from(operands.word(from) as i64).ok()?;
    let to = usize::try_from(operands.word(to) as i64).ok()?;
    (from <= to && to <= object.len).then_some(from..to)
}

/// The range of `count` elements behind `from` if it is within the array.
pub(super) fn counted_in(
    operands: Operands<'_>,
    (from, count): (Operand, Operand),
    object: SeenObject,
) -> Option<Range<usize>> {
    let from = usize::try_from(operands.word(from) as i64).ok()?;
    let count = usize::try_from(operands.word(count) as i64).ok()?;
    let to = from.checked_add(count)?;
    (to <= object.len).then_some(from..to)
}
