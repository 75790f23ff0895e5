//! Help that says how the text at hand is written right: numbers, types in angle brackets, closures and misspelt words.
//!
//! In: the place of a syntax error. Out: a line of help with the corrected text, where it is short. Each function looks
//! at no more than a line of tokens.

use super::expected::Expected;
use super::place::ErrorPlace;
use crate::check::{distance, nearest};
use crate::diagnostic::quoted;
use crate::settings::parse::FARTHEST_START;
use crate::token::{Token, TokenKind as K};

/// The words that begin a statement or a definition.
const FIRST_WORDS: [&str; 19] = [
    "break", "const", "continue", "else", "enum", "fail", "fn", "for", "if", "import", "let", "loop", "match",
    "return", "struct", "try", "var", "while", "catch",
];

/// The words of other languages that are written `fn` here, for those who misspell them.
const FOREIGN: [&str; 2] = ["func", "function"];

/// Longest text that a help repeats.
const LONGEST: usize = 40;

/// `1.` and `.5`
pub(super) fn number(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    let follows = |n: usize| place.tokens.get(place.index + n).map_or("", |token| place.text_of(token));
    match (place.before(2), place.before(1), place.found()) {
        (K::Int, K::Dot, _) if expected.has("name") => {
            Some(format!("a float has digits on both sides of the point: write `{}.0`", place.text_before(2)))
        }
        (_, _, K::Dot) if expected.expression() && place.after(1) == K::Int => {
            Some(format!("a float has digits on both sides of the point: write `0.{}`", follows(1)))
        }
        (_, K::Int, K::Dot) => Some("a float has digits after the point: `1.0`".to_owned()),
        _ => None,
    }
}

/// `int[]`, `int[3]`, `list<int>` and `fn f<T>`
pub(super) fn type_arguments(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    if let (K::Name, K::OpenBracket, K::CloseBracket | K::Int) = (place.before(2), place.before(1), place.found())
        && expected.ty()
    {
        return Some(format!("the type of an array is written `[{}]`", place.text_before(2)));
    }
    let is_type = expected.has("[") && !expected.after_expression() && !expected.expression();
    if (place.before(1), place.found()) != (K::Name, K::Lt) || !is_type {
        return None;
    }
    let inner = place.tokens.get(place.index + 1..)?.iter().take(FARTHEST_START);
    let close = inner.clone().position(|token| !matches!(token.kind, K::Name | K::Comma))?;
    let last = place.tokens.get(place.index + 1 + close)?;
    let first = place.tokens.get(place.index + 1)?;
    let text = place.text.get(first.start as usize..last.start as usize)?;
    (last.kind == K::Gt && text.len() <= LONGEST)
        .then(|| format!("types stand in brackets: `{}[{text}]`", place.text_before(1)))
}

/// `a[0, 1]`
pub(super) fn indices(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    if place.found() != K::Comma || !expected.has("]") || !expected.has("..") {
        return None;
    }
    let open = open_bracket(place)?;
    let (mut depth, mut parts, mut start) = (0usize, Vec::new(), place.tokens.get(open)?.end as usize);
    let mut close = None;
    for (at, token) in place.tokens.iter().enumerate().skip(open + 1).take(FARTHEST_START) {
        let is_end = token.kind == K::CloseBracket && depth == 0;
        match token.kind {
            K::OpenParen | K::OpenBracket | K::OpenBrace => depth += 1,
            K::CloseParen | K::CloseBracket | K::CloseBrace => depth = depth.saturating_sub(1),
            _ => {}
        }
        if is_end || depth == 0 && token.kind == K::Comma {
            parts.push(place.text.get(start..token.start as usize)?.trim());
            start = token.end as usize;
        }
        if is_end {
            close = Some(at);
            break;
        }
    }
    // With arguments behind it, it is a call whose types are written.
    if place.tokens.get(close? + 1).is_some_and(|next| next.kind == K::OpenParen) {
        return None;
    }
    let is_base = |token: &&Token| matches!(token.kind, K::Name | K::Dot);
    let length = place.tokens.get(..open)?.iter().rev().take_while(is_base).count();
    let base = match length {
        0 => "a",
        _ => place.text.get(place.tokens[open - length].start as usize..place.tokens[open].start as usize)?,
    };
    let all = format!("{base}[{}]", parts.join("]["));
    let all = if all.len() <= LONGEST { all } else { "a[i][j]".to_owned() };
    Some(format!("each index has brackets of its own: write `{all}`"))
}

/// The index of the innermost bracket that is open at the error.
fn open_bracket(place: &ErrorPlace<'_>) -> Option<usize> {
    let mut depth = 0usize;
    let before = place.tokens.get(..place.index)?.iter().enumerate().rev().take(FARTHEST_START);
    for (at, token) in before {
        match token.kind {
            K::CloseParen | K::CloseBracket | K::CloseBrace => depth += 1,
            K::OpenParen | K::OpenBracket | K::OpenBrace if depth == 0 => {
                return (token.kind == K::OpenBracket).then_some(at);
            }
            K::OpenParen | K::OpenBracket | K::OpenBrace => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `[int; 3]`, `x: int = 3` in a struct and `fn f(x: int = 3)`
pub(super) fn declared(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    if expected.after_expression() || expected.expression() {
        return None;
    }
    match place.found() {
        K::Semi if expected.has("]") => {
            let open = place.tokens.get(open_bracket(place)?)?;
            let of = place.text.get(open.start as usize..place.tokens.get(place.index)?.start as usize)?;
            let of = if of.len() <= LONGEST { of.trim_end() } else { "[T" };
            Some(format!("the type of an array has no length: `{of}]`"))
        }
        K::Eq if expected.has(",") && expected.has(")") && place.follows(K::Fn) => {
            Some("a parameter has no default value: every call gives it".to_owned())
        }
        K::Eq if expected.has(",") && expected.has("}") && !expected.has("(") => {
            Some("a field has no default value: write a function that makes the record".to_owned())
        }
        _ => None,
    }
}

/// `for i, x in a`
pub(super) fn pairs(place: &ErrorPlace<'_>, _: &Expected<'_>) -> Option<String> {
    if (place.before(2), place.before(1), place.found()) != (K::For, K::Name, K::Comma) {
        return None;
    }
    let rest = place.tokens.get(place.index + 1..)?;
    let general = || "several names stand in parentheses: `for (i, x) in a.enumerate()`".to_owned();
    let [second, K::In] = [rest.first()?.kind, rest.get(1)?.kind] else { return Some(general()) };
    let source = rest.get(2..)?;
    let length = source.iter().take(FARTHEST_START).position(|token| token.kind == K::OpenBrace);
    let Some((first, last)) = length.and_then(|n| Some((source.first()?, source.get(n.checked_sub(1)?)?))) else {
        return Some(general());
    };
    let source = place.text.get(first.start as usize..last.end as usize)?;
    if second != K::Name || source.len() > LONGEST || source.contains('\n') {
        return Some(general());
    }
    let names = format!("({}, {})", place.text_before(1), place.text_of(&rest[0]));
    Some(match source.contains("enumerate") || source.contains("items") || source.contains("zip") {
        true => format!("several names stand in parentheses: `for {names} in {source}`"),
        false => format!(
            "for indices too, write `for {names} in {source}.enumerate()`; over a dict, `for {names} in {source}`"
        ),
    })
}

/// `|x| x + 1` and `x => x + 1`
pub(super) fn closure(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    if !expected.expression() || !matches!(place.found(), K::Or | K::OrOr) {
        return None;
    }
    let at = |index: usize| place.tokens.get(index).map(|token| token.kind);
    let (params, body) = match place.found() {
        K::OrOr => ("", place.index + 1),
        _ => {
            let close = (place.index + 1..place.index + FARTHEST_START)
                .find(|&index| !matches!(at(index), Some(K::Name | K::Comma | K::Colon)))
                .filter(|&index| at(index) == Some(K::Or))?;
            let start = place.tokens.get(place.index)?.end as usize;
            (place.text.get(start..place.tokens.get(close)?.start as usize)?, close + 1)
        }
    };
    let ends = |index: &usize| matches!(at(*index), None | Some(K::Newline | K::Semi | K::Comma | K::CloseParen));
    let end = (body..body + FARTHEST_START).find(ends)?;
    let is_block = at(body) == Some(K::OpenBrace);
    let (first, last) = (place.tokens.get(body)?, place.tokens.get(end.checked_sub(1)?)?);
    let text = place.text.get(first.start as usize..last.end as usize)?.trim();
    // The brackets of a part that ends at a comma may be open.
    let is_whole =
        text.matches('(').count() == text.matches(')').count() && at(end) != Some(K::CloseParen) || !text.contains('(');
    match is_block || text.is_empty() || text.len() + params.len() > LONGEST || !is_whole {
        true => Some(format!("a closure is written `fn({0}) => e` or `fn({0}) {{ }}`", params.trim())),
        false => Some(format!("a closure is written `fn({}) => {text}`", params.trim())),
    }
}

/// A word at the beginning of a statement that is nearly one of the language's.
pub(super) fn misspelt(place: &ErrorPlace<'_>, expected: &Expected<'_>) -> Option<String> {
    let begins = matches!(place.before(2), K::Newline | K::Semi | K::OpenBrace | K::CloseBrace);
    if place.before(1) != K::Name || !begins || !expected.end_of_statement() {
        return None;
    }
    let starts = matches!(place.found(), K::Name | K::Int | K::Float | K::Str | K::Char | K::OpenBrace | K::Bang)
        || place.found().is_keyword();
    let word = place.text_before(1);
    let near = nearest(word, FIRST_WORDS.into_iter().chain(FOREIGN)).filter(|near| starts && is_slip(word, near))?;
    let near = if FOREIGN.contains(&near) { "fn" } else { near };
    Some(format!("did you mean `{near}` instead of {}?", quoted(word)))
}

/// Returns true if a word is one slip away from another; of a short one only its letters may be in disorder.
fn is_slip(word: &str, near: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    match near.len() {
        0..=3 => sorted(word) == sorted(near),
        _ => distance(&word.chars().collect::<Vec<_>>(), near) <= 1,
    }
}
