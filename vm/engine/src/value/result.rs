//! From the word that a call gives to a value of the host.
//!
//! In: a word and its type. Out: a [`Value`], a copy. Invariants: each object is copied once, so values share what
//! objects share; all copies together take no more bytes than the limit, and are nested no deeper than [`MAX_DEPTH`],
//! whatever way leads to them: so the host can walk and drop them.
#![expect(unsafe_code, reason = "takes words as references, as their types say")]

use super::Value;
use crate::error::CallError;
use hashbrown::HashMap;
use holloway_lang::ir::{Module, RecordRef, Type, TypeRef};
use holloway_runtime::func_of_word;
use holloway_runtime::heap::Obj;
use std::sync::Arc;

/// Greatest depth of values on their way out.
const MAX_DEPTH: usize = 1000;
/// Bytes that a copied object takes here besides its contents: a place among those that were copied, and counts of
/// references.
const OBJECT_BYTES: usize = 96;

/// The value that a word of a type stands for: a deep copy of at most so many bytes.
pub(crate) fn of_word(module: &Module, ty: TypeRef, word: u64, limit: usize) -> Result<Value, CallError> {
    let mut copier = Copier { module, limit, left: limit, objects: HashMap::new(), names: HashMap::new() };
    Ok(copier.copy(ty, word, MAX_DEPTH)?.value)
}

/// Copies objects.
struct Copier<'a> {
    module: &'a Module,
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

impl Copier<'_> {
    /// Copies a value of at most so many levels.
    fn copy(&mut self, ty: TypeRef, word: u64, levels: usize) -> Result<Copied, CallError> {
        let mut of = ty;
        while let Type::Optional(inner) = self.module.types[of] {
            if word == 0 {
                return Ok(Value::None.into());
            }
            of = inner;
        }
        Ok(match &self.module.types[of] {
            Type::Int | Type::Byte => Value::Int(word as i64).into(),
            Type::Float => Value::Float(f64::from_bits(word)).into(),
            Type::Bool => Value::Bool(word & 1 != 0).into(),
            Type::Func(_) | Type::Code(_) => {
                let func = func_of_word(word).expect("only an optional is `none`");
                let name = &self.module.function(func).name;
                self.take(name.len())?;
                Value::Function(name.clone()).into()
            }
            Type::Str | Type::Array(_) | Type::Record(_) => return self.object(of, word, levels),
            Type::Optional(_) => unreachable!("it was looked through"),
        })
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
        // SAFETY: a word of one of these types is a reference to a live object: nothing was allocated
        // since the program gave it to us.
        let object = unsafe { Obj::from_word(word) }.expect("only an optional is `none`");
        let inner = match &self.module.types[ty] {
            Type::Str => {
                self.take(object.len())?;
                Value::Str(object.bytes().into()).into()
            }
            Type::Array(of) => self.array(*of, object, levels)?,
            Type::Record(record) => self.record(*record, object, levels)?,
            other => unreachable!("a value of type {other:?} is no object"),
        };
        let copied = Copied { height: inner.height + 1, ..inner };
        self.objects.insert(word, Some(copied.clone()));
        Ok(copied)
    }

    /// Copies elements; the height is that of the highest.
    fn array(&mut self, of: TypeRef, array: Obj, levels: usize) -> Result<Copied, CallError> {
        let len = array.len();
        self.take(len.saturating_mul(size_of::<Value>()))?;
        let (mut items, mut height) = (Vec::with_capacity(len), 0);
        for at in 0..len {
            let item = self.copy(of, array.element(at), levels)?;
            height = height.max(item.height);
            items.push(item.value);
        }
        Ok(Copied { value: Value::Array(items.into()), height })
    }

    /// Copies fields; the height is that of the highest.
    fn record(&mut self, record: RecordRef, object: Obj, levels: usize) -> Result<Copied, CallError> {
        let (name, names) = self.names_of(record)?;
        self.take(names.len().saturating_mul(size_of::<(Arc<str>, Value)>()))?;
        let (mut fields, mut height) = (Vec::with_capacity(names.len()), 0);
        for (at, field) in names.iter().enumerate() {
            let ty = self.module.records[record].fields[at].ty;
            // SAFETY: the object is a record of these fields, by its type.
            let word = unsafe { object.field(at as u32) };
            let copied = self.copy(ty, word, levels)?;
            height = height.max(copied.height);
            fields.push((Arc::clone(field), copied.value));
        }
        Ok(Copied { value: Value::Struct(name, fields.into()), height })
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
