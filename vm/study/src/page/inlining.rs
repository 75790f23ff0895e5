//! The calls in a version: which were inlined, and why others were not.
//!
//! In: a run, and what of it is kept. Out: [`InlinedCalls`]. Invariant: a version has all of its calls or none, so that each call is found by its place.

use super::kept::Kept;
use super::limits::MOST_CALLS;
use super::text::shortened;
use crate::run::Run;
use crate::run::record::{Call, Inlining};
use serde::Serialize;
use std::collections::HashMap;

/// The calls in a version.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InlinedCalls {
    /// The version.
    pub version: u32,
    /// The calls, each behind the inlined one whose body it is in.
    pub calls: Vec<CallRow>,
}

/// A call of a known function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CallRow {
    /// The function that it stands in, if the page has it.
    pub function: Option<u32>,
    /// Its line.
    pub line: u32,
    /// The name of the function that is called.
    pub callee: String,
    /// IR instructions of that.
    pub size: usize,
    /// IR instructions that could still be inlined.
    pub budget: usize,
    /// The inlined call in whose body it is, by its place.
    pub within: Option<u32>,
    /// The reason for which it was not inlined; absent if it was.
    pub declined: Option<String>,
}

/// The calls of the hottest versions for which there is room, and how many versions more have some.
pub(super) fn of(run: &Run, kept: &Kept) -> (Vec<InlinedCalls>, usize) {
    let told = run.inlining.iter().filter(|inlining| !inlining.calls.is_empty());
    let by_version: HashMap<u32, &Inlining> = told.map(|inlining| (inlining.version, inlining)).collect();
    let mut room = MOST_CALLS;
    let mut found = Vec::new();
    for (at, version) in kept.versions.iter().enumerate() {
        let Some(inlining) = by_version.get(version) else { continue };
        if let Some(left) = room.checked_sub(inlining.calls.len()) {
            room = left;
            let calls = inlining.calls.iter().map(|call| row(run, call, kept)).collect();
            found.push(InlinedCalls { version: at as u32, calls });
        }
    }
    let left_out = by_version.len() - found.len();
    (found, left_out)
}

fn row(run: &Run, call: &Call, kept: &Kept) -> CallRow {
    CallRow {
        function: kept.function(call.at.0),
        line: call.at.1,
        callee: shortened(&run.functions[call.callee as usize].name),
        size: call.size,
        budget: call.budget,
        within: call.within,
        declined: call.declined.as_deref().map(shortened),
    }
}
