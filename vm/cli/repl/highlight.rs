//! Colours for an input while it is typed.
//!
//! In: the text in the editor, and the cursor. Out: the same text with escape sequences, and with marks in place of the
//! margins of its further lines. Invariant: it is as wide as the text, or the cursor would seem to be elsewhere.

use cranelift_entity::EntityRef;
use holloway_lang::source::FileId;
use holloway_lang::token::{Lexed, Token, TokenKind, lex};

use super::command;
use super::margin::{CONTINUATION, MARGIN};
use holloway_study::report::style::Color;

/// The kind of a piece of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Plain,
    Keyword,
    Literal,
    Text,
    Comment,
    Command,
    /// A bracket at the cursor and its partner.
    Bracket,
    /// The prompt of an input.
    Prompt,
    /// A side remark: marks of further lines, the type of a value.
    Aside,
}

impl Part {
    /// Its colour, from those that every palette chooses to be readable.
    fn escape(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Keyword => "\x1b[35m",
            Self::Literal => "\x1b[36m",
            Self::Text => "\x1b[32m",
            Self::Comment | Self::Aside => "\x1b[2m",
            Self::Command => "\x1b[33m",
            Self::Bracket => "\x1b[1;4m",
            Self::Prompt => "\x1b[1m",
        }
    }
}

/// Selects if the bracket at the cursor and its partner are marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Brackets {
    Marked,
    Unmarked,
}

/// A text of one part.
pub(super) fn painted(text: &str, part: Part, color: Color) -> String {
    match (color, part.escape()) {
        (Color::Plain, _) | (_, "") => text.to_owned(),
        (Color::Ansi, escape) => format!("{escape}{text}\x1b[0m"),
    }
}

/// An input with the cursor before byte `at`.
pub(super) fn highlighted(text: &str, at: usize, brackets: Brackets, color: Color) -> String {
    let mut parts = vec![Part::Plain; text.len()];
    let code = command::code_in(text).unwrap_or(if command::is_command(text) { "" } else { text });
    let code_start = text.len() - code.len();
    mark_code(&mut parts[code_start..], code, at.checked_sub(code_start).filter(|_| brackets == Brackets::Marked));
    if command::is_command(text) {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        parts[..end].fill(Part::Command);
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut from = 0;
    while from < text.len() {
        let margin = text[..from].ends_with('\n') && text[from..].starts_with(MARGIN);
        let part = parts[from];
        let same = parts[from..].iter().take_while(|other| **other == part).count();
        let to_line_end = text[from..].find('\n').map_or(text.len(), |newline| from + newline + 1);
        let end = if margin { from + MARGIN.len() } else { (from + same).min(to_line_end.max(from + 1)) };
        match margin {
            true => out.push_str(&painted(CONTINUATION, Part::Aside, color)),
            false => out.push_str(&painted(&text[from..end], part, color)),
        }
        from = end;
    }
    out
}

/// Marks the tokens and comments of code.
fn mark_code(parts: &mut [Part], code: &str, cursor: Option<usize>) {
    // The file is of no consequence, as no span leaves this function.
    let Lexed { tokens, comments, .. } = lex(FileId::new(0), code);
    for token in &tokens {
        parts[token.start as usize..token.end as usize].fill(part_of(token.kind));
    }
    for comment in &comments {
        parts[comment.start as usize..comment.end as usize].fill(Part::Comment);
    }
    for bracket in cursor.and_then(|cursor| pair_at(&tokens, cursor)).into_iter().flatten() {
        parts[bracket.start as usize..bracket.end as usize].fill(Part::Bracket);
    }
}

fn part_of(kind: TokenKind) -> Part {
    match kind {
        TokenKind::Int | TokenKind::Float | TokenKind::Char => Part::Literal,
        TokenKind::True | TokenKind::False | TokenKind::None => Part::Literal,
        TokenKind::Str | TokenKind::FormatStr => Part::Text,
        kind if kind.is_keyword() => Part::Keyword,
        _ => Part::Plain,
    }
}

/// The bracket at the cursor, or else just before it, and its partner.
fn pair_at(tokens: &[Token], cursor: usize) -> Option<[Token; 2]> {
    let mut open: Vec<Token> = Vec::new();
    let mut before = None;
    for &token in tokens {
        if token.kind.is_open() {
            open.push(token);
        } else if token.kind.is_close() {
            let Some(partner) = open.pop().filter(|open| open.kind.partner() == Some(token.kind)) else { continue };
            let pair = [partner, token];
            if pair.iter().any(|bracket| bracket.start as usize == cursor) {
                return Some(pair);
            }
            if pair.iter().any(|bracket| bracket.end as usize == cursor) {
                before = Some(pair);
            }
        }
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Escape sequences as letters in angle brackets.
    fn shown(text: &str, at: usize) -> String {
        let text = highlighted(text, at, Brackets::Marked, Color::Ansi);
        let parts = [Part::Keyword, Part::Literal, Part::Text, Part::Comment, Part::Command, Part::Bracket];
        let named = parts.iter().zip(["k", "l", "t", "c", ":", "b"]);
        let text = named.fold(text, |text, (part, name)| text.replace(part.escape(), &format!("<{name}>")));
        text.replace("\x1b[0m", "<>")
    }

    #[test]
    fn tokens_have_colours() {
        assert_eq!(shown("let s = \"é\" // a", 0), "<k>let<> s = <t>\"é\"<> <c>// a<>");
        assert_eq!(shown("f('a', 1.5, none)", 0), "f(<l>'a'<>, <l>1.5<>, <l>none<>)");
        assert_eq!(shown(":time if", 0), "<:>:time<> <k>if<>");
        assert_eq!(shown(":load if.hw", 0), "<:>:load<> if.hw");
        assert_eq!(shown("\"open", 0), "<t>\"open<>");
    }

    #[test]
    fn brackets_find_their_partners() {
        assert_eq!(shown("f((1))", 6), "f<b>(<>(<l>1<>)<b>)<>");
        assert_eq!(shown("f((1))", 1), "f<b>(<>(<l>1<>)<b>)<>");
        assert_eq!(shown("(]", 2), "(]");
        assert_eq!(highlighted("()", 0, Brackets::Unmarked, Color::Ansi), "()");
    }

    #[test]
    fn further_lines_have_marks_and_the_same_width() {
        let text = "fn f() {\n      \"é\"\n\nx\n  }";
        let plain = highlighted(text, 0, Brackets::Marked, Color::Plain);
        assert_eq!(plain, "fn f() {\n.     \"é\"\n\nx\n. }");
        assert_eq!(shown("{\n  /* a\n  b */", 0), "{\n<c>. <><c>/* a\n<><c>. <><c>b */<>");
    }
}
