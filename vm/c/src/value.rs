//! Values as C sees them.
//!
//! In: values of either side. Out: those of the other. Invariant: what a value of C points to is copied on its way in; on its
//! way out it is kept in a [`Kept`].
#![expect(unsafe_code, reason = "reads what C points to")]

use crate::callable::Callable;
use holloway::Value;
use std::ffi::c_char;
use std::slice;
use std::sync::Arc;

/// The kinds of `hw_kind`.
mod kind {
    pub(super) const NONE: u32 = 0;
    pub(super) const INT: u32 = 1;
    pub(super) const FLOAT: u32 = 2;
    pub(super) const BOOL: u32 = 3;
    pub(super) const STR: u32 = 4;
    pub(super) const INTS: u32 = 5;
    pub(super) const FLOATS: u32 = 6;
    pub(super) const FUNCTION: u32 = 7;
}

/// `hw_value`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CValue {
    kind: u32,
    content: Content,
}

#[repr(C)]
#[derive(Clone, Copy)]
union Content {
    int: i64,
    float: f64,
    /// Any byte, as C may store anything.
    bool: u8,
    bytes: Items<c_char>,
    ints: Items<i64>,
    floats: Items<f64>,
    function: *const Callable,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Items<T> {
    items: *const T,
    len: usize,
}

impl<T: Copy> Items<T> {
    fn of(items: &[T]) -> Items<T> {
        Items { items: items.as_ptr(), len: items.len() }
    }

    /// # Safety
    /// The pointer leads to as many items, unless there are none.
    unsafe fn get<'a>(self) -> Result<&'a [T], String> {
        match self {
            Items { len: 0, .. } => Ok(&[]),
            Items { items, .. } if items.is_null() || !items.is_aligned() => {
                Err("a value points to nothing".to_owned())
            }
            // SAFETY: the caller vouches for it.
            Items { items, len } => Ok(unsafe { slice::from_raw_parts(items, len) }),
        }
    }
}

/// Contents of values that C sees, which live as long as this does.
#[derive(Default)]
pub(crate) struct Kept {
    values: Vec<Value>,
    ints: Vec<Box<[i64]>>,
    floats: Vec<Box<[f64]>>,
    functions: Vec<Arc<Callable>>,
}

impl Kept {
    /// A function of the program as C sees it.
    pub(crate) fn show_function(&mut self, function: Callable) -> CValue {
        let function = Arc::new(function);
        let content = Content { function: Arc::as_ptr(&function) };
        self.functions.push(function);
        CValue { kind: kind::FUNCTION, content }
    }

    /// A value as C sees it. Its type is asked for where the value does not tell it: as a program writes it.
    pub(crate) fn show(&mut self, value: Value, ty: impl FnOnce() -> Option<String>) -> Result<CValue, String> {
        let shown = match &value {
            Value::None => CValue::NONE,
            Value::Int(int) => CValue { kind: kind::INT, content: Content { int: *int } },
            Value::Float(float) => CValue { kind: kind::FLOAT, content: Content { float: *float } },
            Value::Bool(bool) => CValue { kind: kind::BOOL, content: Content { bool: u8::from(*bool) } },
            Value::Str(bytes) => {
                let bytes = Items { items: bytes.as_ptr().cast(), len: bytes.len() };
                CValue { kind: kind::STR, content: Content { bytes } }
            }
            Value::Array(items) if items.is_empty() && ty().is_some_and(|ty| ty.starts_with("[float]")) => {
                CValue { kind: kind::FLOATS, content: Content { floats: Items::of(&[]) } }
            }
            Value::Array(items) => {
                let ints: Option<Box<[i64]>> = items.iter().map(Value::as_int).collect();
                let floats: Option<Box<[f64]>> = items.iter().map(Value::as_float).collect();
                match (ints, floats) {
                    (Some(ints), _) => {
                        let content = Content { ints: Items::of(&ints) };
                        self.ints.push(ints);
                        CValue { kind: kind::INTS, content }
                    }
                    (None, Some(floats)) => {
                        let content = Content { floats: Items::of(&floats) };
                        self.floats.push(floats);
                        CValue { kind: kind::FLOATS, content }
                    }
                    (None, None) => return Err("an array of other values than numbers has no form in C".to_owned()),
                }
            }
            other => return Err(format!("a value such as {other:?} has no form in C")),
        };
        self.values.push(value);
        Ok(shown)
    }
}

impl CValue {
    /// `HW_NONE`
    pub(crate) const NONE: CValue = CValue { kind: kind::NONE, content: Content { int: 0 } };

    /// A copy of the value.
    ///
    /// # Safety
    /// The value has the content that its kind says, which may be read.
    pub(crate) unsafe fn copy(&self) -> Result<Value, String> {
        let content = self.content;
        // SAFETY: the caller vouches for the content of each kind.
        unsafe {
            Ok(match self.kind {
                kind::NONE => Value::None,
                kind::INT => Value::Int(content.int),
                kind::FLOAT => Value::Float(content.float),
                kind::BOOL => Value::Bool(content.bool != 0),
                kind::STR => {
                    let Items { items, len } = content.bytes;
                    Value::from(Items { items: items.cast::<u8>(), len }.get()?)
                }
                kind::INTS => Value::array(content.ints.get()?.iter().copied()),
                kind::FLOATS => Value::array(content.floats.get()?.iter().copied()),
                kind::FUNCTION => return Err("a function of the program can be called, and nothing else".to_owned()),
                other => return Err(format!("there is no kind {other} of values")),
            })
        }
    }
}
