//! The part of the observer that keeps accesses to memory.
//!
//! In: each instruction before and after it is executed, with its operands. Out: its [`Access`], among those of its activation.
//! Invariant: what an instruction reads is looked up before it is executed, since it may overwrite its own operands.

use super::linear_effects::LinearTouched;
use super::memory::{Access, MemoryAccesses};
use super::memory_effects::{At, linear_stored, reading, write};
use super::shadow::Shadow;
use crate::trace::facts::locations::WRITE;
use crate::trace::facts::statements::writes;
use holloway_interp::Operands;
use holloway_lang::ir::Inst;
use holloway_profiler::wpp::slice::{ActivationId, Point};

/// The accesses so far, and the stores that set memory last.
#[derive(Clone, Debug, Default)]
pub(super) struct MemoryWatcher {
    memory: MemoryAccesses,
    shadow: Shadow,
    /// The access of the instruction that is being executed, as far as it reads.
    access: Option<Access>,
    /// Its addresses in the memory and the tables of a module.
    linear: LinearTouched,
    /// The store of the message of the last failure, if `fail` raised it.
    message: Option<u64>,
}

impl MemoryWatcher {
    /// All accesses.
    pub(super) fn finish(self) -> MemoryAccesses {
        self.memory
    }

    /// An instruction is about to be executed.
    pub(super) fn before(&mut self, point: Point, at: At<'_>, inst: &Inst, operands: Operands<'_>) {
        self.access = reading(&self.shadow, self.message, at, inst, operands).map(|reading| {
            self.linear = reading.linear;
            Access {
                time: point.time,
                statement: point.statement,
                reads: self.memory.pool(reading.reads),
                length: reading.length,
                addresses: reading.addresses,
                stored: reading.stored,
                ..Access::default()
            }
        });
    }

    /// It was executed.
    pub(super) fn after(&mut self, activation: ActivationId, inst: &Inst, operands: Operands<'_>) {
        if let Some(mut access) = self.access.take() {
            if let Some(stored) = linear_stored(inst, &self.linear, operands) {
                access.stored = stored;
            }
            let store = self.push(activation, access, writes(inst));
            let first = writes(inst).map_or(WRITE, |(first, _)| first);
            write(&mut self.shadow, inst, &self.linear, operands, &|operand| store + u64::from(operand - first));
        }
    }

    /// It failed.
    pub(super) fn failed(&mut self, activation: ActivationId) {
        if let Some(access) = self.access.take() {
            self.push(activation, Access { stored: 0..0, ..access }, None);
        }
    }

    /// A failure is raised: by a `fail`, whose statement sets the message, or by anything else.
    pub(super) fn raised(&mut self, activation: ActivationId, message_set_at: Option<Point>) {
        self.message = message_set_at.map(|point| {
            let access = Access { time: point.time, statement: point.statement, ..Access::default() };
            self.push(activation, access, Some((WRITE, 1)))
        });
    }

    /// Adds an access with the stores that it makes. Returns the number of the first of them.
    fn push(&mut self, activation: ActivationId, mut access: Access, writes: Option<(u32, u32)>) -> u64 {
        let (first, count) = writes.unwrap_or((WRITE, 0));
        access.writes = first..first + count;
        access.first_store = self.shadow.number(count);
        let store = access.first_store;
        self.memory.push(activation, access);
        store
    }
}
