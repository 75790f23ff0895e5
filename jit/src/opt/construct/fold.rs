//! Executions of regions, and branch histories, that are complete.
//!
//! In: the registers of a body. Out: the operation on the memory of the region, or of the histories that start in the same block.

use super::Builder;
use super::probe::switch;
use super::variables::{Probed, Variable};
use crate::opt::op::Probe;
use crate::opt::ssa::{Block, Op, Value};
use crate::probes::run_cell::{CELL, Slots};
use crate::probes::{Fold, RegionMemory};
use cranelift_entity::EntityRef;
use holloway_lang::ir::BinaryOp;
use holloway_profiler::event::encode;
use holloway_profiler::plan::BitRegister;

impl Builder<'_> {
    /// An execution of a region is complete.
    pub(super) fn fold(&mut self, probed: &Probed, at: Block, register: BitRegister) {
        let args: Vec<Value> = probed.bits[register].iter().map(|variable| self.read(at, *variable)).collect();
        match &probed.probes.regions[register.index()] {
            RegionMemory::Counter(address) => self.count(at, Some(*address)),
            RegionMemory::Cell(address, index) => {
                let cell = self.func.int(*address as i64);
                let slots = index.as_ref().map_or(Slots::Hashed, |index| Slots::Indexed(index.shift));
                self.execution(at, (cell, slots), args[0]);
            }
            &RegionMemory::Events(cell) => {
                let words = probed.probes.plan.registers[register];
                let announce = encode::fold(probed.probes.function, register, words);
                let fold = Fold { cell, announce, switch: switch(probed, false) };
                let site = self.func.blocks[at].term_site;
                self.func.push(at, Op::Probe(Probe::Fold(fold)), args, None, site);
            }
        }
    }

    /// An execution with these bits is complete, whose runs are in that cell.
    fn execution(&mut self, at: Block, (cell, slots): (Value, Slots), bits: Value) {
        let (one, site) = (self.func.int(1), self.func.blocks[at].term_site);
        self.func.push(at, Op::Probe(Probe::Execution(slots)), [cell, bits, one], None, site);
    }

    /// Clears a register of bits, or sets it to what it has before the first place.
    pub(super) fn clear_bits(&mut self, probed: &Probed, at: Block, register: BitRegister) {
        let start = probed.index(register).map_or(0, |index| index.start);
        for variable in probed.bits[register].clone() {
            self.set(at, variable, start as i64);
        }
    }

    /// Sets a bit of a register, or adds the weight of its place to one that has an index.
    pub(super) fn set_bit(&mut self, probed: &Probed, at: Block, register: BitRegister, (word, bit): (u32, u32)) {
        let variable = probed.bits[register][word as usize];
        if let Some(index) = probed.index(register) {
            return self.add_weight(at, variable, index.weight(bit));
        }
        let before = self.read(at, variable);
        let mask = self.func.int(1_i64 << bit);
        let after = self.binary_of(at, BinaryOp::IntOr, before, mask);
        self.write(at, variable, after);
    }

    /// Adds the weight of a place to a register of bits.
    pub(super) fn add_weight(&mut self, at: Block, variable: Variable, weight: u64) {
        if weight > 0 {
            self.add_to(at, variable, weight as i64);
        }
    }

    /// A branch history is complete: an execution of the paths that start in its start block.
    pub(super) fn finish_branches(&mut self, probed: &Probed, at: Block) {
        let cells = probed.probes.histories.expect("branch histories are counted in place");
        let (start, history) = (self.read(at, probed.start), self.read(at, probed.history));
        let shift = self.func.int(i64::from(CELL.trailing_zeros()));
        let offset = self.binary_of(at, BinaryOp::IntShl, start, shift);
        let cell = self.plus(at, offset, cells as i64);
        self.execution(at, (cell, Slots::Hashed), history);
    }
}
