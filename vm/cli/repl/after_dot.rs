//! The names that may follow a dot.
//!
//! In: the tokens before the cursor, the last of which is a dot. Out: names: variants of an enum, definitions of an
//! imported file, fields of a value, and functions that take such a value first. The type of what stands before the dot
//! is found by checking that alone, as an input to a draft of the session. Invariant: nothing runs, and the session
//! stays as it is.

use cranelift_entity::EntityRef;
use holloway_lang::ir::{Module, RecordRef, Shape, Type, TypeRef};
use holloway_lang::session::{Input, NoFiles, Session};
use holloway_lang::source::FileId;
use holloway_lang::token::{Token, TokenKind, lex};

use super::builtins::BUILTINS;

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

/// The tokens of the operand before the dot that `tokens` end with: names, calls and indices, joined by dots.
fn receiver(tokens: &[Token]) -> &[Token] {
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

/// The functions whose first parameter takes a value of a type.
fn functions(heads: &[(String, String)], ty: &str) -> Vec<String> {
    let own = heads.iter().filter(|(_, head)| first_param(head).is_some_and(|param| takes(param, ty)));
    let own = own.map(|(name, _)| name.clone());
    let hidden = |name: &str| heads.iter().any(|(own, _)| own == name);
    let fits = |forms: &str| forms.lines().any(|form| first_param(form).is_some_and(|param| takes(param, ty)));
    let built_in = BUILTINS.iter().filter(|(name, forms, _)| !hidden(name) && fits(forms));
    own.chain(built_in.map(|(name, ..)| (*name).to_owned())).collect()
}

/// The first parameter in the head of a function.
fn first_param(head: &str) -> Option<&str> {
    let head = head.strip_prefix("fn ").unwrap_or(head);
    if head.starts_with("struct ") || head.starts_with("enum ") || head.starts_with("const ") {
        return None;
    }
    let open = head.find('(').filter(|open| !head[..*open].contains([' ', ':']) || head[..*open].contains('['))?;
    let param = parts(head[open + 1..].get(..close_of(&head[open + 1..])?)?).into_iter().next()?;
    (!param.is_empty()).then_some(param)
}

/// The offset of the bracket that closes what is open before a text.
fn close_of(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some(at),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The parts of a list, which commas divide.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(text[start..].trim());
    all
}

/// Returns true if a parameter, as a head writes it, takes a value of a type.
fn takes(param: &str, ty: &str) -> bool {
    match param.split_once(": ") {
        Some((_, wanted)) => fits(wanted, ty),
        // The help texts name parameters without a type if several fit.
        None if matches!(param, "xs" | "parts" | "l") => ty.starts_with('[') || ty.starts_with("list["),
        None if param == "x" => matches!(ty, "int" | "float" | "bool"),
        // Whatever is written so belongs in brackets: `print(a)`, `list(a, b)`.
        None => false,
    }
}

fn fits(wanted: &str, ty: &str) -> bool {
    let is_param = wanted.len() == 1 && wanted.starts_with(|c: char| c.is_ascii_uppercase());
    if is_param || wanted == ty || wanted.strip_suffix('?').is_some_and(|wanted| wanted == ty) {
        return true;
    }
    match (applied(wanted), applied(ty)) {
        (Some((wanted, of)), Some((ty, parts))) => {
            wanted == ty && of.len() == parts.len() && of.iter().zip(parts).all(|(wanted, ty)| fits(wanted, ty))
        }
        _ => false,
    }
}

/// `list` and `int` of `list[int]`; nothing and `int` of `[int]`.
fn applied(ty: &str) -> Option<(&str, Vec<&str>)> {
    let (name, rest) = ty.split_once('[')?;
    Some((name, parts(rest.strip_suffix(']')?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_an_operand_with_what_follows_it() {
        let text = |before: &str| {
            let tokens = lex(FileId::new(0), before).tokens;
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

    #[test]
    fn functions_fit_by_their_first_parameter() {
        assert_eq!(first_param("fn largest[T](xs: list[T], n: int) -> T"), Some("xs: list[T]"));
        assert_eq!(first_param("let x: (int, str)"), None);
        assert_eq!(first_param("fn f()"), None);
        for (param, ty, is_taken) in [
            ("xs: list[T]", "list[int]", true),
            ("xs: list[int]", "list[str]", false),
            ("d: dict[K, V]", "dict[str, (int, int)]", true),
            ("a: [T]", "[int]", true),
            ("p: P?", "P", true),
            ("s: str", "int", false),
            ("xs", "list[int]", true),
            ("xs", "int", false),
            ("x", "int", true),
            ("a", "int", false),
        ] {
            assert_eq!(takes(param, ty), is_taken, "{param} {ty}");
        }
    }

    #[test]
    fn types_are_found_where_they_are_written() {
        assert_eq!(written_type("q", "fn f(a: int, q: list[(int, Q)]) { q."), Some("list[(int, Q)]"));
        assert_eq!(written_type("q", "fn f(q: Q?) { q."), Some("Q?"));
        assert_eq!(written_type("g", "fn f(g: fn(int) -> Q) -> int { g."), Some("fn(int) -> Q"));
        assert_eq!(written_type("q", "let q = 1"), None);
    }
}
