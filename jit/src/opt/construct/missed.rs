//! Calls that are made because of the profile, counted: see [`crate::missed`].
//!
//! In: a call that would be inlined if it were not rare, or the call behind the test of an indirect call's target. Out: its cell, and what counts in it.
//! Invariant: nothing is counted where the profile was met, but for tests that it says fail now and then.

use super::Builder;
use super::frame::InstPlace;
use crate::missed::{Expectation, MissedCall};
use crate::opt::op::Probe;
use crate::opt::ssa::{Block, Op, Value};
use std::sync::Arc;

impl Builder<'_> {
    /// Counts a call at the end of a block, which calls `callee` if it is an indirect one. Code with path probes does not run for long.
    pub(super) fn count_missed(
        &mut self,
        at: Block,
        (expectation, place): (Expectation, InstPlace),
        callee: Option<Value>,
        site: u32,
    ) -> Option<Arc<MissedCall>> {
        if self.func.has_polls {
            return None;
        }
        let sites = &self.func.sites;
        let around = std::iter::successors(sites[site as usize].inlined_at, |site| sites[*site as usize].inlined_at);
        let around = around.map(|site| (sites[site as usize].func, sites[site as usize].block));
        let blocks = std::iter::once((place.0, place.1)).chain(around).collect();
        let missed = Arc::new(MissedCall::new(expectation, blocks, place.2));
        if let Some(callee) = callee {
            let note = Op::Probe(Probe::NoteTarget(missed.target_address()));
            self.func.push(at, note, [callee], None, site);
        }
        self.count(at, Some(missed.misses_address()));
        self.may_be_stuck |= self.func.source_loops.around(&self.func.sites, site).is_some();
        self.func.missed.push(Arc::clone(&missed));
        Some(missed)
    }
}
