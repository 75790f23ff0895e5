//! Products by constants as shifts with a sum or a difference.
//!
//! In: a factor, or the operands of a product. Out: its [`Shifts`], if it has some; the product. Invariant: `x * factor` is `((x << inner) + x) << outer`, or with `- x`, for
//! every `x`, wrapping as products do [Warren, section 8-4].
//!
//! [Warren] H. S. Warren, "Hacker's Delight", 2nd edition, Addison-Wesley 2013.

use super::Translator;
use crate::opt::ssa::Value;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::InstBuilder;
use holloway_lang::ir::BinaryOp;

/// A factor next to a power of two, or such a one times a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shifts {
    inner: u32,
    /// True if `x` is added, false if it is subtracted.
    adds: bool,
    outer: u32,
}

impl Shifts {
    /// The shifts that multiply by a factor: two operations. A third one is a doubling of 3, 5 or 9 times a value, which becomes part of an
    /// address, as in `x * 10 + digit`.
    fn of(factor: i64) -> Option<Shifts> {
        let outer = factor.trailing_zeros();
        let odd = factor.checked_shr(outer).filter(|odd| *odd > 1)?;
        let inner_of = |power: i64| (power > 0 && power & (power - 1) == 0).then(|| power.trailing_zeros());
        let shifts = match (inner_of(odd - 1), odd.checked_add(1).and_then(inner_of)) {
            (Some(inner), _) => Shifts { inner, adds: true, outer },
            (None, Some(inner)) => Shifts { inner, adds: false, outer },
            (None, None) => return None,
        };
        (outer == 0 || outer == 1 && shifts.adds && shifts.inner <= 3).then_some(shifts)
    }
}

impl Translator<'_> {
    /// A product; those by some factors are shifts and a sum or difference, which wait for less than a multiplication.
    pub(super) fn product(&mut self, values: &[Value], args: &[clif::Value]) -> clif::Value {
        let factor = |at: usize| self.ssa.as_int(values[at]).and_then(Shifts::of);
        let power = |at: usize| {
            let by = self.ssa.as_int(values[at])? as u64;
            by.is_power_of_two().then(|| by.trailing_zeros())
        };
        let by_constant = factor(1).map(|by| (args[0], by)).or_else(|| factor(0).map(|by| (args[1], by)));
        match by_constant {
            Some((x, Shifts { inner, adds, outer })) => {
                let shifted = self.emit.builder.ins().ishl_imm_u(x, i64::from(inner));
                let sum = match adds {
                    true => self.emit.builder.ins().iadd(x, shifted),
                    false => self.emit.builder.ins().isub(shifted, x),
                };
                if outer == 0 { sum } else { self.emit.builder.ins().ishl_imm_u(sum, i64::from(outer)) }
            }
            None => match power(1).map(|by| (args[0], by)).or_else(|| power(0).map(|by| (args[1], by))) {
                Some((x, by)) => self.emit.builder.ins().ishl_imm_u(x, i64::from(by)),
                None => self.emit.binary(BinaryOp::IntMul, args[0], args[1], None),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shifts;

    #[test]
    fn shifts_multiply() {
        let mut found = Vec::new();
        for factor in (-1..=40).chain([i64::MIN, i64::MAX, i64::MAX - 1, 65_537, 1_000_003]) {
            let Some(Shifts { inner, adds, outer }) = Shifts::of(factor) else { continue };
            found.push(factor);
            for x in [0i64, 1, -1, 7, -12_345, i64::MIN, i64::MAX] {
                let shifted = x.wrapping_shl(inner);
                let sum = if adds { shifted.wrapping_add(x) } else { shifted.wrapping_sub(x) };
                assert_eq!(sum.wrapping_shl(outer), x.wrapping_mul(factor), "{x} * {factor}");
            }
        }
        assert_eq!(found, [3, 5, 6, 7, 9, 10, 15, 17, 18, 31, 33, 65_537]);
    }
}
