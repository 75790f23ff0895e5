//! Arguments and results of whole calls.
//!
//! In: a tuple of arguments, or the word of a result. Out: words for the parameters, or a value of Rust.

use super::{Described, Program, Type, Word};
use crate::arity::each_arity;
use crate::error::CallError;
use holloway_lang::ir::TypeRef;

/// Arguments of a call that is checked once.
pub(crate) const MOST_ARGS: usize = 8;

/// The arguments of a call: a tuple of values of [`Type`].
pub trait Args {
    /// Their types.
    fn describe() -> Vec<Described>;
    /// Converts each to a word of its parameter's type.
    #[doc(hidden)]
    fn words(self, program: &mut Program<'_>, params: &[TypeRef], to: &mut [u64; MOST_ARGS]) -> Result<(), CallError>;
}

/// The result of a call: a value of [`Type`], or `()` where there is none.
pub trait Output: Sized {
    /// Its type.
    fn describe() -> Option<Described>;
    /// From the word that the call gives.
    #[doc(hidden)]
    fn of(program: &mut Program<'_>, result: Option<(TypeRef, u64)>) -> Result<Self, CallError>;
    /// To the word that a call gives.
    #[doc(hidden)]
    fn into(self, program: &mut Program<'_>, result: Option<TypeRef>) -> Result<u64, CallError>;
}

impl Output for () {
    fn describe() -> Option<Described> {
        None
    }

    #[inline]
    fn of(_: &mut Program<'_>, _: Option<(TypeRef, u64)>) -> Result<(), CallError> {
        Ok(())
    }

    #[inline]
    fn into(self, _: &mut Program<'_>, _: Option<TypeRef>) -> Result<u64, CallError> {
        Ok(0)
    }
}

impl<T: Type> Output for T {
    fn describe() -> Option<Described> {
        Some(T::describe())
    }

    #[inline]
    fn of(program: &mut Program<'_>, result: Option<(TypeRef, u64)>) -> Result<T, CallError> {
        let (ty, word) = result.expect("the types were compared");
        T::of_word(program, ty, Word(word))
    }

    #[inline]
    fn into(self, program: &mut Program<'_>, result: Option<TypeRef>) -> Result<u64, CallError> {
        let ty = result.expect("the types were compared");
        self.into_word(program, ty).map(|word| word.0)
    }
}

macro_rules! args {
    ($($($name:ident $at:tt),*;)*) => {$(
        impl<$($name: Type),*> Args for ($($name,)*) {
            fn describe() -> Vec<Described> {
                vec![$($name::describe()),*]
            }

            #[inline]
            #[allow(unused_variables, reason = "there may be no arguments")]
            fn words(
                self,
                program: &mut Program<'_>,
                params: &[TypeRef],
                to: &mut [u64; MOST_ARGS],
            ) -> Result<(), CallError> {
                $(to[$at] = self.$at.into_word(program, params[$at])?.0;)*
                Ok(())
            }
        }
    )*};
}

each_arity!(args);
