//! Recorded runs as text and as JSON.
//!
//! In: a whole path, or what was asked of it. Out: text that ends in a newline. Invariant: as in the module around.

pub mod asked;
mod currency;
mod extract;
mod fact;
mod find;
mod hottest;
mod info;
mod replay;
mod slice;

use crate::trace::SourceLine;
use holloway_lang::source::SourceMap;

pub use currency::{json as currency_json, text as currency_text};
pub use extract::{json as extract_json, text as extract_text};
pub use fact::{json as fact_json, text as fact_text};
pub use find::{json as find_json, text as find_text};
pub use hottest::Hottest;
pub use info::Info;
pub use replay::replay;
pub use slice::{json as slice_json, text as slice_text};

/// A line as people write it.
fn place(sources: &SourceMap, at: SourceLine) -> String {
    format!("{}:{}", sources.file(at.file).name, at.line)
}
