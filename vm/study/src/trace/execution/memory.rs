//! The accesses to memory of an execution.
//!
//! In: each access as it happens. Out: for an instance of a statement, the stores that it reads and the number of its own.
//!
//! A store is named by a number that no other store of the execution has. So a cell of the slicing engine is a store, each is set
//! once, and an access to many elements reads the distinct stores that set them last.
//!
//! Invariant: the accesses of an activation are in order of execution.

use crate::trace::facts::locations::{LENGTH, READ};
use cranelift_entity::SecondaryMap;
use holloway_profiler::wpp::slice::{ActivationId, Cells, Instance};
use std::ops::Range;

/// An access to memory by one execution of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The step of the activation, from 1.
    pub time: u64,
    /// The statement of the block.
    pub statement: u32,
    /// The stores that it reads, in the pool.
    pub(super) reads: Range<usize>,
    /// The store of the length that it reads.
    pub(super) length: Option<u64>,
    /// The operands of the stores that it makes.
    pub(super) writes: Range<u32>,
    /// The number of the first of them.
    pub(super) first_store: u64,
    /// The addresses that it reads. An address is that of one element or field of one object, for the whole execution.
    pub addresses: Range<u64>,
    /// Those that it writes, but for new objects.
    pub stored: Range<u64>,
}

/// All accesses of an execution.
#[derive(Clone, Debug, Default)]
pub struct MemoryAccesses {
    by_activation: SecondaryMap<ActivationId, Vec<Access>>,
    pool: Vec<u64>,
}

impl MemoryAccesses {
    /// The access by a statement at a step of an activation.
    pub fn get(&self, activation: ActivationId, time: u64, statement: u32) -> Option<&Access> {
        let all = &self.by_activation[activation];
        let found = all.binary_search_by_key(&(time, statement), |access| (access.time, access.statement)).ok()?;
        Some(&all[found])
    }

    /// The accesses of an activation, in order.
    pub fn of(&self, activation: ActivationId) -> &[Access] {
        &self.by_activation[activation]
    }

    /// Adds stores that an access reads.
    pub(super) fn pool(&mut self, mut stores: Vec<u64>) -> Range<usize> {
        stores.sort_unstable();
        stores.dedup();
        let start = self.pool.len();
        self.pool.extend(stores);
        start..self.pool.len()
    }

    /// Adds an access behind the others of its activation.
    pub(super) fn push(&mut self, activation: ActivationId, access: Access) {
        self.by_activation[activation].push(access);
    }
}

impl Cells for MemoryAccesses {
    fn cell(&self, instance: Instance, operand: u32) -> Option<u64> {
        let access = self.get(instance.activation, instance.point.time, instance.point.statement)?;
        access.writes.contains(&operand).then(|| access.first_store + u64::from(operand - access.writes.start))
    }

    fn cells(&self, instance: Instance, operand: u32) -> Vec<u64> {
        let Some(access) = self.get(instance.activation, instance.point.time, instance.point.statement) else {
            return Vec::new();
        };
        match operand {
            READ => self.pool[access.reads.clone()].to_vec(),
            LENGTH => access.length.into_iter().collect(),
            _ => Vec::new(),
        }
    }
}
