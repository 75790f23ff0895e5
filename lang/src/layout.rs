//! Statement ends: the layout rule of the language.
//!
//! In: tokens with matching brackets. Out: the same tokens with a [`TokenKind::Newline`] wherever a newline ends a
//! statement, and with the words `step` of a `for`, `enum` of a definition and `as` of an import told from names.
//! Invariant: tokens are only added; a newline token has an empty range at the end of the token before it.
//!
//! The rule: a newline ends a statement after a token that can end one, unless the innermost bracket is `(` or `[`, or
//! the next token is `else`, `catch`, `.`, `&&` or `||`. Beyond the language's definition, a `}` also ends a
//! statement when a name, literal or keyword follows on its line, which could mean nothing else; and so does a `++`
//! or `--` at the end of a line, which is then reported.

use crate::diagnostic::{Diagnostic, LexError, push_limited};
use crate::literal::INT_MIN_MAGNITUDE;
use crate::source::{FileId, Span};
use crate::token::{Token, TokenKind};

/// Adds statement ends to `tokens`.
pub fn lay_out(text: &str, tokens: &[Token]) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + tokens.len() / 4);
    let mut open = Vec::new();
    // True while the last token of `out` is a `!` after its operand.
    let mut after_postfix_bang = false;
    for (i, &token) in tokens.iter().enumerate() {
        let mut token = token;
        if let Some(&last) = out.last() {
            let in_parens =
                matches!(open.last(), Some(TokenKind::OpenParen | TokenKind::OpenBracket | TokenKind::FormatOpen));
            let breaks_line = text[last.end as usize..token.start as usize].contains('\n');
            let ends_here = if breaks_line {
                let can_end = after_postfix_bang || ends_statement(last.kind) || is_counting(&out);
                can_end && !continues_statement(token.kind)
            } else {
                last.kind == TokenKind::CloseBrace && starts_statement(token.kind) && !is_word(text, token, "step")
            };
            let ends_operand = last.kind.ends_expression() || after_postfix_bang;
            if ends_here && !in_parens {
                out.push(Token { kind: TokenKind::Newline, start: last.end, end: last.end });
            } else if ends_operand && is_word(text, token, "step") {
                token.kind = TokenKind::Step;
            } else if is_word(text, token, "as") && is_path(&out) {
                token.kind = TokenKind::As;
            }
            let newline_added = ends_here && !in_parens;
            after_postfix_bang = token.kind == TokenKind::Bang && ends_operand && !newline_added;
        } else {
            after_postfix_bang = false;
        }
        if is_enum(text, &tokens[i..]) && out.last().is_none_or(|last| starts_after(last.kind)) {
            token.kind = TokenKind::Enum;
        }
        if token.kind.is_open() {
            open.push(token.kind);
        } else if token.kind.is_close() {
            open.pop();
        }
        out.push(token);
    }
    out
}

/// Returns true if a newline after `kind` can end a statement (a `!` can when it is postfix).
fn ends_statement(kind: TokenKind) -> bool {
    use TokenKind as K;
    kind.ends_expression() || matches!(kind, K::Question | K::Break | K::Continue | K::Return)
}

/// Returns true if the last tokens are `++` or `--`. At the end of a line these are a habit from C: ending the
/// statement there reports it, where going on to the next line would take `--` for two operators.
fn is_counting(tokens: &[Token]) -> bool {
    use TokenKind as K;
    match tokens {
        [.., first, second] => {
            matches!((first.kind, second.kind), (K::Plus, K::Plus) | (K::Minus, K::Minus)) && first.end == second.start
        }
        _ => false,
    }
}

/// Returns true if a statement continues when `kind` starts a line.
fn continues_statement(kind: TokenKind) -> bool {
    use TokenKind as K;
    matches!(kind, K::Else | K::Catch | K::Dot | K::AndAnd | K::OrOr)
}

/// Returns true if `kind`, after a `}` on the same line, must be the start of the next statement, item, arm or field.
fn starts_statement(kind: TokenKind) -> bool {
    use TokenKind as K;
    match kind {
        K::Name | K::Int | K::Float | K::Str | K::Char | K::FormatStart => true,
        K::Else | K::Catch | K::In => false,
        other => other.is_keyword(),
    }
}

/// Returns true if the token is a name that is written like `word`.
fn is_word(text: &str, token: Token, word: &str) -> bool {
    token.kind == TokenKind::Name && &text[token.start as usize..token.end as usize] == word
}

/// Returns true if the tokens start with `enum` and a name on its line, which no expression does.
fn is_enum(text: &str, tokens: &[Token]) -> bool {
    match tokens {
        [first, second, ..] if is_word(text, *first, "enum") && second.kind == TokenKind::Name => {
            !text[first.end as usize..second.start as usize].contains('\n')
        }
        _ => false,
    }
}

/// Returns true if a statement can start after `kind`.
fn starts_after(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Newline | TokenKind::Semi | TokenKind::OpenBrace)
}

/// Returns true if the tokens end with the path of an import.
fn is_path(tokens: &[Token]) -> bool {
    matches!(tokens, [.., first, second] if first.kind == TokenKind::Import && second.kind == TokenKind::Str)
}

/// Reports each literal 9223372036854775808 that is not the operand of a unary minus.
pub fn check_min_literals(file: FileId, text: &str, tokens: &[Token]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let written = &text[token.start as usize..token.end as usize];
        let is_decimal = token.kind == TokenKind::Int && !written.starts_with("0x") && !written.starts_with("0b");
        if !is_decimal || crate::literal::int(written) != Ok(INT_MIN_MAGNITUDE) {
            continue;
        }
        let before = |n: usize| i.checked_sub(n).map(|j| tokens[j].kind);
        // After an operand the minus is binary; `x! - 9223372036854775808` needs no care: nothing there is legal.
        let is_binary = before(2).is_some_and(|kind| kind.ends_expression() || kind == TokenKind::Bang);
        if before(1) != Some(TokenKind::Minus) || is_binary {
            let span = Span::new(file, token.start, token.end);
            push_limited(&mut errors, || {
                Diagnostic::error(LexError::IntTooLarge, span)
                    .with_help("the largest int is 9223372036854775807; -9223372036854775808 is the smallest")
            });
        }
    }
    errors
}
