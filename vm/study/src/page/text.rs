//! Texts and figures as a page has them: names of values, what is too long cut, times to a tenth of a microsecond.
//!
//! In: values, texts, figures. Out: short ones. Invariant: no text is longer than a paragraph.

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

/// Microseconds, to a tenth.
pub(super) fn rounded(micros: f64) -> f64 {
    (micros * 10.0).round() / 10.0
}
