//! Syntax errors: their messages, positions and help.

use super::common::diagnose;

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
      help: functions are defined outside of structs and enums
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
a.b.c(x: 1)
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
    5:7: only the construction of a struct names its arguments
       5 | a.b.c(x: 1)
         |       ^
       5 | a.b.c(x: 1)
         | ^^^^^ not the name of a struct
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
