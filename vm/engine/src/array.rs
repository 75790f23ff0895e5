//! Arrays of numbers that host and program share.
//!
//! In: numbers, or an array that a program gives. Out: [`Array`], whose elements both sides read and write in place.
//! Invariants: the array is kept as long as a handle of it is there; its elements are lent while no program runs and
//! nothing is allocated. Whoever lets such a handle into or out of a program has told the executor that values come from
//! elsewhere, as code may rely on which numbers the program itself stores.
#![expect(unsafe_code, reason = "lends the elements of arrays that are rooted")]

use crate::engine::Engine;
use crate::error::{CallError, RunError};
use crate::function::Calls;
use crate::host::owned;
use crate::types::{Described, Program, Type, Word};
use crate::value::{SharedArray, Value};
use holloway_lang::ir::{Elem, TypeRef};
use holloway_runtime::Root;
use holloway_runtime::heap::Obj;
use std::marker::PhantomData;

/// An array of a program, `[int]`, `[float]` or `[byte]`, whose elements the host reads and writes in place. Clones are the
/// same array.
#[derive(Clone, Debug)]
pub struct Array<T> {
    shared: SharedArray,
    of: PhantomData<fn() -> T>,
}

impl<T: Element> Array<T> {
    fn new(root: Root, len: usize, engine: u64) -> Array<T> {
        Array { shared: SharedArray { root, elem: T::ELEM, len, engine }, of: PhantomData }
    }
}

/// Elements of an [`Array`]: `i64`, `f64` and `u8`.
pub trait Element: sealed::Element {}

impl Element for i64 {}
impl Element for f64 {}
impl Element for u8 {}

mod sealed {
    use super::{Described, Elem, Obj};

    /// A number that an array of a program holds as Rust does.
    pub trait Element: Copy + 'static {
        const ELEM: Elem;
        fn describe() -> Described;
        /// The elements of an array of such numbers.
        ///
        /// # Safety
        /// Nothing else reads or writes the array while they are lent.
        unsafe fn of(array: &mut Obj) -> &mut [Self];
    }

    /// The words of an array as numbers of the same size.
    ///
    /// # Safety
    /// Nothing else reads or writes the array while they are lent, and any word is such a number.
    unsafe fn words<T>(array: &mut Obj) -> &mut [T] {
        const { assert!(size_of::<T>() == size_of::<u64>() && align_of::<T>() == align_of::<u64>()) }
        // SAFETY: the caller vouches for it.
        let words = unsafe { array.words_mut() };
        // SAFETY: numbers of the size of a word, as many.
        unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len()) }
    }

    impl Element for i64 {
        const ELEM: Elem = Elem::Int;

        fn describe() -> Described {
            Described::Int
        }

        unsafe fn of(array: &mut Obj) -> &mut [i64] {
            // SAFETY: the caller vouches for it.
            unsafe { words(array) }
        }
    }

    impl Element for f64 {
        const ELEM: Elem = Elem::Float;

        fn describe() -> Described {
            Described::Float
        }

        unsafe fn of(array: &mut Obj) -> &mut [f64] {
            // SAFETY: the caller vouches for it.
            unsafe { words(array) }
        }
    }

    impl Element for u8 {
        const ELEM: Elem = Elem::Byte;

        fn describe() -> Described {
            Described::Byte
        }

        unsafe fn of(array: &mut Obj) -> &mut [u8] {
            // SAFETY: the caller vouches for it.
            unsafe { array.bytes_mut() }
        }
    }
}

impl<T: Element> Array<T> {
    /// The elements, to be looked at.
    pub fn with<R>(&self, on: &mut impl Calls, f: impl FnOnce(&[T]) -> R) -> Result<R, CallError> {
        self.with_mut(on, |elements| f(elements))
    }

    /// The elements, to be changed; the program sees what is written. No program runs meanwhile.
    pub fn with_mut<R>(&self, on: &mut impl Calls, f: impl FnOnce(&mut [T]) -> R) -> Result<R, CallError> {
        if on.number() != self.shared.engine {
            return Err(CallError::OtherEngine);
        }
        // SAFETY: the root keeps the array.
        let mut array = unsafe { Obj::from_word(self.shared.root.word()) }.expect("an array is there");
        // SAFETY: the array has elements of this type. `on` is borrowed until the function returns, so nothing else reaches
        // the program's heap.
        Ok(f(unsafe { T::of(&mut array) }))
    }

    /// The number of elements, which does not change.
    pub fn len(&self) -> usize {
        self.shared.len
    }

    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Engine {
    /// An array with a copy of these elements, which the host and the program share from then on.
    pub fn array<T: Element>(&mut self, elements: &[T]) -> Result<Array<T>, CallError> {
        self.executor.expect_values_from_elsewhere();
        let rt = self.executor.runtime_mut();
        let made = rt.alloc_array(T::ELEM, elements.len(), &[]);
        let array = made.map_err(|kind| CallError::Run(RunError::Setup(kind.to_string())))?;
        let array = Array::new(rt.root(array.word()), elements.len(), self.id);
        array.with_mut(self, |to| to.copy_from_slice(elements))?;
        Ok(array)
    }
}

impl<T: Element> Type for Array<T> {
    fn describe() -> Described {
        Described::Shared(Box::new(<T as sealed::Element>::describe()))
    }

    /// Only of a value that the host made of one: arrays that come out inside of other values are copies.
    fn of_value(value: Value) -> Result<Self, CallError> {
        match value {
            Value::Shared(shared) if shared.elem == T::ELEM => Ok(Array { shared, of: PhantomData }),
            other => Err(CallError::Type { expected: "an array that is shared".to_owned(), found: other.kind() }),
        }
    }

    fn into_value(self) -> Value {
        Value::Shared(self.shared)
    }

    fn of_word(program: &mut Program<'_>, _: TypeRef, word: Word) -> Result<Self, CallError> {
        // SAFETY: the word is one of an array, which the program has given just now.
        let len = unsafe { Obj::from_word(word.0) }.expect("an array is there").len();
        Ok(Array::new(program.rt.root(word.0), len, program.engine))
    }

    fn into_word(self, program: &mut Program<'_>, _: TypeRef) -> Result<Word, CallError> {
        match self.shared.engine == program.engine {
            true => Ok(Word(self.shared.pinned(program.rt))),
            false => Err(CallError::OtherEngine),
        }
    }
}

owned! {
    [T: Element] Array<T>;
}
