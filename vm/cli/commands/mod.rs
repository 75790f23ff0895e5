//! One file for each command: from its resolved configuration to the exit status.

pub mod bench;
pub mod completions;
pub mod man;
