//! Hover: the meaning of the name under the pointer.
//!
//! In: a position. Out: the head of what the name means, with its comment; of a word of the language, its forms and its
//! meaning. Invariant: a name of the program comes before a built-in of that name, as it does in programs.

use holloway_lang::token::{Token, TokenKind, lex};
use holloway_lang::words;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use super::convert::Places;
use super::programs::Place;
use super::state::State;

/// Answers a hover.
pub(crate) fn hover(state: &mut State, params: HoverParams) -> Option<Hover> {
    let at = params.text_document_position_params;
    let place = state.programs.place(&at.text_document.uri, at.position)?;
    let sources = place.program.sources();
    let mut places = Places::new(&state.programs.documents, sources);
    if let Some((span, symbol)) = place.program.index.at(place.file, place.offset) {
        return Some(shown(&symbol.head, symbol.doc.as_deref(), places.range(span)));
    }
    let token = token_at(&place)?;
    let text = &sources.file(place.file).text[token.start as usize..token.end as usize];
    let (_, forms, about) = words::find(text)?;
    let span = holloway_lang::source::Span::new(place.file, token.start, token.end);
    Some(shown(forms, Some(about), places.range(span)))
}

/// The word at a place.
fn token_at(place: &Place) -> Option<Token> {
    let text = &place.program.sources().file(place.file).text;
    let tokens = lex(place.file, text).tokens;
    let is_here = |token: &&Token| token.start <= place.offset && place.offset <= token.end;
    tokens.iter().rfind(|token| is_here(token) && (token.kind == TokenKind::Name || token.kind.is_keyword())).copied()
}

fn shown(code: &str, about: Option<&str>, range: lsp_types::Range) -> Hover {
    let about = about.map(|about| format!("\n{}", trimmed(about))).unwrap_or_default();
    let value = format!("```holloway\n{code}\n```{about}");
    Hover { contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }), range: Some(range) }
}

/// The lines of a comment, without the blank in front of each.
pub(crate) fn trimmed(comment: &str) -> String {
    comment.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}
