//! Letters of strings: case, blanks around, repetition, the first character. In: string objects. Out: strings, or a
//! number. Invariant: bytes that are no UTF-8 stay as they are, and each counts as a character.

use super::pieces::put;
use super::strings::part;
use crate::Runtime;
use crate::failure::FailureKind;
use crate::heap::Obj;

/// The character at the beginning of a text.
pub(super) struct FirstChar {
    /// Its bytes.
    pub(super) len: usize,
    /// Its number: that of the byte if it is no UTF-8.
    pub(super) number: u32,
}

/// The character at the beginning; none if there is no byte.
pub(super) fn first_char(bytes: &[u8]) -> Option<FirstChar> {
    let byte = *bytes.first()?;
    if byte.is_ascii() {
        return Some(FirstChar { len: 1, number: u32::from(byte) });
    }
    // No character has more than four bytes; behind a whole one may be the beginning of another.
    let head = &bytes[..bytes.len().min(4)];
    let text = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let c = text.chars().next();
    Some(c.map_or(FirstChar { len: 1, number: u32::from(byte) }, |c| FirstChar {
        len: c.len_utf8(),
        number: u32::from(c),
    }))
}

/// The number of characters.
pub(super) fn count_chars(bytes: &[u8]) -> usize {
    bytes.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
}

/// `upper(s)`.
pub fn str_upper(rt: &mut Runtime, s: Obj) -> Result<Obj, FailureKind> {
    changed(rt, s, u8::is_ascii_lowercase, <[u8]>::make_ascii_uppercase, str::to_uppercase)
}

/// `lower(s)`.
pub fn str_lower(rt: &mut Runtime, s: Obj) -> Result<Obj, FailureKind> {
    changed(rt, s, u8::is_ascii_uppercase, <[u8]>::make_ascii_lowercase, str::to_lowercase)
}

fn changed(
    rt: &mut Runtime,
    s: Obj,
    changes: fn(&u8) -> bool,
    change_ascii: fn(&mut [u8]),
    change: fn(&str) -> String,
) -> Result<Obj, FailureKind> {
    if s.bytes().is_ascii() {
        return match s.bytes().iter().any(changes) {
            false => Ok(s),
            true => rt.new_str_with(s.len(), &[s], |out| {
                out.copy_from_slice(s.bytes());
                change_ascii(out);
            }),
        };
    }
    let mut text = Vec::with_capacity(s.len());
    for chunk in s.bytes().utf8_chunks() {
        text.extend_from_slice(change(chunk.valid()).as_bytes());
        text.extend_from_slice(chunk.invalid());
    }
    rt.new_str(&text, &[])
}

/// `trim_start(s)`: without the ASCII blanks at the beginning.
pub fn str_trim_start(rt: &mut Runtime, s: Obj) -> Result<Obj, FailureKind> {
    let (all, left) = (s.len(), s.bytes().trim_ascii_start().len());
    if left == all { Ok(s) } else { part(rt, s, all - left..all, &[s]) }
}

/// `trim_end(s)`: without those at the end.
pub fn str_trim_end(rt: &mut Runtime, s: Obj) -> Result<Obj, FailureKind> {
    let (all, left) = (s.len(), s.bytes().trim_ascii_end().len());
    if left == all { Ok(s) } else { part(rt, s, 0..left, &[s]) }
}

/// `repeat(s, n)`.
pub fn str_repeat(rt: &mut Runtime, s: Obj, n: i64) -> Result<Obj, FailureKind> {
    let count = usize::try_from(n).map_err(|_| FailureKind::NegativeLength)?;
    let len = s.len().checked_mul(count).ok_or(FailureKind::OutOfMemory)?;
    rt.new_str_with(len, &[s], |out| {
        let mut rest = out;
        while !rest.is_empty() {
            rest = put(rest, s.bytes());
        }
    })
}

/// `ord(s)`.
pub fn str_ord(s: Obj) -> Result<i64, FailureKind> {
    first_char(s.bytes()).map(|first| i64::from(first.number)).ok_or(FailureKind::NoCharacter)
}
