//! Balancing of brackets.
//!
//! In: tokens as written. Out: tokens whose brackets match, and a diagnostic for each repair. Invariant: in the tokens
//! that come out every `(`, `[` and `{` has its partner, properly nested, so that the parser's errors are about other
//! things. A missing bracket is inserted with an empty range; one that closes nothing is removed.

use crate::diagnostic::{Diagnostic, SyntaxError, push_limited};
use crate::settings::brackets::UNCLOSED_SHOWN;
use crate::settings::depth::MAX_NESTING;
use crate::source::{FileId, Span};
use crate::token::{Token, TokenKind};

/// Tokens with matching brackets, and the repairs that this took.
pub struct Balanced {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// One for each repair.
    pub errors: Vec<Diagnostic>,
}

/// An opening bracket that waits for its partner.
#[derive(Clone, Copy)]
struct Open {
    token: Token,
    /// The width of the blanks before its line's first token.
    indent: usize,
}

/// Matches the brackets of `tokens`.
pub fn balance(file: FileId, text: &str, tokens: &[Token]) -> Balanced {
    let mut pass =
        Pass { file, out: Vec::with_capacity(tokens.len()), open: Vec::new(), suspect: None, errors: vec![] };
    let mut indent = Indent { text, at: 0, line: 0 };
    for &token in tokens {
        if token.kind.is_open() {
            pass.open.push(Open { token, indent: indent.of(token.start) });
        } else if token.kind.is_close() && !pass.close(token, &mut indent) {
            continue;
        }
        pass.out.push(token);
    }
    pass.close_all(text.len() as u32);
    Balanced { tokens: pass.out, errors: pass.errors }
}

struct Pass {
    file: FileId,
    out: Vec<Token>,
    open: Vec<Open>,
    /// The first `{` whose `}` stands further left than the line that opened it: most likely its block lacks a `}`.
    suspect: Option<Open>,
    errors: Vec<Diagnostic>,
}

impl Pass {
    /// Handles a closing bracket. Returns true if it stays.
    fn close(&mut self, token: Token, indent: &mut Indent<'_>) -> bool {
        // A brace closes any parentheses left open inside it; a parenthesis never closes a brace. Looking no further
        // than nesting may go keeps this linear.
        let innermost = self.open.iter().enumerate().rev().take(MAX_NESTING + 1);
        let mut candidates = innermost.map(|(index, open)| (index, open.token.kind));
        let wanted = |kind: TokenKind| Some(kind) == token.kind.partner();
        // The end of a hole is never wrong, as it was found together with its start.
        let stops = |kind: TokenKind| match token.kind {
            TokenKind::FormatClose => false,
            _ => matches!(kind, TokenKind::OpenBrace | TokenKind::FormatOpen),
        };
        let target = match candidates.find(|&(_, kind)| wanted(kind) || stops(kind)) {
            Some((index, kind)) if wanted(kind) => index,
            _ => {
                self.stray(token);
                return false;
            }
        };
        while self.open.len() > target + 1 {
            if let Some(open) = self.open.pop() {
                self.mismatch(open, token);
            }
        }
        if let Some(open) = self.open.pop() {
            let starts_line = indent.starts_line(token.start);
            if self.suspect.is_none() && starts_line && indent.of(token.start) < open.indent {
                self.suspect = Some(open);
            }
        }
        true
    }

    /// Reports that `open` is closed by the wrong bracket.
    fn mismatch(&mut self, open: Open, found: Token) {
        let closer = closer_of(open.token.kind);
        let at = self.out.last().map_or(found.start, |last| last.end);
        self.out.push(Token { kind: closer, start: at, end: at });
        let kind = SyntaxError::MismatchedBracket { found: symbol(found.kind), expected: symbol(closer) };
        let (found, open) = (self.span(found), self.span(open.token));
        push_limited(&mut self.errors, || {
            Diagnostic::error(kind, found).with_label(open, "this bracket is still open")
        });
    }

    fn stray(&mut self, token: Token) {
        let (place, open) = (self.span(token), self.open.last().map(|open| self.span(open.token)));
        push_limited(&mut self.errors, || {
            let error = Diagnostic::error(SyntaxError::StrayBracket(symbol(token.kind)), place);
            match open {
                Some(open) => error.with_label(open, "the innermost open bracket"),
                None => error,
            }
        });
    }

    /// Closes all open brackets at the end of the file. If the indentation shows which brace was forgotten, only that
    /// one is reported.
    fn close_all(&mut self, end: u32) {
        let end_of_file = Span::new(self.file, end, end);
        let unclosed = |pass: &Self, open: &Open| {
            let kind = SyntaxError::UnclosedBracket(symbol(open.token.kind));
            let error = Diagnostic::error(kind, pass.span(open.token));
            error.with_label(end_of_file, "the file ends here with a bracket still open")
        };
        let suspect = self.suspect.filter(|_| self.open.iter().any(|open| open.token.kind == TokenKind::OpenBrace));
        let errors: Vec<_> = match suspect {
            Some(open) => vec![
                unclosed(self, &open).with_note("the `}` that would close it is indented like that of an outer block"),
            ],
            None => self.open.iter().take(UNCLOSED_SHOWN).map(|open| unclosed(self, open)).collect(),
        };
        self.errors.extend(errors);
        while let Some(open) = self.open.pop() {
            self.out.push(Token { kind: closer_of(open.token.kind), start: end, end });
        }
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }
}

/// Answers questions about indentation at offsets that only grow, in linear time.
struct Indent<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Indent<'_> {
    fn of(&mut self, offset: u32) -> usize {
        self.move_to(offset);
        let blanks = |byte: &u8| matches!(byte, b' ' | b'\t');
        self.text.as_bytes()[self.line..].iter().take_while(|byte| blanks(byte)).count()
    }

    fn starts_line(&mut self, offset: u32) -> bool {
        self.of(offset) == offset as usize - self.line
    }

    /// Finds the start of the line of `offset`.
    fn move_to(&mut self, offset: u32) {
        let offset = offset as usize;
        if let Some(newline) = self.text[self.at..offset].rfind('\n') {
            self.line = self.at + newline + 1;
        }
        self.at = offset;
    }
}

/// The bracket that closes `open`.
fn closer_of(open: TokenKind) -> TokenKind {
    open.partner().expect("only opening brackets are on the stack")
}

fn symbol(bracket: TokenKind) -> char {
    bracket.fixed_text().and_then(|text| text.chars().next()).expect("a bracket has a text")
}
