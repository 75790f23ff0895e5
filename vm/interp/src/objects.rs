//! Instructions that allocate, read and write objects.
//!
//! In: the instruction and the window of its frame. Out: its effect, or its failure.
//!
//! Contract: IR is verified, so an operand of scalar `ref` is a reference; where the language has no `none`, it is
//! not 0.
#![expect(unsafe_code, reason = "takes words as references, as verified IR says")]

use super::frame::read;
use cranelift_entity::EntityRef;
use holloway_abi::Shape;
use holloway_ir::{Builtin, Elem, Global, HostRef, Inst, Local, Operand, RecordRef, TypeRef};
use holloway_runtime::Runtime;
use holloway_runtime::builtins::show::{self, PrintedParts};
use holloway_runtime::builtins::{self, MAX_OPERANDS, arrays};
use holloway_runtime::failure::FailureKind;
use holloway_runtime::heap::Obj;
use holloway_runtime::linear::Instance;
use std::ops::Range;

/// The operands of an instruction, as an observer sees them.
#[derive(Clone, Copy)]
pub struct Operands<'a> {
    rt: &'a Runtime,
    base: usize,
}

/// An object, as an observer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenObject {
    /// Its address, which no other object has as long as it lives.
    pub address: u64,
    /// Its shape.
    pub shape: Shape,
    /// The number of its elements or bytes; 0 for a record.
    pub len: usize,
}

/// Parts of an object, as an observer sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenParts {
    /// The object.
    pub object: SeenObject,
    /// Its fields or elements.
    pub parts: Range<usize>,
    /// True if its length is among them.
    pub with_length: bool,
}

fn seen(object: Obj) -> SeenObject {
    let shape = object.shape();
    let len = match shape {
        Shape::Array(_) | Shape::Str => object.len(),
        Shape::Record(_) | Shape::Buffer | Shape::Free => 0,
    };
    SeenObject { address: object.word(), shape, len }
}

impl<'a> Operands<'a> {
    pub(super) fn new(rt: &'a Runtime, base: usize) -> Operands<'a> {
        Operands { rt, base }
    }

    /// The value of an operand.
    pub fn word(self, operand: Operand) -> u64 {
        read(self.rt, self.base, operand)
    }

    /// The object that a reference operand refers to; `None` for `none`.
    pub fn object(self, operand: Operand) -> Option<SeenObject> {
        // SAFETY: observers ask this for operands that are references by the verifier.
        unsafe { Obj::from_word(self.word(operand)) }.map(seen)
    }

    /// The parts of objects that an operand of that type is printed from.
    pub fn printed(self, ty: TypeRef, operand: Operand) -> Vec<SeenParts> {
        // SAFETY: the operand is of the type, by the verifier, and the frame keeps it.
        let parts = unsafe { show::parts_printed(self.rt, ty, self.word(operand)) };
        let seen = |PrintedParts { object, parts, with_length }| SeenParts { object: seen(object), parts, with_length };
        parts.into_iter().map(seen).collect()
    }

    /// The linear memory and the tables, if the program has some.
    pub fn linear(self) -> Option<&'a Instance> {
        self.rt.linear()
    }

    /// The value of a global.
    pub fn global(self, global: Global) -> u64 {
        self.rt.globals().get(global)
    }

    /// The name of a function of the host.
    pub fn host_name(self, host: HostRef) -> &'a str {
        self.rt.hosts.name(host)
    }

    /// The object that an instruction has assigned to a local.
    pub fn result(self, local: Local) -> Option<SeenObject> {
        self.object(Operand::Local(local))
    }
}

/// Executes an instruction on records.
pub(super) fn record(rt: &mut Runtime, base: usize, inst: &Inst) -> Result<(), FailureKind> {
    match inst {
        Inst::NewRecord { dst, record, fields } => {
            let object = rt.alloc_record(*record, &[])?;
            for (at, field) in fields.iter().enumerate() {
                store_field(rt, base, object, *record, at as u32, *field);
            }
            rt.registers[base + dst.index()] = object.word();
        }
        Inst::FieldGet { dst, object, record: _, field } => {
            let object = self::object(rt, base, *object);
            // SAFETY: the object has that field, by the verifier.
            rt.registers[base + dst.index()] = unsafe { object.field(*field) };
        }
        Inst::FieldSet { object, record, field, src } => {
            let object = self::object(rt, base, *object);
            store_field(rt, base, object, *record, *field, *src);
        }
        other => unreachable!("{other:?} is not on records"),
    }
    Ok(())
}

/// Executes an instruction on arrays and strings.
pub(super) fn array(rt: &mut Runtime, base: usize, inst: &Inst) -> Result<(), FailureKind> {
    match inst {
        Inst::NewArray { dst, elem, len, fill } => {
            let (len, fill) = (read(rt, base, *len) as i64, read(rt, base, *fill));
            // SAFETY: the operand is of the elements' type, by the verifier.
            let object = unsafe { arrays::new_array(rt, *elem, len, fill, None)? };
            rt.registers[base + dst.index()] = object.word();
        }
        Inst::ArrayOf { dst, elem, items } => {
            let object = rt.alloc_array(*elem, items.len(), &[])?;
            for (at, item) in items.iter().enumerate() {
                // SAFETY: the operand is of the elements' type, by the verifier; nothing is lent.
                unsafe { object.set_element(at, read(rt, base, *item)) };
            }
            rt.registers[base + dst.index()] = object.word();
        }
        Inst::ElemGet { dst, elem: _, array, index } => {
            let (object, index) = element(rt, base, *array, *index)?;
            rt.registers[base + dst.index()] = object.element(index);
        }
        Inst::ElemSet { elem: _, array, index, src } => {
            let (object, index) = element(rt, base, *array, *index)?;
            // SAFETY: the operand is of the elements' type, by the verifier; nothing is lent.
            unsafe { object.set_element(index, read(rt, base, *src)) };
        }
        Inst::Len { dst, object } => {
            let object = self::object(rt, base, *object);
            rt.registers[base + dst.index()] = object.len() as u64;
        }
        other => unreachable!("{other:?} is not on arrays"),
    }
    Ok(())
}

/// Executes a builtin. Returns its result.
pub(super) fn builtin(rt: &mut Runtime, base: usize, builtin: Builtin, args: &[Operand]) -> Result<u64, FailureKind> {
    let mut words = [0; MAX_OPERANDS];
    for (word, arg) in words.iter_mut().zip(args) {
        *word = read(rt, base, *arg);
    }
    // SAFETY: the operands are those of a verified instruction, and locals of the frame or constants keep the objects.
    unsafe { builtins::call(rt, builtin, &words[..args.len()]) }
}

/// The bytes of a string operand, if it is not `none`.
pub(super) fn string(rt: &Runtime, base: usize, operand: Operand) -> Option<Vec<u8>> {
    // SAFETY: the operand is a reference, by the verifier.
    unsafe { Obj::from_word(read(rt, base, operand)) }.map(|string| string.bytes().to_vec())
}

#[inline]
fn object(rt: &Runtime, base: usize, operand: Operand) -> Obj {
    // SAFETY: the operand is a reference, by the verifier.
    unsafe { Obj::from_word(read(rt, base, operand)) }.expect("the checker lets no `none` through to this operand")
}

/// The array and the index, checked against its length.
#[inline]
fn element(rt: &Runtime, base: usize, array: Operand, index: Operand) -> Result<(Obj, usize), FailureKind> {
    let object = object(rt, base, array);
    let (len, index) = (object.len(), read(rt, base, index) as i64);
    // Compared without sign, a negative index is above every length.
    if (index as u64) < len as u64 {
        Ok((object, index as usize))
    } else {
        Err(FailureKind::IndexOutOfRange { len, index })
    }
}

fn store_field(rt: &Runtime, base: usize, object: Obj, record: RecordRef, field: u32, src: Operand) {
    let word = read(rt, base, src);
    let is_byte = rt.module().field_elem(record, field) == Elem::Byte;
    // SAFETY: the object has that field, of the operand's type, by the verifier.
    unsafe { object.set_field(field, if is_byte { word & 0xff } else { word }) };
}
