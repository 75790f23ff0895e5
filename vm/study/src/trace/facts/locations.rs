//! Locations that statements define and use: locals and globals, and cells of memory by their class.
//!
//! In: locals, globals, operands and kinds of elements. Out: locations of the slicing engine. Invariant: every kind of elements has a
//! class, behind them the lengths, the messages of `fail`, the linear memory and the tables of modules, and the fields of each record.

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

/// The classes behind those of elements.
const LENGTHS: u32 = ELEMENTS.len() as u32;
const MESSAGES: u32 = LENGTHS + 1;
const BYTES: u32 = LENGTHS + 2;
const MEMORY_SIZE: u32 = LENGTHS + 3;
const ENTRIES: u32 = LENGTHS + 4;
const TABLE_SIZES: u32 = LENGTHS + 5;
const FIELDS: u32 = LENGTHS + 6;

/// The kind of value that the cells of a class hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// An element of an array.
    Element,
    /// A length of an array.
    Length,
    /// The message of a `fail`.
    Message,
    /// A byte of the linear memory.
    Byte,
    /// The size of the linear memory.
    MemorySize,
    /// An entry of a table.
    Entry,
    /// The size of a table.
    TableSize,
    /// A field, by its number among those of all records.
    Field(usize),
}

/// The kind of a class.
pub fn kind_of(class: CellClass) -> CellKind {
    match class.as_u32() {
        LENGTHS => CellKind::Length,
        MESSAGES => CellKind::Message,
        BYTES => CellKind::Byte,
        MEMORY_SIZE => CellKind::MemorySize,
        ENTRIES => CellKind::Entry,
        TABLE_SIZES => CellKind::TableSize,
        element if element < LENGTHS => CellKind::Element,
        field => CellKind::Field((field - FIELDS) as usize),
    }
}

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
    cell(class_of_elements(elem) as u32, operand)
}

/// The number of a kind of elements.
pub fn class_of_elements(elem: Elem) -> usize {
    ELEMENTS.iter().position(|it| *it == elem).expect("all kinds are listed")
}

/// The lengths of all arrays.
pub(super) fn lengths(operand: u32) -> Location {
    cell(LENGTHS, operand)
}

/// The messages of `fail`.
pub(super) fn messages(operand: u32) -> Location {
    cell(MESSAGES, operand)
}

/// The bytes of the linear memory.
pub fn bytes(operand: u32) -> Location {
    cell(BYTES, operand)
}

/// The size of the linear memory.
pub(super) fn memory_size(operand: u32) -> Location {
    cell(MEMORY_SIZE, operand)
}

/// The entries of all tables.
pub(super) fn entries(operand: u32) -> Location {
    cell(ENTRIES, operand)
}

/// The sizes of all tables.
pub(super) fn table_sizes(operand: u32) -> Location {
    cell(TABLE_SIZES, operand)
}

fn cell(class: u32, operand: u32) -> Location {
    Location::Cell { class: CellClass::from_u32(class), operand }
}

/// A field of all records of one kind.
pub(super) fn field_of(module: &Module, record: RecordRef, field: u32, operand: u32) -> Location {
    let before: usize = module.records.values().take(record.index()).map(|record| record.fields.len()).sum();
    cell(FIELDS + before as u32 + field, operand)
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
