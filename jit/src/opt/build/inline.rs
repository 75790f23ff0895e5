//! Inlining: a call of a small function becomes the function's body, whose sites remember the call.
//!
//! Budgets are in IR instructions. No call is inlined behind a chain of [`MAX_DEPTH`] others. A function that calls itself is
//! inlined into itself level by level, as many levels as [`RECURSION`] has room for; into another function only once, as
//! its calls of itself are better made from its own code.

use super::early::early_return;
use super::{Builder, Frame, Inlined};
use crate::opt::ssa::{Block, Op, Value};
use crate::osr::Entry;
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::{self, Cfg, FuncRef, Function, Inst, Local, Operand};
use std::sync::Arc;

/// A body of at most so many instructions is inlined wherever it is called.
const SMALL: usize = 24;
/// A body of at most so many is inlined while the budget lasts.
const MEDIUM: usize = 120;
/// What a function may grow by.
const GROWTH: usize = 600;
/// How deep inlined calls nest.
const MAX_DEPTH: usize = 5;
/// How many instructions all levels of a function in itself may have.
const RECURSION: usize = 160;
/// How many such levels there are at most.
const MAX_LEVELS: usize = 6;

/// What may still be inlined.
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    pub(super) fn none() -> Budget {
        Budget { left: 0 }
    }

    pub(super) fn new(body: &Function) -> Budget {
        Budget { left: GROWTH + body.size() / 2 }
    }
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
        let callee = Arc::clone(self.module.function(func));
        if !self.func.blocks[at].cold && self.is_inlined(func, &callee) {
            self.budget.left = self.budget.left.saturating_sub(callee.size());
            return self.inline(frame, at, dst, (func, &callee), &args, site);
        }
        // What is profiled counts its short calls too.
        if self.budget.left > 0
            && !self.func.blocks[at].cold
            && self.paths.of(func).is_none()
            && let Some(early) = early_return(&callee)
        {
            let (after, value) = self.call_unless_early(at, (func, &callee), &early, &args, site);
            if let (Some(dst), Some(value)) = (dst, value) {
                self.write(after, frame.variable(dst), value);
            }
            return after;
        }
        let value = self.func.push(at, Op::Call(func), args, callee.result, site);
        if let (Some(dst), Some(value)) = (dst, value) {
            self.func.blocks[at].term_site = site;
            self.write(at, frame.variable(dst), value);
        }
        at
    }

    fn is_inlined(&self, func: FuncRef, callee: &Function) -> bool {
        if self.budget.left == 0 {
            return false;
        }
        if self.calls.contains(&func) {
            let level = self.calls.len();
            return self.calls.iter().all(|caller| *caller == func) && level <= self.levels(func, callee);
        }
        let size = callee.size();
        let fits = size <= SMALL || (size <= MEDIUM && size <= self.budget.left);
        // A handler of the callee would cut the caller's values off from what follows the call.
        let catches = callee.blocks.values().any(|data| data.handler.is_some());
        fits && !catches && self.budget.left > 0 && self.calls.len() <= MAX_DEPTH
    }

    /// How many levels of a function that calls itself are inlined into it.
    fn levels(&self, func: FuncRef, body: &Function) -> usize {
        let catches = body.blocks.values().any(|data| data.handler.is_some());
        // A level is cheap next to a loop in it.
        if catches || loops(body) {
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

    fn inline(
        &mut self,
        frame: &Frame<'_>,
        at: Block,
        dst: Option<Local>,
        (func, callee): (FuncRef, &Function),
        args: &[Value],
        site: u32,
    ) -> Block {
        let data = &self.func.blocks[at];
        let (origin, handler) = (data.origin, data.handler);
        let after = self.func.new_block(origin, handler, site);
        let result = callee.result.map(|scalar| self.func.add_param(after, scalar));
        let sites = self.add_sites(func, callee, None, Some(site));
        self.calls.push(func);
        self.func.blocks[at].term_site = site;
        let inlined = Inlined { returns: after, handler, site };
        let inner = self.frame(callee, sites, (callee.entry(), None), Some(inlined));
        self.pass(&inner, at, args);
        self.enter(&inner, at, Entry::Call);
        self.body(&inner, at);
        self.calls.pop();
        self.sealed[after] = true;
        self.note_pending(after);
        if let (Some(dst), Some(value)) = (dst, result) {
            self.write(after, frame.variable(dst), value);
        }
        after
    }
}

/// Whether a function has a loop: an edge to a block that is not behind in reverse postorder.
fn loops(body: &Function) -> bool {
    let cfg = Cfg::compute(body);
    let mut position: SecondaryMap<ir::Block, usize> = SecondaryMap::new();
    cfg.reverse_postorder().enumerate().for_each(|(at, block)| position[block] = at);
    cfg.postorder().iter().any(|block| cfg.succs(*block).iter().any(|(to, _)| position[*to] <= position[*block]))
}
