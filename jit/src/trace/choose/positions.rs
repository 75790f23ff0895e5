//! Positions: the one value that a local must have for a round to take its way through tables that nobody writes, and
//! to end as it began: an interpreter's position in its program, for which the round's code can be made `[Fut71]`.
//! Invariant: some branch is decided by what the local finds in a table. The formed trace tests it.
//!
//! `[Fut71]` Y. Futamura, "Partial Evaluation of Computation Process: An Approach to a Compiler-Compiler", Systems,
//! Computers, Controls 2(5), 1971.

use crate::arrays::BodyFacts;
use crate::opt::simplify::{fold_ints, fold_unary};
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function, Inst, Local, Operand, Terminator};

/// Most instructions that are looked at to find a position in a table: some milliseconds. It bounds that time.
const MOST_STEPS: usize = 1 << 18;

pub(super) struct Round<'a> {
    pub(super) body: &'a Function,
    pub(super) blocks: &'a [Block],
    pub(super) facts: &'a BodyFacts<'a>,
}

/// A value that is known, and whether it comes from what the local finds in a table.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    value: Operand,
    from: From,
}

/// The origin of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum From {
    Constants,
    Local,
    /// An element of a table at an index that is made of the local.
    Table,
}

/// Values of locals that are known in a round.
type Values = HashMap<Local, Known>;

impl Round<'_> {
    /// The value that a local must have, if it is one alone.
    pub(super) fn position(&self, local: Local) -> Option<i64> {
        let longest = self.longest_table();
        let size: usize = self.blocks.iter().map(|block| self.body.blocks[*block].insts.len()).sum();
        if longest * size > MOST_STEPS {
            return None;
        }
        let mut fitting = (0..longest as i64).filter(|value| self.fits(local, *value));
        let found = fitting.next()?;
        fitting.next().is_none().then_some(found)
    }

    /// The length of the longest table that the round reads.
    fn longest_table(&self) -> usize {
        let insts = self.blocks.iter().flat_map(|block| &self.body.blocks[*block].insts);
        let read = insts.filter_map(|inst| match inst {
            Inst::ElemGet { array: Operand::Local(array), .. } => self.facts.of(*array)?.table.as_ref(),
            _ => None,
        });
        read.map(|table| table.items.len()).max().unwrap_or(0)
    }

    /// True if the round goes its way, some branch by what is read from a table, when it begins with a value of a local, and ends with the same.
    fn fits(&self, local: Local, value: i64) -> bool {
        let first = Known { value: Operand::Int(value), from: From::Local };
        let mut values = Values::from([(local, first)]);
        let mut is_told = false;
        for (at, block) in self.blocks.iter().enumerate() {
            let next = self.blocks[(at + 1) % self.blocks.len()];
            let data = &self.body.blocks[*block];
            for inst in &data.insts {
                let Some(dst) = inst.dst() else { continue };
                match self.value(&values, inst) {
                    Some(known) => values.insert(dst, known),
                    None => values.remove(&dst),
                };
            }
            match self.goes_to(&values, &data.term) {
                Some((to, _)) if to != next => return false,
                Some((_, from)) => is_told |= from == From::Table,
                None => {}
            }
        }
        is_told && values.get(&local).is_some_and(|known| known.value == first.value)
    }

    fn value(&self, values: &Values, inst: &Inst) -> Option<Known> {
        let of = |operand: &Operand| known(values, *operand);
        match inst {
            Inst::Copy { src, .. } => of(src),
            Inst::Unary { op, src, .. } => {
                let Known { value, from } = of(src)?;
                Some(Known { value: fold_unary(*op, value)?, from })
            }
            Inst::Binary { op, lhs, rhs, .. } => {
                let (lhs, rhs) = (of(lhs)?, of(rhs)?);
                match (lhs.value, rhs.value) {
                    (Operand::Int(a), Operand::Int(b)) => {
                        Some(Known { value: fold_ints(*op, a, b)?, from: lhs.from.max(rhs.from) })
                    }
                    _ => None,
                }
            }
            Inst::ElemGet { array: Operand::Local(array), index, .. } => {
                let Known { value: Operand::Int(index), from } = of(index)? else { return None };
                let value = self.facts.of(*array)?.table.as_ref()?.at(index)?;
                Some(Known { value, from: if from == From::Constants { from } else { From::Table } })
            }
            Inst::Len { object: Operand::Local(array), .. } => {
                Some(Known { value: Operand::Int(self.facts.of(*array)?.length), from: From::Constants })
            }
            _ => None,
        }
    }

    /// The block that a branch goes to by what is known, and what tells it; nothing of a jump.
    fn goes_to(&self, values: &Values, term: &Terminator) -> Option<(Block, From)> {
        let decides = match term {
            Terminator::Branch { cond, .. } => cond,
            Terminator::Switch { value, .. } => value,
            _ => return None,
        };
        let Known { value: decided, from } = known(values, *decides)?;
        let to = match (term, decided) {
            (Terminator::Branch { then, .. }, Operand::Bool(true)) => *then,
            (Terminator::Branch { otherwise, .. }, Operand::Bool(false)) => *otherwise,
            (Terminator::Switch { cases, default, .. }, Operand::Int(value)) => {
                cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, to)| *to)
            }
            _ => return None,
        };
        Some((to, from))
    }
}

fn known(values: &Values, operand: Operand) -> Option<Known> {
    match operand {
        Operand::Local(local) => values.get(&local).copied(),
        value => Some(Known { value, from: From::Constants }),
    }
}
