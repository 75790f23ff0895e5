//! The observer that keeps an execution.
//!
//! In: the interpreter's events, and the recorded path. Out: a [`ProgramExecution`], or how it differs from the recording.
//!
//! Invariants: the open activations are the interpreter's frames. Nothing is kept of what the program does behind the end of the run. A failure of the innermost activation is the first `stopped` of an unwinding.

use super::memory_effects::At;
use super::memory_watcher::MemoryWatcher;
use super::outcome::{ExecutionError, ProgramExecution, RecordedPath};
use super::path_check::PathCheck;
use super::unique_traces::UniqueTraces;
use crate::trace::facts::statements::{procedures, statement_at};
use crate::trace::settings::{MOST_BLOCKS, MOST_WITH_ACCESSES};
use cranelift_entity::PrimaryMap;
use holloway_interp::{InstPlace, Observer, Operands};
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{Block, FuncRef, Inst, Module, Terminator};
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::slice::{Activation, ActivationId, Execution, Point, ProcedureId, TraceId};
use holloway_runtime::InterruptHandle;

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
    check: PathCheck<'m, 'r>,
    open: Vec<Open>,
    activations: PrimaryMap<ActivationId, Activation>,
    traces: UniqueTraces,
    /// `None` if accesses to memory are not asked for.
    memory: Option<MemoryWatcher>,
    is_unwinding: bool,
}

impl<'m, 'r> Watcher<'m, 'r> {
    pub(super) fn new(
        module: &'m Module,
        recorded: Option<RecordedPath<'r>>,
        interrupt: InterruptHandle,
        keeps_memory: bool,
    ) -> Watcher<'m, 'r> {
        Watcher {
            module,
            check: PathCheck::new(
                module,
                recorded,
                interrupt,
                if keeps_memory { MOST_WITH_ACCESSES } else { MOST_BLOCKS },
            ),
            open: Vec::new(),
            activations: PrimaryMap::new(),
            traces: UniqueTraces::default(),
            memory: keeps_memory.then(MemoryWatcher::default),
            is_unwinding: false,
        }
    }

    /// The execution, if it was the recorded one.
    pub(super) fn finish(mut self) -> Result<ProgramExecution, ExecutionError> {
        while !self.open.is_empty() {
            self.close();
        }
        let Watcher { traces, activations, memory, check, module, .. } = self;
        let blocks = check.finish()?;
        let execution = Execution { procedures: procedures(module), traces: traces.finish(), activations };
        Ok(ProgramExecution { execution, memory: memory.map(MemoryWatcher::finish).unwrap_or_default(), blocks })
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
        self.activations[activation].trace = self.traces.id_of(func, blocks);
    }

    /// The innermost activation ends while the program runs.
    fn end(&mut self) {
        if !self.check.is_over() {
            self.close();
            self.check.leave();
        }
    }
}

impl Observer for Watcher<'_, '_> {
    const INSTRUCTIONS: bool = true;

    fn enter(&mut self, _: FuncRef) {
        self.check.enter();
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        let Some(is_entry) = self.check.block(func, block) else { return };
        if is_entry {
            self.open(func);
        }
        self.is_unwinding = false;
        let open = self.innermost();
        open.blocks.push(node_of(block));
        open.statement = 0;
    }

    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        if self.check.is_over() {
            return;
        }
        self.innermost().statement = place.at as u32;
        let (_, point) = self.point().expect("an activation is open");
        if let Some(memory) = &mut self.memory {
            memory.before(point, At { module: self.module, place }, inst, operands);
        }
    }

    fn executed(&mut self, _: InstPlace, inst: &Inst, operands: Operands<'_>) {
        if self.check.is_over() {
            return;
        }
        let activation = self.innermost().activation;
        if let Some(memory) = &mut self.memory {
            memory.after(activation, inst, operands);
        }
    }

    fn stopped(&mut self, place: InstPlace) {
        if self.check.is_over() {
            return;
        }
        let data = &self.module.function(place.func).blocks[place.block];
        let is_terminator = place.at == data.insts.len();
        self.innermost().statement = statement_at(data, place.at);
        let (activation, point) = self.point().expect("an activation is open");
        let is_raised = !std::mem::replace(&mut self.is_unwinding, true);
        if let Some(memory) = &mut self.memory {
            memory.failed(activation);
            if is_raised {
                // The statement before the terminator of a `fail` sets the message.
                let is_fail = is_terminator && matches!(data.term, Terminator::Fail { .. });
                memory.raised(activation, is_fail.then(|| Point::at(point.time, point.statement - 1)));
            }
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
