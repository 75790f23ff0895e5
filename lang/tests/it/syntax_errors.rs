//! Errors in enums, tuples, patterns, closures and formatted strings, and habits from other languages in them.

use super::common::diagnose;

#[test]
fn formatted_strings() {
    let text = r#"let a = f"{x"
let b = f"}"
let c = f"{}" + f"{:>3}"
let e = f"{x:{w}}"
let f = f"abc
print(f"{a", "b")
let g = f"\q{a}\u{d800}"
let i = f"{a /* b */}{99999999999999999999}"
let k = f'{a}'
let m = f"{a:>3" + "}"
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:11: `{` in the formatted string is not closed on its line
       1 | let a = f"{x"
         |           ^
      help: close it with `}`; a brace as text is written `{{`
    2:11: `}` in the formatted string closes nothing
       2 | let b = f"}"
         |           ^
      help: a brace as text is written `}}`
    3:12: expected an expression, found `}`
       3 | let c = f"{}" + f"{:>3}"
         |            ^
      help: braces in a formatted string hold an expression; a brace as text is written `{{`
    4:14: a format holds no braces
       4 | let e = f"{x:{w}}"
         |              ^
      help: a format is fixed text, such as `>8` or `.2`
    5:9: the string is not closed on its line
       5 | let f = f"abc
         |         ^^^^^
      help: close it with `"`; a newline inside is written `\n`
    6:9: `{` in the formatted string is not closed on its line
       6 | print(f"{a", "b")
         |         ^
      help: close it with `}`; a brace as text is written `{{`
    7:11: unknown escape `\q`
       7 | let g = f"\q{a}\u{d800}"
         |           ^^
      help: the escapes are \n \r \t \\ \" \' \0 \x41 \u{1F600}
    7:16: `\u{d800}` is no character
       7 | let g = f"\q{a}\u{d800}"
         |                ^^^^^^^^
    8:14: no comment stands in a formatted string
       8 | let i = f"{a /* b */}{99999999999999999999}"
         |              ^^^^^^^
    8:23: the integer does not fit in 64 bits
       8 | let i = f"{a /* b */}{99999999999999999999}"
         |                       ^^^^^^^^^^^^^^^^^^^^
      help: the largest int is 9223372036854775807; 0x and 0b take 64 bits
    9:10: a character literal holds one byte, this one has 3
       9 | let k = f'{a}'
         |          ^^^^^
      help: a formatted string stands in double quotes: `f"{x}"`
    10:11: `{` in the formatted string is not closed on its line
      10 | let m = f"{a:>3" + "}"
         |           ^
      help: close it with `}`; a brace as text is written `{{`
    "#);
}

#[test]
fn what_stands_in_holes() {
    let text = r#"let a = f"{f"{a b}"}"
let b = f"{a b}" + f"{a +}"
let c = f"{let x = 1}"
let d = f"{f(1, 2 3)}{}"
let e = f"{a; b}"
let g = f"{if a { b c } else { d }:x y}"
let h = f"{f(1}"
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:17: expected `}`, found name `b`
       1 | let a = f"{f"{a b}"}"
         |                 ^
    2:14: expected `}`, found name `b`
       2 | let b = f"{a b}" + f"{a +}"
         |              ^
    3:12: expected an expression, found keyword `let`
       3 | let c = f"{let x = 1}"
         |            ^^^
    4:19: expected `)` or `,`, found number `3`
       4 | let d = f"{f(1, 2 3)}{}"
         |                   ^
      help: a comma or a closing bracket is missing before it
    5:13: expected `}`, found `;`
       5 | let e = f"{a; b}"
         |             ^
    6:21: expected the end of the statement or `}`, found name `c`
       6 | let g = f"{if a { b c } else { d }:x y}"
         |                     ^
      help: statements are separated by `;` or a newline
    7:15: expected `)`, found `}`
       7 | let h = f"{f(1}"
         |               ^
       7 | let h = f"{f(1}"
         |             ^ this bracket is still open
    "#);
}

#[test]
fn enums_and_generics() {
    let text = r#"enum E { A = 1, B }
enum F { A(), B(x: int) }
enum G { A int }
enum H { fn f() { } }
struct P<A, B> { x: A }
fn f<T>(x: T) { }
fn g[](x: int) { }
let x: list<int> = y
let y: dict[str, ] = z
fn h() {
    enum J { A }
}
import "a" as 3
let t: (int,) = 1
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:12: expected `(`, `}` or `,`, found `=`
       1 | enum E { A = 1, B }
         |            ^
      help: a variant has no number of its own
    2:12: expected a type, found `)`
       2 | enum F { A(), B(x: int) }
         |            ^
      help: a variant without payload has no parentheses
    3:12: expected `(`, `}` or `,`, found name `int`
       3 | enum G { A int }
         |            ^^^
      help: a comma is missing before `int`
    4:10: expected a name or `}`, found keyword `fn`
       4 | enum H { fn f() { } }
         |          ^^
      help: functions are defined outside of structs and enums
    5:9: expected `{`, found `<`
       5 | struct P<A, B> { x: A }
         |         ^
      help: types stand in brackets: `P[A, B]`
    6:5: expected `(`, found `<`
       6 | fn f<T>(x: T) { }
         |     ^
      help: types stand in brackets: `f[T]`
    7:6: expected a name, found `]`
       7 | fn g[](x: int) { }
         |      ^
    8:12: expected `=`, found `<`
       8 | let x: list<int> = y
         |            ^
      help: types stand in brackets: `list[int]`
    11:5: an enum can stand at top level only
      11 |     enum J { A }
         |     ^^^^
      help: move it out of the block
    13:15: expected a name, found number `3`
      13 | import "a" as 3
         |               ^
    14:8: a tuple has two parts at least
      14 | let t: (int,) = 1
         |        ^^^^^^
      help: leave out the parentheses and the comma
    "#);
}

#[test]
fn tuples_and_patterns() {
    let text = r#"let a, b = t
for k, v in d { }
a, b = b, a
let (a) = t
let t = (1,)
(a, b) += (1, 2)
(a, f()) = t
t.0 = 1
t.0x1
t.01
1 .0
match t {
    V() => 1
    E.V(x) => 2
    (p) => 3
    (1.5, x) => 4
    V(x) when x > 1 => 1
    W(x if y) => 2
}
if let 1 = x { }
if let (a) = x { }
(a, _) = t
return a, b
for (i = 0; i < 10; i++) { }
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:6: expected `:` or `=`, found `,`
       1 | let a, b = t
         |      ^
      help: several names stand in parentheses: `(a, b)`
    2:6: expected `in`, found `,`
       2 | for k, v in d { }
         |      ^
      help: for indices too, write `for (k, v) in d.enumerate()`; over a dict, `for (k, v) in d`
    3:2: expected the end of the statement, found `,`
       3 | a, b = b, a
         |  ^
      help: a tuple stands in parentheses: `(a, b)`
    4:5: a tuple has two parts at least
       4 | let (a) = t
         |     ^^^
      help: leave out the parentheses and the comma
    5:9: a tuple has two parts at least
       5 | let t = (1,)
         |         ^^^^
      help: leave out the parentheses and the comma
    6:8: `+=` does not work on a tuple
       6 | (a, b) += (1, 2)
         |        ^^
      help: assign the parts one by one, or write `=`
    7:5: only a variable, an element or a field can be assigned to
       7 | (a, f()) = t
         |     ^^^
      help: to compare, write `==`
    8:1: only a variable, an element or a field can be assigned to
       8 | t.0 = 1
         | ^^^
      help: a tuple does not change: assign a new one
    9:3: `0x1` is no index of a part of a tuple
       9 | t.0x1
         |   ^^^
    10:3: `01` is no index of a part of a tuple
      10 | t.01
         |   ^^
    11:1: a number has no parts
      11 | 1 .0
         | ^^^^
      help: a float is written without a blank: `1.0`
    13:5: the payload in this pattern is empty
      13 |     V() => 1
         |     ^^^
      help: a variant without payload is written `V`
    14:6: expected `..`, `..=`, `=>` or `|`, found `.`
      14 |     E.V(x) => 2
         |      ^
      help: in a pattern the name of the enum is left out: `Variant(x)`
    15:5: a tuple has two parts at least
      15 |     (p) => 3
         |     ^^^
      help: leave out the parentheses and the comma
    16:5: a tuple has two parts at least
      16 |     (1.5, x) => 4
         |     ^^^^^^^^
      help: leave out the parentheses and the comma
    17:10: expected `=>` or `|`, found name `when`
      17 |     V(x) when x > 1 => 1
         |          ^^^^
      help: a guard is written `p if c => e`
    18:9: expected `)`, `,` or `|`, found keyword `if`
      18 |     W(x if y) => 2
         |         ^^
    20:8: expected a name, found number `1`
      20 | if let 1 = x { }
         |        ^
      help: `if let` takes a name, a variant or a tuple
    21:8: a tuple has two parts at least
      21 | if let (a) = x { }
         |        ^^^
      help: leave out the parentheses and the comma
    23:9: expected the end of the statement, found `,`
      23 | return a, b
         |         ^
    24:8: expected `)` or `,`, found `=`
      24 | for (i = 0; i < 10; i++) { }
         |        ^
      help: a loop is written `for i in a..b { }`
    "#);
}

#[test]
fn closures_and_dicts() {
    let text = r#"let a = lambda x: x + 1
let b = |x| x + 1
let c = x => x + 1
let d = (x, y) => x + y
let e = x -> x + 1
let f = fn foo(x) { x }
let g = fn(x: ) => x
let h = fn(x) => y = x
let i = fn(x)
let j = {"a": 1}
let k = f("a": 1)
let l = xs.map(|x| x * 2)
let m = dict("a": 1, 2)
let n = f()(a: 1)
let o = xs.map(x => x * 2)
let p = fn x => x
let q = f(|| 1)
let r = fn(x) -> x + 1
let s = fn(x): x + 1
let t = dict[str, int]()
let u = Token::Num(3)
Token::Num(3)
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:16: expected the end of the statement, found name `x`
       1 | let a = lambda x: x + 1
         |                ^
      help: a closure is written `fn(x) => e` or `fn(x) { }`
    2:9: expected an expression, found `|`
       2 | let b = |x| x + 1
         |         ^
      help: a closure is written `fn(x) => x + 1`
    3:11: expected the end of the statement, found `=>`
       3 | let c = x => x + 1
         |           ^^
      help: a closure is written `fn(x) => e`
    4:16: expected the end of the statement, found `=>`
       4 | let d = (x, y) => x + y
         |                ^^
      help: a closure is written `fn(x, y) => e`
    5:11: expected the end of the statement, found `->`
       5 | let e = x -> x + 1
         |           ^^
      help: a closure is written `fn(x) => e`
    6:12: expected `(`, found name `foo`
       6 | let f = fn foo(x) { x }
         |            ^^^
      help: a closure is written `fn(x) => e` or `fn(x) { }`
    7:15: expected a type, found `)`
       7 | let g = fn(x: ) => x
         |               ^
    8:20: expected the end of the statement, found `=`
       8 | let h = fn(x) => y = x
         |                    ^
      help: a closure that assigns has a block: `fn(x) { y = x }`
    9:14: expected `{`, `->` or `=>`, found the end of the line
       9 | let i = fn(x)
         |              ^
      help: `{` stands on the same line
    10:13: expected the end of the statement, found `:`
      10 | let j = {"a": 1}
         |             ^
      help: a dict is written `dict("a": 1)`
    11:11: only `dict` takes keys that are no names
      11 | let k = f("a": 1)
         |           ^^^
      11 | let k = f("a": 1)
         |         ^ not `dict`
    12:16: expected an expression or `)`, found `|`
      12 | let l = xs.map(|x| x * 2)
         |                ^
      help: a closure is written `fn(x) => x * 2`
    13:22: named and unnamed arguments are mixed
      13 | let m = dict("a": 1, 2)
         |                      ^
      13 | let m = dict("a": 1, 2)
         |              ^^^^^^ this one is named
      help: a function takes unnamed arguments, a struct names every field
    14:13: only the construction of a struct names its arguments
      14 | let n = f()(a: 1)
         |             ^
      14 | let n = f()(a: 1)
         |         ^^^ not the name of a struct
    15:18: expected `)`, `,` or `:`, found `=>`
      15 | let o = xs.map(x => x * 2)
         |                  ^^
      help: a closure is written `fn(x) => e`
    16:12: expected `(`, found name `x`
      16 | let p = fn x => x
         |            ^
      help: a closure is written `fn(x) => e` or `fn(x) { }`
    17:11: expected an expression or `)`, found `||`
      17 | let q = f(|| 1)
         |           ^^
      help: a closure is written `fn() => 1`
    18:20: expected `{` or `=>`, found `+`
      18 | let r = fn(x) -> x + 1
         |                    ^
      help: the value of a closure follows `=>`
    19:14: expected `{`, `->` or `=>`, found `:`
      19 | let s = fn(x): x + 1
         |              ^
      help: the type of a result follows `->`, a value `=>`
    20:17: expected `]`, `..` or `..=`, found `,`
      20 | let t = dict[str, int]()
         |                 ^
      help: types stand at the variable: `var d: dict[str, int] = dict()`
    21:14: expected the end of the statement, found `:`
      21 | let u = Token::Num(3)
         |              ^
      help: a variant is written `Enum.Variant`, a name of a module `module.name`
    22:7: expected a statement, found `:`
      22 | Token::Num(3)
         |       ^
      help: a variant is written `Enum.Variant`, a name of a module `module.name`
    "#);
}
