//! Values by a format, as `f"{x:>8}"` has it. In: a value, and the text of a format that fits its type. Out: a string.
//! Invariant: width and precision count characters; a byte that is no UTF-8 is one.

use super::chars::{count_chars, first_char, put};
use super::convert::write_float;
use crate::Runtime;
use crate::failure::FailureKind;
use crate::heap::Obj;
use holloway_ir::format_spec::{self, Align, FormatSpec, Notation};

/// An int by a format.
pub fn format_int(rt: &mut Runtime, value: i64, spec: Obj) -> Result<Obj, FailureKind> {
    let spec = parsed(spec);
    let bits = value as u64;
    let (negative, digits) = match spec.notation {
        Some(Notation::Hex) => (false, format!("{bits:x}")),
        Some(Notation::UpperHex) => (false, format!("{bits:X}")),
        Some(Notation::Binary) => (false, format!("{bits:b}")),
        Some(Notation::Octal) => (false, format!("{bits:o}")),
        Some(Notation::Fixed | Notation::Exponent) | None => (value < 0, value.unsigned_abs().to_string()),
    };
    number(rt, &spec, negative, &digits)
}

/// A float by a format.
pub fn format_float(rt: &mut Runtime, value: f64, spec: Obj) -> Result<Obj, FailureKind> {
    let spec = parsed(spec);
    let (negative, size) = (value.is_sign_negative() && !value.is_nan(), value.abs());
    let precision = spec.precision.unwrap_or(DIGITS);
    let text = match spec.notation {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => "inf".to_owned(),
        Some(Notation::Exponent) => exponent(size, precision),
        None if spec.precision.is_none() => {
            let mut text = Vec::with_capacity(24);
            write_float(&mut text, size);
            String::from_utf8(text).expect("digits are text")
        }
        Some(_) | None => format!("{size:.precision$}"),
    };
    number(rt, &spec, negative, &text)
}

/// A string by a format.
pub fn format_str(rt: &mut Runtime, s: Obj, spec: Obj) -> Result<Obj, FailureKind> {
    let spec = parsed(spec);
    let shown = spec.precision.map_or(s.len(), |most| prefix(s.bytes(), most));
    let missing = spec.width.saturating_sub(count_chars(&s.bytes()[..shown]));
    let (left, right) = sides(spec.align.unwrap_or(Align::Left), missing);
    let mut fill = [0; 4];
    let fill = spec.fill.unwrap_or(' ').encode_utf8(&mut fill).as_bytes();
    rt.new_str_with(shown + fill.len() * missing, &[s], |out| {
        let rest = filled(out, fill, left);
        let rest = put(rest, &s.bytes()[..shown]);
        filled(rest, fill, right);
    })
}

/// Digits behind the point if no precision is written.
const DIGITS: usize = 6;

fn parsed(spec: Obj) -> FormatSpec {
    let text = std::str::from_utf8(spec.bytes()).expect("a format is text");
    format_spec::parse(text).expect("the checker lets no other text through")
}

/// As C writes it: a sign and two digits at least behind the `e`.
fn exponent(size: f64, precision: usize) -> String {
    let text = format!("{size:.precision$e}");
    let (digits, exponent) = text.split_once('e').expect("it was asked for");
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// A number of a sign and digits.
fn number(rt: &mut Runtime, spec: &FormatSpec, negative: bool, digits: &str) -> Result<Obj, FailureKind> {
    let sign = match (negative, spec.plus) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    };
    let missing = spec.width.saturating_sub(sign.len() + digits.len());
    let (left, right) = sides(spec.align.unwrap_or(Align::Right), missing);
    let mut fill = [0; 4];
    let fill = spec.fill.unwrap_or(if spec.zero { '0' } else { ' ' }).encode_utf8(&mut fill).as_bytes();
    let (before, behind) = if spec.zero && spec.align.is_none() { (sign, "") } else { ("", sign) };
    rt.new_str_with(sign.len() + digits.len() + fill.len() * missing, &[], |out| {
        let rest = put(out, before.as_bytes());
        let rest = filled(rest, fill, left);
        let rest = put(put(rest, behind.as_bytes()), digits.as_bytes());
        filled(rest, fill, right);
    })
}

/// Writes a fill so many times. Gives the place behind it.
fn filled<'a>(place: &'a mut [u8], fill: &[u8], count: usize) -> &'a mut [u8] {
    (0..count).fold(place, |rest, _| put(rest, fill))
}

/// The characters of the fill on both sides.
fn sides(align: Align, missing: usize) -> (usize, usize) {
    match align {
        Align::Left => (0, missing),
        Align::Right => (missing, 0),
        Align::Center => (missing / 2, missing - missing / 2),
    }
}

/// The bytes of the first so many characters.
fn prefix(bytes: &[u8], most: usize) -> usize {
    let mut at = 0;
    for _ in 0..most {
        match first_char(&bytes[at..]) {
            Some(first) => at += first.len,
            None => break,
        }
    }
    at
}
