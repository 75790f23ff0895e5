//! Observers of a run: trace recorders, edge counters, and instrumentation plans that the interpreter carries out.
//!
//! In: the interpreter's events, in order. Out: the observer's own results.
//! Invariants of the event stream, for each activation:
//! 1. It is `enter`, `block` of the entry, then pairs of `edge` and `block`, then `leave` or `abort`. Activations nest:
//!    `call` is followed by the callee's, and that by `returned` unless it was aborted.
//! 2. Every edge is one of `ir::cfg::edges`. A failure edge is taken when the function itself catches the failure.
//! 3. A failure, an exit or an exhausted limit that leaves a function aborts it in its present block, innermost first.
//!    A limit that runs out at a function's entry or at a loop header aborts after the `block` of it.
//! 4. If [`Observer::INSTRUCTIONS`], each instruction is told before it is executed, and one that is no call after it, too. `stopped`
//!    comes before an `abort` and before a failure edge.

use super::frame::InstPlace;
use super::objects::Operands;
use holloway_ir::{Block, EdgeKind, FuncRef, Inst};

/// Observes a run. The default of every event does nothing.
pub trait Observer {
    /// True if the observer is told of instructions.
    const INSTRUCTIONS: bool = false;

    /// An instruction, which may be a call, is about to be executed.
    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        let _ = (place, inst, operands);
    }

    /// An instruction that is no call was executed and did not fail.
    fn executed(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        let _ = (place, inst, operands);
    }

    /// A block of the innermost function is left at an instruction that failed, or that is a call of what did.
    fn stopped(&mut self, place: InstPlace) {
        let _ = place;
    }

    /// A function is entered.
    fn enter(&mut self, func: FuncRef) {
        let _ = func;
    }

    /// Control goes from one block to another.
    fn edge(&mut self, func: FuncRef, from: Block, to: Block, kind: EdgeKind) {
        let _ = (func, from, to, kind);
    }

    /// A block starts.
    fn block(&mut self, func: FuncRef, block: Block) {
        let _ = (func, block);
    }

    /// A function makes a call: the one behind so many others of its present block.
    fn call(&mut self, func: FuncRef, block: Block, number: u32) {
        let _ = (func, block, number);
    }

    /// A call has returned.
    fn returned(&mut self, func: FuncRef, block: Block, number: u32) {
        let _ = (func, block, number);
    }

    /// A function is left in the middle of a block, not to return.
    fn abort(&mut self, func: FuncRef, block: Block) {
        let _ = (func, block);
    }

    /// A function returns.
    fn leave(&mut self, func: FuncRef) {
        let _ = func;
    }
}

/// Observes nothing, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

impl<O: Observer> Observer for &mut O {
    const INSTRUCTIONS: bool = O::INSTRUCTIONS;

    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        (**self).inst(place, inst, operands);
    }

    fn executed(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        (**self).executed(place, inst, operands);
    }

    fn stopped(&mut self, place: InstPlace) {
        (**self).stopped(place);
    }

    fn enter(&mut self, func: FuncRef) {
        (**self).enter(func);
    }

    fn edge(&mut self, func: FuncRef, from: Block, to: Block, kind: EdgeKind) {
        (**self).edge(func, from, to, kind);
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        (**self).block(func, block);
    }

    fn call(&mut self, func: FuncRef, block: Block, number: u32) {
        (**self).call(func, block, number);
    }

    fn returned(&mut self, func: FuncRef, block: Block, number: u32) {
        (**self).returned(func, block, number);
    }

    fn abort(&mut self, func: FuncRef, block: Block) {
        (**self).abort(func, block);
    }

    fn leave(&mut self, func: FuncRef) {
        (**self).leave(func);
    }
}

/// Two observers of one run.
impl<A: Observer, B: Observer> Observer for (A, B) {
    const INSTRUCTIONS: bool = A::INSTRUCTIONS || B::INSTRUCTIONS;

    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        self.0.inst(place, inst, operands);
        self.1.inst(place, inst, operands);
    }

    fn executed(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        self.0.executed(place, inst, operands);
        self.1.executed(place, inst, operands);
    }

    fn stopped(&mut self, place: InstPlace) {
        self.0.stopped(place);
        self.1.stopped(place);
    }

    fn enter(&mut self, func: FuncRef) {
        self.0.enter(func);
        self.1.enter(func);
    }

    fn edge(&mut self, func: FuncRef, from: Block, to: Block, kind: EdgeKind) {
        self.0.edge(func, from, to, kind);
        self.1.edge(func, from, to, kind);
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        self.0.block(func, block);
        self.1.block(func, block);
    }

    fn call(&mut self, func: FuncRef, block: Block, number: u32) {
        self.0.call(func, block, number);
        self.1.call(func, block, number);
    }

    fn returned(&mut self, func: FuncRef, block: Block, number: u32) {
        self.0.returned(func, block, number);
        self.1.returned(func, block, number);
    }

    fn abort(&mut self, func: FuncRef, block: Block) {
        self.0.abort(func, block);
        self.1.abort(func, block);
    }

    fn leave(&mut self, func: FuncRef) {
        self.0.leave(func);
        self.1.leave(func);
    }
}
