//! Values on the host's side of a call, and their conversion to and from the program's heap.
//!
//! In: a [`Value`] and the type of a parameter, or a word and its type. Out: the other of the two. Objects made for
//! arguments are pinned until the call has begun and ended.
#![expect(unsafe_code, reason = "takes words as references, as their types say")]

use super::CallError;
use crate::failure::FailureKind;
use crate::heap::Obj;
use crate::runtime::{Runtime, func_of_word};
use cranelift_entity::EntityRef;
use holloway_lang::ir::{Module, RecordRef, Type, TypeRef};

/// Greatest depth of values on their way out.
const MAX_DEPTH: usize = 1000;

/// A value of the language.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `int`.
    Int(i64),
    /// `float`.
    Float(f64),
    /// `bool`.
    Bool(bool),
    /// `str`: bytes, mostly UTF-8.
    Str(Vec<u8>),
    /// An array. A `[byte]` holds `Int`s.
    Array(Vec<Value>),
    /// A struct by name, with its fields by name.
    Struct(String, Vec<(String, Value)>),
    /// A function by name.
    Function(String),
    /// `none`.
    None,
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::Str(value.as_bytes().to_vec())
    }
}

impl Value {
    fn kind(&self) -> String {
        match self {
            Value::Int(_) => "an int".into(),
            Value::Float(_) => "a float".into(),
            Value::Bool(_) => "a bool".into(),
            Value::Str(_) => "a str".into(),
            Value::Array(_) => "an array".into(),
            Value::Struct(name, _) => format!("a struct {name}"),
            Value::Function(name) => format!("the function {name}"),
            Value::None => "none".into(),
        }
    }
}

/// A value as the word that a parameter of a type takes.
pub(super) fn to_word(rt: &mut Runtime, module: &Module, ty: TypeRef, value: &Value) -> Result<u64, CallError> {
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
        (Type::Record(record), Value::Struct(name, fields)) if *name == module.records[*record].name => {
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
    given: &[(String, Value)],
) -> Result<u64, CallError> {
    let object = rt.alloc_record(record, &[]).map_err(|kind| heap_error(&kind))?;
    let word = pinned(rt, object);
    let decl = &module.records[record];
    for (at, field) in decl.fields.iter().enumerate() {
        let Some((_, value)) = given.iter().find(|(name, _)| *name == field.name) else {
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
    CallError::Run(super::RunError::Setup(kind.to_string()))
}

/// The value that a word of a type stands for: a deep copy.
pub(super) fn of_word(module: &Module, ty: TypeRef, word: u64) -> Result<Value, CallError> {
    read(module, ty, word, MAX_DEPTH)
}

fn read(module: &Module, ty: TypeRef, word: u64, depth: usize) -> Result<Value, CallError> {
    let depth = depth.checked_sub(1).ok_or(CallError::TooDeep)?;
    // SAFETY: a word of one of these types is a reference to a live object: nothing was allocated
    // since the program gave it to us.
    let object = || unsafe { Obj::from_word(word) }.expect("only an optional is `none`");
    Ok(match &module.types[ty] {
        Type::Int | Type::Byte => Value::Int(word as i64),
        Type::Float => Value::Float(f64::from_bits(word)),
        Type::Bool => Value::Bool(word & 1 != 0),
        Type::Str => Value::Str(object().bytes().to_vec()),
        Type::Array(of) => {
            let array = object();
            let items = (0..array.len()).map(|at| read(module, *of, array.element(at), depth));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        Type::Record(record) => {
            let (object, decl) = (object(), &module.records[*record]);
            let fields = decl.fields.iter().enumerate().map(|(at, field)| {
                // SAFETY: the object is a record of these fields, by its type.
                let value = unsafe { object.field(at as u32) };
                Ok((field.name.clone(), read(module, field.ty, value, depth)?))
            });
            Value::Struct(decl.name.clone(), fields.collect::<Result<_, CallError>>()?)
        }
        Type::Optional(_) if word == 0 => Value::None,
        Type::Optional(of) => read(module, *of, word, depth)?,
        Type::Func(_) => {
            let func = func_of_word(word).expect("only an optional is `none`");
            Value::Function(module.function(func).name.clone())
        }
    })
}
