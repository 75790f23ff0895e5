//! The interpreter's call stack.
//!
//! In: calls. Out: frames, each with its window of the runtime's registers: one word a local, 0 before it is assigned.
//! Invariants: windows lie one after the other, the innermost last, so the collector finds every local in one vector. No body of a
//! function changes while a frame is active, so what was prepared for one holds until it ends.
//! References that nothing reads any more are cleared before a collection can happen (see `ir::stale`).

use cranelift_entity::{EntityRef, SecondaryMap};
use holloway_ir::{
    Block, Cfg, Dominators, FuncRef, Function, Inst, Liveness, Local, Loops, Operand, Scalar, Span, Stale,
};
use holloway_runtime::{Runtime, func_word};
use std::sync::Arc;

/// A place in a function: an instruction, or the terminator behind the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstPlace {
    /// The function.
    pub func: FuncRef,
    /// The block.
    pub block: Block,
    /// The number of instructions before it in the block.
    pub at: usize,
}

/// A function in the form that the interpreter runs.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) body: Arc<Function>,
    /// The targets of the back edges out of each block; mostly none.
    back_edges: SecondaryMap<Block, Vec<Block>>,
    /// The instructions of each block that are calls.
    calls: SecondaryMap<Block, Vec<usize>>,
    live: Liveness,
    pub(super) stale: Stale,
}

impl Code {
    pub(super) fn new(body: Arc<Function>) -> Code {
        let cfg = Cfg::compute(&body);
        let loops = Loops::compute(&cfg, &Dominators::compute(&cfg));
        let mut back_edges: SecondaryMap<Block, Vec<Block>> = SecondaryMap::with_capacity(body.blocks.len());
        for (_, data) in loops.iter() {
            data.latches.iter().for_each(|latch| back_edges[*latch].push(data.header));
        }
        let mut calls: SecondaryMap<Block, Vec<usize>> = SecondaryMap::with_capacity(body.blocks.len());
        for (block, data) in body.blocks.iter() {
            calls[block] = (0..data.insts.len()).filter(|at| data.insts[*at].is_call()).collect();
        }
        let live = Liveness::of_references(&body, &cfg);
        let stale = Stale::compute(&body, &cfg, &live);
        Code { body, back_edges, calls, live, stale }
    }

    /// The locals whose references a block that is about to start does not need.
    pub(super) fn unneeded(&self, block: Block) -> impl Iterator<Item = Local> + '_ {
        let is_needed = move |local: &Local| self.live.is_live_in(block, *local);
        self.body.locals.keys().filter(move |local| self.body.scalar(*local) == Scalar::Ref && !is_needed(local))
    }

    /// The number of calls before an instruction of a block.
    pub(super) fn calls_before(&self, block: Block, at: usize) -> u32 {
        self.calls[block].partition_point(|call| *call < at) as u32
    }

    #[inline]
    pub(super) fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.back_edges[from].contains(&to)
    }
}

/// The functions that were called, in the form that the interpreter runs.
#[derive(Debug, Default)]
pub(super) struct Prepared(SecondaryMap<FuncRef, Option<Arc<Code>>>);

impl Prepared {
    /// Prepares the present body of a function, once.
    #[inline]
    pub(super) fn prepare(&mut self, rt: &Runtime, func: FuncRef) {
        let body = rt.module().function(func);
        match &self.0[func] {
            Some(code) if Arc::ptr_eq(&code.body, body) => {}
            _ => self.0[func] = Some(Arc::new(Code::new(Arc::clone(body)))),
        }
    }

    /// The code of a function that was prepared.
    #[inline]
    pub(super) fn of(&self, func: FuncRef) -> &Code {
        self.0[func].as_ref().expect("it was prepared for its call")
    }
}

/// One activation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) func: FuncRef,
    pub(super) block: Block,
    /// The instruction being executed, or next; the number of instructions for the terminator.
    pub(super) at: usize,
    /// The start of its window.
    pub(super) base: usize,
}

impl Frame {
    /// The instruction being executed, for an observer.
    pub(super) fn inst_place(&self) -> InstPlace {
        InstPlace { func: self.func, block: self.block, at: self.at }
    }

    /// The position in its function, of that code.
    pub(super) fn place(&self, code: &Code) -> Span {
        let data = &code.body.blocks[self.block];
        data.spans.get(self.at).copied().unwrap_or(data.term_span)
    }
}

/// The arguments of a call of a function of the program.
pub(super) fn call_args(inst: &Inst) -> &[Operand] {
    let (Inst::Call { args, .. } | Inst::CallIndirect { args, .. }) = inst else {
        unreachable!("nothing else calls functions")
    };
    args
}

/// The value of an operand in the window that starts at `base`.
#[inline]
pub(super) fn read(rt: &Runtime, base: usize, operand: Operand) -> u64 {
    match operand {
        Operand::Local(local) => rt.registers[base + local.index()],
        Operand::Int(value) => value as u64,
        Operand::Float(bits) => bits,
        Operand::Bool(value) => u64::from(value),
        Operand::Str(string) => rt.constant(string).word(),
        Operand::Func(func) => func_word(func),
        Operand::NoneRef | Operand::NoneFunc => 0,
    }
}
