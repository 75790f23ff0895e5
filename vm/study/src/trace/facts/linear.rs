//! Accesses to the linear memory and to the tables of a module of WebAssembly.
//!
//! In: an instruction. Out: its [`LinearAccess`], and what it defines. Invariant: no other list says which instructions access them.
//!
//! - The bytes of the memory are one class of cells, the entries of tables another one; sizes are cells of their own.
//! - A store depends on the address, too, by which it chose its bytes.
//! - A function of the host is one operation: its result, and each byte that it writes, depend on all of its operands and on all bytes that it reads.
//! - Bytes that one operation writes are set together; those by which the memory grows are set by what grows it.
//!
//! Traps are not followed: no module catches them, so nothing that is executed depends on one that might have been.

use super::builtins::{MemoryEffect, memory_effect};
use super::locations::{
    LENGTH, NEW_LENGTH, READ, WRITE, bytes, entries, local, locals, memory_size, sets, table_sizes,
};
use holloway_lang::ir::{Access, BlockData, Builtin, Global, HostCall, Inst, Local, Operand};
use holloway_profiler::wpp::slice::{Definition, Location};

/// An access to memory or tables.
#[derive(Clone, Copy, Debug)]
pub enum LinearAccess<'i> {
    /// Bytes are loaded.
    Load {
        /// Their number, and how they are read.
        access: Access,
        /// The address of the first one is this,
        address: Operand,
        /// and this added.
        offset: u32,
    },
    /// Bytes are stored.
    Store {
        /// Their number.
        access: Access,
        /// The address of the first one is this,
        address: Operand,
        /// and this added.
        offset: u32,
    },
    /// An operation of the runtime.
    Builtin {
        /// The operation.
        builtin: Builtin,
        /// The local that has its result.
        dst: Option<Local>,
        /// Its operands.
        args: &'i [Operand],
    },
    /// A function of the host.
    Host {
        /// The function.
        call: HostCall,
        /// The operands that the call takes.
        args: &'i [Operand],
    },
}

/// The access of an instruction; `None` if it has none.
pub fn linear_access(inst: &Inst) -> Option<LinearAccess<'_>> {
    match inst {
        Inst::Load { access, address, offset, .. } => {
            Some(LinearAccess::Load { access: *access, address: *address, offset: *offset })
        }
        Inst::Store { access, address, offset, .. } => {
            Some(LinearAccess::Store { access: *access, address: *address, offset: *offset })
        }
        Inst::Builtin { builtin: Builtin::Host(call), args, .. } => Some(LinearAccess::Host { call: *call, args }),
        Inst::Builtin { builtin, dst, args } if memory_effect(*builtin) == MemoryEffect::Linear => {
            Some(LinearAccess::Builtin { builtin: *builtin, dst: *dst, args })
        }
        Inst::Builtin { .. }
        | Inst::Copy { .. }
        | Inst::Unary { .. }
        | Inst::Binary { .. }
        | Inst::Select { .. }
        | Inst::GlobalGet { .. }
        | Inst::GlobalSet { .. }
        | Inst::Call { .. }
        | Inst::CallIndirect { .. }
        | Inst::NewRecord { .. }
        | Inst::FieldGet { .. }
        | Inst::FieldSet { .. }
        | Inst::NewArray { .. }
        | Inst::ArrayOf { .. }
        | Inst::ElemGet { .. }
        | Inst::ElemSet { .. }
        | Inst::Len { .. }
        | Inst::Unwrap { .. }
        | Inst::CatchMessage { .. } => None,
    }
}

/// Returns whether an access may set bytes of the memory.
pub fn writes_bytes(access: LinearAccess<'_>) -> bool {
    match access {
        LinearAccess::Load { .. } => false,
        LinearAccess::Store { .. } | LinearAccess::Host { .. } => true,
        LinearAccess::Builtin { builtin, .. } => {
            matches!(builtin, Builtin::MemoryGrow | Builtin::MemoryFill | Builtin::MemoryCopy | Builtin::MemoryInit)
        }
    }
}

/// The operands of the cells that an access sets: the first, and how many.
pub(super) fn writes(access: LinearAccess<'_>) -> Option<(u32, u32)> {
    match access {
        LinearAccess::Load { .. } => None,
        LinearAccess::Store { .. } | LinearAccess::Host { .. } => Some((WRITE, 1)),
        LinearAccess::Builtin { builtin, .. } => match builtin {
            Builtin::MemoryGrow | Builtin::TableGrow => Some((NEW_LENGTH, 2)),
            Builtin::MemorySize | Builtin::TableSize | Builtin::TableGet | Builtin::TableCallee => None,
            _ => Some((WRITE, 1)),
        },
    }
}

/// The definitions of an instruction with an access.
pub(super) fn definitions(inst: &Inst, access: LinearAccess<'_>, further: &[Location]) -> Vec<Definition> {
    let mut operands = Vec::new();
    inst.operands(|operand| operands.push(operand));
    let uses = locals(&operands);
    let with = |more: Location| [uses.clone(), vec![more]].concat();
    let to_result = |uses: Vec<Location>| inst.dst().map(|dst| sets(local(dst), uses)).into_iter();
    match access {
        LinearAccess::Load { .. } => to_result(with(bytes(READ))).collect(),
        LinearAccess::Store { .. } => vec![sets(bytes(WRITE), uses)],
        LinearAccess::Host { .. } => {
            let uses = [with(bytes(READ)), further.to_vec()].concat();
            to_result(uses.clone()).chain([sets(bytes(WRITE), uses)]).collect()
        }
        LinearAccess::Builtin { builtin, .. } => match builtin {
            Builtin::MemorySize => to_result(vec![memory_size(LENGTH)]).collect(),
            Builtin::TableSize => to_result(vec![table_sizes(LENGTH)]).collect(),
            Builtin::TableGet | Builtin::TableCallee => to_result(with(entries(READ))).collect(),
            Builtin::MemoryGrow => {
                let size = with(memory_size(LENGTH));
                let set = [sets(memory_size(NEW_LENGTH), size.clone()), sets(bytes(WRITE), Vec::new())];
                to_result(size).chain(set).collect()
            }
            Builtin::TableGrow => {
                let size = [locals([&operands[2]]), vec![table_sizes(LENGTH)]].concat();
                let set = [sets(table_sizes(NEW_LENGTH), size.clone()), sets(entries(WRITE), locals([&operands[1]]))];
                to_result(size).chain(set).collect()
            }
            Builtin::MemoryCopy => vec![sets(bytes(WRITE), with(bytes(READ)))],
            Builtin::MemoryFill | Builtin::MemoryInit => vec![sets(bytes(WRITE), uses)],
            Builtin::TableCopy => vec![sets(entries(WRITE), with(entries(READ)))],
            _ => vec![sets(entries(WRITE), uses)],
        },
    }
}

/// The globals by which a function of the host gets operands that a call does not take: those that are set ahead of the call.
pub fn further_globals(data: &BlockData) -> Vec<Global> {
    let set = data.insts.iter().filter_map(|inst| match inst {
        Inst::GlobalSet { global, .. } => Some(*global),
        _ => None,
    });
    set.collect()
}
