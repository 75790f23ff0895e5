//! The observer that counts executions of loads and operations whose value was computed before.
//!
//! In: the interpreter's events, and the recorded path; the expressions that are asked about. Out: for each statement
//! that computes one of them its executions, how many had their value available, and from where. It is available if the
//! same expression was computed in the same activation, or below it, and nothing that it is made of was set since: the
//! time is kept at which each local, global, field, kind of elements and part of an object was set last.
//! Invariant: memory is that of one number for each part of each live object, and of each expression of each live
//! activation, however long the run.

use super::last_access::{SiteNumbers, ValueCounts};
use super::linear_effects::LinearTouched;
use super::memory_effects::{At, touched_at, write};
use super::path_check::PathCheck;
use super::shadow::Shadow;
use super::touched::{Touched, touched};
use super::{ExecutionError, RecordedPath};
use crate::trace::facts::accesses::object_access;
use crate::trace::facts::asked_expressions::{AskedExpressions, Slot};
use crate::trace::facts::expressions::ReadSet;
use crate::trace::facts::linear::linear_access;
use crate::trace::facts::place::Site;
use crate::trace::facts::set_by::{Kinds, kinds_set_by};
use hashbrown::HashMap;
use holloway_interp::{InstPlace, Observer, Operands};
use holloway_lang::ir::{Block, FuncRef, Inst, Module, RecordRef};
use holloway_runtime::InterruptHandle;
use std::collections::BTreeMap;
use std::ops::Range;

/// The last computation of an expression. Times count the events of the run from 1.
#[derive(Clone, Default)]
struct Computed {
    at: u64,
    /// The number of its statement.
    by: u64,
    place: Place,
}

/// The place in memory that a load read.
#[derive(Clone, Default)]
enum Place {
    #[default]
    None,
    /// A part of the object at an address.
    Part(u64, usize),
    /// Bytes of the linear memory.
    Bytes(Range<u64>),
}

/// A live activation, or one that is over and kept for the next of its function: what is older than its entry is not
/// its own.
struct Open {
    func: FuncRef,
    entered: u64,
    statement: usize,
    /// The time at which each local was set.
    set: Vec<u64>,
    computed: Vec<Computed>,
}

/// The times at which memory was set last, whichever object.
#[derive(Default)]
struct LastSet {
    globals: HashMap<u32, u64>,
    fields: HashMap<(RecordRef, u32), u64>,
    elements: [u64; Kinds::ELEMENTS],
    bytes: u64,
}

pub(super) struct ExpressionWatcher<'m, 'r> {
    module: &'m Module,
    check: PathCheck<'m, 'r>,
    asked: &'m AskedExpressions,
    numbers: SiteNumbers,
    now: u64,
    open: Vec<Open>,
    /// Activations that are over, by function.
    over: Vec<Vec<Open>>,
    /// Computations of expressions that read no locals, by whichever activation.
    shared: Vec<Computed>,
    last_set: LastSet,
    shadow: Shadow,
    touched: Touched,
    linear: LinearTouched,
    /// By the number of the statement.
    counts: Vec<Counts>,
}

/// Executions of a statement.
#[derive(Clone, Default)]
struct Counts {
    all: u64,
    /// Those in a row that had their value from the same statement, and that statement.
    run: (u64, u64),
    /// The runs before, by statement.
    from: BTreeMap<u64, u64>,
}

impl Counts {
    fn available(&mut self, by: u64) {
        if self.run.1 != by {
            self.end_run();
            self.run.1 = by;
        }
        self.run.0 += 1;
    }

    fn end_run(&mut self) {
        if self.run.0 > 0 {
            *self.from.entry(self.run.1).or_default() += self.run.0;
        }
        self.run.0 = 0;
    }
}

impl<'m, 'r> ExpressionWatcher<'m, 'r> {
    pub(super) fn new(
        module: &'m Module,
        recorded: Option<RecordedPath<'r>>,
        interrupt: InterruptHandle,
        asked: &'m AskedExpressions,
    ) -> ExpressionWatcher<'m, 'r> {
        ExpressionWatcher {
            module,
            check: PathCheck::new(module, recorded, interrupt, u64::MAX),
            asked,
            numbers: SiteNumbers::of(module),
            now: 0,
            open: Vec::new(),
            over: module.funcs.keys().map(|_| Vec::new()).collect(),
            shared: vec![Computed::default(); asked.shared()],
            last_set: LastSet::default(),
            shadow: Shadow::default(),
            touched: Touched::default(),
            linear: LinearTouched::default(),
            counts: Vec::new(),
        }
    }

    /// The counts of each statement that was executed, if the execution was the recorded one.
    pub(super) fn finish(self) -> Result<BTreeMap<Site, ValueCounts>, ExecutionError> {
        self.check.finish()?;
        let numbers = &self.numbers;
        let executed = (0..).zip(self.counts).filter(|(_, counts)| counts.all > 0);
        let counts = executed.map(|(number, mut counts)| {
            counts.end_run();
            let from = counts.from.into_iter().map(|(by, times)| (numbers.site(by), times)).collect();
            (numbers.site(number), ValueCounts { executions: counts.all, from })
        });
        Ok(counts.collect())
    }

    fn innermost(&mut self) -> &mut Open {
        self.open.last_mut().expect("an activation is live")
    }

    fn enter_activation(&mut self, func: FuncRef) {
        self.now += 1;
        let fresh = || Open {
            func,
            entered: 0,
            statement: 0,
            set: vec![0; self.module.function(func).locals.len()],
            computed: vec![Computed::default(); self.asked.own(func)],
        };
        let open = self.over[func.as_u32() as usize].pop().unwrap_or_else(fresh);
        self.open.push(Open { entered: self.now, ..open });
    }

    fn end_activation(&mut self) {
        if self.check.is_over() {
            return;
        }
        let open = self.open.pop().expect("an activation is live");
        self.over[open.func.as_u32() as usize].push(open);
        self.check.leave();
    }

    /// The number of the statement that computed an expression, if its value is still the same.
    fn available(&self, of: u32) -> Option<u64> {
        let (slot, reads) = self.asked.expression(of);
        let open = self.open.last()?;
        let computed = match slot {
            Slot::Own(at) => &open.computed[at],
            Slot::Shared(at) => &self.shared[at],
        };
        let is_kept = computed.at > open.entered
            && self.last_set.is_before(computed.at, reads)
            && reads.locals.iter().all(|local| open.set[local.as_u32() as usize] < computed.at);
        let is_set = |time: Option<u64>| time.is_some_and(|time| time > computed.at);
        let is_there = || match &computed.place {
            Place::None => true,
            Place::Part(object, part) => !is_set(self.shadow.store_of(*object, *part)),
            Place::Bytes(bytes) => !bytes.clone().any(|byte| is_set(self.shadow.linear.store_of(byte))),
        };
        (is_kept && is_there()).then_some(computed.by)
    }

    fn computed(&mut self, of: u32, by: u64) {
        let place = match (self.touched.loads.take(), self.linear.loads.first()) {
            (Some((object, parts)), _) => Place::Part(object.address, parts.start),
            (None, Some(bytes)) => Place::Bytes(bytes.clone()),
            (None, None) => Place::None,
        };
        let computed = Computed { at: self.now, by, place };
        match self.asked.expression(of).0 {
            Slot::Own(at) => self.innermost().computed[at] = computed,
            Slot::Shared(at) => self.shared[at] = computed,
        }
    }
}

impl LastSet {
    /// True iff none of what is read was set at a time or later.
    fn is_before(&self, time: u64, reads: &ReadSet) -> bool {
        let is_old = |set: Option<&u64>| set.is_none_or(|set| *set < time);
        reads.globals.iter().all(|global| is_old(self.globals.get(&global.as_u32())))
            && reads.fields.iter().all(|field| is_old(self.fields.get(field)))
            && reads.elements.iter().all(|kind| self.elements[*kind] < time)
            && (!reads.bytes || self.bytes < time)
    }

    fn set(&mut self, kinds: &Kinds, now: u64) {
        match kinds {
            Kinds::Nothing => {}
            Kinds::Global(global) => _ = self.globals.insert(global.as_u32(), now),
            Kinds::Field(record, field) => _ = self.fields.insert((*record, *field), now),
            Kinds::Elements(kinds) => kinds.clone().for_each(|kind| self.elements[kind] = now),
            Kinds::Bytes => self.bytes = now,
        }
    }
}

impl Observer for ExpressionWatcher<'_, '_> {
    const INSTRUCTIONS: bool = true;

    fn enter(&mut self, _: FuncRef) {
        self.check.enter();
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        if self.check.block(func, block) == Some(true) {
            self.enter_activation(func);
        }
    }

    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        if self.check.is_over() {
            return;
        }
        self.now += 1;
        self.innermost().statement = place.at;
        if self.asked.is_in_memory() {
            self.touched = object_access(inst).and_then(|access| touched(access, operands)).unwrap_or_default();
            self.linear = linear_access(inst)
                .map(|access| touched_at(At { module: self.module, place }, access, operands))
                .unwrap_or_default();
        }
        let site = (place.func, place.block, place.at);
        let Some((of, true)) = self.asked.at(site) else { return };
        let (available, number) = (self.available(of), self.numbers.number(site) as usize);
        if number >= self.counts.len() {
            self.counts.resize(number + 1, Counts::default());
        }
        let counts = &mut self.counts[number];
        counts.all += 1;
        if let Some(by) = available {
            counts.available(by);
        }
    }

    fn executed(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        if self.check.is_over() {
            return;
        }
        self.now += 1;
        let now = self.now;
        if let Some(dst) = inst.dst() {
            self.innermost().set[dst.as_u32() as usize] = now;
        }
        self.last_set.set(&kinds_set_by(inst), now);
        if self.asked.is_in_memory() {
            write(&mut self.shadow, inst, &self.linear, operands, &|_| now);
        }
        let site = (place.func, place.block, place.at);
        if let Some((of, _)) = self.asked.at(site) {
            let by = self.numbers.number(site);
            self.computed(of, by);
        }
    }

    fn returned(&mut self, func: FuncRef, block: Block, _: u32) {
        if self.check.is_over() {
            return;
        }
        self.now += 1;
        let (now, module) = (self.now, self.module);
        let Some(open) = self.open.last_mut() else { return };
        if let Some(dst) = module.function(func).blocks[block].insts[open.statement].dst() {
            open.set[dst.as_u32() as usize] = now;
        }
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.end_activation();
    }

    fn leave(&mut self, _: FuncRef) {
        self.end_activation();
    }
}
