//! Guards that fail by chance, though what they guard holds.
//!
//! In: a trace being formed, with a seed. Out: in front of each guard a test of a number from a sequence of its own; one
//! that fails leaves for the rest of the block in the general loop, which decides again where to go on.
//! Invariant: the sequence is in a local that nothing else reads, and it depends on the seed and the program's state alone. So
//! a shaken trace does what the trace does, at other times elsewhere.

use super::{Former, Guard, Place};
use cranelift_entity::PrimaryMap;
use holloway_lang::ir::{
    BinaryOp, Block, BlockData, Cfg, Function, Inst, Liveness, Local, LocalDecl, Operand, Scalar, Terminator,
};

/// Knuth's MMIX: `x -> A x + C`.
const A: i64 = 6_364_136_223_846_793_005;
const C: i64 = 1_442_695_040_888_963_407;

/// The sequence of a trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    /// Local that holds its present number.
    number: Local,
    seed: u64,
    /// Local that makes the sequence another one each time that the trace is begun.
    varied_by: Option<Local>,
}

impl Sequence {
    pub(super) fn new(
        seed: u64,
        (body, cfg, header): (&Function, &Cfg, Block),
        locals: &mut PrimaryMap<Local, LocalDecl>,
    ) -> Sequence {
        let number = locals.push(LocalDecl { scalar: Scalar::Int, name: None });
        let live = Liveness::compute(body, cfg);
        let varied_by = live.live_in(header).filter(|local| body.scalar(*local) == Scalar::Int).max();
        Sequence { number, seed, varied_by }
    }

    /// Starts it, where the trace is begun.
    pub(super) fn start(self) -> Inst {
        let (dst, seed) = (self.number, Operand::Int(self.seed as i64));
        match self.varied_by {
            Some(local) => Inst::Binary { op: BinaryOp::IntXor, dst, lhs: Operand::Local(local), rhs: seed },
            None => Inst::Copy { dst, src: seed },
        }
    }

    /// One in how many guards fails, as a power of two: from every second one to one in 128.
    fn bits(self) -> i64 {
        1 + (self.seed % 7) as i64
    }
}

impl Former<'_> {
    /// Ends a block of the trace with the test, if its own end is a guard.
    pub(super) fn shake(&mut self, place: Place, at: u32, data: &mut BlockData) -> bool {
        let Some(sequence) = self.shaken else { return false };
        let block = self.step(at).block;
        let mut ways = 0;
        self.body.blocks[block].term.targets(|_| ways += 1);
        if ways < 2 {
            return false;
        }
        let number = Operand::Local(sequence.number);
        let top = self.locals.push(LocalDecl { scalar: Scalar::Int, name: None });
        let steps = [
            (BinaryOp::IntMul, sequence.number, number, A),
            (BinaryOp::IntAdd, sequence.number, number, C),
            (BinaryOp::IntUshr, top, number, 64 - sequence.bits()),
        ];
        data.insts.extend(steps.map(|(op, dst, lhs, rhs)| Inst::Binary { op, dst, lhs, rhs: Operand::Int(rhs) }));
        let fails = self.compare(&mut data.insts, BinaryOp::IntEq, Operand::Local(top), Operand::Int(0));
        data.spans.resize(data.insts.len(), data.term_span);
        let (from, then, otherwise) = (self.number(place), self.number(Place::Rest(at)), self.number(Place::Guard(at)));
        self.guards.push(Guard { edge: (from, then), at: Some(self.step(at).at()), target: block });
        data.term = Terminator::Branch { cond: Operand::Local(fails), then, otherwise };
        true
    }
}
