//! Facts about the arrays of a whole program, wherever a local refers to them: how long they are, and what stands in
//! those that nobody writes; and where arrays and records are allocated, so that two of them are told apart.
//!
//! In: a module. Out: for each local that holds arrays, a [`Fact`] if the same is true of all that ever get there; the
//! [`AllocationSites`] of what each local refers to.
//! Literals of constants that are never written, such as an interpreter's program or a table, are read while code is
//! compiled.
//!
//! This is the propagation of constants across calls of [CCKT86], of arrays alone: their lengths, and where they were
//! made. It does not look at the order of statements, as the analysis of pointers of [And94] does not: an array is
//! written if any place that it may get to is.
//! Invariant: what is said holds for whatever the program does. A function that gets another body, and a caller or
//! values from elsewhere, may have done, or do, what no body says: from then on nothing is known.
//!
//! [CCKT86] D. Callahan, K. Cooper, K. Kennedy, L. Torczon, "Interprocedural Constant Propagation", SIGPLAN 1986.
//! [And94] L. O. Andersen, "Program Analysis and Specialization for the C Programming Language", thesis, 1994.

mod fact;
mod flow;
#[cfg(test)]
mod tests;

pub use fact::{AllocationSites, Fact, Table};

use crate::body::expand::Expanded;
use flow::Flow;
use holloway_lang::ir::{FuncRef, Local, Module};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The facts about a module's arrays, found when they are first asked for.
#[derive(Debug)]
pub struct Arrays {
    /// None if values come from elsewhere, too.
    module: Option<Arc<Module>>,
    found: OnceLock<Facts>,
}

#[derive(Debug)]
struct Facts {
    flow: Flow,
    /// By place.
    facts: Vec<Option<Fact>>,
    /// By place, each with whether somebody asked for it.
    sites: Vec<(Option<AllocationSites>, AtomicBool)>,
}

impl Arrays {
    /// Those of a module that all values come from.
    pub fn new(module: Arc<Module>) -> Arrays {
        Arrays { module: Some(module), found: OnceLock::new() }
    }

    /// No facts: values come from elsewhere, too.
    pub fn unknown() -> Arrays {
        Arrays { module: None, found: OnceLock::new() }
    }

    /// Those of a module that this one has become. What a body did that is there no more may still be seen.
    pub fn become_those_of(&self, module: Arc<Module>) -> Arrays {
        let has_grown = |known: &Arc<Module>| {
            let mut bodies = known.funcs.iter().map(|(func, decl)| (&decl.body, &module.funcs[func].body));
            bodies.all(|(old, new)| Arc::ptr_eq(old, new)) && (known.main.is_none() || known.main == module.main)
        };
        if self.module.as_ref().is_some_and(has_grown) { Arrays::new(module) } else { Arrays::unknown() }
    }

    /// The fact about what a local of a function refers to.
    pub fn of(&self, func: FuncRef, local: Local) -> Option<&Fact> {
        let (facts, place) = self.place(func, local)?;
        facts.facts[place].as_ref()
    }

    /// The allocation sites of what a local of a function refers to, if they are known.
    pub fn allocation_sites(&self, func: FuncRef, local: Local) -> Option<&AllocationSites> {
        let (facts, place) = self.place(func, local)?;
        let (sites, is_asked_for) = &facts.sites[place];
        is_asked_for.store(true, Ordering::Relaxed);
        sites.as_ref()
    }

    /// What is known, and the place of a local.
    fn place(&self, func: FuncRef, local: Local) -> Option<(&Facts, usize)> {
        let module = self.module.as_ref()?;
        let facts = self.found.get_or_init(|| {
            let flow = Flow::new(module);
            let facts = flow.facts();
            let sites = flow.allocation_sites().into_iter().map(|sites| (sites, AtomicBool::new(false))).collect();
            Facts { flow, facts, sites }
        });
        let is_own = module.funcs.get(func)?.body.locals.is_valid(local);
        is_own.then(|| (facts, facts.flow.local(func, local)))
    }

    /// True iff other facts imply each of those that may have been asked for.
    pub fn are_implied_by(&self, others: &Arrays) -> bool {
        let (Some(module), Some(found)) = (&self.module, self.found.get()) else { return true };
        module.funcs.iter().all(|(func, decl)| {
            decl.body.locals.keys().all(|local| {
                let holds = match (self.of(func, local), others.of(func, local)) {
                    (None, _) => true,
                    (Some(_), None) => false,
                    (Some(old), Some(new)) => {
                        old.length == new.length && (old.table.is_none() || old.table == new.table)
                    }
                };
                // With fewer sites, wherever they are, two places have none in common still.
                let has_same_sites = match &found.sites[found.flow.local(func, local)] {
                    (Some(old), is_asked_for) if is_asked_for.load(Ordering::Relaxed) => others
                        .place(func, local)
                        .and_then(|(facts, at)| facts.sites[at].0.as_ref())
                        .is_some_and(|new| new.is_subset(old)),
                    _ => true,
                };
                holds && has_same_sites
            })
        })
    }
}

/// The facts about the locals of a body, which may be an expanded one.
#[derive(Clone, Copy, Debug)]
pub struct BodyFacts<'a> {
    arrays: &'a Arrays,
    func: FuncRef,
    expanded: Option<&'a Expanded>,
}

impl<'a> BodyFacts<'a> {
    /// Those of a function's body.
    pub fn new(arrays: &'a Arrays, func: FuncRef, expanded: Option<&'a Expanded>) -> BodyFacts<'a> {
        BodyFacts { arrays, func, expanded }
    }

    /// The fact about what a local refers to.
    pub fn of(&self, local: Local) -> Option<&'a Fact> {
        let (func, local) = self.origin(local);
        self.arrays.of(func, local)
    }

    /// The allocation sites of what a local refers to, if they are known.
    pub fn allocation_sites(&self, local: Local) -> Option<&'a AllocationSites> {
        let (func, local) = self.origin(local);
        self.arrays.allocation_sites(func, local)
    }

    fn origin(&self, local: Local) -> (FuncRef, Local) {
        self.expanded.map_or((self.func, local), |expanded| expanded.origin(self.func, local))
    }
}
