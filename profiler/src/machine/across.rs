//! Execution of the steps of paths that keep a context or run across calls.
//!
//! In: a [`CrossStep`]. Out: the registers of an activation, and those that activations share, as it leaves them.
//! Invariant: no register is read that the plan has not set.

use cranelift_entity::SecondaryMap;

use super::sink::Sink;
use crate::plan::across::{CrossStep, Origin, Saved, Scaled};

/// The registers that all activations share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// A path, or any word of a plan.
    pub path: i64,
    /// Completions at the callee's exit; 0 if the callee is to begin a path.
    pub completions: i64,
    /// 1 if the path that is passed is detached, else 0.
    pub detached: i64,
}

/// The registers of an activation beside the path register.
#[derive(Clone, Debug, Default)]
pub(super) struct CrossRegisters {
    completions: i64,
    detached: i64,
    saved: SecondaryMap<Saved, i64>,
}

impl CrossRegisters {
    /// Completions at the exit.
    pub(super) fn completions(&self) -> i64 {
        self.completions
    }

    /// Returns whether the path began behind every call that is open.
    pub(super) fn is_detached(&self) -> bool {
        self.detached != 0
    }

    fn value(&self, function: Scaled) -> i64 {
        function.at(self.completions)
    }

    /// Carries a step out.
    pub(super) fn run<S: Sink>(&mut self, step: CrossStep, path: &mut i64, passed: &mut Passed, sink: &mut S) {
        match step {
            CrossStep::Begin(origin) => {
                (*path, self.completions) = match origin {
                    Origin::Own(number) => (number, 1),
                    Origin::Either(number) if passed.completions == 0 => (number, 1),
                    Origin::Passed | Origin::Either(_) => (passed.path, passed.completions),
                };
                self.detached = 0;
            }
            CrossStep::EnterByValue { by, flag } => {
                let is_by_value = self.completions < 0;
                if is_by_value {
                    self.completions = -self.completions;
                    *path = path.wrapping_add(self.value(by));
                }
                flag.into_iter().for_each(|flag| self.saved[flag] = is_by_value.into());
            }
            CrossStep::LeaveByValue { flag, value } if self.detached & self.saved[flag] != 0 => {
                *path = path.wrapping_add(value);
            }
            CrossStep::LeaveByValue { .. } => {}
            CrossStep::Add(by) => *path = path.wrapping_add(self.value(by)),
            CrossStep::Save(to) => self.saved[to] = *path,
            CrossStep::Resume { from, by } => *path = self.saved[from].wrapping_add(self.value(by)),
            CrossStep::PassCompletions(by) => passed.completions = self.value(by),
            CrossStep::PassDetached => passed.detached = self.detached,
            CrossStep::ReceiveDetached { value, completions } => {
                if passed.detached != 0 {
                    *path = path.wrapping_add(value);
                    (self.completions, self.detached) = (completions, 1);
                }
            }
            CrossStep::Detach { completions } => (self.completions, self.detached) = (completions, 1),
            CrossStep::FinishPassed => sink.path(passed.path as u64),
        }
    }
}
