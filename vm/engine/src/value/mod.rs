//! Values on the host's side of a call.
//!
//! In: values that the host makes, and results ([`result`]). Out: words for the program ([`argument`]), and comparisons
//! ([`comparison`]) and texts for the host. Invariant: parts that values share are compared once, and a text ends after [`MOST_SHOWN`]
//! values, so that neither takes longer than the value is large, however many ways lead to its parts.

mod access;
mod argument;
mod comparison;
mod result;
#[cfg(test)]
mod shapes_tests;
mod table;

#[doc(hidden)]
pub use access::Fields;
pub(crate) use argument::{brings_objects, object_of_words, opaque_to_word, to_word};
pub(crate) use result::{content, of_word, record_field, str_bytes};

use holloway_lang::ir::Elem;
use holloway_runtime::Root;
use holloway_runtime::host_values::HostValue;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

/// Values that a text for debugging shows.
const MOST_SHOWN: usize = 1000;
/// Bytes of a string that it shows.
const MOST_BYTES: usize = 1000;

/// A field of a struct: its name, and its value.
pub type Field = (Arc<str>, Value);

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
    /// An array of numbers that host and program share: [`Value::to`] an [`Array`](crate::Array) gives it back.
    Shared(SharedArray),
    /// A `list[T]`.
    List(Arc<[Value]>),
    /// A `dict[K, V]`: keys with their values, in order of insertion.
    Dict(Arc<[(Value, Value)]>),
    /// A `set[T]`, in order of insertion.
    Set(Arc<[Value]>),
    /// A tuple.
    Tuple(Arc<[Value]>),
    /// A value of an enum: the variant by name, with its payloads.
    Variant(Arc<str>, Arc<[Value]>),
    /// A struct by name, with its fields by name.
    Struct(Arc<str>, Arc<[Field]>),
    /// A function by name; a closure has none and is called `fn`.
    Function(String),
    /// A value of the host.
    Opaque(OpaqueValue),
    /// `none`.
    None,
}

/// A value of the host whose type is not known here: [`Value::to`] an [`Opaque`](crate::Opaque) gives it back.
#[derive(Clone)]
pub struct OpaqueValue {
    pub(crate) name: Arc<str>,
    pub(crate) value: HostValue,
}

/// An array of numbers that host and program share.
#[derive(Clone, Debug)]
pub struct SharedArray {
    pub(crate) root: Root,
    pub(crate) elem: Elem,
    pub(crate) len: usize,
    /// The engine whose program has it.
    pub(crate) engine: u64,
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
    /// A list of such items.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(items.into())
    }

    /// A tuple of such parts.
    pub fn tuple(parts: Vec<Value>) -> Value {
        Value::Tuple(parts.into())
    }

    /// A variant of that name, with such payloads.
    pub fn variant(name: &str, payloads: Vec<Value>) -> Value {
        Value::Variant(name.into(), payloads.into())
    }

    pub(crate) fn kind(&self) -> String {
        match self {
            Value::Int(_) => "an int".into(),
            Value::Float(_) => "a float".into(),
            Value::Bool(_) => "a bool".into(),
            Value::Str(_) => "a str".into(),
            Value::Array(_) => "an array".into(),
            Value::Shared(_) => "an array that is shared".into(),
            Value::List(_) => "a list".into(),
            Value::Dict(_) => "a dict".into(),
            Value::Set(_) => "a set".into(),
            Value::Tuple(parts) => format!("a tuple of {} parts", parts.len()),
            Value::Variant(name, _) => format!("the variant {name}"),
            Value::Struct(name, _) => format!("a struct {name}"),
            Value::Function(name) => format!("the function {name}"),
            Value::Opaque(value) => format!("a value of the host, {}", value.name),
            Value::None => "none".into(),
        }
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
            Value::Array(items) | Value::List(items) => {
                let mut list = f.debug_list();
                list.entries(items.iter().take_while(|_| left.get() > 0).map(|value| Shown { value, left }));
                if left.get() > 0 { list.finish() } else { list.finish_non_exhaustive() }
            }
            Value::Set(items) => {
                let mut set = f.debug_set();
                set.entries(items.iter().take_while(|_| left.get() > 0).map(|value| Shown { value, left }));
                if left.get() > 0 { set.finish() } else { set.finish_non_exhaustive() }
            }
            Value::Dict(entries) => {
                let mut map = f.debug_map();
                for (key, value) in entries.iter().take_while(|_| left.get() > 0) {
                    map.entry(&Shown { value: key, left }, &Shown { value, left });
                }
                if left.get() > 0 { map.finish() } else { map.finish_non_exhaustive() }
            }
            Value::Tuple(parts) => Shown::tuple(f, "", parts, left),
            Value::Variant(name, payloads) if payloads.is_empty() => f.write_str(name),
            Value::Variant(name, payloads) => Shown::tuple(f, name, payloads, left),
            Value::Struct(name, fields) => {
                let mut shown = f.debug_struct(name);
                for (name, value) in fields.iter().take_while(|_| left.get() > 0) {
                    shown.field(name, &Shown { value, left });
                }
                if left.get() > 0 { shown.finish() } else { shown.finish_non_exhaustive() }
            }
            Value::Shared(array) => write!(f, "Shared({} elements)", array.len),
            Value::Function(name) => f.debug_tuple("Function").field(name).finish(),
            Value::Opaque(value) => write!(f, "Opaque({})", value.name),
            Value::None => f.write_str("None"),
        }
    }
}

impl Shown<'_> {
    fn tuple(f: &mut fmt::Formatter<'_>, name: &str, parts: &[Value], left: &Cell<usize>) -> fmt::Result {
        let mut shown = f.debug_tuple(name);
        for value in parts.iter().take_while(|_| left.get() > 0) {
            shown.field(&Shown { value, left });
        }
        if left.get() > 0 { shown.finish() } else { shown.finish_non_exhaustive() }
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
    fn dicts_and_sets_have_no_order() {
        let entry = |n: i64| (Value::tuple(vec![Value::Int(n), Value::from("k")]), Value::Float(n as f64));
        let dict = |numbers: &[i64]| Value::Dict(numbers.iter().map(|n| entry(*n)).collect());
        assert_eq!(dict(&[1, 2, 3]), dict(&[3, 1, 2]));
        assert_ne!(dict(&[1, 2]), dict(&[1, 3]));
        assert_ne!(dict(&[1, 2]), dict(&[1, 2, 3]));
        let set = |names: &[&str]| Value::Set(names.iter().map(|name| Value::variant(name, Vec::new())).collect());
        assert_eq!(set(&["A", "B"]), set(&["B", "A"]));
        assert_ne!(set(&["A", "B"]), set(&["B", "C"]));
        assert_ne!(Value::list(vec![Value::None]), Value::from(vec![Value::None]), "a list is no array");
        let large = |from: i64| Value::Set((from..from + 100_000).map(Value::Int).collect());
        assert_ne!(large(0), large(1));
    }

    #[test]
    fn texts_are_those_of_values() {
        let value = Value::from(vec![Value::Int(1), Value::from("a\n"), doubled(1)]);
        assert_eq!(format!("{value:?}"), "[Int(1), Str(\"a\\n\"), T { l: None, r: None }]");
        let several = Value::tuple(vec![
            Value::list(vec![Value::Bool(true)]),
            Value::Dict([(Value::Int(1), Value::variant("End", Vec::new()))].into()),
            Value::Set([Value::variant("Num", vec![Value::Int(2)])].into()),
        ]);
        assert_eq!(format!("{several:?}"), "([Bool(true)], {Int(1): End}, {Num(Int(2))})");
        let long = Value::from(vec![Value::Int(7); MOST_SHOWN + 1]);
        assert!(format!("{long:?}").ends_with("Int(7), ..]"));
    }
}
