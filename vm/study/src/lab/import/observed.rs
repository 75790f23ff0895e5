//! The callees that a trace shows at calls whose callee the text does not name.
//!
//! In: a trace. Out: for each such call the functions called, and whether it also called none, or several one after another;
//! whether activations were cut.
//! A call through a pointer that the trace does not show may call any function whose address is taken; its callees here are those that it called.

use std::io;

use hashbrown::HashMap;

use super::walk::{Listener, Place, Site};

/// Calls by their sites.
#[derive(Default)]
pub(super) struct Observed {
    sites: HashMap<Site, Callees>,
    /// Set if an activation was cut.
    pub(super) cuts: bool,
}

/// The callees of one call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Callees {
    /// The functions, in the order in which they were first called.
    pub(super) functions: Vec<usize>,
    /// Set if an execution called none.
    pub(super) calls_none: bool,
    /// Set if an execution called several, or one several times.
    pub(super) repeats: bool,
}

impl Observed {
    /// The callees of a call that called any.
    pub(super) fn at(&self, site: Site) -> Option<&Callees> {
        self.sites.get(&site).filter(|callees| !callees.functions.is_empty())
    }
}

impl Listener for Observed {
    fn block(&mut self, _: Place) -> io::Result<()> {
        Ok(())
    }

    fn call(&mut self, site: Site, callee: usize, nth: u32) -> io::Result<()> {
        let callees = self.sites.entry(site).or_default();
        callees.repeats |= nth > 1;
        if !callees.functions.contains(&callee) {
            callees.functions.push(callee);
        }
        Ok(())
    }

    fn passed(&mut self, site: Site, calls: u32) -> io::Result<()> {
        self.sites.entry(site).or_default().calls_none |= calls == 0;
        Ok(())
    }

    fn leave(&mut self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn cut(&mut self) -> io::Result<()> {
        self.cuts = true;
        Ok(())
    }
}
