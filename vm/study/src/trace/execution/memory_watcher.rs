//! The part of the observer that keeps accesses to memory.
//!
//! In: each instruction before and after it is executed, with its operands. Out: its [`Access`], among those of its activation.
//! Invariant: what an instruction reads is looked up before it is executed, since it may overwrite its own operands.

use super::memory::{Access, MemoryAccesses};
use super::shadow::Shadow;
use crate::trace::facts::builtins::{MemoryEffect, memory_effect, write_of};
use crate::trace::facts::locations::{NEW_LENGTH, WRITE};
use crate::trace::facts::statements::writes;
use holloway_interp::{Operands, SeenObject};
use holloway_jit::abi::Shape;
use holloway_lang::ir::{Builtin, Inst, Local, Operand};
use holloway_profiler::wpp::slice::{ActivationId, Point};
use std::ops::Range;

/// The accesses so far, and the stores that set memory last.
#[derive(Clone, Debug, Default)]
pub(super) struct MemoryWatcher {
    memory: MemoryAccesses,
    shadow: Shadow,
    /// The access of the instruction that is being executed, as far as it reads.
    access: Option<Access>,
    /// The store of the message of the last failure, if `fail` raised it.
    message: Option<u64>,
}

impl MemoryWatcher {
    /// All accesses.
    pub(super) fn finish(self) -> MemoryAccesses {
        self.memory
    }

    /// An instruction is about to be executed.
    pub(super) fn before(&mut self, point: Point, inst: &Inst, operands: Operands<'_>) {
        self.access = self.reading(point, inst, operands);
    }

    /// It was executed.
    pub(super) fn after(&mut self, activation: ActivationId, inst: &Inst, operands: Operands<'_>) {
        if let Some(access) = self.access.take() {
            let store = self.push(activation, access, writes(inst));
            self.writing(inst, operands, store);
        }
    }

    /// It failed.
    pub(super) fn failed(&mut self, activation: ActivationId) {
        if let Some(access) = self.access.take() {
            self.push(activation, Access { stored: 0..0, ..access }, None);
        }
    }

    /// A failure is raised: by a `fail`, whose statement sets the message, or by anything else.
    pub(super) fn raised(&mut self, activation: ActivationId, message_set_at: Option<Point>) {
        self.message = message_set_at.map(|point| {
            let access = Access { time: point.time, statement: point.statement, ..Access::default() };
            self.push(activation, access, Some((WRITE, 1)))
        });
    }

    /// Adds an access with the stores that it makes. Returns the number of the first of them.
    fn push(&mut self, activation: ActivationId, mut access: Access, writes: Option<(u32, u32)>) -> u64 {
        let (first, count) = writes.unwrap_or((WRITE, 0));
        access.writes = first..first + count;
        access.first_store = self.shadow.number(count);
        let store = access.first_store;
        self.memory.push(activation, access);
        store
    }

    fn read(&mut self, access: &mut Access, object: SeenObject, parts: Range<usize>) {
        access.addresses = self.shadow.addresses(object.address, parts.clone());
        access.reads = self.memory.pool(self.shadow.stores(object.address, parts));
    }

    /// The access of an instruction, as far as it reads; `None` if it is not to memory.
    fn reading(&mut self, point: Point, inst: &Inst, operands: Operands<'_>) -> Option<Access> {
        let mut access = Access { time: point.time, statement: point.statement, ..Access::default() };
        match inst {
            Inst::FieldGet { object, field, .. } => {
                self.read(&mut access, operands.object(*object)?, one(*field as usize));
            }
            Inst::FieldSet { object, field, .. } => {
                let object = operands.object(*object)?;
                access.stored = self.shadow.addresses(object.address, one(*field as usize));
            }
            Inst::ElemGet { array: object, index, .. } => {
                let object = array(operands, *object)?;
                access.length = self.shadow.length(object.address);
                if let Some(index) = index_in(operands, *index, object) {
                    self.read(&mut access, object, one(index));
                }
            }
            Inst::ElemSet { array: object, index, .. } => {
                let object = array(operands, *object)?;
                access.length = self.shadow.length(object.address);
                if let Some(index) = index_in(operands, *index, object) {
                    access.stored = self.shadow.addresses(object.address, one(index));
                }
            }
            Inst::Len { object, .. } => access.length = self.shadow.length(array(operands, *object)?.address),
            Inst::CatchMessage { .. } => access.reads = self.memory.pool(self.message.into_iter().collect()),
            Inst::Builtin { builtin, args, .. } => self.builtin_reading(&mut access, *builtin, args, operands)?,
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
        &mut self,
        access: &mut Access,
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
                self.read(access, object, 0..count);
            }
            // The parts are of several objects, so there is no range of addresses.
            MemoryEffect::Display(ty) => {
                let mut stores = Vec::new();
                for part in operands.printed(ty, args[0]) {
                    stores.extend(self.shadow.stores(part.object.address, part.parts));
                    stores.extend(part.with_length.then(|| self.shadow.length(part.object.address)).flatten());
                }
                access.reads = self.memory.pool(stores);
            }
            MemoryEffect::Text | MemoryEffect::Slice => {
                let object = array(operands, args[0])?;
                access.length = self.shadow.length(object.address);
                if let Some(parts) = range_in(operands, (args[1], args[2]), object) {
                    self.read(access, object, parts);
                }
            }
            MemoryEffect::Copy => {
                let object = array(operands, args[0])?;
                access.length = self.shadow.length(object.address);
                // The source may be a string.
                if let Some(source) = array(operands, args[2])
                    && let Some(parts) = counted_in(operands, (args[3], args[4]), source)
                {
                    self.read(access, source, parts);
                }
                if let Some(parts) = counted_in(operands, (args[1], args[4]), object) {
                    access.stored = self.shadow.addresses(object.address, parts);
                }
            }
            MemoryEffect::Sort => {
                let object = array(operands, args[0])?;
                self.read(access, object, 0..object.len);
                access.stored = access.addresses.clone();
            }
            MemoryEffect::Fill(_) => {
                let object = array(operands, args[0])?;
                access.stored = self.shadow.addresses(object.address, 0..object.len);
            }
        }
        Some(())
    }

    /// The stores of an instruction that was executed; the first has number `store`.
    fn writing(&mut self, inst: &Inst, operands: Operands<'_>, store: u64) {
        match inst {
            Inst::NewRecord { dst, fields, .. } => {
                let object = allocated(operands, *dst);
                self.shadow.allocate_each(object.address, None, store..store + fields.len() as u64);
            }
            Inst::ArrayOf { dst, items, .. } => {
                let object = allocated(operands, *dst);
                let first = made(store, WRITE);
                let stores = first..first + items.len() as u64;
                self.shadow.allocate_each(object.address, Some(made(store, NEW_LENGTH)), stores);
            }
            Inst::NewArray { dst, .. } => {
                let object = allocated(operands, *dst);
                let length = Some(made(store, NEW_LENGTH));
                self.shadow.allocate(object.address, length, object.len, made(store, WRITE));
            }
            Inst::FieldSet { object, field, .. } => {
                self.shadow.set(written(operands, *object).address, one(*field as usize), store);
            }
            Inst::ElemSet { array, index, .. } => {
                let index = operands.word(*index) as usize;
                self.shadow.set(written(operands, *array).address, one(index), store);
            }
            Inst::Builtin { dst, builtin, args } => self.builtin_writing(*dst, *builtin, args, operands, store),
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

    fn builtin_writing(
        &mut self,
        dst: Option<Local>,
        builtin: Builtin,
        args: &[Operand],
        operands: Operands<'_>,
        store: u64,
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
                let (length, parts) = (made(store, NEW_LENGTH), made(store, operand_of(object)));
                self.shadow.allocate(object.address, Some(length), object.len, parts);
            }
            MemoryEffect::Copy => {
                let object = written(operands, args[0]);
                let parts = counted_in(operands, (args[1], args[4]), object).expect("it was in range");
                self.shadow.set(object.address, parts, store + u64::from(operand_of(object) - WRITE));
            }
            MemoryEffect::Fill(_) | MemoryEffect::Sort => {
                let object = written(operands, args[0]);
                self.shadow.set(object.address, 0..object.len, store + u64::from(operand_of(object) - WRITE));
            }
        }
    }
}

/// The store of an operand of an allocation whose first store is that of its length.
fn made(first: u64, operand: u32) -> u64 {
    first + u64::from(operand - NEW_LENGTH)
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
