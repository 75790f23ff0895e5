//! Messages for manners of other languages: for each input, the help that says how it is written here.

use crate::common::{first, says};

#[test]
fn an_element_of_an_element_has_two_brackets() {
    says(&[
        ("let a = [[1, 2]]\na[0, 1] = 3", "write `a[0][1]`"),
        ("let a = [[1, 2]]\nprint(a[0, 1])", "write `a[0][1]`"),
        ("let g = [[[1]]]\nlet i = 0\nprint(g[i, 0, i + 0])", "write `g[i][0][i + 0]`"),
        ("struct S { a: [[int]] }\nlet s = S(a: [[1]])\nprint(s.a[0, 0])", "write `s.a[0][0]`"),
        ("var d = dict[str, int]()", "types stand at the variable"),
    ]);
}

#[test]
fn a_character_beside_a_string_is_a_string() {
    says(&[
        ("let c = \"x\"\nif c == 'x' { print(1) }", "write `\"x\"` for the string"),
        ("let c = \"x\"\nif '\\n' != c { print(1) }", "write `\"\\n\"`"),
        ("let c: str = 'x'", "write `\"x\"`"),
        ("print(\"a\" + '\"')", "write `\"\\\"\"`"),
        ("print(\"a,b\".split(','))", "write `\",\"`"),
        ("match \"x\" { 'x' => print(1), _ => print(2) }", "write `\"x\"`"),
    ]);
}

#[test]
fn a_string_is_repeated_by_a_call() {
    says(&[("print(\"a\" * 3)", "write `repeat(\"a\", 3)`"), ("print(3 * \"a\")", "write `repeat(\"a\", 3)`")]);
}

#[test]
fn what_stands_before_the_dot_is_not_counted() {
    says(&[
        ("let ys = list(1)\nys.push(1, \"a\")", "`push` takes 1 argument, found 2"),
        ("let ys = list(1)\npush(ys, 1, \"a\")", "`push` takes 2 arguments, found 3"),
        ("let d = dict(\"a\": 1)\nprint(d.get())", "`get` takes 1 or 2 arguments, found 0"),
        ("print(\"a\".upper(1))", "`upper` takes no arguments, found 1"),
        ("print(\"a\".len(1))", "`len` takes no arguments, found 1"),
        ("fn f(a: int, b: int) { print(a, b) }\nlet x = 1\nx.f(2, 3)", "`f` takes 1 argument, found 2"),
        ("fn f[T](a: T, b: int) { print(a, b) }\nlet x = 1\nx.f()", "`f` takes 1 argument, found 0"),
        ("fn f() { }\nlet x = 1\nx.f()", "what stands before the dot is its first argument"),
    ]);
}

#[test]
fn order_comes_from_a_key() {
    says(&[
        ("let xs = list(2, 1)\nxs.sort_by(fn(a, b) => a < b)", "a key of one element"),
        ("let xs = list(2, 1)\nxs.sort_by(fn(a, b) => a < b)", "`fn(x) => -x`"),
        ("let xs = [2, 1]\nprint(xs.min_by(fn(a, b) => a < b))", "`min_by` takes a key"),
        ("let xs = list(2, 1)\nprint(max_by(xs, fn(a, b) => a < b))", "`max_by` takes a key"),
        ("fn less(a: int, b: int) -> bool { return a < b }\nlet xs = list(2, 1)\nxs.sort_by(less)", "takes a key"),
        ("print(list(2).map(fn(a, b) => a))", "this function is given 1 argument, but takes 2"),
    ]);
}

#[test]
fn indices_come_from_enumerate() {
    says(&[
        ("let a = [1]\nfor i, x in a { print(i, x) }", "`for (i, x) in a.enumerate()`"),
        ("let a = [1]\nfor i, x in enumerate(a) { print(i, x) }", "`for (i, x) in enumerate(a)`"),
        ("let d = dict(\"a\": 1)\nfor k, v in d.items() { print(k, v) }", "`for (k, v) in d.items()`"),
        ("let a = [1]\nfor (i, x) in a { print(i, x) }", "`for (i, x) in a.enumerate()`"),
        ("let a = list(1)\nfor (i, x) in a { print(i, x) }", "`for (i, x) in a.enumerate()`"),
        ("for (i, x) in set(1) { print(i, x) }", "`for (i, x) in set(1).to_list().enumerate()`"),
        ("for (i, c) in \"abc\" { print(i, c) }", "`for (i, c) in \"abc\".chars().enumerate()`"),
        ("let d = dict(\"a\": 1)\nfor x, y, in d { }", "in parentheses"),
    ]);
}

#[test]
fn records_have_no_copy() {
    let point = "struct P { x: int, y: int }\nlet p = P(x: 1, y: 2)\n";
    for copied in ["p.copy()", "copy(p)", "p.clone()", "clone(p)"] {
        says(&[(&format!("{point}let q = {copied}\nprint(q)"), "`P(x: p.x, y: p.y)`")]);
    }
    says(&[
        ("let a = [1]\nlet b = a.copy()\nprint(b)", "write `a[..]`"),
        ("let a = list(1)\nlet b = a.clone()\nprint(b)", "write `a[..]`"),
        ("let d = dict(\"a\": 1)\nlet e = d.copy()\nprint(e)", "write `d.items().to_dict()`"),
        ("let s = set(1)\nlet t = s.copy()\nprint(t)", "write `s.to_list().to_set()`"),
        ("let a = [1]\ncopy(a, 0, a)", "`copy` takes 5 arguments, found 3"),
    ]);
}

#[test]
fn a_variant_has_its_enum_before_it() {
    says(&[
        ("enum E { A(int), B }\nlet e = A(1)\nprint(e)", "write `E.A`"),
        ("enum E { A(int), B }\nlet e = B\nprint(e)", "write `E.B`"),
        ("enum E { A(int), B }\nenum F { B, C }\nlet e = B\nprint(e)", "write `E.B` or `F.B`"),
        ("enum E { A(int), B }\nvar e = E.B\ne = A(1)\nprint(e)", "write `E.A`"),
    ]);
}

#[test]
fn names_that_are_offered_take_the_receiver() {
    for text in ["xs.truncate(1)", "xs.swap(0, 1)", "xs.sqr()", "xs.uper()", "xs.mep(1, 2)"] {
        let text = format!("let xs = list(1, 2)\n{text}");
        assert!(!first(&text).contains("did you mean"), "{text:?}: {}", first(&text));
    }
    says(&[
        ("let xs = list(1)\nxs.psh(1)", "did you mean `push`?"),
        ("let s = \"a\"\nprint(s.uper())", "did you mean `upper`?"),
        ("fn area(s: str) -> int { return len(s) }\nprint(\"a\".aera())", "did you mean `area`?"),
        ("fn largest[T](xs: list[T]) -> T { return xs[0] }\nprint(list(1).larges())", "did you mean `largest`?"),
        ("let xs = list(1, 2)\nxs.swap(0, 1)", "`(xs[0], xs[1]) = (xs[1], xs[0])`"),
        ("let xs = list(1, 2)\nxs.truncate(1)", "`xs[..1]`"),
    ]);
}

#[test]
fn declarations_have_no_defaults_and_types_no_lengths() {
    says(&[
        ("struct S { x: int = 3 }", "a field has no default"),
        ("struct S {\n    x: int\n    y: [int] = []\n}", "a field has no default"),
        ("fn f(a: int = 1) { }", "a parameter has no default"),
        ("fn f(b: int, a: str = \"a\") { }", "a parameter has no default"),
        ("let a: [int; 3] = [1, 2, 3]", "the type of an array has no length: `[int]`"),
        ("fn f(a: [[int; 3]; 2]) { }", "the type of an array has no length"),
    ]);
}

#[test]
fn methods_have_other_names() {
    let dict = "let d = dict(\"a\": 1)\nlet k = \"b\"\n";
    for (call, wanted) in [
        ("print(d.has(k))", "write `d.contains(k)`"),
        ("d.delete(k)", "write `d.remove(k)`"),
        ("d.insert(k, 2)", "write `d[k] = 2`"),
        ("d.put(k, 2)", "write `d[k] = 2`"),
        ("insert(d, k, 2)", "write `d[k] = 2`"),
        ("print(d.is_empty())", "write `len(d) == 0`"),
    ] {
        says(&[(&format!("{dict}{call}"), wanted)]);
    }
    says(&[
        ("var s = \"a\"\ns.push(\"x\")\nprint(s)", "write `s += \"x\"`"),
        ("var s = \"a\"\ns.append(\"x\")\nprint(s)", "write `s += \"x\"`"),
        ("let s = set(1)\ns.insert(2)", "write `s.add(2)`"),
        ("print([1].has(1))", "write `[1].any(fn(x) => x == 1)`"),
        ("print(\" a\".strip())", "write `\" a\".trim()`"),
    ]);
}

#[test]
fn variants_are_no_numbers() {
    says(&[
        ("enum E { A, B }\nprint(int(E.B))", "`match E.B { A => 0, B => 1 }`"),
        ("enum E { A, B(int), C, D }\nlet e = E.A\nprint(int(e))", "`match e { A => 0, B(_) => 1, ... }`"),
        ("enum E { A, B }\nprint(str(E.B))", "f\"{E.B}\""),
    ]);
}

#[test]
fn a_line_that_begins_with_an_operator_goes_on_nowhere() {
    says(&[
        ("let a = 1 << 8\n    | 3", "its line ends with the operator"),
        ("let a = 1\n    + 3", "its line ends with the operator"),
        ("fn f(a: int) -> int {\n    return a\n        - 1\n}", "`-` stands at its end"),
    ]);
}
