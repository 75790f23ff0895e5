//! Facts about the arrays of a whole program, wherever a local refers to them: how long they are, what stands in those
//! that nobody writes, the range of all that is stored in them, and where arrays and records are allocated, so that two
//! of them are told apart. The ranges of globals, fields and results are found with these.
//!
//! In: a module. Out: for each local that holds arrays, a [`Fact`] if the same is true of all that ever get there;
//! ranges; the [`AllocationSites`] of what each local refers to.
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

mod asked;
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
use asked::Asked;
use classes::Classes;
use flow::Flow;
use holloway_lang::ir::{FuncRef, Global, Local, Module, RecordRef};
use places::Places;
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
    facts: Vec<Asked<Fact>>,
    /// By place; what is in arrays by the place of their class.
    numbers: Vec<Asked<Range>>,
    /// By place.
    sites: Vec<Asked<AllocationSites>>,
}

impl Facts {
    fn of(module: &Module) -> Facts {
        let places = Places::of(module);
        let classes = Classes::of(module, &places);
        let flow = Flow::new(module, &places, &classes);
        let facts = flow.facts().into_iter().map(Asked::new).collect();
        let sites = flow.allocation_sites().into_iter().map(Asked::new).collect();
        let numbers = numbers::numbers(module, &places, &classes).into_iter();
        let numbers = numbers.map(|range| Asked::new(range.filter(|range| *range != ANY))).collect();
        Facts { places, classes, facts, numbers, sites }
    }

    /// The range of what is in the arrays that a local refers to, unless they are from elsewhere.
    fn elements(&self, local: usize) -> Option<&Asked<Range>> {
        (!self.classes.is_from_elsewhere(local)).then(|| &self.numbers[self.classes.class(local)])
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

    /// True if all values come from the module.
    pub fn are_known(&self) -> bool {
        self.module.is_some()
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
        let (facts, place) = self.local(func, local)?;
        facts.facts[place].get()
    }

    /// The allocation sites of what a local of a function refers to, if they are known.
    pub fn allocation_sites(&self, func: FuncRef, local: Local) -> Option<&AllocationSites> {
        let (facts, place) = self.local(func, local)?;
        facts.sites[place].get()
    }

    /// The range of the integers in the arrays that a local of a function refers to.
    pub fn elements(&self, func: FuncRef, local: Local) -> Option<Range> {
        let (facts, place) = self.local(func, local)?;
        facts.elements(place)?.get().copied()
    }

    /// The range of a global.
    pub fn global(&self, global: Global) -> Option<Range> {
        self.number(of_global(global))?.get().copied()
    }

    /// The range of a field.
    pub fn field(&self, record: RecordRef, field: u32) -> Option<Range> {
        self.number(of_field(record, field))?.get().copied()
    }

    /// The range of what a function returns.
    pub fn result(&self, func: FuncRef) -> Option<Range> {
        self.number(of_result(func))?.get().copied()
    }

    /// The facts, and the place of a local, if it is one of the module's.
    fn local(&self, func: FuncRef, local: Local) -> Option<(&Facts, usize)> {
        let is_own = self.module.as_ref()?.funcs.get(func)?.body.locals.is_valid(local);
        self.known().filter(|_| is_own).map(|facts| (facts, facts.places.local(func, local)))
    }

    fn number(&self, place: impl NumberPlace) -> Option<&Asked<Range>> {
        let (module, facts) = (self.module.as_ref()?, self.known()?);
        Some(&facts.numbers[place(module, &facts.places)?])
    }

    /// True iff the range of a place that was asked for holds for another program.
    fn number_holds(&self, others: &Arrays, place: impl NumberPlace) -> bool {
        self.number(&place).is_none_or(|old| old.holds(others.number(&place), is_within))
    }

    fn known(&self) -> Option<&Facts> {
        let module = self.module.as_ref()?;
        Some(self.found.get_or_init(|| Facts::of(module)))
    }

    /// True iff the facts of what this program has become imply each of those that were asked for.
    pub fn are_implied_by(&self, others: &Arrays) -> bool {
        let (Some(module), Some(facts)) = (&self.module, self.found.get()) else { return true };
        let local = |func: FuncRef, local: Local| {
            let (old, new) = (facts.places.local(func, local), others.local(func, local));
            let has_length =
                |new: &Fact, old: &Fact| old.length == new.length && (old.table.is_none() || old.table == new.table);
            facts.facts[old].holds(new.map(|(facts, at)| &facts.facts[at]), has_length)
                && facts.elements(old).is_none_or(|elements| {
                    elements.holds(new.and_then(|(facts, at)| facts.elements(at)), is_within)
                })
                // With fewer sites, wherever they are, two places have none in common still.
                && facts.sites[old].holds(new.map(|(facts, at)| &facts.sites[at]), AllocationSites::is_subset)
        };
        module.funcs.iter().all(|(func, decl)| decl.body.locals.keys().all(|of| local(func, of)))
            && module.funcs.keys().all(|func| self.number_holds(others, of_result(func)))
            && module.globals.keys().all(|global| self.number_holds(others, of_global(global)))
            && module.records.iter().all(|(record, layout)| {
                (0..layout.fields.len() as u32).all(|field| self.number_holds(others, of_field(record, field)))
            })
    }
}

/// A place of numbers, in any module that has it.
trait NumberPlace: Fn(&Module, &Places) -> Option<usize> {}
impl<F: Fn(&Module, &Places) -> Option<usize>> NumberPlace for F {}

fn of_global(global: Global) -> impl NumberPlace {
    move |module: &Module, places: &Places| module.globals.get(global).map(|_| places.global(global))
}

fn of_field(record: RecordRef, field: u32) -> impl NumberPlace {
    move |module: &Module, places: &Places| {
        let has_it = module.records.get(record)?.fields.len() > field as usize;
        has_it.then(|| places.field(record, field))
    }
}

fn of_result(func: FuncRef) -> impl NumberPlace {
    move |module: &Module, places: &Places| module.funcs.get(func).map(|_| places.result(func))
}

fn is_within(new: &Range, old: &Range) -> bool {
    old.contains(*new)
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
