//! Tests in front of inner loops that a trace passes in a known number of rounds.
//!
//! In: where such a loop is entered, and its [`Trips`]. Out: the blocks of the tests; one that fails leads to the loop as it was.

use super::place::FormedPlace;
use super::{Former, int};
use crate::trace::sequence::Point;
use crate::trace::trips::Trips;
use holloway_lang::ir::{BinaryOp, BlockData, Inst, Operand};

impl Former<'_> {
    /// A test in front of an inner loop: of its bound, of its counter, then of its counter and an array.
    pub(super) fn ahead(&mut self, place: FormedPlace, of: Point, at: usize) -> BlockData {
        let (Trips { counter, bound, rounds, arrays }, sum) = self.trips[&of].clone();
        let counter = Operand::Local(counter);
        let add = |dst, lhs, by| Inst::Binary { op: BinaryOp::IntAdd, dst, lhs, rhs: Operand::Int(by) };
        let (insts, compared) = match at {
            0 => (vec![add(sum, counter, rounds)], (BinaryOp::IntEq, Operand::Local(bound), Operand::Local(sum))),
            1 => (Vec::new(), (BinaryOp::IntGe, counter, Operand::Int(0))),
            _ => {
                let (len, end) = (int(&mut self.locals), int(&mut self.locals));
                let object = Operand::Local(arrays[at - 2]);
                let insts = vec![Inst::Len { dst: len, object }, add(end, Operand::Local(len), 1 - rounds)];
                (insts, (BinaryOp::IntLt, counter, Operand::Local(end)))
            }
        };
        let is_last = at == 1 + arrays.len();
        let onward = if is_last { FormedPlace::Step(of) } else { FormedPlace::Ahead { of, at: at as u32 + 1 } };
        let otherwise = self.general(place, self.origin(place));
        self.guarded((place, Some(of)), insts, compared, (onward, otherwise))
    }

    /// Gives a loop's bound the value that the tests have shown it to have, where code sees how it is made.
    pub(super) fn bound_ahead(&self, of: Point) -> Option<Inst> {
        let (trips, sum) = self.trips.get(&of)?;
        Some(Inst::Copy { dst: trips.bound, src: Operand::Local(*sum) })
    }
}
