//! Conversions of floats to integers that fail where the integer does not fit.
//!
//! In: operators. Out: one test of the range, which NaN does not pass, and behind it the conversion. Invariant: which failure it is is
//! asked where the test fails alone.

use super::Lowering;
use holloway_ir::{BinaryOp, FailKind, Inst, Operand, Scalar, Terminator, UnaryOp};
use wasmparser::Operator;

/// The floats whose integers fit.
struct Range {
    /// Compares with `least`.
    above: BinaryOp,
    least: f64,
    /// All fitting ones are less.
    most: f64,
}

const SIGNED_32: Range = Range { above: BinaryOp::FloatGt, least: -2_147_483_649.0, most: 2_147_483_648.0 };
const UNSIGNED_32: Range = Range { above: BinaryOp::FloatGt, least: -1.0, most: 4_294_967_296.0 };
const SIGNED_64: Range =
    Range { above: BinaryOp::FloatGe, least: -9_223_372_036_854_775_808.0, most: 9_223_372_036_854_775_808.0 };
const UNSIGNED_64: Range = Range { above: BinaryOp::FloatGt, least: -1.0, most: 18_446_744_073_709_551_616.0 };

impl Lowering<'_> {
    pub(super) fn truncate(&mut self, op: &Operator<'_>) -> bool {
        let range = match op {
            Operator::I32TruncF32S | Operator::I32TruncF64S => SIGNED_32,
            Operator::I32TruncF32U | Operator::I32TruncF64U => UNSIGNED_32,
            Operator::I64TruncF32S | Operator::I64TruncF64S => SIGNED_64,
            Operator::I64TruncF32U | Operator::I64TruncF64U => UNSIGNED_64,
            _ => return false,
        };
        let value = match op {
            Operator::I32TruncF32S | Operator::I32TruncF32U | Operator::I64TruncF32S | Operator::I64TruncF32U => {
                self.pop_single()
            }
            _ => self.pop(Scalar::Float),
        };
        self.require(value, range);
        match op {
            Operator::I32TruncF32S | Operator::I32TruncF64S => {
                self.push_unary(UnaryOp::FloatToInt, value);
                self.mask_word();
            }
            Operator::I64TruncF32U | Operator::I64TruncF64U => self.push_unary(UnaryOp::FloatToUint, value),
            _ => self.push_unary(UnaryOp::FloatToInt, value),
        }
        true
    }

    fn require(&mut self, value: Operand, Range { above, least, most }: Range) {
        let (fits, is_below) = (self.temporary(Scalar::Bool), self.temporary(Scalar::Bool));
        let compare = |op, dst, rhs: f64| Inst::Binary { op, dst, lhs: value, rhs: Operand::Float(rhs.to_bits()) };
        self.builder.push(compare(above, fits, least));
        self.builder.push(compare(BinaryOp::FloatLt, is_below, most));
        let (lhs, rhs) = (Operand::Local(fits), Operand::Local(is_below));
        self.builder.push(Inst::Binary { op: BinaryOp::BoolAnd, dst: fits, lhs, rhs });
        let (fails, goes_on) = (self.block(), self.block());
        self.builder.terminate(Terminator::Branch { cond: lhs, then: goes_on, otherwise: fails });
        self.begin(fails);
        self.builder.push(Inst::Binary { op: BinaryOp::FloatNe, dst: fits, lhs: value, rhs: value });
        self.fail_if(lhs, FailKind::InvalidConversion);
        self.fail(FailKind::IntegerOverflow);
        self.begin(goes_on);
    }
}
