//! On-stack replacement: moving a running activation to another version of its function.
//!
//! In: a frame that polls at a loop header, and the version that is to run that loop from now on, if there is one. Out: the
//! context says where the frame goes on; code does the rest when the poll returns.
//! Invariant: bodies are replaced only while no program runs, so a frame and the version that replaces it are of one body.
#![expect(unsafe_code, reason = "reads locals in a frame of compiled code")]

use super::{Machine, OsrTransition};
use holloway_ir::{Block, FuncRef, Local};
use holloway_jit::osr::Headers;
use holloway_jit::{CallSite, Tier, Version};
use std::ptr::with_exposed_provenance;
use std::sync::Arc;
use std::time::Instant;

impl Machine {
    /// Replaces the exit frame, which polls at a loop header, if another version has an OSR entry there.
    pub(super) fn take_osr(&mut self) -> Option<OsrTransition> {
        let begun = Instant::now();
        let (at, from, call) = self.walk(self.exit_frame()).next()?;
        let (func, header) = (from.func, from.sites[call.site as usize].block);
        let to = Arc::clone(self.code.continuation(func, header)?);
        let from = Arc::clone(from);
        if !self.code.takes_over(&to, &from) || !self.has_room(at, &to) {
            return None;
        }
        if from.tier == Tier::Baseline {
            let sp = at.fp - from.frame_size as usize;
            self.read_state(func, header, &from, sp)?;
        }
        self.runtime.context_mut().set_transfer(to.range.start);
        Some(OsrTransition { from, to, header, took: begun.elapsed() })
    }

    /// Copies the state at a header from a frame of baseline code to the context.
    fn read_state(&mut self, func: FuncRef, header: Block, version: &Version, sp: usize) -> Option<()> {
        let state: Vec<Local> = self.headers(func).state(header)?.to_vec();
        let place = |local: &Local| {
            let at = version.frame.locals.binary_search_by_key(local, |(local, _)| *local).ok()?;
            Some(version.frame.locals[at].1)
        };
        let places: Vec<u32> = state.iter().map(place).collect::<Option<_>>()?;
        for (word, offset) in places.into_iter().enumerate() {
            // SAFETY: the frame waits at its poll, and this is the slot of one of its locals.
            let value = unsafe { with_exposed_provenance::<u64>(sp + offset as usize).read() };
            self.runtime.context_mut().set_state(word, value);
        }
        Some(())
    }

    /// The header of the innermost loop of a version's own function that it polls in; `None` at its prologue.
    pub fn polled_loop(&mut self, version: &Version, call: &CallSite) -> Option<Block> {
        let func = version.func;
        let site = version.frames(call).last().expect("a poll stands in some block");
        let is_prologue =
            Some(call.site) == version.frame.entry_site || site.block == self.runtime.module().function(func).entry();
        if is_prologue { None } else { self.headers(func).loop_of(site.block) }
    }

    /// True iff a version of a function can be entered at a header.
    pub fn can_enter(&mut self, func: FuncRef, header: Block) -> bool {
        let headers = self.headers(func);
        headers.state(header).is_some() && headers.can_enter(header)
    }

    /// OSR points of a function.
    pub fn headers(&mut self, func: FuncRef) -> &Headers {
        let body = self.runtime.module().function(func);
        let known = self.headers.entry(func).or_insert_with(|| (Arc::clone(body), Headers::compute(body)));
        if !Arc::ptr_eq(&known.0, body) {
            *known = (Arc::clone(body), Headers::compute(body));
        }
        &known.1
    }
}
