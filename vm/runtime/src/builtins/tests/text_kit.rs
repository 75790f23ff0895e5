//! The kit of strings: searching, splitting, letters, on text and on bytes that are none.

use super::*;

pub(super) fn check(b: &mut Bench) {
    splitting(b);
    searching(b);
    letters(b);
    numbers(b);
    hashing(b);
}

fn array_of(b: &mut Bench, builtin: Builtin, operands: &[u64]) -> Vec<String> {
    let word = b.ok(builtin, operands);
    texts(word)
}

fn splitting(b: &mut Bench) {
    for (text, words) in [
        (&b""[..], &[][..]),
        (b" \t\r\n\x0c ", &[]),
        (b"one", &["one"]),
        (b"  one\t\ntwo \xff three", &["one", "two", "\\xff", "three"]),
        // No blank of ASCII.
        ("a\u{a0}b\x0bc".as_bytes(), &["a\\xc2\\xa0b\\x0bc"]),
    ] {
        let s = b.bytes(text);
        assert_eq!(array_of(b, Builtin::StrWords, &[s]), words);
    }
    for (text, sep, parts) in [
        (&b""[..], &b","[..], &[""][..]),
        (b"a,b,,c", b",", &["a", "b", "", "c"]),
        (b",a,", b",", &["", "a", ""]),
        (b"aXXXb", b"XX", &["a", "Xb"]),
        (b"a", b"long separator", &["a"]),
        (b"\xff-\xc3\xa9-", b"-", &["\\xff", "\\xc3\\xa9", ""]),
        (b"\xc3\xa9", b"\xa9", &["\\xc3", ""]),
    ] {
        let (s, sep) = (b.bytes(text), b.bytes(sep));
        assert_eq!(array_of(b, Builtin::StrSplit, &[s, sep]), parts);
    }
    let (s, empty) = (b.str("a"), b.str(""));
    assert_eq!(b.fails(Builtin::StrSplit, &[s, empty]), "the text to look for is empty");
    for (text, lines) in [
        ("", &[][..]),
        ("\n", &[""]),
        ("a", &["a"]),
        ("a\r\n\n\r\nb\rc\n", &["a", "", "", "b\\rc"]),
        ("a\nlast\r", &["a", "last\\r"]),
    ] {
        let s = b.str(text);
        assert_eq!(array_of(b, Builtin::StrLines, &[s]), lines);
    }
    for (text, chars) in [
        (&b""[..], &[][..]),
        ("a\u{e9}\u{1f600}z".as_bytes(), &["a", "\\xc3\\xa9", "\\xf0\\x9f\\x98\\x80", "z"]),
        // A cut character, a surrogate, a lone byte behind: each byte stands by itself.
        (b"\xe2\x82a\xed\xa0\x80\xff", &["\\xe2", "\\x82", "a", "\\xed", "\\xa0", "\\x80", "\\xff"]),
    ] {
        let s = b.bytes(text);
        assert_eq!(array_of(b, Builtin::StrChars, &[s]), chars);
    }
    let (parts, sep) = (b.strings(&["a", "", "bc", "unused"]), b.str(", "));
    for (count, joined) in [(0, ""), (1, "a"), (3, "a, , bc"), (4, "a, , bc, unused")] {
        assert_eq!(b.text_result(Builtin::StrJoin, &[parts, count, sep]), joined);
    }
    // A list is longer inside than its length.
    let capacity = b.array(Elem::Ref, &[sep, 0, 0]);
    assert_eq!(b.text_result(Builtin::StrJoin, &[capacity, 1, parts]), ", ");
}

fn searching(b: &mut Bench) {
    let s = b.bytes(b"abcab\xff");
    for (part, start, found) in [
        (&b"ab"[..], 0, 0),
        (b"ab", 1, 3),
        (b"ab", 4, -1),
        (b"", 0, 0),
        (b"", 6, 6),
        (b"", 7, -1),
        (b"\xff", -5, 5),
        (b"ab", i64::MAX, -1),
        (b"no such", 0, -1),
    ] {
        let part = b.bytes(part);
        assert_eq!(b.ok(Builtin::StrFind, &[s, part, int(start)]) as i64, found);
    }
    let [ab, end, empty, all] = [&b"ab"[..], b"b\xff", b"", b"abcab\xff\0"].map(|part| b.bytes(part));
    assert_eq!([ab, end, empty, all].map(|part| b.ok(Builtin::StrStartsWith, &[s, part])), [1, 0, 1, 0]);
    assert_eq!([ab, end, empty, all].map(|part| b.ok(Builtin::StrEndsWith, &[s, part])), [0, 1, 1, 0]);
    for (text, part, by, replaced) in [
        ("aaaa", "aa", "b", "bb"),
        ("aaa", "aa", "b", "ba"),
        ("abc", "x", "y", "abc"),
        ("a.b.c", ".", "", "abc"),
        ("a.b.", ".", " dot ", "a dot b dot "),
        ("", "a", "b", ""),
    ] {
        let operands = [text, part, by].map(|text| b.str(text));
        assert_eq!(b.text_result(Builtin::StrReplace, &operands), replaced);
    }
    assert_eq!(b.fails(Builtin::StrReplace, &[s, empty, ab]), "the text to look for is empty");
}

fn letters(b: &mut Bench) {
    for (text, upper, lower) in [
        (&b""[..], &b""[..], &b""[..]),
        (b"aB1", b"AB1", b"ab1"),
        (b"AB", b"AB", b"ab"),
        ("Stra\u{df}e \u{c9}".as_bytes(), "STRASSE \u{c9}".as_bytes(), "stra\u{df}e \u{e9}".as_bytes()),
        ("\u{39f}\u{3a3}".as_bytes(), "\u{39f}\u{3a3}".as_bytes(), "\u{3bf}\u{3c2}".as_bytes()),
        (b"a\xffB\xc3", b"A\xffB\xc3", b"a\xffb\xc3"),
    ] {
        let s = b.bytes(text);
        let (up, low) = (b.ok(Builtin::StrUpper, &[s]), b.ok(Builtin::StrLower, &[s]));
        assert_eq!((handle(up).bytes(), handle(low).bytes()), (upper, lower));
    }
    for (text, start, end) in [
        ("", "", ""),
        (" \t\n", "", ""),
        (" a b\r\n", "a b\r\n", " a b"),
        ("a", "a", "a"),
        ("\u{a0}a", "\u{a0}a", "\u{a0}a"),
    ] {
        let s = b.str(text);
        assert_eq!(b.text_result(Builtin::StrTrimStart, &[s]), start);
        assert_eq!(b.text_result(Builtin::StrTrimEnd, &[s]), end);
    }
    let (ab, empty) = (b.str("ab"), b.str(""));
    assert_eq!([0, 1, 3].map(|n| b.text_result(Builtin::StrRepeat, &[ab, n])), ["", "ab", "ababab"]);
    assert_eq!(b.text_result(Builtin::StrRepeat, &[empty, int(i64::MAX)]), "");
    assert_eq!(b.fails(Builtin::StrRepeat, &[ab, int(-1)]), "negative length");
    assert_eq!(b.fails(Builtin::StrRepeat, &[ab, int(i64::MAX)]), "out of memory");
    assert_eq!(b.fails(Builtin::StrRepeat, &[ab, 1 << 40]), "out of memory");
    for (text, number) in [(&b"a"[..], 97), ("\u{1f600}x".as_bytes(), 0x1f600), (b"\xff", 255), (b"\xe2\x82", 0xe2)] {
        let s = b.bytes(text);
        assert_eq!(b.ok(Builtin::StrOrd, &[s]), number);
    }
    assert_eq!(b.fails(Builtin::StrOrd, &[empty]), "an empty string has no character");
}

/// A text is a number where the default is not taken.
fn numbers(b: &mut Bench) {
    for text in [
        "1",
        " +1\n",
        "-9223372036854775808",
        "9223372036854775808",
        "",
        " ",
        "1 2",
        "0x1",
        "1_0",
        "1.0",
        "1.",
        ".5",
        "1e3",
        "inf",
        "-nan",
        "infinity",
        "1e400",
        "\u{a0}1",
        "+",
        "++1",
        "\0",
    ] {
        let s = b.str(text);
        let is_int = [7, 8].map(|default| b.ok(Builtin::ParseInt, &[s, default]) != default) != [false; 2];
        assert_eq!(b.ok(Builtin::StrIsInt, &[s]), u64::from(is_int), "{text:?}");
        let is_float = [7.5_f64, 8.5].map(|it| b.ok(Builtin::ParseFloat, &[s, it.to_bits()]) != it.to_bits());
        assert_eq!(b.ok(Builtin::StrIsFloat, &[s]), u64::from(is_float != [false; 2]), "{text:?}");
    }
}

fn hashing(b: &mut Bench) {
    let mut seen = HashSet::new();
    for text in ["", "\0", "a", "b", "ab", "ba", "a longer one than sixteen bytes"] {
        let (s, again) = (b.str(text), b.str(text));
        let hash = b.ok(Builtin::StrHash, &[s]) as i64;
        assert_eq!(b.ok(Builtin::StrHash, &[again]) as i64, hash);
        assert!(hash >= 0 && seen.insert(hash), "{text:?}");
    }
}

#[test]
fn what_is_too_large_finds_no_memory() {
    let mut b = Bench::collecting(Module::default(), None);
    let million = {
        let (ten, n) = (b.str("0123456789"), 100_000);
        b.ok(Builtin::StrRepeat, &[ten, n])
    };
    let (zero, long, empty) = (b.str("0"), b.str("0123456789abcdefghijklmnop"), b.str(""));
    assert_eq!(b.fails(Builtin::StrChars, &[million]), "out of memory", "each character is an object");
    assert_eq!(b.fails(Builtin::StrReplace, &[million, zero, million]), "out of memory");
    assert_eq!(b.ok(Builtin::StrReplace, &[million, long, empty]), million, "nothing is found");
    let parts = b.array(Elem::Ref, &[million; 40]);
    assert_eq!(b.fails(Builtin::StrJoin, &[parts, 40, empty]), "out of memory");
    let display = Builtin::Display(TypeRef::from_u32(0));
    let mut module = Module::default();
    let string = module.intern_type(Type::Str);
    module.intern_type(Type::Array(string));
    let mut b = Bench::collecting(module, None);
    let (ten, n) = (b.str("0123456789"), 100_000);
    let million = b.ok(Builtin::StrRepeat, &[ten, n]);
    assert_eq!(b.ok(display, &[million]), million, "a string displays as itself");
    let parts = b.array(Elem::Ref, &[million; 40]);
    assert_eq!(b.fails(Builtin::Display(TypeRef::from_u32(1)), &[parts]), "out of memory");
}
