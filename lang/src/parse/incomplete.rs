//! Incomplete input: the REPL asks for more lines if a text is one.
//!
//! In: the text typed so far. Out: true if it is the beginning of something. Invariant: only lexical facts count, so a
//! text with any other error is submitted, and its error shown, at once.

use cranelift_entity::EntityRef;

use crate::diagnostic::{Diagnostic, DiagnosticKind, LexError};
use crate::source::FileId;
use crate::token::{Comment, CommentKind, Lexed, Token, TokenKind as K, lex};

/// Returns true if `text` ends inside brackets or a comment, after an operator, or where `else`, `catch`, a body or
/// what a doc comment is about must follow.
pub fn is_incomplete(text: &str) -> bool {
    // The file is of no consequence, as no span leaves this function.
    let Lexed { tokens, comments, errors } = lex(FileId::new(0), text);
    if errors.iter().any(is_open_comment) {
        return true;
    }
    // No further line closes a string that the line before left open.
    if !errors.is_empty() {
        return false;
    }
    if comments.last().is_some_and(|comment| is_unused_doc(comment, &tokens)) {
        return true;
    }
    match open_brackets(&tokens) {
        Some(0) => tokens.last().is_some_and(|last| wants_more(last.kind)) || is_try_without_catch(&tokens),
        Some(_) => true,
        None => false,
    }
}

fn is_open_comment(error: &Diagnostic) -> bool {
    error.kind == DiagnosticKind::Lex(LexError::UnterminatedComment)
}

fn is_unused_doc(last: &Comment, tokens: &[Token]) -> bool {
    last.kind == CommentKind::Doc && tokens.last().is_none_or(|token| token.end <= last.start)
}

/// Number of brackets open at the end; `None` if some do not match, which more lines will not mend.
fn open_brackets(tokens: &[Token]) -> Option<usize> {
    let mut open = Vec::new();
    for token in tokens {
        if token.kind.is_open() {
            open.push(token.kind);
        } else if token.kind.is_close() && open.pop() != token.kind.partner() {
            return None;
        }
    }
    Some(open.len())
}

/// Returns true if something must follow `kind`. A `!` may be postfix, `return` and `break` need no operand.
fn wants_more(kind: K) -> bool {
    match kind {
        K::Bang | K::Question | K::Semi | K::Break | K::Continue | K::Return => false,
        K::Fn | K::Struct | K::Const | K::Import | K::Let | K::Var | K::Colon => false,
        other => !other.ends_expression(),
    }
}

/// Returns true if the last `}` closes the body of a `try`.
fn is_try_without_catch(tokens: &[Token]) -> bool {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().rev() {
        match token.kind {
            K::CloseBrace => depth += 1,
            K::OpenBrace => depth -= 1,
            _ if depth == 0 => return false,
            _ => {}
        }
        if depth == 0 {
            return i > 0 && tokens[i - 1].kind == K::Try;
        }
    }
    false
}
