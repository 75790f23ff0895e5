//! Printed forms of records by their shapes, and the text of values.

use super::*;

const TYPES: &str = r#"
closures
type t0 = int
type t1 = str
type t2 = array t0
type t3 = array t1
type t4 = record r0
type t5 = record r1
type t6 = record r2
type t7 = record r3
type t8 = record r4
type t9 = record r5
type t10 = optional t0
type t11 = func sig0
type t12 = code sig1
type t13 = optional t9
type t14 = optional t11
type t15 = bool
type t16 = array t15
type t17 = record r9
type t18 = array t10
type t19 = record r10
type t20 = array t8
type t21 = record r11
type t22 = optional t1
type t23 = array t9
type t24 = array t20
sig0 = (t0) -> t0
sig1 = (t17, t0) -> t0
record r0 "(int, str)" tuple { "0": t0, "1": t1 }
record r1 "list[int]" list { "items": t2, "len": t0 }
record r2 "dict[str, int]" dict { "keys": t3, "values": t2, "hashes": t2, "len": t0 }
record r3 "set[str]" set { "dict": t21 }
record r4 "Tree" enum ["Leaf"(), "Node"(1, 2), "Half"(2)] { "variant": t0, "0": t1, "1": t8 }
record r5 "Color" tag ["Red", "Green"] { }
record r6 "fn(int) -> int" closure { "code": t12, "captured": t17 }
record r7 "int?" box { "content": t0 }
record r8 "Color?" box { "content": t9 }
record r9 "captured" hidden { "x": t0 }
record r10 "Pair[int, str]" { "a": t10, "b": t13 }
record r11 "dict[str, bool]" dict { "keys": t3, "values": t16, "hashes": t2, "len": t0 }

provided f0 "double" sig1(v0: ref, v1: int) -> int {
block0:
    return v1
}

function f1 "fn" sig1(v0: ref, v1: int) -> int {
block0:
    return v1
}
"#;

fn bench() -> Bench {
    Bench::new(parse::module(TYPES).expect("well formed"))
}

/// Writes a value, and finds the same text by `display`.
fn printed(b: &mut Bench, ty: u32, word: u64) -> String {
    b.ok(Builtin::Write(TypeRef::from_u32(ty)), &[word]);
    let printed = String::from_utf8(b.rt.output.take_captured()).expect("text");
    assert_eq!(b.text_result(Builtin::Display(TypeRef::from_u32(ty)), &[word]), printed);
    printed
}

fn list(b: &mut Bench, len: u64) -> u64 {
    let items = b.array(Elem::Int, &(0..len).chain([9, 9]).collect::<Vec<_>>());
    b.record(1, &[items, len])
}

fn dict(b: &mut Bench, keys: &[&str], removed: &[usize]) -> u64 {
    let names = b.strings(&[keys, &["unused"]].concat());
    let values = b.array(Elem::Int, &(0..=keys.len() as u64).collect::<Vec<_>>());
    let hash = |at: usize| if removed.contains(&at) { int(-1) } else { at as u64 };
    let hashes = b.array(Elem::Int, &(0..=keys.len()).map(hash).collect::<Vec<_>>());
    b.record(2, &[names, values, hashes, keys.len() as u64])
}

fn set(b: &mut Bench, keys: &[&str]) -> u64 {
    let names = b.strings(keys);
    let values = b.array(Elem::Bool, &vec![1; keys.len()]);
    let hashes = b.array(Elem::Int, &vec![0; keys.len()]);
    let dict = b.record(11, &[names, values, hashes, keys.len() as u64]);
    b.record(3, &[dict])
}

#[test]
fn tuples_lists_dicts_and_sets_print() {
    let mut b = bench();
    let a = b.str("a\"");
    let tuple = b.record(0, &[int(-1), a]);
    assert_eq!(printed(&mut b, 4, tuple), r#"(-1, "a\"")"#);
    for (len, text) in [(0, "[]"), (3, "[0, 1, 2]")] {
        let list = list(&mut b, len);
        assert_eq!(printed(&mut b, 5, list), text);
    }
    for (keys, removed, text) in [
        (&[][..], &[][..], "{:}"),
        (&["a"], &[], r#"{"a": 0}"#),
        (&["a", "b", "c"], &[1], r#"{"a": 0, "c": 2}"#),
        (&["a", "b"], &[0, 1], "{:}"),
    ] {
        let dict = dict(&mut b, keys, removed);
        assert_eq!(printed(&mut b, 6, dict), text);
    }
    for (keys, text) in [(&[][..], "{}"), (&["a", "b"], r#"{"a", "b"}"#)] {
        let set = set(&mut b, keys);
        assert_eq!(printed(&mut b, 7, set), text);
    }
}

#[test]
fn variants_print_by_their_names() {
    let mut b = bench();
    let x = b.str("x");
    let leaf = b.record(4, &[0, 0, 0]);
    let half = b.record(4, &[2, 0, leaf]);
    let node = b.record(4, &[1, x, half]);
    assert_eq!(printed(&mut b, 8, leaf), "Leaf");
    assert_eq!(printed(&mut b, 8, node), r#"Node("x", Half(Leaf))"#);
    assert_eq!([0, 1].map(|tag| printed(&mut b, 9, tag)), ["Red", "Green"]);
    let colors = b.array(Elem::Int, &[1, 0]);
    assert_eq!(printed(&mut b, 23, colors), "[Green, Red]");
}

#[test]
fn optionals_print_what_is_in_their_boxes() {
    let mut b = bench();
    let (seven, green, text) = (b.record(7, &[7]), b.record(8, &[1]), b.str("t"));
    assert_eq!([0, seven].map(|word| printed(&mut b, 10, word)), ["none", "7"]);
    assert_eq!([0, green].map(|word| printed(&mut b, 13, word)), ["none", "Green"]);
    assert_eq!([0, text].map(|word| printed(&mut b, 22, word)), ["none", "t"]);
    let several = b.array(Elem::Ref, &[seven, 0]);
    assert_eq!(printed(&mut b, 18, several), "[7, none]");
    let pair = b.record(10, &[seven, 0]);
    assert_eq!(printed(&mut b, 19, pair), "Pair(a: 7, b: none)");
}

#[test]
fn functions_print_by_their_names_and_closures_have_none() {
    let mut b = bench();
    let captured = b.record(9, &[1]);
    let named = b.record(6, &[1, 0]);
    let unnamed = b.record(6, &[2, 0]);
    let capturing = b.record(6, &[2, captured]);
    assert_eq!([named, unnamed, capturing].map(|word| printed(&mut b, 11, word)), ["fn double", "fn", "fn"]);
    assert_eq!([0, named].map(|word| printed(&mut b, 14, word)), ["none", "fn double"]);
}

#[test]
fn what_is_long_or_deep_is_cut() {
    let mut b = bench();
    let list = list(&mut b, 101);
    assert!(printed(&mut b, 5, list).ends_with("98, 99, ...]"));
    let keys: Vec<String> = (0..102).map(|at| at.to_string()).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let (cut, whole, set) = (dict(&mut b, &keys, &[3]), dict(&mut b, &keys, &[3, 4]), set(&mut b, &keys));
    assert!(printed(&mut b, 6, cut).ends_with(r#""99": 99, "100": 100, ...}"#));
    assert!(printed(&mut b, 6, whole).ends_with(r#""100": 100, "101": 101}"#));
    assert!(printed(&mut b, 7, set).ends_with(r#""98", "99", ...}"#));
    // A variant without payload is no level.
    let mut tree = b.record(4, &[0, 0, 0]);
    let mut texts = Vec::new();
    for _ in 0..5 {
        tree = b.record(4, &[2, 0, tree]);
        texts.push(printed(&mut b, 8, tree));
    }
    assert_eq!(texts[3..], ["Half(Half(Half(Half(Leaf))))", "Half(Half(Half(Half(...))))"]);
    let trees = b.array(Elem::Ref, &[tree]);
    assert_eq!(printed(&mut b, 20, trees), "[Half(Half(Half(...)))]");
}

/// Parts of objects, by the numbers of these.
fn parts(b: &Bench, ty: u32, word: u64, objects: &[u64]) -> Vec<(usize, std::ops::Range<usize>, bool)> {
    let found = b.parts_printed(ty, word);
    let number = |object: Obj| objects.iter().position(|word| *word == object.word()).expect("one of the objects");
    found.into_iter().map(|parts| (number(parts.object), parts.parts, parts.with_length)).collect()
}

#[test]
fn printing_reads_what_it_shows() {
    let mut b = bench();
    let items = b.array(Elem::Int, &[1, 2, 3]);
    let list = b.record(1, &[items, 2]);
    let found = parts(&b, 5, list, &[list, items]);
    assert_eq!(found, [(0, 0..2, false), (1, 0..2, true)], "the third element is not shown");
    let leaf = b.record(4, &[0, 0, 0]);
    let half = b.record(4, &[2, 0, leaf]);
    let found = [(0, 0..1, false), (0, 2..3, false), (1, 0..1, false)];
    assert_eq!(parts(&b, 8, half, &[half, leaf]), found, "one name less than there are fields");
    // Each level twice: many ways to the same leaf, which is looked at once.
    let mut tree = half;
    let mut arrays = Vec::new();
    for _ in 0..2 {
        arrays.push(b.array(Elem::Ref, &[tree, tree]));
        tree = arrays[arrays.len() - 1];
    }
    let found = parts(&b, 24, tree, &[arrays[1], arrays[0], half, leaf]);
    let both = |at: usize| [(at, 0..1, true)];
    let once = [(2, 0..1, false), (2, 2..3, false), (3, 0..1, false)];
    let again = |at: usize| [(at, 1..2, false)];
    assert_eq!(found, [&both(0)[..], &both(1), &once, &again(1), &again(0)].concat());
}

#[test]
fn a_text_ends_when_the_program_is_to_stop() {
    let mut b = bench();
    let long = "x".repeat(2000);
    let strings = b.strings(&[long.as_str(); 100]);
    b.rt.interrupt_handle().interrupt();
    assert_eq!(b.fails(Builtin::Display(TypeRef::from_u32(3)), &[strings]), "interrupted");
    assert!(b.call(Builtin::Display(TypeRef::from_u32(3)), &[strings]).is_ok(), "it was told once");
}
