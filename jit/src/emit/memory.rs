//! Globals, records, arrays and strings. Small records, and small arrays of a length known here, are allocated inline by
//! taking the first free cell of their size class; everything else is allocated by the runtime.

use super::{Emitter, clif_type, trusted};
use crate::abi::{self, Context, RuntimeCall, Shape};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{InstBuilder, types};
use holloway_lang::ir::{Elem, Global, RecordRef, Scalar};
use std::mem::offset_of;

/// Offset of the link to the next cell in a free cell.
const NEXT_FREE: i32 = 8;

/// The most elements of an array that are stored one by one where it is made.
const MOST_STORES: usize = 8;

impl Emitter<'_> {
    /// Reads a global.
    pub(crate) fn load_global(&mut self, global: Global, scalar: Scalar) -> clif::Value {
        self.load_at(clif_type(scalar), self.env.globals + 8 * global.as_u32() as usize, 0)
    }

    /// Writes a global.
    pub(crate) fn store_global(&mut self, global: Global, value: clif::Value) {
        self.store_at(value, self.env.globals + 8 * global.as_u32() as usize, 0);
    }

    /// The length of an array or string.
    pub(crate) fn len(&mut self, object: clif::Value) -> clif::Value {
        self.builder.ins().load(types::I64, trusted(), object, abi::LEN)
    }

    /// The base of a string, from which its bytes are read as elements.
    pub(crate) fn base(&mut self, string: clif::Value) -> clif::Value {
        self.builder.ins().load(types::I64, trusted(), string, abi::BASE)
    }

    /// The message of the failure being handled.
    pub(crate) fn caught(&mut self) -> clif::Value {
        self.load_at(types::I64, self.env.context, offset_of!(Context, caught) as i32)
    }

    /// Reads a field.
    pub(crate) fn load_field(&mut self, object: clif::Value, field: u32, scalar: Scalar) -> clif::Value {
        self.builder.ins().load(clif_type(scalar), trusted(), object, field_offset(field))
    }

    /// Allocates a record of the fields given.
    pub(crate) fn new_record(&mut self, record: RecordRef, fields: &[clif::Value]) -> clif::Value {
        let object = self.allocate_record(record);
        for (at, value) in fields.iter().enumerate() {
            self.store_field(object, record, at as u32, *value);
        }
        object
    }

    /// Allocates a record whose fields the caller stores at once.
    pub(crate) fn allocate_record(&mut self, record: RecordRef) -> clif::Value {
        let size = abi::record_size(self.env.module.records[record].fields.len());
        let object = if size <= abi::MAX_SMALL {
            self.take_free_cell(size)
        } else {
            let id = self.int(i64::from(record.as_u32()));
            self.runtime_call_value(RuntimeCall::NewRecord, &[id])
        };
        let shape = self.int(Shape::Record(record).word() as i64);
        self.builder.ins().store(trusted(), shape, object, abi::SHAPE);
        object
    }

    /// Allocates an array, all elements alike.
    pub(crate) fn new_array(&mut self, elem: Elem, len: clif::Value, fill: clif::Value) -> clif::Value {
        if let Some(len) = self.small_len(len) {
            return self.array_of(elem, &vec![fill; len]);
        }
        let (kind, fill) = (self.int(elem as i64), self.as_word(fill));
        self.runtime_call_value(RuntimeCall::NewArray, &[kind, len, fill])
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
        self.runtime_call(RuntimeCall::Refill, &[class]);
        self.builder.ins().jump(filled, []);
        self.builder.switch_to_block(filled);
        let cell = self.load_at(types::I64, self.env.context, list);
        let next = self.builder.ins().load(types::I64, trusted(), cell, NEXT_FREE);
        self.store_at(next, self.env.context, list);
        cell
    }

    /// Writes a field.
    pub(crate) fn store_field(&mut self, object: clif::Value, record: RecordRef, field: u32, value: clif::Value) {
        let value = match self.env.module.field_elem(record, field) {
            Elem::Byte => self.builder.ins().band_imm_u(value, 0xff),
            // The runtime reads fields as whole words.
            Elem::Bool => self.builder.ins().uextend(types::I64, value),
            Elem::Int | Elem::Float | Elem::Ref | Elem::Func => value,
            Elem::Char => unreachable!("no field is a character"),
        };
        self.builder.ins().store(trusted(), value, object, field_offset(field));
    }

    /// Allocates an array of the elements given.
    pub(crate) fn array_of(&mut self, elem: Elem, items: &[clif::Value]) -> clif::Value {
        let array = self.allocate_array(elem, items.len());
        for (at, value) in items.iter().enumerate() {
            self.store_item(elem, array, at, *value);
        }
        array
    }

    /// Allocates an array of a length known here, whose elements the caller stores at once.
    pub(crate) fn allocate_array(&mut self, elem: Elem, len: usize) -> clif::Value {
        let size = abi::ELEMENTS as usize + len * elem.size();
        if size > abi::MAX_SMALL {
            let (kind, len, zero) = (self.int(elem as i64), self.int(len as i64), self.int(0));
            return self.runtime_call_value(RuntimeCall::NewArray, &[kind, len, zero]);
        }
        let array = self.take_free_cell(size);
        let (shape, len) = (self.int(Shape::Array(elem).word() as i64), self.int(len as i64));
        self.builder.ins().store(trusted(), shape, array, abi::SHAPE);
        self.builder.ins().store(trusted(), len, array, abi::LEN);
        array
    }

    /// The length of an array, if it is known here and so small that a store for each element is less than a call.
    fn small_len(&self, len: clif::Value) -> Option<usize> {
        let len = usize::try_from(self.constant_int(len)?).ok()?;
        (len <= MOST_STORES).then_some(len)
    }

    /// An integer that is a constant.
    fn constant_int(&self, value: clif::Value) -> Option<i64> {
        let inst = self.builder.func.dfg.value_def(value).inst()?;
        match self.builder.func.dfg.insts[inst] {
            clif::InstructionData::UnaryImm { opcode: clif::Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    }

    /// Writes an element at a position known here.
    pub(crate) fn store_item(&mut self, elem: Elem, array: clif::Value, at: usize, value: clif::Value) {
        self.store_at_offset(elem, value, array, abi::ELEMENTS + (at * elem.size()) as i32);
    }

    /// The address of an element less the offset of the first; the index was checked. Without one that of the first.
    fn element(&mut self, elem: Elem, array: clif::Value, index: Option<clif::Value>) -> clif::Value {
        let Some(index) = index else { return array };
        let offset = match elem.size() {
            1 => index,
            _ => self.builder.ins().ishl_imm_u(index, 3),
        };
        self.builder.ins().iadd(array, offset)
    }

    /// Reads an element of an array, or from the base of a string; the index was checked.
    pub(crate) fn load_element(&mut self, elem: Elem, array: clif::Value, index: clif::Value) -> clif::Value {
        self.load_ahead(elem, array, Some(index), 0)
    }

    /// Writes an element whose index was checked.
    pub(crate) fn store_element(&mut self, elem: Elem, array: clif::Value, index: clif::Value, value: clif::Value) {
        self.store_ahead(elem, array, Some(index), 0, value);
    }

    /// Reads the element that is `ahead` of an index, or of the first element; the sum was checked.
    pub(crate) fn load_ahead(
        &mut self,
        elem: Elem,
        array: clif::Value,
        index: Option<clif::Value>,
        ahead: i32,
    ) -> clif::Value {
        let address = self.element(elem, array, index);
        let offset = abi::ELEMENTS + ahead * elem.size() as i32;
        match elem {
            Elem::Byte | Elem::Char => self.builder.ins().uload8(types::I64, trusted(), address, offset),
            Elem::Int | Elem::Float | Elem::Bool | Elem::Ref | Elem::Func => {
                self.builder.ins().load(clif_type(elem.scalar()), trusted(), address, offset)
            }
        }
    }

    /// Writes the element that is `ahead` of an index, or of the first element; the sum was checked.
    pub(crate) fn store_ahead(
        &mut self,
        elem: Elem,
        array: clif::Value,
        index: Option<clif::Value>,
        ahead: i32,
        value: clif::Value,
    ) {
        let address = self.element(elem, array, index);
        self.store_at_offset(elem, value, address, abi::ELEMENTS + ahead * elem.size() as i32);
    }

    fn store_at_offset(&mut self, elem: Elem, value: clif::Value, address: clif::Value, offset: i32) {
        match elem {
            Elem::Byte => match self.constant_int(value) {
                // A constant of a byte is part of the instruction.
                Some(value) => {
                    let value = self.builder.ins().iconst(types::I8, i64::from(value as u8));
                    self.builder.ins().store(trusted(), value, address, offset)
                }
                None => self.builder.ins().istore8(trusted(), value, address, offset),
            },
            Elem::Int | Elem::Float | Elem::Bool | Elem::Ref | Elem::Func => {
                self.builder.ins().store(trusted(), value, address, offset)
            }
            Elem::Char => unreachable!("strings never change"),
        };
    }
}

fn field_offset(field: u32) -> i32 {
    abi::FIELDS + 8 * field as i32
}
