//! Indirect calls: of a function that is known they are direct, and one that was observed is inlined behind a test.
//!
//! ```text
//!   v = call x(a)          if x == f { v = the body of f } else { v = call x(a) }
//! ```
//!
//! In: an indirect call and what it mostly called. Out: a direct call, the test with both ways, or the call as it is.
//! Invariant: the call that is not inlined has the same site as the one that is, so that a failure in either is told alike.

use super::variables::Passing;
use super::{Builder, Frame, Inlining};
use crate::missed::Expectation;
use crate::opt::ssa::{Args, Block, Op, Seen, Target, Term, Value};
use crate::settings::guarded::RARE_MISS;
use holloway_lang::ir::{BinaryOp, FuncRef, Local, Operand, Scalar, SigRef};

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
            if self.is_rare(at) {
                self.count_missed(at, (Expectation::Rare, self.here), Some(callee), site);
            }
            (at, self.call_value(at, sig, callee, &args, site))
        };
        self.keep_result(frame, after, dst, value, site);
        after
    }

    /// Returns the function that an indirect call is known to call.
    pub(super) fn known_callee(&mut self, frame: &Frame<'_>, at: Block, callee: Operand) -> Option<FuncRef> {
        let callee = self.operand(frame, at, callee);
        match self.func.as_const(callee) {
            Some(Operand::Func(func)) => Some(func),
            _ => None,
        }
    }

    fn call_value(&mut self, at: Block, sig: SigRef, callee: Value, args: &[Value], site: u32) -> Option<Value> {
        let result = self.module.sigs[sig].result.map(|ty| self.module.scalar(ty));
        let args = std::iter::once(callee).chain(args.iter().copied());
        self.func.push(at, Op::CallIndirect(sig), args, result, site)
    }

    /// Returns the usual target of the present instruction, if that is to be inlined, with its share of the calls.
    fn usual_target(&self, at: Block, sig: SigRef) -> Option<(FuncRef, f64)> {
        if self.inlining != Inlining::Observed {
            return None;
        }
        let (caller, block, inst) = self.here;
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
        let (seen, here) = (self.func.blocks[at].seen, self.here);
        let part = |share: f64| seen.weight.map(|weight| weight * share);
        let result = self.module.sigs[sig].result.map(|ty| self.module.scalar(ty));
        let ways = self.two_ways(at, result, site);
        let [hit, miss] = ways.blocks;
        self.func.blocks[hit].seen = Seen { weight: part(share), rare: seen.rare, rounds: None };
        self.func.blocks[miss].seen =
            Seen { weight: part(1.0 - share), rare: seen.rare || 1.0 - share < RARE_MISS, rounds: None };
        let known = self.func.constant(Operand::Func(func));
        let test = Op::Binary(BinaryOp::FuncEq);
        let cond = self.func.push(at, test, [callee, known], Some(Scalar::Bool), site);
        self.part(at, cond.expect("a comparison has a result"), ways.blocks, site);
        self.func.inlined.guarded += 1;
        self.note_pending(miss);
        let missed = self.count_missed(miss, (Expectation::Target, here), Some(callee), site);
        if let Some(missed) = missed.filter(|_| 1.0 - share >= RARE_MISS) {
            self.count(hit, Some(missed.hits_address()));
        }
        self.note_pending(hit);
        let (inlined, value) = self.inline(hit, func, args, (site, Passing::InMemory));
        self.go_on(inlined, &ways, value);
        let value = self.call_value(miss, sig, callee, args, site);
        self.go_on(miss, &ways, value);
        self.note_pending(ways.after);
        (ways.after, ways.result)
    }

    /// Makes two blocks for a branch at the end of `at`, and one where both go on with a result, if there is one. The last was
    /// observed as `at` was; of the others nothing is known.
    pub(super) fn two_ways(&mut self, at: Block, result: Option<Scalar>, site: u32) -> TwoWays {
        let data = &self.func.blocks[at];
        let (origin, handler, seen) = (data.origin, data.handler, data.seen);
        let [first, second, after] = std::array::from_fn(|_| {
            let block = self.func.new_block(origin, handler, site);
            self.sealed[block] = true;
            block
        });
        self.func.blocks[after].seen = seen;
        let result = result.map(|scalar| self.func.add_param(after, scalar));
        TwoWays { blocks: [first, second], after, result }
    }

    /// Ends a block with a branch to blocks without parameters.
    pub(super) fn part(&mut self, at: Block, cond: Value, [then, otherwise]: [Block; 2], site: u32) {
        let plain = |block: Block| Target { block, args: Args::new() };
        self.func.blocks[at].term_site = site;
        self.finish_block(at, Term::Branch { cond, then: plain(then), otherwise: plain(otherwise) });
    }

    /// Ends one of two ways.
    pub(super) fn go_on(&mut self, at: Block, ways: &TwoWays, value: Option<Value>) {
        self.finish_block(at, Term::Jump(Target { block: ways.after, args: value.into_iter().collect() }));
    }
}

/// Two blocks that a branch leads to, and the one where they meet.
pub(super) struct TwoWays {
    pub(super) blocks: [Block; 2],
    pub(super) after: Block,
    /// The parameter of `after`.
    pub(super) result: Option<Value>,
}
