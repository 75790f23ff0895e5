//! Parameters of functions of the host.
//!
//! In: a word that a program gave. Out: a value, which may borrow from the program's heap. Invariant: what is borrowed is
//! pinned until the call has ended, and nothing borrowed outlives [`Given`].
#![expect(unsafe_code, reason = "lends strings and values of the host, which the call keeps")]

use crate::arity::each_tuple;
use crate::error::CallError;
use crate::opaque::{self, Opaque, Release};
use crate::types::{Described, Program, Type, Word};
use crate::value;
use holloway_lang::ir::TypeRef;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

/// The arguments of one call, for as long as it lasts: the values of the host that it borrows.
#[derive(Default)]
pub struct Given {
    borrowed: RefCell<Vec<Borrowed>>,
}

enum Borrowed {
    Shared(Arc<dyn Release>),
    Owned(Arc<dyn Release>),
}

impl Given {
    pub(super) fn new() -> Given {
        Given::default()
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        for borrowed in self.borrowed.get_mut() {
            match borrowed {
                Borrowed::Shared(value) => value.release_shared(),
                Borrowed::Owned(value) => value.release_owned(),
            }
        }
    }
}

/// A type of parameters of functions of the host.
pub trait Param {
    /// The argument of one call.
    type Item<'a>;
    /// The type of programs.
    fn describe() -> Described;
    /// From a word of that type.
    #[doc(hidden)]
    fn of<'a>(
        given: &'a Given,
        program: &mut Program<'_>,
        ty: TypeRef,
        word: Word,
    ) -> Result<Self::Item<'a>, CallError>;
}

impl Param for &str {
    type Item<'a> = &'a str;

    fn describe() -> Described {
        Described::Str
    }

    #[inline]
    fn of<'a>(_: &'a Given, _: &mut Program<'_>, _: TypeRef, word: Word) -> Result<&'a str, CallError> {
        // SAFETY: whoever calls a function of the host pins its arguments until it has returned.
        let bytes = unsafe { value::str_bytes::<'a>(word.0) };
        std::str::from_utf8(bytes).map_err(|_| CallError::NotUtf8)
    }
}

/// The bytes of a string, which may be no UTF-8.
impl Param for &[u8] {
    type Item<'a> = &'a [u8];

    fn describe() -> Described {
        Described::Str
    }

    #[inline]
    fn of<'a>(_: &'a Given, _: &mut Program<'_>, _: TypeRef, word: Word) -> Result<&'a [u8], CallError> {
        // SAFETY: as for `&str`.
        Ok(unsafe { value::str_bytes(word.0) })
    }
}

/// A value of the host, to look at.
impl<T: Send + Sync + 'static> Param for &T {
    type Item<'a> = &'a T;

    fn describe() -> Described {
        opaque::describe::<T>()
    }

    fn of<'a>(given: &'a Given, program: &mut Program<'_>, _: TypeRef, word: Word) -> Result<&'a T, CallError> {
        let value = opaque::of_word::<T>(program, word)?;
        let lent = value.share().ok_or(CallError::InUse)?;
        given.borrowed.borrow_mut().push(Borrowed::Shared(value));
        // SAFETY: `given` keeps the value, and the borrow of it, until it is dropped.
        Ok(unsafe { &*lent })
    }
}

/// A value of the host, to change.
impl<T: Send + Sync + 'static> Param for &mut T {
    type Item<'a> = &'a mut T;

    fn describe() -> Described {
        opaque::describe::<T>()
    }

    fn of<'a>(given: &'a Given, program: &mut Program<'_>, _: TypeRef, word: Word) -> Result<&'a mut T, CallError> {
        let value = opaque::of_word::<T>(program, word)?;
        let lent = value.own().ok_or(CallError::InUse)?;
        given.borrowed.borrow_mut().push(Borrowed::Owned(value));
        // SAFETY: `given` keeps the value, and the only borrow of it, until it is dropped.
        Ok(unsafe { &mut *lent })
    }
}

/// Declares parameters that are values of [`Type`].
macro_rules! owned {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> $crate::host::Param for $ty {
            type Item<'a> = $ty;

            fn describe() -> $crate::types::Described {
                <$ty as $crate::types::Type>::describe()
            }

            #[inline]
            fn of(
                _: &$crate::host::Given,
                program: &mut $crate::types::Program<'_>,
                ty: holloway_lang::ir::TypeRef,
                word: $crate::types::Word,
            ) -> Result<$ty, $crate::error::CallError> {
                <$ty as $crate::types::Type>::of_word(program, ty, word)
            }
        }
    )*};
}

pub(crate) use owned;

owned! {
    [] i64;
    [] f64;
    [] bool;
    [] String;
    [T: Type] Option<T>;
    [T: Type] Vec<T>;
    [T: Type] Box<T>;
    [T: Send + Sync + 'static] Opaque<T>;
    [T: Type] crate::types::List<T>;
    [K: Type + Eq + Hash, V: Type, S: BuildHasher + Default] HashMap<K, V, S>;
    [K: Type + Ord, V: Type] BTreeMap<K, V>;
    [T: Type + Eq + Hash, S: BuildHasher + Default] HashSet<T, S>;
    [T: Type + Ord] BTreeSet<T>;
}

macro_rules! tuples {
    ($($($name:ident $at:tt),*;)*) => {
        owned! { $([$($name: Type),*] ($($name),*);)* }
    };
}

each_tuple!(tuples);
