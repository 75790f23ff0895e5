//! Strings: concatenation, comparison, slicing, and arrays of parts. In: string objects. Out: new strings, or
//! comparisons by bytes.
#![expect(unsafe_code, reason = "writes new strings and arrays of them")]

use super::arrays::range;
use crate::Runtime;
use crate::failure::FailureKind;
use crate::heap::Obj;
use holloway_ir::Elem;
use std::cmp::Ordering;
use std::ops::Range;

/// `a + b`. Long strings share their bytes with what they were made of, so that growing one piece by piece takes time
/// in proportion to its length.
pub fn str_concat(rt: &mut Runtime, a: Obj, b: Obj) -> Result<Obj, FailureKind> {
    if a.is_empty() || b.is_empty() {
        return Ok(if a.is_empty() { b } else { a });
    }
    if let Some(joined) = rt.alloc_in_buffer(a, b)? {
        return Ok(joined);
    }
    let len = a.len().checked_add(b.len()).ok_or(FailureKind::OutOfMemory)?;
    let joined = rt.alloc_str(len, &[a, b])?;
    // SAFETY: nobody else has a string that was just made.
    unsafe {
        joined.copy_elements(0, a, 0, a.len());
        joined.copy_elements(a.len(), b, 0, b.len());
    }
    Ok(joined)
}

/// Equality by bytes; `none` equals `none` only.
pub fn str_eq(a: Option<Obj>, b: Option<Obj>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b || a.bytes() == b.bytes(),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// -1, 0 or 1 as `a` is less than, equal to or greater than `b` by bytes.
pub fn str_cmp(a: Obj, b: Obj) -> i64 {
    match a.bytes().cmp(b.bytes()) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

/// `s[from..to]`.
pub fn str_slice(rt: &mut Runtime, s: Obj, from: i64, to: i64) -> Result<Obj, FailureKind> {
    let range = range(from, to, s.len())?;
    part(rt, s, range, &[s])
}

/// The bytes of a string in a range.
pub(super) fn part(rt: &mut Runtime, s: Obj, range: Range<usize>, keep: &[Obj]) -> Result<Obj, FailureKind> {
    let part = rt.alloc_str(range.len(), keep)?;
    // SAFETY: nobody else has a string that was just made.
    unsafe { part.copy_elements(0, s, range.start, range.len()) };
    Ok(part)
}

/// An array of parts of a string. `next` finds the first one at or behind a position, with the position behind it.
pub(super) fn parts(
    rt: &mut Runtime,
    s: Obj,
    next: impl Fn(&[u8], usize) -> Option<(Range<usize>, usize)>,
) -> Result<Obj, FailureKind> {
    let (mut count, mut at) = (0, 0);
    while let Some((_, behind)) = next(s.bytes(), at) {
        count += 1;
        at = behind;
    }
    let array = rt.alloc_array(Elem::Ref, count, &[s])?;
    at = 0;
    for index in 0..count {
        let (range, behind) = next(s.bytes(), at).expect("it was found before");
        let part = part(rt, s, range, &[s, array])?;
        // SAFETY: nobody else has an array that was just made, and a string is a reference.
        unsafe { array.set_element(index, part.word()) };
        at = behind;
    }
    Ok(array)
}

/// `text(b, from, to)` of a byte array.
pub fn text(rt: &mut Runtime, b: Obj, from: i64, to: i64) -> Result<Obj, FailureKind> {
    str_slice(rt, b, from, to)
}
