//! Effects of instructions on the memory and the tables of a module of WebAssembly: the addresses that they read, and those that they set.
//!
//! In: an access with its operands, before it is executed and after it. Out: addresses; and what it sets, in the [`LinearShadow`].
//! Invariant: an instruction that will trap reads and sets nothing.

use super::linear_shadow::{LinearShadow, MEMORY_SIZE, entry, table_size};
use crate::trace::facts::linear::LinearAccess;
use crate::trace::facts::locations::{NEW_LENGTH, WRITE};
use holloway::internals::wasi_reads;
use holloway_interp::Operands;
use holloway_lang::ir::linear::PAGE;
use holloway_lang::ir::{Builtin, Global, Local, Operand};
use holloway_runtime::linear::NO_ROOM;
use std::ops::Range;

/// The addresses of an access, as far as they are known before it is executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LinearTouched {
    /// Those that it reads.
    pub(super) loads: Vec<Range<u64>>,
    /// Those that it sets, but for what the host writes and what is new.
    pub(super) stores: Range<u64>,
    /// That of the size that it reads.
    pub(super) size: Option<u64>,
}

/// The addresses of an access that is about to be executed. `further` are the globals with operands of a function of the host that its call does not take.
pub(super) fn linear_touched(access: LinearAccess<'_>, further: &[Global], operands: Operands<'_>) -> LinearTouched {
    let mut touched = LinearTouched::default();
    match access {
        LinearAccess::Load { access, address, offset } => {
            let bytes = operands.word(address) + u64::from(offset);
            touched.loads.extend(in_memory(operands, bytes, access.size()));
        }
        LinearAccess::Store { access, address, offset } => {
            let bytes = operands.word(address) + u64::from(offset);
            touched.stores = in_memory(operands, bytes, access.size()).unwrap_or_default();
        }
        LinearAccess::Host { call, args } => {
            let words = args.iter().map(|arg| operands.word(*arg));
            let words: Vec<u64> = words.chain(further.iter().map(|global| operands.global(*global))).collect();
            let memory = operands.linear().map_or(&[][..], |linear| linear.memory.bytes());
            let read = wasi_reads(operands.host_name(call.host), memory, &words);
            touched.loads.extend(read.into_iter().map(|range| range.start as u64..range.end as u64));
        }
        LinearAccess::Builtin { builtin, args, .. } => by_builtin(&mut touched, builtin, args, operands),
    }
    touched
}

fn by_builtin(touched: &mut LinearTouched, builtin: Builtin, args: &[Operand], operands: Operands<'_>) {
    let word = |at: usize| operands.word(args[at]);
    match builtin {
        Builtin::MemorySize | Builtin::MemoryGrow => touched.size = Some(MEMORY_SIZE),
        Builtin::TableSize | Builtin::TableGrow => touched.size = Some(table_size(word(0))),
        Builtin::MemoryFill => touched.stores = in_memory(operands, word(0), word(2)).unwrap_or_default(),
        Builtin::MemoryInit => touched.stores = in_memory(operands, word(1), word(3)).unwrap_or_default(),
        Builtin::MemoryCopy => {
            let both = in_memory(operands, word(0), word(2)).zip(in_memory(operands, word(1), word(2)));
            if let Some((to, from)) = both {
                touched.loads.push(from);
                touched.stores = to;
            }
        }
        Builtin::TableGet | Builtin::TableCallee => {
            touched.loads.extend(in_table(operands, (word(0), word(1)), 1));
        }
        Builtin::TableSet => touched.stores = in_table(operands, (word(0), word(1)), 1).unwrap_or_default(),
        Builtin::TableFill => touched.stores = in_table(operands, (word(0), word(1)), word(3)).unwrap_or_default(),
        Builtin::TableInit => touched.stores = in_table(operands, (word(0), word(2)), word(4)).unwrap_or_default(),
        Builtin::TableCopy => {
            let to = in_table(operands, (word(0), word(2)), word(4));
            if let Some((to, from)) = to.zip(in_table(operands, (word(1), word(3)), word(4))) {
                touched.loads.push(from);
                touched.stores = to;
            }
        }
        other => unreachable!("{other:?} is on neither memory nor tables"),
    }
}

/// So many bytes of the memory, if it has them.
fn in_memory(operands: Operands<'_>, start: u64, count: u64) -> Option<Range<u64>> {
    let range = operands.linear()?.memory.range(start, count).ok()?;
    Some(range.start as u64..range.end as u64)
}

/// So many entries of a table, if it has them.
fn in_table(operands: Operands<'_>, (table, start): (u64, u64), count: u64) -> Option<Range<u64>> {
    let len = operands.linear()?.tables.get(usize::try_from(table).ok()?)?.len() as u64;
    start.checked_add(count).filter(|end| *end <= len)?;
    Some(entry(table, start)..entry(table, start + count))
}

/// The addresses that an access has set, which was executed: by each operand that sets some.
pub(super) fn set_by(
    access: LinearAccess<'_>,
    touched: &LinearTouched,
    operands: Operands<'_>,
) -> Vec<(u32, Range<u64>)> {
    match access {
        LinearAccess::Load { .. } => Vec::new(),
        LinearAccess::Store { .. } => vec![(WRITE, touched.stores.clone())],
        LinearAccess::Host { .. } => {
            let written = operands.linear().map_or(&[][..], |linear| &linear.written_by_host);
            written.iter().map(|range| (WRITE, range.start as u64..range.end as u64)).collect()
        }
        LinearAccess::Builtin { builtin: Builtin::MemoryGrow, dst, .. } => {
            let size = |linear: &holloway_runtime::linear::Instance| linear.memory.bytes().len() as u64;
            let now = operands.linear().map_or(0, size);
            grown(dst, operands, |before| before * PAGE..now, MEMORY_SIZE)
        }
        LinearAccess::Builtin { builtin: Builtin::TableGrow, dst, args } => {
            let table = operands.word(args[0]);
            let now = operands.linear().map_or(0, |linear| linear.tables[table as usize].len() as u64);
            grown(dst, operands, |before| entry(table, before)..entry(table, now), table_size(table))
        }
        LinearAccess::Builtin { .. } if touched.stores.is_empty() => Vec::new(),
        LinearAccess::Builtin { .. } => vec![(WRITE, touched.stores.clone())],
    }
}

/// The size that growing set, and what is new; nothing if there was no room.
fn grown(
    dst: Option<Local>,
    operands: Operands<'_>,
    new: impl Fn(u64) -> Range<u64>,
    size: u64,
) -> Vec<(u32, Range<u64>)> {
    let before = dst.map(|dst| operands.word(Operand::Local(dst))).filter(|before| *before != u64::from(NO_ROOM));
    before.map_or_else(Vec::new, |before| vec![(NEW_LENGTH, size..size + 1), (WRITE, new(before))])
}

/// The stores that set what an access reads.
pub(super) fn reads(shadow: &LinearShadow, touched: &LinearTouched) -> Vec<u64> {
    match touched.loads.as_slice() {
        [one] => shadow.stores(one.clone()),
        several => several.iter().flat_map(|range| shadow.stores(range.clone())).collect(),
    }
}

/// The least range that has all of some addresses.
pub(super) fn hull<'r>(ranges: impl IntoIterator<Item = &'r Range<u64>>) -> Range<u64> {
    let filled = ranges.into_iter().filter(|range| !range.is_empty()).cloned();
    filled.reduce(|all, range| all.start.min(range.start)..all.end.max(range.end)).unwrap_or_default()
}
