//! Help for an error: names that were perhaps meant, and conversions that would fit.

use super::Checker;
use crate::ast::{self, ExprKind};
use crate::ir::{Type, TypeRef};
use crate::source::Span;

impl Checker<'_> {
    /// "did you mean" the nearest of `candidates`, if one is near.
    pub(super) fn did_you_mean<'n>(&self, name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<String> {
        let mut left = self.comparisons.get();
        let candidates = candidates.take_while(|_| left.checked_sub(1).inspect(|&fewer| left = fewer).is_some());
        let best = nearest(name, candidates);
        self.comparisons.set(left);
        best.map(|best| format!("did you mean `{best}`?"))
    }

    /// The conversion that makes `expr`, of type `found`, an `expected`.
    pub(super) fn conversion(&self, expr: &ast::Expr, expected: TypeRef, found: TypeRef) -> Option<String> {
        let text = self.short_text(expr);
        let (to, from) = (self.env.type_of(expected), self.env.type_of(found));
        let help = match (to, from) {
            (Type::Float, Type::Int) => match expr.unparenthesized().kind {
                ExprKind::Int(n) => format!("write `{n}.0`"),
                _ => format!("convert it: `float({text})`"),
            },
            (Type::Int, Type::Float) => match expr.unparenthesized().kind {
                ExprKind::Float(x) if x.fract() == 0.0 && x.abs() < 1e15 => format!("write `{x}`"),
                _ => format!("convert it: `int({text})` truncates"),
            },
            (Type::Int, Type::Bool) => format!("convert it: `int({text})` gives 0 or 1"),
            (Type::Bool, Type::Int) => format!("compare it: `{} != 0`", self.operand_text(expr)),
            (Type::Str, Type::Int) if is_character(expr) => self.string_help(expr.unparenthesized().span),
            (Type::Str, Type::Int | Type::Float | Type::Bool) => format!("convert it: `str({text})`"),
            (Type::Int, Type::Str) if number_of(expr).is_some_and(|digits| digits.parse::<i64>().is_ok()) => {
                let number = number_of(expr).unwrap_or_default();
                format!("write `{number}`; of a text that is read, `parse_int({text})` is the number or `none`")
            }
            (Type::Float, Type::Str) if number_of(expr).is_some_and(|digits| digits.parse::<f64>().is_ok()) => {
                let number = number_of(expr).unwrap_or_default();
                let number = if number.contains('.') { number.to_owned() } else { format!("{number}.0") };
                format!("write `{number}`; of a text that is read, `parse_float({text})` is the number or `none`")
            }
            (Type::Int, Type::Str) if byte_of(expr).is_some() => self.byte_help(expr)?,
            (Type::Int | Type::Float, Type::Str) if matches!(expr.unparenthesized().kind, ExprKind::Str(_)) => {
                return None;
            }
            (Type::Int, Type::Str) => {
                format!("convert it: `parse_int({text}, 0)`, where 0 stands for what is no number")
            }
            (Type::Float, Type::Str) => {
                format!("convert it: `parse_float({text}, 0.0)`, where 0.0 stands for what is no number")
            }
            (Type::Str, Type::Array(of)) if *of == self.env.basic.byte => {
                format!("convert it: `text({text}, 0, len({text}))`")
            }
            (Type::Array(of), Type::Str) if *of == self.env.basic.byte => format!("convert it: `bytes({text})`"),
            (_, Type::Optional(of)) if *of == expected => {
                format!("`{}!` unwraps it, `if let` looks first", self.operand_text(expr))
            }
            _ => return None,
        };
        Some(help)
    }

    /// The byte that a string literal of one letter stands for, beside a byte.
    pub(super) fn byte_help(&self, expr: &ast::Expr) -> Option<String> {
        byte_of(expr).map(|byte| format!("write `'{}'` for the byte", char::from(byte).escape_default()))
    }

    /// The string that stands for the character literal in the source.
    pub(super) fn string_help(&self, literal: Span) -> String {
        let text = self.sources.snippet(literal);
        let inner = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text);
        format!("`'...'` is an `int`; write `\"{}\"` for the string", inner.replace('"', "\\\""))
    }

    /// The comparison of a piece of a string with `text`, in place of the byte at an index.
    pub(super) fn piece_help(&self, byte: &ast::Expr, text: &ast::Expr) -> Option<String> {
        let ExprKind::Index { base, index } = &byte.unparenthesized().kind else { return None };
        let ExprKind::Str(bytes) = &text.unparenthesized().kind else { return None };
        let (base, index, literal) = (self.short_text(base), &index.unparenthesized().kind, self.short_text(text));
        match index {
            ExprKind::Int(0) => Some(format!("an element is one byte; write `{base}.starts_with({literal})`")),
            ExprKind::Int(at) => {
                let end = at.checked_add(bytes.len() as i64)?;
                Some(format!("an element is one byte; write `{base}[{at}..{end}]`"))
            }
            _ => None,
        }
    }

    /// The source of `expr` where it is short, else `...`.
    pub(super) fn short_text(&self, expr: &ast::Expr) -> &str {
        let text = self.sources.snippet(expr.span);
        if text.len() <= 30 && !text.contains('\n') { text } else { "..." }
    }

    /// The same, in parentheses where something binds weaker than a postfix operator.
    pub(super) fn operand_text(&self, expr: &ast::Expr) -> String {
        let text = self.short_text(expr);
        match expr.kind {
            ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::If(_) | ExprKind::Match(_) => {
                format!("({text})")
            }
            _ => text.to_owned(),
        }
    }
}

/// Returns true if an expression is a literal such as `'a'`.
pub(super) fn is_character(expr: &ast::Expr) -> bool {
    matches!(expr.unparenthesized().kind, ExprKind::Byte(_))
}

/// The letter that a string literal consists of.
fn byte_of(expr: &ast::Expr) -> Option<u8> {
    match &expr.unparenthesized().kind {
        ExprKind::Str(bytes) => match bytes.as_slice() {
            [byte] if byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t' | b'\r') => Some(*byte),
            _ => None,
        },
        _ => None,
    }
}

/// The text of a string literal that looks like a number.
fn number_of(expr: &ast::Expr) -> Option<&str> {
    match &expr.unparenthesized().kind {
        ExprKind::Str(bytes) => std::str::from_utf8(bytes)
            .ok()
            .filter(|text| text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && text.len() <= 20),
        _ => None,
    }
}

/// The candidate nearest to `name`, if it is near; of equally near ones the first in the alphabet.
pub(crate) fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = match name.chars().count() {
        0..=2 => 1,
        length => length.div_ceil(3),
    };
    let letters: Vec<char> = name.chars().collect();
    let near = |candidate: &'n str| {
        // Letters are of one to four bytes.
        let slack = if candidate.is_ascii() && name.is_ascii() { limit } else { 4 * limit };
        let close = candidate.len().abs_diff(name.len()) <= slack && name.len() <= 100;
        let distance = if close { distance(&letters, candidate) } else { usize::MAX };
        // A name of one or two letters is near to every other one; only its case is a likely slip.
        let likely = letters.len() > 2 || name.eq_ignore_ascii_case(candidate);
        (likely && distance <= limit).then_some((distance, candidate))
    };
    candidates.filter(|candidate| *candidate != name).filter_map(near).min().map(|(_, best)| best)
}

/// Number of letters that must be inserted, deleted, changed or swapped with their neighbour to make `b` of `a`.
pub(crate) fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            let mut best = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let near = |name| nearest(name, ["length", "total", "print", "x"].into_iter());
        assert_eq!(near("lenght"), Some("length"));
        assert_eq!(near("Total"), Some("total"));
        assert_eq!(near("pint"), Some("print"));
        assert_eq!((near("y"), near("zebra"), near("")), (None, None, None));
        assert_eq!(near("X"), Some("x"));
    }

    #[test]
    fn the_distance_counts_slips_of_the_hand() {
        let of = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), b);
        assert_eq!((of("abc", "abc"), of("abc", "acb"), of("abc", "abcd"), of("", "xy")), (0, 1, 1, 2));
    }
}
