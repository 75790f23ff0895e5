//! Indirect calls: of a function that is known they are direct, and one that was observed is inlined behind a test.
//!
//! ```text
//!   v = call x(a)          if x == f { v = the body of f } else { v = call x(a) }
//! ```
//!
//! In: an indirect call and what it mostly called. Out: a direct call, the test with both ways, or the call as it is.
//! Invariant: the call that is not inlined has the same site as the one that is, so that a failure in either is told alike.

use super::{Builder, Frame, Inlining};
use crate::opt::ssa::{Block, Op, Seen, Target, Term, Value};
use holloway_lang::ir::{BinaryOp, FuncRef, Local, Operand, Scalar, SigRef};

/// A miss is rare below this part of the calls.
const RARE_MISS: f64 = 1.0 / 64.0;

impl Builder<'_> {
    /// Translates an indirect call at the end of `at`; gives the block that the next instruction goes to.
    pub(super) fn call_indirect(
        &mut self,
        frame: &Frame<'_>,
        at: Block,
        (dst, sig): (Option<Local>, SigRef),
        (callee, args): (Operand, &[Operand]),
        site: u32,
    ) -> Block {
        let callee = self.operand(frame, at, callee);
        let args: Vec<Value> = args.iter().map(|arg| self.operand(frame, at, *arg)).collect();
        // What an inlined function gets passed is often known here.
        let (after, value) = if let Some(Operand::Func(func)) = self.func.as_const(callee) {
            self.call_known(at, func, args, site)
        } else if let Some((func, share)) = self.usual_target(at, sig) {
            self.call_guarded(at, (callee, sig), (func, share), &args, site)
        } else {
            (at, self.call_value(at, sig, callee, &args, site))
        };
        self.keep_result(frame, after, dst, value, site);
        after
    }

    fn call_value(&mut self, at: Block, sig: SigRef, callee: Value, args: &[Value], site: u32) -> Option<Value> {
        let result = self.module.sigs[sig].result.map(|ty| self.module.scalar(ty));
        let args = std::iter::once(callee).chain(args.iter().copied()).collect();
        self.func.push(at, Op::CallIndirect(sig), args, result, site)
    }

    /// What the present instruction mostly calls, if that is to be inlined, with its part of the calls.
    fn usual_target(&self, at: Block, sig: SigRef) -> Option<(FuncRef, f64)> {
        if self.inlining != Inlining::Observed {
            return None;
        }
        let caller = *self.calls.last().expect("some function is translated");
        let (block, inst) = self.here;
        let (func, share) = self.observed.of(caller)?.target(block, inst)?;
        // Code of an older body may have been observed; whatever was called then, this is no call of it.
        let fits = self.module.funcs.is_valid(func) && self.module.funcs[func].sig == sig;
        // How far a function goes into itself is weighed by its direct calls alone.
        let fits = fits && !self.calls.contains(&func);
        (fits && self.is_inlined(at, func, self.module.function(func))).then_some((func, share))
    }

    fn call_guarded(
        &mut self,
        at: Block,
        (callee, sig): (Value, SigRef),
        (func, share): (FuncRef, f64),
        args: &[Value],
        site: u32,
    ) -> (Block, Option<Value>) {
        let data = &self.func.blocks[at];
        let (origin, handler, seen) = (data.origin, data.handler, data.seen);
        let [hit, miss, after] = std::array::from_fn(|_| {
            let block = self.func.new_block(origin, handler, site);
            self.sealed[block] = true;
            block
        });
        let part = |share: f64| seen.weight.map(|weight| weight * share);
        self.func.blocks[hit].seen = Seen { weight: part(share), rare: seen.rare };
        self.func.blocks[miss].seen = Seen { weight: part(1.0 - share), rare: seen.rare || 1.0 - share < RARE_MISS };
        self.func.blocks[after].seen = seen;
        let result = self.module.sigs[sig].result.map(|ty| self.module.scalar(ty));
        let result = result.map(|scalar| self.func.add_param(after, scalar));
        let known = self.func.constant(Operand::Func(func));
        let test = Op::Binary(BinaryOp::FuncEq);
        let cond = self.func.push(at, test, vec![callee, known], Some(Scalar::Bool), site);
        let cond = cond.expect("a comparison has a result");
        let plain = |block: Block| Target { block, args: Vec::new() };
        self.func.blocks[at].term_site = site;
        self.finish_block(at, Term::Branch { cond, then: plain(hit), otherwise: plain(miss) });
        self.func.inlined.guarded += 1;
        self.note_pending(hit);
        let (inlined, value) = self.inline(hit, func, args, site);
        self.finish_block(inlined, Term::Jump(Target { block: after, args: value.into_iter().collect() }));
        self.note_pending(miss);
        let value = self.call_value(miss, sig, callee, args, site);
        self.finish_block(miss, Term::Jump(Target { block: after, args: value.into_iter().collect() }));
        self.note_pending(after);
        (after, result)
    }
}
