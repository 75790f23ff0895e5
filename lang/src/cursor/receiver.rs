//! The operand before a dot.
//!
//! In: tokens, the last of which is a dot. Out: those of the operand. Invariant: tokens are looked at alone, as the
//! program is still being written.

use crate::token::{Token, TokenKind};

/// The tokens of the operand before the dot that `tokens` end with: names, calls and indices, joined by dots.
pub fn receiver(tokens: &[Token]) -> &[Token] {
    let Some((_, rest)) = tokens.split_last() else { return &[] };
    let mut start = rest.len();
    while start > 0 {
        let kind = rest[start - 1].kind;
        if kind.is_close() {
            let mut depth = 0usize;
            while start > 0 {
                start -= 1;
                match rest[start].kind {
                    kind if kind.is_close() => depth += 1,
                    kind if kind.is_open() => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
            // A call or an index goes on to the left.
            if start > 0 && (rest[start - 1].kind == TokenKind::Name || rest[start - 1].kind.is_close()) {
                continue;
            }
        } else if kind == TokenKind::Name || kind.ends_expression() {
            start -= 1;
        } else {
            break;
        }
        match start.checked_sub(1).map(|at| rest[at].kind) {
            Some(TokenKind::Dot) if start > 1 => start -= 1,
            Some(_) | None => break,
        }
    }
    &rest[start..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;
    use crate::token::lex;

    #[test]
    fn a_receiver_is_an_operand_with_what_follows_it() {
        let text = |before: &str| {
            let tokens = lex(FileId::from_u32(0), before).tokens;
            let found = receiver(&tokens);
            found
                .first()
                .map_or("", |first| &before[first.start as usize..found[found.len() - 1].end as usize])
                .to_owned()
        };
        assert_eq!(text("1 + a.b(c)[0]."), "a.b(c)[0]");
        assert_eq!(text("f(x, [1, 2]."), "[1, 2]");
        assert_eq!(text("let x = \"a\"."), "\"a\"");
        assert_eq!(text("return (a + b)."), "(a + b)");
        assert_eq!([text("."), text("+."), text(")")], ["", "", ""]);
    }
}
