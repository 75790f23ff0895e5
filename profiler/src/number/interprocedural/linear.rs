//! Linear functions of numbers of paths.
//!
//! In: pairs of numbers. Out: [`Linear`], `lambda x. a * x + b`, with the operations of `[MR98]` 5.2.2.
//!
//! Numbers are 128-bit; `docs/lab.md` states what that costs. Invariant: an operation whose result does not fit gives
//! `None`.

/// `lambda x. a * x + b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// The coefficient.
    pub a: u128,
    /// The constant.
    pub b: u128,
}

impl Linear {
    /// `lambda x. x`.
    pub(super) const IDENTITY: Linear = Linear { a: 1, b: 0 };
    /// `lambda x. 1`.
    pub(super) const ONE: Linear = Linear { a: 0, b: 1 };
    /// `lambda x. 0`.
    pub(super) const ZERO: Linear = Linear { a: 0, b: 0 };

    /// `lambda x. self(x) + other(x)`.
    pub(super) fn plus(self, other: Linear) -> Option<Linear> {
        Some(Linear { a: self.a.checked_add(other.a)?, b: self.b.checked_add(other.b)? })
    }

    /// `lambda x. self(inner(x))`.
    pub(super) fn after(self, inner: Linear) -> Option<Linear> {
        Some(Linear { a: self.a.checked_mul(inner.a)?, b: self.checked_at(inner.b)? })
    }

    /// Its value at `x`.
    pub(super) fn checked_at(self, x: u128) -> Option<u128> {
        self.a.checked_mul(x)?.checked_add(self.b)
    }

    /// Its value at a number of completions that occurs on a path: numbering has checked that all of them fit.
    pub(super) fn at(self, x: u128) -> u128 {
        self.checked_at(x).expect("a path has at most as many completions as there are paths")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example above Equation (24).
    #[test]
    fn composition_and_sum() {
        let (f, g) = (Linear { a: 2, b: 3 }, Linear { a: 5, b: 7 });
        assert_eq!(f.after(g), Some(Linear { a: 10, b: 17 }));
        assert_eq!(f.plus(g), Some(Linear { a: 7, b: 10 }));
        assert_eq!(Linear::IDENTITY.after(f), Some(f));
        assert_eq!(Linear::ONE.after(f), Some(Linear::ONE));
    }

    #[test]
    fn what_does_not_fit_is_none() {
        let most = Linear { a: u128::MAX, b: 1 };
        assert_eq!((most.checked_at(1), most.checked_at(2)), (None, None));
        assert_eq!(most.plus(Linear::IDENTITY), None);
        assert_eq!(most.after(Linear { a: 2, b: 0 }), None);
        assert_eq!(most.checked_at(0), Some(1));
    }
}
