//! The page of a recorded run: one HTML file that shows it, and needs nothing else.
//!
//! In: a [`Run`], and another to compare it with. Out: HTML.
//!
//! ```text
//!   Run --of--> PageData --page--> HTML with JSON, styles and scripts
//! ```
//!
//! `data` is what the page gets: `kept` chooses functions and versions; `river`, `marks`, `episodes`, `decisions`, `failures`, `compilations`,
//! `inlining`, `stacks` and `code` are a panel each, `compare` the second run. `limits` bounds all of them, `html` puts the file together from
//! `vm/study/src/page/assets/`, whose scripts draw. `docs/report-page.md` is for its readers.
//! Invariant: the size of a page depends on its limits, not on the length of the run.

mod code;
mod compare;
mod compilations;
mod data;
mod decisions;
mod episodes;
mod failures;
mod html;
mod inlining;
mod kept;
mod limits;
mod loops;
mod marks;
mod river;
mod stacks;
mod text;

use crate::run::Run;

pub use data::{FORM, PageData};

/// The page of a run, with another one beside it. Machine code is shown as far as it was made text of ([`Run::disassemble`]).
pub fn page(run: &Run, other: Option<&Run>) -> String {
    html::page(&PageData::of(run, other))
}

#[cfg(test)]
mod tests;
