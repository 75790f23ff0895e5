//! Effects of instructions on memory: what they read, and what they set.
//!
//! In: an instruction with its operands, before it is executed and after it. Out: the stores that set what it reads; and the memory that it sets, in the
//! [`Shadow`]. What is in the linear memory and the tables of a module is told by [`super::linear_effects`]. Invariant: each operand of a statement that sets cells stands for one store.

use super::linear_effects::{LinearTouched, hull, linear_touched, reads, set_by};
use super::shadow::Shadow;
use super::touched::{allocated, counted_in, one, touched};
use crate::trace::facts::accesses::{ObjectAccess, object_access};
use crate::trace::facts::builtins::{MemoryEffect, write_of};
use crate::trace::facts::linear::{LinearAccess, further_globals, linear_access};
use crate::trace::facts::locations::{NEW_LENGTH, WRITE};
use holloway_interp::{InstPlace, Operands, SeenObject};
use holloway_jit::abi::Shape;
use holloway_lang::ir::{Inst, Local, Module, Operand};
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
    /// The same of the memory and the tables of a module.
    pub(super) linear: LinearTouched,
}

/// An instruction of a program.
#[derive(Clone, Copy)]
pub(super) struct At<'m> {
    pub(super) module: &'m Module,
    pub(super) place: InstPlace,
}

/// Returns the reads of an instruction that is about to be executed; `None` if it does not access memory. `message` is the store of the message of the last failure.
pub(super) fn reading(
    shadow: &Shadow,
    message: Option<u64>,
    at: At<'_>,
    inst: &Inst,
    operands: Operands<'_>,
) -> Option<Reading> {
    let Some(access) = object_access(inst) else {
        return linear_access(inst).map(|access| linear_reading(shadow, at, access, operands));
    };
    let touched = touched(access, operands)?;
    let length = touched.length.and_then(|object| shadow.length(object.address));
    let mut reading = Reading { length, ..Reading::default() };
    if let Some((object, parts)) = touched.loads {
        reading.addresses = shadow.addresses(object.address, parts.clone());
        reading.reads = shadow.stores(object.address, parts);
    }
    if let Some((object, parts)) = touched.stores {
        reading.stored = shadow.addresses(object.address, parts);
    }
    if matches!(access, ObjectAccess::GetMessage) {
        reading.reads = message.into_iter().collect();
    }
    // The parts are of several objects, so there is no range of addresses.
    if let ObjectAccess::Builtin { effect: MemoryEffect::Display(ty), args, .. } = access {
        for part in operands.printed(ty, args[0]) {
            reading.reads.extend(shadow.stores(part.object.address, part.parts));
            reading.reads.extend(part.with_length.then(|| shadow.length(part.object.address)).flatten());
        }
    }
    Some(reading)
}

fn linear_reading(shadow: &Shadow, at: At<'_>, access: LinearAccess<'_>, operands: Operands<'_>) -> Reading {
    let linear = touched_at(at, access, operands);
    Reading {
        reads: reads(&shadow.linear, &linear),
        length: linear.size.and_then(|size| shadow.linear.store_of(size)),
        addresses: hull(&linear.loads),
        stored: linear.stores.clone(),
        linear,
    }
}

/// The addresses of an access of an instruction that is about to be executed.
pub(super) fn touched_at(
    At { module, place }: At<'_>,
    access: LinearAccess<'_>,
    operands: Operands<'_>,
) -> LinearTouched {
    let further = match access {
        LinearAccess::Host { .. } => further_globals(&module.function(place.func).blocks[place.block]),
        LinearAccess::Load { .. } | LinearAccess::Store { .. } | LinearAccess::Builtin { .. } => Vec::new(),
    };
    linear_touched(access, &further, operands)
}

/// The addresses that an instruction has set in the memory and the tables of a module.
pub(super) fn linear_stored(inst: &Inst, linear: &LinearTouched, operands: Operands<'_>) -> Option<Range<u64>> {
    let set = set_by(linear_access(inst)?, linear, operands);
    Some(hull(set.iter().filter(|(operand, _)| *operand == WRITE).map(|(_, addresses)| addresses)))
}

/// An instruction was executed: its operands set what they set, each by the store that it stands for.
pub(super) fn write(
    shadow: &mut Shadow,
    inst: &Inst,
    linear: &LinearTouched,
    operands: Operands<'_>,
    store: &dyn Fn(u32) -> u64,
) {
    let Some(access) = object_access(inst) else {
        let set = linear_access(inst).map(|access| set_by(access, linear, operands));
        for (operand, addresses) in set.into_iter().flatten() {
            shadow.linear.set(addresses, Some(store(operand)));
        }
        return;
    };
    match access {
        ObjectAccess::NewRecord { dst, fields } => {
            let object = allocated(operands, dst);
            let stores = (WRITE..).take(fields as usize).map(store).collect();
            shadow.allocate_each(object.address, None, stores);
        }
        ObjectAccess::ArrayOf { dst, items } => {
            let object = allocated(operands, dst);
            let stores = (WRITE..).take(items as usize).map(store).collect();
            shadow.allocate_each(object.address, Some(store(NEW_LENGTH)), stores);
        }
        ObjectAccess::NewArray { dst } => {
            let object = allocated(operands, dst);
            shadow.allocate(object.address, Some(store(NEW_LENGTH)), object.len, store(WRITE));
        }
        ObjectAccess::SetField { object, field, .. } => {
            shadow.set(written(operands, object).address, one(field as usize), store(WRITE));
        }
        ObjectAccess::SetElement { array, index, .. } => {
            let index = operands.word(index) as usize;
            shadow.set(written(operands, array).address, one(index), store(WRITE));
        }
        ObjectAccess::Builtin { effect, dst, args } => write_by_builtin(shadow, (dst, effect), args, operands, store),
        ObjectAccess::GetField { .. }
        | ObjectAccess::GetElement { .. }
        | ObjectAccess::GetLength { .. }
        | ObjectAccess::GetMessage => {}
    }
}

fn write_by_builtin(
    shadow: &mut Shadow,
    (dst, effect): (Option<Local>, MemoryEffect),
    args: &[Operand],
    operands: Operands<'_>,
    store: &dyn Fn(u32) -> u64,
) {
    match effect {
        MemoryEffect::Values
        | MemoryEffect::World
        | MemoryEffect::Nothing
        | MemoryEffect::Linear
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

fn written(operands: Operands<'_>, object: Operand) -> SeenObject {
    operands.object(object).expect("it was written to")
}
