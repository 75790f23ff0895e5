//! Diagnostics for habits from other languages.

use super::common::diagnose;

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
    12:5: expected an expression or `)`, found `|`
      12 | foo(|x| {
         |     ^
      help: a closure is written `fn(x) => e` or `fn(x) { }`
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
    7:8: expected `)` or `,`, found `=`
       7 | for (i = 0; i < 10; i++) { print(i) }
         |        ^
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
