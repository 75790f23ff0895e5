//! The observer that keeps an execution.
//!
//! In: the interpreter's events, and the recorded path. Out: a [`ProgramExecution`], or how it differs from the recording.
//!
//! Invariants: the open activations are the interpreter's frames. When the recording ends, or differs, the program is told to stop and
//! nothing that it still does is kept. A failure of the innermost activation is the first `stopped` of an unwinding.

use super::memory_watcher::MemoryWatcher;
use super::outcome::{ExecutionError, ProgramExecution, RecordedPath};
use crate::trace::facts::statements::{procedures, statement_of_terminator};
use crate::trace::settings::MOST_BLOCKS;
use cranelift_entity::{EntityRef, PrimaryMap};
use holloway_interp::{InstPlace, Observer, Operands};
use holloway_jit::graph_of::{block_of, node_of};
use holloway_lang::ir::{Block, FuncRef, Inst, Module, Terminator};
use holloway_machine::profile::consumer::function_id;
use holloway_profiler::event::FunctionId;
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::CheckedBlock;
use holloway_profiler::wpp::dynamic_graph::DynamicGraph;
use holloway_profiler::wpp::slice::{Activation, ActivationId, Execution, Point, ProcedureId, TraceId};
use holloway_runtime::{InterruptHandle, flag};
use std::collections::HashMap;

/// An activation that has not ended.
struct Open {
    activation: ActivationId,
    func: FuncRef,
    blocks: Vec<Node>,
    /// The statement that is being executed.
    statement: u32,
}

pub(super) struct Watcher<'m, 'r> {
    module: &'m Module,
    recorded: Option<RecordedPath<'r>>,
    interrupt: InterruptHandle,
    open: Vec<Open>,
    activations: PrimaryMap<ActivationId, Activation>,
    traces: PrimaryMap<TraceId, DynamicGraph>,
    known: HashMap<(FuncRef, Vec<Node>), TraceId>,
    memory: MemoryWatcher,
    is_unwinding: bool,
    /// The function that is being entered.
    entering: Option<FuncRef>,
    blocks: u64,
    is_over: bool,
    error: Option<ExecutionError>,
}

impl<'m, 'r> Watcher<'m, 'r> {
    pub(super) fn new(
        module: &'m Module,
        recorded: Option<RecordedPath<'r>>,
        interrupt: InterruptHandle,
    ) -> Watcher<'m, 'r> {
        Watcher {
            module,
            recorded,
            interrupt,
            open: Vec::new(),
            activations: PrimaryMap::new(),
            traces: PrimaryMap::new(),
            known: HashMap::new(),
            memory: MemoryWatcher::default(),
            is_unwinding: false,
            entering: None,
            blocks: 0,
            is_over: false,
            error: None,
        }
    }

    /// The execution, if it was the recorded one.
    pub(super) fn finish(mut self) -> Result<ProgramExecution, ExecutionError> {
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
        if let Some(error) = self.error {
            return Err(error);
        }
        while !self.open.is_empty() {
            self.close();
        }
        let Watcher { traces, activations, memory, blocks, module, .. } = self;
        let execution = Execution { procedures: procedures(module), traces, activations };
        Ok(ProgramExecution { execution, memory: memory.finish(), blocks })
    }

    fn stop(&mut self) {
        self.is_over = true;
        self.interrupt.raise(flag::INTERRUPT);
    }

    fn differ(&mut self, recorded: Option<(FuncRef, Block)>, found: Option<(FuncRef, Block)>) {
        let name = |(func, block): (FuncRef, Block)| (self.module.function(func).name.clone(), block.as_u32());
        let (recorded, found) = (recorded.map(name), found.map(name));
        self.error = Some(ExecutionError::Differs { after: self.blocks, recorded, found });
        self.stop();
    }

    /// Compares a block with the recording. Returns whether it is part of the execution.
    fn is_recorded(&mut self, func: FuncRef, block: Block) -> bool {
        if self.is_over {
            return false;
        }
        if self.blocks == MOST_BLOCKS {
            self.error = Some(ExecutionError::TooLong { most: MOST_BLOCKS });
            self.stop();
            return false;
        }
        match &mut self.recorded {
            None => self.blocks += 1,
            Some(RecordedPath::Blocks(recorded)) => match recorded.next() {
                None => self.stop(),
                Some(expected) if expected != (func, block) => self.differ(Some(expected), Some((func, block))),
                Some(_) => self.blocks += 1,
            },
            Some(RecordedPath::Activations(recorded)) => {
                if self.entering.is_some() {
                    recorded.enter(function_id(func));
                }
                match recorded.block(node_of(block)) {
                    CheckedBlock::Recorded | CheckedBlock::Missing => self.blocks += 1,
                    CheckedBlock::Over => self.stop(),
                    CheckedBlock::Differs(expected) => {
                        let place = |(function, block): (FunctionId, Node)| {
                            (FuncRef::new(function.as_u32() as usize), block_of(block))
                        };
                        self.differ(expected.map(place), Some((func, block)));
                    }
                }
            }
        }
        !self.is_over
    }

    fn innermost(&mut self) -> &mut Open {
        self.open.last_mut().expect("an activation is open")
    }

    fn point(&self) -> Option<(ActivationId, Point)> {
        let open = self.open.last()?;
        Some((open.activation, Point::at(open.blocks.len() as u64, open.statement)))
    }

    /// Begins an activation.
    fn open(&mut self, func: FuncRef) {
        let procedure = ProcedureId::from_u32(func.as_u32());
        let (caller, trace) = (self.point(), TraceId::from_u32(0));
        let activation = self.activations.push(Activation { procedure, trace, caller, failures: Vec::new() });
        self.open.push(Open { activation, func, blocks: Vec::new(), statement: 0 });
    }

    /// Ends the innermost activation: its path is one of the unique path traces.
    fn close(&mut self) {
        let Open { activation, func, blocks, .. } = self.open.pop().expect("an activation is open");
        let traces = &mut self.traces;
        let trace = *self
            .known
            .entry((func, blocks))
            .or_insert_with_key(|(_, blocks)| traces.push(DynamicGraph::of_trace(blocks.iter().copied())));
        self.activations[activation].trace = trace;
    }

    /// The innermost activation ends while the program runs.
    fn end(&mut self) {
        if !self.is_over {
            self.close();
            if let Some(RecordedPath::Activations(recorded)) = &mut self.recorded {
                recorded.leave();
            }
        }
    }
}

impl Observer for Watcher<'_, '_> {
    const INSTRUCTIONS: bool = true;

    fn enter(&mut self, func: FuncRef) {
        self.entering = Some(func);
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        if !self.is_recorded(func, block) {
            return;
        }
        if self.entering.take().is_some() {
            self.open(func);
        }
        self.is_unwinding = false;
        let open = self.innermost();
        open.blocks.push(node_of(block));
        open.statement = 0;
    }

    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        if self.is_over {
            return;
        }
        self.innermost().statement = place.at as u32;
        let (_, point) = self.point().expect("an activation is open");
        self.memory.before(point, inst, operands);
    }

    fn executed(&mut self, _: InstPlace, inst: &Inst, operands: Operands<'_>) {
        if self.is_over {
            return;
        }
        let activation = self.innermost().activation;
        self.memory.after(activation, inst, operands);
    }

    fn stopped(&mut self, place: InstPlace) {
        if self.is_over {
            return;
        }
        let data = &self.module.function(place.func).blocks[place.block];
        let is_terminator = place.at == data.insts.len();
        self.innermost().statement = if is_terminator { statement_of_terminator(data) } else { place.at as u32 };
        let (activation, point) = self.point().expect("an activation is open");
        self.memory.failed(activation);
        if !std::mem::replace(&mut self.is_unwinding, true) {
            // The statement before the terminator of a `fail` sets the message.
            let is_fail = is_terminator && matches!(data.term, Terminator::Fail { .. });
            let message = is_fail.then(|| Point::at(point.time, point.statement - 1));
            self.memory.raised(activation, message);
        }
        self.activations[activation].failures.push(point);
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.end();
    }

    fn leave(&mut self, _: FuncRef) {
        self.end();
    }
}
