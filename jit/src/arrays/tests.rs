//! Programs, and what is known of the arrays that their locals refer to.

use super::{Arrays, Fact};
use crate::range::Range;
use holloway_lang::ir::{FuncRef, Local, Module, Operand};
use holloway_lang::session::{self, NoFiles, Session, SessionKind};
use std::sync::Arc;

fn module(source: &str) -> Arc<Module> {
    let mut session = Session::new(SessionKind::Program);
    let input = session::Input { name: "test.hw", key: None, bytes: source.as_bytes() };
    assert!(session.add(input, &mut NoFiles).is_ok(), "the program is correct");
    Arc::clone(session.module())
}

/// The local of a name in a function.
fn local(module: &Module, function: &str, name: &str) -> (FuncRef, Local) {
    let (func, decl) =
        module.funcs.iter().find(|(_, decl)| decl.body.name == function).expect("there is such a function");
    let mut locals = decl.body.locals.iter();
    let (local, _) = locals.find(|(_, decl)| decl.name.as_deref() == Some(name)).expect("there is such a local");
    (func, local)
}

fn fact(source: &str, function: &str, name: &str) -> Option<Fact> {
    let module = module(source);
    let (func, local) = local(&module, function, name);
    Arrays::new(Arc::clone(&module)).of(func, local).cloned()
}

/// The length, and whether the elements are known.
fn known(source: &str, function: &str, name: &str) -> Option<(i64, bool)> {
    fact(source, function, name).map(|fact| (fact.length, fact.table.is_some()))
}

#[test]
fn a_literal_is_known_where_it_is_passed_to() {
    let source = "let program = [7, 8, 9]
fn run(code: [int], at: int) -> int { return code[at] }
fn main() { print(run(program, 1)) }";
    let fact = fact(source, "run", "code").expect("it is known");
    assert_eq!(fact.length, 3);
    assert_eq!(fact.table.expect("nobody writes it").at(2), Some(Operand::Int(9)));
}

#[test]
fn bytes_are_what_is_stored_of_them() {
    let source = "let bits: [byte] = [1, 255]
fn f(at: int) -> int { let b = bits; return b[at] }
fn main() { print(f(1)) }";
    let table = fact(source, "f", "b").and_then(|fact| fact.table).expect("nobody writes it");
    assert_eq!((table.at(1), table.at(2), table.at(-1)), (Some(Operand::Int(255)), None, None));
}

#[test]
fn what_is_written_anywhere_is_known_by_its_length_alone() {
    let read = "fn get(xs: [int], at: int) -> int { return xs[at] }";
    for write in [
        "fn put(xs: [int]) { xs[0] = 1 }
fn main() { put(table); print(get(table, 0)) }",
        "struct Box { xs: [int] }
fn main() { let b = Box(xs: table); b.xs[1] = 2; print(get(table, 0)) }",
        "fn main() { let rows = [table]; rows[0][0] = 2; print(get(table, 0)) }",
        "fn main() { fill(table, 2); print(get(table, 0)) }",
        "fn main() { sort(table); print(get(table, 0)) }",
        "fn main() { copy(table, 0, [4], 0, 1); print(get(table, 0)) }",
        "fn pick(a: [int]) -> [int] { return a }
fn main() { let b = pick(table); b[0] = 3; print(get(table, 0)) }",
        "fn put(xs: [int]) { xs[0] = 1 }
fn main() { let f = put; f(table); print(get(table, 0)) }",
        "var other = [0]
fn main() { other = table; other[0] += 1; print(get(table, 0)) }",
        "fn main() { let t: [int]? = table; t![0] = 3; print(get(table, 0)) }",
    ] {
        let source = format!("let table = [3, 2, 1]\n{read}\n{write}");
        assert_eq!(known(&source, "get", "xs"), Some((3, false)), "{write}");
    }
}

#[test]
fn what_is_only_read_is_a_table_wherever_it_goes() {
    let source = "struct Box { xs: [int] }
let table = [3, 2, 1]
fn get(xs: [int], at: int) -> int { return xs[at] }
fn own() -> [int] { return table }
fn main() {
    let b = Box(xs: own())
    let c = b.xs
    print(get(c, 0) + len(table))
    print(table == c)
    print(table)
}";
    assert_eq!(known(source, "get", "xs"), Some((3, true)));
    assert_eq!(known(source, "main", "c"), Some((3, true)));
}

#[test]
fn several_arrays_are_known_by_what_they_have_in_common() {
    let of = |a: &str, b: &str| {
        let source = format!("fn get(xs: [int]) -> int {{ return xs[0] }}\nfn main() {{ print(get({a}) + get({b})) }}");
        known(&source, "get", "xs")
    };
    assert_eq!(of("[1, 2]", "[3, 4]"), Some((2, false)));
    assert_eq!(of("[1, 2]", "[0; 2]"), Some((2, false)));
    assert_eq!(of("[1, 2]", "[3]"), None);
    assert_eq!(of("[1, 2]", "[3, 4][0..2]"), None, "a slice has any length");
}

/// Returns whether no object that one local refers to is one of another local's, as far as is known.
fn are_apart(source: &str, function: &str, a: &str, b: &str) -> bool {
    let module = module(source);
    let arrays = Arrays::new(Arc::clone(&module));
    let sites = |name: &str| {
        let (func, local) = local(&module, function, name);
        arrays.allocation_sites(func, local)
    };
    sites(a).zip(sites(b)).is_some_and(|(a, b)| a.is_disjoint(b))
}

/// A program that passes two records of two arrays each, made by `make`, and what else it does.
fn with_records(make: &str, more: &str) -> String {
    format!(
        "struct P {{ x: [float], y: [float] }}
fn zeros(n: int) -> [float] {{ return [0.0; n] }}
fn step(p: P, q: P) {{ let x = p.x; let y = p.y; x[0] = y[0] }}
{more}
fn main() {{ let n = len(\"abc\"); step({make}, P(x: [1.0], y: [2.0])) }}"
    )
}

#[test]
fn objects_of_different_allocation_sites_are_apart() {
    let own = "P(x: [0.0; n], y: [0.0; n])";
    assert!(are_apart(&with_records(own, ""), "step", "x", "y"));
    assert!(are_apart(&with_records(own, ""), "step", "p", "q"), "records are allocated, too");
    let shared = "P(x: zeros(n), y: zeros(n))";
    assert!(!are_apart(&with_records(shared, ""), "step", "x", "y"), "one site makes both");
    for more in [
        "fn swap(p: P) { p.x = p.y }",
        "fn pick(p: P) -> [float] { return p.y }\nfn put(p: P) { p.x = pick(p) }",
        "fn rows(p: P) { let rows = [p.x]; p.y = rows[0] }",
        "fn slice(p: P) { p.y = p.x[0..1] }",
        "var at: [float]? = none\nfn keep(p: P) { at = p.x; p.y = at! }",
    ] {
        assert!(!are_apart(&with_records(own, more), "step", "x", "y"), "{more}");
    }
    assert!(!are_apart(&with_records(own, "let again = step"), "step", "p", "q"), "whoever has the function calls it");
}

#[test]
fn allocation_sites_hold_until_an_object_of_another_gets_there() {
    let first = with_records("P(x: [0.0; n], y: [0.0; n])", "");
    let asked = |more: &str, ask: bool| {
        let module = module(&format!("{first}\n{more}"));
        let arrays = Arrays::new(Arc::clone(&module));
        let (func, local) = local(&module, "step", "x");
        if ask {
            assert!(arrays.allocation_sites(func, local).is_some());
        } else {
            assert!(arrays.of(func, local).is_none(), "its length is unknown");
        }
        arrays
    };
    let other = "let p = P(x: [5.0], y: [])\nstep(p, p)";
    assert!(asked("", true).are_implied_by(&asked("print(1)", true)));
    assert!(!asked("", true).are_implied_by(&asked(other, true)));
    assert!(asked("", false).are_implied_by(&asked(other, false)), "nobody has asked for it");
}

#[test]
fn what_comes_from_elsewhere_is_not_known() {
    let source = "fn main(args: [str]) { print(len(args)) }";
    assert_eq!(known(source, "main", "args"), None);
    let called = "fn get(xs: [int]) -> int { return xs[0] }
fn call(f: fn([int]) -> int, xs: [int]) -> int { return f(xs) }
fn main() { print(get([1]) + call(get, [1, 2])) }";
    assert_eq!(known(called, "get", "xs"), None, "whoever has the function calls it with anything");
    let rows = "fn get(xs: [int]) -> int { return xs[0] }
fn main() { let rows = [[1], [2, 3]]; print(get(rows[1])) }";
    assert_eq!(known(rows, "get", "xs"), None);
}

#[test]
fn facts_hold_until_a_program_grows_to_something_else() {
    let first = "let t = [1, 2]\nfn get(xs: [int]) -> int { return xs[0] }\nprint(get(t))";
    let asked = |source: &str| {
        let module = module(source);
        let arrays = Arrays::new(Arc::clone(&module));
        let (func, local) = local(&module, "get", "xs");
        (arrays.of(func, local).cloned(), arrays)
    };
    let (_, old) = asked(first);
    for (more, holds) in [("print(get(t))", true), ("print(get([5, 6]))", false), ("t[0] = 3", false)] {
        let (_, new) = asked(&format!("{first}\n{more}"));
        assert_eq!(old.are_implied_by(&new), holds, "{more}");
    }
    assert!(!old.are_implied_by(&Arrays::unknown()));
    assert!(Arrays::new(module(first)).are_implied_by(&Arrays::unknown()), "nobody has asked for a fact");
    let becomes_unknown = |arrays: &Arrays| {
        let module = module(first);
        let (func, local) = local(&module, "get", "xs");
        arrays.become_those_of(module).of(func, local).is_none()
    };
    assert!(becomes_unknown(&Arrays::unknown()));
    assert!(becomes_unknown(&old), "its functions have other bodies, and nobody knows what they did before");
}

#[test]
fn rows_of_one_length_are_known_by_it() {
    let of = |rows: &str| {
        let read = "fn get(xs: [int]) -> int { return xs[0] }";
        known(&format!("{read}\nfn main() {{ {rows}; print(get(rows[1])) }}"), "get", "xs")
    };
    assert_eq!(of("let rows = [[1, 2], [3, 4]]"), Some((2, false)));
    assert_eq!(of("let rows = [[0; 7]; 3]; rows[1] = [1; 7]"), Some((7, false)));
    assert_eq!(of("let rows = [[1, 2], [3, 4]]; rows[0] = [5]"), None);
    assert_eq!(of("let rows = [[0; 7]; 3]; let more = rows[0..2]; more[1] = [5]"), None, "a slice has the same rows");
    assert_eq!(of("let rows = [[0; 7]; 3]; copy(rows, 0, [[1]], 0, 1)"), None);
    assert_eq!(of("let rows = [[0; 7]; 3]; fill(rows, [1])"), None);
    let elsewhere = "fn get(xs: [int]) -> int { return xs[0] }
fn put(rows: [[int]]) { rows[0] = [1] }
fn main() { let rows = [[0; 7]; 3]; let f = put; f(rows); print(get(rows[1])) }";
    assert_eq!(known(elsewhere, "get", "xs"), None);
}

/// The range of what is in the arrays of a local.
fn elements(source: &str, function: &str, name: &str) -> Option<(i64, i64)> {
    let module = module(source);
    let (func, local) = local(&module, function, name);
    Arrays::new(Arc::clone(&module)).elements(func, local).map(|Range { least, most }| (least, most))
}

#[test]
fn masked_elements_are_words_wherever_the_array_goes() {
    let source = "let state = [1, 2, 3]
fn rotl(x: int, n: int) -> int { return (x << n | x >> 32 - n) & 0xffffffff }
fn mix(s: [int], n: int) {
    s[0] = rotl(s[1], n)
    s[1] = s[0] + s[2] & 0xffffffff
    let t = s[1]
    s[1] = s[2]
    s[2] = t
}
fn main() { mix(state, 7); print(state[0]) }";
    assert_eq!(elements(source, "mix", "s"), Some((0, 0xffff_ffff)));
}

#[test]
fn whatever_is_stored_counts() {
    let of = |store: &str| {
        let read = "fn get(xs: [int], at: int) -> int { return xs[at] }\nstruct Box { n: int, small: byte }\nvar g = 5";
        elements(&format!("{read}\nfn main() {{ let xs = [1, 9]; {store}; print(get(xs, 0)) }}"), "get", "xs")
    };
    assert_eq!(of("xs[0] = 4"), Some((1, 9)));
    assert_eq!(of("xs[0] = -4"), Some((-4, 9)));
    assert_eq!(of("fill(xs, 70)"), Some((1, 70)));
    assert_eq!(of("copy(xs, 0, [300], 0, 1)"), Some((1, 300)));
    assert_eq!(of("let ys = xs[0..1]; ys[0] = 40"), Some((1, 40)), "a slice has elements of the same kind");
    assert_eq!(of("let rows = [xs]; rows[0][1] = 50"), Some((1, 50)));
    assert_eq!(of("let b = Box(n: 11, small: 0); b.n = 12; xs[0] = b.n"), Some((1, 12)));
    assert_eq!(of("let b = Box(n: 11, small: 300); xs[0] = b.small"), Some((0, 255)));
    assert_eq!(of("g = 99; xs[0] = g"), Some((0, 99)));
    assert_eq!(of("for i in 0..20 { xs[0] = i }"), None, "a counter may be anything");
    assert_eq!(of("for i in 0..20 { xs[0] = i % 16 }"), Some((-15, 15)));
    assert_eq!(of("xs[0] = xs[1] + 1"), None);
    assert_eq!(of("xs[0] = xs[1] + 1 & 255"), Some((0, 255)));
    assert_eq!(of("xs[0] = parse_int(\"7\", 0)"), None);
    assert_eq!(of("let f = get; xs[0] = f(xs, 0)"), None, "whoever has the function may keep the array");
}

#[test]
fn globals_fields_and_results_have_ranges() {
    let source = "var seed = 42
struct Box { n: int, b: byte }
fn rnd(m: int) -> int { seed = (seed * 1664525 + 1013904223) & 0xffffffff; return (seed >> 8) % m }
fn main() { let b = Box(n: rnd(6), b: 7); print(b.n + b.b) }";
    let module = module(source);
    let arrays = Arrays::new(Arc::clone(&module));
    let range = |range: Option<Range>| range.map(|Range { least, most }| (least, most));
    let global = module.globals.keys().next().expect("there is a global");
    let record = module.records.keys().next().expect("there is a record");
    let (func, _) = local(&module, "rnd", "m");
    assert_eq!(range(arrays.global(global)), Some((0, 0xffff_ffff)));
    assert_eq!(range(arrays.result(func)), Some((0, 0xff_ffff)));
    assert_eq!(range(arrays.field(record, 0)), Some((0, 0xff_ffff)));
    assert_eq!(range(arrays.field(record, 1)), Some((0, 255)));
}

#[test]
fn ranges_hold_until_a_program_grows_to_something_else() {
    let first = "let t = [1, 2]\nvar g = 3\nfn get(xs: [int]) -> int { return xs[0] + g }\nprint(get(t))";
    let arrays = |source: &str| {
        let module = module(source);
        let arrays = Arrays::new(Arc::clone(&module));
        let (func, local) = local(&module, "get", "xs");
        assert!(arrays.of(func, local).is_some(), "a fact is asked for");
        assert!(arrays.elements(func, local).is_some(), "and what is in the array");
        module.globals.keys().for_each(|global| _ = arrays.global(global));
        arrays
    };
    let old = arrays(first);
    for (more, holds) in [("t[0] = 2", true), ("t[0] = 3", false), ("g = 2", true), ("g = 4", false)] {
        let new = arrays(&format!("{first}\n{more}"));
        // What is written is no table any more.
        let is_implied = old.are_implied_by(&new);
        assert_eq!(is_implied, holds && !more.starts_with('t'), "{more}");
    }
    let written = arrays(&format!("{first}\nt[1] = 1"));
    for (more, holds) in [("t[0] = 2", true), ("t[0] = 3", false)] {
        assert_eq!(written.are_implied_by(&arrays(&format!("{first}\nt[1] = 1\n{more}"))), holds, "{more}");
    }
}
