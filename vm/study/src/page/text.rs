//! Short texts of a page: names of values, and what is too long cut.
//!
//! In: values and texts. Out: strings. Invariant: none is longer than a paragraph.

use super::limits::MOST_TEXT;
use serde::Serialize;

/// The name of a value in files.
pub(super) fn name_of(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// A text, cut if it is long.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
