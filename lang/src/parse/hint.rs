//! Help for typical mistakes, most of them habits from other languages.
//!
//! In: the place of a syntax error. Out: a line of help if the tokens around it show the intention. Each function looks
//! at one family of mistakes and at no more than a statement's worth of tokens.

use super::expected::Expected;
use super::place::ErrorPlace;
use super::slip::{closure, declared, indices, misspelt, number, pairs, type_arguments};
use crate::token::TokenKind as K;

/// Help for the error at a place.
pub(super) fn hint(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    let families = [
        number,
        type_arguments,
        indices,
        declared,
        pairs,
        closure,
        word_before,
        misspelt,
        word_found,
        shapes,
        operators,
        declarations,
        braces,
        placement,
        punctuation,
    ];
    families.iter().find_map(|family| family(place, expected))
}

/// A word of another language right before the error.
fn word_before(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    if place.before(1) != K::Name || matches!(place.found(), K::Newline | K::Semi) {
        return None;
    }
    let help = match place.text_before(1) {
        "mut" => "a variable that may change is declared with `var`",
        "func" | "def" | "function" | "fun" | "proc" | "sub" => "a function is defined with `fn`",
        "class" | "record" | "type" | "interface" | "trait" => "a type is defined with `struct` or `enum`",
        "union" | "variant" => "a type of several variants is defined with `enum`",
        "lambda" => "a closure is written `fn(x) => e` or `fn(x) { }`",
        "elif" | "elsif" | "elseif" => "write `else if`",
        "not" => "write `!` for not",
        "switch" | "case" => "write `match e { 0 => ..., _ => ... }`",
        "pub" | "public" | "private" | "static" | "export" => "every top-level name is visible to importers",
        "use" | "include" | "require" => "write `import \"path.hw\"`",
        "do" => "write `loop { }` or `while c { }`",
        "throw" | "raise" => "write `fail \"message\"`",
        "until" | "unless" => "write `while !c { }` or `if !c { }`",
        "and" => "write `&&` for and",
        "or" => "write `||` for or",
        "print" | "println" | "write" | "echo" => "arguments stand in parentheses: `print(x)`",
        "int" | "float" | "bool" | "str" | "auto" | "local" | "double" | "string"
            if place.found() == K::Name && !expected.has(",") =>
        {
            "a variable is declared with `let x = e` or `var x: T = e`"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

/// A word of another language, or a reserved word, at the error.
fn word_found(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    let text = place.text_before(0);
    if place.found() == K::Name {
        let help = match text {
            "and" => "write `&&` for and",
            "or" => "write `||` for or",
            "is" => "write `==`",
            "then" | "do" | "begin" => "a block stands in `{ }`",
            "to" | "until" | "upto" | "downto" => "a range is written `a..b` or `a..=b`",
            "by" => "a step is written `for i in a..b step s`",
            "as" => "a conversion is written `int(x)`, `float(x)` or `str(x)`",
            "when" | "where" if expected.has("=>") => "a guard is written `p if c => e`",
            _ if place.before(1) == K::Fn && expected.has("(") => "a closure is written `fn(x) => e` or `fn(x) { }`",
            _ => return None,
        };
        return Some(help.to_owned());
    }
    match place.found() {
        K::Else => Some("`else` follows the `}` of an `if`".to_owned()),
        K::Fn if expected.has("name") && expected.has("}") => {
            Some("functions are defined outside of structs and enums".to_owned())
        }
        K::Catch => Some("`catch` follows the `}` of a `try`".to_owned()),
        kind if kind.is_keyword() && expected.has("name") && !expected.expression() => {
            Some(format!("`{text}` is a reserved word"))
        }
        _ => None,
    }
}

/// Operators that do not exist here.
fn operators(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    let help = match (place.before(2), place.before(1), place.found()) {
        (_, K::Plus, K::Plus) => "to count up, write `i += 1`",
        (K::Minus, K::Minus, K::Newline | K::Semi | K::CloseParen | K::CloseBrace) => "to count down, write `i -= 1`",
        (_, K::Star, K::Star) => "a power is written `pow(x, y)`",
        (_, _, K::Colon) if expected.has("]") && expected.has("..") => "a slice is written `a[x..y]`",
        (_, K::EqEq | K::Ne, K::Eq) => "comparison is `==` and `!=`",
        (_, K::Colon, K::Eq) => "a variable is declared with `let x = e` or `var x = e`",
        (_, _, K::Question) => "a choice is written `if c { a } else { b }`",
        (_, _, K::DotDot | K::DotDotEq) => "a range stands in `for`, in a slice or in a pattern only",
        (_, _, K::FatArrow) if place.before(1) == K::Name && !place.is_whole_line() => {
            "a closure is written `fn(x) => e`"
        }
        (_, K::CloseParen, K::FatArrow) if !place.is_whole_line() => "a closure is written `fn(x, y) => e`",
        (_, _, K::FatArrow) => "an arm `pattern => expression` stands in a `match`",
        (_, _, K::Arrow) if expected.has("=>") => "an arm is written `pattern => expression`: write `=>`",
        (_, K::Name | K::CloseParen, K::Arrow) if expected.after_expression() => "a closure is written `fn(x) => e`",
        (_, K::Newline, found) if is_infix(found) && expected.statement() => {
            "a statement goes on when its line ends with the operator, or inside parentheses"
        }
        (_, _, K::Or | K::OrOr) if expected.expression() => "a closure is written `fn(x) => e` or `fn(x) { }`",
        _ => return None,
    };
    Some(help.to_owned())
}

fn is_infix(kind: K) -> bool {
    use K::{And, Caret, EqEq, Ge, Gt, Le, Lt, Ne, Or, Percent, Plus, Shl, Shr, Slash, Star, Ushr};
    matches!(kind, And | Caret | EqEq | Ge | Gt | Le | Lt | Ne | Or | Percent | Plus | Shl | Shr | Slash | Star | Ushr)
}

/// Tuples, the types and variants of enums, and formatted strings.
fn shapes(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    let first = place.statement_start();
    let is_type = expected.has("[") && !expected.after_expression() && !expected.expression();
    let help = match (place.before(2), place.before(1), place.found()) {
        (K::Let | K::Var, K::Name, K::Comma) => "several names stand in parentheses: `(a, b)`",
        (_, K::Name, K::Lt) if is_type => "types stand in brackets: `list[int]`, `fn f[T](x: T)`",
        (_, _, K::Comma) if expected.after_expression() && matches!(first, K::Name | K::Return) => {
            "a tuple stands in parentheses: `(a, b)`"
        }
        (_, K::Name, K::Dot) if expected.has("=>") && !expected.after_expression() => {
            "in a pattern the name of the enum is left out: `Variant(x)`"
        }
        (K::Name, K::Colon, K::Colon) => "a variant is written `Enum.Variant`, a name of a module `module.name`",
        (_, K::Name, K::Colon) if place.after(1) == K::Colon => {
            "a variant is written `Enum.Variant`, a name of a module `module.name`"
        }
        (_, _, K::Comma) if expected.has("]") && expected.has("..") => {
            "types stand at the variable: `var d: dict[str, int] = dict()`"
        }
        (K::Arrow, K::Name, _) if expected.has("=>") => "the value of a closure follows `=>`",
        (_, K::CloseParen, K::Colon) if expected.has("=>") => "the type of a result follows `->`, a value `=>`",
        (_, K::OpenParen, K::CloseParen) if expected.ty() => "a variant without payload has no parentheses",
        (_, K::Name, K::Colon) if first == K::Enum => "a payload is a type without a name: `Variant(int)`",
        (_, K::Name, K::Eq) if expected.has("(") && expected.has("}") => "a variant has no number of its own",
        (K::OpenBrace | K::Comma, K::Str | K::Int, K::Colon) if expected.end_of_statement() => {
            "a dict is written `dict(\"a\": 1)`"
        }
        (K::Name, K::Colon, found)
            if place.before(3) == K::OpenBrace && expected.has("while") && !found.is_keyword() =>
        {
            "a dict is written `dict(\"a\": 1)`"
        }
        (_, K::FormatOpen, K::FormatClose | K::FormatSpec) => {
            "braces in a formatted string hold an expression; a brace as text is written `{{`"
        }
        (_, K::Let, _) if matches!(first, K::If | K::While) => "`if let` takes a name, a variant or a tuple",
        (_, _, K::Eq) if expected.end_of_statement() && place.follows(K::FatArrow) => {
            "a closure that assigns has a block: `fn(x) { y = x }`"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

/// `let` and `var` without a value, parameters without a type.
fn declarations(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    let first = place.statement_start();
    let ends = matches!(place.found(), K::Newline | K::Semi | K::CloseBrace);
    match first {
        K::Let | K::Var if ends && expected.has("=") && !expected.after_expression() => {
            Some("a variable is given its first value where it is declared".to_owned())
        }
        K::Const if ends && expected.has("=") => Some("a constant is given its value where it is declared".to_owned()),
        K::Fn if expected.has(":") && matches!(place.found(), K::Comma | K::CloseParen | K::Name) => {
            Some("a parameter has a type: `name: int`".to_owned())
        }
        K::Name if expected.has(":") && !expected.after_expression() => {
            Some("a field has a type: `name: int`".to_owned())
        }
        K::Fn if place.found() == K::Colon && expected.has("->") => Some("a result type follows `->`".to_owned()),
        _ => None,
    }
}

/// Blocks.
fn braces(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    let first = place.statement_start();
    let help = match place.found() {
        K::OpenBrace if place.before(1) == K::Catch => "the message has a name: `catch e { }`",
        K::OpenBrace if place.before(1) == K::Name && expected.end_of_statement() => {
            "a struct is built with parentheses: `Point(x: 1.0, y: 2.0)`"
        }
        K::Eq if place.before(3) == K::For && place.before(2) == K::OpenParen => {
            "a loop is written `for i in a..b { }`"
        }
        K::Newline if place.index < place.tokens.len() && expected.has("{") && !expected.expression() => {
            "`{` stands on the same line"
        }
        K::Newline | K::Semi if expected.has("catch") => "a `try` has a handler: `try { } catch e { }`",
        _ if expected.has("{") && !expected.expression() && matches!(first, K::If | K::While | K::For | K::Else) => {
            "the body stands in `{ }`"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

/// Things that are fine elsewhere.
fn placement(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    match place.found() {
        K::Semi if expected.has(",") => Some("a comma or a newline separates here".to_owned()),
        K::Let | K::Var | K::While | K::For | K::Loop | K::Try | K::Const
            if expected.expression() && place.before(1) == K::FatArrow =>
        {
            Some("the body of an arm is an expression or a block `{ }`".to_owned())
        }
        _ if place.before(1) == K::Break => Some("`break` takes a label, a loop has no value".to_owned()),
        _ if place.before(1) == K::Import => Some("the path of an import is a string".to_owned()),
        found if expected.end_of_statement() && starts_operand(found) => {
            Some("statements are separated by `;` or a newline".to_owned())
        }
        _ => None,
    }
}

fn starts_operand(kind: K) -> bool {
    matches!(kind, K::Name | K::Int | K::Float | K::Str | K::Char) || kind.is_keyword()
}

/// Missing punctuation.
fn punctuation(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    match place.found() {
        K::Name | K::Int | K::Float | K::Str | K::Char if expected.has(",") => {
            let is_field = expected.has("}") && !expected.statement();
            let is_list = is_field || place.statement_start() == K::Fn && expected.has(")");
            Some(match is_list && place.found() == K::Name {
                true => format!("a comma is missing before `{}`", place.text_before(0)),
                false => "a comma or a closing bracket is missing before it".to_owned(),
            })
        }
        _ => None,
    }
}
