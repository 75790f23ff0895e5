//! What syntax errors look like: messages, places and help.

mod common;

use common::diagnose;

#[test]
fn strings_and_characters() {
    let text = r#"let a = 'ab' + 'x
let b = "abc
print("hello)
let f = "\q \xZ1 \u{FFFFFFF} \u{d800}"
let i = ''
let j = 'é'
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:9: a character literal holds one byte, this one has 2
       1 | let a = 'ab' + 'x
         |         ^^^^
      help: a text is written in double quotes: `"ab"`
    1:16: the character literal is not closed
       1 | let a = 'ab' + 'x
         |                ^^
      help: close it with `'`
    2:9: the string is not closed on its line
       2 | let b = "abc
         |         ^^^^
      help: close it with `"`; a newline inside is written `\n`
    3:7: the string is not closed on its line
       3 | print("hello)
         |       ^^^^^^
      help: close it with `"`; a newline inside is written `\n`
    4:10: unknown escape `\q`
       4 | let f = "\q \xZ1 \u{FFFFFFF} \u{d800}"
         |          ^^
      help: the escapes are \n \r \t \\ \" \' \0 \x41 \u{1F600}
    4:13: unknown escape `\x`
       4 | let f = "\q \xZ1 \u{FFFFFFF} \u{d800}"
         |             ^^
      help: the escapes are \n \r \t \\ \" \' \0 \x41 \u{1F600}
    4:18: unknown escape `\u`
       4 | let f = "\q \xZ1 \u{FFFFFFF} \u{d800}"
         |                  ^^
      help: the escapes are \n \r \t \\ \" \' \0 \x41 \u{1F600}
    4:30: `\u{d800}` is no character
       4 | let f = "\q \xZ1 \u{FFFFFFF} \u{d800}"
         |                              ^^^^^^^^
    5:9: a character literal holds one byte, this one is empty
       5 | let i = ''
         |         ^^
    6:9: a character literal holds one byte, this one has 2
       6 | let j = 'é'
         |         ^^^
      help: a text is written in double quotes: `"é"`
    "#);
}

#[test]
fn numbers() {
    let text = r#"let a = 12abc
let b = 0xfg
let c = 99999999999999999999
let d = 0o17
let e = 1e999
let f = 9223372036854775808
let g = 5 - 9223372036854775808
let h = -9223372036854775808 + 0xffff_ffff_ffff_ffff
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:9: `12abc` is no number
       1 | let a = 12abc
         |         ^^^^^
    2:9: `0xfg` is no number
       2 | let b = 0xfg
         |         ^^^^
    3:9: the integer does not fit in 64 bits
       3 | let c = 99999999999999999999
         |         ^^^^^^^^^^^^^^^^^^^^
      help: the largest int is 9223372036854775807; 0x and 0b take 64 bits
    4:9: `0o17` is no number
       4 | let d = 0o17
         |         ^^^^
      help: numbers are decimal, hexadecimal (0xff) or binary (0b101)
    5:9: the number is too large for a float
       5 | let e = 1e999
         |         ^^^^^
    6:9: the integer does not fit in 64 bits
       6 | let f = 9223372036854775808
         |         ^^^^^^^^^^^^^^^^^^^
      help: the largest int is 9223372036854775807; -9223372036854775808 is the smallest
    7:13: the integer does not fit in 64 bits
       7 | let g = 5 - 9223372036854775808
         |             ^^^^^^^^^^^^^^^^^^^
      help: the largest int is 9223372036854775807; -9223372036854775808 is the smallest
    "#);
}

#[test]
fn stray_characters() {
    let text = r#"let g = a @@ b # c
let h = “smart”
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:11: unexpected characters `@@`
       1 | let g = a @@ b # c
         |           ^^
    1:16: unexpected character `#`
       1 | let g = a @@ b # c
         |                ^
      help: a comment starts with `//`
    2:9: unexpected character `“`
       2 | let h = “smart”
         |         ^
      help: strings are written in straight quotes: `"text"`
    2:15: unexpected character `”`
       2 | let h = “smart”
         |               ^
      help: strings are written in straight quotes: `"text"`
    "#);
}

#[test]
fn an_open_comment() {
    let text = r#"foo
/* open /* nested */
bar(
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    2:1: the comment is not closed
       2 | /* open /* nested */
         | ^^
      help: close it with `*/`; comments nest
    "#);
}

#[test]
fn an_open_brace_is_found_by_indentation() {
    let text = r#"fn f() {
    if a {
        x = 1

    y = 2
}
fn g() { }
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    2:10: `{` is never closed
       2 |     if a {
         |          ^
       8 | 
         | ^ the file ends here with a bracket still open
      note: the `}` that would close it is indented like that of an outer block
    "#);
}

#[test]
fn open_parentheses() {
    let text = r#"foo(1, 2
bar(3)
x = [1, 2
y = 3
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:4: `(` is never closed
       1 | foo(1, 2
         |    ^
       5 | 
         | ^ the file ends here with a bracket still open
    3:5: `[` is never closed
       3 | x = [1, 2
         |     ^
       5 | 
         | ^ the file ends here with a bracket still open
    "#);
}

#[test]
fn wrong_brackets() {
    let text = r#"}
let x = )
match x {
    1 => foo(
    2 => 3
}
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:1: `}` closes nothing
       1 | }
         | ^
    2:9: `)` closes nothing
       2 | let x = )
         |         ^
    6:1: expected `)`, found `}`
       6 | }
         | ^
       4 |     1 => foo(
         |             ^ this bracket is still open
    "#);
}

#[test]
fn habits_in_declarations() {
    let text = r#"let mut x = 1
var y: int
let z
x := 5
int x = 5
const N
let x: = 3
let if = 3
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:9: expected `:` or `=`, found name `x`
       1 | let mut x = 1
         |         ^
      help: a variable that may change is declared with `var`
    2:11: expected `=`, found the end of the line
       2 | var y: int
         |           ^
      help: a variable is given its first value where it is declared
    3:6: expected `:` or `=`, found the end of the line
       3 | let z
         |      ^
      help: a variable is given its first value where it is declared
    4:4: expected a statement, found `=`
       4 | x := 5
         |    ^
      help: a variable is declared with `let x = e` or `var x = e`
    5:5: expected the end of the statement, found name `x`
       5 | int x = 5
         |     ^
      help: a variable is declared with `let x = e` or `var x: T = e`
    6:8: expected `:` or `=`, found the end of the line
       6 | const N
         |        ^
      help: a constant is given its value where it is declared
    7:8: expected a type, found `=`
       7 | let x: = 3
         |        ^
      help: a variable is declared with `let x = e` or `var x = e`
    8:5: expected a name, found keyword `if`
       8 | let if = 3
         |     ^^
      help: `if` is a reserved word
    "#);
}

#[test]
fn habits_in_operators() {
    let text = r#"i++
i--
a = 2 ** 3
if x === 3 { }
x = not y
x = a and b
let q = a ? b : c
let r = 0..10
a
+ b
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:3: expected an expression, found `+`
       1 | i++
         |   ^
      help: to count up, write `i += 1`
    2:4: expected an expression, found the end of the line
       2 | i--
         |    ^
      help: to count down, write `i -= 1`
    3:8: expected an expression, found `*`
       3 | a = 2 ** 3
         |        ^
      help: a power is written `pow(x, y)`
    4:8: expected an expression, found `=`
       4 | if x === 3 { }
         |        ^
      help: comparison is `==` and `!=`
    5:9: expected the end of the statement, found name `y`
       5 | x = not y
         |         ^
      help: write `!` for not
    6:7: expected the end of the statement, found name `and`
       6 | x = a and b
         |       ^^^
      help: write `&&` for and
    7:11: expected the end of the statement, found `?`
       7 | let q = a ? b : c
         |           ^
      help: a choice is written `if c { a } else { b }`
    8:10: expected the end of the statement, found `..`
       8 | let r = 0..10
         |          ^^
      help: a range stands in `for`, in a slice or in a pattern only
    10:1: expected an item or a statement, found `+`
      10 | + b
         | ^
      help: a statement goes on when its line ends with the operator, or inside parentheses
    "#);
}

#[test]
fn habits_in_functions() {
    let text = r#"func foo(a: int) -> int {
    return a
}
def bar(b) { }
fn baz(a, b: int) { return a b }
fn q(a int): int { }
fn r(a: int)
{
    print(a)
}
let f = fn(x) { x }
foo(|x| {
    bar
})
print "hello"
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:6: expected the end of the statement, found name `foo`
       1 | func foo(a: int) -> int {
         |      ^^^
      help: a function is defined with `fn`
    4:5: expected the end of the statement, found name `bar`
       4 | def bar(b) { }
         |     ^^^
      help: a function is defined with `fn`
    5:9: expected `:`, found `,`
       5 | fn baz(a, b: int) { return a b }
         |         ^
      help: a parameter has a type: `name: int`
    6:8: expected `:`, found name `int`
       6 | fn q(a int): int { }
         |        ^^^
      help: a parameter has a type: `name: int`
    7:13: expected `{` or `->`, found the end of the line
       7 | fn r(a: int)
         |             ^
      help: `{` stands on the same line
    11:9: expected an expression, found keyword `fn`
      11 | let f = fn(x) { x }
         |         ^^
      help: a function has a name and is defined at top level; its name is the value
    12:5: expected an expression or `)`, found `|`
      12 | foo(|x| {
         |     ^
    15:7: expected the end of the statement, found string `"hello"`
      15 | print "hello"
         |       ^^^^^^^
      help: arguments stand in parentheses: `print(x)`
    "#);
}

#[test]
fn habits_in_control_flow() {
    let text = r#"if x = 3 { y = 1 }
if x { } elif y { } else { }
while (x) y = 2
if x then y end
while x < 3
{ }
for (i = 0; i < 10; i++) { print(i) }
for i in 0..10 by 2 { }
do { x } while (y)
switch x { }
try { }
x = 1
catch e { }
try { } catch { }
break 3
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:6: expected a condition, found an assignment
       1 | if x = 3 { y = 1 }
         |      ^
      help: to compare, write `==`; to unwrap an optional, `if let n = e`
    2:15: expected the end of the statement, found name `y`
       2 | if x { } elif y { } else { }
         |               ^
      help: write `else if`
    3:11: expected `{`, found name `y`
       3 | while (x) y = 2
         |           ^
      help: the body stands in `{ }`
    4:6: expected `{`, found name `then`
       4 | if x then y end
         |      ^^^^
      help: a block stands in `{ }`
    5:12: expected `{` or `=`, found the end of the line
       5 | while x < 3
         |            ^
      help: `{` stands on the same line
    7:5: expected a name, found `(`
       7 | for (i = 0; i < 10; i++) { print(i) }
         |     ^
      help: a loop is written `for i in a..b { }`
    8:16: expected `{`, found name `by`
       8 | for i in 0..10 by 2 { }
         |                ^^
      help: a step is written `for i in a..b step s`
    9:4: expected the end of the statement, found `{`
       9 | do { x } while (y)
         |    ^
      help: write `loop { }` or `while c { }`
    10:8: expected the end of the statement, found name `x`
      10 | switch x { }
         |        ^
      help: write `match e { 0 => ..., _ => ... }`
    11:8: expected `catch`, found the end of the line
      11 | try { }
         |        ^
      help: a `try` has a handler: `try { } catch e { }`
    13:1: expected the end of the statement, found keyword `catch`
      13 | catch e { }
         | ^^^^^
      help: `catch` follows the `}` of a `try`
    14:15: expected a name, found `{`
      14 | try { } catch { }
         |               ^
      help: the message has a name: `catch e { }`
    15:7: expected a name or the end of the statement, found number `3`
      15 | break 3
         |       ^
      help: `break` takes a label, a loop has no value
    "#);
}

#[test]
fn structs_and_lists() {
    let text = r#"struct P { x: int; y: int }
struct Q { x int, y: float }
struct R { fn f() { } }
let p = P { x: 1, y: 2 }
print(a b, c)
foo(,)
x = a[1:2]
x = [1 2]
x = ()
import foo
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:18: expected `}` or `,`, found `;`
       1 | struct P { x: int; y: int }
         |                  ^
      help: a comma or a newline separates here
    2:14: expected `:`, found name `int`
       2 | struct Q { x int, y: float }
         |              ^^^
      help: a field has a type: `name: int`
    3:12: expected a name or `}`, found keyword `fn`
       3 | struct R { fn f() { } }
         |            ^^
      help: a struct holds fields; a function that takes it is defined outside
    4:11: expected the end of the statement, found `{`
       4 | let p = P { x: 1, y: 2 }
         |           ^
      help: a struct is built with parentheses: `Point(x: 1.0, y: 2.0)`
    5:9: expected `)` or `,`, found name `b`
       5 | print(a b, c)
         |         ^
      help: a comma or a closing bracket is missing before it
    6:5: expected an expression or `)`, found `,`
       6 | foo(,)
         |     ^
    7:8: expected `]`, `..` or `..=`, found `:`
       7 | x = a[1:2]
         |        ^
      help: a slice is written `a[x..y]`
    8:8: expected `]`, `,` or `;`, found number `2`
       8 | x = [1 2]
         |        ^
      help: a comma or a closing bracket is missing before it
    9:6: expected an expression, found `)`
       9 | x = ()
         |      ^
    10:8: expected a string, found name `foo`
      10 | import foo
         |        ^^^
      help: the path of an import is a string
    "#);
}

#[test]
fn what_only_actions_see() {
    let text = r#"let y = a < b < c
1 + 2 = x
f() += 1
S(x: 1, 2)
a.b(x: 1)
let z = _
fn main() {
    fn inner() { }
    struct S { x: int }
    import "a"
}
import "\xff"
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:15: comparisons cannot be chained
       1 | let y = a < b < c
         |               ^
       1 | let y = a < b < c
         |           ^ the first comparison
      help: write `... < b && b < ...`
    2:1: only a variable, an element or a field can be assigned to
       2 | 1 + 2 = x
         | ^^^^^
      help: to compare, write `==`
    3:1: only a variable, an element or a field can be assigned to
       3 | f() += 1
         | ^^^
    4:9: named and unnamed arguments are mixed
       4 | S(x: 1, 2)
         |         ^
       4 | S(x: 1, 2)
         |   ^^^^ this one is named
      help: a function takes unnamed arguments, a struct names every field
    5:5: only the construction of a struct names its arguments
       5 | a.b(x: 1)
         |     ^
       5 | a.b(x: 1)
         | ^^^ not the name of a struct
    6:9: `_` binds nothing and has no value
       6 | let z = _
         |         ^
    8:5: a function can stand at top level only
       8 |     fn inner() { }
         |     ^^
      help: move it out of the block
    9:5: a struct can stand at top level only
       9 |     struct S { x: int }
         |     ^^^^^^
      help: move it out of the block
    10:5: an import can stand at top level only
      10 |     import "a"
         |     ^^^^^^
      help: move it out of the block
    12:8: the path of an import must be UTF-8
      12 | import "\xff"
         |        ^^^^^^
    "#);
}

#[test]
fn matches() {
    let text = r#"match x { 1 => let y = 2, 2 -> 3, => 4 }
match x {
    1.5 => 2
    1..=2..3 => 4
    a + b => 5
}
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:16: expected an expression, found keyword `let`
       1 | match x { 1 => let y = 2, 2 -> 3, => 4 }
         |                ^^^
      help: the body of an arm is an expression or a block `{ }`
    3:5: expected a pattern or `}`, found number `1.5`
       3 |     1.5 => 2
         |     ^^^
    4:10: expected `=>` or `|`, found `..`
       4 |     1..=2..3 => 4
         |          ^^
      help: a range stands in `for`, in a slice or in a pattern only
    5:7: expected `..`, `..=`, `=>` or `|`, found `+`
       5 |     a + b => 5
         |       ^
    "#);
}

#[test]
fn recovery_keeps_to_its_list() {
    let text = r#"fn f() {
    let a = g(1 2, [3 4], { let = 5 })
    if a == = b {
        let c = ]
        c +
    }
    d = = e
}
f( ; )
let ok = 1
let last =
"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    2:17: expected `)` or `,`, found number `2`
       2 |     let a = g(1 2, [3 4], { let = 5 })
         |                 ^
      help: a comma or a closing bracket is missing before it
    3:13: expected an expression, found `=`
       3 |     if a == = b {
         |             ^
      help: comparison is `==` and `!=`
    4:17: `]` closes nothing
       4 |         let c = ]
         |                 ^
       3 |     if a == = b {
         |                 ^ the innermost open bracket
    6:5: expected an expression, found `}`
       6 |     }
         |     ^
    7:9: expected an expression, found `=`
       7 |     d = = e
         |         ^
    9:4: expected an expression or `)`, found `;`
       9 | f( ; )
         |    ^
    11:11: expected an expression, found the end of the file
      11 | let last =
         |           ^
    "#);
}

#[test]
fn ends_of_files() {
    let text = r#"fn"#;
    insta::assert_snapshot!(diagnose(text), @r#"
    1:3: expected a name, found the end of the file
       1 | fn
         |   ^
    "#);
}
