//! Facts about arrays.
//!
//! In: nothing. Out: plain data. Invariant: a fact is true of every array that a place holds.

use crate::settings::arrays::MOST_SITES;
use holloway_lang::ir::{Elem, Operand};
use smallvec::SmallVec;
use std::sync::Arc;

/// A fact about every array that a local refers to.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The length.
    pub length: i64,
    /// The elements, if they are constants that nobody writes.
    pub table: Option<Arc<Table>>,
}

/// The elements of an array that nobody writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Their kind.
    pub elem: Elem,
    /// The constants.
    pub items: Vec<Operand>,
}

impl Table {
    /// The element at an index.
    pub fn at(&self, index: i64) -> Option<Operand> {
        self.items.get(usize::try_from(index).ok()?).copied()
    }
}

/// The allocation sites of all objects that a place refers to: an object is of one site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllocationSites(SmallVec<[u32; 4]>);

impl AllocationSites {
    /// One site.
    pub(super) fn one(site: u32) -> AllocationSites {
        AllocationSites(SmallVec::from_slice(&[site]))
    }

    /// All of both, in order; `None` if they are too many.
    pub(super) fn joined(&self, other: &AllocationSites) -> Option<AllocationSites> {
        let mut sites = self.0.clone();
        sites.extend(other.0.iter().copied().filter(|site| !self.0.contains(site)));
        sites.sort_unstable();
        (sites.len() <= MOST_SITES).then_some(AllocationSites(sites))
    }

    /// Returns true if no object is of both.
    pub fn is_disjoint(&self, other: &AllocationSites) -> bool {
        !self.0.iter().any(|site| other.0.contains(site))
    }

    /// Returns true if all sites are among those of another place.
    pub fn is_subset(&self, other: &AllocationSites) -> bool {
        self.0.iter().all(|site| other.0.contains(site))
    }
}
