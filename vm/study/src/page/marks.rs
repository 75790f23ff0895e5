//! Things that happened, as marks at their time.
//!
//! In: the events of a run. Out: [`Mark`]s in order. Invariant: of too many, those of the rarer kinds are kept.

use super::kept::Kept;
use super::limits::{MOST_MARKS, first_by};
use super::text::shortened;
use crate::report::story;
use crate::run::Run;
use holloway_aos::event::{Event, What};
use serde::Serialize;

/// Something that happened.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Mark {
    /// When.
    pub time: u64,
    /// Its kind: `dropped`, `guards`, `osr`, `installed`, `gain`, `found`, `formed`, `refused`.
    pub kind: &'static str,
    /// The function, if the page has it.
    pub function: Option<u32>,
    /// The line of the loop.
    #[serde(rename = "loop")]
    pub loop_line: Option<u32>,
    /// The version, if the page has it.
    pub version: Option<u32>,
    /// The event in words.
    pub text: String,
}

/// The kind of an event, and how soon it is left out; `None` of what is no mark.
fn kind(event: &Event) -> Option<(&'static str, u8)> {
    match &event.what {
        What::Dropped(_) => Some(("dropped", 0)),
        What::Gain(_) => Some(("gain", 0)),
        What::TraceFormed(_) => Some(("formed", 1)),
        What::Refused(_) => Some(("refused", 1)),
        What::Persistent(_) => Some(("found", 1)),
        What::Installed(_) => Some(("installed", 2)),
        What::GuardReport(_) => Some(("guards", 3)),
        What::Osr(_) => Some(("osr", 4)),
        What::TickSummary(_)
        | What::Considered(_)
        | What::Transition(_)
        | What::CompileStart(_)
        | What::CompileEnd(_)
        | What::RunEnd(_) => None,
    }
}

/// The marks of a run, and how many more there were.
pub(super) fn of(run: &Run, kept: &Kept) -> (Vec<Mark>, usize) {
    let all = run.events.iter().filter_map(|event| kind(event).map(|(kind, rank)| (rank, event, kind)));
    let (found, left_out) = first_by(all.collect(), MOST_MARKS, |(rank, ..)| *rank);
    let mark = |(_, event, kind): (u8, &Event, &'static str)| Mark {
        time: event.time.0,
        kind,
        function: kept.subject(&event.subject),
        loop_line: event.subject.loop_line,
        version: event.subject.version.and_then(|version| kept.version_of_id(version)),
        text: shortened(&story::event_in_words(event, run).unwrap_or_default()),
    };
    (found.into_iter().map(mark).collect(), left_out)
}
