//! From the parser's tables to a sentence.
//!
//! In: the index of the token that does not fit, and the terminals that would. Out: a diagnostic a person can read.
//! The terminals are those of `grammar.lalrpop`, in quotes, as LALRPOP lists them.

use super::context::Context;
use super::hint;
use crate::diagnostic::{Diagnostic, SyntaxError, quoted};
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// The terminals that could stand at the place of an error.
pub(super) struct Expected<'e> {
    terminals: Vec<&'e str>,
}

impl<'e> Expected<'e> {
    fn new(listed: &'e [String]) -> Self {
        Self { terminals: listed.iter().map(|terminal| terminal.trim_matches('"')).collect() }
    }

    pub(super) fn has(&self, terminal: &str) -> bool {
        self.terminals.contains(&terminal)
    }

    pub(super) fn statement(&self) -> bool {
        self.has("while")
    }

    pub(super) fn expression(&self) -> bool {
        self.has("float") && self.has("(")
    }

    pub(super) fn pattern(&self) -> bool {
        self.has("int") && !self.has("(")
    }

    pub(super) fn ty(&self) -> bool {
        self.has("fn") && self.has("name") && self.has("[") && !self.expression()
    }

    /// Returns true if the expression before the place is complete, so that an operator could follow.
    pub(super) fn after_expression(&self) -> bool {
        self.has("*")
    }

    pub(super) fn end_of_statement(&self) -> bool {
        self.has("newline") && self.has(";")
    }

    /// The list as phrases, most telling first.
    fn phrases(&self) -> Vec<String> {
        let mut phrases = Vec::new();
        let mut covered: Vec<&str> = Vec::new();
        if self.statement() {
            phrases.push(if self.has("import") && !self.has("}") { "an item or a statement" } else { "a statement" });
            covered.extend(["newline", ";"]);
        } else if self.expression() {
            phrases.push("an expression");
        } else if self.ty() {
            phrases.push("a type");
        } else if self.pattern() {
            phrases.push("a pattern");
        } else if self.has("name") {
            phrases.push("a name");
        } else if self.has("string") {
            phrases.push("a string");
        }
        if self.statement() || self.expression() || self.ty() || self.pattern() {
            covered.extend(PREFIXES);
        }
        if self.after_expression() {
            covered.extend(CONTINUATIONS);
        } else if self.has("?") && !self.ty() {
            covered.push("?");
        }
        let end = self.end_of_statement() && !covered.contains(&";");
        covered.extend(["name", "string", "newline"]);
        if end {
            phrases.push("the end of the statement");
            covered.push(";");
        }
        let mut phrases: Vec<String> = phrases.into_iter().map(str::to_owned).collect();
        let rest = self.terminals.iter().filter(|terminal| !covered.contains(*terminal));
        phrases.extend(rest.map(|terminal| format!("`{terminal}`")));
        if phrases.is_empty() && self.after_expression() {
            phrases.push("an operator".to_owned());
        }
        phrases
    }
}

/// The tokens that an expression, statement, type or pattern can start with.
const PREFIXES: [&str; 33] = [
    "name", "int", "float", "string", "char", "true", "false", "none", "(", "[", "{", "-", "!", "~", "if", "match",
    "fn", "struct", "const", "import", "let", "var", "while", "loop", "for", "try", "break", "continue", "return",
    "fail", "step", "in", "newline",
];

/// The tokens that can follow a complete expression and continue it, or assign to it.
const CONTINUATIONS: [&str; 39] = [
    "||", "&&", "==", "!=", "<", "<=", ">", ">=", "|", "^", "&", "<<", ">>", ">>>", "+", "-", "*", "/", "%", "(", "[",
    ".", "!", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", ":", "else", "step", "?",
];

/// The longest list of phrases that still helps.
const LONGEST: usize = 4;

/// The diagnostic for the token at `index` (the end of the file after the last), where `listed` could stand.
pub(super) fn unexpected(cx: &Context<'_>, index: usize, listed: &[String]) -> Diagnostic {
    let expected = Expected::new(listed);
    let mut phrases = expected.phrases();
    if phrases.len() > LONGEST {
        phrases.truncate(1);
    }
    let span = match cx.tokens.get(index) {
        Some(token) => Span::new(cx.file, token.start, token.end),
        None => cx.tokens.last().map_or(Span::new(cx.file, 0, 0), |last| Span::new(cx.file, last.end, last.end)),
    };
    let mut error = Diagnostic::error(SyntaxError::Unexpected { found: found(cx, index), expected: phrases }, span);
    if let Some(open) = open_bracket(cx, index).filter(|_| expected.has(")") || expected.has("]")) {
        let between = &cx.text[open.start as usize..span.start as usize];
        if between.contains('\n') {
            error = error.with_label(Span::new(cx.file, open.start, open.end), "opened here");
        }
    }
    match hint::hint(cx, index, &expected) {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// The innermost bracket that is open before the token at `index`.
fn open_bracket(cx: &Context<'_>, index: usize) -> Option<Token> {
    let mut closed = 0usize;
    cx.tokens[..index].iter().rev().take(FARTHEST_BRACKET).copied().find(|token| {
        closed += usize::from(token.kind.is_close());
        let is_it = token.kind.is_open() && closed == 0;
        closed -= usize::from(token.kind.is_open() && closed > 0);
        is_it
    })
}

/// Distance, in tokens, up to which an opening bracket is looked for.
const FARTHEST_BRACKET: usize = 10_000;

/// The token at `index` as a phrase.
fn found(cx: &Context<'_>, index: usize) -> String {
    let Some(token) = cx.tokens.get(index) else { return "the end of the file".to_owned() };
    let text = &cx.text[token.start as usize..token.end as usize];
    match token.kind {
        TokenKind::Newline if cx.tokens.len() == index + 1 => "the end of the file".to_owned(),
        TokenKind::Newline => "the end of the line".to_owned(),
        TokenKind::Name => format!("name {}", quoted(text)),
        TokenKind::Int | TokenKind::Float => format!("number {}", quoted(text)),
        TokenKind::Str => format!("string {}", quoted(text)),
        TokenKind::Char => format!("character {}", quoted(text)),
        kind if kind.is_keyword() => format!("keyword {}", quoted(text)),
        _ => quoted(text),
    }
}
