//! Formatting: the one formatting of the language.
//!
//! In: a document. Out: an edit that formats it. Invariants: a document that does not parse stays as it is; lines that are
//! right are no part of the edit.

use holloway_lang::format::format;
use lsp_types::{DocumentFormattingParams, TextEdit};

use super::lines::Lines;
use super::state::State;

/// The edits that format a document.
pub(crate) fn format_edits(before: &str, after: &str) -> Vec<TextEdit> {
    if before == after {
        return Vec::new();
    }
    let same = |(one, other): &(&str, &str)| one == other;
    let length = |pairs: Vec<(&str, &str)>| pairs.iter().map(|(line, _)| line.len()).sum::<usize>();
    let start = length(before.split_inclusive('\n').zip(after.split_inclusive('\n')).take_while(same).collect());
    let rest = (&before[start..], &after[start..]);
    let ends = rest.0.split_inclusive('\n').rev().zip(rest.1.split_inclusive('\n').rev());
    let end = length(ends.take_while(same).collect());
    let range = Lines::new(before).range(start as u32, (before.len() - end) as u32);
    vec![TextEdit { range, new_text: after[start..after.len() - end].to_owned() }]
}

/// Answers a request to format a document.
pub(crate) fn format_document(state: &mut State, params: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let document = state.programs.documents.get(&params.text_document.uri)?;
    let mut sources = holloway_lang::source::SourceMap::new();
    let file = sources.add_bytes(document.key.clone(), document.text.as_bytes()).ok()?;
    let after = format(&sources, file).ok()?;
    Some(format_edits(&document.text, &after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    #[test]
    fn an_edit_has_the_lines_that_change() {
        let edits = format_edits("a\nb  c\nd\n", "a\nb c\nd\n");
        let range = Range::new(Position::new(1, 0), Position::new(2, 0));
        assert_eq!(edits, [TextEdit { range, new_text: "b c\n".to_owned() }]);
        assert_eq!(format_edits("a\n", "a\n"), []);
        let edits = format_edits("a", "a\n");
        assert_eq!((edits[0].range.start, edits[0].new_text.as_str()), (Position::new(0, 0), "a\n"));
        let edits = format_edits("a\na\n", "a\n");
        assert_eq!(edits[0].new_text, "");
    }
}
