//! Loads that recorded runs found to be redundant, as advice to the optimizer.
//!
//! In: places of loads in the IR. Out: for a function in SSA form, the sites of those.
//! Invariant: advice. What optimized code does never depends on it.

use crate::body::site::Site;
use hashbrown::HashSet;
use holloway_lang::ir::{Block, FuncRef};
use holloway_lang::source::Span;
use std::sync::Arc;

/// A load: the function that it was written in, the block, and its source.
pub type LoadPlace = (FuncRef, Block, Span);

/// The loads of a program whose values were known at each execution; none, by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedundantLoads(Arc<HashSet<LoadPlace>>);

impl RedundantLoads {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sites among some that are of such loads, or of what else was written at their place.
    pub(crate) fn sites(&self, sites: &[Site]) -> HashSet<u32> {
        if self.0.is_empty() {
            return HashSet::new();
        }
        let is_one = |site: &Site| self.0.contains(&(site.func, site.block, site.span));
        sites.iter().zip(0..).filter(|(site, _)| is_one(site)).map(|(_, at)| at).collect()
    }
}

impl FromIterator<LoadPlace> for RedundantLoads {
    fn from_iter<T: IntoIterator<Item = LoadPlace>>(places: T) -> RedundantLoads {
        RedundantLoads(Arc::new(places.into_iter().collect()))
    }
}
