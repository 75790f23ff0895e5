//! Aliasing: which references are never to one object.
//!
//! In: two references. Out: false where what is written through one is never read through the other. Accesses to
//! different kinds of places ([`super::op::Mem`]) never meet, whatever they refer to.
//! Invariant: what is said holds each time control gets to the definitions of both, as where an object is allocated
//! does not change.

use super::ssa::{Func, Op, Value};

/// Returns whether two references may be to one object.
pub(super) fn may_be_same(func: &Func, a: Value, b: Value) -> bool {
    a == b || !(is_new(func, a) && is_new(func, b) || are_allocated_apart(func, a, b))
}

/// Returns whether a reference is to an object that no other name in the function is of.
fn is_new(func: &Func, value: Value) -> bool {
    let op = func.def_inst(value).map(|inst| func.insts[inst].op);
    matches!(op, Some(Op::NewArray(_) | Op::ArrayOf(_) | Op::NewRecord(_) | Op::Allocated))
}

/// Returns whether no allocation site of one is a site of the other.
fn are_allocated_apart(func: &Func, a: Value, b: Value) -> bool {
    match (func.allocations.get(&a), func.allocations.get(&b)) {
        (Some(a), Some(b)) => a.is_disjoint(b),
        (None, _) | (_, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::arrays::Arrays;
    use crate::opt::loop_tests::count;
    use crate::opt::ssa::{Mem, Op};
    use crate::request::Request;
    use crate::tier::Tier;
    use holloway_lang::ir::Elem;
    use holloway_lang::session::{self, NoFiles, Session, SessionKind};
    use std::sync::Arc;

    /// Loads of elements in the loop of `f`, with what the program shows of its arrays.
    fn loads(ys: &str) -> usize {
        let source = format!(
            "struct P {{ xs: [int], ys: [int] }}
fn f(p: P, n: int) {{
    for i in 0..n {{
        let x = p.xs[i]
        p.ys[i] = x + 1
        p.xs[i] = p.xs[i] + x
    }}
}}
fn main() {{ let xs = [0; 9]; f(P(xs: xs, ys: {ys}), 9) }}"
        );
        let mut session = Session::new(SessionKind::Program);
        let input = session::Input { name: "test.hw", key: None, bytes: source.as_bytes() };
        assert!(session.add(input, &mut NoFiles).is_ok(), "the program is correct");
        let (func, module) = (session.function("f").expect("there is a function `f`"), session.module());
        let request = Request::new(func, Arc::clone(module.function(func)), Tier::Optimized);
        let ssa = crate::compile::ssa(module, &Arrays::new(Arc::clone(module)), &request);
        let ssa = ssa.expect("it is entered by calls");
        let all = count(&ssa, 1, |op| op == Op::Load(Mem::Elem(Elem::Int)));
        all / count(&ssa, 1, |op| op == Op::Store(Mem::Elem(Elem::Int))).div_ceil(2)
    }

    #[test]
    fn a_store_to_an_array_in_another_field_leaves_elements_as_they_are() {
        assert_eq!(loads("[0; 9]"), 1);
        assert_eq!(loads("xs"), 2, "they are one array");
    }
}
