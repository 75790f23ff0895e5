//! Trivial functions: short straight code with at most one call, of a function that is trivial, too. No branch and no indirect call is in them or
//! below them, so counts of theirs would tell the optimizer nothing, and optimized code of one has its callees inlined, which then need no
//! code of their own. HotSpot compiles its trivial methods once and for all, too.
//!
//! In: the functions of a module. Out: which are trivial, each looked at once. Invariant: what a trivial function calls is trivial.

use crate::settings::inline::SMALL;
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::{FuncRef, Function, Inst, Module};

/// The trivial functions of a module, as far as looked at.
#[derive(Clone, Debug, Default)]
pub struct TrivialFunctions {
    known: SecondaryMap<FuncRef, Option<bool>>,
}

impl TrivialFunctions {
    /// Forgets everything, as bodies were replaced.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Returns whether a function is trivial and calls another. None is that a program starts with, as it is executed once.
    pub fn takes_in_another(&mut self, module: &Module, func: FuncRef) -> bool {
        !is_start(module, func)
            && matches!(straight(module.function(func)), Some(Some(_)))
            && self.is_trivial(module, func)
    }

    fn is_trivial(&mut self, module: &Module, func: FuncRef) -> bool {
        let (mut chain, mut next) = (Vec::new(), Some(func));
        let mut is_trivial = true;
        while let Some(func) = next.filter(|_| is_trivial) {
            next = None;
            is_trivial = match (self.known[func], straight(module.function(func))) {
                (Some(known), _) => known,
                (None, None) => false,
                (None, Some(callee)) => {
                    // It is not if this comes back to it: a recursion.
                    self.known[func] = Some(false);
                    chain.push(func);
                    next = callee;
                    true
                }
            };
        }
        chain.iter().for_each(|func| self.known[*func] = Some(is_trivial));
        is_trivial
    }
}

/// Returns whether a program starts with a function.
pub(crate) fn is_start(module: &Module, func: FuncRef) -> bool {
    module.top_level.contains(&func) || module.main.as_ref().is_some_and(|main| main.func == func)
}

/// The one callee of straight code, if it has one; nothing of a body that is not straight and short, or that has more calls.
fn straight(body: &Function) -> Option<Option<FuncRef>> {
    let mut calls = body.straight()?.insts.iter().filter(|inst| inst.is_call());
    let callee = match calls.next() {
        None => None,
        Some(Inst::Call { func, .. }) => Some(*func),
        Some(_) => return None,
    };
    (body.size() <= SMALL && calls.next().is_none()).then_some(callee)
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_lang::ir::parse;

    /// `f0` is a leaf, `f1` calls it, `f2` has two blocks, `f3` calls it, `f4` and `f5` call each other, `f6` calls one of these, `f7` is long,
    /// `f8` calls it, `f9` calls what it is passed, `f10` calls `f0` twice, `f11` calls `f1`, and the program starts with `f12`.
    fn module() -> Module {
        let one = |number: u32, insts: &str| {
            format!("function f{number} \"f{number}\" sig0(v0: int) -> int {{\nblock0:\n{insts}\n return v0\n}}\n")
        };
        let text = "top_level f12\ntype t0 = int\nsig0 = (t0) -> t0\ntype t1 = func sig0\nsig1 = (t1) -> t0\n"
            .to_owned()
            + &one(0, " v0 = iadd v0, 1")
            + &one(1, " v0 = call f0(v0)")
            + "function f2 \"f2\" sig0(v0: int) -> int {\nblock0:\n jump block1\nblock1:\n return v0\n}\n"
            + &one(3, " v0 = call f2(v0)")
            + &one(4, " v0 = call f5(v0)")
            + &one(5, " v0 = call f4(v0)")
            + &one(6, " v0 = call f4(v0)")
            + &one(7, &" v0 = iadd v0, 1\n".repeat(SMALL))
            + &one(8, " v0 = call f7(v0)")
            + "function f9 \"f9\" sig1(v0: func) -> int {\n local v1: int\nblock0:\n v1 = call_indirect sig0 v0(3)\n return v1\n}\n"
            + &one(10, " v0 = call f0(v0)\n v0 = call f0(v0)")
            + &one(11, " v0 = call f1(v0)")
            + &one(12, " v0 = call f0(v0)");
        parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    #[test]
    fn trivial_functions_with_a_callee_are_straight_as_far_as_calls_go() {
        let module = module();
        let of = |order: &mut dyn Iterator<Item = u32>| {
            let mut known = TrivialFunctions::default();
            let takes_in = |func: &u32| known.takes_in_another(&module, FuncRef::from_u32(*func));
            let mut found: Vec<u32> = order.filter(takes_in).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(of(&mut (0..13)), [1, 11]);
        assert_eq!(of(&mut (0..13).rev()), [1, 11], "the order of questions does not matter");
    }
}
