//! Expanded bodies: a function with the bodies of small callees behind its own, so that its paths go through their
//! branches.
//!
//! ```text
//!   block2:                       block2:
//!     v3 = call f1(v1)              v9 = copy v1           the callee's locals and blocks stand behind the function's own
//!     v2 = iadd v2, v3              jump block7
//!     jump block1                 block6:                  the rest of block2
//!                                   v2 = iadd v2, v3
//!                                   jump block1
//!                                 block7: ...              a return of the callee becomes  v3 = copy ...  jump block6
//! ```
//!
//! In: a function of a module. Out: its [`Expanded`] body, if calls in its loops are of functions without loops that
//! have branches and call only such functions. Which calls these are depends on the bodies alone. Code of an expanded
//! body has the call sites of the calls that are no more, as inlined ones have.
//!
//! Invariants: the function's own blocks and locals keep their numbers, its loops their headers, and the same locals
//! are live at these, so that versions of both bodies can take each other's place; no loop is added.

use crate::body::by_function::ByFunction;
use crate::body::site::Site;
use crate::observed::{Counts, Heat, Observed};
use crate::settings::compile::MOST_OPTIMIZED;
use crate::settings::expand::{MOST_ADDED, MOST_CALLEE, MOST_NESTED};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use holloway_lang::ir::{Block, BlockData, Cfg, FuncRef, Function, Inst, Local, Loops, Module, Operand, Terminator};
use holloway_lang::source::Span;
use std::sync::Arc;

/// A function with callees' bodies behind its own.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The body.
    pub body: Arc<Function>,
    /// The place of each block.
    places: PrimaryMap<Block, BlockPlace>,
    /// Those that callees' bodies stand for; a call comes before those in its callee.
    calls: Vec<Call>,
}

/// The place that a block of an expanded body comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPlace {
    /// The function.
    pub func: FuncRef,
    /// Its block.
    pub block: Block,
    /// The number of that block's instructions that stand in front of this one's.
    pub first: usize,
    /// The call that the body stands for; `None` of the function's own.
    call: Option<usize>,
}

/// A call that became its callee's body.
#[derive(Clone, Copy, Debug)]
struct Call {
    caller: BlockPlace,
    span: Span,
    callee: FuncRef,
    /// The callee's locals begin here.
    first_local: usize,
}

/// The expanded bodies by which functions are compiled, wherever they are inlined.
pub type ExpandedBodies = ByFunction<Expanded>;

/// Expands a function; `None` if no call in its loops is to be.
pub fn expand(module: &Module, func: FuncRef) -> Option<Expanded> {
    let body = module.function(func);
    let has_calls = |data: &BlockData| data.insts.iter().any(|inst| matches!(inst, Inst::Call { .. }));
    if !body.blocks.values().any(has_calls) {
        return None;
    }
    let loops = Loops::of(&Cfg::compute(body));
    let mut expansion = Expansion {
        module,
        body: Function::clone(body),
        places: body.blocks.keys().map(|block| BlockPlace::own(func, block)).collect(),
        calls: Vec::new(),
        left: MOST_ADDED.min(MOST_OPTIMIZED.saturating_sub(body.size())),
    };
    // A failure that a call may have, and its callee cannot, may be what a loop comes round by.
    let is_inside = |block: &Block| loops.innermost(*block).is_some() && body.blocks[*block].handler.is_none();
    body.blocks.keys().filter(is_inside).for_each(|block| expansion.block(block));
    let Expansion { body, places, calls, .. } = expansion;
    (!calls.is_empty()).then(|| Expanded { body: Arc::new(body), places, calls })
}

/// An expanded body that is being made.
struct Expansion<'a> {
    module: &'a Module,
    body: Function,
    places: PrimaryMap<Block, BlockPlace>,
    calls: Vec<Call>,
    /// Instructions that may still be added.
    left: usize,
}

impl Expansion<'_> {
    /// Expands the calls of a block, and those in what it is expanded to.
    fn block(&mut self, block: Block) {
        let mut next = Some(block);
        while let Some(block) = next {
            let insts = self.body.blocks[block].insts.iter().enumerate();
            let mut calls = insts.filter_map(|(at, inst)| match inst {
                Inst::Call { dst, func, args } => Some((at, *dst, *func, args.clone())),
                _ => None,
            });
            let found = calls.find(|(_, _, callee, _)| self.is_expanded(block, *callee));
            next = found.map(|(at, dst, callee, args)| self.call((block, at), dst, callee, &args));
        }
    }

    /// The functions whose bodies a block is in, innermost first.
    fn chain(&self, block: Block) -> Vec<FuncRef> {
        let place = self.places[block];
        let around = std::iter::successors(Some(place), |place| Some(self.calls[place.call?].caller));
        around.map(|place| place.func).collect()
    }

    fn is_expanded(&self, block: Block, callee: FuncRef) -> bool {
        let chain = self.chain(block);
        chain.len() <= MOST_NESTED
            && !chain.contains(&callee)
            && self.module.function(callee).size() <= self.left
            && has_paths(self.module, callee, MOST_NESTED - chain.len())
    }

    /// Puts the callee's body in the place of a call; gives the rest of the block.
    fn call(&mut self, (block, at): (Block, usize), dst: Option<Local>, callee: FuncRef, args: &[Operand]) -> Block {
        let of = Arc::clone(self.module.function(callee));
        self.left -= of.size();
        let caller = self.places[block];
        let data = &mut self.body.blocks[block];
        let rest =
            BlockData { insts: data.insts.split_off(at + 1), spans: data.spans.split_off(at + 1), ..data.clone() };
        data.insts.pop();
        let span = data.spans.pop().expect("each instruction has a span");
        self.calls.push(Call { caller, span, callee, first_local: self.body.locals.len() });
        let call = Some(self.calls.len() - 1);
        let rest = self.body.blocks.push(rest);
        self.places.push(BlockPlace { first: caller.first + at + 1, ..caller });
        let (first_block, first_local) = (self.body.blocks.len(), self.body.locals.len());
        let local = |local: Local| Local::new(first_local + local.index());
        let to = |block: Block| Block::new(first_block + block.index());
        self.body.locals.extend(of.locals.values().cloned());
        let data = &mut self.body.blocks[block];
        for (param, arg) in of.params.iter().zip(args) {
            data.insts.push(Inst::Copy { dst: local(*param), src: *arg });
            data.spans.push(span);
        }
        (data.term, data.term_span) = (Terminator::Jump(to(of.entry())), span);
        for (block, data) in of.blocks.iter() {
            let mut data = data.clone();
            data.insts.iter_mut().for_each(|inst| inst.renumber(local));
            data.term.renumber(local);
            data.term.retarget(to);
            if let Terminator::Return(value) = data.term {
                if let (Some(dst), Some(src)) = (dst, value) {
                    data.insts.push(Inst::Copy { dst, src });
                    data.spans.push(data.term_span);
                }
                data.term = Terminator::Jump(rest);
            }
            self.body.blocks.push(data);
            self.places.push(BlockPlace { func: callee, block, first: 0, call });
        }
        of.blocks.keys().for_each(|block| self.block(to(block)));
        rest
    }
}

/// Returns whether paths through a function may differ, and its body can stand for its calls. It calls only functions
/// of which the same holds: a call that stays costs more than what a path through branches leaves out.
fn has_paths(module: &Module, func: FuncRef, deeper: usize) -> bool {
    let body = module.function(func);
    if body.size() > MOST_CALLEE || body.catches() {
        return false;
    }
    let cfg = Cfg::compute(body);
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let (mut branches, mut returns) = (false, false);
    for block in cfg.reverse_postorder() {
        seen[block] = true;
        // A function that comes back to one of its blocks has a loop.
        if cfg.succs(block).iter().any(|(to, _)| seen[*to]) {
            return false;
        }
        branches |= cfg.succs(block).len() > 1;
        returns |= matches!(body.blocks[block].term, Terminator::Return(_));
    }
    let mut calls = body.blocks.values().flat_map(|data| &data.insts).filter(|inst| inst.is_call()).peekable();
    let has_calls = calls.peek().is_some();
    let stays = |inst: &Inst| match inst {
        Inst::Call { func: callee, .. } => *callee == func || deeper == 0 || !has_paths(module, *callee, deeper - 1),
        _ => true,
    };
    returns && (branches || has_calls) && !calls.any(stays)
}

/// The profile of a body, wherever that stands.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    /// Its counts with the weight of an execution, if it was observed.
    pub(crate) counts: Option<(Arc<Counts>, f64)>,
    /// True if its call is rare.
    pub(crate) in_rare_call: bool,
}

impl Observation {
    /// Executions of a block.
    pub(crate) fn executions(&self, block: Block) -> Option<f64> {
        self.counts.as_ref().map(|(counts, scale)| counts.executions(block) as f64 * scale)
    }

    /// Rounds of the loop with that header, on average.
    pub(crate) fn rounds(&self, header: Block) -> Option<f64> {
        self.counts.as_ref().and_then(|(counts, _)| counts.rounds(header))
    }

    /// True iff a block is rare.
    pub(crate) fn is_rare(&self, block: Block) -> bool {
        self.in_rare_call || self.counts.as_ref().is_some_and(|(counts, _)| counts.heat(block) == Heat::Rare)
    }

    /// Executions of the edge from a place in the body to another place.
    pub(crate) fn taken(&self, from: BlockPlace, to: BlockPlace) -> Option<f64> {
        let (counts, scale) = self.counts.as_ref()?;
        let taken = match from.call == to.call && to.first == 0 {
            true => counts.taken(from.block, to.block),
            false => counts.executions(from.block),
        };
        Some(taken as f64 * scale)
    }
}

impl Expanded {
    /// The place of a block.
    pub fn place(&self, block: Block) -> BlockPlace {
        self.places[block]
    }

    /// The local that another one stands for, in the function that it is of; `func` is the function itself.
    pub(crate) fn origin(&self, func: FuncRef, local: Local) -> (FuncRef, Local) {
        match self.calls.iter().rev().find(|call| call.first_local <= local.index()) {
            Some(call) => (call.callee, Local::new(local.index() - call.first_local)),
            None => (func, local),
        }
    }

    /// The sites of the calls that bodies stand for, in code where the function was inlined at a call; they come behind
    /// so many others.
    pub(crate) fn calls(&self, first: u32, inlined_at: Option<u32>) -> impl Iterator<Item = Site> {
        self.calls.iter().map(move |Call { caller, span, .. }| Site {
            func: caller.func,
            block: caller.block,
            span: *span,
            inlined_at: caller.inlined_at(first, inlined_at),
            expanded: None.into(),
        })
    }

    /// The site of an instruction of a block, in such code.
    pub(crate) fn site(&self, (block, span): (Block, Span), first: u32, inlined_at: Option<u32>) -> Site {
        let place = self.places[block];
        let inlined_at = place.inlined_at(first, inlined_at);
        Site { func: place.func, block: place.block, span, inlined_at, expanded: block.into() }
    }

    /// The profile of each body, the function's own first.
    pub(crate) fn observations(&self, own: Observation, observed: &Observed) -> Vec<Observation> {
        let mut all = vec![own];
        for Call { caller, callee, .. } in &self.calls {
            let around = &all[caller.body()];
            let (weight, in_rare_call) = (around.executions(caller.block), around.is_rare(caller.block));
            let counts = observed.of(*callee).and_then(|of| Some((Arc::clone(of), of.scale(weight?)?)));
            all.push(Observation { counts, in_rare_call });
        }
        all
    }

    /// Executions of the edges between blocks, by what was observed of the functions.
    pub fn executions(&self, func: FuncRef, observed: &Observed) -> impl Fn(Block, Block) -> u64 {
        let counts = observed.of(func).map(|counts| (Arc::clone(counts), 1.0));
        let all = self.observations(Observation { counts, in_rare_call: false }, observed);
        move |from, to| {
            let from = self.places[from];
            all[from.body()].taken(from, self.places[to]).unwrap_or(0.0) as u64
        }
    }
}

impl BlockPlace {
    /// The place of a block of a function that is as it was written.
    pub(crate) fn own(func: FuncRef, block: Block) -> BlockPlace {
        BlockPlace { func, block, first: 0, call: None }
    }

    /// The number of its body among all, from 0 on, which is the function's own.
    pub(crate) fn body(self) -> usize {
        self.call.map_or(0, |call| call + 1)
    }

    /// The site of the call around it, where the function itself is inlined at a call.
    fn inlined_at(self, first: u32, inlined_at: Option<u32>) -> Option<u32> {
        self.call.map_or(inlined_at, |call| Some(first + call as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_lang::ir::{parse, verify};

    /// `f1` has a branch, `f2` a loop, `f3` neither, `f4` calls itself, `f5` catches failures, `f6` only calls `f1`,
    /// `f7` never returns, `f8` calls `f3` and has a branch; `f0` calls them all in a loop, and `f1` behind it.
    fn module() -> Module {
        let branching = |number: u32, then: &str| {
            format!(
                "function f{number} \"f{number}\" sig0(v0: int) -> int {{\n local v1: bool\nblock0:\n v1 = igt v0, 3\n branch v1, block1, \
                 block2\nblock1:\n{then}\nblock2:\n return v0\n}}\n"
            )
        };
        let straight = |number: u32, insts: &str| {
            format!("function f{number} \"f{number}\" sig0(v0: int) -> int {{\nblock0:\n{insts}\n return v0\n}}\n")
        };
        let calls: String = (1..9).map(|number| format!(" v0 = call f{number}(v0)\n")).collect();
        let text = "type t0 = int\nsig0 = (t0) -> t0\n".to_owned()
            + &format!(
                "function f0 \"f0\" sig0(v0: int) -> int {{\n local v1: bool\nblock0:\n jump block1\nblock1:\n{calls} v1 = igt v0, 0\n branch \
                 v1, block1, block2\nblock2:\n v0 = call f1(v0)\n return v0\n}}\n"
            )
            + &branching(1, " v0 = iadd v0, 1\n return v0")
            + &branching(2, " v0 = iadd v0, 1\n v1 = ilt v0, 9\n branch v1, block1, block2")
            + &straight(3, " v0 = iadd v0, 1")
            + &branching(4, " v0 = call f4(v0)\n return v0")
            + &branching(5, " return v0")
            + &straight(6, " v0 = call f1(v0)\n v0 = iadd v0, 2")
            + &branching(7, " exit v0").replace("block2:\n return v0", "block2:\n exit v0")
            + &branching(8, " v0 = call f3(v0)\n return v0");
        parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    #[test]
    fn what_has_paths_and_no_loop_is_expanded() {
        let mut module = module();
        let f = FuncRef::from_u32;
        let mut catching = Function::clone(module.function(f(5)));
        catching.blocks[Block::new(1)].handler = Some(Block::new(2));
        module.funcs[f(5)].body = Arc::new(catching);
        let expanded = expand(&module, f(0)).expect("some calls are expanded");
        verify::verify(&module, &expanded.body).unwrap_or_else(|error| panic!("{error}"));
        let calls: Vec<(FuncRef, FuncRef)> =
            expanded.calls.iter().map(|call| (call.caller.func, call.callee)).collect();
        assert_eq!(calls, [(f(0), f(1)), (f(0), f(6)), (f(6), f(1))]);
        assert!((1..9).all(|func| expand(&module, f(func)).is_none()), "none of them calls in a loop");
    }

    #[test]
    fn places_tell_the_instructions_in_front() {
        let module = module();
        let expanded = expand(&module, FuncRef::from_u32(0)).expect("some calls are expanded");
        let own = |place: &BlockPlace| place.call.is_none() && place.block == Block::new(1);
        let mut firsts: Vec<usize> =
            expanded.places.values().filter(|place| own(place)).map(|place| place.first).collect();
        firsts.sort_unstable();
        assert_eq!(firsts, [0, 1, 5, 6]);
        let inside = expanded.places.values().filter(|place| place.body() == 4);
        let sites: Vec<Site> = expanded.calls(10, Some(4)).collect();
        let inlined: Vec<Option<u32>> = sites.iter().map(|site| site.inlined_at).collect();
        assert_eq!(inlined, [Some(4), Some(4), Some(4), Some(12)], "the last is in the third call's callee");
        assert!(inside.clone().count() == 3 && inside.clone().all(|place| place.inlined_at(10, Some(4)) == Some(13)));
    }
}
