//! Help that says how the text at hand is written right: numbers, types in angle brackets, closures and misspelt words.
//!
//! In: the place of a syntax error. Out: a line of help with the corrected text, where it is short. Each function looks
//! at no more than a line of tokens.

use super::expected::Expected;
use super::place::ErrorPlace;
use crate::check::{distance, nearest};
use crate::diagnostic::quoted;
use crate::settings::parse::FARTHEST_START;
use crate::token::TokenKind as K;

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
