//! Code actions: the fixes that messages carry.
//!
//! In: a range. Out: the fixes of messages in it, and one action that makes all fixes of the document, as `check --fix`
//! does. Invariant: a fix changes what the program does as little as `check --fix` does: not at all.

use holloway_lang::diagnostic::{Diagnostic as Found, Fix};
use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Range};

use super::convert::{Edits, Places};
use super::diagnostics::told;
use super::state::State;

/// Answers a request for actions.
pub(crate) fn actions(state: &mut State, params: CodeActionParams) -> Option<Vec<CodeActionOrCommand>> {
    let uri = params.text_document.uri;
    let program = state.programs.of(&uri)?;
    let mut places = Places::new(&state.programs.documents, program.sources());
    let is_wanted = |kind: &CodeActionKind| {
        let covers = |asked: &CodeActionKind| {
            kind == asked || kind.as_str().strip_prefix(asked.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        params.context.only.as_ref().is_none_or(|only| only.iter().any(covers))
    };
    let own = program.diagnostics.iter().filter(|found| Some(found.span.file) == program.root);
    let fixed: Vec<(&Found, &Fix)> = own.filter_map(|found| Some((found, found.fix.as_ref()?))).collect();
    let mut actions = Vec::new();
    if is_wanted(&CodeActionKind::QUICKFIX) {
        for (found, fix) in &fixed {
            if !touches(places.range(found.span), params.range) {
                continue;
            }
            let Some(edit) = edits(&[fix], &mut places) else { continue };
            let diagnostics = Some(vec![told(found, &mut places)]);
            let (title, kind) = (fix.title.clone(), Some(CodeActionKind::QUICKFIX));
            actions.push(CodeAction {
                title,
                kind,
                diagnostics,
                edit: Some(edit),
                is_preferred: Some(true),
                ..CodeAction::default()
            });
        }
    }
    let may_fix = !program.diagnostics.iter().any(Found::is_error) && !fixed.is_empty();
    if may_fix && is_wanted(&CodeActionKind::SOURCE_FIX_ALL) {
        let text = &program.sources().file(program.root?).text;
        let fixes: Vec<&Fix> = fixed.iter().map(|(_, fix)| *fix).collect();
        // Those that overlap are left for the next time.
        let (_, made) = holloway_lang::fix::apply(text, &fixes);
        let made: Vec<&Fix> = made.into_iter().map(|at| fixes[at]).collect();
        let (title, kind) = ("make all fixes".to_owned(), Some(CodeActionKind::SOURCE_FIX_ALL));
        actions.push(CodeAction { title, kind, edit: edits(&made, &mut places), ..CodeAction::default() });
    }
    Some(actions.into_iter().map(CodeActionOrCommand::CodeAction).collect())
}

fn edits(fixes: &[&Fix], places: &mut Places<'_>) -> Option<lsp_types::WorkspaceEdit> {
    let mut edits = Edits::default();
    for edit in fixes.iter().flat_map(|fix| &fix.edits) {
        edits.add(places.location(edit.span)?, &edit.text);
    }
    Some(edits.finish())
}

fn touches(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}
