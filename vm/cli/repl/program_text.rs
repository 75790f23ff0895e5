//! The text of a program that does what inputs did.
//!
//! In: inputs, parsed anew. Out: their [`Piece`]s, and one text of them. The phases: take each definition that is valid
//! now, each import once and each statement; give names to the answers that later statements use; leave out what does
//! not compile, one piece after another. Invariant: a piece is whole, or a comment.

use std::path::{Path, PathBuf};

use holloway_lang::ast::{Item, Name, Stmt, StmtKind, TopLevel};
use holloway_lang::diagnostic::Diagnostic;
use holloway_lang::format::format;
use holloway_lang::parse::parse;
use holloway_lang::session::{Input, Session, SessionKind};
use holloway_lang::source::{FileId, SourceMap};
use holloway_lang::token::{Lexed, TokenKind, lex};

use super::definition_text::with_comment;
use holloway::Engine;
use holloway::internals::Files;

/// An input that ran.
pub(super) struct Logged {
    pub(super) file: FileId,
    /// The folder that its imports are relative to.
    pub(super) folder: PathBuf,
    /// The offset of the statement in which it failed, if it did.
    pub(super) until: Option<u32>,
    /// True if its last expression was shown.
    pub(super) is_shown: bool,
}

/// The kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Sort {
    Import,
    Definition,
    Statement,
}

/// A part of the program.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) sort: Sort,
    text: String,
    /// Its value is shown.
    is_shown: bool,
    /// The reason for which it is a comment.
    pub(super) refused: Option<String>,
}

/// The pieces of an input. Its imports shall be relative to the folder `to`.
pub(super) fn pieces(engine: &Engine, logged: &Logged, to: &Path) -> Vec<Piece> {
    let &Logged { file, ref folder, until, is_shown } = logged;
    let sources = engine.sources();
    let (program, _) = parse(sources, file);
    let mut found = Vec::new();
    let last = program.body.len().saturating_sub(1);
    for (at, part) in program.body.iter().enumerate() {
        let span = part.span();
        let piece = |sort, text| Piece { sort, text, is_shown: false, refused: None };
        match part {
            TopLevel::Item(Item::Import(import)) => {
                let own = sources.snippet(span);
                let (from, till) =
                    ((import.path_span.start - span.start) as usize, (import.path_span.end - span.start) as usize);
                let path = moved(&import.path, folder, to);
                found.push(piece(Sort::Import, format!("{}{path:?}{}", &own[..from], &own[till..])));
            }
            TopLevel::Item(item) => {
                if name_of(item).is_some_and(|name| is_present(engine, name)) {
                    found.push(piece(Sort::Definition, with_comment(sources, span)));
                }
            }
            TopLevel::Stmt(_) if until.is_some_and(|until| span.end > until) => {}
            TopLevel::Stmt(stmt) => {
                let refused = is_replaced(engine, stmt).then(|| "a later definition replaces it".to_owned());
                let is_shown = is_shown && at == last && matches!(stmt.kind, StmtKind::Expr(_));
                let text = with_comment(sources, span);
                found.push(Piece { sort: Sort::Statement, text, is_shown, refused });
            }
        }
    }
    found
}

fn name_of(item: &Item) -> Option<&Name> {
    match item {
        Item::Fn(item) => Some(&item.name),
        Item::Struct(item) => Some(&item.name),
        Item::Enum(item) => Some(&item.name),
        Item::Const(item) => Some(&item.name),
        Item::Import(_) => None,
    }
}

fn is_present(engine: &Engine, name: &Name) -> bool {
    engine.definition(name.as_str()).is_some_and(|found| found.span == name.span)
}

/// Returns true if none of the variables that a statement defines has its meaning any more.
fn is_replaced(engine: &Engine, stmt: &Stmt) -> bool {
    let StmtKind::Let(item) = &stmt.kind else { return false };
    let names = item.binder.names();
    !names.is_empty() && names.iter().all(|name| !name.is_wildcard() && !is_present(engine, name))
}

/// A path of an import, from another folder.
fn moved(path: &str, from: &Path, to: &Path) -> String {
    let meant = from.join(path);
    let whole = Files::key(&meant).map_or(meant, PathBuf::from);
    whole.strip_prefix(to).unwrap_or(&whole).to_string_lossy().into_owned()
}

/// The text of a program. What does not compile is marked in `pieces`.
pub(super) fn assemble(pieces: &mut Vec<Piece>, folder: &Path) -> String {
    pieces.sort_by_key(|piece| piece.sort == Sort::Statement);
    let mut imports = Vec::new();
    pieces.retain(|piece| {
        piece.sort != Sort::Import
            || !imports.contains(&piece.text) && {
                imports.push(piece.text.clone());
                true
            }
    });
    pieces.sort_by_key(|piece| piece.sort);
    name_answers(pieces);
    let key = folder.join("session.hw").to_string_lossy().into_owned();
    for _ in 0..=pieces.len() {
        let (text, starts) = joined(pieces);
        let input = Input { name: "session", key: Some(&key), bytes: text.as_bytes() };
        let found = Session::new(SessionKind::Program).diagnose(input, &mut Files);
        let Some(error) = found.iter().find(|found| found.is_error()) else { break };
        let at = starts.iter().rposition(|start| *start <= error.span.start as usize).unwrap_or(0);
        let Some(piece) = pieces.get_mut(at).filter(|piece| piece.refused.is_none()) else { break };
        piece.refused = Some(message(error));
    }
    let (text, _) = joined(pieces);
    let mut sources = SourceMap::new();
    let file = sources.add("session", &text);
    format(&sources, file).unwrap_or(text)
}

fn message(error: &Diagnostic) -> String {
    error.message().replace('\n', " ")
}

/// The text, and the offset of each piece in it.
fn joined(pieces: &[Piece]) -> (String, Vec<usize>) {
    let (mut text, mut starts, mut before) = (String::new(), Vec::new(), None);
    for piece in pieces {
        // Definitions of several lines stand apart.
        let apart = before.is_some_and(|sort| sort != piece.sort || sort == Sort::Definition);
        text.push_str(if apart { "\n" } else { "" });
        before = Some(piece.sort);
        starts.push(text.len());
        match &piece.refused {
            Some(reason) => {
                text.push_str(&format!("// left out: {reason}\n"));
                piece.text.lines().for_each(|line| text.push_str(&format!("// {line}\n")));
            }
            None if piece.is_shown => text.push_str(&format!("print({})\n", piece.text)),
            None => text.push_str(&format!("{}\n", piece.text)),
        }
    }
    (text, starts)
}

/// Gives the shown values that later statements use as `ans` or `_` a name each.
fn name_answers(pieces: &mut [Piece]) {
    let mut answer: Option<usize> = None;
    let mut named = Vec::new();
    for (at, piece) in pieces.iter_mut().enumerate() {
        let number = named.iter().position(|known| Some(*known) == answer).unwrap_or(named.len()) + 1;
        if let (Some(shown), Some(text)) = (answer, with_answer(&piece.text, &format!("ans{number}"))) {
            piece.text = text;
            if !named.contains(&shown) {
                named.push(shown);
            }
        }
        if piece.is_shown {
            answer = Some(at);
        }
    }
    for (number, at) in named.into_iter().enumerate() {
        let name = format!("ans{}", number + 1);
        let piece = &mut pieces[at];
        piece.text = format!("let {name} = {}\nprint({name})", piece.text);
        piece.is_shown = false;
    }
}

/// A statement with a name in place of `ans` and of each `_` that is a value; `None` if there is neither.
fn with_answer(text: &str, name: &str) -> Option<String> {
    let Lexed { tokens, .. } = lex(FileId::from_u32(0), text);
    let has_patterns = tokens.iter().any(|token| {
        matches!(token.kind, TokenKind::Let | TokenKind::Var | TokenKind::For | TokenKind::Match | TokenKind::Fn)
    });
    let mut out = String::new();
    let mut end = 0;
    for (at, token) in tokens.iter().enumerate() {
        let own = &text[token.start as usize..token.end as usize];
        let is_member = at > 0 && tokens[at - 1].kind == TokenKind::Dot;
        let is_label = tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Colon);
        let is_answer = own == "ans" || own == "_" && !(has_patterns && is_pattern(&tokens[..at]));
        if is_answer && !is_member && !is_label {
            out.push_str(&text[end..token.start as usize]);
            out.push_str(name);
            end = token.end as usize;
        }
    }
    (end > 0).then(|| out + &text[end..])
}

/// Returns true if the tokens end where a pattern may stand: none but names, brackets and commas since its keyword.
fn is_pattern(before: &[holloway_lang::token::Token]) -> bool {
    let inner = |kind: TokenKind| {
        matches!(
            kind,
            TokenKind::Name | TokenKind::Comma | TokenKind::OpenParen | TokenKind::OpenBrace | TokenKind::FatArrow
        )
    };
    let starts = before.iter().rev().find(|token| !inner(token.kind));
    starts.is_some_and(|token| {
        matches!(token.kind, TokenKind::Let | TokenKind::Var | TokenKind::For | TokenKind::Match | TokenKind::Fn)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(text: &str, is_shown: bool) -> Piece {
        Piece { sort: Sort::Statement, text: text.to_owned(), is_shown, refused: None }
    }

    #[test]
    fn answers_that_are_used_have_names() {
        let mut pieces = vec![
            statement("1 + 2", true),
            statement("let (_, b) = (1, ans)", false),
            statement("_ * b", true),
            statement("\"x\"", true),
            statement("print(_, ans)", false),
        ];
        let text = assemble(&mut pieces, Path::new("/"));
        let expected = "let ans1 = 1 + 2\nprint(ans1)\nlet (_, b) = (1, ans1)\nprint(ans1 * b)\nlet ans2 = \"x\"\nprint(ans2)\nprint(ans2, ans2)\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_does_not_compile_is_a_comment() {
        let mut pieces = vec![statement("print(gone)", false), statement("let x = 1", false), statement("x", true)];
        let text = assemble(&mut pieces, Path::new("/"));
        assert_eq!(text, "// left out: unknown name `gone`\n// print(gone)\nlet x = 1\nprint(x)\n");
        assert_eq!(pieces.iter().filter(|piece| piece.refused.is_some()).count(), 1);
    }
}
