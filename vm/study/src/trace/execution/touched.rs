//! Parts of objects that an instruction touches.
//!
//! In: an access, with the operands before it is executed. Out: what it loads, what it stores, and the object whose length it reads. Invariant: indices are in
//! range; an instruction that will fail touches no more than decides on that.

use crate::trace::facts::accesses::ObjectAccess;
use crate::trace::facts::builtins::MemoryEffect;
use holloway_interp::{Operands, SeenObject};
use holloway_jit::abi::Shape;
use holloway_lang::ir::{Local, Operand};
use std::ops::Range;

/// Parts of one object.
pub(super) type Parts = (SeenObject, Range<usize>);

/// The touched parts, but for those that are printed.
#[derive(Default)]
pub(super) struct Touched {
    /// Those that are loaded.
    pub(super) loads: Option<Parts>,
    /// Those that are stored, but for new objects.
    pub(super) stores: Option<Parts>,
    /// The object whose length is loaded.
    pub(super) length: Option<SeenObject>,
}

/// Returns what an access touches; `None` if there is no such object, or if it is a string, whose bytes are its value.
pub(super) fn touched(access: ObjectAccess<'_>, operands: Operands<'_>) -> Option<Touched> {
    let all = |object: SeenObject| (object, 0..object.len);
    Some(match access {
        ObjectAccess::GetField { object, field } => {
            Touched { loads: Some((operands.object(object)?, one(field as usize))), ..Touched::default() }
        }
        ObjectAccess::SetField { object, field, .. } => {
            Touched { stores: Some((operands.object(object)?, one(field as usize))), ..Touched::default() }
        }
        ObjectAccess::GetElement { array: object, index } => {
            let object = array(operands, object)?;
            let loads = index_in(operands, index, object).map(|index| (object, one(index)));
            Touched { loads, stores: None, length: Some(object) }
        }
        ObjectAccess::SetElement { array: object, index, .. } => {
            let object = array(operands, object)?;
            let stores = index_in(operands, index, object).map(|index| (object, one(index)));
            Touched { loads: None, stores, length: Some(object) }
        }
        ObjectAccess::GetLength { object } => Touched { length: Some(array(operands, object)?), ..Touched::default() },
        ObjectAccess::GetMessage
        | ObjectAccess::NewRecord { .. }
        | ObjectAccess::NewArray { .. }
        | ObjectAccess::ArrayOf { .. } => Touched::default(),
        ObjectAccess::Builtin { effect, args, .. } => match effect {
            MemoryEffect::Values
            | MemoryEffect::World
            | MemoryEffect::Nothing
            | MemoryEffect::Linear
            | MemoryEffect::OfString(_)
            | MemoryEffect::Args
            | MemoryEffect::Display(_) => Touched::default(),
            MemoryEffect::Join => {
                let object = array(operands, args[0])?;
                let count = usize::try_from(operands.word(args[1]) as i64).unwrap_or(0).min(object.len);
                Touched { loads: Some((object, 0..count)), ..Touched::default() }
            }
            MemoryEffect::Text | MemoryEffect::Slice => {
                let object = array(operands, args[0])?;
                let loads = range_in(operands, (args[1], args[2]), object).map(|parts| (object, parts));
                Touched { loads, stores: None, length: Some(object) }
            }
            MemoryEffect::Copy => {
                let object = array(operands, args[0])?;
                let counted = |from, object| counted_in(operands, (from, args[4]), object).map(|parts| (object, parts));
                // The source may be a string.
                let loads = array(operands, args[2]).and_then(|source| counted(args[3], source));
                Touched { loads, stores: counted(args[1], object), length: Some(object) }
            }
            MemoryEffect::Sort => {
                let object = array(operands, args[0])?;
                Touched { loads: Some(all(object)), stores: Some(all(object)), length: None }
            }
            MemoryEffect::Fill(_) => Touched { stores: Some(all(array(operands, args[0])?)), ..Touched::default() },
        },
    })
}

pub(super) fn one(part: usize) -> Range<usize> {
    part..part + 1
}

pub(super) fn allocated(operands: Operands<'_>, dst: Local) -> SeenObject {
    operands.result(dst).expect("it was allocated")
}

/// The array of an operand; `None` if it is a string.
fn array(operands: Operands<'_>, operand: Operand) -> Option<SeenObject> {
    operands.object(operand).filter(|object| matches!(object.shape, Shape::Array(_)))
}

/// The value of an index if it is in range.
fn index_in(operands: Operands<'_>, index: Operand, object: SeenObject) -> Option<usize> {
    usize::try_from(operands.word(index) as i64).ok().filter(|index| *index < object.len)
}

/// The range `from..to` if it is within the array.
fn range_in(operands: Operands<'_>, (from, to): (Operand, Operand), object: SeenObject) -> Option<Range<usize>> {
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
