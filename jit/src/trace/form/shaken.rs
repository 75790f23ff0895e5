//! Guards that fail by chance, though what they guard holds.
//!
//! In: a trace being formed, with a seed. Out: in front of each guard a test of a number from a sequence of its own; one
//! that fails leaves for the rest of the block in the general loop, which decides again where to go on.
//! Invariant: the sequence is in a local that nothing else reads, and it depends on the seed and the program's state alone. So
//! a shaken trace does what the trace does, at other times elsewhere.

use cranelift_entity::PrimaryMap;
use holloway_lang::ir::{BinaryOp, Block, Cfg, Function, Inst, Liveness, Local, LocalDecl, Operand, Scalar};

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

    /// Draws the next number; gives the local that is 0 when a guard is to fail.
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
