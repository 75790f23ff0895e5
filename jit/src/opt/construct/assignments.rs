//! The record of assignments, as construction starts it.
//!
//! In: what is written to the locals of the function itself. Out: notes in its [`Record`], if it keeps one.
//! Invariant: locals of inlined functions are not recorded.

use super::variables::{Kept, Variable};
use super::{Builder, Frame, Input};
use crate::opt::assignments::{Means, Noted, Record};
use crate::opt::options::BUILD;
use crate::opt::ssa::{Block, Func, Value};
use cranelift_entity::EntitySet;
use holloway_lang::ir::{self, Cfg, Function, Inst, Liveness, Local, Operand};

/// Builds the SSA form of a function, with a record of its assignments.
pub fn build_recorded(input: &Input<'_>) -> Func {
    let mut func = super::built(input, Some(Box::default()));
    let mut record = func.record.take().expect("it was asked for");
    record.built(&func, input.body);
    delete_dead(&mut record, input.body);
    record.after(&func, BUILD);
    func.record = Some(record);
    func
}

impl Builder<'_> {
    /// Notes an assignment that was just translated at the end of `at`.
    pub(super) fn note_assignment(&mut self, frame: &Frame<'_>, at: Block, dst: Local, value: Value, site: u32) {
        let Some(record) = self.func.record.as_deref_mut() else { return };
        if frame.inlined.is_some() || frame.body.locals[dst].name.is_none() {
            return;
        }
        let inst = match self.variables[frame.variable(dst)] {
            // The store to its slot.
            Kept::Slot(..) => self.func.blocks[at].insts.last().copied(),
            Kept::Value(_) => match self.func.values[value].def {
                crate::opt::ssa::Def::Inst(inst) if self.func.insts[inst].site == site => Some(inst),
                _ => None,
            },
        };
        let means = inst.filter(|inst| !record.is_taken(*inst)).map_or(Means::Copy, Means::Inst);
        let block = self.func.sites[site as usize].block;
        let index = (site - frame.sites[block_index(frame, site)]) as usize;
        record.assigned(Noted { local: dst, block, index, at, means, value, deleted: None });
    }

    /// Notes which variable a local of the function itself is.
    pub(super) fn note_own(&mut self, local: Local, variable: Option<Variable>) {
        if let Some(variable) = variable {
            self.own[variable] = local.into();
        }
    }

    /// Notes the local that a parameter merges.
    pub(super) fn note_merge(&mut self, variable: Variable, param: Value) {
        let Some(record) = self.func.record.as_deref_mut() else { return };
        if let Some(local) = self.own[variable].expand() {
            record.merged_local(param, local);
        }
    }
}

/// The position of the block that a site of the function itself is in.
fn block_index(frame: &Frame<'_>, site: u32) -> usize {
    frame.sites.partition_point(|first| *first <= site) - 1
}

/// Copies to locals that nobody reads afterwards leave nothing in the SSA form.
fn delete_dead(record: &mut Record, body: &Function) {
    let dead = dead_assignments(body);
    record.delete_copies(BUILD, |noted| dead.contains(&(noted.block, noted.index)));
}

fn dead_assignments(body: &Function) -> hashbrown::HashSet<(ir::Block, usize)> {
    let cfg = Cfg::compute(body);
    let live = Liveness::compute(body, &cfg);
    let mut dead = hashbrown::HashSet::new();
    for (block, data) in body.blocks.iter() {
        let mut set: EntitySet<Local> = EntitySet::new();
        let caught: Vec<Local> = data.handler.into_iter().flat_map(|handler| live.live_in(handler)).collect();
        live.live_out(block).for_each(|local| _ = set.insert(local));
        if let Some(Operand::Local(local)) = data.term.operand() {
            set.insert(local);
        }
        for (index, inst) in data.insts.iter().enumerate().rev() {
            caught.iter().for_each(|local| _ = set.insert(*local));
            if let Some(dst) = inst.dst()
                && !set.remove(dst)
            {
                dead.insert((block, index));
            }
            reads(inst, &mut set);
        }
    }
    dead
}

fn reads(inst: &Inst, set: &mut EntitySet<Local>) {
    inst.operands(|operand| {
        if let Operand::Local(local) = operand {
            set.insert(local);
        }
    });
}
