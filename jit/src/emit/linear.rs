//! Accesses to the linear memory and to tables.
//!
//! In: addresses of the program, which have 32 bits, and offsets known here. Out: loads and stores behind a check of the bounds. Invariant: an access that
//! fails has touched nothing.

use super::{Emitter, trusted};
use crate::abi::{Context, RuntimeCall};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use holloway_lang::ir::{Access, Builtin};
use std::mem::offset_of;

impl Emitter<'_> {
    /// Reads the linear memory.
    pub(crate) fn linear_load(&mut self, access: Access, address: clif::Value, offset: u32) -> clif::Value {
        let (place, offset) = self.linear_place(access, address, offset);
        let ins = self.builder.ins();
        match access {
            Access::U8 => ins.uload8(types::I64, trusted(), place, offset),
            Access::S8 => ins.sload8(types::I64, trusted(), place, offset),
            Access::U16 => ins.uload16(types::I64, trusted(), place, offset),
            Access::S16 => ins.sload16(types::I64, trusted(), place, offset),
            Access::U32 => ins.uload32(trusted(), place, offset),
            Access::S32 => ins.sload32(trusted(), place, offset),
            Access::Int => ins.load(types::I64, trusted(), place, offset),
            Access::Float => ins.load(types::F64, trusted(), place, offset),
        }
    }

    /// Writes the linear memory.
    pub(crate) fn linear_store(&mut self, access: Access, address: clif::Value, offset: u32, value: clif::Value) {
        let (place, offset) = self.linear_place(access, address, offset);
        let ins = self.builder.ins();
        match access {
            Access::U8 | Access::S8 => ins.istore8(trusted(), value, place, offset),
            Access::U16 | Access::S16 => ins.istore16(trusted(), value, place, offset),
            Access::U32 | Access::S32 => ins.istore32(trusted(), value, place, offset),
            Access::Int | Access::Float => ins.store(trusted(), value, place, offset),
        };
    }

    /// The address of an access, checked, and an offset from it.
    fn linear_place(&mut self, access: Access, address: clif::Value, offset: u32) -> (clif::Value, i32) {
        let end = i64::from(offset) + access.size() as i64;
        let end = self.builder.ins().iadd_imm_u(address, end);
        let size = self.load_at(types::I64, self.env.context, offset_of!(Context, memory_size) as i32);
        self.fail_if(IntCC::UnsignedGreaterThan, end, size, RuntimeCall::FailMemory, &[]);
        let base = self.address(self.env.linear.memory);
        let place = self.builder.ins().iadd(base, address);
        match i32::try_from(offset) {
            Ok(offset) => (place, offset),
            Err(_) => (self.builder.ins().iadd_imm_u(place, i64::from(offset)), 0),
        }
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
