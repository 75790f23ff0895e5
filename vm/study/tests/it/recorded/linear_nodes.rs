//! The nodes that set the memory and the tables of a module last, by brute force.
//!
//! In: instructions with their operands, before and after they are executed. Out: the nodes on which each depends: one look-up for each byte and each entry.
//! Invariant: nothing here knows pages or ranges of stores.

use holloway_interp::Operands;
use holloway_lang::ir::{Builtin, Inst, Operand};
use std::collections::HashMap;
use std::ops::Range;

/// The target of a definition.
pub(super) enum LinearTarget {
    Result,
    Bytes(Range<u64>),
    Entries(u64, Range<u64>),
    /// The size.
    GrownMemory,
    GrownTable(u64),
    /// All bytes from the old size on, and what they depend on: nothing.
    NewBytes(u64),
    NewEntries(u64, u64),
}

/// The nodes so far.
#[derive(Default)]
pub(super) struct LinearNodes {
    bytes: HashMap<u64, usize>,
    entries: HashMap<(u64, u64), usize>,
    memory_size: Option<usize>,
    table_sizes: HashMap<u64, usize>,
}

impl LinearNodes {
    /// The definitions of an instruction that is about to be executed; `None` if it has nothing to do with memory or tables.
    pub(super) fn definitions(
        &self,
        inst: &Inst,
        operands: Operands<'_>,
        of: &dyn Fn(&[Operand]) -> Vec<usize>,
    ) -> Option<Vec<(LinearTarget, Vec<usize>)>> {
        match inst {
            Inst::Load { access, address, offset, .. } => {
                let start = operands.word(*address) + u64::from(*offset);
                let read = self.read_bytes(operands, start, access.size());
                Some(vec![(LinearTarget::Result, [of(&[*address]), read].concat())])
            }
            Inst::Store { access, address, offset, src } => {
                let start = operands.word(*address) + u64::from(*offset);
                Some(vec![(LinearTarget::Bytes(start..start + access.size()), of(&[*address, *src]))])
            }
            Inst::Builtin { builtin, args, .. } => self.of_builtin(*builtin, args, operands, of),
            _ => None,
        }
    }

    fn of_builtin(
        &self,
        builtin: Builtin,
        args: &[Operand],
        operands: Operands<'_>,
        of: &dyn Fn(&[Operand]) -> Vec<usize>,
    ) -> Option<Vec<(LinearTarget, Vec<usize>)>> {
        let (all, word) = (of(args), |at: usize| operands.word(args[at]));
        let with = |read: Vec<usize>| [all.clone(), read].concat();
        let bytes = |start: u64, count: u64| LinearTarget::Bytes(start..start.saturating_add(count));
        let entries =
            |table: u64, start: u64, count: u64| LinearTarget::Entries(table, start..start.saturating_add(count));
        let memory_size = self.memory_size.into_iter().collect::<Vec<_>>();
        let table_size = |table: u64| self.table_sizes.get(&table).copied().into_iter().collect::<Vec<_>>();
        Some(match builtin {
            Builtin::MemorySize => vec![(LinearTarget::Result, memory_size)],
            Builtin::TableSize => vec![(LinearTarget::Result, table_size(word(0)))],
            Builtin::MemoryGrow => {
                let before = operands.linear()?.memory.bytes().len() as u64;
                let size = with(memory_size);
                vec![
                    (LinearTarget::Result, size.clone()),
                    (LinearTarget::GrownMemory, size),
                    (LinearTarget::NewBytes(before), Vec::new()),
                ]
            }
            Builtin::TableGrow => {
                let (table, size) = (word(0), [of(&args[2..]), table_size(word(0))].concat());
                let before = operands.linear()?.tables[table as usize].len() as u64;
                vec![
                    (LinearTarget::Result, size.clone()),
                    (LinearTarget::GrownTable(table), size),
                    (LinearTarget::NewEntries(table, before), of(&args[1..2])),
                ]
            }
            Builtin::MemoryFill => vec![(bytes(word(0), word(2)), all)],
            Builtin::MemoryInit => vec![(bytes(word(1), word(3)), all)],
            Builtin::MemoryCopy => {
                vec![(bytes(word(0), word(2)), with(self.read_bytes(operands, word(1), word(2))))]
            }
            Builtin::TableGet | Builtin::TableCallee => {
                let read = self.entries.get(&(word(0), word(1))).copied();
                vec![(LinearTarget::Result, with(read.into_iter().collect()))]
            }
            Builtin::TableSet => vec![(entries(word(0), word(1), 1), all)],
            Builtin::TableFill => vec![(entries(word(0), word(1), word(3)), all)],
            Builtin::TableInit => vec![(entries(word(0), word(2), word(4)), all)],
            Builtin::TableCopy => {
                let len = operands.linear()?.tables[word(1) as usize].len() as u64;
                let from = word(3)..word(3).saturating_add(word(4)).min(len);
                let read = from.filter_map(|entry| self.entries.get(&(word(1), entry)).copied()).collect();
                vec![(entries(word(0), word(2), word(4)), with(read))]
            }
            _ => return None,
        })
    }

    fn read_bytes(&self, operands: Operands<'_>, start: u64, count: u64) -> Vec<usize> {
        let len = operands.linear().map_or(0, |linear| linear.memory.bytes().len() as u64);
        // What lies outside is not read: that traps.
        let read = start..start.saturating_add(count).min(len);
        read.filter_map(|byte| self.bytes.get(&byte).copied()).collect()
    }

    /// An instruction was executed, and sets this.
    pub(super) fn set(&mut self, target: LinearTarget, node: usize, inst: &Inst, operands: Operands<'_>) {
        let linear = operands.linear().expect("it is a module");
        let has_grown = || inst.dst().is_some_and(|dst| operands.word(Operand::Local(dst)) != u64::from(u32::MAX));
        match target {
            LinearTarget::Result => unreachable!("it is a local"),
            LinearTarget::Bytes(range) => range.for_each(|byte| _ = self.bytes.insert(byte, node)),
            LinearTarget::Entries(table, range) => {
                range.for_each(|entry| _ = self.entries.insert((table, entry), node));
            }
            LinearTarget::GrownMemory if has_grown() => self.memory_size = Some(node),
            LinearTarget::GrownTable(table) if has_grown() => _ = self.table_sizes.insert(table, node),
            LinearTarget::NewBytes(from) if has_grown() => {
                (from..linear.memory.bytes().len() as u64).for_each(|byte| _ = self.bytes.insert(byte, node));
            }
            LinearTarget::NewEntries(table, from) if has_grown() => {
                let now = linear.tables[table as usize].len() as u64;
                (from..now).for_each(|entry| _ = self.entries.insert((table, entry), node));
            }
            LinearTarget::GrownMemory
            | LinearTarget::GrownTable(..)
            | LinearTarget::NewBytes(_)
            | LinearTarget::NewEntries(..) => {}
        }
    }
}
