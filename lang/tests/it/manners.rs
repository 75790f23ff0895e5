//! Messages for manners of other languages: for each input, the help that says how it is written here.

use crate::common::says;

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
