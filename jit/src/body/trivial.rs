//! Functions that are optimized at their first call, as it takes in those that they call.
//!
//! Trivial functions are short straight code with at most one call, of a function that is trivial, too. No branch and
//! no indirect call is in them or below them, so counts of theirs would tell the optimizer nothing, and optimized code
//! of one has its callees inlined, which then need no code of their own. HotSpot compiles its trivial methods once and
//! for all, too.
//!
//! Short functions may branch, but have no loop and at most one call as well. Counts of theirs tell something; but
//! where they call each other in a long chain, to compile each of them takes longer than what their branches may gain.
//!
//! In: the functions of a module. Out: whether each starts in optimized code; it is looked at once. Invariant: what a
//! trivial function calls is trivial.

use crate::settings::inline::SMALL;
use crate::settings::trivial::LONG_CHAIN;
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::{Cfg, FuncRef, Function, Inst, Module};

/// The findings of the functions of a module, as far as looked at.
#[derive(Clone, Debug, Default)]
pub struct TrivialFunctions {
    known: SecondaryMap<FuncRef, Option<Found>>,
}

/// The findings of a function.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    is_trivial: bool,
    /// The short functions that call each other from it on; 0 if it is not short, or calls itself through others.
    chain: u32,
}

impl TrivialFunctions {
    /// Forgets everything, as bodies were replaced.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Returns whether a function is optimized at its first call: it calls another, and is trivial or begins a long
    /// chain of short ones. None is that a program starts with, as it is executed once.
    pub fn starts_optimized(&mut self, module: &Module, func: FuncRef) -> bool {
        let calls_one = || matches!(short(module.function(func)), Some(Short { callee: Some(_), .. }));
        !is_start(module, func) && calls_one() && {
            let found = self.find(module, func);
            found.is_trivial || found.chain >= LONG_CHAIN
        }
    }

    fn find(&mut self, module: &Module, func: FuncRef) -> Found {
        let (mut above, mut next) = (Vec::new(), Some(func));
        let mut found = Found { is_trivial: true, chain: 0 };
        while let Some(func) = next.take() {
            if let Some(known) = self.known[func] {
                found = known;
                // Those of a recursion stay what they are, neither, whichever is asked about first.
                let first = above.iter().position(|(known, _)| *known == func);
                above.truncate(first.unwrap_or(above.len()));
                break;
            }
            let Some(Short { callee, is_straight }) = short(module.function(func)) else {
                found.is_trivial = false;
                self.known[func] = Some(found);
                break;
            };
            self.known[func] = Some(Found::default());
            above.push((func, is_straight));
            next = callee;
        }
        for (func, is_straight) in above.into_iter().rev() {
            found = Found { is_trivial: is_straight && found.is_trivial, chain: found.chain + 1 };
            self.known[func] = Some(found);
        }
        found
    }
}

/// Returns whether a program starts with a function.
pub(crate) fn is_start(module: &Module, func: FuncRef) -> bool {
    module.top_level.contains(&func) || module.main.as_ref().is_some_and(|main| main.func == func)
}

/// A short body without loops and handlers, with at most one call.
struct Short {
    callee: Option<FuncRef>,
    is_straight: bool,
}

fn short(body: &Function) -> Option<Short> {
    if body.size() > SMALL || body.catches() {
        return None;
    }
    let mut calls = body.blocks.values().flat_map(|block| &block.insts).filter(|inst| inst.is_call());
    let callee = match (calls.next(), calls.next()) {
        (None, _) => None,
        (Some(Inst::Call { func, .. }), None) => Some(*func),
        _ => return None,
    };
    let is_straight = body.straight().is_some();
    (is_straight || !Cfg::compute(body).has_loop()).then_some(Short { callee, is_straight })
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_lang::ir::parse;

    /// `f0` is a leaf, `f1` calls it, `f2` has two blocks, `f3` calls it, `f4` and `f5` call each other, `f6` calls one
    /// of these, `f7` is long, `f8` calls it, `f9` calls what it is passed, `f10` calls `f0` twice, `f11` calls `f1`,
    /// and the program starts with `f12`.
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
            let takes_in = |func: &u32| known.starts_optimized(&module, FuncRef::from_u32(*func));
            let mut found: Vec<u32> = order.filter(takes_in).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(of(&mut (0..13)), [1, 11]);
        assert_eq!(of(&mut (0..13).rev()), [1, 11], "the order of questions does not matter");
    }

    /// A chain of functions of which each branches and calls the next; one is long instead, if it is given. The last
    /// calls another, if that is given.
    fn chain(many: u32, long: Option<u32>, last: Option<u32>) -> Module {
        let one = |number: u32| {
            let callee = if number + 1 == many { last } else { Some(number + 1) };
            let call = callee.map(|callee| format!(" v0 = call f{callee}(v0)\n")).unwrap_or_default();
            let end = call + " return v0\n";
            let first = " v0 = iadd v0, 1\n".repeat(if long == Some(number) { SMALL } else { 1 });
            format!(
                "function f{number} \"f{number}\" sig0(v0: int) -> int {{\n local v1: bool\nblock0:\n{first} v1 = ieq v0, 0\n branch v1, block1, block2\n\
                 block1:\n v0 = iadd v0, 1\n jump block2\nblock2:\n{end}}}\n"
            )
        };
        let text = "type t0 = int\nsig0 = (t0) -> t0\n".to_owned() + &(0..many).map(one).collect::<String>();
        parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    #[test]
    fn short_functions_that_branch_are_taken_in_by_long_chains() {
        let taken_in = |module: &Module| {
            let mut known = TrivialFunctions::default();
            (0..LONG_CHAIN + 8).filter(|func| known.starts_optimized(module, FuncRef::from_u32(*func))).count()
        };
        assert_eq!(taken_in(&chain(LONG_CHAIN + 8, None, None)), 9, "the others begin shorter ones");
        assert_eq!(taken_in(&chain(LONG_CHAIN + 8, Some(LONG_CHAIN + 4), None)), 5, "up to the long one");
    }

    #[test]
    fn recursions_are_no_chains_whatever_is_asked_first() {
        let many = LONG_CHAIN * 2;
        let module = chain(many, None, Some(4));
        for first in [0, 4, many - 1] {
            let mut known = TrivialFunctions::default();
            let mut takes_in = |func| known.starts_optimized(&module, FuncRef::from_u32(func));
            assert!(!takes_in(first) && (0..many).all(|func| !takes_in(func)), "f{first} first");
        }
    }
}
