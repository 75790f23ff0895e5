//! Values made of Rust's, and looked at as Rust's.
//!
//! In: anything of [`Type`]. Out: a [`Value`], its parts, or the Rust value that it stands for. Invariant: a look at a value
//! converts nothing, and gives `None` where the value is something else; a conversion then gives an error.

use super::{Field, Value};
use crate::error::CallError;
use crate::types::Type;
use std::sync::Arc;

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Str(text.into_bytes().into())
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Value {
        Value::Str(bytes.into())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::None, T::into)
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(items: [T; N]) -> Value {
        Value::array(items)
    }
}

/// The fields of a struct, for code that `#[derive(Holloway)]` makes.
#[doc(hidden)]
pub struct Fields(Arc<[(Arc<str>, Value)]>);

impl Fields {
    /// A field.
    pub fn get<T: Type>(&self, name: &str) -> Result<T, CallError> {
        let field = self.0.iter().find(|(known, _)| **known == *name);
        let missing = || CallError::Type { expected: format!("a field `{name}`"), found: "none".to_owned() };
        field.ok_or_else(missing).and_then(|(_, value)| value.to())
    }
}

impl Value {
    /// A value of anything that stands for a type of programs.
    pub fn of(value: impl Type) -> Value {
        value.into_value()
    }

    /// The value as one of Rust.
    pub fn to<T: Type>(&self) -> Result<T, CallError> {
        T::of_value(self.clone())
    }

    /// An array of such items.
    pub fn array(items: impl IntoIterator<Item: Into<Value>>) -> Value {
        Value::Array(items.into_iter().map(Into::into).collect())
    }

    /// A struct of that name, with such fields.
    pub fn structure<'a>(name: &str, fields: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        Value::Struct(name.into(), fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// The fields of a struct of that name, with so many of them.
    #[doc(hidden)]
    pub fn fields_of(self, name: &str, count: usize) -> Result<Fields, CallError> {
        match self {
            Value::Struct(found, fields) if *found == *name && fields.len() == count => Ok(Fields(fields)),
            other => Err(CallError::Type { expected: name.to_owned(), found: other.kind() }),
        }
    }

    /// A payload, by its number, of a value of an enum that has it.
    #[doc(hidden)]
    pub fn payload<T: Type>(&self, number: usize) -> Result<T, CallError> {
        let payload = self.as_variant().and_then(|(_, payloads)| payloads.get(number));
        let missing = || CallError::Type { expected: format!("payload {number}"), found: self.kind() };
        payload.ok_or_else(missing).and_then(Value::to)
    }

    /// The error of a value that is none of an enum of that name.
    #[doc(hidden)]
    pub fn is_no(&self, name: &str) -> CallError {
        CallError::Type { expected: name.to_owned(), found: self.kind() }
    }

    /// The number, if it is an `int`.
    pub fn as_int(&self) -> Option<i64> {
        if let Value::Int(value) = self { Some(*value) } else { None }
    }

    /// The number, if it is a `float`.
    pub fn as_float(&self) -> Option<f64> {
        if let Value::Float(value) = self { Some(*value) } else { None }
    }

    /// The truth value, if it is a `bool`.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    /// The bytes, if it is a `str`.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        if let Value::Str(bytes) = self { Some(bytes) } else { None }
    }

    /// The text, if it is a `str` of UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(self.as_bytes()?).ok()
    }

    /// True if it is `none`.
    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }

    /// The parts in order, if it is an array, a list, a set or a tuple.
    pub fn items(&self) -> Option<&[Value]> {
        match self {
            Value::Array(items) | Value::List(items) | Value::Set(items) | Value::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// The entries in order, if it is a dict.
    pub fn entries(&self) -> Option<&[(Value, Value)]> {
        if let Value::Dict(entries) = self { Some(entries) } else { None }
    }

    /// The value of a key, if it is a dict that has it.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries()?.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// A field, if it is a struct that has it.
    pub fn field(&self, name: &str) -> Option<&Value> {
        let Value::Struct(_, fields) = self else { return None };
        fields.iter().find(|(known, _)| **known == *name).map(|(_, value)| value)
    }

    /// The name and the payloads, if it is a value of an enum.
    pub fn as_variant(&self) -> Option<(&str, &[Value])> {
        if let Value::Variant(name, payloads) = self { Some((name, payloads)) } else { None }
    }

    /// The name and the fields, if it is a struct.
    pub fn as_struct(&self) -> Option<(&str, &[Field])> {
        if let Value::Struct(name, fields) = self { Some((name, fields)) } else { None }
    }
}
