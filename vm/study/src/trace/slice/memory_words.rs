//! Words for what instructions do with the memory and the tables of a module of WebAssembly.
//!
//! In: an instruction that sets bytes or entries, and one that uses them. Out: the part of a sentence that tells it. Invariant: an instruction that does neither
//! is told in general words.

use holloway_lang::ir::{Builtin, Inst};

/// The sentence that one instruction sets the bytes that another one uses, on a line of that name; there is no other one if they are asked about.
pub(super) fn bytes(setter: Option<&Inst>, user: Option<&Inst>, line: &str) -> String {
    let sets = match setter {
        Some(Inst::Store { .. }) => "stores the bytes",
        Some(Inst::Builtin { builtin, .. }) => match builtin {
            Builtin::MemoryCopy => "copies the bytes",
            Builtin::MemoryFill => "fills the bytes",
            Builtin::MemoryInit => "copies from a data segment the bytes",
            Builtin::MemoryGrow => "adds the bytes",
            Builtin::Host(_) => "has the host write the bytes",
            _ => "sets the bytes",
        },
        _ => "sets the bytes",
    };
    let uses = match user {
        Some(Inst::Load { .. }) => "loads",
        Some(Inst::Builtin { builtin: Builtin::MemoryCopy, .. }) => "copies",
        Some(Inst::Builtin { builtin: Builtin::Host(_), .. }) => "has the host read",
        Some(_) => "uses",
        None => return format!("data: {sets} that are asked about"),
    };
    format!("data: {sets} that {line} {uses}")
}

/// The words for an instruction that sets entries of a table.
pub(super) fn entry(setter: Option<&Inst>) -> &'static str {
    match setter {
        Some(Inst::Builtin { builtin: Builtin::TableCopy, .. }) => "copies entries to",
        Some(Inst::Builtin { builtin: Builtin::TableInit, .. }) => "copies from a segment the entries of",
        Some(Inst::Builtin { builtin: Builtin::TableFill, .. }) => "fills entries of",
        Some(Inst::Builtin { builtin: Builtin::TableGrow, .. }) => "adds entries to",
        _ => "sets an entry of",
    }
}
