//! Integer division: the language's, where the machine traps; by constants without a division.
//!
//! In: a dividend, and a divisor that is not 0. Out: quotient or remainder, toward 0, wrapping for `MIN / -1`. By a power of two it is a
//! shift of the dividend, made greater by `2^n - 1` if negative [Warren, section 10-1]; by another constant the high half of a product
//! with a reciprocal [Warren, section 10-3; Granlund & Montgomery 1994].
//!
//! [Warren] H. S. Warren, "Hacker's Delight", 2nd edition, Addison-Wesley 2013.

use super::Emitter;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;

/// Which half of an integer division is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Division {
    Quotient,
    Remainder,
}

/// A reciprocal: the quotient is the high half of the product with the factor, shifted right, plus 1 if negative. Where the factor did not
/// fit, it is off by `2^64`, and the dividend is added to the high half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reciprocal {
    factor: i64,
    shift: u32,
}

impl Reciprocal {
    /// The reciprocal of a divisor from 3 that is no power of two: the least shift at which the rounded factor gives every quotient
    /// [Warren, figure 10-1].
    fn of(divisor: u64) -> Reciprocal {
        let divisor = u128::from(divisor);
        let most = (1u128 << 63) - 1 - (1u128 << 63) % divisor;
        let exponent = (64..127).find(|p| (1u128 << p) > most * (divisor - (1u128 << p) % divisor)).unwrap_or(127);
        let factor = (1u128 << exponent).div_ceil(divisor);
        Reciprocal { factor: factor as u64 as i64, shift: exponent - 64 }
    }
}

impl Emitter<'_> {
    /// Keeps `MIN / -1` away from the machine, which traps on it.
    pub(super) fn divide(
        &mut self,
        part: Division,
        x: clif::Value,
        y: clif::Value,
        constant: Option<i64>,
    ) -> clif::Value {
        if let Some(divisor) = constant {
            return self.divide_by(part, x, divisor);
        }
        let is_minus_one = self.builder.ins().icmp_imm_s(IntCC::Equal, y, -1);
        let one = self.int(1);
        let divisor = self.builder.ins().select(is_minus_one, one, y);
        let usual = match part {
            Division::Quotient => self.builder.ins().sdiv(x, divisor),
            Division::Remainder => self.builder.ins().srem(x, divisor),
        };
        let special = self.divide_by(part, x, -1);
        self.builder.ins().select(is_minus_one, special, usual)
    }

    fn divide_by(&mut self, part: Division, x: clif::Value, divisor: i64) -> clif::Value {
        let magnitude = divisor.unsigned_abs();
        let quotient = match magnitude.is_power_of_two() {
            true if part == Division::Remainder => return self.remainder_by_power(x, magnitude.trailing_zeros()),
            true => self.quotient_by_power(x, magnitude.trailing_zeros()),
            false => self.quotient_by_reciprocal(x, Reciprocal::of(magnitude)),
        };
        // The remainder has the sign of the dividend, whatever the divisor's.
        match part {
            Division::Quotient if divisor < 0 => self.builder.ins().ineg(quotient),
            Division::Quotient => quotient,
            Division::Remainder => {
                let divisor = self.int(magnitude as i64);
                let product = self.builder.ins().imul(quotient, divisor);
                self.builder.ins().isub(x, product)
            }
        }
    }

    /// `2^exponent - 1` if a dividend is negative, else 0.
    fn excess(&mut self, x: clif::Value, exponent: u32) -> clif::Value {
        let sign = if exponent == 1 { x } else { self.builder.ins().sshr_imm_u(x, 63) };
        self.builder.ins().ushr_imm_u(sign, i64::from(64 - exponent))
    }

    fn quotient_by_power(&mut self, x: clif::Value, exponent: u32) -> clif::Value {
        if exponent == 0 {
            return x;
        }
        let excess = self.excess(x, exponent);
        let sum = self.builder.ins().iadd(x, excess);
        self.builder.ins().sshr_imm_u(sum, i64::from(exponent))
    }

    fn remainder_by_power(&mut self, x: clif::Value, exponent: u32) -> clif::Value {
        if exponent == 0 {
            return self.int(0);
        }
        let excess = self.excess(x, exponent);
        let sum = self.builder.ins().iadd(x, excess);
        let mask = self.int((u64::MAX >> (64 - exponent)) as i64);
        let low = self.builder.ins().band(sum, mask);
        self.builder.ins().isub(low, excess)
    }

    fn quotient_by_reciprocal(&mut self, x: clif::Value, Reciprocal { factor, shift }: Reciprocal) -> clif::Value {
        let by = self.int(factor);
        let high = self.builder.ins().smulhi(x, by);
        let sum = if factor < 0 { self.builder.ins().iadd(high, x) } else { high };
        let shifted = if shift == 0 { sum } else { self.builder.ins().sshr_imm_u(sum, i64::from(shift)) };
        let is_negative = self.builder.ins().ushr_imm_u(shifted, 63);
        self.builder.ins().iadd(shifted, is_negative)
    }
}

#[cfg(test)]
mod tests {
    use super::Reciprocal;
    use proptest::prelude::{any, prop_assert_eq, prop_assume, proptest};

    fn quotient(x: i64, Reciprocal { factor, shift }: Reciprocal) -> i64 {
        let high = ((i128::from(x) * i128::from(factor)) >> 64) as i64;
        let sum = if factor < 0 { high.wrapping_add(x) } else { high };
        let shifted = sum >> shift;
        shifted.wrapping_add((shifted as u64 >> 63) as i64)
    }

    /// The factors and shifts printed in [Warren, table 10-1] for 64 bits.
    #[test]
    fn reciprocals_are_those_of_the_table() {
        let of = |divisor| {
            let Reciprocal { factor, shift } = Reciprocal::of(divisor);
            (factor as u64, shift)
        };
        assert_eq!(of(3), (0x5555_5555_5555_5556, 0));
        assert_eq!(of(5), (0x6666_6666_6666_6667, 1));
        assert_eq!(of(7), (0x4924_9249_2492_4925, 1));
        assert_eq!(of(9), (0x1c71_c71c_71c7_1c72, 0));
        assert_eq!(of(10), (0x6666_6666_6666_6667, 2));
        assert_eq!(of(25), (0xa3d7_0a3d_70a3_d70b, 4));
    }

    #[test]
    fn edges_of_the_range() {
        for divisor in [3, 5, 6, 7, 10, 641, 1_000_003, i64::MAX - 1, i64::MAX] {
            for x in [0, 1, -1, divisor, -divisor, divisor - 1, 1 - divisor, i64::MIN, i64::MIN + 1, i64::MAX] {
                assert_eq!(quotient(x, Reciprocal::of(divisor as u64)), x / divisor, "{x} / {divisor}");
            }
        }
    }

    proptest! {
        #[test]
        fn reciprocals_divide(x in any::<i64>(), divisor in 3..=i64::MAX, bits in 0..61u32) {
            let divisor = divisor >> bits;
            prop_assume!(divisor >= 3 && !(divisor as u64).is_power_of_two());
            prop_assert_eq!(quotient(x, Reciprocal::of(divisor as u64)), x / divisor);
        }
    }
}
