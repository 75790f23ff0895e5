//! Facts about the arrays of a whole program, wherever a local refers to them: how long they are, what stands in
//! those that nobody writes, the range of all that is stored in them, and where arrays and records are allocated, so that
//! two of them are told apart. The ranges of globals, fields and results are found with these.
//!
//! In: a module. Out: for each local that holds arrays, a [`Fact`] if the same is true of all that ever get there; ranges; the
//! [`AllocationSites`] of what each local refers to.
//! Literals of constants that are never written, such as an interpreter's program or a table, are read while code is
//! compiled.
//!
//! This is the propagation of constants across calls of [CCKT86], of arrays alone: their lengths, and where they were
//! made. It does not look at the order of statements, as the analysis of pointers of [And94] does not: an array is
//! written if any place that it may get to is. What is in arrays is known by classes of them, in which all arrays are that assignments connect.
//! Invariant: what is said holds for whatever the program does. A function that gets another body, and a caller or
//! values from elsewhere, may have done, or do, what no body says: from then on nothing is known.
//!
//! [CCKT86] D. Callahan, K. Cooper, K. Kennedy, L. Torczon, "Interprocedural Constant Propagation", SIGPLAN 1986.
//! [And94] L. O. Andersen, "Program Analysis and Specialization for the C Programming Language", thesis, 1994.

mod classes;
mod fact;
mod flow;
mod numbers;
mod places;
#[cfg(test)]
mod tests;

pub use fact::{AllocationSites, Fact, Table};

use crate::body::expand::Expanded;
use crate::range::{ANY, Range};
use classes::Classes;
use flow::Flow;
use holloway_lang::ir::{FuncRef, Global, Local, Module, Record, RecordRef};
use places::Places;
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
    places: Places,
    classes: Classes,
    /// By place.
    facts: Vec<Option<Fact>>,
    /// By place; what is in arrays by the place of their class.
    numbers: Vec<Option<Range>>,
    /// By place, each with whether somebody asked for it.
    sites: Vec<(Option<AllocationSites>, AtomicBool)>,
}

impl Facts {
    fn of(module: &Module) -> Facts {
        let places = Places::of(module);
        let classes = Classes::of(module, &places);
        let flow = Flow::new(module, &places, &classes);
        let facts = flow.facts();
        let sites = flow.allocation_sites().into_iter().map(|sites| (sites, AtomicBool::new(false))).collect();
        let numbers = numbers::numbers(module, &places, &classes);
        Facts { places, classes, facts, numbers, sites }
    }

    /// The range of a place, if it is one.
    fn number(&self, place: usize) -> Option<Range> {
        self.numbers[place].filter(|range| *range != ANY)
    }
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
        let facts = self.facts(func, local)?;
        facts.facts[facts.places.local(func, local)].as_ref()
    }

    /// The allocation sites of what a local of a function refers to, if they are known.
    pub fn allocation_sites(&self, func: FuncRef, local: Local) -> Option<&AllocationSites> {
        let facts = self.facts(func, local)?;
        let (sites, is_asked_for) = &facts.sites[facts.places.local(func, local)];
        is_asked_for.store(true, Ordering::Relaxed);
        sites.as_ref()
    }

    /// True iff what was said of the allocation sites of a local holds for another program: with fewer sites, wherever they
    /// are, two places have none in common still.
    fn has_sites_of(&self, others: &Arrays, func: FuncRef, local: Local) -> bool {
        let Some(known) = self.found.get() else { return true };
        match &known.sites[known.places.local(func, local)] {
            (Some(old), is_asked_for) if is_asked_for.load(Ordering::Relaxed) => others
                .facts(func, local)
                .and_then(|facts| facts.sites[facts.places.local(func, local)].0.as_ref())
                .is_some_and(|new| new.is_subset(old)),
            _ => true,
        }
    }

    /// The range of the integers in the arrays that a local of a function refers to.
    pub fn elements(&self, func: FuncRef, local: Local) -> Option<Range> {
        let Facts { places, classes, .. } = self.facts(func, local)?;
        let place = places.local(func, local);
        if classes.is_from_elsewhere(place) { None } else { self.known()?.number(classes.class(place)) }
    }

    /// The range of a global.
    pub fn global(&self, global: Global) -> Option<Range> {
        let known = self.known()?;
        self.module.as_ref()?.globals.get(global)?;
        known.number(known.places.global(global))
    }

    /// The range of a field.
    pub fn field(&self, record: RecordRef, field: u32) -> Option<Range> {
        let known = self.known()?;
        self.module.as_ref()?.records.get(record)?.fields.get(field as usize)?;
        known.number(known.places.field(record, field))
    }

    /// The range of what a function returns.
    pub fn result(&self, func: FuncRef) -> Option<Range> {
        let known = self.known()?;
        self.module.as_ref()?.funcs.get(func)?;
        known.number(known.places.result(func))
    }

    /// The facts, if a local of a function is one of the module's.
    fn facts(&self, func: FuncRef, local: Local) -> Option<&Facts> {
        let is_own = self.module.as_ref()?.funcs.get(func)?.body.locals.is_valid(local);
        if is_own { self.known() } else { None }
    }

    fn known(&self) -> Option<&Facts> {
        let module = self.module.as_ref()?;
        Some(self.found.get_or_init(|| Facts::of(module)))
    }

    /// True iff other facts imply each of those that may have been asked for.
    pub fn are_implied_by(&self, others: &Arrays) -> bool {
        let Some(module) = self.module.as_ref().filter(|_| self.found.get().is_some()) else { return true };
        let implied = |old: Option<Range>, new: Option<Range>| match (old, new) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(old), Some(new)) => old.contains(new),
        };
        let locals = module.funcs.iter().all(|(func, decl)| {
            decl.body.locals.keys().all(|local| {
                let lengths = match (self.of(func, local), others.of(func, local)) {
                    (None, _) => true,
                    (Some(_), None) => false,
                    (Some(old), Some(new)) => {
                        old.length == new.length && (old.table.is_none() || old.table == new.table)
                    }
                };
                lengths
                    && implied(self.elements(func, local), others.elements(func, local))
                    && self.has_sites_of(others, func, local)
            })
        });
        let fields = |(record, layout): (RecordRef, &Record)| {
            (0..layout.fields.len() as u32).all(|field| implied(self.field(record, field), others.field(record, field)))
        };
        locals
            && module.funcs.keys().all(|func| implied(self.result(func), others.result(func)))
            && module.globals.keys().all(|global| implied(self.global(global), others.global(global)))
            && module.records.iter().all(fields)
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

    /// The range of the integers in the arrays that a local refers to.
    pub fn elements(&self, local: Local) -> Option<Range> {
        let (func, local) = self.origin(local);
        self.arrays.elements(func, local)
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
