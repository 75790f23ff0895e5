//! Functions that may be active several times at once.
//!
//! In: a program and a function. Out: [`Reentry`]. A function value may be any function, so whoever calls one may call all.
//! Invariant: what is called never re-entered is not, whatever the program does.

use hashbrown::HashSet;
use holloway_ir::{FuncRef, Inst, Module};

/// The possibility that an activation of a function begins while another one is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reentry {
    /// It cannot.
    Never,
    /// Nothing speaks against it.
    Possible,
}

impl Reentry {
    /// Of a function, by the calls that it leads to.
    pub fn of(module: &Module, func: FuncRef) -> Reentry {
        let mut known: HashSet<FuncRef> = HashSet::new();
        let mut work = vec![func];
        while let Some(caller) = work.pop() {
            let blocks = module.function(caller).blocks.values();
            for inst in blocks.flat_map(|data| &data.insts) {
                match inst {
                    Inst::CallIndirect { .. } => return Reentry::Possible,
                    Inst::Call { func: callee, .. } if *callee == func => return Reentry::Possible,
                    Inst::Call { func: callee, .. } if known.insert(*callee) => work.push(*callee),
                    _ => {}
                }
            }
        }
        Reentry::Never
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_lang::session::{Input, NoFiles, Session, SessionKind};

    #[test]
    fn calls_are_followed() {
        let source = "fn leaf(n: int) -> int { return n }\nfn itself(n: int) -> int { if n > 0 { return itself(n - 1) }\n return leaf(n) }\n\
             fn calls(n: int) -> int { return itself(n) + leaf(n) }\nfn even(n: int) -> bool { if n == 0 { return true }\n return odd(n - 1) }\n\
             fn odd(n: int) -> bool { if n == 0 { return false }\n return even(n - 1) }\n\
             fn value(f: fn(int) -> int) -> int { return f(1) }\nfn above(n: int) -> int { return value(leaf) + n }\n\
             print(calls(3), even(4), above(2))\n";
        let mut session = Session::new(SessionKind::Program);
        let input = Input { name: "program.hw", key: None, bytes: source.as_bytes() };
        assert!(session.add(input, &mut NoFiles).is_ok(), "{source}");
        let of = |name: &str| Reentry::of(session.module(), session.function(name).expect("it is there"));
        let found = ["leaf", "itself", "calls", "even", "odd", "value", "above"].map(of);
        let (never, possible) = (Reentry::Never, Reentry::Possible);
        assert_eq!(found, [never, possible, never, possible, possible, possible, possible]);
    }
}
