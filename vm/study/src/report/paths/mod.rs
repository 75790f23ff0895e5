//! Path profiles as text and as JSON.
//!
//! In: an engine after a run, and its path profile. Out: the hottest paths as source, or the JSON of `profile --json`.
//! The road: results of functions -> `text`, `sequences` and `regions` (tables; `excerpt` draws the lines) or `json`. Invariant: what was
//! lost, left out or not profiled is said.

mod across;
mod contexts;
mod excerpt;
mod json;
mod regions;
mod sequences;
mod text;

pub(super) use across::headline as headline_across;
pub(super) use contexts::headline as headline_of_contexts;
pub use excerpt::{Excerpts, passes};
pub(super) use excerpt::{course, passes_until, starts};
pub use json::json;

use holloway_profiler::scheme::View;

use crate::report::Shown;
use holloway::{Engine, PathProfile};

/// The profile as text: those items of its scheme that are shown.
pub fn text(engine: &Engine, profile: &PathProfile, shown: Shown, width: usize) -> String {
    let found = profile.results();
    let k = profile.scheme.settings.k;
    let mut out = match profile.scheme.row().view {
        View::Edges | View::Paths => text::paths(engine, &found, shown, width),
        View::Sequences => sequences::sequences(engine, &found, k, shown, width),
        View::Regions => regions::regions(engine, &found, k, shown.top),
        View::Across => across::across(engine, profile, shown, width),
        View::Contexts => contexts::contexts(engine, profile, shown),
    };
    out.push_str(&text::remarks(engine, profile, &found));
    out
}
