//! The state of a server that answers read.
//!
//! In: what the editor tells. Out: programs, and recorded runs. Invariant: questions change nothing of it but what is kept
//! so as not to be made twice.

use super::programs::Programs;
use super::recorded::Runs;

/// The state; see the module.
pub(crate) struct State {
    pub(crate) programs: Programs,
    pub(crate) runs: Runs,
}
