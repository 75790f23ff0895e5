//! The source loops that the loops of the SSA form come from.
//!
//! In: the loops of each body that is translated, inlined ones too. Out: the innermost one around a site.
//! Invariant: a loop's parent is added before it.

use crate::body::site::Site;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use std::iter::successors;
use std::ops::Range;

/// A loop of the function itself or of one that is inlined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SourceLoop(u32);
entity_impl!(SourceLoop, "loop");

#[derive(Clone, Copy, PartialEq, Eq)]
struct SiteId(u32);
entity_impl!(SiteId, "site");

#[derive(Clone, Copy, Debug)]
struct SourceLoopData {
    /// The site of the header's first instruction.
    header: u32,
    parent: Option<SourceLoop>,
    /// Number of source loops it is in, itself included.
    depth: u32,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct SourceLoops {
    all: PrimaryMap<SourceLoop, SourceLoopData>,
    /// The innermost one around a site.
    around: SecondaryMap<SiteId, Option<SourceLoop>>,
}

impl SourceLoops {
    /// Adds a loop whose header's first site is `header`.
    pub fn add(&mut self, header: u32, parent: Option<SourceLoop>) -> SourceLoop {
        let depth = 1 + parent.map_or(0, |parent| self.all[parent].depth);
        self.all.push(SourceLoopData { header, parent, depth })
    }

    /// Notes the innermost loop around some sites.
    pub fn put_around(&mut self, sites: Range<u32>, innermost: SourceLoop) {
        sites.for_each(|site| self.around[SiteId(site)] = Some(innermost));
    }

    /// The innermost loop around a site.
    pub fn around(&self, sites: &[Site], site: u32) -> Option<SourceLoop> {
        let calls = successors(Some(site), |site| sites[*site as usize].inlined_at);
        calls.filter_map(|site| self.around[SiteId(site)]).next()
    }

    /// Number of source loops around one, itself included.
    pub fn depth(&self, of: SourceLoop) -> u32 {
        self.all[of].depth
    }

    /// The site of a loop's header.
    pub fn header(&self, of: SourceLoop) -> u32 {
        self.all[of].header
    }

    /// The loop around one at a depth.
    pub fn at_depth(&self, inner: SourceLoop, depth: u32) -> Option<SourceLoop> {
        successors(Some(inner), |at| self.all[*at].parent).find(|at| self.depth(*at) <= depth)
    }
}
