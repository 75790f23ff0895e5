//! Linear memory and tables for the interpreter of the SSA form.
//!
//! In: what a module declares; accesses and builtins, their operands as words. Out: their results, or why they fail.
//! Invariant: an operation that fails changes nothing.

use super::builtins::Given;
use super::{Kind, Machine, Stop, mixed};
use holloway_lang::ir::linear::{Linear, PAGE};
use holloway_lang::ir::{Access, Builtin, FuncRef};
use std::ops::Range;
use std::sync::Arc;

/// The state of memory and tables.
#[derive(Default)]
pub(super) struct LinearState {
    memory: Vec<u8>,
    most_pages: u64,
    /// Entries, and how many there may be.
    tables: Vec<(Vec<u64>, u64)>,
    data: Vec<Arc<[u8]>>,
    elements: Vec<Arc<[u64]>>,
}

/// The result of growing where there is no room.
const NO_ROOM: u64 = u32::MAX as u64;

impl LinearState {
    pub(super) fn new(declared: Option<&Linear>) -> LinearState {
        let Some(declared) = declared else { return LinearState::default() };
        let (least, most) = declared.memory.map_or((0, 0), |memory| (memory.least, memory.most));
        let tables = declared.tables.iter().map(|table| (vec![0; table.least as usize], table.most.into()));
        LinearState {
            memory: vec![0; (least * PAGE) as usize],
            most_pages: most,
            tables: tables.collect(),
            data: declared.data.clone(),
            elements: declared.elements.clone(),
        }
    }

    /// A number that differs where memory or tables do, but for chance.
    pub(super) fn digest(&self) -> u64 {
        let bytes = self.memory.iter().map(|byte| u64::from(*byte));
        let entries = self.tables.iter().flat_map(|(entries, _)| entries).copied();
        bytes.chain(entries).fold(self.memory.len() as u64, mixed)
    }

    fn place(&self, address: u64, offset: u32, access: Access) -> Result<Range<usize>, Kind> {
        range(address + u64::from(offset), access.size(), self.memory.len())
    }
}

/// So many places from one on, of so many that there are.
fn range(from: u64, count: u64, len: usize) -> Result<Range<usize>, Kind> {
    match from.checked_add(count) {
        Some(end) if end <= len as u64 => Ok(from as usize..end as usize),
        _ => Err(Kind::Builtin("out of bounds")),
    }
}

impl Machine<'_> {
    pub(super) fn linear_load(&mut self, access: Access, offset: u32, address: u64) -> Result<u64, Stop> {
        let place = self.linear.place(address, offset, access).map_err(|kind| self.fails(kind))?;
        let mut bytes = [0; 8];
        bytes[..place.len()].copy_from_slice(&self.linear.memory[place]);
        let word = u64::from_le_bytes(bytes);
        Ok(match access {
            Access::U8 | Access::U16 | Access::U32 | Access::Int | Access::Float => word,
            Access::S8 => i64::from(word as i8) as u64,
            Access::S16 => i64::from(word as i16) as u64,
            Access::S32 => i64::from(word as i32) as u64,
        })
    }

    pub(super) fn linear_store(&mut self, access: Access, offset: u32, [address, value]: [u64; 2]) -> Result<(), Stop> {
        let place = self.linear.place(address, offset, access).map_err(|kind| self.fails(kind))?;
        let len = place.len();
        self.linear.memory[place].copy_from_slice(&value.to_le_bytes()[..len]);
        Ok(())
    }

    pub(super) fn linear_builtin(&mut self, builtin: Builtin, args: &[u64]) -> Given {
        let linear = &mut self.linear;
        match (builtin, args) {
            (Builtin::MemorySize, []) => return Ok(Some(linear.memory.len() as u64 / PAGE)),
            (Builtin::MemoryGrow, &[pages]) => {
                let before = linear.memory.len() as u64 / PAGE;
                if before + pages > linear.most_pages {
                    return Ok(Some(NO_ROOM));
                }
                linear.memory.resize(((before + pages) * PAGE) as usize, 0);
                return Ok(Some(before));
            }
            (Builtin::MemoryFill, &[to, byte, count]) => {
                let place = range(to, count, linear.memory.len())?;
                linear.memory[place].fill(byte as u8);
            }
            (Builtin::MemoryCopy, &[to, from, count]) => {
                let source = range(from, count, linear.memory.len())?;
                let to = range(to, count, linear.memory.len())?;
                linear.memory.copy_within(source, to.start);
            }
            (Builtin::MemoryInit, &[segment, to, from, count]) => {
                let data = &linear.data[segment as usize];
                let source = range(from, count, data.len())?;
                let to = range(to, count, linear.memory.len())?;
                linear.memory[to].copy_from_slice(&data[source]);
            }
            (Builtin::DataDrop, &[segment]) => linear.data[segment as usize] = [].into(),
            (Builtin::TableGet, &[table, at]) => {
                let entries = &linear.tables[table as usize].0;
                return Ok(Some(entries[range(at, 1, entries.len())?][0]));
            }
            (Builtin::TableSize, &[table]) => return Ok(Some(linear.tables[table as usize].0.len() as u64)),
            (Builtin::TableGrow, &[table, reference, count]) => {
                let (entries, most) = &mut linear.tables[table as usize];
                let before = entries.len() as u64;
                if before + count > *most {
                    return Ok(Some(NO_ROOM));
                }
                entries.resize((before + count) as usize, reference);
                return Ok(Some(before));
            }
            (Builtin::TableSet, &[table, at, reference]) => self.table_fill(table, at, reference, 1)?,
            (Builtin::TableFill, &[table, at, reference, count]) => self.table_fill(table, at, reference, count)?,
            (Builtin::TableCopy, &[to_table, from_table, to, from, count]) => {
                let source = &linear.tables[from_table as usize].0;
                let copied = source[range(from, count, source.len())?].to_vec();
                let entries = &mut linear.tables[to_table as usize].0;
                let to = range(to, count, entries.len())?;
                entries[to].copy_from_slice(&copied);
            }
            (Builtin::TableInit, &[table, segment, to, from, count]) => {
                let elements = Arc::clone(&linear.elements[segment as usize]);
                let source = range(from, count, elements.len())?;
                let entries = &mut linear.tables[table as usize].0;
                let to = range(to, count, entries.len())?;
                entries[to].copy_from_slice(&elements[source]);
            }
            (Builtin::ElemDrop, &[segment]) => linear.elements[segment as usize] = [].into(),
            (Builtin::TableCallee, &[table, at, ty]) => return self.table_callee(table, at, ty).map(Some),
            _ => unreachable!("{builtin:?} is about no memory"),
        }
        Ok(None)
    }

    fn table_fill(&mut self, table: u64, at: u64, reference: u64, count: u64) -> Result<(), Stop> {
        let entries = &mut self.linear.tables[table as usize].0;
        let place = range(at, count, entries.len())?;
        entries[place].fill(reference);
        Ok(())
    }

    fn table_callee(&mut self, table: u64, at: u64, ty: u64) -> Result<u64, Stop> {
        let entries = &self.linear.tables[table as usize].0;
        let reference = entries[range(at, 1, entries.len())?][0];
        let func = reference.checked_sub(1).ok_or(Kind::Builtin("uninitialized element"))?;
        let types = &self.module.linear.as_ref().expect("it has tables").types;
        match u64::from(types[FuncRef::from_u32(func as u32)]) == ty {
            true => Ok(reference),
            false => Err(Kind::Builtin("another type").into()),
        }
    }
}
