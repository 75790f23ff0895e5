//! Rust types that stand for types of programs.
//!
//! In: a Rust type. Out: the type of programs that it stands for ([`Described`]), and conversions of words. Invariant: a
//! word is converted by the type that it has: whoever converts has compared the [`Described`] type with the program's.

mod args;
mod convert;
mod described;
mod host_types;

pub(crate) use args::MOST_ARGS;
pub use args::{Args, Output};
pub use convert::List;
pub(crate) use described::OpaqueTypes;
pub use described::{Described, Member};
pub(crate) use host_types::HostTypes;

use crate::error::CallError;
use crate::value::{self, Value};
use holloway_lang::ir::TypeRef;
use holloway_runtime::Runtime;

/// A word of a program, of a type that was compared with the one that converts it.
#[derive(Clone, Copy, Debug)]
pub struct Word(pub(crate) u64);

/// The program that a word is of, or is made for.
pub struct Program<'a> {
    pub(crate) rt: &'a mut Runtime,
    /// The engine that runs it.
    pub(crate) engine: u64,
}

/// A Rust type that stands for a type of programs: `i64` for `int`, `f64` for `float`, `bool`, `String` for `str`,
/// `Option<T>` for `T?`, `Vec<T>` for `[T]`, [`List<T>`](List) for `list[T]`, tuples, maps and sets; and, by
/// `#[derive(Holloway)]`, structs and enums.
///
/// A field that is of no such type is an error:
///
/// ```compile_fail
/// #[derive(holloway::Holloway)]
/// struct Port { number: u16 }
/// ```
///
/// So is a payload, and a struct without the derivation in one that has it:
///
/// ```compile_fail
/// #[derive(holloway::Holloway)]
/// enum Address { Local, Remote([u8; 4]) }
/// ```
///
/// ```compile_fail
/// struct Point { x: f64 }
/// #[derive(holloway::Holloway)]
/// struct Line { from: Point, to: Point }
/// ```
#[diagnostic::on_unimplemented(
    message = "programs have no type for `{Self}`",
    label = "it stands for no type of programs",
    note = "integers are `i64`, floats `f64`; structs and enums need `#[derive(Holloway)]`, other types of the host are held by `Opaque`"
)]
pub trait Type: Sized {
    /// The type of programs.
    fn describe() -> Described;
    /// From a value of that type.
    fn of_value(value: Value) -> Result<Self, CallError>;
    /// To a value of that type.
    fn into_value(self) -> Value;

    /// From a word of that type.
    #[doc(hidden)]
    fn of_word(program: &mut Program<'_>, ty: TypeRef, word: Word) -> Result<Self, CallError> {
        value::of_word(program.rt, ty, word.0).and_then(Self::of_value)
    }

    /// To a word of that type, which is pinned if it is a reference.
    #[doc(hidden)]
    fn into_word(self, program: &mut Program<'_>, ty: TypeRef) -> Result<Word, CallError> {
        value::to_word(program.rt, program.engine, ty, &self.into_value()).map(Word)
    }
}

/// The error of a value that has another type than was described.
pub(crate) fn mismatch<T: Type>(found: &Value) -> CallError {
    CallError::Type { expected: T::describe().to_string(), found: found.kind() }
}
