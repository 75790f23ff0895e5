//! The observer that computes a slice while the program runs.
//!
//! In: the interpreter's events, and the recorded path; a line and a variable. Out: the slice of the variable's value just before an execution of the line.
//! Invariant: memory is a word for each part of each live object, and that of the [`ForwardSlicer`], whose sets of dependences have a limit; above it there is no
//! slice.

use super::line_visits::{LineVisits, Visit};
use super::memory_effects::{At, Reading, reading, write};
use super::outcome::{ExecutionError, RecordedPath};
use super::path_check::PathCheck;
use super::shadow::Shadow;
use crate::trace::facts::locations::{self, LENGTH, READ, WRITE};
use crate::trace::facts::names::{BaseVariable, MemoryPlace, Variable};
use crate::trace::facts::place::{PlaceError, SourceLine, SourceProgram};
use crate::trace::facts::statements::{statement_at, statement_of_terminator};
use cranelift_entity::{EntityRef, PrimaryMap};
use hashbrown::HashMap;
use holloway_interp::{InstPlace, Observer, Operands};
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{Block, EdgeKind, FuncRef, Inst, Module, Operand, Terminator};
use holloway_profiler::wpp::slice::forward::{ForwardSlicer, Origin, no_cells};
use holloway_profiler::wpp::slice::{Location, Procedure, ProcedureId, Slice, StatementId};
use holloway_runtime::InterruptHandle;
use std::collections::BTreeMap;

/// Blocks between two looks at the memory that sets take.
const BLOCKS_BETWEEN_LOOKS: u64 = 1 << 12;

/// The value that is asked about.
pub(in crate::trace) struct ValueQuestion<'p> {
    /// The line.
    visits: LineVisits<'p>,
    /// The variable that is meant, before a statement.
    variable: Box<dyn Fn(StatementId) -> Result<Variable, PlaceError> + 'p>,
    /// The variables that addresses count from, in procedures with the line.
    bases: BTreeMap<ProcedureId, BaseVariable>,
    /// The execution of the line, from 1; the last if left out.
    occurrence: Option<u64>,
}

impl<'p> ValueQuestion<'p> {
    /// A question for the value of a variable just before an execution of a line.
    pub(in crate::trace) fn new(
        program: SourceProgram<'p>,
        at: SourceLine,
        occurrence: Option<u64>,
        variable: impl Fn(StatementId) -> Result<Variable, PlaceError> + 'p,
    ) -> Result<ValueQuestion<'p>, PlaceError> {
        let visits = LineVisits::new(program, at)?;
        let base = |statement: StatementId| match variable(statement) {
            Ok(Variable::Memory(MemoryPlace { base, .. })) => Some((statement.procedure, base?)),
            Ok(Variable::Local(_) | Variable::Global(_)) | Err(_) => None,
        };
        let is_module = program.module.linear.is_some();
        let statements = if is_module { program.statements_at(at) } else { Vec::new() };
        let bases = statements.into_iter().filter_map(base).collect();
        Ok(ValueQuestion { visits, variable: Box::new(variable), bases, occurrence })
    }
}

/// Executions and slice of a watched value.
pub(in crate::trace) struct WatchedValue {
    /// Executions of the line.
    pub(in crate::trace) executions: u64,
    /// The slice at the one that was asked about, if it came.
    pub(in crate::trace) slice: Option<Result<Slice, PlaceError>>,
}

/// A live activation.
struct Open {
    procedure: ProcedureId,
    visit: Option<Visit>,
    /// The value of what addresses count from, once it is known.
    base: Option<u64>,
    /// The statement that is being executed.
    statement: u32,
}

/// Tells a slicer what the interpreter does, and keeps the value that was asked for.
pub(super) struct ForwardWatcher<'m, 'r, 'p> {
    module: &'m Module,
    check: PathCheck<'m, 'r>,
    slicer: ForwardSlicer<'p>,
    shadow: Shadow,
    open: Vec<Open>,
    block: Option<Block>,
    /// The reads of the instruction that is being executed.
    reading: Option<Reading>,
    /// The origin of the message of the last failure, if `fail` raised it.
    message: Option<Origin>,
    is_unwinding: bool,
    question: ValueQuestion<'p>,
    variables: HashMap<StatementId, Result<Variable, PlaceError>>,
    executions: u64,
    found: Option<Result<(Location, Vec<Origin>), PlaceError>>,
}

impl<'m, 'r, 'p> ForwardWatcher<'m, 'r, 'p> {
    pub(super) fn new(
        module: &'m Module,
        recorded: Option<RecordedPath<'r>>,
        interrupt: InterruptHandle,
        procedures: &'p PrimaryMap<ProcedureId, Procedure>,
        (question, most_nodes): (ValueQuestion<'p>, usize),
    ) -> ForwardWatcher<'m, 'r, 'p> {
        ForwardWatcher {
            module,
            check: PathCheck::new(module, recorded, interrupt, u64::MAX),
            slicer: ForwardSlicer::new(procedures, most_nodes),
            shadow: Shadow::default(),
            open: Vec::new(),
            block: None,
            reading: None,
            message: None,
            is_unwinding: false,
            question,
            variables: HashMap::new(),
            executions: 0,
            found: None,
        }
    }

    /// The slice, if the execution was the recorded one.
    pub(super) fn finish(self) -> Result<WatchedValue, ExecutionError> {
        let ForwardWatcher { check, slicer, executions, found, .. } = self;
        check.finish()?;
        if slicer.is_full() {
            return Err(ExecutionError::TooLarge);
        }
        let slice = found.map(|found| found.map(|(location, origins)| slicer.slice_of_all(location, &origins)));
        Ok(WatchedValue { executions, slice })
    }

    /// Control comes to a statement of the innermost activation: maybe an execution of the line begins.
    fn come_to(&mut self, statement: u32) {
        let Some(open) = self.open.last_mut() else { return };
        let Some(first) = open.visit.as_mut().and_then(|visit| visit.begins_by(statement)) else { return };
        self.executions += 1;
        if self.question.occurrence.is_none_or(|nth| nth == self.executions) {
            let block = node_of(self.block.expect("a block was entered"));
            let at = StatementId { procedure: open.procedure, block, index: first };
            let (variable, base) = (&self.question.variable, open.base);
            let found = self.variables.entry(at).or_insert_with(|| variable(at)).clone();
            self.found = Some(found.and_then(|variable| self.origins(variable, base)));
        }
    }

    /// The origins of the value of a variable of the innermost activation.
    fn origins(&self, variable: Variable, base: Option<u64>) -> Result<(Location, Vec<Origin>), PlaceError> {
        let of = |location| (location, vec![self.slicer.origin(location)]);
        Ok(match variable {
            Variable::Local(local) => of(locations::local(local)),
            Variable::Global(global) => of(locations::global(global)),
            Variable::Memory(place) => {
                let base = if place.base.is_some() { base } else { Some(0) };
                // Ahead of the first instruction of a function nothing is in its frame.
                let addresses = base.and_then(|base| place.addresses(base)).unwrap_or_default();
                (locations::bytes(READ), self.shadow.linear.stores(addresses))
            }
        })
    }

    /// The statement of the terminator of the present block.
    fn terminator(&self, func: FuncRef) -> u32 {
        let block = self.block.expect("a block was entered");
        statement_of_terminator(&self.module.function(func).blocks[block])
    }

    /// The innermost activation ends.
    fn close(&mut self) {
        self.open.pop();
        // The block of the caller is told by what it does next.
        self.check.leave();
    }
}

/// The cells of an operand.
fn cells(reading: &Option<Reading>, operand: u32) -> &[Origin] {
    let Some(reading) = reading else { return &[] };
    match operand {
        READ => &reading.reads,
        LENGTH => reading.length.as_slice(),
        _ => &[],
    }
}

impl Observer for ForwardWatcher<'_, '_, '_> {
    const INSTRUCTIONS: bool = true;

    fn enter(&mut self, _: FuncRef) {
        self.check.enter();
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        let Some(is_entry) = self.check.block(func, block) else { return };
        if self.check.blocks().is_multiple_of(BLOCKS_BETWEEN_LOOKS) && self.slicer.is_full() {
            self.check.refuse(ExecutionError::TooLarge);
            return;
        }
        let procedure = ProcedureId::new(func.index());
        if is_entry {
            self.slicer.enter(procedure);
            let visit = self.question.visits.begin(procedure);
            self.open.push(Open { procedure, visit, base: None, statement: 0 });
        }
        (self.is_unwinding, self.block) = (false, Some(block));
        self.slicer.block(node_of(block));
        let open = self.open.last_mut().expect("an activation is live");
        open.statement = 0;
        if let Some(visit) = &mut open.visit {
            self.question.visits.block(visit, procedure, node_of(block));
        }
    }

    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        if self.check.is_over() {
            return;
        }
        let statement = place.at as u32;
        self.block = Some(place.block);
        self.come_to(statement);
        self.open.last_mut().expect("an activation is live").statement = statement;
        match inst.is_call() {
            true => {
                self.reading = None;
                self.slicer.call(statement);
            }
            false => {
                let at = At { module: self.module, place };
                self.reading = reading(&self.shadow, self.message, at, inst, operands);
            }
        }
    }

    fn executed(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        if self.check.is_over() {
            return;
        }
        if let Some(open) = self.open.last_mut().filter(|open| open.visit.is_some()) {
            open.base = self.question.bases.get(&open.procedure).map(|base| match base {
                BaseVariable::Local(local) => operands.word(Operand::Local(*local)),
                BaseVariable::Global(global) => operands.global(*global),
            });
        }
        let reading = self.reading.take();
        let set = self.slicer.executed(place.at as u32, &|operand| cells(&reading, operand));
        if let Some(reading) = &reading {
            let of = |operand: u32| set.iter().find(|(known, _)| *known == operand).map_or(0, |(_, origin)| *origin);
            write(&mut self.shadow, inst, &reading.linear, operands, &of);
        }
    }

    fn returned(&mut self, _: FuncRef, block: Block, _: u32) {
        if !self.check.is_over()
            && let Some(open) = self.open.last()
        {
            self.block = Some(block);
            self.slicer.executed(open.statement, &no_cells);
        }
    }

    fn edge(&mut self, func: FuncRef, from: Block, to: Block, kind: EdgeKind) {
        if self.check.is_over() {
            return;
        }
        self.block = Some(from);
        match kind {
            EdgeKind::Normal => {
                self.come_to(self.terminator(func));
                self.slicer.edge();
            }
            EdgeKind::Failure => self.slicer.failure_edge(node_of(to)),
        }
    }

    fn stopped(&mut self, place: InstPlace) {
        if self.check.is_over() {
            return;
        }
        self.block = Some(place.block);
        let data = &self.module.function(place.func).blocks[place.block];
        let is_terminator = place.at == data.insts.len();
        let statement = statement_at(data, place.at);
        while self.open.last_mut().and_then(|open| open.visit.as_mut()).is_some_and(|visit| visit.is_before(statement))
        {
            self.come_to(statement);
        }
        let reading = self.reading.take();
        if !std::mem::replace(&mut self.is_unwinding, true) {
            self.slicer.failed(statement, &|operand| cells(&reading, operand));
            // The statement before the terminator of a `fail` sets the message.
            let is_fail = is_terminator && matches!(data.term, Terminator::Fail { .. });
            let set = if is_fail { self.slicer.executed(statement - 1, &no_cells) } else { Vec::new() };
            self.message = set.iter().find(|(operand, _)| *operand == WRITE).map(|(_, origin)| *origin);
        }
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        if !self.check.is_over() {
            self.slicer.abort();
            self.close();
        }
    }

    fn leave(&mut self, func: FuncRef) {
        if !self.check.is_over() {
            self.come_to(self.terminator(func));
            self.slicer.leave();
            self.close();
        }
    }
}
