//! Forced guard failures: in front of each guard a test of a pseudo-random number, whose failure leads to the rest of
//! the block in the general loop. Invariant: the numbers are in a local that nothing else reads, and depend on seed and
//! program alone, so they change where a program runs, never what it computes.

use cranelift_entity::PrimaryMap;
use holloway_lang::ir::{BinaryOp, Block, Cfg, Function, Inst, Liveness, Local, LocalDecl, Operand, Scalar};

/// Knuth's MMIX: `x -> A x + C`.
const A: i64 = 6_364_136_223_846_793_005;
const C: i64 = 1_442_695_040_888_963_407;

/// The pseudo-random numbers of a trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForcedFailures {
    number: Local,
    seed: u64,
    /// Local that varies the numbers from one execution of the trace to the next.
    varied_by: Option<Local>,
}

impl ForcedFailures {
    pub(super) fn new(
        seed: u64,
        (body, cfg, header): (&Function, &Cfg, Block),
        locals: &mut PrimaryMap<Local, LocalDecl>,
    ) -> ForcedFailures {
        let number = locals.push(LocalDecl { scalar: Scalar::Int, name: None });
        let live = Liveness::compute(body, cfg);
        let varied_by = live.live_in(header).filter(|local| body.scalar(*local) == Scalar::Int).max();
        ForcedFailures { number, seed, varied_by }
    }

    /// Sets the first number, at the entry of the trace.
    pub(super) fn start(self) -> Inst {
        let (dst, seed) = (self.number, Operand::Int(self.seed as i64));
        match self.varied_by {
            Some(local) => Inst::Binary { op: BinaryOp::IntXor, dst, lhs: Operand::Local(local), rhs: seed },
            None => Inst::Copy { dst, src: seed },
        }
    }

    /// Binary logarithm of the guards to a failure: from one in two to one in 128.
    fn bits(self) -> i64 {
        1 + (self.seed % 7) as i64
    }

    /// Draws the next number; returns the local that is 0 if the guard is to fail.
    pub(super) fn draw(self, locals: &mut PrimaryMap<Local, LocalDecl>, insts: &mut Vec<Inst>) -> Local {
        let number = Operand::Local(self.number);
        let top = locals.push(LocalDecl { scalar: Scalar::Int, name: None });
        let steps = [
            (BinaryOp::IntMul, self.number, number, A),
            (BinaryOp::IntAdd, self.number, number, C),
            (BinaryOp::IntUshr, top, number, 64 - self.bits()),
        ];
        insts.extend(steps.map(|(op, dst, lhs, rhs)| Inst::Binary { op, dst, lhs, rhs: Operand::Int(rhs) }));
        top
    }
}
