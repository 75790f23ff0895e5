//! The names that may follow a dot.
//!
//! In: the tokens before the cursor, the last of which is a dot. Out: names: variants of an enum, definitions of an
//! imported file, fields of a value, and functions that take such a value first. The type of what stands before the dot
//! is found by checking that alone, as an input to a draft of the session. Invariant: nothing runs, and the session
//! stays as it is.

use cranelift_entity::EntityRef;
use holloway_lang::cursor::receiver;
use holloway_lang::ir::{Module, RecordRef, Shape, Type, TypeRef};
use holloway_lang::receivers::functions;
use holloway_lang::session::{Input, NoFiles, Session};
use holloway_lang::source::FileId;
use holloway_lang::token::{Token, TokenKind, lex};

/// The candidates after a dot. `heads` are the definitions of the program, each with its name.
pub(super) fn after_dot(
    session: &Session,
    heads: &[(String, String)],
    code: &str,
    before: &str,
    tokens: &[Token],
) -> Vec<String> {
    let receiver = receiver(tokens);
    let text = |token: &Token| &before[token.start as usize..token.end as usize];
    let path: Vec<&str> = receiver.iter().filter(|token| token.kind != TokenKind::Dot).map(text).collect();
    let is_path = receiver.iter().all(|token| matches!(token.kind, TokenKind::Name | TokenKind::Dot));
    if is_path {
        let members = session.members(&path);
        if !members.is_empty() {
            return members;
        }
    }
    let (Some(first), Some(last)) = (receiver.first(), receiver.last()) else { return Vec::new() };
    let shown = &before[first.start as usize..last.end as usize];
    let local = written_type(text(first), code);
    let mut draft = session.clone();
    match type_of(&mut draft, shown, text(first), local) {
        Some(ty) => {
            let mut names = fields(draft.module(), ty);
            names.extend(functions(heads, &draft.type_name(ty)));
            names
        }
        // It may be a variable of a function that is still being typed.
        None => all_fields(session.module()),
    }
}

/// The type that is written behind a name somewhere in the code: that of a parameter, or of a `let`.
fn written_type<'c>(name: &str, code: &'c str) -> Option<&'c str> {
    let tokens = lex(FileId::new(0), code).tokens;
    let text = |token: &Token| &code[token.start as usize..token.end as usize];
    let at = tokens.windows(2).position(|pair| text(&pair[0]) == name && pair[1].kind == TokenKind::Colon)? + 2;
    let (mut depth, mut end) = (0usize, at);
    while let Some(token) = tokens.get(end) {
        match token.kind {
            kind if kind.is_open() && !(kind == TokenKind::OpenBrace && depth == 0) => depth += 1,
            kind if kind.is_close() && depth > 0 => depth -= 1,
            TokenKind::Name | TokenKind::Question | TokenKind::Fn | TokenKind::Arrow | TokenKind::Dot => {}
            _ if depth > 0 => {}
            _ => break,
        }
        end += 1;
    }
    (end > at).then(|| &code[tokens[at].start as usize..tokens[end - 1].end as usize])
}

/// The type of an expression, whose first name may be a variable of a type that is written.
fn type_of(draft: &mut Session, shown: &str, first: &str, local: Option<&str>) -> Option<TypeRef> {
    let text = local.map_or(shown.to_owned(), |ty| format!("fn({first}: {ty}) => {shown}"));
    let added = draft.add(Input { name: "", key: None, bytes: text.as_bytes() }, &mut NoFiles).ok()?;
    let ty = added.shown?;
    match (local, &draft.module().types[ty]) {
        (Some(_), Type::Func(sig)) => draft.module().sigs[*sig].result,
        (Some(_), _) => None,
        (None, _) => Some(ty),
    }
}

fn fields(module: &Module, ty: TypeRef) -> Vec<String> {
    match module.types[ty] {
        Type::Record(record) => fields_of(module, record),
        Type::Optional(of) => fields(module, of),
        _ => Vec::new(),
    }
}

fn fields_of(module: &Module, record: RecordRef) -> Vec<String> {
    match module.records[record].shape {
        Shape::Struct => module.records[record].fields.iter().map(|field| field.name.clone()).collect(),
        _ => Vec::new(),
    }
}

fn all_fields(module: &Module) -> Vec<String> {
    module.records.keys().flat_map(|record| fields_of(module, record)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_found_where_they_are_written() {
        assert_eq!(written_type("q", "fn f(a: int, q: list[(int, Q)]) { q."), Some("list[(int, Q)]"));
        assert_eq!(written_type("q", "fn f(q: Q?) { q."), Some("Q?"));
        assert_eq!(written_type("g", "fn f(g: fn(int) -> Q) -> int { g."), Some("fn(int) -> Q"));
        assert_eq!(written_type("q", "let q = 1"), None);
    }
}
