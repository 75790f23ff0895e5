//! The linear memory, tables and segments of a module of WebAssembly while it runs.
//!
//! In: what the module declares. Out: checked accesses for the interpreter and the builtins, and addresses for compiled code.
//! Invariants: memory, tables and types of functions do not move as long as the instance lives; bytes behind the memory's size
//! cannot be touched, as far as any access of an address and an offset of 32 bits each reaches. Memory and tables together take no more bytes than the heap may have.

mod bounds;
mod memory;
mod table;

use crate::failure::FailureKind;
use crate::func_value::func_of_word;
use bounds::range;
use cranelift_entity::EntityRef;
use holloway_abi::{Bounds, LinearAddresses};
use holloway_ir::linear::{Linear, PAGE};
use holloway_ir::{FuncRef, Module};
use std::io;
use std::ops::Range;
use std::sync::Arc;

pub use bounds::NO_ROOM;
pub use memory::Memory;
pub use table::Table;

/// The state of a module of WebAssembly.
#[derive(Debug)]
pub struct Instance {
    /// The memory; one without pages where the module has none.
    pub memory: Memory,
    /// The tables, by their index.
    pub tables: Vec<Table>,
    data: Vec<Arc<[u8]>>,
    elements: Vec<Arc<[u64]>>,
    types: Box<[u32]>,
    /// The bytes that the last function of the host wrote, for whoever follows a run.
    pub written_by_host: Vec<Range<usize>>,
    /// The most bytes that memory and tables take together.
    limit: usize,
}

impl Instance {
    /// The state in which a module begins, before its segments are copied. Fails if the system has no room, or the limit of
    /// the heap is below the least sizes of memory and tables.
    pub fn new(module: &Module, linear: &Linear, heap_limit: usize) -> io::Result<Instance> {
        let types = module.funcs.keys().map(|func| linear.types[func]).collect();
        let memory = Memory::new(linear.memory, heap_limit)?;
        let mut room = heap_limit - memory.bytes().len();
        let mut tables = Vec::new();
        for decl in &linear.tables {
            let table = Table::new(*decl, room)?;
            room -= table.bytes();
            tables.push(table);
        }
        Ok(Instance {
            memory,
            tables,
            limit: heap_limit,
            data: linear.data.clone(),
            elements: linear.elements.clone(),
            types,
            written_by_host: Vec::new(),
        })
    }

    /// The addresses for compiled code.
    pub fn addresses(&self) -> LinearAddresses {
        LinearAddresses {
            memory: self.memory.address(),
            tables: self.tables.iter().map(Table::address).collect(),
            types: self.types.as_ptr().expose_provenance(),
            bounds: Bounds::Tested,
        }
    }

    /// The bytes that memory and tables may still grow by.
    fn room(&self) -> u64 {
        let taken = self.memory.bytes().len() + self.tables.iter().map(Table::bytes).sum::<usize>();
        self.limit.saturating_sub(taken) as u64
    }

    /// Adds pages to the memory. Gives how many there were, or [`NO_ROOM`].
    pub fn grow_memory(&mut self, pages: u64) -> u32 {
        match pages.checked_mul(PAGE).is_some_and(|bytes| bytes <= self.room()) {
            true => self.memory.grow(pages),
            false => NO_ROOM,
        }
    }

    /// Adds entries that are all one reference to a table. Gives how many there were, or [`NO_ROOM`].
    pub fn grow_table(&mut self, table: u64, reference: u64, count: u64) -> u32 {
        match count.checked_mul(8).is_some_and(|bytes| bytes <= self.room()) {
            true => self.tables[table as usize].grow(reference, count),
            false => NO_ROOM,
        }
    }

    /// Copies bytes of a data segment into the memory.
    pub fn memory_init(&mut self, segment: u64, to: u64, from: u64, count: u64) -> Result<(), FailureKind> {
        let bytes = &self.data[segment as usize];
        let from = range(from, count, bytes.len()).ok_or(FailureKind::MemoryOutOfBounds)?;
        self.memory.write(to, &bytes[from])
    }

    /// Empties a data segment.
    pub fn data_drop(&mut self, segment: u64) {
        self.data[segment as usize] = Arc::from([]);
    }

    /// Copies references of an element segment into a table.
    pub fn table_init(&mut self, table: u64, segment: u64, to: u64, from: u64, count: u64) -> Result<(), FailureKind> {
        let references = &self.elements[segment as usize];
        let from = range(from, count, references.len()).ok_or(FailureKind::TableOutOfBounds)?;
        self.tables[table as usize].write(to, &references[from])
    }

    /// Copies entries between tables, or within one.
    pub fn table_copy(
        &mut self,
        to_table: u64,
        from_table: u64,
        to: u64,
        from: u64,
        count: u64,
    ) -> Result<(), FailureKind> {
        let entries = self.tables[from_table as usize].read(from, count)?;
        self.tables[to_table as usize].write(to, &entries)
    }

    /// Empties an element segment.
    pub fn elem_drop(&mut self, segment: u64) {
        self.elements[segment as usize] = Arc::from([]);
    }

    /// The word of the function in an entry, which must be of that type.
    pub fn callee(&self, table: u64, index: u64, ty: u64) -> Result<u64, FailureKind> {
        let word = self.tables[table as usize].entry(index).ok_or(FailureKind::UndefinedElement)?;
        let func = func_of_word(word).ok_or(FailureKind::UninitializedElement)?;
        match self.type_of(func) == ty as u32 {
            true => Ok(word),
            false => Err(FailureKind::IndirectCallMismatch),
        }
    }

    fn type_of(&self, func: FuncRef) -> u32 {
        self.types[func.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_ir::linear::{MemoryDecl, TableDecl};

    fn instance() -> Instance {
        let linear = Linear {
            memory: Some(MemoryDecl { least: 1, most: 3 }),
            tables: vec![TableDecl { least: 3, most: 5 }],
            data: vec![Arc::from(*b"abcd")],
            elements: vec![Arc::from([1, 0])],
            ..Linear::default()
        };
        Instance::new(&Module::default(), &linear, 1 << 20).expect("there is room")
    }

    #[test]
    fn segments_are_copied_whole_or_not_at_all() {
        let mut instance = instance();
        assert_eq!(instance.memory_init(0, PAGE - 3, 0, 4), Err(FailureKind::MemoryOutOfBounds));
        assert_eq!(instance.memory.load(PAGE - 3, 0, 1), Ok(0));
        assert_eq!(instance.memory_init(0, 10, 2, 2), Ok(()));
        assert_eq!(instance.memory.load(10, 0, 2), Ok(u64::from(u16::from_le_bytes(*b"cd"))));
        instance.data_drop(0);
        assert_eq!(instance.memory_init(0, 10, 0, 1), Err(FailureKind::MemoryOutOfBounds));
        assert_eq!(instance.memory_init(0, PAGE, 0, 0), Ok(()));
        assert_eq!(instance.table_init(0, 0, 2, 0, 2), Err(FailureKind::TableOutOfBounds));
        assert_eq!(instance.table_init(0, 0, 1, 0, 2), Ok(()));
        assert_eq!(instance.tables[0].entry(1), Some(1));
    }

    #[test]
    fn memory_and_tables_have_one_limit() {
        let decl = MemoryDecl { least: 1, most: 100 };
        let table = |least| TableDecl { least, most: u32::MAX };
        let linear = |least| Linear { memory: Some(decl), tables: vec![table(8), table(least)], ..Linear::default() };
        let limit = 4 * PAGE as usize;
        let entries = limit as u32 / 8;
        assert!(Instance::new(&Module::default(), &linear(entries), limit).is_err(), "the memory takes a quarter");
        let mut instance = Instance::new(&Module::default(), &linear(0), limit).expect("there is room");
        assert_eq!([instance.grow_memory(1), instance.grow_memory(2)], [1, NO_ROOM]);
        assert_eq!(instance.grow_table(1, 0, u64::from(entries / 2 - 8)), 0);
        assert_eq!([instance.grow_table(0, 0, 1), instance.grow_table(1, 0, u64::MAX)], [NO_ROOM; 2]);
        assert_eq!([instance.grow_table(0, 0, 0), instance.grow_memory(0)], [8, 2]);
    }

    #[test]
    fn entries_are_called_by_their_type() {
        let mut instance = instance();
        instance.types = Box::from([7]);
        assert_eq!(instance.tables[0].write(0, &[1]), Ok(()));
        assert_eq!(instance.callee(0, 0, 7), Ok(1));
        assert_eq!(instance.callee(0, 0, 8), Err(FailureKind::IndirectCallMismatch));
        assert_eq!(instance.callee(0, 1, 7), Err(FailureKind::UninitializedElement));
        assert_eq!(instance.callee(0, 3, 7), Err(FailureKind::UndefinedElement));
    }
}
