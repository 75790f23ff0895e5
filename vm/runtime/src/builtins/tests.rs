//! Tests of every builtin: called as the interpreter calls them, on a heap that collects at every allocation.
#![expect(unsafe_code, reason = "passes words of objects that the tests keep")]

mod files;
mod format;
mod linear;
mod shapes;
mod text_kit;

use super::*;
use crate::heap::HeapConfig;
use crate::{ErrorSink, FileAccess, Input, RuntimeConfig, Sink};
use holloway_ir::{Elem, Module, RecordRef, Type, TypeRef, parse};
use std::collections::HashSet;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

struct Bench {
    rt: Runtime,
    used: HashSet<&'static str>,
    /// Bytes written to standard error.
    errors: Arc<Mutex<Vec<u8>>>,
}

impl Bench {
    /// One whose heap collects at every allocation.
    fn new(module: Module) -> Bench {
        Bench::collecting(module, NonZeroU32::new(1))
    }

    fn collecting(module: Module, stress: Option<NonZeroU32>) -> Bench {
        let errors = Arc::<Mutex<Vec<u8>>>::default();
        let kept = Arc::clone(&errors);
        let config = RuntimeConfig {
            heap: HeapConfig { limit: 16 << 20, stress },
            sink: Sink::Captured(Vec::new()),
            errors: ErrorSink::Callback(Box::new(move |line| kept.lock().expect("no panic").extend_from_slice(line))),
            files: FileAccess::Allowed,
            input: Input::bytes("first\r\n\nlast"),
            args: vec![b"one".to_vec(), b"".to_vec(), b"\xff".to_vec()],
            ..RuntimeConfig::default()
        };
        Bench { rt: Runtime::new(Arc::new(module), config).expect("address space"), used: HashSet::new(), errors }
    }

    /// Calls a builtin with words; the result is pinned, so that tests may keep it.
    fn call(&mut self, builtin: Builtin, operands: &[u64]) -> Result<u64, FailureKind> {
        self.used.insert(builtin.name());
        // SAFETY: tests pass operands that fit, and everything they make is pinned.
        let result = unsafe { super::call(&mut self.rt, builtin, operands) }?;
        if builtin.result() == Some(holloway_ir::Scalar::Ref) {
            self.rt.pin(result);
        }
        Ok(result)
    }

    fn ok(&mut self, builtin: Builtin, operands: &[u64]) -> u64 {
        self.call(builtin, operands).expect("no failure")
    }

    fn fails(&mut self, builtin: Builtin, operands: &[u64]) -> String {
        self.call(builtin, operands).expect_err("a failure").to_string()
    }

    fn str(&mut self, text: &str) -> u64 {
        let word = self.rt.new_str(text.as_bytes(), &[]).expect("room").word();
        self.rt.pin(word);
        word
    }

    fn bytes(&mut self, bytes: &[u8]) -> u64 {
        let word = self.rt.new_str(bytes, &[]).expect("room").word();
        self.rt.pin(word);
        word
    }

    fn strings(&mut self, texts: &[&str]) -> u64 {
        let words: Vec<u64> = texts.iter().map(|text| self.str(text)).collect();
        self.array(Elem::Ref, &words)
    }

    fn array(&mut self, elem: Elem, words: &[u64]) -> u64 {
        let array = self.rt.alloc_array(elem, words.len(), &[]).expect("room");
        // SAFETY: tests pass words of the elements' type.
        words.iter().enumerate().for_each(|(at, word)| unsafe { array.set_element(at, *word) });
        self.rt.pin(array.word());
        array.word()
    }

    fn record(&mut self, record: u32, words: &[u64]) -> u64 {
        let object = self.rt.alloc_record(RecordRef::from_u32(record), &[]).expect("room");
        words.iter().zip(0..).for_each(|(word, field)| set_field(object, field, *word));
        self.rt.pin(object.word());
        object.word()
    }

    fn floats(&mut self, values: &[f64]) -> u64 {
        self.array(Elem::Float, &values.iter().map(|value| value.to_bits()).collect::<Vec<_>>())
    }

    fn parts_printed(&self, ty: u32, word: u64) -> Vec<show::PrintedParts> {
        // SAFETY: tests pass values of the type.
        unsafe { show::parts_printed(&self.rt, TypeRef::from_u32(ty), word) }
    }

    fn text_result(&mut self, builtin: Builtin, operands: &[u64]) -> String {
        let word = self.ok(builtin, operands);
        text(word)
    }
}

fn handle(word: u64) -> Obj {
    // SAFETY: tests pass words of objects that are pinned.
    unsafe { Obj::from_word(word) }.expect("an object")
}

fn set_field(object: Obj, field: u32, word: u64) {
    // SAFETY: tests know the fields of the records that they make.
    unsafe { object.set_field(field, word) };
}

fn text(word: u64) -> String {
    String::from_utf8_lossy(handle(word).bytes()).into_owned()
}

/// The strings of an array, as Rust writes their bytes.
fn texts(word: u64) -> Vec<String> {
    let strings: Vec<Obj> = handle(word).references().map(|string| string.expect("a string")).collect();
    strings.iter().map(|string| string.bytes().escape_ascii().to_string()).collect()
}

fn elements(word: u64) -> Vec<i64> {
    let array = handle(word);
    (0..array.len()).map(|at| array.element(at) as i64).collect()
}

fn int(value: i64) -> u64 {
    value as u64
}

fn strings(b: &mut Bench) {
    let (ab, c, empty) = (b.str("ab"), b.str("c\u{e9}"), b.str(""));
    assert_eq!(b.text_result(Builtin::StrConcat, &[ab, c]), "abcé");
    assert_eq!(b.text_result(Builtin::StrConcat, &[empty, empty]), "");
    let again = b.str("ab");
    for (x, y, equal) in [(ab, ab, 1), (ab, again, 1), (ab, c, 0), (ab, 0, 0), (0, empty, 0), (0, 0, 1)] {
        assert_eq!(b.ok(Builtin::StrEq, &[x, y]), equal);
    }
    let longer = b.str("abc");
    for (x, y, order) in [(ab, again, 0), (ab, c, -1), (c, ab, 1), (ab, longer, -1), (longer, empty, 1)] {
        assert_eq!(b.ok(Builtin::StrCmp, &[x, y]) as i64, order);
    }
    assert_eq!(b.text_result(Builtin::StrSlice, &[longer, 1, 3]), "bc");
    assert_eq!(b.text_result(Builtin::StrSlice, &[longer, 3, 3]), "");
    assert_eq!(b.fails(Builtin::StrSlice, &[longer, 2, 9]), "slice out of range: 2..9 of length 3");
    assert_eq!(b.fails(Builtin::StrSlice, &[longer, 2, 1]), "slice out of range: 2..1 of length 3");
    assert_eq!(b.fails(Builtin::StrSlice, &[longer, int(-1), 1]), "slice out of range: -1..1 of length 3");
    assert_eq!(
        b.fails(Builtin::StrSlice, &[longer, 0, int(i64::MIN)]),
        "slice out of range: 0..-9223372036854775808 of length 3"
    );
}

fn conversions(b: &mut Bench) {
    assert_eq!(b.text_result(Builtin::StrOfInt, &[int(i64::MIN)]), "-9223372036854775808");
    for (value, shown) in [
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e16"),
        (1e-5, "1e-5"),
        (0.0001, "0.0001"),
        (f64::NEG_INFINITY, "-inf"),
        (-f64::NAN, "nan"),
    ] {
        assert_eq!(b.text_result(Builtin::StrOfFloat, &[value.to_bits()]), shown);
    }
    assert_eq!(b.text_result(Builtin::StrOfBool, &[1]), "true");
    assert_eq!(b.text_result(Builtin::StrOfBool, &[0]), "false");
    for (from, to) in [("12", 12), (" \t-7\r\n", -7), ("+3", 3), ("1_0", 99), ("", 99), ("9223372036854775808", 99)] {
        let word = b.str(from);
        assert_eq!(b.ok(Builtin::ParseInt, &[word, 99]) as i64, to, "{from:?}");
    }
    for (from, to) in
        [("1.5", 1.5), (" -2e3\n", -2000.0), (".5", 0.5), ("inf", f64::INFINITY), ("1_0", 9.0), ("x", 9.0)]
    {
        let word = b.str(from);
        assert_eq!(f64::from_bits(b.ok(Builtin::ParseFloat, &[word, 9.0_f64.to_bits()])), to, "{from:?}");
    }
    assert_eq!(b.text_result(Builtin::Chr, &[0x1f600]), "\u{1f600}");
    assert_eq!(b.text_result(Builtin::Chr, &[0]), "\0");
    for bad in [-1, 0xd800, 0x11_0000, 1 << 40] {
        let expected = format!("invalid character: {bad} is no Unicode scalar value");
        assert_eq!(b.fails(Builtin::Chr, &[int(bad)]), expected);
    }
    let word = b.str("a\u{e9}");
    let array = b.ok(Builtin::Bytes, &[word]);
    assert_eq!(elements(array), [0x61, 0xc3, 0xa9]);
    assert_eq!(b.text_result(Builtin::Text, &[array, 1, 3]), "é");
    assert_eq!(b.fails(Builtin::Text, &[array, 1, 4]), "slice out of range: 1..4 of length 3");
}

fn arrays(b: &mut Bench) {
    let ints = b.array(Elem::Int, &[1, 2, 3, 4, 5]);
    let part = b.ok(Builtin::ArraySlice, &[ints, 1, 3]);
    assert_eq!(elements(part), [2, 3]);
    assert_eq!(b.fails(Builtin::ArraySlice, &[ints, 6, 6]), "slice out of range: 6..6 of length 5");
    b.ok(Builtin::Copy, &[ints, 1, ints, 0, 4]);
    assert_eq!(elements(ints), [1, 1, 2, 3, 4], "overlapping, upwards");
    b.ok(Builtin::Copy, &[ints, 0, ints, 1, 4]);
    assert_eq!(elements(ints), [1, 2, 3, 4, 4], "overlapping, downwards");
    let (bytes, s) = (b.array(Elem::Byte, &[0; 4]), b.str("xyz"));
    b.ok(Builtin::Copy, &[bytes, 1, s, 0, 3]);
    assert_eq!(elements(bytes), [0, 120, 121, 122]);
    b.ok(Builtin::Copy, &[bytes, 4, s, 3, 0]);
    assert_eq!(b.fails(Builtin::Copy, &[bytes, 2, s, 0, 3]), "slice out of range: 2..5 of length 4");
    assert_eq!(b.fails(Builtin::Copy, &[bytes, 0, s, 1, 3]), "slice out of range: 1..4 of length 3");
    assert_eq!(b.fails(Builtin::Copy, &[bytes, 3, s, 2, int(-1)]), "slice out of range: 3..2 of length 4");
    let message = format!("slice out of range: 1..{} of length 4", i64::MAX);
    assert_eq!(b.fails(Builtin::Copy, &[bytes, 1, s, 1, int(i64::MAX)]), message);
    assert_eq!(elements(bytes), [0, 120, 121, 122], "failures changed nothing");
    fills(b);
}

fn fills(b: &mut Bench) {
    let s = b.str("x");
    for (builtin, elem, value, stored) in [
        (Builtin::FillInt, Elem::Int, int(-3), -3),
        (Builtin::FillFloat, Elem::Float, 1.5_f64.to_bits(), 1.5_f64.to_bits() as i64),
        (Builtin::FillBool, Elem::Bool, 1, 1),
        (Builtin::FillByte, Elem::Byte, 0x1ff, 0xff),
        (Builtin::FillRef, Elem::Ref, s, s as i64),
        (Builtin::FillRef, Elem::Ref, 0, 0),
        (Builtin::FillFunc, Elem::Func, 4, 4),
    ] {
        let array = b.array(elem, &[0; 3]);
        b.ok(builtin, &[array, value]);
        assert_eq!(elements(array), [stored; 3], "{builtin:?}");
        let empty = b.array(elem, &[]);
        b.ok(builtin, &[empty, value]);
    }
}

fn sorting(b: &mut Bench) {
    let ints = b.array(Elem::Int, &[3, int(-1), int(i64::MIN), 7, 3]);
    b.ok(Builtin::Sort, &[ints]);
    assert_eq!(elements(ints), [i64::MIN, -1, 3, 3, 7]);
    let bytes = b.array(Elem::Byte, &[200, 3, 127]);
    b.ok(Builtin::Sort, &[bytes]);
    assert_eq!(elements(bytes), [3, 127, 200]);
    let floats = b.floats(&[f64::INFINITY, -f64::NAN, 0.0, f64::NAN, -0.0, -1.5, f64::NEG_INFINITY]);
    b.ok(Builtin::Sort, &[floats]);
    let sorted: Vec<f64> = handle(floats).words().iter().map(|word| f64::from_bits(*word)).collect();
    assert_eq!(format!("{sorted:?}"), "[-inf, -1.5, -0.0, 0.0, inf, NaN, NaN]");
    let strings = b.strings(&["b", "", "ab", "a", "\u{e9}", "B"]);
    b.ok(Builtin::Sort, &[strings]);
    let sorted: Vec<String> = handle(strings).words().iter().map(|word| text(*word)).collect();
    assert_eq!(sorted, ["", "B", "a", "ab", "b", "\u{e9}"]);
}

fn mathematics(b: &mut Bench) {
    for (builtin, function) in [
        (Builtin::Sin, f64::sin as fn(f64) -> f64),
        (Builtin::Cos, f64::cos),
        (Builtin::Tan, f64::tan),
        (Builtin::Asin, f64::asin),
        (Builtin::Acos, f64::acos),
        (Builtin::Atan, f64::atan),
        (Builtin::Exp, f64::exp),
        (Builtin::Log, f64::ln),
    ] {
        for x in [0.3_f64, -0.0, 1.0] {
            assert_eq!(b.ok(builtin, &[x.to_bits()]), function(x).to_bits(), "{builtin:?}({x})");
        }
    }
    for (x, rounded) in [(2.5, 3.0), (-2.5, -3.0), (0.49999999999999994, 0.0), (-0.2, -0.0)] {
        assert_eq!(b.ok(Builtin::Round, &[f64::to_bits(x)]), f64::to_bits(rounded), "{x}");
    }
    let two = |x: f64, y: f64| [x.to_bits(), y.to_bits()];
    assert_eq!(f64::from_bits(b.ok(Builtin::Pow, &two(2.0, 10.0))), 1024.0);
    assert_eq!(f64::from_bits(b.ok(Builtin::Atan2, &two(1.0, -1.0))), 1.0_f64.atan2(-1.0));
}

fn outside(b: &mut Bench) {
    let lines: Vec<u64> = (0..4).map(|_| b.ok(Builtin::Input, &[])).collect();
    assert_eq!(lines[..3].iter().map(|word| text(*word)).collect::<Vec<_>>(), ["first", "", "last"]);
    assert_eq!(lines[3], 0, "`none` at the end");
    let (first, second) = (b.ok(Builtin::Args, &[]), b.ok(Builtin::Args, &[]));
    assert_ne!(first, second, "a new array each time");
    let texts: Vec<Vec<u8>> = handle(first).words().iter().map(|word| handle(*word).bytes().to_vec()).collect();
    assert_eq!(texts, [&b"one"[..], b"", b"\xff"]);
    let clock = |b: &mut Bench| f64::from_bits(b.ok(Builtin::Clock, &[]));
    let (start, end) = (clock(b), clock(b));
    assert!((0.0..=end).contains(&start));
    let draw = |b: &mut Bench| f64::from_bits(b.ok(Builtin::Random, &[]));
    let at_start = [draw(b), draw(b)];
    assert_eq!(at_start[0], (5_987_356_902_031_041_503_u64 >> 11) as f64 / (1_u64 << 53) as f64);
    b.ok(Builtin::RandomSeed, &[0]);
    assert_eq!([draw(b), draw(b)], at_start);
    b.ok(Builtin::RandomSeed, &[int(-1)]);
    assert_ne!(draw(b), at_start[0]);
}

fn raising(b: &mut Bench) {
    assert_eq!(
        b.fails(Builtin::IndexFailure, &[int(-3), 2]),
        "index out of range: the length is 2 but the index is -3"
    );
    assert_eq!(b.fails(Builtin::SliceFailure, &[1, int(-2), 3]), "slice out of range: 1..-2 of length 3");
    let key = b.str("\"k\"");
    assert_eq!(b.fails(Builtin::KeyFailure, &[key]), "key not found: \"k\"");
}

#[test]
fn every_builtin_does_what_the_language_says() {
    let mut module = Module::default();
    module.intern_type(Type::Int);
    let mut b = Bench::new(module);
    strings(&mut b);
    conversions(&mut b);
    arrays(&mut b);
    sorting(&mut b);
    mathematics(&mut b);
    outside(&mut b);
    text_kit::check(&mut b);
    format::check(&mut b);
    files::check(&mut b);
    raising(&mut b);
    b.ok(Builtin::Write(TypeRef::from_u32(0)), &[1]);
    b.ok(Builtin::Show(TypeRef::from_u32(0)), &[2]);
    assert_eq!(b.rt.output.take_captured(), b"12");
    linear::check(&mut b);
    let unused: Vec<_> = Builtin::untyped().filter(|builtin| !b.used.contains(builtin.name())).collect();
    assert_eq!(unused, [], "every builtin is called here");
}

const TYPES: &str = r#"
type t0 = int
type t1 = float
type t2 = bool
type t3 = byte
type t4 = str
type t5 = array t0
type t6 = array t4
type t7 = optional t4
type t8 = record r0
type t9 = optional t8
type t10 = func sig0
type t11 = optional t10
type t12 = array t5
type t13 = array t12
type t14 = array t13
type t15 = array t14
type t16 = array t3
type t17 = array t2
type t18 = array t1
type t19 = array t8
type t20 = array t7
sig0 = (t0) -> t0
record r0 "Node" { "name": t4, "next": t9, "weight": t1, "flag": t3 }
function f0 "gcd" sig0(v0: int) -> int {
block0:
    return v0
}
"#;

fn printed(b: &mut Bench, ty: u32, word: u64) -> String {
    b.ok(Builtin::Write(TypeRef::from_u32(ty)), &[word]);
    String::from_utf8(b.rt.output.take_captured()).expect("text")
}

#[test]
fn scalars_and_strings_print() {
    let mut b = Bench::new(parse::module(TYPES).expect("well formed"));
    let s = b.str("a\"\\\n\r\t\0\x01\u{7f}\u{85}\u{e9}");
    assert_eq!(printed(&mut b, 0, int(-5)), "-5");
    assert_eq!(printed(&mut b, 1, 2.0_f64.to_bits()), "2.0");
    assert_eq!(printed(&mut b, 2, 1), "true");
    assert_eq!(printed(&mut b, 4, s), "a\"\\\n\r\t\0\x01\u{7f}\u{85}\u{e9}");
    assert_eq!(printed(&mut b, 7, s), "a\"\\\n\r\t\0\x01\u{7f}\u{85}\u{e9}");
    assert_eq!(printed(&mut b, 7, 0), "none");
    assert_eq!(printed(&mut b, 10, 1), "fn gcd");
    assert_eq!(printed(&mut b, 11, 0), "none");
    b.ok(Builtin::Show(TypeRef::from_u32(7)), &[s]);
    let shown = String::from_utf8(b.rt.output.take_captured()).expect("text");
    assert_eq!(shown, r#""a\"\\\n\r\t\0\x01\x7f\u{85}é""#);
    let raw = b.rt.new_str(b"\xff\xc3(", &[]).expect("room").word();
    b.rt.pin(raw);
    let array = b.array(Elem::Ref, &[raw]);
    assert_eq!(printed(&mut b, 6, array), r#"["\xff\xc3("]"#);
    b.ok(Builtin::Write(TypeRef::from_u32(4)), &[raw]);
    assert_eq!(b.rt.output.take_captured(), b"\xff\xc3(", "bytes pass through unchanged");
}

#[test]
fn arrays_print_up_to_a_hundred_elements_and_four_levels() {
    let mut b = Bench::new(parse::module(TYPES).expect("well formed"));
    let ints = |b: &mut Bench, len: u64| b.array(Elem::Int, &(0..len).collect::<Vec<_>>());
    let (none, three, hundred, more) = (ints(&mut b, 0), ints(&mut b, 3), ints(&mut b, 100), ints(&mut b, 101));
    assert_eq!(printed(&mut b, 5, none), "[]");
    assert_eq!(printed(&mut b, 5, three), "[0, 1, 2]");
    assert!(printed(&mut b, 5, hundred).ends_with("98, 99]"));
    assert!(printed(&mut b, 5, more).ends_with("98, 99, ...]"));
    let mut nested = three;
    let mut levels = Vec::new();
    for ty in [12, 13, 14, 15] {
        nested = b.array(Elem::Ref, &[nested]);
        levels.push(printed(&mut b, ty, nested));
    }
    assert_eq!(levels, ["[[0, 1, 2]]", "[[[0, 1, 2]]]", "[[[[0, 1, 2]]]]", "[[[[...]]]]"]);
    let (bytes, bools) = (b.array(Elem::Byte, &[7, 255]), b.array(Elem::Bool, &[0, 1]));
    let floats = b.floats(&[0.5, f64::NAN]);
    assert_eq!(printed(&mut b, 16, bytes), "[7, 255]");
    assert_eq!(printed(&mut b, 17, bools), "[false, true]");
    assert_eq!(printed(&mut b, 18, floats), "[0.5, nan]");
    let s = b.str("x");
    let optional = b.array(Elem::Ref, &[s, 0]);
    assert_eq!(printed(&mut b, 20, optional), r#"["x", none]"#);
}

#[test]
fn records_print_their_fields_and_loops_end() {
    let mut b = Bench::new(parse::module(TYPES).expect("well formed"));
    let name = b.str("n");
    let node = b.rt.alloc_record(holloway_ir::RecordRef::from_u32(0), &[]).expect("room");
    b.rt.pin(node.word());
    set_field(node, 0, name);
    set_field(node, 2, 1.0_f64.to_bits());
    set_field(node, 3, 9);
    assert_eq!(printed(&mut b, 8, node.word()), r#"Node(name: "n", next: none, weight: 1.0, flag: 9)"#);
    set_field(node, 1, node.word());
    let inner = |of: &str| format!(r#"Node(name: "n", next: {of}, weight: 1.0, flag: 9)"#);
    let expected = inner(&inner(&inner(&inner("..."))));
    assert_eq!(printed(&mut b, 9, node.word()), expected);
    let array = b.array(Elem::Ref, &[node.word()]);
    assert_eq!(printed(&mut b, 19, array), format!("[{}]", inner(&inner(&inner("...")))));
}

#[test]
fn concatenation_runs_out_of_memory_and_recovers() {
    let config = RuntimeConfig { heap: HeapConfig { limit: 1 << 20, stress: None }, ..RuntimeConfig::default() };
    let mut rt = Runtime::new(Arc::new(Module::default()), config).expect("address space");
    let half = rt.alloc_str(400_000, &[]).expect("room");
    assert_eq!(strings::str_concat(&mut rt, half, half), Err(FailureKind::OutOfMemory));
    let quarter = rt.alloc_str(200_000, &[half]).expect("room");
    assert!(strings::str_concat(&mut rt, quarter, quarter).is_ok(), "the half is gone");
}
