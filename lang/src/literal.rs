//! The values of literals.
//!
//! In: the text of one literal token. Out: its value, or its error. Used twice with the same answer: by the lexer,
//! which reports, and by the parser, which wants the value and takes a harmless one where there is none.

use crate::diagnostic::LexError;

/// The magnitude of the most negative int, a literal that only a unary minus makes legal.
pub const INT_MIN_MAGNITUDE: u64 = 1 << 63;

/// The bit pattern of an int: decimal up to 2^63, `0x` and `0b` up to 64 bits.
pub fn int(text: &str) -> Result<u64, LexError> {
    let digits = text.replace('_', "");
    let (radix, digits) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ => (10, &digits[..]),
    };
    match u64::from_str_radix(digits, radix) {
        Ok(value) if radix == 10 && value > INT_MIN_MAGNITUDE => Err(LexError::IntTooLarge),
        Ok(value) => Ok(value),
        Err(error) if *error.kind() == std::num::IntErrorKind::PosOverflow => Err(LexError::IntTooLarge),
        Err(_) => Err(LexError::BadNumber(text.to_owned())),
    }
}

/// The value of a float, which is finite.
pub fn float(text: &str) -> Result<f64, LexError> {
    match text.replace('_', "").parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(LexError::FloatTooLarge),
        Err(_) => Err(LexError::BadNumber(text.to_owned())),
    }
}

/// An error about the bytes `from..to` of the literal.
pub type EscapeError = (LexError, usize, usize);

/// The bytes of a string or character literal, which is given with its quotes (the closing one may be missing), and
/// the escapes that are wrong, which stand for nothing.
pub fn string(text: &str) -> (Vec<u8>, Vec<EscapeError>) {
    let quote = text.as_bytes().first().copied().unwrap_or(b'"');
    let mut bytes = Vec::with_capacity(text.len());
    let mut errors = Vec::new();
    let mut at = 1;
    while at < text.len() {
        match text.as_bytes()[at] {
            b'\\' => match escape(&text[at..]) {
                Ok((value, len)) => {
                    bytes.extend(value);
                    at += len;
                }
                Err((error, len)) => {
                    errors.push((error, at, at + len));
                    at += len;
                }
            },
            byte if byte == quote => break,
            byte => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    (bytes, errors)
}

/// The bytes of a text between the holes of a formatted string, doubled braces made single, and the escapes that are
/// wrong.
pub fn format_text(text: &str) -> (Vec<u8>, Vec<EscapeError>) {
    let mut bytes = Vec::with_capacity(text.len());
    let mut errors = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match text.as_bytes()[at] {
            b'\\' => {
                let len = match escape(&text[at..]) {
                    Ok((value, len)) => {
                        bytes.extend(value);
                        len
                    }
                    Err((error, len)) => {
                        errors.push((error, at, at + len));
                        len
                    }
                };
                at += len;
            }
            byte => {
                bytes.push(byte);
                let is_doubled = matches!(byte, b'{' | b'}') && text.as_bytes().get(at + 1) == Some(&byte);
                at += if is_doubled { 2 } else { 1 };
            }
        }
    }
    (bytes, errors)
}

/// The length of the escape at the start of `text`, be it right or wrong.
pub(crate) fn escape_len(text: &str) -> usize {
    match escape(text) {
        Ok((_, len)) | Err((_, len)) => len,
    }
}

/// The bytes that the escape at the start of `text` stands for, and its length; or its error, and the length to skip.
fn escape(text: &str) -> Result<(Vec<u8>, usize), (LexError, usize)> {
    let one = |byte: u8| Ok((vec![byte], 2));
    match text[1..].chars().next() {
        Some('n') => one(b'\n'),
        Some('r') => one(b'\r'),
        Some('t') => one(b'\t'),
        Some('0') => one(0),
        Some('\\') => one(b'\\'),
        Some('"') => one(b'"'),
        Some('\'') => one(b'\''),
        Some('x') => byte_escape(text),
        Some('u') => unicode_escape(text),
        other => {
            let len = 1 + other.map_or(0, char::len_utf8);
            Err((LexError::BadEscape(text[..len].to_owned()), len))
        }
    }
}

/// `\xNN`
fn byte_escape(text: &str) -> Result<(Vec<u8>, usize), (LexError, usize)> {
    let digits = text.get(2..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
    match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
        Some(byte) => Ok((vec![byte], 4)),
        None => Err((LexError::BadEscape(text[..2].to_owned()), 2)),
    }
}

/// `\u{1F600}`, one to six digits.
fn unicode_escape(text: &str) -> Result<(Vec<u8>, usize), (LexError, usize)> {
    let bad = || (LexError::BadEscape(text[..2].to_owned()), 2);
    let body = text[2..].strip_prefix('{').ok_or_else(bad)?;
    let len = body.bytes().take_while(u8::is_ascii_hexdigit).count();
    if !(1..=6).contains(&len) || body.as_bytes().get(len) != Some(&b'}') {
        return Err(bad());
    }
    let whole = len + 4;
    match u32::from_str_radix(&body[..len], 16).ok().and_then(char::from_u32) {
        Some(c) => Ok((c.to_string().into_bytes(), whole)),
        None => Err((LexError::BadCodePoint(text[..whole].to_owned()), whole)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints() {
        assert_eq!(int("1_000"), Ok(1000));
        assert_eq!(int("0xffff_ffff_ffff_ffff"), Ok(u64::MAX));
        assert_eq!(int("0b101"), Ok(5));
        assert_eq!(int("9223372036854775808"), Ok(INT_MIN_MAGNITUDE));
        assert_eq!(int("9223372036854775809"), Err(LexError::IntTooLarge));
        assert_eq!(int("99999999999999999999999"), Err(LexError::IntTooLarge));
        assert_eq!(int("0x10000000000000000"), Err(LexError::IntTooLarge));
    }

    #[test]
    fn floats() {
        assert_eq!(float("1_0.5e-1"), Ok(1.05));
        assert_eq!(float("1e999"), Err(LexError::FloatTooLarge));
    }

    #[test]
    fn format_texts() {
        assert_eq!(format_text(r"a{{b}}\u{41}\n"), (b"a{b}A\n".to_vec(), vec![]));
        assert_eq!(format_text(r"{{\q").1, [(LexError::BadEscape("\\q".into()), 2, 4)]);
    }

    #[test]
    fn strings() {
        assert_eq!(string(r#""a\n\x41\u{1F600}\"""#), ("a\nA😀\"".as_bytes().to_vec(), vec![]));
        assert_eq!(string(r"'\xff'").0, [0xff]);
        assert_eq!(
            string(r#""\q\u{110000}\u{}""#).1,
            [
                (LexError::BadEscape("\\q".into()), 1, 3),
                (LexError::BadCodePoint("\\u{110000}".into()), 3, 13),
                (LexError::BadEscape("\\u".into()), 13, 15),
            ]
        );
    }
}
