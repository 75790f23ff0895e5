//! One event of each kind, from a run that could have been: for tests of what is written, documented and told.

use super::Event;

/// The run.
pub fn examples() -> Vec<Event> {
    serde_json::from_str(include_str!("examples.json")).expect("the examples are events")
}
