//! The observer that counts loads of what an earlier load or store of the same address gave.
//!
//! In: the interpreter's events, and the recorded path; the loads that are asked about. Out: for each of them its executions, how many had their value
//! in hand, and from where. A value is in hand if its address was loaded or stored before, by whichever statement of whichever activation: all that
//! stores to it are followed, so the last access has the value that is there. That an object or a string is made is no access; nor are characters of
//! strings followed.
//! Invariant: memory is that of one number for each part of each live object, however long the run.

use super::memory_effects::{allocated, array, counted_in, index_in, one, range_in};
use super::path_check::PathCheck;
use super::shadow::Shadow;
use super::{ExecutionError, RecordedPath};
use crate::trace::facts::builtins::{MemoryEffect, memory_effect};
use holloway_interp::{InstPlace, Observer, Operands, SeenObject};
use holloway_lang::ir::{Block, Builtin, FuncRef, Global, Inst, Module, Operand};
use holloway_runtime::InterruptHandle;
use std::collections::BTreeMap;
use std::ops::Range;

/// A statement: the function, the block, and the instruction there.
pub type Site = (FuncRef, Block, usize);

/// The executions of one load.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadCounts {
    /// All of them.
    pub executions: u64,
    /// Those that had the value in hand, by the statement that accessed the address before.
    pub from: BTreeMap<Site, u64>,
}

/// The numbers of statements: those of a block follow each other. 0 is none.
struct SiteNumbers(Vec<Vec<u64>>);

/// The accesses of an instruction.
#[derive(Default)]
struct Accessed {
    loads: Option<(SeenObject, Range<usize>)>,
    stores: Option<(SeenObject, Range<usize>)>,
}

pub(super) struct AccessWatcher<'m, 'r> {
    check: PathCheck<'m, 'r>,
    numbers: SiteNumbers,
    shadow: Shadow,
    globals: Vec<u64>,
    accessed: Accessed,
    asked: BTreeMap<Site, u64>,
    /// Executions, by the number of the load.
    executions: BTreeMap<u64, u64>,
    /// Those with the value in hand, by the load and the access before.
    in_hand: BTreeMap<(u64, u64), u64>,
}

impl SiteNumbers {
    fn of(module: &Module) -> SiteNumbers {
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

    fn number(&self, (func, block, at): Site) -> u64 {
        self.0[func.as_u32() as usize][block.as_u32() as usize] + at as u64
    }

    /// The statement of a number that is not 0.
    fn site(&self, number: u64) -> Site {
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
            check: PathCheck::new(module, recorded, interrupt, u64::MAX),
            shadow: Shadow::default(),
            globals: vec![0; module.globals.len()],
            accessed: Accessed::default(),
            executions: asked.values().map(|number| (*number, 0)).collect(),
            asked,
            numbers,
            in_hand: BTreeMap::new(),
        }
    }

    /// The counts of each load, if the execution was the recorded one.
    pub(super) fn finish(self) -> Result<BTreeMap<Site, LoadCounts>, ExecutionError> {
        let AccessWatcher { check, numbers, asked, executions, in_hand, .. } = self;
        check.finish()?;
        let counts = |(site, number): (Site, u64)| {
            let from = in_hand.range((number, 0)..=(number, u64::MAX));
            let from = from.map(|((_, before), count)| (numbers.site(*before), *count)).collect();
            (site, LoadCounts { executions: executions[&number], from })
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

    /// The parts of objects that an instruction which does not fail accesses.
    fn accessed(inst: &Inst, operands: Operands<'_>) -> Option<Accessed> {
        let loads = |of| Some(Accessed { loads: Some(of), stores: None });
        let stores = |of| Some(Accessed { loads: None, stores: Some(of) });
        match inst {
            Inst::FieldGet { object, field, .. } => loads((operands.object(*object)?, one(*field as usize))),
            Inst::FieldSet { object, field, .. } => stores((operands.object(*object)?, one(*field as usize))),
            Inst::ElemGet { array: object, index, .. } => {
                let object = array(operands, *object)?;
                loads((object, one(index_in(operands, *index, object)?)))
            }
            Inst::ElemSet { array: object, index, .. } => {
                let object = array(operands, *object)?;
                stores((object, one(index_in(operands, *index, object)?)))
            }
            Inst::Builtin { builtin, args, .. } => Self::accessed_by(*builtin, args, operands),
            Inst::Copy { .. }
            | Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::Select { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::GlobalGet { .. }
            | Inst::GlobalSet { .. }
            | Inst::Call { .. }
            | Inst::CallIndirect { .. }
            | Inst::NewRecord { .. }
            | Inst::NewArray { .. }
            | Inst::ArrayOf { .. }
            | Inst::Len { .. }
            | Inst::Unwrap { .. }
            | Inst::CatchMessage { .. } => None,
        }
    }

    fn accessed_by(builtin: Builtin, args: &[Operand], operands: Operands<'_>) -> Option<Accessed> {
        let loads = |of| Some(Accessed { loads: Some(of), stores: None });
        match memory_effect(builtin) {
            MemoryEffect::Text | MemoryEffect::Slice => {
                let object = array(operands, args[0])?;
                loads((object, range_in(operands, (args[1], args[2]), object)?))
            }
            MemoryEffect::Copy => {
                let object = array(operands, args[0])?;
                let stores = Some((object, counted_in(operands, (args[1], args[4]), object)?));
                // The source may be a string.
                let source = array(operands, args[2]);
                let loads = source.and_then(|source| Some((source, counted_in(operands, (args[3], args[4]), source)?)));
                Some(Accessed { loads, stores })
            }
            MemoryEffect::Sort | MemoryEffect::Fill(_) => {
                let object = array(operands, args[0])?;
                Some(Accessed { loads: None, stores: Some((object, 0..object.len)) })
            }
            MemoryEffect::Values
            | MemoryEffect::World
            | MemoryEffect::Nothing
            | MemoryEffect::OfString(_)
            | MemoryEffect::Args
            | MemoryEffect::Join
            | MemoryEffect::Display(_) => None,
        }
    }

    /// A new object: nothing of it was accessed.
    fn made(&mut self, inst: &Inst, operands: Operands<'_>) {
        let dst = match inst {
            Inst::NewRecord { dst, .. } | Inst::NewArray { dst, .. } | Inst::ArrayOf { dst, .. } => Some(*dst),
            Inst::Builtin { dst, builtin, .. } => match memory_effect(*builtin) {
                MemoryEffect::OfString(_) | MemoryEffect::Args | MemoryEffect::Slice => *dst,
                _ => None,
            },
            _ => None,
        };
        let Some(dst) = dst else { return };
        let object = allocated(operands, dst);
        let count = match inst {
            Inst::NewRecord { fields, .. } => fields.len(),
            _ => object.len,
        };
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
        self.accessed = Self::accessed(inst, operands).unwrap_or_default();
        // One that fails is executed, too.
        if matches!(inst, Inst::ElemGet { .. } | Inst::FieldGet { .. } | Inst::GlobalGet { .. }) {
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
        let Accessed { loads, stores } = std::mem::take(&mut self.accessed);
        if let Some((object, parts)) = loads {
            let before = self.shadow.store_of(object.address, parts.start).unwrap_or(0);
            self.loaded(site, before);
            self.shadow.set(object.address, parts, site);
        }
        if let Some((object, parts)) = stores {
            self.shadow.set(object.address, parts, site);
        }
        self.made(inst, operands);
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.check.leave();
    }

    fn leave(&mut self, _: FuncRef) {
        self.check.leave();
    }
}
