//! The extent and the parts of a formatted string.
//!
//! In: the text from `f"` on. Out: [`Scan`]: the end of the string, its texts and holes, and the errors about these.
//! Invariants: one pass with a stack of its own, so any nesting takes linear time and no recursion; a string with an
//! error of its braces or quotes has no parts.
//!
//! A hole is `{value}` or `{value:spec}`. Its end is found by its brackets and by the strings, characters and formatted
//! strings in it; a `:` outside of any bracket begins the format, which is plain text. A newline ends the search.

use crate::diagnostic::LexError;
use crate::literal;
pub(crate) use crate::settings::interpolation::MOST_FORMATS;

/// A formatted string as its braces and quotes divide it. Offsets count from its `f`.
pub(crate) struct Scan {
    /// The length of the whole, with its quotes.
    pub(crate) len: usize,
    /// The texts and holes; none where `is_whole` is false.
    pub(crate) parts: Vec<Part>,
    /// True if the string and each of its holes are closed and it can be divided.
    pub(crate) is_whole: bool,
    /// The errors, each with the range that it is about.
    pub(crate) errors: Vec<(LexError, usize, usize)>,
}

/// A part of a formatted string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Text, with its escapes and doubled braces.
    Text {
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
    },
    /// `{value:spec}`
    Hole {
        /// The offset of the `{`.
        open: usize,
        /// The offset of the `:`, where there is one.
        colon: Option<usize>,
        /// The offset of the `}`.
        close: usize,
    },
}

/// The part of a string that is being read.
#[derive(Clone, Copy)]
enum Mode {
    Text,
    Hole {
        open: usize,
        braces: usize,
        others: usize,
    },
    /// The format behind the `:` of a hole.
    Spec {
        open: usize,
        colon: usize,
        braces: usize,
    },
}

/// Reads the formatted string at the start of `text`.
pub(crate) fn scan(text: &str) -> Scan {
    let mut reader =
        Reader { text, at: 2, modes: vec![Mode::Text], texts: 1, start: 2, parts: Vec::new(), errors: Vec::new() };
    while let Some(&mode) = reader.modes.last() {
        let Some(&byte) = text.as_bytes().get(reader.at).filter(|&&byte| byte != b'\n') else {
            return reader.unclosed();
        };
        match mode {
            Mode::Text => reader.text(byte),
            Mode::Hole { open, braces, others } => reader.hole(byte, open, braces, others),
            Mode::Spec { open, colon, braces } => {
                if byte == b'"' {
                    return reader.unclosed();
                }
                reader.spec(byte, open, colon, braces);
            }
        }
    }
    reader.finish()
}

/// The state of [`scan`].
struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The strings and holes that are open, the outermost first.
    modes: Vec<Mode>,
    /// Number of strings among them.
    texts: usize,
    /// The start of the text that is being read at the outermost level.
    start: usize,
    parts: Vec<Part>,
    errors: Vec<(LexError, usize, usize)>,
}

impl Reader<'_> {
    fn is_outermost(&self) -> bool {
        self.modes.len() == 1
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn set(&mut self, mode: Mode) {
        if let Some(last) = self.modes.last_mut() {
            *last = mode;
        }
    }

    /// Passes a byte of text.
    fn text(&mut self, byte: u8) {
        let is_doubled = self.text.as_bytes().get(self.at + 1) == Some(&byte);
        match byte {
            b'"' => {
                self.end_text();
                self.modes.pop();
                self.texts -= 1;
                self.at += 1;
            }
            b'\\' => self.at += escape_len(self.rest()),
            b'{' | b'}' if is_doubled => self.at += 2,
            b'{' => {
                self.end_text();
                self.modes.push(Mode::Hole { open: self.at, braces: 0, others: 0 });
                self.at += 1;
            }
            b'}' => {
                // Those of strings inside are reported when these are read.
                if self.is_outermost() {
                    self.errors.push((LexError::StrayBrace, self.at, self.at + 1));
                }
                self.at += 1;
            }
            _ => self.at += 1,
        }
    }

    fn end_text(&mut self) {
        if self.is_outermost() && self.start < self.at {
            self.parts.push(Part::Text { start: self.start, end: self.at });
        }
    }

    /// Passes a byte, word or string of a value.
    fn hole(&mut self, byte: u8, open: usize, braces: usize, others: usize) {
        let start = self.at;
        self.at += 1;
        match byte {
            b'"' => self.at = start + string_len(&self.text[start..]),
            b'\'' => self.at = start + character_len(&self.text[start..]),
            b'{' => self.set(Mode::Hole { open, braces: braces + 1, others }),
            b'}' if braces > 0 => self.set(Mode::Hole { open, braces: braces - 1, others }),
            b'}' => self.end_hole(open, None, start),
            b'(' | b'[' => self.set(Mode::Hole { open, braces, others: others + 1 }),
            b')' | b']' => self.set(Mode::Hole { open, braces, others: others.saturating_sub(1) }),
            b':' if braces == 0 && others == 0 => self.set(Mode::Spec { open, colon: start, braces: 0 }),
            _ => self.word(start),
        }
    }

    /// Passes a word, or another character. The word `f` before a quote begins a formatted string.
    fn word(&mut self, start: usize) {
        let rest = &self.text[start..];
        let is_part = |c: char| c == '_' || c.is_alphanumeric() || !c.is_ascii();
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at = start + len.max(1);
        if rest.starts_with("f\"") {
            self.at += 1;
            self.modes.push(Mode::Text);
            self.texts += 1;
            if self.texts > MOST_FORMATS && self.errors.is_empty() {
                self.errors.push((LexError::FormatTooDeep { limit: MOST_FORMATS }, start, start + 2));
            }
        }
    }

    /// Passes a byte of a format.
    fn spec(&mut self, byte: u8, open: usize, colon: usize, braces: usize) {
        match byte {
            b'{' => {
                if self.modes.len() == 2 {
                    self.errors.push((LexError::BraceInFormat, self.at, self.at + 1));
                }
                self.set(Mode::Spec { open, colon, braces: braces + 1 });
            }
            b'}' if braces > 0 => self.set(Mode::Spec { open, colon, braces: braces - 1 }),
            b'}' => self.end_hole(open, Some(colon), self.at),
            _ => {}
        }
        self.at += 1;
    }

    fn end_hole(&mut self, open: usize, colon: Option<usize>, close: usize) {
        self.modes.pop();
        if self.is_outermost() {
            self.parts.push(Part::Hole { open, colon, close });
            self.start = close + 1;
        }
    }

    /// The end of the line comes before that of the string.
    fn unclosed(self) -> Scan {
        let line = &self.text[..self.text.find('\n').unwrap_or(self.text.len())];
        // What ends the line is more likely code than text: leaving it outside keeps the brackets balanced.
        let len = line.trim_end_matches([')', ']', '}', ';', ',', ' ', '\t', '\r']).len().max(2);
        let hole = self.modes.iter().rev().find_map(|mode| match mode {
            Mode::Hole { open, .. } | Mode::Spec { open, .. } => Some(*open),
            Mode::Text => None,
        });
        let error = match hole {
            Some(open) => (LexError::UnclosedHole, open, open + 1),
            None => (LexError::UnterminatedString, 0, len),
        };
        Scan { len, parts: Vec::new(), is_whole: false, errors: vec![error] }
    }

    fn finish(mut self) -> Scan {
        let is_whole = self.errors.is_empty();
        for part in &self.parts {
            if let Part::Text { start, end } = *part {
                let errors = literal::format_text(&self.text[start..end]).1;
                self.errors.extend(errors.into_iter().map(|(error, from, to)| (error, start + from, start + to)));
            }
        }
        let parts = if is_whole { self.parts } else { Vec::new() };
        Scan { len: self.at, parts, is_whole, errors: self.errors }
    }
}

/// The length of the escape at the start of `rest`; only the backslash where its line ends.
fn escape_len(rest: &str) -> usize {
    match rest.as_bytes().get(1) {
        None | Some(b'\n') => 1,
        Some(_) => literal::escape_len(rest),
    }
}

/// The length of the string at the start of `rest`, or of what is left of its line.
fn string_len(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' if bytes.get(at + 1).is_some_and(|&next| next != b'\n') => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The length of the character literal at the start of `rest`; only that of the quote where it is none.
fn character_len(rest: &str) -> usize {
    let inner = match rest[1..].chars().next() {
        Some('\\') => escape_len(&rest[1..]),
        Some(c) => c.len_utf8(),
        None => return 1,
    };
    if rest.as_bytes().get(1 + inner) == Some(&b'\'') { inner + 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a formatted string as text, `|` between them.
    fn parts(text: &str) -> String {
        let found = scan(text);
        assert!(found.is_whole && found.errors.is_empty(), "{text}: {:?}", found.errors);
        assert_eq!(found.len, text.len(), "{text}");
        let show = |part: &Part| match *part {
            Part::Text { start, end } => text[start..end].to_owned(),
            Part::Hole { open, colon: None, close } => format!("<{}>", &text[open + 1..close]),
            Part::Hole { open, colon: Some(colon), close } => {
                format!("<{}><{}>", &text[open + 1..colon], &text[colon + 1..close])
            }
        };
        found.parts.iter().map(show).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn holes_end_at_their_brace() {
        for (text, expected) in [
            (r#"f"""#, ""),
            (r#"f"a{b}c""#, "a|<b>|c"),
            (r#"f"{{{b}}}""#, "{{|<b>|}}"),
            (r#"f"{d["a:b}"]}""#, r#"<d["a:b}"]>"#),
            (r#"f"{f(x: 1)}{S(a: 1).a:>5}""#, "<f(x: 1)>|<S(a: 1).a><>5>"),
            (r#"f"{ {1} }""#, "< {1} >"),
            (r#"f"{f"{a:x}{f"b"}"}:""#, r#"<f"{a:x}{f"b"}">|:"#),
            (r#"f"{'}'}{'"'}{'\''}""#, r#"<'}'>|<'"'>|<'\''>"#),
            (r#"f"\u{1F600}\"{a:}""#, r#"\u{1F600}\"|<a><>"#),
            (r#"f"{xf("a")}{a_f["}"]}""#, r#"<xf("a")>|<a_f["}"]>"#),
            (r#"f"{if a { "}" } else { b }:é<4}""#, r#"<if a { "}" } else { b }><é<4>"#),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    /// The errors of a formatted string, each with what it is about and the whole.
    fn errors(text: &str) -> Vec<(LexError, &str, &str)> {
        let found = scan(text);
        found.errors.into_iter().map(|(error, from, to)| (error, &text[from..to], &text[..found.len])).collect()
    }

    #[test]
    fn what_is_not_closed_ends_with_its_line() {
        assert_eq!(errors("f\"a\n"), [(LexError::UnterminatedString, "f\"a", "f\"a")]);
        assert_eq!(errors("f\"{a\")\nb"), [(LexError::UnclosedHole, "{", "f\"{a\"")]);
        assert_eq!(errors("f\"{a:>\" + b"), [(LexError::UnclosedHole, "{", "f\"{a:>\" + b")]);
        assert_eq!(errors("f\"a}\" }"), [(LexError::StrayBrace, "}", "f\"a}\"")]);
        assert_eq!(errors("f\"{a:{w}}\" }"), [(LexError::BraceInFormat, "{", "f\"{a:{w}}\"")]);
        assert_eq!(errors("f\""), [(LexError::UnterminatedString, "f\"", "f\"")]);
        let deep = format!("{}1{}", "f\"{".repeat(1000), "}\"".repeat(1000));
        let [(LexError::FormatTooDeep { .. }, ..)] = errors(&deep)[..] else { panic!("one error") };
    }
}
