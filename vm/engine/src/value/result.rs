//! From the word that a call gives to a value of the host.
//!
//! In: a word and its type. Out: a [`Value`], a copy. Invariants: each object is copied once, so values share what
//! objects share; all copies together take no more bytes than the limit, and are nested no deeper than [`MAX_DEPTH`],
//! whatever way leads to them: so the host can walk and drop them.
#![expect(unsafe_code, reason = "takes words as references, as their types say")]

use super::{OpaqueValue, Value};
use crate::error::CallError;
use hashbrown::HashMap;
use holloway_lang::ir::{Module, Record, RecordRef, Shape, Type, TypeRef};
use holloway_runtime::heap::Obj;
use holloway_runtime::host_values::HostValues;
use holloway_runtime::{Runtime, func_of_word};
use std::sync::Arc;

/// Greatest depth of values on their way out.
const MAX_DEPTH: usize = 1000;
/// Bytes that a copied object takes here besides its contents: a place among those that were copied, and counts of
/// references.
const OBJECT_BYTES: usize = 96;

/// The value that a word of a type stands for: a deep copy of at most as many bytes as the heap may have.
pub(crate) fn of_word(rt: &Runtime, ty: TypeRef, word: u64) -> Result<Value, CallError> {
    let limit = rt.heap().limit();
    let mut copier = Copier {
        module: rt.module(),
        hosts: &rt.host_values,
        limit,
        left: limit,
        objects: HashMap::new(),
        names: HashMap::new(),
    };
    Ok(copier.copy(ty, word, MAX_DEPTH)?.value)
}

/// The content of an optional, with its type, unless it is `none`.
pub(crate) fn content(module: &Module, ty: TypeRef, word: u64) -> Option<(TypeRef, u64)> {
    let Type::Optional(of) = module.types[ty] else { unreachable!("the type is an optional one") };
    match (word, module.is_boxed(of)) {
        (0, _) => None,
        (word, true) => Some((of, field(object_of(word), 0))),
        (word, false) => Some((of, word)),
    }
}

/// A field of the record that a word refers to.
pub(crate) fn record_field(word: u64, number: u32) -> u64 {
    field(object_of(word), number)
}

/// An element of the array that a word refers to.
pub(super) fn element(array: u64, at: usize) -> u64 {
    object_of(array).element(at)
}

/// The number of the variant that a word of an enum with payloads refers to.
pub(super) fn object_tag(word: u64) -> usize {
    record_field(word, 0) as usize
}

/// The hash of the string that a word refers to, as programs find it.
pub(super) fn str_hash(word: u64) -> i64 {
    holloway_runtime::builtins::search::str_hash(object_of(word))
}

/// The bytes of the string that a word refers to, which does not change.
///
/// # Safety
/// The string is kept for as long as the bytes are used.
pub(crate) unsafe fn str_bytes<'a>(word: u64) -> &'a [u8] {
    let object = object_of(word);
    let bytes: *const [u8] = object.bytes();
    // SAFETY: the caller keeps the string; objects do not move, and the bytes of a string are never written again.
    unsafe { &*bytes }
}

/// Copies objects.
struct Copier<'a> {
    module: &'a Module,
    hosts: &'a HostValues,
    /// Bytes that all copies may take.
    limit: usize,
    /// Bytes that further ones may take.
    left: usize,
    /// Objects that were met, by address; `None` while its parts are copied.
    objects: HashMap<u64, Option<Copied>>,
    /// Names of structs that were met, and of their fields.
    names: HashMap<RecordRef, Names>,
}

/// The name of a struct, and those of its fields.
type Names = (Arc<str>, Arc<[Arc<str>]>);

/// A copy.
#[derive(Clone)]
struct Copied {
    value: Value,
    /// Levels of objects in it.
    height: usize,
}

impl From<Value> for Copied {
    fn from(value: Value) -> Copied {
        Copied { value, height: 0 }
    }
}

/// Copies of parts; the height is that of the highest.
struct Parts<T> {
    items: Vec<T>,
    height: usize,
}

impl Parts<Value> {
    fn push(&mut self, part: Copied) {
        self.height = self.height.max(part.height);
        self.items.push(part.value);
    }
}

impl<T> Parts<T> {
    fn copied(self, value: impl FnOnce(Arc<[T]>) -> Value) -> Copied {
        Copied { value: value(self.items.into()), height: self.height }
    }
}

/// The object that a word refers to.
fn object_of(word: u64) -> Obj {
    // SAFETY: a word of a type of references is one to a live object: nothing was allocated since the program gave it to
    // us.
    unsafe { Obj::from_word(word) }.expect("only an optional is `none`")
}

/// A field of a record.
fn field(object: Obj, number: u32) -> u64 {
    // SAFETY: the object is a record of the fields that its type has, and this is one of them.
    unsafe { object.field(number) }
}

impl Copier<'_> {
    /// Copies a value of at most so many levels.
    fn copy(&mut self, ty: TypeRef, word: u64, levels: usize) -> Result<Copied, CallError> {
        let (mut of, mut word) = (ty, word);
        while let Type::Optional(inner) = self.module.types[of] {
            if word == 0 {
                return Ok(Value::None.into());
            }
            if self.module.is_boxed(inner) {
                word = field(object_of(word), 0);
            }
            of = inner;
        }
        Ok(match &self.module.types[of] {
            Type::Int | Type::Byte => Value::Int(word as i64).into(),
            Type::Float => Value::Float(f64::from_bits(word)).into(),
            Type::Bool => Value::Bool(word & 1 != 0).into(),
            Type::Func(_) if self.module.closures => self.function(field(object_of(word), 0))?,
            Type::Func(_) | Type::Code(_) => self.function(word)?,
            Type::Record(record) if let Shape::Tag(names) = &self.module.records[*record].shape => {
                let name = &names[word as usize];
                self.take(name.len())?;
                Value::Variant((**name).into(), [].into()).into()
            }
            Type::Str | Type::Array(_) | Type::Record(_) => return self.object(of, word, levels),
            Type::Optional(_) => unreachable!("it was looked through"),
        })
    }

    /// A function by the name of its code.
    fn function(&mut self, word: u64) -> Result<Copied, CallError> {
        let func = func_of_word(word).expect("only an optional is `none`");
        let name = &self.module.function(func).name;
        self.take(name.len())?;
        Ok(Value::Function(name.clone()).into())
    }

    /// Copies an object, unless it was copied before.
    fn object(&mut self, ty: TypeRef, word: u64, levels: usize) -> Result<Copied, CallError> {
        match self.objects.get(&word) {
            Some(Some(copied)) if copied.height <= levels => return Ok(copied.clone()),
            // An object that is part of itself, too.
            Some(_) => return Err(CallError::TooDeep),
            None => {}
        }
        let levels = levels.checked_sub(1).ok_or(CallError::TooDeep)?;
        self.take(OBJECT_BYTES)?;
        self.objects.insert(word, None);
        let object = object_of(word);
        let inner = match &self.module.types[ty] {
            Type::Str => {
                self.take(object.len())?;
                Value::Str(object.bytes().into()).into()
            }
            Type::Array(of) => self.items(*of, object, object.len(), levels)?.copied(Value::Array),
            Type::Record(record) => self.record(*record, object, levels)?,
            other => unreachable!("a value of type {other:?} is no object"),
        };
        let copied = Copied { height: inner.height + 1, ..inner };
        self.objects.insert(word, Some(copied.clone()));
        Ok(copied)
    }

    /// Copies the first so many elements of an array.
    fn items(&mut self, of: TypeRef, array: Obj, len: usize, levels: usize) -> Result<Parts<Value>, CallError> {
        let len = len.min(array.len());
        let mut parts = self.parts(len)?;
        for at in 0..len {
            parts.push(self.copy(of, array.element(at), levels)?);
        }
        Ok(parts)
    }

    /// Copies a record, by its shape.
    fn record(&mut self, record: RecordRef, object: Obj, levels: usize) -> Result<Copied, CallError> {
        let Record { fields, shape, .. } = &self.module.records[record];
        match shape {
            Shape::Tuple => {
                let numbers: Vec<u32> = (0..fields.len() as u32).collect();
                Ok(self.fields(record, object, &numbers, levels)?.copied(Value::Tuple))
            }
            Shape::List => {
                let of = self.module.element_type(fields[0].ty);
                let (array, len) = (object_of(field(object, 0)), field(object, 1) as usize);
                Ok(self.items(of, array, len, levels)?.copied(Value::List))
            }
            Shape::Dict => Ok(self.dict(record, object, levels)?.copied(Value::Dict)),
            Shape::Set => {
                let Type::Record(dict) = self.module.types[fields[0].ty] else { unreachable!("a set has a dict") };
                let Parts { items, height } = self.dict(dict, object_of(field(object, 0)), levels)?;
                let keys: Arc<[Value]> = items.into_iter().map(|(key, _)| key).collect();
                Ok(Copied { value: Value::Set(keys), height })
            }
            Shape::Enum(variants) => {
                let variant = &variants[field(object, 0) as usize];
                self.take(variant.name.len())?;
                let payloads = self.fields(record, object, &variant.fields, levels)?;
                Ok(payloads.copied(|payloads| Value::Variant((*variant.name).into(), payloads)))
            }
            Shape::Struct if let Some(value) = self.hosts.get(object.word()) => {
                let (name, value) = (self.names_of(record)?.0, Arc::clone(value));
                Ok(Value::Opaque(OpaqueValue { name, value }).into())
            }
            Shape::Struct | Shape::Tag(_) | Shape::Closure | Shape::Box | Shape::Hidden => {
                self.named_fields(record, object, levels)
            }
        }
    }

    /// Copies fields by their numbers.
    fn fields(
        &mut self,
        record: RecordRef,
        object: Obj,
        numbers: &[u32],
        levels: usize,
    ) -> Result<Parts<Value>, CallError> {
        let mut parts = self.parts(numbers.len())?;
        for number in numbers {
            let ty = self.module.records[record].fields[*number as usize].ty;
            parts.push(self.copy(ty, field(object, *number), levels)?);
        }
        Ok(parts)
    }

    /// Copies the entries that were not removed.
    fn dict(&mut self, record: RecordRef, object: Obj, levels: usize) -> Result<Parts<(Value, Value)>, CallError> {
        let fields = &self.module.records[record].fields;
        let [of_keys, of_values] = [0, 1].map(|at: usize| self.module.element_type(fields[at].ty));
        let [keys, values, hashes] = [0, 1, 2].map(|at| object_of(field(object, at)));
        let there = (0..field(object, 3) as usize).filter(|entry| hashes.element(*entry) as i64 >= 0);
        let mut parts = self.parts(there.clone().count())?;
        for entry in there {
            let key = self.copy(of_keys, keys.element(entry), levels)?;
            let value = self.copy(of_values, values.element(entry), levels)?;
            let height = key.height.max(value.height);
            parts.height = parts.height.max(height);
            parts.items.push((key.value, value.value));
        }
        Ok(parts)
    }

    /// Copies the fields of a struct.
    fn named_fields(&mut self, record: RecordRef, object: Obj, levels: usize) -> Result<Copied, CallError> {
        let (name, names) = self.names_of(record)?;
        let mut parts: Parts<(Arc<str>, Value)> = self.parts(names.len())?;
        for (at, name) in names.iter().enumerate() {
            let ty = self.module.records[record].fields[at].ty;
            let copied = self.copy(ty, field(object, at as u32), levels)?;
            parts.height = parts.height.max(copied.height);
            parts.items.push((Arc::clone(name), copied.value));
        }
        Ok(parts.copied(|fields| Value::Struct(name, fields)))
    }

    /// Room for so many parts.
    fn parts<T>(&mut self, count: usize) -> Result<Parts<T>, CallError> {
        self.take(count.saturating_mul(size_of::<T>()))?;
        Ok(Parts { items: Vec::with_capacity(count), height: 0 })
    }

    fn names_of(&mut self, record: RecordRef) -> Result<Names, CallError> {
        if let Some(known) = self.names.get(&record) {
            return Ok(known.clone());
        }
        let decl = &self.module.records[record];
        let bytes: usize = decl.fields.iter().map(|field| field.name.len() + size_of::<Arc<str>>()).sum();
        self.take(decl.name.len() + bytes)?;
        let fields = decl.fields.iter().map(|field| Arc::from(&*field.name)).collect();
        let names = (Arc::from(&*decl.name), fields);
        self.names.insert(record, names.clone());
        Ok(names)
    }

    fn take(&mut self, bytes: usize) -> Result<(), CallError> {
        self.left = self.left.checked_sub(bytes).ok_or(CallError::TooLarge { limit: self.limit })?;
        Ok(())
    }
}
