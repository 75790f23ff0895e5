//! Conversions of the types that need no definition.
//!
//! In: words, or values. Out: values of Rust. Invariant: numbers and truth values are converted without a look at the heap.

use super::{Described, Program, Type, Word, mismatch};
use crate::arity::each_tuple;
use crate::error::CallError;
use crate::value::{self, Value};
use holloway_lang::ir::{Type as IrType, TypeRef};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

/// A `list[T]`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct List<T>(pub Vec<T>);

macro_rules! numbers {
    ($($rust:ty, $described:ident, $value:ident, $of:expr, $into:expr;)*) => {$(
        impl Type for $rust {
            fn describe() -> Described {
                Described::$described
            }

            fn of_value(value: Value) -> Result<Self, CallError> {
                match value {
                    Value::$value(value) => Ok(value),
                    other => Err(mismatch::<Self>(&other)),
                }
            }

            fn into_value(self) -> Value {
                Value::$value(self)
            }

            #[inline]
            fn of_word(_: &mut Program<'_>, _: TypeRef, word: Word) -> Result<Self, CallError> {
                Ok($of(word.0))
            }

            #[inline]
            fn into_word(self, _: &mut Program<'_>, _: TypeRef) -> Result<Word, CallError> {
                Ok(Word($into(self)))
            }
        }
    )*};
}

numbers! {
    i64, Int, Int, |word| word as i64, |value| value as u64;
    f64, Float, Float, f64::from_bits, f64::to_bits;
    bool, Bool, Bool, |word| word & 1 != 0, u64::from;
}

impl Type for String {
    fn describe() -> Described {
        Described::Str
    }

    fn of_value(value: Value) -> Result<Self, CallError> {
        match value {
            Value::Str(bytes) => String::from_utf8(bytes.to_vec()).map_err(|_| CallError::NotUtf8),
            other => Err(mismatch::<Self>(&other)),
        }
    }

    fn into_value(self) -> Value {
        Value::Str(self.into_bytes().into())
    }
}

/// An argument that is borrowed; no result is one.
impl Type for &str {
    fn describe() -> Described {
        Described::Str
    }

    fn of_value(value: Value) -> Result<Self, CallError> {
        Err(mismatch::<String>(&value))
    }

    fn into_value(self) -> Value {
        Value::from(self)
    }
}

impl<T: Type> Type for Option<T> {
    fn describe() -> Described {
        Described::optional(T::describe())
    }

    fn of_value(value: Value) -> Result<Self, CallError> {
        match value {
            Value::None => Ok(None),
            value => T::of_value(value).map(Some),
        }
    }

    fn into_value(self) -> Value {
        self.map_or(Value::None, T::into_value)
    }

    fn of_word(program: &mut Program<'_>, ty: TypeRef, word: Word) -> Result<Self, CallError> {
        let Some((content, word)) = value::content(program.rt.module(), ty, word.0) else { return Ok(None) };
        T::of_word(program, content, Word(word)).map(Some)
    }

    fn into_word(self, program: &mut Program<'_>, ty: TypeRef) -> Result<Word, CallError> {
        let Some(content) = self else { return Ok(Word(0)) };
        let IrType::Optional(of) = program.rt.module().types[ty] else { unreachable!("the types were compared") };
        let word = content.into_word(program, of)?.0;
        match program.rt.module().box_of(of) {
            Some(record) => value::object_of_words(program.rt, record, &[(0, word)]).map(Word),
            None => Ok(Word(word)),
        }
    }
}

impl<T: Type> Type for Vec<T> {
    fn describe() -> Described {
        Described::Array(Box::new(T::describe()))
    }

    fn of_value(value: Value) -> Result<Self, CallError> {
        match value {
            Value::Array(items) => items.iter().cloned().map(T::of_value).collect(),
            other => Err(mismatch::<Self>(&other)),
        }
    }

    fn into_value(self) -> Value {
        Value::Array(self.into_iter().map(T::into_value).collect())
    }
}

impl<T: Type> Type for List<T> {
    fn describe() -> Described {
        Described::List(Box::new(T::describe()))
    }

    fn of_value(value: Value) -> Result<Self, CallError> {
        match value {
            Value::List(items) => items.iter().cloned().map(T::of_value).collect::<Result<_, _>>().map(List),
            other => Err(mismatch::<Self>(&other)),
        }
    }

    fn into_value(self) -> Value {
        Value::List(self.0.into_iter().map(T::into_value).collect())
    }
}

impl<T: Type> Type for Box<T> {
    fn describe() -> Described {
        T::describe()
    }

    fn of_value(value: Value) -> Result<Self, CallError> {
        T::of_value(value).map(Box::new)
    }

    fn into_value(self) -> Value {
        (*self).into_value()
    }
}

/// Declares maps or sets.
macro_rules! collections {
    ($($of:ident, $shape:ident: $rust:ty, [$($generics:tt)*], $describe:expr, $item:expr, $value:expr;)*) => {$(
        impl<$($generics)*> Type for $rust {
            fn describe() -> Described {
                $describe
            }

            fn of_value(value: Value) -> Result<Self, CallError> {
                match value {
                    Value::$shape(items) => items.iter().cloned().map($item).collect(),
                    other => Err(mismatch::<Self>(&other)),
                }
            }

            fn into_value(self) -> Value {
                Value::$shape(self.into_iter().map($value).collect())
            }
        }
    )*};
}

fn dict<K: Type, V: Type>() -> Described {
    Described::Dict(Box::new((K::describe(), V::describe())))
}

fn entry<K: Type, V: Type>((key, value): (Value, Value)) -> Result<(K, V), CallError> {
    Ok((K::of_value(key)?, V::of_value(value)?))
}

fn values<K: Type, V: Type>((key, value): (K, V)) -> (Value, Value) {
    (key.into_value(), value.into_value())
}

fn set<T: Type>() -> Described {
    Described::Set(Box::new(T::describe()))
}

collections! {
    map, Dict: HashMap<K, V, S>, [K: Type + Eq + Hash, V: Type, S: BuildHasher + Default], dict::<K, V>(), entry, values;
    map, Dict: BTreeMap<K, V>, [K: Type + Ord, V: Type], dict::<K, V>(), entry, values;
    set, Set: HashSet<T, S>, [T: Type + Eq + Hash, S: BuildHasher + Default], set::<T>(), T::of_value, T::into_value;
    set, Set: BTreeSet<T>, [T: Type + Ord], set::<T>(), T::of_value, T::into_value;
}

macro_rules! tuples {
    ($($($name:ident $at:tt),*;)*) => {$(
        impl<$($name: Type),*> Type for ($($name,)*) {
            fn describe() -> Described {
                Described::Tuple(vec![$($name::describe()),*])
            }

            fn of_value(value: Value) -> Result<Self, CallError> {
                match value {
                    Value::Tuple(parts) if parts.len() == [$($at),*].len() => Ok(($($name::of_value(parts[$at].clone())?,)*)),
                    other => Err(mismatch::<Self>(&other)),
                }
            }

            fn into_value(self) -> Value {
                Value::Tuple([$(self.$at.into_value()),*].into())
            }
        }
    )*};
}

each_tuple!(tuples);
