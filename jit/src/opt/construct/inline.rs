//! Inlining: a call of a small function becomes the function's body, whose sites remember the call.
//!
//! Budgets are in IR instructions. Where calls were observed, hot ones get a larger budget and cold ones none. No call is inlined behind a
//! chain of [`MAX_DEPTH`] others. A function that calls itself is inlined into itself level by level, as many levels as [`RECURSION`] has
//! room for; into another function only once, as its calls of itself are better made from its own code. A function whose own code has traces is
//! left apart: they were formed of what its calls do, and would be lost. What is executed once in a run, outside of
//! loops of what a program starts with, calls all but small functions: it would gain nothing by copies of them, which take long to compile.

use super::early::early_return;
use super::variables::Passing;
use super::{Builder, Frame, Inlined, Inlining};
use crate::body::osr::{Entry, Leaving};
use crate::body::trivial::is_start;
use crate::missed::Expectation;
use crate::opt::inlined::{InlineDecision, NotInlined};
use crate::opt::ssa::{Block, Func, Op, Value};
use crate::settings::inline::{HOT_PART, LARGE, MAX_DEPTH, MAX_LEVELS, MEDIUM, OFTEN, RECURSION, SMALL};
use cranelift_entity::EntityRef;
use holloway_lang::ir::{self, Cfg, FuncRef, Function, Inst, Local, Operand};
use std::sync::Arc;

/// The weight of a call, by how often it was executed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Warmth {
    /// It is off the usual way: behind what fails, or leaves a trace.
    Cold,
    /// By a profile it was hardly ever executed.
    Rare,
    /// Somewhat, or nobody knows.
    Usual,
    /// It is among what is executed most.
    Hot,
}

impl Builder<'_> {
    pub(super) fn call(
        &mut self,
        frame: &Frame<'_>,
        at: Block,
        (dst, func, args): (Option<Local>, FuncRef, &[Operand]),
        site: u32,
    ) -> Block {
        let args: Vec<Value> = args.iter().map(|arg| self.operand(frame, at, *arg)).collect();
        let (after, value) = self.call_known(at, func, args, site);
        self.keep_result(frame, after, dst, value, site);
        after
    }

    /// The result of a call goes to its local.
    pub(super) fn keep_result(
        &mut self,
        frame: &Frame<'_>,
        at: Block,
        dst: Option<Local>,
        value: Option<Value>,
        site: u32,
    ) {
        if let (Some(dst), Some(value)) = (dst, value) {
            self.func.blocks[at].term_site = site;
            self.assign(frame, at, dst, value);
            self.note_assignment(frame, at, dst, value, site);
        }
    }

    /// A call of a function that is known; gives where control goes on, and the result.
    pub(super) fn call_known(
        &mut self,
        at: Block,
        func: FuncRef,
        args: Vec<Value>,
        site: u32,
    ) -> (Block, Option<Value>) {
        let callee = Arc::clone(self.module.function(func));
        let declined = self.not_inlined_as(self.warmth(at), at, func, &callee);
        let (size, budget) = (callee.size(), self.budget.left);
        self.func.inlining.push(InlineDecision { site, callee: func, size, budget, declined });
        if declined.is_none() {
            return self.inline(at, func, &args, (site, Passing::InRegisters));
        }
        // What is profiled counts its short calls too.
        let may_be_early = self.budget.left > 0 && self.paths.of(func).is_none();
        if let Some(early) = early_return(&callee).filter(|_| may_be_early) {
            match self.warmth(at) {
                Warmth::Usual | Warmth::Hot => {
                    return self.call_unless_early(at, (func, &callee), &early, &args, site);
                }
                Warmth::Rare => _ = self.count_missed(at, (Expectation::Rare, self.here), None, site),
                Warmth::Cold => {}
            }
        } else if self.is_called_as_rare(at, func, &callee) {
            self.count_missed(at, (Expectation::Rare, self.here), None, site);
        }
        let result = self.func.push(at, Op::Call(func), args, callee.result, site);
        self.note_range(result, self.arrays.and_then(|arrays| arrays.result(func)));
        (at, result)
    }

    /// Returns whether a call is not inlined because it was hardly ever made.
    fn is_called_as_rare(&self, at: Block, func: FuncRef, callee: &Function) -> bool {
        self.is_rare(at) && self.not_inlined_as(Warmth::Usual, at, func, callee).is_none()
    }

    /// Returns whether a block was hardly ever executed, by the profile.
    pub(super) fn is_rare(&self, at: Block) -> bool {
        self.warmth(at) == Warmth::Rare
    }

    /// Returns the weight of a call at the end of a block.
    fn warmth(&self, at: Block) -> Warmth {
        let data = &self.func.blocks[at];
        if data.cold {
            return Warmth::Cold;
        }
        match (self.inlining, data.seen.weight) {
            (Inlining::Observed, _) if data.seen.rare => Warmth::Rare,
            (Inlining::Observed, Some(weight)) if weight >= OFTEN && weight >= HOT_PART * self.hottest => Warmth::Hot,
            _ => Warmth::Usual,
        }
    }

    pub(super) fn is_inlined(&self, at: Block, func: FuncRef, callee: &Function) -> bool {
        self.not_inlined_as(self.warmth(at), at, func, callee).is_none()
    }

    /// The reason for which a call is not inlined; `None` if it is.
    fn not_inlined_as(&self, warmth: Warmth, at: Block, func: FuncRef, callee: &Function) -> Option<NotInlined> {
        let most = match warmth {
            Warmth::Cold => return Some(NotInlined::Cold),
            Warmth::Rare if self.would_loosen_a_loop(at, callee) => MEDIUM,
            Warmth::Rare => SMALL,
            // The compiler before has inlined what is worth its size.
            Warmth::Usual if self.module.is_optimized() => SMALL,
            Warmth::Usual => MEDIUM,
            Warmth::Hot => LARGE,
        };
        if self.not_inlined.contains(&func) {
            return Some(NotInlined::OwnCode);
        }
        if self.budget.left == 0 {
            return Some(NotInlined::NoBudget);
        }
        if self.leaving == Leaving::AtEveryLoop && Cfg::compute(callee).has_loop() {
            return Some(NotInlined::HasLoop);
        }
        if self.calls.contains(&func) {
            let level = self.calls.len();
            let goes_on = warmth != Warmth::Rare
                && self.calls.iter().all(|caller| *caller == func)
                && level <= self.levels(func, callee);
            return (!goes_on).then_some(NotInlined::Recursive);
        }
        let size = callee.size();
        if size > SMALL && size > most {
            Some(NotInlined::TooLarge { most })
        } else if size > SMALL && size > self.budget.left {
            Some(NotInlined::NoBudget)
        } else if callee.catches() {
            // Its handler would cut the caller's values off from what follows the call.
            Some(NotInlined::Catches)
        } else if callee.calls_host() {
            // Passes see a call of the host as one of a function.
            Some(NotInlined::CallsHost)
        } else if size > SMALL && self.is_executed_once(at) {
            Some(NotInlined::ExecutedOnce)
        } else {
            (self.calls.len() > MAX_DEPTH).then_some(NotInlined::TooDeep)
        }
    }

    /// Returns whether the callee in place of its call would let the loop around keep values in registers, and know
    /// that memory stays as it is: a call that is hardly ever made hinders both in every iteration. A loop in the
    /// callee would take the registers itself.
    fn would_loosen_a_loop(&self, at: Block, callee: &Function) -> bool {
        self.is_in_loop(at) && !Cfg::compute(callee).has_loop()
    }

    fn is_in_loop(&self, at: Block) -> bool {
        let Func { source_loops, sites, blocks, .. } = &self.func;
        source_loops.around(sites, blocks[at].term_site).is_some()
    }

    /// Returns whether a block is executed once in a run: outside of loops, in a function that a program starts with.
    fn is_executed_once(&self, at: Block) -> bool {
        self.calls.first().is_some_and(|func| is_start(self.module, *func)) && !self.is_in_loop(at)
    }

    /// Returns the number of levels of a function that are inlined into itself.
    fn levels(&self, func: FuncRef, body: &Function) -> usize {
        // A level is cheap next to a loop in it.
        if body.catches() || Cfg::compute(body).has_loop() {
            return 0;
        }
        let calls = body
            .blocks
            .values()
            .flat_map(|data| &data.insts)
            .filter(|inst| matches!(inst, Inst::Call { func: to, .. } if *to == func))
            .count();
        let (mut copies, mut total) = (1, 0);
        for level in 0..MAX_LEVELS {
            copies *= calls;
            total += copies * body.size();
            if total > RECURSION {
                return level;
            }
        }
        MAX_LEVELS
    }

    /// Puts the body of a function in place of its call.
    pub(super) fn inline(
        &mut self,
        at: Block,
        func: FuncRef,
        args: &[Value],
        (site, passing): (u32, Passing),
    ) -> (Block, Option<Value>) {
        let written = Arc::clone(self.module.function(func));
        self.budget.left = self.budget.left.saturating_sub(written.size());
        let expanded = self.expanded.of(func).cloned();
        let callee = &*expanded.as_ref().map_or(written, |expanded| Arc::clone(&expanded.body));
        self.func.inlined.calls += 1;
        self.func.inlined.size += callee.size() as u64;
        let data = &self.func.blocks[at];
        let (origin, handler, seen) = (data.origin, data.handler, data.seen);
        let after = self.func.new_block(origin, handler, site);
        self.func.blocks[after].seen = seen;
        let result = callee.result.map(|scalar| self.func.add_param(after, scalar));
        // Its formed body counts as the plain one, so that the same calls are inlined with traces and without, and has a budget of its own.
        let traces =
            self.inlined_traces.of(func).filter(|traces| self.budget.takes_formed(&traces.formed().body)).cloned();
        let formed = traces.as_ref().map(|traces| traces.formed());
        let origins: Option<Vec<ir::Block>> = formed.map(|formed| formed.origins.blocks.values().copied().collect());
        let body = formed.map_or(callee, |formed| &formed.body);
        let sites = self.add_sites((func, body), origins.as_deref(), Some(site), expanded.as_deref());
        self.calls.push(func);
        self.func.blocks[at].term_site = site;
        let inlined = Inlined { returns: after, handler, site, block: origin.block, seen, passing };
        let counted = traces.as_ref().map(|traces| traces.counted()).unwrap_or_default();
        let copied = origins.as_deref().map(|origins| (callee, origins));
        let inner = self.frame((body, expanded.clone()), sites, (body.entry(), copied, counted), Some(inlined));
        for block in formed.iter().flat_map(|formed| formed.origins.cold.iter()) {
            self.func.blocks[inner.blocks[block.index()]].cold = true;
        }
        self.pass(&inner, at, args);
        self.enter(&inner, at, Entry::Call);
        self.body(&inner, at);
        self.calls.pop();
        self.sealed[after] = true;
        self.note_pending(after);
        (after, result)
    }
}
