//! Whole arrays: slicing, copying, filling, sorting. In: array objects and positions, checked here. Out: changed or new
//! arrays. Invariant: a failing operation has changed nothing.
#![expect(unsafe_code, reason = "writes words of the elements' types, as the signatures of builtins say")]

use crate::Runtime;
use crate::failure::FailureKind;
use crate::heap::Obj;
use holloway_abi::Shape;
use holloway_ir::Elem;
use std::ops::Range;

/// The range `from..to` if it lies within `len` elements.
pub(super) fn range(from: i64, to: i64, len: usize) -> Result<Range<usize>, FailureKind> {
    if 0 <= from && from <= to && to as u64 <= len as u64 {
        Ok(from as usize..to as usize)
    } else {
        Err(FailureKind::SliceOutOfRange { from, to, len })
    }
}

/// An array of `len` elements, each with the bits of `fill`; `keep` is the object they refer to, if nothing else keeps
/// it.
///
/// # Safety
/// The word is of the elements' type.
pub unsafe fn new_array(
    rt: &mut Runtime,
    elem: Elem,
    len: i64,
    fill: u64,
    keep: Option<Obj>,
) -> Result<Obj, FailureKind> {
    let count = usize::try_from(len).map_err(|_| FailureKind::NegativeArrayLength { len })?;
    let object = rt.alloc_array(elem, count, keep.as_slice())?;
    if fill != 0 {
        // SAFETY: the caller vouches for the word, and nobody else has an array that was just made.
        unsafe { self::fill(object, elem, fill) };
    }
    Ok(object)
}

/// `a[from..to]`, a copy.
pub fn array_slice(rt: &mut Runtime, a: Obj, from: i64, to: i64) -> Result<Obj, FailureKind> {
    let range = range(from, to, a.len())?;
    let Shape::Array(elem) = a.shape() else { panic!("{:?} is sliced as an array", a.shape()) };
    let part = rt.alloc_array(elem, range.len(), &[a])?;
    // SAFETY: both have elements of one type, and nobody else has an array that was just made.
    unsafe { part.copy_elements(0, a, range.start, range.len()) };
    Ok(part)
}

/// `copy(dst, dst_start, src, src_start, n)`; the ranges may overlap. The destination's range is checked first.
///
/// # Safety
/// Both have elements of one type, and no slice of them is lent.
pub unsafe fn copy(dst: Obj, dst_start: i64, src: Obj, src_start: i64, n: i64) -> Result<(), FailureKind> {
    let to = range(dst_start, dst_start.saturating_add(n), dst.len())?;
    let from = range(src_start, src_start.saturating_add(n), src.len())?;
    // SAFETY: the caller vouches for it.
    unsafe { dst.copy_elements(to.start, src, from.start, from.len()) };
    Ok(())
}

/// `fill(a, v)` of ints.
///
/// # Safety
/// No slice of the array is lent.
pub unsafe fn fill_int(mut a: Obj, value: i64) {
    // SAFETY: the caller vouches for it.
    unsafe { a.words_mut() }.fill(value as u64);
}

/// `fill(a, v)` of floats.
///
/// # Safety
/// No slice of the array is lent.
pub unsafe fn fill_float(mut a: Obj, value: f64) {
    // SAFETY: the caller vouches for it.
    unsafe { a.words_mut() }.fill(value.to_bits());
}

/// `fill(a, v)` of booleans.
///
/// # Safety
/// No slice of the array is lent.
pub unsafe fn fill_bool(mut a: Obj, value: bool) {
    // SAFETY: the caller vouches for it.
    unsafe { a.bytes_mut() }.fill(u8::from(value));
}

/// `fill(a, v)` of bytes; the low 8 bits.
///
/// # Safety
/// No slice of the array is lent.
pub unsafe fn fill_byte(mut a: Obj, value: i64) {
    // SAFETY: the caller vouches for it.
    unsafe { a.bytes_mut() }.fill(value as u8);
}

/// `fill(a, v)` of references.
///
/// # Safety
/// No slice of the array is lent, and its elements are of the type of the object.
pub unsafe fn fill_ref(mut a: Obj, value: Option<Obj>) {
    // SAFETY: the caller vouches for it.
    unsafe { a.words_mut() }.fill(value.map_or(0, Obj::word));
}

/// `fill(a, v)` of function values, given as words.
///
/// # Safety
/// No slice of the array is lent, and the word is of its elements' type.
pub unsafe fn fill_func(mut a: Obj, value: u64) {
    // SAFETY: the caller vouches for it.
    unsafe { a.words_mut() }.fill(value);
}

/// Fills an array of any elements with a word.
///
/// # Safety
/// No slice of the array is lent, and the word is of its elements' type.
pub unsafe fn fill(a: Obj, elem: Elem, word: u64) {
    // SAFETY: the caller vouches for it.
    unsafe {
        match elem {
            Elem::Int => fill_int(a, word as i64),
            Elem::Float => fill_float(a, f64::from_bits(word)),
            Elem::Bool => fill_bool(a, word != 0),
            Elem::Byte => fill_byte(a, word as i64),
            Elem::Char => unreachable!("no array has characters"),
            Elem::Ref | Elem::Func => fill_func(a, word),
        }
    }
}

/// `sort(a)`: ints and bytes by value, strings by bytes, floats by total order, in which -0.0 is less than 0.0. A
/// program does not control the sign of a NaN (machines disagree on that of `0.0 / 0.0`): every NaN counts as greater
/// than infinity.
///
/// # Safety
/// No slice of the array is lent.
pub unsafe fn sort(mut a: Obj) {
    match a.shape() {
        // SAFETY: the caller vouches for it, here and below.
        Shape::Array(Elem::Int) => unsafe { a.words_mut() }.sort_unstable_by_key(|word| *word as i64),
        Shape::Array(Elem::Float) => {
            // SAFETY: as above.
            unsafe { a.words_mut() }.sort_unstable_by(|a, b| float_key(*a).total_cmp(&float_key(*b)));
        }
        // SAFETY: as above.
        Shape::Array(Elem::Byte | Elem::Bool) => unsafe { a.bytes_mut() }.sort_unstable(),
        Shape::Array(Elem::Ref) => sort_strings(a),
        shape @ (Shape::Array(Elem::Func | Elem::Char)
        | Shape::Str
        | Shape::Buffer
        | Shape::Record(_)
        | Shape::Free) => {
            panic!("{shape:?} is sorted")
        }
    }
}

fn float_key(bits: u64) -> f64 {
    let value = f64::from_bits(bits);
    if value.is_nan() { f64::NAN.copysign(1.0) } else { value }
}

/// Sorts strings. It allocates no object, so the array keeps the strings until they are back in it.
fn sort_strings(a: Obj) {
    let mut strings: Vec<Option<Obj>> = a.references().collect();
    strings.sort_unstable_by(|a, b| bytes_of(a).cmp(&bytes_of(b)));
    for (at, string) in strings.into_iter().enumerate() {
        // SAFETY: what was lent is not any more, and the word was in the array before.
        unsafe { a.set_element(at, string.map_or(0, Obj::word)) };
    }
}

fn bytes_of(string: &Option<Obj>) -> Option<&[u8]> {
    string.as_ref().map(Obj::bytes)
}
