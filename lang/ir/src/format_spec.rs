//! Formats of values in strings, as `[[fill]align][+][0][width][.precision][kind]` behind the `:` in `f"{x:>8}"`.
//!
//! In: the text. Out: a [`FormatSpec`], or the reason why it is none, or why it does not fit a type. Invariant: the
//! checker refuses a format by these functions, and the runtime reads it by the same, so a format that gets to run fits.

use std::fmt;

/// The side on which a text stands in its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// `<`.
    Left,
    /// `>`.
    Right,
    /// `^`; the odd character of the fill stands on the right.
    Center,
}

/// The notation of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `x`: the 64 bits in hexadecimal digits.
    Hex,
    /// `X`: the same in capitals.
    UpperHex,
    /// `b`: the 64 bits.
    Binary,
    /// `o`: the 64 bits in octal digits.
    Octal,
    /// `f`: digits behind the point.
    Fixed,
    /// `e`: one digit before the point, and an exponent of two digits at least.
    Exponent,
}

/// The types that formats tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormattedType {
    /// `int`, and `byte`, which reads as one.
    Int,
    /// `float`.
    Float,
    /// `str`.
    Str,
    /// Any other, of which the printed text is formatted.
    Other,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatSpec {
    /// The character that fills the width, if one is written.
    pub fill: Option<char>,
    /// The alignment, if one is written.
    pub align: Option<Align>,
    /// True if a number that is not negative gets a `+`.
    pub plus: bool,
    /// True if zeros fill the width: behind the sign, unless an alignment is written.
    pub zero: bool,
    /// The least number of characters.
    pub width: usize,
    /// The digits behind the point of a float; the most characters of a string.
    pub precision: Option<usize>,
    /// The notation, if one is written.
    pub notation: Option<Notation>,
}

/// The fault of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The text from there on is no part of a format.
    Unexpected(String),
    /// A `.` without digits behind it.
    NoPrecision,
    /// A width or a precision above [`MOST`].
    TooLarge,
    /// A part that values of the type do not have.
    Unfit {
        /// The part.
        part: &'static str,
        /// The types that have it.
        needs: &'static str,
    },
}

/// Greatest width and precision.
pub const MOST: usize = u16::MAX as usize;

/// Parses a format.
pub fn parse(text: &str) -> Result<FormatSpec, FormatError> {
    let mut chars = text.chars();
    let (first, second) = (chars.next(), chars.next());
    let (fill, align, mut rest) = match (first, second.and_then(align_of), first.and_then(align_of)) {
        (Some(fill), Some(align), _) => (Some(fill), Some(align), chars.as_str()),
        (_, None, Some(align)) => (None, Some(align), &text[1..]),
        (_, None, None) | (None, Some(_), _) => (None, None, text),
    };
    let plus = eat(&mut rest, '+');
    let zero = eat(&mut rest, '0');
    let width = number(&mut rest)?.unwrap_or(0);
    let precision = match eat(&mut rest, '.') {
        true => Some(number(&mut rest)?.ok_or(FormatError::NoPrecision)?),
        false => None,
    };
    let mut chars = rest.chars();
    let notation = match chars.next() {
        None => None,
        Some(kind) => {
            let notation = notation_of(kind).ok_or_else(|| FormatError::Unexpected(rest.to_owned()))?;
            rest = chars.as_str();
            Some(notation)
        }
    };
    match rest.is_empty() || notation.is_none() {
        true => Ok(FormatSpec { fill, align, plus, zero, width, precision, notation }),
        false => Err(FormatError::Unexpected(rest.to_owned())),
    }
}

impl FormatSpec {
    /// Checks that values of a type have all parts that the format names.
    pub fn fits(&self, ty: FormattedType) -> Result<(), FormatError> {
        let is_number = matches!(ty, FormattedType::Int | FormattedType::Float);
        let unfit = |part, needs| Err(FormatError::Unfit { part, needs });
        match self.notation.map(|notation| (notation.name(), notation.is_of_float())) {
            Some((name, true)) if ty != FormattedType::Float => return unfit(name, "float"),
            Some((name, false)) if ty != FormattedType::Int => return unfit(name, "int"),
            Some(_) | None => {}
        }
        if self.precision.is_some() && !matches!(ty, FormattedType::Float | FormattedType::Str) {
            return unfit("a precision", "float and str");
        }
        if self.plus && !is_number {
            return unfit("`+`", "int and float");
        }
        if self.zero && !is_number {
            return unfit("`0` before the width", "int and float");
        }
        Ok(())
    }
}

impl Notation {
    fn name(self) -> &'static str {
        match self {
            Notation::Hex => "`x`",
            Notation::UpperHex => "`X`",
            Notation::Binary => "`b`",
            Notation::Octal => "`o`",
            Notation::Fixed => "`f`",
            Notation::Exponent => "`e`",
        }
    }

    fn is_of_float(self) -> bool {
        matches!(self, Notation::Fixed | Notation::Exponent)
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Unexpected(rest) => write!(f, "`{rest}` is no part of a format"),
            FormatError::NoPrecision => write!(f, "no digits behind the `.` of a format"),
            FormatError::TooLarge => write!(f, "a width or precision above {MOST}"),
            FormatError::Unfit { part, needs } => write!(f, "{part} is a format of {needs} only"),
        }
    }
}

fn align_of(c: char) -> Option<Align> {
    match c {
        '<' => Some(Align::Left),
        '>' => Some(Align::Right),
        '^' => Some(Align::Center),
        _ => None,
    }
}

fn notation_of(c: char) -> Option<Notation> {
    match c {
        'x' => Some(Notation::Hex),
        'X' => Some(Notation::UpperHex),
        'b' => Some(Notation::Binary),
        'o' => Some(Notation::Octal),
        'f' => Some(Notation::Fixed),
        'e' => Some(Notation::Exponent),
        _ => None,
    }
}

fn eat(rest: &mut &str, c: char) -> bool {
    match rest.strip_prefix(c) {
        Some(behind) => {
            *rest = behind;
            true
        }
        None => false,
    }
}

/// The number at the beginning, if one stands there.
fn number(rest: &mut &str) -> Result<Option<usize>, FormatError> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, behind) = rest.split_at(digits);
    *rest = behind;
    match number.parse() {
        _ if number.is_empty() => Ok(None),
        Ok(number) if number <= MOST => Ok(Some(number)),
        Ok(_) | Err(_) => Err(FormatError::TooLarge),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: FormatSpec =
        FormatSpec { fill: None, align: None, plus: false, zero: false, width: 0, precision: None, notation: None };

    #[test]
    fn every_part_may_be_left_out() {
        for (text, spec) in [
            ("", NOTHING),
            (">", FormatSpec { align: Some(Align::Right), ..NOTHING }),
            ("8", FormatSpec { width: 8, ..NOTHING }),
            ("*<8", FormatSpec { fill: Some('*'), align: Some(Align::Left), width: 8, ..NOTHING }),
            ("\u{e9}^3", FormatSpec { fill: Some('\u{e9}'), align: Some(Align::Center), width: 3, ..NOTHING }),
            ("<<3", FormatSpec { fill: Some('<'), align: Some(Align::Left), width: 3, ..NOTHING }),
            ("+", FormatSpec { plus: true, ..NOTHING }),
            ("+08", FormatSpec { plus: true, zero: true, width: 8, ..NOTHING }),
            ("0", FormatSpec { zero: true, ..NOTHING }),
            (".3", FormatSpec { precision: Some(3), ..NOTHING }),
            (".0f", FormatSpec { precision: Some(0), notation: Some(Notation::Fixed), ..NOTHING }),
            ("10.2e", FormatSpec { width: 10, precision: Some(2), notation: Some(Notation::Exponent), ..NOTHING }),
            ("x", FormatSpec { notation: Some(Notation::Hex), ..NOTHING }),
            ("+>+5", FormatSpec { fill: Some('+'), align: Some(Align::Right), plus: true, width: 5, ..NOTHING }),
        ] {
            assert_eq!(parse(text), Ok(spec), "{text}");
        }
    }

    #[test]
    fn others_are_no_formats() {
        for (text, message) in [
            ("d", "`d` is no part of a format"),
            ("8 ", "` ` is no part of a format"),
            ("xx", "`x` is no part of a format"),
            ("-8", "`-8` is no part of a format"),
            ("=8", "`=8` is no part of a format"),
            ("8.", "no digits behind the `.` of a format"),
            ("8.f", "no digits behind the `.` of a format"),
            ("65536", "a width or precision above 65535"),
            ("99999999999999999999999", "a width or precision above 65535"),
        ] {
            assert_eq!(parse(text).map_err(|error| error.to_string()), Err(message.to_owned()), "{text}");
        }
        assert!(parse("65535.65535f").is_ok());
    }

    #[test]
    fn parts_belong_to_types() {
        use FormattedType::{Float, Int, Other, Str};
        for (text, fits) in [
            ("*^8", &[Int, Float, Str, Other][..]),
            ("+", &[Int, Float]),
            ("08", &[Int, Float]),
            ("<08", &[Int, Float]),
            (".3", &[Float, Str]),
            ("x", &[Int]),
            ("X", &[Int]),
            ("b", &[Int]),
            ("o", &[Int]),
            (".3x", &[]),
            ("f", &[Float]),
            ("e", &[Float]),
        ] {
            let spec = parse(text).expect("a format");
            let found: Vec<_> = [Int, Float, Str, Other].into_iter().filter(|ty| spec.fits(*ty).is_ok()).collect();
            assert_eq!(found, fits, "{text}");
        }
        let message =
            |text: &str, ty| parse(text).expect("a format").fits(ty).expect_err("it does not fit").to_string();
        assert_eq!(message("x", Float), "`x` is a format of int only");
        assert_eq!(message(".2", Int), "a precision is a format of float and str only");
        assert_eq!(message("05", Str), "`0` before the width is a format of int and float only");
    }
}
