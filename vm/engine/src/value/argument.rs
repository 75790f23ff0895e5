//! From a value of the host to the word that a parameter takes.
//!
//! In: a [`Value`] and the type of a parameter. Out: a word; objects are made for it in the program's heap, which
//! bounds them. They are pinned until the call has ended. Invariant: an argument shares nothing but arrays that the host
//! shares by itself: the program may change each part of it alone.
#![expect(unsafe_code, reason = "fills objects that it made")]

use super::{SharedArray, Value};
use crate::error::{CallError, RunError};
use holloway_lang::ir::{Elem, FunctionKind, Module, Record, RecordRef, Shape, SigRef, Type, TypeRef, Variant};
use holloway_runtime::failure::FailureKind;
use holloway_runtime::heap::Obj;
use holloway_runtime::host_values::HostValue;
use holloway_runtime::{Runtime, func_word};
use std::sync::Arc;

/// A value as the word that a parameter of a type takes, in the program that this engine runs.
pub(crate) fn to_word(rt: &mut Runtime, engine: u64, ty: TypeRef, value: &Value) -> Result<u64, CallError> {
    let module = &Arc::clone(rt.module());
    Maker { rt, module, engine }.word(ty, value)
}

/// Returns true if a value brings objects into the program, besides strings, or a function.
pub(crate) fn brings_objects(module: &Module, ty: TypeRef, value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => module.elem(ty) == Elem::Ref,
        Value::Variant(..) => module.elem(ty) != Elem::Int,
        Value::Str(_) | Value::None => false,
        Value::Array(_)
        | Value::Shared(_)
        | Value::List(_)
        | Value::Dict(_)
        | Value::Set(_)
        | Value::Tuple(_)
        | Value::Struct(..)
        | Value::Function(_)
        | Value::Opaque(_) => true,
    }
}

/// The object that stands for a value of the host.
pub(crate) fn opaque_to_word(rt: &mut Runtime, record: RecordRef, value: HostValue) -> Result<u64, CallError> {
    if let Some(word) = rt.host_values.object_of(&value) {
        rt.pin(word);
        return Ok(word);
    }
    let word = object_of_words(rt, record, &[])?;
    rt.host_values.insert(word, value);
    Ok(word)
}

/// A record of words in some of its fields; others are 0. What the words refer to is pinned.
pub(crate) fn object_of_words(rt: &mut Runtime, record: RecordRef, fields: &[(u32, u64)]) -> Result<u64, CallError> {
    let object = rt.alloc_record(record, &[]).map_err(|kind| heap_error(&kind))?;
    let word = pinned(rt, object);
    fields.iter().for_each(|(field, value)| set_field(word, *field, *value));
    Ok(word)
}

impl SharedArray {
    /// The word of the array, which is kept for the call that it is given to: that may outlive every handle.
    pub(crate) fn pinned(&self, rt: &mut Runtime) -> u64 {
        let word = self.root.word();
        rt.pin(word);
        word
    }

    /// True iff it is an array of that type: one of numbers, as the host writes any.
    pub(crate) fn is_of(&self, of: &Type) -> bool {
        match of {
            Type::Int => self.elem == Elem::Int,
            Type::Float => self.elem == Elem::Float,
            Type::Byte => self.elem == Elem::Byte,
            Type::Bool
            | Type::Str
            | Type::Array(_)
            | Type::Record(_)
            | Type::Func(_)
            | Type::Code(_)
            | Type::Optional(_) => false,
        }
    }
}

/// Makes words of values, and the objects that they refer to.
pub(super) struct Maker<'a> {
    pub(super) rt: &'a mut Runtime,
    pub(super) module: &'a Module,
    engine: u64,
}

impl Maker<'_> {
    pub(super) fn word(&mut self, ty: TypeRef, value: &Value) -> Result<u64, CallError> {
        match (&self.module.types[ty], value) {
            (Type::Int, Value::Int(value)) => Ok(*value as u64),
            (Type::Byte, Value::Int(value)) => Ok(*value as u64 & 0xff),
            (Type::Float, Value::Float(value)) => Ok(value.to_bits()),
            (Type::Bool, Value::Bool(value)) => Ok(u64::from(*value)),
            (Type::Str, Value::Str(bytes)) => {
                let object = self.rt.new_str(bytes, &[]).map_err(|kind| heap_error(&kind))?;
                Ok(pinned(self.rt, object))
            }
            (Type::Array(of), Value::Array(items)) => self.array(*of, items),
            (Type::Array(of), Value::Shared(array)) if array.is_of(&self.module.types[*of]) => self.shared(array),
            (Type::Record(record), value) => match self.shaped(*record, value)? {
                Some(word) => Ok(word),
                None => Err(self.mismatch(ty, value)),
            },
            (Type::Func(sig), Value::Function(name)) => match self.function(*sig, name)? {
                Some(word) => Ok(word),
                None => Err(self.mismatch(ty, value)),
            },
            (Type::Optional(_), Value::None) => Ok(0),
            (Type::Optional(of), value) => {
                let content = self.word(*of, value)?;
                match self.module.box_of(*of) {
                    Some(record) => object_of_words(self.rt, record, &[(0, content)]),
                    None => Ok(content),
                }
            }
            _ => Err(self.mismatch(ty, value)),
        }
    }

    /// A value as a record, by its shape; none if it has another.
    fn shaped(&mut self, record: RecordRef, value: &Value) -> Result<Option<u64>, CallError> {
        let Record { name, fields, shape } = &self.module.records[record];
        Ok(match (shape, value) {
            (Shape::Struct, Value::Opaque(given)) if self.rt.host_values.fits(record, &given.value) => {
                Some(opaque_to_word(self.rt, record, Arc::clone(&given.value))?)
            }
            (Shape::Struct, Value::Struct(given, values))
                if **given == **name && !self.rt.host_values.has_values(record) =>
            {
                Some(self.record(record, values)?)
            }
            (Shape::Tuple, Value::Tuple(parts)) if parts.len() == fields.len() => {
                let numbers: Vec<u32> = (0..fields.len() as u32).collect();
                Some(self.parts(record, &numbers, parts)?)
            }
            (Shape::List, Value::List(items)) => {
                let array = self.array(self.module.element_type(fields[0].ty), items)?;
                Some(object_of_words(self.rt, record, &[(0, array), (1, items.len() as u64)])?)
            }
            (Shape::Dict, Value::Dict(entries)) => Some(self.dict(record, entries)?),
            (Shape::Set, Value::Set(keys)) => Some(self.set(record, keys)?),
            (Shape::Tag(names), Value::Variant(given, payloads)) if payloads.is_empty() => {
                names.iter().position(|name| **name == **given).map(|index| index as u64)
            }
            (Shape::Enum(variants), Value::Variant(given, payloads)) => {
                let is_it = |variant: &Variant| *variant.name == **given && variant.fields.len() == payloads.len();
                match variants.iter().position(is_it) {
                    Some(index) => {
                        let word = self.parts(record, &variants[index].fields, payloads)?;
                        set_field(word, 0, index as u64);
                        Some(word)
                    }
                    None => None,
                }
            }
            _ => None,
        })
    }

    /// A function by its name, or the closure that stands for it.
    fn function(&mut self, sig: SigRef, name: &str) -> Result<Option<u64>, CallError> {
        let module = self.module;
        if !module.closures {
            let func = module.find(name).filter(|func| module.funcs[*func].sig == sig);
            return Ok(func.map(func_word));
        }
        // The code of such a closure takes what is captured, which is nothing, before the parameters.
        let takes = |code: SigRef| {
            let (code, sig) = (&module.sigs[code], &module.sigs[sig]);
            code.result == sig.result && code.params.split_first().is_some_and(|(_, params)| *params == *sig.params)
        };
        let thunk = module
            .funcs
            .iter()
            .find(|(_, decl)| decl.body.kind == FunctionKind::Provided && decl.body.name == name && takes(decl.sig));
        let closure = module.records.iter().find(|(_, record)| {
            let code = record.fields.first().map(|field| &module.types[field.ty]);
            record.shape == Shape::Closure && matches!(code, Some(Type::Code(code)) if takes(*code))
        });
        match (thunk, closure) {
            (Some((func, _)), Some((record, _))) => object_of_words(self.rt, record, &[(0, func_word(func))]).map(Some),
            (None, _) | (_, None) => Ok(None),
        }
    }

    fn array(&mut self, of: TypeRef, items: &[Value]) -> Result<u64, CallError> {
        let word = self.empty_array(of, items.len())?;
        for (at, item) in items.iter().enumerate() {
            let item = self.word(of, item)?;
            set_element(word, at, item);
        }
        Ok(word)
    }

    /// The array that the host shares with the program.
    fn shared(&mut self, array: &SharedArray) -> Result<u64, CallError> {
        match array.engine == self.engine {
            true => Ok(array.pinned(self.rt)),
            false => Err(CallError::OtherEngine),
        }
    }

    /// An array of so many zeroes.
    pub(super) fn empty_array(&mut self, of: TypeRef, len: usize) -> Result<u64, CallError> {
        let elem = self.module.elem(of);
        let array = self.rt.alloc_array(elem, len, &[]).map_err(|kind| heap_error(&kind))?;
        Ok(pinned(self.rt, array))
    }

    fn record(&mut self, record: RecordRef, given: &[(Arc<str>, Value)]) -> Result<u64, CallError> {
        let decl = &self.module.records[record];
        let is_field = |name: &str| decl.fields.iter().any(|field| field.name == name);
        if let Some((name, value)) = given.iter().find(|(name, _)| !is_field(name)) {
            return Err(CallError::Type {
                expected: format!("{} without a field `{name}`", decl.name),
                found: value.kind(),
            });
        }
        if given.len() > decl.fields.len() {
            return Err(CallError::Type {
                expected: format!("{} with each field once", decl.name),
                found: "one twice".into(),
            });
        }
        let word = object_of_words(self.rt, record, &[])?;
        for (at, field) in decl.fields.iter().enumerate() {
            let Some((_, value)) = given.iter().find(|(name, _)| **name == *field.name) else {
                let expected = format!("{} with a field `{}`", decl.name, field.name);
                return Err(CallError::Type { expected, found: "none".into() });
            };
            let value = self.word(field.ty, value)?;
            set_field(word, at as u32, value);
        }
        Ok(word)
    }

    /// A record of values in some of its fields; others are 0.
    fn parts(&mut self, record: RecordRef, fields: &[u32], values: &[Value]) -> Result<u64, CallError> {
        let word = object_of_words(self.rt, record, &[])?;
        for (field, value) in fields.iter().zip(values) {
            let value = self.word(self.module.records[record].fields[*field as usize].ty, value)?;
            set_field(word, *field, value);
        }
        Ok(word)
    }

    fn mismatch(&self, ty: TypeRef, value: &Value) -> CallError {
        CallError::Type { expected: self.module.type_name(ty), found: value.kind() }
    }
}

/// Sets a field of a record that was made here, to a word of its type.
fn set_field(record: u64, field: u32, word: u64) {
    // SAFETY: this module makes records of the layouts of their types and pins them, and converts each value by the type of
    // its field.
    unsafe { Obj::from_word(record).expect("it was made").set_field(field, word) };
}

/// Sets an element of an array that was made here, to a word of its type.
pub(super) fn set_element(array: u64, at: usize, word: u64) {
    // SAFETY: this module makes arrays and pins them, and converts each value by the type of the elements; none are lent.
    unsafe { Obj::from_word(array).expect("it was made").set_element(at, word) };
}

fn pinned(rt: &mut Runtime, object: Obj) -> u64 {
    rt.pin(object.word());
    object.word()
}

fn heap_error(kind: &FailureKind) -> CallError {
    CallError::Run(RunError::Setup(kind.to_string()))
}
