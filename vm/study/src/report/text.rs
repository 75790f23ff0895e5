//! Text from outside made safe for a terminal, and number formats.

use crate::report::settings::ALIKE;
use holloway_lang::ir::{FuncRef, FunctionKind, Module};

use std::borrow::Cow;

/// `text` on one line, with control characters and escape sequences written out.
pub fn one_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => shown.push(' '),
            c if c.is_control() => shown.extend(c.escape_debug()),
            c => shown.push(c),
        }
    }
    shown
}

/// `text` with its line breaks but without other control characters.
pub fn lines(text: &str) -> String {
    text.split('\n').map(one_line).collect::<Vec<_>>().join("\n")
}

/// `text`, truncated if it is long: a name or literal may be as long as the program.
pub fn cut(text: &str) -> Cow<'_, str> {
    const MOST: usize = 1000;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// `49980` as `49,980`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// `1 edge`, `1,200 edges`.
pub fn plural(count: usize, one: &str) -> String {
    format!("{} {one}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// The candidate that `word` was probably meant to be.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates.into_iter().map(|candidate| (strsim::jaro_winkler(word, candidate), candidate));
    scored.filter(|&(score, _)| score > ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, candidate)| candidate)
}

/// A part in percent.
pub fn percent(part: f64) -> String {
    format!("{:.1}%", part * 100.0)
}

/// `part` of `whole` in percent.
pub fn share(part: u64, whole: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}

/// The name of a function in reports.
pub fn function_name(module: &Module, func: FuncRef) -> String {
    let body = module.function(func);
    match body.kind {
        FunctionKind::Declared | FunctionKind::Provided => body.name.clone(),
        FunctionKind::TopLevel => "top-level statements".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(one_line("a\nb\tc\x1b[31m\r"), "a b c\\u{1b}[31m\\r");
        assert_eq!(lines("a\nb\x07"), "a\nb\\u{7}");
    }

    #[test]
    fn what_nobody_reads_is_cut() {
        let long = "é".repeat(1000);
        assert_eq!(cut(&long), long);
        assert_eq!(cut(&format!("{long}x")), format!("{long}..."));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 49_980, 1_234_567].map(grouped), ["0", "999", "1,000", "49,980", "1,234,567"]);
    }

    #[test]
    fn slips_are_understood() {
        assert_eq!(nearest("seive", ["fib", "sieve", "sor"]), Some("sieve"));
        assert_eq!(nearest("xyz", ["fib", "sieve", "sor"]), None);
    }
}
