//! From a value of the host to the word that a parameter takes.
//!
//! In: a [`Value`] and the type of a parameter. Out: a word; objects are made for it in the program's heap, which
//! bounds them. They are pinned until the call has ended. Invariant: an argument shares nothing: the program may change
//! each part of it alone.
#![expect(unsafe_code, reason = "fills objects that it made")]

use super::Value;
use crate::error::{CallError, RunError};
use cranelift_entity::EntityRef;
use holloway_lang::ir::{Module, RecordRef, Type, TypeRef};
use holloway_runtime::Runtime;
use holloway_runtime::failure::FailureKind;
use holloway_runtime::heap::Obj;
use std::sync::Arc;

/// A value as the word that a parameter of a type takes.
pub(crate) fn to_word(rt: &mut Runtime, module: &Module, ty: TypeRef, value: &Value) -> Result<u64, CallError> {
    match (&module.types[ty], value) {
        (Type::Int, Value::Int(value)) => Ok(*value as u64),
        (Type::Byte, Value::Int(value)) => Ok(*value as u64 & 0xff),
        (Type::Float, Value::Float(value)) => Ok(value.to_bits()),
        (Type::Bool, Value::Bool(value)) => Ok(u64::from(*value)),
        (Type::Str, Value::Str(bytes)) => {
            let object = rt.new_str(bytes, &[]).map_err(|kind| heap_error(&kind))?;
            Ok(pinned(rt, object))
        }
        (Type::Array(of), Value::Array(items)) => array_to_word(rt, module, *of, items),
        (Type::Record(record), Value::Struct(name, fields)) if **name == module.records[*record].name => {
            record_to_word(rt, module, *record, fields)
        }
        (Type::Func(sig), Value::Function(name)) => match module.find(name) {
            Some(func) if module.funcs[func].sig == *sig => Ok(func.index() as u64 + 1),
            _ => Err(mismatch(module, ty, value)),
        },
        (Type::Optional(_), Value::None) => Ok(0),
        (Type::Optional(of), value) => to_word(rt, module, *of, value),
        _ => Err(mismatch(module, ty, value)),
    }
}

fn array_to_word(rt: &mut Runtime, module: &Module, of: TypeRef, items: &[Value]) -> Result<u64, CallError> {
    let elem = module.elem(of);
    let array = rt.alloc_array(elem, items.len(), &[]).map_err(|kind| heap_error(&kind))?;
    let word = pinned(rt, array);
    for (at, item) in items.iter().enumerate() {
        let item = to_word(rt, module, of, item)?;
        // SAFETY: the word is of the elements' type, and nothing is lent.
        unsafe { array.set_element(at, item) };
    }
    Ok(word)
}

fn record_to_word(
    rt: &mut Runtime,
    module: &Module,
    record: RecordRef,
    given: &[(Arc<str>, Value)],
) -> Result<u64, CallError> {
    let object = rt.alloc_record(record, &[]).map_err(|kind| heap_error(&kind))?;
    let word = pinned(rt, object);
    let decl = &module.records[record];
    for (at, field) in decl.fields.iter().enumerate() {
        let Some((_, value)) = given.iter().find(|(name, _)| **name == *field.name) else {
            let expected = format!("{} with a field `{}`", decl.name, field.name);
            return Err(CallError::Type { expected, found: "none".into() });
        };
        let value = to_word(rt, module, field.ty, value)?;
        // SAFETY: the object is a record of these fields, and the word is of the field's type.
        unsafe { object.set_field(at as u32, value) };
    }
    Ok(word)
}

fn pinned(rt: &mut Runtime, object: Obj) -> u64 {
    rt.pin(object.word());
    object.word()
}

fn mismatch(module: &Module, ty: TypeRef, value: &Value) -> CallError {
    CallError::Type { expected: module.type_name(ty), found: value.kind() }
}

fn heap_error(kind: &FailureKind) -> CallError {
    CallError::Run(RunError::Setup(kind.to_string()))
}
