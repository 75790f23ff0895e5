//! Tests in front of inner loops that a trace passes in a known number of rounds.
//!
//! In: where such a loop is entered, and its [`Trips`](crate::trace::trips::Trips). Out: the blocks of the tests; one that fails leads to the loop as it was.

use super::{Former, Place, int};
use crate::trace::sequence::Point;
use holloway_lang::ir::{BinaryOp, BlockData, Inst, Operand, Terminator};

impl Former<'_> {
    /// A test in front of an inner loop: of its bound, of its counter, then of its counter and an array.
    pub(super) fn ahead(&mut self, place: Place, of: Point, at: usize) -> BlockData {
        let (trips, sum) = self.trips[&of].clone();
        let header = self.tree.step(of).block;
        let counter = Operand::Local(trips.counter);
        let mut insts = Vec::new();
        let (op, lhs, rhs) = match at {
            0 => {
                insts.push(Inst::Binary {
                    op: BinaryOp::IntAdd,
                    dst: sum,
                    lhs: counter,
                    rhs: Operand::Int(trips.rounds),
                });
                (BinaryOp::IntEq, Operand::Local(trips.bound), Operand::Local(sum))
            }
            1 => (BinaryOp::IntGe, counter, Operand::Int(0)),
            _ => {
                let (len, end) = (int(&mut self.locals), int(&mut self.locals));
                insts.push(Inst::Len { dst: len, object: Operand::Local(trips.arrays[at - 2]) });
                let by = Operand::Int(1 - trips.rounds);
                insts.push(Inst::Binary { op: BinaryOp::IntAdd, dst: end, lhs: Operand::Local(len), rhs: by });
                (BinaryOp::IntLt, counter, Operand::Local(end))
            }
        };
        let cond = self.compare(&mut insts, op, lhs, rhs);
        let is_last = at == 1 + trips.arrays.len();
        let onward = if is_last { Place::Step(of) } else { Place::Ahead { of, at: at as u32 + 1 } };
        let otherwise = self.general(place, header);
        let (from, then, otherwise) = (self.number(place), self.number(onward), self.number(otherwise));
        self.guard((from, otherwise), Some(of), header);
        self.alone(header, insts, Terminator::Branch { cond: Operand::Local(cond), then, otherwise })
    }

    /// Gives a loop's bound the value that the tests have shown it to have, where code sees how it is made.
    pub(super) fn bound_ahead(&self, of: Point) -> Option<Inst> {
        let (trips, sum) = self.trips.get(&of)?;
        Some(Inst::Copy { dst: trips.bound, src: Operand::Local(*sum) })
    }
}
