//! The observer that tells the blocks of a run, and keeps none.
//!
//! In: the interpreter's events, and the recorded path. Out: each block of the run, in order, as long as somebody wants more.
//! Invariant: as that of the check: a block that is told was recorded, or is missing where the recording was cut short.

use super::path_check::PathCheck;
use super::{ExecutionError, RecordedPath};
use holloway_interp::Observer;
use holloway_lang::ir::{Block, FuncRef, Module};
use holloway_runtime::InterruptHandle;
use std::ops::ControlFlow;

pub(super) struct BlockWatcher<'m, 'r, F> {
    check: PathCheck<'m, 'r>,
    tell: F,
}

impl<'m, 'r, F: FnMut(FuncRef, Block) -> ControlFlow<()>> BlockWatcher<'m, 'r, F> {
    pub(super) fn new(
        module: &'m Module,
        recorded: RecordedPath<'r>,
        interrupt: InterruptHandle,
        tell: F,
    ) -> BlockWatcher<'m, 'r, F> {
        let check = PathCheck::new(module, Some(recorded), interrupt, u64::MAX);
        BlockWatcher { check, tell }
    }

    pub(super) fn finish(self) -> Result<(), ExecutionError> {
        self.check.finish().map(drop)
    }
}

impl<F: FnMut(FuncRef, Block) -> ControlFlow<()>> Observer for BlockWatcher<'_, '_, F> {
    fn enter(&mut self, _: FuncRef) {
        self.check.enter();
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        if self.check.block(func, block).is_some() && (self.tell)(func, block).is_break() {
            self.check.stop();
        }
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.check.leave();
    }

    fn leave(&mut self, _: FuncRef) {
        self.check.leave();
    }
}
