//! Path profiles as text and as JSON.
//!
//! In: an engine after a run, and its path profile. Out: the hottest paths as source, or the JSON of `profile --json`.
//! The road: results of functions -> `text`, `sequences` and `regions` (tables; `excerpt` draws the lines) or `json`. Invariant: what was
//! lost, left out or not profiled is said.

mod across;
mod excerpt;
mod json;
mod regions;
mod sequences;
mod text;

pub(super) use excerpt::{course, starts};
pub use json::json;

use std::num::NonZeroUsize;

use holloway_profiler::scheme::Report;

use crate::engine::{Engine, PathProfile};

/// The profile as text: the `top` hottest items of its scheme.
pub fn text(engine: &Engine, profile: &PathProfile, top: Option<NonZeroUsize>, width: usize) -> String {
    let found = profile.results();
    let k = profile.scheme.settings.k;
    let mut out = match profile.scheme.row().report {
        Report::Edges | Report::Paths => text::paths(engine, &found, top, width),
        Report::Sequences => sequences::sequences(engine, &found, k, top, width),
        Report::Regions => regions::regions(engine, &found, k, top),
        Report::Across => across::across(engine, profile, top, width),
    };
    out.push_str(&text::remarks(engine, &found));
    out
}
