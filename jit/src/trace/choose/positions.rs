//! Positions: the constants that locals must be for a round to take its way through tables.
//!
//! In: a body, the blocks of a round, locals that come back to the value that a round began with, and the program's tables. Out: the one value with which
//! the round's branches go as they went, and with which the local ends as it began. An interpreter's position in a program that nobody writes is
//! found so; then the round's code can be made for that part of the program, which is the specialization of an interpreter to its program of [Fut71].
//!
//! Invariant: a value is only found if some branch would have gone another way with others. The formed trace tests it, so it need not be the one.
//!
//! [Fut71] Y. Futamura, "Partial Evaluation of Computation Process: An Approach to a Compiler-Compiler", Systems, Computers, Controls 2(5), 1971.

use crate::arrays::Tables;
use crate::opt::simplify::{fold_ints, fold_unary};
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function, Inst, Local, Operand, Terminator};

/// The blocks of a round, in order.
pub(super) struct Round<'a> {
    pub(super) body: &'a Function,
    pub(super) blocks: &'a [Block],
    /// Headers of loops that are passed as a whole.
    pub(super) is_collapsed: &'a dyn Fn(Block) -> bool,
    pub(super) tables: &'a Tables<'a>,
}

/// Values of locals that are known in a round.
type Values = HashMap<Local, Operand>;

impl Round<'_> {
    /// The value that a local must have, if it is one alone.
    pub(super) fn position(&self, local: Local) -> Option<i64> {
        let mut fitting = (0..self.longest_table()).filter(|value| self.fits(local, *value));
        let found = fitting.next()?;
        fitting.next().is_none().then_some(found)
    }

    /// The length of the longest table that the round reads.
    fn longest_table(&self) -> i64 {
        let insts = self.blocks.iter().flat_map(|block| &self.body.blocks[*block].insts);
        let read = insts.filter_map(|inst| match inst {
            Inst::ElemGet { array: Operand::Local(array), .. } => self.tables.of(*array)?.table.as_ref(),
            _ => None,
        });
        read.map(|table| table.items.len()).max().unwrap_or(0) as i64
    }

    /// True if the round goes its way, some branch by what is read from a table, when it begins with a value of a local, and ends with the same.
    fn fits(&self, local: Local, value: i64) -> bool {
        let mut values = Values::from([(local, Operand::Int(value))]);
        let mut decided = false;
        for (at, block) in self.blocks.iter().enumerate() {
            let next = self.blocks[(at + 1) % self.blocks.len()];
            let data = &self.body.blocks[*block];
            if (self.is_collapsed)(*block) {
                // Nobody knows what such a loop leaves.
                return false;
            }
            for inst in &data.insts {
                let Some(dst) = inst.dst() else { continue };
                match self.value(&values, inst) {
                    Some(known) => values.insert(dst, known),
                    None => values.remove(&dst),
                };
            }
            match self.goes_to(&values, &data.term) {
                Some(to) if to != next => return false,
                Some(_) => decided = true,
                None => {}
            }
        }
        decided && values.get(&local) == Some(&Operand::Int(value))
    }

    fn value(&self, values: &Values, inst: &Inst) -> Option<Operand> {
        let of = |operand: &Operand| known(values, *operand);
        match inst {
            Inst::Copy { src, .. } => of(src),
            Inst::Unary { op, src, .. } => fold_unary(*op, of(src)?),
            Inst::Binary { op, lhs, rhs, .. } => match (of(lhs)?, of(rhs)?) {
                (Operand::Int(a), Operand::Int(b)) => fold_ints(*op, a, b),
                _ => None,
            },
            Inst::ElemGet { array: Operand::Local(array), index, .. } => match of(index)? {
                Operand::Int(index) => self.tables.of(*array)?.table.as_ref()?.at(index),
                _ => None,
            },
            Inst::Len { object: Operand::Local(array), .. } => Some(Operand::Int(self.tables.of(*array)?.length)),
            _ => None,
        }
    }

    /// Where a branch goes by what is known; nothing of a jump.
    fn goes_to(&self, values: &Values, term: &Terminator) -> Option<Block> {
        match term {
            Terminator::Branch { cond, then, otherwise } => match known(values, *cond)? {
                Operand::Bool(holds) => Some(if holds { *then } else { *otherwise }),
                _ => None,
            },
            Terminator::Switch { value, cases, default } => match known(values, *value)? {
                Operand::Int(value) => {
                    Some(cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, to)| *to))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn known(values: &Values, operand: Operand) -> Option<Operand> {
    match operand {
        Operand::Local(local) => values.get(&local).copied(),
        constant => Some(constant),
    }
}
