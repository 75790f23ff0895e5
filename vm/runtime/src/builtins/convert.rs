//! Conversions between strings and other values. In: scalars or strings. Out: texts, or the values of texts.
#![expect(unsafe_code, reason = "writes new arrays")]

use crate::Runtime;
use crate::failure::FailureKind;
use crate::heap::Obj;
use holloway_ir::Elem;
use std::io::Write;
use std::str::FromStr;

/// Appends an integer as it prints.
pub(super) fn write_int(out: &mut Vec<u8>, value: i64) {
    write!(out, "{value}").expect("writing to memory cannot fail");
}

/// Appends a float as it prints: as Rust's `{:?}`, but `nan`.
pub(super) fn write_float(out: &mut Vec<u8>, value: f64) {
    if value.is_nan() {
        out.extend_from_slice(b"nan");
    } else {
        write!(out, "{value:?}").expect("writing to memory cannot fail");
    }
}

/// The printed form of a boolean.
pub(super) fn bool_text(value: bool) -> &'static [u8] {
    if value { b"true" } else { b"false" }
}

/// `str(i)`.
pub fn str_of_int(rt: &mut Runtime, value: i64) -> Result<Obj, FailureKind> {
    let mut text = Vec::with_capacity(20);
    write_int(&mut text, value);
    rt.new_str(&text, &[])
}

/// `str(f)`.
pub fn str_of_float(rt: &mut Runtime, value: f64) -> Result<Obj, FailureKind> {
    let mut text = Vec::with_capacity(24);
    write_float(&mut text, value);
    rt.new_str(&text, &[])
}

/// `str(b)`.
pub fn str_of_bool(rt: &mut Runtime, value: bool) -> Result<Obj, FailureKind> {
    rt.new_str(bool_text(value), &[])
}

/// `parse_int(s, default)`: ASCII blanks around are allowed; else Rust's rules, which know `+` and `-` but no `_`.
pub fn parse_int(s: Obj, default: i64) -> i64 {
    parse(s).unwrap_or(default)
}

/// `parse_float(s, default)`, likewise.
pub fn parse_float(s: Obj, default: f64) -> f64 {
    parse(s).unwrap_or(default)
}

/// Returns true if `parse_int(s)` is not `none`.
pub fn str_is_int(s: Obj) -> bool {
    parse::<i64>(s).is_some()
}

/// Returns true if `parse_float(s)` is not `none`.
pub fn str_is_float(s: Obj) -> bool {
    parse::<f64>(s).is_some()
}

fn parse<T: FromStr>(s: Obj) -> Option<T> {
    std::str::from_utf8(s.bytes().trim_ascii()).ok()?.parse().ok()
}

/// `chr(n)`.
pub fn chr(rt: &mut Runtime, value: i64) -> Result<Obj, FailureKind> {
    let scalar = u32::try_from(value).ok().and_then(char::from_u32);
    let scalar = scalar.ok_or(FailureKind::InvalidCharacter { value })?;
    rt.new_str(scalar.encode_utf8(&mut [0; 4]).as_bytes(), &[])
}

/// `bytes(s)`.
pub fn bytes(rt: &mut Runtime, s: Obj) -> Result<Obj, FailureKind> {
    let array = rt.alloc_array(Elem::Byte, s.len(), &[s])?;
    // SAFETY: nobody else has an array that was just made.
    unsafe { array.copy_elements(0, s, 0, s.len()) };
    Ok(array)
}
