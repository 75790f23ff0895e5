//! Messages that once led astray, or said too little: for each input, what must be said and what must not be.

use holloway_lang::session::{Input, NoFiles, Session, SessionKind};

use crate::common::{first, found, says};

#[test]
fn digits_in_quotes_are_numbers() {
    says(&[
        (r#"let x: int = "5""#, "parse_int"),
        (r#"print(int("5"))"#, "parse_int"),
        (r#"print(int("-17"))"#, "write `-17`"),
        (r#"let x: float = "5""#, "write `5.0`"),
        (r#"print(float("2.5"))"#, "parse_float"),
        (r#"let x: int = "a""#, "write `'a'`"),
        ("let s = \"5\"\nlet x: int = s", "parse_int(s, 0)"),
    ]);
    assert!(!first(r#"let x: int = "5""#).contains("'5'"), "53 is no 5");
}

#[test]
fn bytes_of_strings_are_compared_with_bytes() {
    says(&[
        ("let s = \"abc\"\nif s[0] == \"a\" { print(1) }", "write `'a'`"),
        ("let s = \"abc\"\nif \" \" != s[0] { print(1) }", "write `' '`"),
        ("let s = \"abc\"\nif s[0] == \"\\n\" { print(1) }", "write `'\\n'`"),
        ("let s = \"abc\"\nif s[0] == \"ab\" { print(1) }", "s.starts_with(\"ab\")"),
        ("let s = \"abc\"\nif s[1] == \"bc\" { print(1) }", "write `s[1..3]`"),
        ("for c in \"abc\" { if c == \"a\" { print(1) } }", "write `'a'`"),
        ("match \"abc\"[0] { \"a\" => print(1), _ => print(2) }", "write `'a'`"),
    ]);
}

#[test]
fn arrays_do_not_grow() {
    says(&[
        ("let a = [1]\na.push(2)", "an array has a fixed length; make `a` a list"),
        ("let a = [1]\na.pop()", "fixed length"),
        ("let a = [1]\na.insert(0, 1)", "fixed length"),
        ("let a = [1]\nremove(a, 0)", "fixed length"),
        ("let a = [1]\nappend(a, 2)", "write `push(a, 2)`"),
    ]);
}

#[test]
fn dicts_are_no_braces() {
    says(&[
        ("let m = {\"a\": 1}", "dict(\"a\": 1)"),
        ("let m = {a: 1}", "dict(\"a\": 1)"),
        ("let m = {}", "dict()"),
        ("let m: dict[str, int] = {}", "dict()"),
    ]);
}

#[test]
fn closures_have_no_bars() {
    says(&[
        ("let k = 1\nlet f = |x| x + k", "fn(x) => x + k"),
        ("let f = |a, b| a * b", "fn(a, b) => a * b"),
        ("let f = || 1", "fn() => 1"),
        ("f(|x| { x })", "fn(x)"),
        ("print([1].map(|x| x + 1))", "fn(x) => x + 1"),
    ]);
}

#[test]
fn commas_are_missing() {
    says(&[
        ("fn f(a: int b: int) { }", "a comma is missing before `b`"),
        ("struct S { a: int b: int }", "a comma is missing before `b`"),
        ("struct S { x: int y: int }", "a comma is missing before `y`"),
        ("enum E { A(int) B }", "a comma is missing before `B`"),
        ("print(1 2)", "a comma"),
        ("let a = [1 2]", "a comma"),
        ("int x = 5", "a variable is declared with"),
    ]);
}

#[test]
fn quotes_are_straight_and_double() {
    says(&[("let x = `x`", "double quotes: `\"text\"`"), ("let x = ‘a’", "straight quotes: `'a'`")]);
}

#[test]
fn arms_have_double_arrows() {
    says(&[("match 3 { 1 -> print(1) }", "write `=>`"), ("let y = match 3 { 1 -> 2, _ -> 3 }", "write `=>`")]);
}

#[test]
fn floats_have_digits_on_both_sides() {
    says(&[
        ("let x = 1.", "write `1.0`"),
        ("let x = 1.\nlet y = 2", "write `1.0`"),
        ("print(2. + 1)", "write `2.0`"),
        ("let x = .5", "write `0.5`"),
        ("print(1 + .25)", "write `0.25`"),
    ]);
}

#[test]
fn types_have_brackets() {
    says(&[
        ("let a: int[] = []", "`[int]`"),
        ("let a: int[3] = [1, 2, 3]", "`[int]`"),
        ("let a: List[int] = list()", "`list`"),
        ("let a: Vec[int] = list()", "`list`"),
        ("let a: HashMap[str, int] = dict()", "`dict`"),
        ("fn id<T>(x: T) -> T { return x }", "`id[T]`"),
        ("let a: list<int> = list()", "`list[int]`"),
        ("struct P<A, B> { a: A, b: B }", "`P[A, B]`"),
    ]);
}

#[test]
fn a_character_is_an_int_or_a_string() {
    says(&[("fn f(x: char) { }", "`int` holds a byte"), ("let c: char = 'a'", "`int` holds a byte")]);
    assert!(!first("fn f(x: char) { }").contains("is called `byte`"), "that type is refused here");
}

#[test]
fn words_are_misspelt() {
    says(&[
        ("fucn f() { }", "did you mean `fn`"),
        ("whlie true { }", "did you mean `while`"),
        ("fro i in 0..3 { }", "did you mean `for`"),
        ("fn f() -> int { retrun 1 }", "did you mean `return`"),
        ("lte x = 1", "did you mean `let`"),
        ("sturct S { x: int }", "did you mean `struct`"),
        ("imprt \"a.hw\"", "did you mean `import`"),
        ("foo bar", "statements are separated"),
    ]);
}

#[test]
fn a_misspelt_field_is_one_error() {
    let text = "struct P { x: int, name: str }\nprint(P(x: 1, nmae: \"a\"))";
    says(&[(text, "did you mean `name`?"), ("struct P[T] { x: T, name: str }\nprint(P(x: 1, nmae: 2))", "`name`?")]);
    assert_eq!(found(text).iter().filter(|found| found.is_error()).count(), 1);
}

#[test]
fn names_in_patterns_do_not_compare() {
    let hiding = "let limit = 3\nmatch 4 { limit => print(1), _ => print(limit) }";
    let all = found(hiding);
    let help = all.iter().filter_map(|found| found.help.as_deref()).find(|help| help.contains("const"));
    assert_eq!(help, Some("to compare with `limit`, make that a `const`, or write a guard: `n if n == limit => ...`"));
    says(&[(
        "let limit = 3\nmatch 4 { 0..limit => print(1), _ => print(2) }",
        "make it a `const`, or compare in a guard",
    )]);
}

#[test]
fn what_is_right_but_not_meant_is_warned_of() {
    says(&[
        ("fn main() { print(1) }\nmain()", "it runs twice"),
        ("print([1, 2] == [1, 2])", "`equal([1, 2], [1, 2])`"),
        ("var t = \"\"\nfor c in \"café\" { t += chr(c) }\nprint(t)", "\"café\".chars()"),
    ]);
}

#[test]
fn the_dialogue_has_one_view_of_none() {
    let mut session = Session::new(SessionKind::Repl);
    let mut message = |text: &str| {
        let input = Input { name: "line", key: None, bytes: text.as_bytes() };
        session.add(input, &mut NoFiles).map(|added| added.shown.is_some()).map_err(|all| all[0].message())
    };
    assert_eq!(message("none"), Ok(false), "it is printed, and no type is shown");
    assert_eq!(message("let z = none"), Err("nothing says what type this `none` has".to_owned()));
}
