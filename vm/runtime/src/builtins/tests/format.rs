//! Formats, with the results of Python's `format` for the common part.

use super::*;

/// Type, value, format and result, each row of four columns. Python's result of `.3f` stands for `.3`, too, of which it makes
/// something else.
const CASES: &str = include_str!("format_cases.tsv");

pub(super) fn check(b: &mut Bench) {
    for row in CASES.lines() {
        let columns: Vec<&str> = row.split('\t').collect();
        let [ty, value, format, expected] = columns[..] else { panic!("{row}: four columns") };
        let spec = b.str(format);
        let found = match ty {
            "int" => {
                let value: i64 = value.parse().expect("an int");
                b.text_result(Builtin::FormatInt, &[int(value), spec])
            }
            "float" => {
                let value: f64 = value.parse().expect("a float");
                b.text_result(Builtin::FormatFloat, &[value.to_bits(), spec])
            }
            _ => {
                let text = b.str(value);
                b.text_result(Builtin::FormatStr, &[text, spec])
            }
        };
        assert_eq!(found, expected, "{ty} {value} by {format:?}");
    }
    bits(b);
    bytes(b);
}

/// The 64 bits, of which negative numbers have many.
fn bits(b: &mut Bench) {
    for (value, format, expected) in [
        (-1, "x", "ffffffffffffffff"),
        (-255, "X", "FFFFFFFFFFFFFF01"),
        (-2, "o", "1777777777777777777776"),
        (i64::MIN, "b", "1000000000000000000000000000000000000000000000000000000000000000"),
        (-1, "+x", "+ffffffffffffffff"),
        (-1, "20x", "    ffffffffffffffff"),
    ] {
        let spec = b.str(format);
        assert_eq!(b.text_result(Builtin::FormatInt, &[int(value), spec]), expected, "{value} by {format}");
    }
}

/// A float without a kind prints as it prints elsewhere; a byte that is no UTF-8 is a character.
fn bytes(b: &mut Bench) {
    let spec = b.str("*>7");
    assert_eq!(b.text_result(Builtin::FormatFloat, &[1e16_f64.to_bits(), spec]), "***1e16");
    assert_eq!(b.text_result(Builtin::FormatFloat, &[(-f64::NAN).to_bits(), spec]), "****nan");
    let raw = b.bytes(b"a\xff\xc3\xa9\xc3");
    for (format, expected) in [(".3", "a\\xff\\xc3\\xa9"), ("<6", "a\\xff\\xc3\\xa9\\xc3  "), (".2", "a\\xff")] {
        let spec = b.str(format);
        let word = b.ok(Builtin::FormatStr, &[raw, spec]);
        assert_eq!(handle(word).bytes().escape_ascii().to_string(), expected, "{format}");
    }
}
