//! Globals, records, arrays and strings. Small records are allocated inline by taking the first free
//! cell of their size class; everything else is allocated by the runtime.

use super::{Translator, clif_type, trusted};
use crate::abi::{self, Callout, Context, Shape};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{InstBuilder, types};
use holloway_lang::ir::{Elem, Inst, Local, Operand, RecordRef};
use std::mem::offset_of;

/// Offset of the link to the next cell in a free cell.
const NEXT_FREE: i32 = 8;

impl Translator<'_> {
    pub(super) fn memory_inst(&mut self, inst: &Inst) {
        match inst {
            Inst::GlobalGet { dst, global } => {
                let ty = clif_type(self.body.scalar(*dst));
                let value = self.load_at(ty, self.env.globals + 8 * global.as_u32() as usize, 0);
                self.set(*dst, value);
            }
            Inst::GlobalSet { global, src } => {
                let value = self.operand(*src);
                self.store_at(value, self.env.globals + 8 * global.as_u32() as usize, 0);
            }
            Inst::NewRecord { dst, record, fields } => self.new_record(*dst, *record, fields),
            Inst::FieldGet { dst, object, field, .. } => {
                let object = self.operand(*object);
                let ty = clif_type(self.body.scalar(*dst));
                let value = self.builder.ins().load(ty, trusted(), object, field_offset(*field));
                self.set(*dst, value);
            }
            Inst::FieldSet { object, record, field, src } => {
                let object = self.operand(*object);
                let value = self.operand(*src);
                self.store_field(object, *record, *field, value);
            }
            Inst::NewArray { dst, elem, len, fill } => {
                let (len, fill) = (self.operand(*len), self.operand(*fill));
                let (kind, fill) = (self.int(*elem as i64), self.as_word(fill));
                let array = self.callout_value(Callout::NewArray, &[kind, len, fill]);
                self.set(*dst, array);
            }
            Inst::ArrayOf { dst, elem, items } => self.array_of(*dst, *elem, items),
            Inst::ElemGet { dst, elem, array, index } => {
                let address = self.element(*elem, *array, *index);
                let value = self.load_element(*elem, address);
                self.set(*dst, value);
            }
            Inst::ElemSet { elem, array, index, src } => {
                let address = self.element(*elem, *array, *index);
                let value = self.operand(*src);
                self.store_element(*elem, value, address, abi::ELEMENTS);
            }
            Inst::Len { dst, object } => {
                let object = self.operand(*object);
                let len = self.builder.ins().load(types::I64, trusted(), object, abi::LEN);
                self.set(*dst, len);
            }
            Inst::CatchMessage { dst } => {
                let offset = offset_of!(Context, caught) as i32;
                let message = self.load_at(types::I64, self.env.context, offset);
                self.set(*dst, message);
            }
            other => unreachable!("{other} does not access memory"),
        }
    }

    fn new_record(&mut self, dst: Local, record: RecordRef, fields: &[Operand]) {
        let size = abi::record_size(fields.len());
        let object = if size <= abi::MAX_SMALL {
            self.take_free_cell(size)
        } else {
            let id = self.int(i64::from(record.as_u32()));
            self.callout_value(Callout::NewRecord, &[id])
        };
        let shape = self.int(Shape::Record(record).word() as i64);
        self.builder.ins().store(trusted(), shape, object, abi::SHAPE);
        for (at, field) in fields.iter().enumerate() {
            let value = self.operand(*field);
            self.store_field(object, record, at as u32, value);
        }
        self.set(dst, object);
    }

    /// Pops the free list of the size class; the runtime refills it when it is empty. The list is read
    /// again behind the test, rather than the cell carried over, because single-pass register allocation
    /// spills what crosses blocks, and a reference spilled there would stay for the collector to see.
    fn take_free_cell(&mut self, size: usize) -> clif::Value {
        let class = size.div_ceil(abi::CLASS_STEP);
        let list = (offset_of!(Context, free) + 8 * class) as i32;
        let first = self.load_at(types::I64, self.env.context, list);
        let (empty, filled) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(empty);
        self.builder.ins().brif(first, filled, [], empty, []);
        self.builder.switch_to_block(empty);
        let class = self.int(class as i64);
        self.callout(Callout::Refill, &[class]);
        self.builder.ins().jump(filled, []);
        self.builder.switch_to_block(filled);
        let cell = self.load_at(types::I64, self.env.context, list);
        let next = self.builder.ins().load(types::I64, trusted(), cell, NEXT_FREE);
        self.store_at(next, self.env.context, list);
        cell
    }

    fn store_field(&mut self, object: clif::Value, record: RecordRef, field: u32, value: clif::Value) {
        let value = match self.env.module.field_elem(record, field) {
            Elem::Byte => self.builder.ins().band_imm_u(value, 0xff),
            // The runtime reads fields as whole words.
            Elem::Bool => self.builder.ins().uextend(types::I64, value),
            Elem::Int | Elem::Float | Elem::Ref | Elem::Func => value,
        };
        self.builder.ins().store(trusted(), value, object, field_offset(field));
    }

    fn array_of(&mut self, dst: Local, elem: Elem, items: &[Operand]) {
        let kind = self.int(elem as i64);
        let len = self.int(items.len() as i64);
        let zero = self.int(0);
        let array = self.callout_value(Callout::NewArray, &[kind, len, zero]);
        for (at, item) in items.iter().enumerate() {
            let value = self.operand(*item);
            let offset = abi::ELEMENTS + (at * elem.size()) as i32;
            self.store_element(elem, value, array, offset);
        }
        self.set(dst, array);
    }

    /// Checks the index; gives the address of the element less the offset of the first.
    fn element(&mut self, elem: Elem, array: Operand, index: Operand) -> clif::Value {
        let (array, index) = (self.operand(array), self.operand(index));
        let len = self.builder.ins().load(types::I64, trusted(), array, abi::LEN);
        self.fail_unless_below(index, len);
        let offset = match elem.size() {
            1 => index,
            _ => self.builder.ins().ishl_imm_u(index, 3),
        };
        self.builder.ins().iadd(array, offset)
    }

    fn load_element(&mut self, elem: Elem, address: clif::Value) -> clif::Value {
        match elem {
            Elem::Byte => self.builder.ins().uload8(types::I64, trusted(), address, abi::ELEMENTS),
            Elem::Int | Elem::Float | Elem::Bool | Elem::Ref | Elem::Func => {
                self.builder.ins().load(clif_type(elem.scalar()), trusted(), address, abi::ELEMENTS)
            }
        }
    }

    fn store_element(&mut self, elem: Elem, value: clif::Value, address: clif::Value, offset: i32) {
        match elem {
            Elem::Byte => self.builder.ins().istore8(trusted(), value, address, offset),
            Elem::Int | Elem::Float | Elem::Bool | Elem::Ref | Elem::Func => {
                self.builder.ins().store(trusted(), value, address, offset)
            }
        };
    }
}

fn field_offset(field: u32) -> i32 {
    abi::FIELDS + 8 * field as i32
}
