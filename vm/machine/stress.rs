//! A pilot that decides by chance: which function, when, which tier, where entered and left.
//!
//! In: a seed. Out: versions that come and go at every poll, so that tests see every transfer there can be.
//! Invariant: the same seed and program give the same decisions: every poll is taken, and no clock is looked at.

use super::invented::invent;
use super::{Machine, Pilot, Transfer};
use crate::runtime::flag;
use holloway_jit::{Entry, Leaving, Tier, Version};
use holloway_lang::ir::{Block, FuncRef};
use std::any::Any;
use std::sync::Arc;

/// Compilations a run; beyond, versions only come and go.
const MOST_COMPILATIONS: usize = 30;

/// The pilot.
#[derive(Debug)]
pub struct Stress {
    state: u64,
    /// Transfers made.
    pub transfers: u64,
    compilations: usize,
    versions: Vec<Arc<Version>>,
}

impl Stress {
    /// A pilot that decides by that seed.
    pub fn new(seed: u64) -> Stress {
        Stress { state: seed | 1, transfers: 0, compilations: 0, versions: Vec::new() }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }

    fn compile(&mut self, machine: &mut Machine) {
        let frames: Vec<(FuncRef, Block)> = machine
            .frames()
            .take(8)
            .filter_map(|(version, call)| Some((version.func?, version.sites[call.site as usize].block)))
            .collect();
        let at = self.next() as usize % frames.len().max(1);
        let Some((func, block)) = frames.get(at).copied() else { return };
        let mut request = machine.code.request(func, Tier::Optimized);
        request.leaving = if self.one_in(4) { Leaving::Never } else { Leaving::AtHeaders };
        let is_header = machine.headers(func).state(block).is_some();
        if is_header && !self.one_in(3) {
            request.entry = Entry::Header(block);
        } else if self.one_in(4) {
            request.tier = Tier::Baseline;
            request.probes = machine.profiles.probes(func, &request.body);
            request.leaving = Leaving::AtHeaders;
        }
        if request.tier == Tier::Optimized && !self.one_in(3) {
            let module = Arc::clone(machine.runtime.module());
            request.observed = invent(&module, |below| self.next() % below);
        }
        self.compilations += 1;
        if let Ok(version) = machine.code.compile(&request) {
            machine.limit_stack_for_new_code();
            machine.code.activate(&version);
            self.versions.push(version);
        }
    }
}

impl Pilot for Stress {
    fn start(&mut self, machine: &mut Machine) {
        machine.runtime.context().raise(flag::TICK);
    }

    fn poll(&mut self, machine: &mut Machine) {
        if self.compilations < MOST_COMPILATIONS && self.one_in(20) {
            self.compile(machine);
        }
        if self.one_in(50) && !self.versions.is_empty() {
            let at = self.next() as usize % self.versions.len();
            let version = self.versions.swap_remove(at);
            machine.code.deactivate(&version);
        }
        if self.one_in(30) {
            machine.free_retired();
        }
    }

    fn transferred(&mut self, _: &mut Machine, _: &Transfer) {
        self.transfers += 1;
    }

    fn stop(&mut self, machine: &mut Machine) {
        machine.runtime.context().take_flags(flag::TICK);
        self.versions.clear();
    }

    fn replaced(&mut self, _: &[FuncRef]) {
        self.versions.clear();
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn as_any_ref(&self) -> &dyn Any {
        self
    }
}
