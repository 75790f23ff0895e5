//! Locations that statements define and use: locals and globals, and cells of memory by their class.
//!
//! In: locals, globals, operands and kinds of elements. Out: locations of the slicing engine. Invariant: every kind of elements has a
//! class, behind them the lengths, the messages of `fail` and the fields of each record.

use cranelift_entity::EntityRef;
use holloway_lang::ir::{Elem, Global, Local, Module, Operand, RecordRef};
use holloway_profiler::wpp::slice::{CellClass, Definition, GlobalId, LocalId, Location};

/// The operand of the location that an access to memory reads.
pub const READ: u32 = 0;
/// The operand of the length that it reads.
pub const LENGTH: u32 = 1;
/// The operand of the length that an allocation sets.
pub const NEW_LENGTH: u32 = 2;
/// The operand of the first element or field that it sets.
pub const WRITE: u32 = 3;

/// The kinds of elements of arrays, in the order of their classes.
pub const ELEMENTS: [Elem; 6] = [Elem::Int, Elem::Float, Elem::Bool, Elem::Byte, Elem::Ref, Elem::Func];

/// The location of a local.
pub fn local(local: Local) -> Location {
    Location::Local(LocalId::from_u32(local.as_u32()))
}

/// The location of a global.
pub fn global(global: Global) -> Location {
    Location::Global(GlobalId::from_u32(global.as_u32()))
}

/// The elements of all arrays of one kind.
pub(super) fn elements(elem: Elem, operand: u32) -> Location {
    Location::Cell { class: CellClass::from_u32(class_of_elements(elem) as u32), operand }
}

/// The number of a kind of elements.
pub fn class_of_elements(elem: Elem) -> usize {
    ELEMENTS.iter().position(|it| *it == elem).expect("all kinds are listed")
}

/// The lengths of all arrays.
pub(super) fn lengths(operand: u32) -> Location {
    Location::Cell { class: CellClass::from_u32(ELEMENTS.len() as u32), operand }
}

/// The messages of `fail`.
pub(super) fn messages(operand: u32) -> Location {
    Location::Cell { class: CellClass::from_u32(ELEMENTS.len() as u32 + 1), operand }
}

/// A field of all records of one kind.
pub(super) fn field_of(module: &Module, record: RecordRef, field: u32, operand: u32) -> Location {
    let before: usize = module.records.values().take(record.index()).map(|record| record.fields.len()).sum();
    let class = ELEMENTS.len() as u32 + 2 + before as u32 + field;
    Location::Cell { class: CellClass::from_u32(class), operand }
}

/// The locals among operands.
pub(super) fn locals<'a>(operands: impl IntoIterator<Item = &'a Operand>) -> Vec<Location> {
    operands.into_iter().filter_map(|operand| local_of(*operand)).collect()
}

fn local_of(operand: Operand) -> Option<Location> {
    match operand {
        Operand::Local(it) => Some(local(it)),
        Operand::Int(_)
        | Operand::Float(_)
        | Operand::Bool(_)
        | Operand::Str(_)
        | Operand::Func(_)
        | Operand::NoneRef
        | Operand::NoneFunc => None,
    }
}

/// A statement of one assignment.
pub(super) fn sets(target: Location, uses: Vec<Location>) -> Definition {
    Definition { target, uses }
}
