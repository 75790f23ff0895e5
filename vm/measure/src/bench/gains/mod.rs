//! Gains of path-driven versions: what each was expected to save, what was measured by turns while it ran, and what
//! whole runs say.
//!
//! In: programs with the events of a run of each, and the part of the time of whole runs that all versions save. Out: a
//! table of the versions with the agreement of expected with measured gains, and of measured ones with those of whole
//! runs. `bench --ablation` and `bench --unseen` show it.
//!
//! Data flow: `events` (a run that writes its events) -> `specialized` (versions) -> `table` and `agreement`.

mod agreement;
mod events;
mod specialized;
mod table;

pub(super) use events::events_of;
pub(super) use specialized::{Specialized, specialized};
pub(super) use table::{ProgramGains, agreements, versions};
