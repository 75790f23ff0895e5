//! The observer that counts loads of what an earlier load or store of the same address gave.
//!
//! In: the interpreter's events, and the recorded path; the loads that are asked about. Out: for each of them its executions, how many had their value
//! in hand, and from where. A value is in hand if its address was loaded or stored before, by whichever statement of whichever activation: all that
//! stores to it are followed, so the last access has the value that is there. That an object or a string is made is no access; nor are characters of
//! strings followed.
//! In the memory of a module, it is in hand if the last access to each of the bytes was a load or a store at the same address that took in all of them.
//! Invariant: memory is that of one number for each part of each live object, however long the run.

use super::linear_effects::{LinearTouched, set_by};
use super::memory_effects::{At, touched_at};
use super::path_check::PathCheck;
use super::shadow::Shadow;
use super::touched::{Touched, allocated, touched};
use super::{ExecutionError, RecordedPath};
use crate::trace::facts::accesses::{ObjectAccess, object_access};
use crate::trace::facts::builtins::MemoryEffect;
use crate::trace::facts::linear::{LinearAccess, linear_access};
use crate::trace::facts::place::Site;
use holloway_interp::{InstPlace, Observer, Operands};
use holloway_lang::ir::{Block, FuncRef, Global, Inst, Module};
use holloway_runtime::InterruptHandle;
use std::collections::BTreeMap;

/// The executions of one load or operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueCounts {
    /// All of them.
    pub executions: u64,
    /// Those that had the value in hand, by the statement that accessed the address before.
    pub from: BTreeMap<Site, u64>,
}

impl ValueCounts {
    /// Number of those that had the value in hand.
    pub fn holds(&self) -> u64 {
        self.from.values().sum()
    }
}

/// The most bytes of a load or a store.
const WIDEST: u64 = 8;

/// The numbers of statements: those of a block follow each other. 0 is none.
pub(super) struct SiteNumbers(Vec<Vec<u64>>);

pub(super) struct AccessWatcher<'m, 'r> {
    module: &'m Module,
    check: PathCheck<'m, 'r>,
    numbers: SiteNumbers,
    shadow: Shadow,
    globals: Vec<u64>,
    touched: Touched,
    linear: LinearTouched,
    asked: BTreeMap<Site, u64>,
    /// Executions, by the number of the load.
    executions: BTreeMap<u64, u64>,
    /// Those with the value in hand, by the load and the access before.
    in_hand: BTreeMap<(u64, u64), u64>,
}

impl SiteNumbers {
    pub(super) fn of(module: &Module) -> SiteNumbers {
        let mut next = 1;
        let mut of_block = |count: usize| {
            let first = next;
            next += count as u64;
            first
        };
        let functions = module.funcs.values();
        SiteNumbers(
            functions.map(|decl| decl.body.blocks.values().map(|data| of_block(data.insts.len())).collect()).collect(),
        )
    }

    pub(super) fn number(&self, (func, block, at): Site) -> u64 {
        self.0[func.as_u32() as usize][block.as_u32() as usize] + at as u64
    }

    /// The statement of a number that is not 0.
    pub(super) fn site(&self, number: u64) -> Site {
        let func = self.0.partition_point(|blocks| blocks[0] <= number) - 1;
        let block = self.0[func].partition_point(|first| *first <= number) - 1;
        (FuncRef::from_u32(func as u32), Block::from_u32(block as u32), (number - self.0[func][block]) as usize)
    }
}

impl<'m, 'r> AccessWatcher<'m, 'r> {
    pub(super) fn new(
        module: &'m Module,
        recorded: Option<RecordedPath<'r>>,
        interrupt: InterruptHandle,
        asked: &[Site],
    ) -> AccessWatcher<'m, 'r> {
        let numbers = SiteNumbers::of(module);
        let asked: BTreeMap<Site, u64> = asked.iter().map(|site| (*site, numbers.number(*site))).collect();
        AccessWatcher {
            module,
            check: PathCheck::new(module, recorded, interrupt, u64::MAX),
            shadow: Shadow::default(),
            globals: vec![0; module.globals.len()],
            touched: Touched::default(),
            linear: LinearTouched::default(),
            executions: asked.values().map(|number| (*number, 0)).collect(),
            asked,
            numbers,
            in_hand: BTreeMap::new(),
        }
    }

    /// The counts of each load, if the execution was the recorded one.
    pub(super) fn finish(self) -> Result<BTreeMap<Site, ValueCounts>, ExecutionError> {
        let AccessWatcher { check, numbers, asked, executions, in_hand, .. } = self;
        check.finish()?;
        let counts = |(site, number): (Site, u64)| {
            let from = in_hand.range((number, 0)..=(number, u64::MAX));
            let from = from.map(|((_, before), count)| (numbers.site(*before), *count)).collect();
            (site, ValueCounts { executions: executions[&number], from })
        };
        Ok(asked.into_iter().map(counts).collect())
    }

    /// A load reads what `before` accessed last.
    fn loaded(&mut self, site: u64, before: u64) {
        if before != 0 && self.executions.contains_key(&site) {
            *self.in_hand.entry((site, before)).or_default() += 1;
        }
    }

    fn global(&mut self, global: Global, site: u64) -> u64 {
        std::mem::replace(&mut self.globals[global.as_u32() as usize], site)
    }

    /// An access to the memory of a module: each byte has the access with the number of the byte in it.
    fn accessed(&mut self, inst: &Inst, site: u64, operands: Operands<'_>) {
        let Some(access) = linear_access(inst) else { return };
        let touched = std::mem::take(&mut self.linear);
        let first = site * WIDEST;
        match access {
            LinearAccess::Load { .. } => {
                let Some(bytes) = touched.loads.into_iter().next() else { return };
                let before = self.shadow.linear.store_of(bytes.start).filter(|number| number.is_multiple_of(WIDEST));
                let is_of_one = |before: &u64| {
                    let numbers = bytes.clone().map(|byte| self.shadow.linear.store_of(byte));
                    numbers.eq((*before..).take((bytes.end - bytes.start) as usize).map(Some))
                };
                self.loaded(site, before.filter(is_of_one).map_or(0, |before| before / WIDEST));
                self.shadow.linear.set_each(bytes, first);
            }
            LinearAccess::Store { .. } => self.shadow.linear.set_each(touched.stores, first),
            LinearAccess::Builtin { .. } | LinearAccess::Host { .. } => {
                let set = set_by(access, &touched, operands);
                set.into_iter().for_each(|(_, addresses)| self.shadow.linear.set(addresses, None));
            }
        }
    }

    /// A new object: nothing of it was accessed.
    fn made(&mut self, inst: &Inst, operands: Operands<'_>) {
        let (dst, fields) = match object_access(inst) {
            Some(ObjectAccess::NewRecord { dst, fields }) => (dst, fields as usize),
            Some(ObjectAccess::NewArray { dst } | ObjectAccess::ArrayOf { dst, .. }) => (dst, 0),
            Some(ObjectAccess::Builtin {
                effect: MemoryEffect::OfString(_) | MemoryEffect::Args | MemoryEffect::Slice,
                dst: Some(dst),
                ..
            }) => (dst, 0),
            _ => return,
        };
        let object = allocated(operands, dst);
        // A record has no length.
        let count = fields.max(object.len);
        self.shadow.allocate(object.address, None, count, 0);
    }
}

impl Observer for AccessWatcher<'_, '_> {
    const INSTRUCTIONS: bool = true;

    fn enter(&mut self, _: FuncRef) {
        self.check.enter();
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        // What is no part of the run is over.
        let _ = self.check.block(func, block);
    }

    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        if self.check.is_over() {
            return;
        }
        self.touched = object_access(inst).and_then(|access| touched(access, operands)).unwrap_or_default();
        if let Some(access) = linear_access(inst) {
            self.linear = touched_at(At { module: self.module, place }, access, operands);
        }
        // One that fails is executed, too.
        if matches!(inst, Inst::ElemGet { .. } | Inst::FieldGet { .. } | Inst::GlobalGet { .. } | Inst::Load { .. }) {
            let site = self.numbers.number((place.func, place.block, place.at));
            self.executions.entry(site).and_modify(|executions| *executions += 1);
        }
    }

    fn executed(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        if self.check.is_over() {
            return;
        }
        let site = self.numbers.number((place.func, place.block, place.at));
        match inst {
            Inst::GlobalGet { global, .. } => {
                let before = self.global(*global, site);
                self.loaded(site, before);
            }
            Inst::GlobalSet { global, .. } => _ = self.global(*global, site),
            _ => {}
        }
        let Touched { loads, stores, .. } = std::mem::take(&mut self.touched);
        if let Some((object, parts)) = loads {
            let before = self.shadow.store_of(object.address, parts.start).unwrap_or(0);
            self.loaded(site, before);
            self.shadow.set(object.address, parts, site);
        }
        if let Some((object, parts)) = stores {
            self.shadow.set(object.address, parts, site);
        }
        self.made(inst, operands);
        self.accessed(inst, site, operands);
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.check.leave();
    }

    fn leave(&mut self, _: FuncRef) {
        self.check.leave();
    }
}
