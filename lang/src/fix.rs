//! Fixes carried out: the edits of messages on a text.
//!
//! In: a text and fixes with spans in it. Out: the new text, and the fixes that it has. Invariant: a fix is carried out
//! whole or not at all: one that overlaps an earlier one is left for the next time.

use crate::diagnostic::{Edit, Fix};

/// The text with all of `fixes` that do not overlap, and their positions in `fixes`.
pub fn apply(text: &str, fixes: &[&Fix]) -> (String, Vec<usize>) {
    let mut edits: Vec<&Edit> = Vec::new();
    let mut done = Vec::new();
    for (at, fix) in fixes.iter().enumerate() {
        let overlaps = |edit: &Edit| edits.iter().any(|other| overlap(edit, other));
        if !fix.edits.is_empty() && !fix.edits.iter().any(overlaps) {
            edits.extend(&fix.edits);
            done.push(at);
        }
    }
    // From the end, so that what was not changed yet keeps its place.
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut out = text.to_owned();
    for edit in edits {
        out.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    (out, done)
}

/// Returns true if two edits change the same text, or insert at one place.
fn overlap(one: &Edit, other: &Edit) -> bool {
    one.span.start < other.span.end && other.span.start < one.span.end || one.span.start == other.span.start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, Span};

    fn fix(edits: &[(u32, u32, &str)]) -> Fix {
        let file = FileId::from_u32(0);
        let edit =
            |&(start, end, text): &(u32, u32, &str)| Edit { span: Span::new(file, start, end), text: text.into() };
        Fix { title: String::new(), edits: edits.iter().map(edit).collect() }
    }

    #[test]
    fn fixes_are_made_from_the_end_and_none_twice() {
        let fixes = [fix(&[(0, 3, "let")]), fix(&[(4, 5, "_x")]), fix(&[(0, 5, "")]), fix(&[(8, 8, "!")]), fix(&[])];
        let (text, done) = apply("var x = 1", &fixes.iter().collect::<Vec<_>>());
        assert_eq!((text.as_str(), done.as_slice()), ("let _x = !1", [0, 1, 3].as_slice()));
    }

    #[test]
    fn a_fix_is_made_whole_or_not_at_all() {
        let fixes = [fix(&[(2, 4, "b")]), fix(&[(0, 1, "x"), (3, 5, "y")])];
        assert_eq!(apply("aaaaaa", &fixes.iter().collect::<Vec<_>>()), ("aabaa".to_owned(), vec![0]));
    }
}
