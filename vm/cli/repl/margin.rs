//! The lines of one input after the first: their indentation while they are typed, and its removal.
//!
//! In: the text in the line editor. Out: the blanks that start a line, or the text as it was meant. The editor has one
//! prompt, so every further line starts with a margin as wide as the prompt, which `highlight` shows as the
//! continuation mark:
//! ```text
//!   > fn twice(n: int) -> int {       fn twice(n: int) -> int {
//!   .     return 2 * n            ->      return 2 * n
//!   . }                               }
//! ```
//! Invariant: only blanks at the start of lines are added or removed, which never changes the meaning of a text, as no
//! literal spans several lines.

use cranelift_entity::EntityRef;
use holloway_lang::parse::is_incomplete;
use holloway_lang::source::FileId;
use holloway_lang::token::{Token, lex};

use holloway_lang::cursor::open_at_end;

/// Prompt of an input.
pub(super) const PROMPT: &str = "> ";
/// Prompt of its further lines; as wide.
pub(super) const CONTINUATION: &str = ". ";

/// The margin of further lines.
pub(super) const MARGIN: &str = "  ";
/// The blanks of one level.
pub(super) const STEP: &str = "    ";

/// The start of the line after `before`: the margin and the indentation.
pub(super) fn after(before: &str) -> String {
    let indent = match innermost(before) {
        Some(open) => indent_of_line(before, open) + STEP.len(),
        None if is_incomplete(before) && !ends_whole(before) => STEP.len(),
        None => 0,
    };
    format!("{MARGIN}{}", " ".repeat(indent))
}

/// Returns true if the next line starts something new that must nevertheless follow this one: `catch`, or a documented
/// item.
fn ends_whole(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before).trim();
    line.ends_with('}') || line.starts_with("///")
}

/// The blanks that belong before a closing bracket that starts a line, if `before` ends in such a line, still blank.
pub(super) fn before_closing(before: &str) -> Option<String> {
    let blanks = blank_start(before)?;
    let indent = innermost(before).map_or(0, |open| indent_of_line(before, open));
    let wanted = format!("{MARGIN}{}", " ".repeat(indent));
    (blanks != wanted).then_some(wanted)
}

/// The rest of the blanks that `before` ends in, one level to the left, if they start a further line.
pub(super) fn outdented(before: &str) -> Option<String> {
    let blanks = blank_start(before)?.len();
    let indent = blanks.checked_sub(MARGIN.len() + 1)?;
    Some(format!("{MARGIN}{}", " ".repeat(indent / STEP.len() * STEP.len())))
}

/// The start of the last line of `before`, if that line is blank and not the first.
pub(super) fn blank_start(before: &str) -> Option<&str> {
    let (_, line) = before.rsplit_once('\n')?;
    line.bytes().all(|byte| byte == b' ').then_some(line)
}

/// The text without margins. A line without a margin was pasted or typed ahead, and stays as it is.
pub(super) fn removed(text: &str) -> String {
    let mut further = text.split('\n').skip(1);
    let marked = further.all(|line| line.starts_with(MARGIN) || line.trim().is_empty());
    if !marked {
        return text.to_owned();
    }
    let lines = text.split('\n').enumerate();
    let kept = lines.map(|(at, line)| if at == 0 { line } else { line.strip_prefix(MARGIN).unwrap_or("") });
    kept.collect::<Vec<_>>().join("\n")
}

/// The text with margins, as the editor would hold it.
pub(super) fn added(text: &str) -> String {
    text.replace('\n', &format!("\n{MARGIN}"))
}

/// The innermost bracket that is open at the end of a text.
fn innermost(text: &str) -> Option<Token> {
    // The file is of no consequence, as no span leaves this function.
    let tokens = lex(FileId::new(0), text).tokens;
    open_at_end(&tokens).map(|at| tokens[at])
}

/// The indentation of the line with `token`, beside the margin.
fn indent_of_line(text: &str, token: Token) -> usize {
    let before = &text[..token.start as usize];
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    let blanks = text[line..].bytes().take_while(|byte| *byte == b' ').count();
    if line == 0 { blanks } else { blanks.saturating_sub(MARGIN.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Types the lines of a text as a person would who leaves indentation to the editor.
    fn typed(lines: &[&str]) -> String {
        let mut text = String::new();
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                let start = after(&text);
                text.push('\n');
                text.push_str(&start);
                if let Some(start) = before_closing(&text).filter(|_| line.starts_with(['}', ')', ']'])) {
                    text.truncate(text.rfind('\n').unwrap() + 1);
                    text.push_str(&start);
                }
            }
            text.push_str(line);
        }
        text
    }

    #[test]
    fn lines_are_indented_by_their_brackets() {
        let text = typed(&["fn f(n: int) {", "while n > 0 {", "g([", "1,", "2,", "])", "}", "}"]);
        let shown = "fn f(n: int) {\n      while n > 0 {\n          g([\n              1,\n              2,\n          ])\n      }\n  }";
        assert_eq!(text, shown);
        let meant =
            "fn f(n: int) {\n    while n > 0 {\n        g([\n            1,\n            2,\n        ])\n    }\n}";
        assert_eq!(removed(&text), meant);
    }

    #[test]
    fn operands_are_indented_and_what_follows_a_whole_is_not() {
        assert_eq!(after("let x = 1 +"), "      ");
        assert_eq!(after("try { f() }"), "  ");
        assert_eq!(after("/// Doc."), "  ");
    }

    #[test]
    fn pasted_text_stays_as_it_is() {
        for text in ["fn f() {\n    return\n}", "1", "f(\n1)"] {
            assert_eq!(removed(text), text);
        }
        assert_eq!(removed("f(\n\n  1)"), "f(\n\n1)");
        assert_eq!(removed(&added("f(\n    1\n)")), "f(\n    1\n)");
    }

    #[test]
    fn blanks_go_a_level_at_a_time() {
        let blanks = |n: usize| format!("{{\n{}", " ".repeat(n));
        let lengths: Vec<_> = [10, 9, 7, 6, 3, 2, 0].map(|n| outdented(&blanks(n)).map(|left| left.len())).into();
        assert_eq!(lengths, [Some(6), Some(6), Some(6), Some(2), Some(2), None, None]);
        assert_eq!((outdented("    "), outdented("{\n  x ")), (None, None));
    }
}
