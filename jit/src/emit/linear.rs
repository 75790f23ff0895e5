//! Accesses to the linear memory and to tables.
//!
//! In: addresses of the program, which have 32 bits, and offsets known here. Out: loads and stores, which fault out of bounds or stand behind a test.
//! Invariant: an access that fails has touched nothing.

use super::{Emitter, trusted};
use crate::abi::{Context, RuntimeCall};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, types};
use holloway_abi::Bounds;
use holloway_lang::ir::{Access, Builtin};
use std::mem::offset_of;

/// Trap code of accesses to the linear memory.
pub(crate) const OUT_OF_BOUNDS: clif::TrapCode = clif::TrapCode::HEAP_OUT_OF_BOUNDS;

/// The place of an access.
struct Place {
    flags: MemFlagsData,
    base: clif::Value,
    offset: i32,
}

impl Emitter<'_> {
    /// Reads the linear memory, at an address without anything above 32 bits.
    pub(crate) fn linear_load(&mut self, access: Access, address: clif::Value, offset: u32) -> clif::Value {
        let Place { flags, base, offset } = self.linear_place(access, address, offset);
        let ins = self.builder.ins();
        match access {
            Access::U8 => ins.uload8(types::I64, flags, base, offset),
            Access::S8 => ins.sload8(types::I64, flags, base, offset),
            Access::U16 => ins.uload16(types::I64, flags, base, offset),
            Access::S16 => ins.sload16(types::I64, flags, base, offset),
            Access::U32 => ins.uload32(flags, base, offset),
            Access::S32 => ins.sload32(flags, base, offset),
            Access::Int => ins.load(types::I64, flags, base, offset),
            Access::Float => ins.load(types::F64, flags, base, offset),
        }
    }

    /// Writes the linear memory, at an address without anything above 32 bits.
    pub(crate) fn linear_store(&mut self, access: Access, address: clif::Value, offset: u32, value: clif::Value) {
        let Place { flags, base, offset } = self.linear_place(access, address, offset);
        let ins = self.builder.ins();
        match access {
            Access::U8 | Access::S8 => ins.istore8(flags, value, base, offset),
            Access::U16 | Access::S16 => ins.istore16(flags, value, base, offset),
            Access::U32 | Access::S32 => ins.istore32(flags, value, base, offset),
            Access::Int | Access::Float => ins.store(flags, value, base, offset),
        };
    }

    /// The low 32 bits of an address.
    pub(crate) fn linear_address(&mut self, address: clif::Value) -> clif::Value {
        let word = self.builder.ins().ireduce(types::I32, address);
        self.builder.ins().uextend(types::I64, word)
    }

    /// The place of an access, checked. A signal finds neither what is pending nor a handler, so the code tests the bounds where there is one.
    fn linear_place(&mut self, access: Access, address: clif::Value, offset: u32) -> Place {
        let knows_all = self.pending.is_empty() && self.sunk.is_empty() && self.handler.is_none();
        let flags = match self.env.linear.bounds {
            Bounds::Guarded if knows_all => MemFlagsData::new().with_trap_code(Some(OUT_OF_BOUNDS)),
            Bounds::Guarded | Bounds::Tested => {
                self.test_bounds(address, i64::from(offset) + access.size() as i64);
                trusted()
            }
        };
        // A memory that lies low needs no register.
        let memory = self.env.linear.memory + offset as usize;
        match i32::try_from(memory) {
            Ok(offset) => Place { flags, base: address, offset },
            Err(_) => {
                let memory = self.address(memory);
                Place { flags, base: self.builder.ins().iadd(memory, address), offset: 0 }
            }
        }
    }

    fn test_bounds(&mut self, address: clif::Value, reach: i64) {
        let end = self.builder.ins().iadd_imm_u(address, reach);
        let size = self.load_at(types::I64, self.env.context, offset_of!(Context, memory_size) as i32);
        self.fail_if(IntCC::UnsignedGreaterThan, end, size, RuntimeCall::FailMemory);
    }

    /// The function in an entry of a table, by the operands of [`Builtin::TableCallee`]: the table is the constant given. What is no such function
    /// is left to the runtime, which fails.
    pub(crate) fn table_callee(&mut self, table: usize, args: &[clif::Value]) -> clif::Value {
        let &[_, index, ty] = args else { unreachable!("a table, an index and a type") };
        let table = self.env.linear.tables[table];
        let fails = self.builder.create_block();
        self.builder.set_cold_block(fails);
        let len = self.load_at(types::I64, table, 0);
        self.only_if(IntCC::UnsignedLessThan, index, len, fails);
        let (base, offset) = (self.address(table), self.builder.ins().ishl_imm_u(index, 3));
        let entry = self.builder.ins().iadd(base, offset);
        let word = self.builder.ins().load(types::I64, trusted(), entry, 8);
        let none = self.int(0);
        self.only_if(IntCC::NotEqual, word, none, fails);
        let (base, offset) = (self.address(self.env.linear.types), self.builder.ins().ishl_imm_u(word, 2));
        let place = self.builder.ins().iadd(base, offset);
        let found = self.builder.ins().uload32(trusted(), place, -4);
        self.only_if(IntCC::Equal, found, ty, fails);
        let next = self.builder.create_block();
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(fails);
        self.make_sunk_stores();
        self.builtin(Builtin::TableCallee, args);
        self.unreachable();
        self.builder.switch_to_block(next);
        word
    }

    /// Goes to a cold block unless a comparison holds.
    fn only_if(&mut self, cc: IntCC, x: clif::Value, y: clif::Value, cold: clif::Block) {
        let next = self.builder.create_block();
        let holds = self.builder.ins().icmp(cc, x, y);
        self.builder.ins().brif(holds, next, [], cold, []);
        self.builder.switch_to_block(next);
    }
}
