//! Parameters of functions of the host.
//!
//! In: a word that a program gave. Out: a value, which may borrow from the program's heap. Invariant: what is borrowed is
//! pinned until the call has ended, and nothing borrowed outlives [`Given`].
#![expect(unsafe_code, reason = "lends strings of the program, which are pinned")]

use crate::error::CallError;
use crate::types::{Described, Program, Type, Word};
use crate::value;
use holloway_lang::ir::TypeRef;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

/// The arguments of one call, for as long as it lasts.
#[derive(Default)]
pub struct Given {
    /// Nobody else makes one.
    _private: (),
}

impl Given {
    pub(super) fn new() -> Given {
        Given::default()
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

/// Declares parameters that are values of [`Type`].
macro_rules! owned {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> Param for $ty {
            type Item<'a> = $ty;

            fn describe() -> Described {
                <$ty as Type>::describe()
            }

            #[inline]
            fn of<'a>(_: &'a Given, program: &mut Program<'_>, ty: TypeRef, word: Word) -> Result<$ty, CallError> {
                <$ty as Type>::of_word(program, ty, word)
            }
        }
    )*};
}

owned! {
    [] i64;
    [] f64;
    [] bool;
    [] String;
    [T: Type] Option<T>;
    [T: Type] Vec<T>;
    [T: Type] Box<T>;
    [T: Type] crate::types::List<T>;
    [K: Type + Eq + Hash, V: Type, S: BuildHasher + Default] HashMap<K, V, S>;
    [K: Type + Ord, V: Type] BTreeMap<K, V>;
    [T: Type + Eq + Hash, S: BuildHasher + Default] HashSet<T, S>;
    [T: Type + Ord] BTreeSet<T>;
    [A: Type, B: Type] (A, B);
    [A: Type, B: Type, C: Type] (A, B, C);
    [A: Type, B: Type, C: Type, D: Type] (A, B, C, D);
}
