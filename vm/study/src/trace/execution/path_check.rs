//! An execution beside a recorded path.
//!
//! In: the functions that the interpreter enters, its blocks, and the ends of activations; the recorded path. Out: for each block whether it is part of
//! the recorded run; in the end, how the execution differs from the recording.
//! Invariant: when the recording ends, or differs, the program is told to stop, and nothing that it still does is part of the run.

use super::outcome::{ExecutionError, RecordedPath};
use holloway_jit::graph_of::{block_of, node_of};
use holloway_lang::ir::{Block, FuncRef, Module};
use holloway_machine::profile::consumer::function_id;
use holloway_profiler::event::FunctionId;
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::CheckedBlock;
use holloway_runtime::{InterruptHandle, flag};
use std::mem;

pub(super) struct PathCheck<'m, 'r> {
    module: &'m Module,
    recorded: Option<RecordedPath<'r>>,
    interrupt: InterruptHandle,
    /// A function is being entered.
    is_entering: bool,
    /// Blocks of the run so far.
    blocks: u64,
    /// The blocks that it may have.
    most: u64,
    is_over: bool,
    error: Option<ExecutionError>,
}

impl<'m, 'r> PathCheck<'m, 'r> {
    /// Compares with a path; `None` accepts every execution. More than `most` blocks are an error.
    pub(super) fn new(
        module: &'m Module,
        recorded: Option<RecordedPath<'r>>,
        interrupt: InterruptHandle,
        most: u64,
    ) -> PathCheck<'m, 'r> {
        PathCheck { module, recorded, interrupt, is_entering: false, blocks: 0, most, is_over: false, error: None }
    }

    /// The run has ended, or what is kept of it.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// A function is entered; its first block follows.
    pub(super) fn enter(&mut self) {
        self.is_entering = true;
    }

    /// Returns whether a block is part of the run, and then whether it begins an activation.
    pub(super) fn block(&mut self, func: FuncRef, block: Block) -> Option<bool> {
        if self.is_over {
            return None;
        }
        if self.blocks == self.most {
            self.error = Some(ExecutionError::TooLong { most: self.most });
            self.stop();
            return None;
        }
        match &mut self.recorded {
            None => self.blocks += 1,
            Some(RecordedPath::Blocks(recorded)) => match recorded.next() {
                None => self.stop(),
                Some(expected) if expected != (func, block) => self.differ(Some(expected), Some((func, block))),
                Some(_) => self.blocks += 1,
            },
            Some(RecordedPath::Activations(recorded)) => {
                if self.is_entering {
                    recorded.enter(function_id(func));
                }
                match recorded.block(node_of(block)) {
                    CheckedBlock::Recorded | CheckedBlock::Missing => self.blocks += 1,
                    CheckedBlock::Over => self.stop(),
                    CheckedBlock::Differs(expected) => {
                        let place = |(function, block): (FunctionId, Node)| {
                            (FuncRef::from_u32(function.as_u32()), block_of(block))
                        };
                        self.differ(expected.map(place), Some((func, block)));
                    }
                }
            }
        }
        (!self.is_over).then(|| mem::take(&mut self.is_entering))
    }

    /// The innermost activation ends while the program runs.
    pub(super) fn leave(&mut self) {
        if !self.is_over
            && let Some(RecordedPath::Activations(recorded)) = &mut self.recorded
        {
            recorded.leave();
        }
    }

    /// Nothing behind this is asked for.
    pub(super) fn stop(&mut self) {
        self.is_over = true;
        self.interrupt.raise(flag::INTERRUPT);
    }

    /// The execution is not followed any further, for a reason.
    pub(super) fn refuse(&mut self, error: ExecutionError) {
        self.error = Some(error);
        self.stop();
    }

    /// The blocks so far.
    pub(super) fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The number of blocks, if the execution was the recorded one.
    pub(super) fn finish(mut self) -> Result<u64, ExecutionError> {
        if !self.is_over {
            match &mut self.recorded {
                Some(RecordedPath::Blocks(recorded)) => {
                    if let Some(next) = recorded.next() {
                        self.differ(Some(next), None);
                    }
                }
                Some(RecordedPath::Activations(recorded)) if !recorded.is_over() => self.differ(None, None),
                Some(RecordedPath::Activations(_)) | None => {}
            }
        }
        self.error.map_or(Ok(self.blocks), Err)
    }

    fn differ(&mut self, recorded: Option<(FuncRef, Block)>, found: Option<(FuncRef, Block)>) {
        let name = |(func, block): (FuncRef, Block)| (self.module.function(func).name.clone(), block.as_u32());
        let (recorded, found) = (recorded.map(name), found.map(name));
        self.error = Some(ExecutionError::Differs { after: self.blocks, recorded, found });
        self.stop();
    }
}
