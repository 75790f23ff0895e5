//! The observer that tells which definition of a variable reaches each execution of a line.
//!
//! In: the interpreter's events, and the recorded path; a line, and the variable that is meant before each statement of
//! it.
//! Out: the executions of the line, and how many of them each statement's definition reached: the last store of a
//! global, the last assignment of a local in its activation, or the call that passed a parameter.
//! Invariant: memory is that of one number for each global, and for each local of each live activation, however long
//! the run.

use super::last_access::SiteNumbers;
use super::line_visits::{LineVisits, Visit};
use super::path_check::PathCheck;
use super::{ExecutionError, RecordedPath};
use crate::trace::facts::names::Variable;
use crate::trace::facts::place::{PlaceError, Site};
use crate::trace::facts::statements::{statement_at, statement_of_terminator};
use cranelift_entity::EntityRef;
use hashbrown::HashMap;
use holloway_interp::{InstPlace, Observer, Operands};
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{Block, EdgeKind, FuncRef, Inst, Local, Module};
use holloway_profiler::wpp::slice::{ProcedureId, StatementId};
use holloway_runtime::InterruptHandle;
use std::collections::BTreeMap;

/// The variable that is meant before a statement.
pub(in crate::trace) type MeantVariable<'p> = dyn Fn(StatementId) -> Result<Variable, PlaceError> + 'p;

/// Executions of a line, and the definitions that reached them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::trace) struct ReachingDefinitions {
    pub(in crate::trace) executions: u64,
    /// By the statement of the definition.
    pub(in crate::trace) from: BTreeMap<Site, u64>,
}

/// A live activation. Statements are numbers, of which 0 is none.
struct Open {
    func: FuncRef,
    block: Block,
    statement: u32,
    visit: Option<Visit>,
    /// The statement that called it.
    call: u64,
    /// The last assignment of each local, if the line is in its function.
    assigned: Vec<u64>,
}

pub(super) struct DefinitionWatcher<'m, 'r, 'p> {
    module: &'m Module,
    check: PathCheck<'m, 'r>,
    visits: LineVisits<'p>,
    variable: &'p MeantVariable<'p>,
    variables: HashMap<StatementId, Variable>,
    numbers: SiteNumbers,
    open: Vec<Open>,
    /// The last store to each global.
    stored: Vec<u64>,
    executions: u64,
    from: BTreeMap<u64, u64>,
    error: Option<PlaceError>,
}

impl<'m, 'r, 'p> DefinitionWatcher<'m, 'r, 'p> {
    pub(super) fn new(
        module: &'m Module,
        recorded: Option<RecordedPath<'r>>,
        interrupt: InterruptHandle,
        (visits, variable): (LineVisits<'p>, &'p MeantVariable<'p>),
    ) -> DefinitionWatcher<'m, 'r, 'p> {
        DefinitionWatcher {
            module,
            check: PathCheck::new(module, recorded, interrupt, u64::MAX),
            visits,
            variable,
            variables: HashMap::new(),
            numbers: SiteNumbers::of(module),
            open: Vec::new(),
            stored: vec![0; module.globals.len()],
            executions: 0,
            from: BTreeMap::new(),
            error: None,
        }
    }

    /// The definitions that reached the line, if the execution was the recorded one and the variable has some.
    pub(super) fn finish(self) -> Result<Result<ReachingDefinitions, PlaceError>, ExecutionError> {
        let DefinitionWatcher { check, numbers, executions, from, error, .. } = self;
        check.finish()?;
        let from = from.into_iter().map(|(number, times)| (numbers.site(number), times)).collect();
        Ok(error.map_or(Ok(ReachingDefinitions { executions, from }), Err))
    }

    /// Control comes to a statement of the innermost activation: maybe an execution of the line begins.
    fn come_to(&mut self, statement: u32) {
        let Some(open) = self.open.last_mut() else { return };
        let Some(first) = open.visit.as_mut().and_then(|visit| visit.begins_by(statement)) else { return };
        let procedure = ProcedureId::new(open.func.as_u32() as usize);
        let at = StatementId { procedure, block: node_of(open.block), index: first };
        let variable = match self.variables.get(&at) {
            Some(variable) => Ok(*variable),
            None => (self.variable)(at),
        };
        match variable {
            Err(error) => {
                self.error = Some(error);
                self.check.stop();
            }
            Ok(variable) => {
                self.variables.insert(at, variable);
                self.executions += 1;
                let definition = self.definition(variable);
                if definition != 0 {
                    *self.from.entry(definition).or_default() += 1;
                }
            }
        }
    }

    /// The statement that gave a variable of the innermost activation its value.
    fn definition(&self, variable: Variable) -> u64 {
        let open = self.open.last().expect("an activation is live");
        match variable {
            Variable::Global(global) => self.stored[global.as_u32() as usize],
            Variable::Local(local) => match open.assigned[local.as_u32() as usize] {
                0 if self.module.function(open.func).params.contains(&local) => open.call,
                assigned => assigned,
            },
            Variable::Memory(_) => unreachable!("what is in memory has no definitions"),
        }
    }

    fn number(&self, open: &Open) -> u64 {
        self.numbers.number((open.func, open.block, open.statement as usize))
    }

    fn assign(&mut self, local: Local) {
        let Some(open) = self.open.last().filter(|open| open.visit.is_some()) else { return };
        let number = self.number(open);
        let open = self.open.last_mut().expect("an activation is live");
        open.assigned[local.as_u32() as usize] = number;
    }

    /// The statement of the terminator of the present block.
    fn terminator(&self) -> Option<u32> {
        let open = self.open.last()?;
        Some(statement_of_terminator(&self.module.function(open.func).blocks[open.block]))
    }

    fn close(&mut self) {
        if !self.check.is_over() {
            self.open.pop();
            self.check.leave();
        }
    }
}

impl Observer for DefinitionWatcher<'_, '_, '_> {
    const INSTRUCTIONS: bool = true;

    fn enter(&mut self, _: FuncRef) {
        self.check.enter();
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        let Some(is_entry) = self.check.block(func, block) else { return };
        let procedure = ProcedureId::new(func.as_u32() as usize);
        if is_entry {
            let visit = self.visits.begin(procedure);
            let locals = if visit.is_some() { self.module.function(func).locals.len() } else { 0 };
            let call = self.open.last().map_or(0, |caller| self.number(caller));
            self.open.push(Open { func, block, statement: 0, visit, call, assigned: vec![0; locals] });
        }
        let open = self.open.last_mut().expect("an activation is live");
        (open.block, open.statement) = (block, 0);
        if let Some(visit) = &mut open.visit {
            self.visits.block(visit, procedure, node_of(block));
        }
    }

    fn inst(&mut self, place: InstPlace, _: &Inst, _: Operands<'_>) {
        if self.check.is_over() {
            return;
        }
        self.come_to(place.at as u32);
        self.open.last_mut().expect("an activation is live").statement = place.at as u32;
    }

    fn executed(&mut self, place: InstPlace, inst: &Inst, _: Operands<'_>) {
        if self.check.is_over() {
            return;
        }
        if let Inst::GlobalSet { global, .. } = inst {
            self.stored[global.as_u32() as usize] = self.numbers.number((place.func, place.block, place.at));
        }
        if let Some(dst) = inst.dst() {
            self.assign(dst);
        }
    }

    fn returned(&mut self, func: FuncRef, block: Block, _: u32) {
        if self.check.is_over() {
            return;
        }
        let statement = self.open.last().expect("an activation is live").statement as usize;
        if let Some(dst) = self.module.function(func).blocks[block].insts[statement].dst() {
            self.assign(dst);
        }
    }

    fn edge(&mut self, _: FuncRef, _: Block, _: Block, kind: EdgeKind) {
        if !self.check.is_over()
            && kind == EdgeKind::Normal
            && let Some(terminator) = self.terminator()
        {
            self.come_to(terminator);
        }
    }

    fn stopped(&mut self, place: InstPlace) {
        if self.check.is_over() {
            return;
        }
        let statement = statement_at(&self.module.function(place.func).blocks[place.block], place.at);
        while self.open.last_mut().and_then(|open| open.visit.as_mut()).is_some_and(|visit| visit.is_before(statement))
        {
            self.come_to(statement);
        }
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.close();
    }

    fn leave(&mut self, _: FuncRef) {
        if !self.check.is_over()
            && let Some(terminator) = self.terminator()
        {
            self.come_to(terminator);
        }
        self.close();
    }
}
