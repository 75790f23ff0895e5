//! Strings in pieces: splitting, lines, characters, joining. In: string objects. Out: arrays of strings, or one string.
//! Invariant: the pieces are found twice, first for their number, so that no list of them is held outside of the heap.

use super::letters::first_char;
use super::strings::parts;
use crate::Runtime;
use crate::failure::FailureKind;
use crate::heap::Obj;
use memchr::memchr;
use memchr::memmem::Finder;

/// `split(s, sep)`: one piece more than there are separators.
pub fn str_split(rt: &mut Runtime, s: Obj, sep: Obj) -> Result<Obj, FailureKind> {
    if sep.is_empty() {
        return Err(FailureKind::EmptyPart);
    }
    let finder = Finder::new(sep.bytes()).into_owned();
    parts(rt, s, |bytes, at| {
        let rest = bytes.get(at..)?;
        // Behind the last piece is no place, not even the end.
        let none = (at..bytes.len(), bytes.len() + 1);
        Some(finder.find(rest).map_or(none, |found| (at..at + found, at + found + finder.needle().len())))
    })
}

/// `split(s)`: the pieces between runs of ASCII blanks, none of them empty.
pub fn str_words(rt: &mut Runtime, s: Obj) -> Result<Obj, FailureKind> {
    parts(rt, s, |bytes, at| {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let start = at + bytes[at..].iter().position(|byte| !is_blank(byte))?;
        let end = bytes[start..].iter().position(is_blank).map_or(bytes.len(), |len| start + len);
        Some((start..end, end))
    })
}

/// `lines(s)`: without their `\n` or `\r\n`.
pub fn str_lines(rt: &mut Runtime, s: Obj) -> Result<Obj, FailureKind> {
    parts(rt, s, |bytes, at| {
        let rest = &bytes[at..];
        match memchr(b'\n', rest) {
            Some(len) => {
                let line = rest[..len].strip_suffix(b"\r").unwrap_or(&rest[..len]);
                Some((at..at + line.len(), at + len + 1))
            }
            None => (!rest.is_empty()).then_some((at..bytes.len(), bytes.len())),
        }
    })
}

/// `chars(s)`: strings of one character each; a byte that is no UTF-8 stands by itself.
pub fn str_chars(rt: &mut Runtime, s: Obj) -> Result<Obj, FailureKind> {
    parts(rt, s, |bytes, at| {
        let rest = &bytes[at..];
        let end = at + first_char(rest)?.len;
        Some((at..end, end))
    })
}

/// The first `count` strings of an array, with `sep` between them.
pub fn str_join(rt: &mut Runtime, array: Obj, count: i64, sep: Obj) -> Result<Obj, FailureKind> {
    let count = usize::try_from(count).unwrap_or(0);
    let pieces = || array.references().take(count).map(|piece| piece.expect("no `none` is among strings"));
    let between = pieces().count().saturating_sub(1).checked_mul(sep.len());
    let len = pieces().try_fold(between.ok_or(FailureKind::OutOfMemory)?, |len, piece| len.checked_add(piece.len()));
    rt.new_str_with(len.ok_or(FailureKind::OutOfMemory)?, &[array, sep], |out| {
        let mut rest = out;
        for (at, piece) in pieces().enumerate() {
            if at > 0 {
                rest = put(rest, sep.bytes());
            }
            rest = put(rest, piece.bytes());
        }
    })
}

/// Writes bytes at the beginning of a place. Gives the place behind them.
pub(super) fn put<'a>(place: &'a mut [u8], bytes: &[u8]) -> &'a mut [u8] {
    let (to, rest) = place.split_at_mut(bytes.len());
    to.copy_from_slice(bytes);
    rest
}
