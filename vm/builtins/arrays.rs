//! Whole arrays: slicing, copying, filling, sorting. In: array objects and positions, checked here. Out: changed or new
//! arrays. Invariant: a failing operation has changed nothing.

use crate::failure::FailureKind;
use crate::heap::Obj;
use crate::runtime::Runtime;
use holloway_jit::abi::Shape;
use holloway_lang::ir::Elem;
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
pub fn new_array(rt: &mut Runtime, elem: Elem, len: i64, fill: u64, keep: Option<Obj>) -> Result<Obj, FailureKind> {
    let count = usize::try_from(len).map_err(|_| FailureKind::NegativeArrayLength { len })?;
    let object = rt.alloc_array(elem, count, keep.as_slice())?;
    if fill != 0 {
        self::fill(object, elem, fill);
    }
    Ok(object)
}

/// `a[from..to]`, a copy.
pub fn array_slice(rt: &mut Runtime, a: Obj, from: i64, to: i64) -> Result<Obj, FailureKind> {
    let range = range(from, to, a.len())?;
    let Shape::Array(elem) = a.shape() else { panic!("{:?} is sliced as an array", a.shape()) };
    let part = rt.alloc_array(elem, range.len(), &[a])?;
    part.copy_elements(0, a, range.start, range.len());
    Ok(part)
}

/// `copy(dst, dst_start, src, src_start, n)`; the ranges may overlap. The destination's range is checked first.
pub fn copy(dst: Obj, dst_start: i64, src: Obj, src_start: i64, n: i64) -> Result<(), FailureKind> {
    let to = range(dst_start, dst_start.saturating_add(n), dst.len())?;
    let from = range(src_start, src_start.saturating_add(n), src.len())?;
    dst.copy_elements(to.start, src, from.start, from.len());
    Ok(())
}

/// `fill(a, v)` of ints.
pub fn fill_int(mut a: Obj, value: i64) {
    a.words_mut().fill(value as u64);
}

/// `fill(a, v)` of floats.
pub fn fill_float(mut a: Obj, value: f64) {
    a.words_mut().fill(value.to_bits());
}

/// `fill(a, v)` of booleans.
pub fn fill_bool(mut a: Obj, value: bool) {
    a.bytes_mut().fill(u8::from(value));
}

/// `fill(a, v)` of bytes; the low 8 bits.
pub fn fill_byte(mut a: Obj, value: i64) {
    a.bytes_mut().fill(value as u8);
}

/// `fill(a, v)` of references.
pub fn fill_ref(mut a: Obj, value: Option<Obj>) {
    a.words_mut().fill(value.map_or(0, Obj::word));
}

/// `fill(a, v)` of function values, given as words.
pub fn fill_func(mut a: Obj, value: u64) {
    a.words_mut().fill(value);
}

/// Fills an array of any elements with a word.
pub fn fill(a: Obj, elem: Elem, word: u64) {
    match elem {
        Elem::Int => fill_int(a, word as i64),
        Elem::Float => fill_float(a, f64::from_bits(word)),
        Elem::Bool => fill_bool(a, word != 0),
        Elem::Byte => fill_byte(a, word as i64),
        Elem::Ref | Elem::Func => fill_func(a, word),
        Elem::Char => unreachable!("no array has characters"),
    }
}

/// `sort(a)`: ints and bytes by value, strings by bytes, floats by total order, in which -0.0 is less than 0.0. A
/// program does not control the sign of a NaN (machines disagree on that of `0.0 / 0.0`): every NaN counts as greater
/// than infinity.
pub fn sort(mut a: Obj) {
    match a.shape() {
        Shape::Array(Elem::Int) => a.words_mut().sort_unstable_by_key(|word| *word as i64),
        Shape::Array(Elem::Float) => a.words_mut().sort_unstable_by(|a, b| float_key(*a).total_cmp(&float_key(*b))),
        Shape::Array(Elem::Byte | Elem::Bool) => a.bytes_mut().sort_unstable(),
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
fn sort_strings(mut a: Obj) {
    let mut strings: Vec<Option<Obj>> = a.references().collect();
    strings.sort_unstable_by(|a, b| bytes_of(a).cmp(&bytes_of(b)));
    for (word, string) in a.words_mut().iter_mut().zip(strings) {
        *word = string.map_or(0, Obj::word);
    }
}

fn bytes_of(string: &Option<Obj>) -> Option<&[u8]> {
    string.as_ref().map(Obj::bytes)
}
