//! Inlay hints: tiers, time and counts of the last recorded run, at the ends of lines.
//!
//! In: a range of a document. Out: a hint for each line that the run has something to say of. Invariant: without a run
//! there are no hints.

use std::path::Path;

use lsp_types::{InlayHint, InlayHintLabel, InlayHintParams, Position};

use super::lines::Lines;
use super::state::State;

/// Answers a request for hints.
pub(crate) fn hints(state: &mut State, params: InlayHintParams) -> Option<Vec<InlayHint>> {
    let document = state.programs.documents.get(&params.text_document.uri)?;
    let path = Path::new(&document.key);
    let Some(run) = state.runs.beside(path.parent()) else { return Some(Vec::new()) };
    let lines = Lines::new(&document.text);
    let wanted = params.range.start.line..=params.range.end.line;
    let notes = run.notes(path, &document.text).into_iter();
    let notes = notes.filter(|note| wanted.contains(&(note.line - 1)));
    Some(
        notes
            .map(|note| {
                let end = lines.offset(Position::new(note.line - 1, u32::MAX));
                InlayHint {
                    position: lines.position(end as u32),
                    label: InlayHintLabel::String(note.text),
                    kind: None,
                    text_edits: None,
                    tooltip: None,
                    padding_left: Some(true),
                    padding_right: None,
                    data: None,
                }
            })
            .collect(),
    )
}
