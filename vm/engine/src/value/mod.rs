//! Values on the host's side of a call.
//!
//! In: values that the host makes, and results ([`result`]). Out: words for the program ([`argument`]), and comparisons
//! and texts for the host. Invariant: parts that values share are compared once, and a text ends after [`MOST_SHOWN`]
//! values, so that neither takes longer than the value is large, however many ways lead to its parts.

mod argument;
mod result;

pub(crate) use argument::to_word;
pub(crate) use result::of_word;

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// Values that a text for debugging shows.
const MOST_SHOWN: usize = 1000;
/// Bytes of a string that it shows.
const MOST_BYTES: usize = 1000;

/// A value of the language. Clones share strings, elements and fields.
#[derive(Clone)]
pub enum Value {
    /// `int`.
    Int(i64),
    /// `float`.
    Float(f64),
    /// `bool`.
    Bool(bool),
    /// `str`: bytes, mostly UTF-8.
    Str(Arc<[u8]>),
    /// An array. A `[byte]` holds `Int`s.
    Array(Arc<[Value]>),
    /// A struct by name, with its fields by name.
    Struct(Arc<str>, Arc<[(Arc<str>, Value)]>),
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
        Value::Str(value.as_bytes().into())
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::Array(items.into())
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

/// Values are equal if they have the same form and the same leaves. A part equals itself, even with a NaN in it.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        Comparison::default().equal(self, other)
    }
}

/// Pairs of shared parts that were compared, or are being compared: if they differ, so do the values.
#[derive(Default)]
struct Comparison(HashSet<(usize, usize)>);

impl Comparison {
    fn equal(&mut self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => self.is_known(a, b) || a == b,
            (Value::Array(a), Value::Array(b)) => {
                self.is_known(a, b) || a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| self.equal(a, b))
            }
            (Value::Struct(a, of_a), Value::Struct(b, of_b)) => {
                let fields = || of_a.iter().zip(&**of_b);
                a == b
                    && (self.is_known(of_a, of_b)
                        || of_a.len() == of_b.len()
                            && fields().all(|((a, of_a), (b, of_b))| a == b && self.equal(of_a, of_b)))
            }
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::None, Value::None) => true,
            (
                Value::Int(_)
                | Value::Float(_)
                | Value::Bool(_)
                | Value::Str(_)
                | Value::Array(_)
                | Value::Struct(..)
                | Value::Function(_)
                | Value::None,
                _,
            ) => false,
        }
    }

    /// Returns true if two parts are one, or if they are compared elsewhere.
    fn is_known<T: ?Sized>(&mut self, a: &Arc<T>, b: &Arc<T>) -> bool {
        let is_shared = Arc::strong_count(a) > 1 && Arc::strong_count(b) > 1;
        let pair = (Arc::as_ptr(a).addr(), Arc::as_ptr(b).addr());
        Arc::ptr_eq(a, b) || is_shared && !self.0.insert(pair)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown { value: self, left: &Cell::new(MOST_SHOWN) }.fmt(f)
    }
}

/// A value in a text that may show so many more.
struct Shown<'a> {
    value: &'a Value,
    left: &'a Cell<usize>,
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = self.left;
        left.set(left.get().saturating_sub(1));
        match self.value {
            Value::Int(value) => f.debug_tuple("Int").field(value).finish(),
            Value::Float(value) => f.debug_tuple("Float").field(value).finish(),
            Value::Bool(value) => f.debug_tuple("Bool").field(value).finish(),
            Value::Str(bytes) => {
                let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_BYTES)]);
                write!(f, "Str({text:?}{})", if bytes.len() > MOST_BYTES { "..." } else { "" })
            }
            Value::Array(items) => {
                let mut list = f.debug_list();
                list.entries(items.iter().take_while(|_| left.get() > 0).map(|value| Shown { value, left }));
                if left.get() > 0 { list.finish() } else { list.finish_non_exhaustive() }
            }
            Value::Struct(name, fields) => {
                let mut shown = f.debug_struct(name);
                for (name, value) in fields.iter().take_while(|_| left.get() > 0) {
                    shown.field(name, &Shown { value, left });
                }
                if left.get() > 0 { shown.finish() } else { shown.finish_non_exhaustive() }
            }
            Value::Function(name) => f.debug_tuple("Function").field(name).finish(),
            Value::None => f.write_str("None"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A struct of two fields, which are one value, so many levels deep.
    fn doubled(levels: usize) -> Value {
        let of = |value: Value| {
            let fields = [("l".into(), value.clone()), ("r".into(), value)];
            Value::Struct("T".into(), Arc::new(fields))
        };
        (0..levels).fold(Value::None, |value, _| of(value))
    }

    #[test]
    fn shared_parts_are_compared_and_shown_once() {
        assert_eq!(doubled(500), doubled(500));
        assert_ne!(doubled(500), doubled(499));
        assert!(format!("{:?}", doubled(60)).len() < 100 * MOST_SHOWN);
    }

    #[test]
    fn values_are_equal_by_form_and_leaves() {
        let list = |n: i64| Value::from(vec![Value::Int(1), Value::from("a"), Value::Int(n), Value::None]);
        assert_eq!(list(2), list(2));
        assert_ne!(list(2), list(3));
        assert_ne!(Value::from(vec![]), Value::from(vec![Value::None]));
        assert_ne!(Value::Int(1), Value::Bool(true));
        assert_ne!(Value::Float(f64::NAN), Value::Float(f64::NAN));
    }

    #[test]
    fn texts_are_those_of_values() {
        let value = Value::from(vec![Value::Int(1), Value::from("a\n"), doubled(1)]);
        assert_eq!(format!("{value:?}"), "[Int(1), Str(\"a\\n\"), T { l: None, r: None }]");
        let long = Value::from(vec![Value::Int(7); MOST_SHOWN + 1]);
        assert!(format!("{long:?}").ends_with("Int(7), ..]"));
    }
}
