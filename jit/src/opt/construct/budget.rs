//! The budget of inlining, in IR instructions.
//!
//! In: the function that calls are inlined into. Out: a [`Budget`]. Invariant: it only falls.

use crate::settings::inline::{FORMED, GROWTH};
use holloway_lang::ir::Function;

/// The budget for further inlining.
pub(super) struct Budget {
    pub(super) left: usize,
    /// Of formed bodies, which take the place of plain ones.
    formed: usize,
}

impl Budget {
    pub(super) fn none() -> Budget {
        Budget { left: 0, formed: FORMED }
    }

    pub(super) fn new(body: &Function) -> Budget {
        Budget { left: GROWTH + body.size() / 2, formed: FORMED }
    }

    /// True if there is room for a formed body; then it is taken.
    pub(super) fn takes_formed(&mut self, body: &Function) -> bool {
        let left = self.formed.checked_sub(body.size());
        self.formed = left.unwrap_or(self.formed);
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_lang::ir::{FuncRef, parse};

    #[test]
    fn formed_bodies_have_a_budget_of_their_own() {
        let text = "type t0 = int\nsig0 = (t0) -> t0\nfunction f0 \"f\" sig0(v0: int) -> int {\nblock0:\n v0 = iadd v0, 1\n v0 = iadd v0, 2\n return v0\n}";
        let module = parse::module(text).expect("well formed");
        let body = module.function(FuncRef::from_u32(0));
        let mut budget = Budget::new(body);
        let left = budget.left;
        let taken = (0..=FORMED).take_while(|_| budget.takes_formed(body)).count();
        assert_eq!(taken, FORMED / body.size());
        assert_eq!(budget.left, left, "plain bodies have all of theirs");
    }
}
