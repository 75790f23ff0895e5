//! Linear memory, tables and their segments: what WebAssembly has and the language has not.
//!
//! In: what a module declares. Out: the state that a run begins with. Invariants: a module has one
//! memory at most; a reference in a table is a word, 0 for none, and that of a function its function value.

use super::entity::FuncRef;
use super::scan::{Parsed, Scanner, refuse};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::fmt::{self, Write};
use std::sync::Arc;

/// Bytes of a page, in which memories are declared and grow.
pub const PAGE: u64 = 1 << 16;

/// The most pages of a memory, whose addresses have 32 bits.
pub const MOST_PAGES: u64 = 1 << 16;

/// The linear memory as a module declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryDecl {
    /// Pages at the beginning.
    pub least: u64,
    /// The most pages that it may grow to.
    pub most: u64,
}

/// A table as a module declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableDecl {
    /// Entries at the beginning, all none.
    pub least: u32,
    /// The most entries that it may grow to.
    pub most: u32,
}

/// Memory, tables and segments of a module of WebAssembly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// The memory, if there is one.
    pub memory: Option<MemoryDecl>,
    /// The tables, by their index.
    pub tables: Vec<TableDecl>,
    /// The bytes of each data segment.
    pub data: Vec<Arc<[u8]>>,
    /// The references of each element segment.
    pub elements: Vec<Arc<[u64]>>,
    /// The number of each function's type, the same for equal types; of a function without one, [`NO_TYPE`].
    pub types: SecondaryMap<FuncRef, u32>,
}

/// The type of functions that no table holds.
pub const NO_TYPE: u32 = u32::MAX;

/// Prints it as [`parse`] reads it back; of the types those of the functions given, which are all.
pub(super) fn write(out: &mut String, linear: &Linear, funcs: impl Iterator<Item = FuncRef>) -> fmt::Result {
    writeln!(out, "linear {{")?;
    if let Some(MemoryDecl { least, most }) = linear.memory {
        writeln!(out, "    memory {least} {most}")?;
    }
    for TableDecl { least, most } in &linear.tables {
        writeln!(out, "    table {least} {most}")?;
    }
    for data in &linear.data {
        writeln!(out, "    data \"{}\"", data.escape_ascii())?;
    }
    for elements in &linear.elements {
        write!(out, "    elements (")?;
        list(out, elements.iter().copied())?;
    }
    write!(out, "    types (")?;
    list(out, funcs.map(|func| u64::from(linear.types[func])))?;
    writeln!(out, "}}")
}

fn list(out: &mut String, numbers: impl Iterator<Item = u64>) -> fmt::Result {
    for (at, number) in numbers.enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(out, "{comma}{number}")?;
    }
    writeln!(out, ")")
}

/// Reads what [`write`] prints.
pub(super) fn parse(s: &mut Scanner<'_>) -> Parsed<Linear> {
    s.word("linear")?;
    s.expect("{")?;
    let mut linear = Linear::default();
    while !s.eat("}") {
        match s.any_word()? {
            "memory" => linear.memory = Some(MemoryDecl { least: s.number()? as u64, most: s.number()? as u64 }),
            "table" => linear.tables.push(TableDecl { least: s.number()? as u32, most: s.number()? as u32 }),
            "data" => linear.data.push(s.string()?.into()),
            "elements" => {
                linear.elements.push(s.list("(", ")", Scanner::number)?.into_iter().map(|n| n as u64).collect())
            }
            "types" => {
                for (at, ty) in s.list("(", ")", Scanner::number)?.into_iter().enumerate() {
                    linear.types[FuncRef::new(at)] = ty as u32;
                }
            }
            _ => return refuse(s, "expected memory, table, data, elements or types"),
        }
    }
    Ok(linear)
}
