//! Path profiles as text and as JSON.
//!
//! In: an engine after a run, and its path profile. Out: the hottest paths as source, or the JSON of `profile --json`.
//! Data flow: reports of plans -> `rows` (paths as blocks) -> `text`, `sequences` and `regions` (text; `excerpt`
//! renders the lines) or `json`. Invariant: lost, omitted and unprofiled parts are named.

mod excerpt;
mod json;
mod regions;
mod rows;
mod sequences;
mod text;

pub use json::json;

use std::num::NonZeroUsize;

use crate::engine::{Engine, PathProfile};
use crate::profile::PathScheme;

/// The profile as text: the `top` hottest items of its scheme.
pub fn text(engine: &Engine, profile: &PathProfile, top: Option<NonZeroUsize>, width: usize) -> String {
    let mut out = match profile.scheme {
        PathScheme::Bl { .. } | PathScheme::Bala => text::paths(engine, profile, top, width),
        PathScheme::KBl { .. } => sequences::sequences(engine, profile, top, width),
        PathScheme::Tfp { .. } => regions::regions(engine, profile, top),
    };
    out.push_str(&text::remarks(engine, profile));
    out
}
