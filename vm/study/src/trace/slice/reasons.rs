//! Reasons of a slice as sentences.
//!
//! In: the dependences by which the statements of a line are in. Out: sentences, each once, data before control.
//! Invariant: a line has a sentence. Dependences within a line are told only where there are no others.

use super::memory_words::{bytes, entry};
use crate::trace::facts::locations::{CellKind, kind_of};
use crate::trace::facts::place::{SourceLine, SourceProgram, function_of};
use crate::trace::facts::statements::statement_of_terminator;
use holloway_jit::graph_of::block_of;
use holloway_lang::ir::{Global, Inst, Local, Module};
use holloway_profiler::wpp::slice::{Location, Reason, StatementId};
use std::collections::BTreeSet;

/// The reasons of one line.
#[derive(Clone, Debug, Default)]
pub(super) struct Reasons {
    between_lines: BTreeSet<String>,
    within: BTreeSet<String>,
}

/// The line that uses a value; `None` if the question asks for it.
type UserLine = Option<SourceLine>;

impl Reasons {
    /// Adds a reason of a statement on a line.
    pub(super) fn add(
        &mut self,
        program: SourceProgram<'_>,
        asked: &str,
        (statement, at): (StatementId, SourceLine),
        reason: Reason,
    ) {
        let (sentence, other) = match reason {
            Reason::Data { location, user } => {
                let line = user.and_then(|user| program.line_of_statement(user));
                (data(program, asked, (statement, at), (location, user, line)), line)
            }
            Reason::Control { of } => {
                let line = program.line_of_statement(of);
                (control(program, (statement, at), line), line)
            }
        };
        let is_within = other == Some(at);
        let sentences = if is_within { &mut self.within } else { &mut self.between_lines };
        sentences.insert(sentence);
    }

    /// The sentences.
    pub(super) fn sentences(self) -> Vec<String> {
        let chosen = if self.between_lines.is_empty() { self.within } else { self.between_lines };
        // "data" comes behind "control" by letter.
        chosen.into_iter().rev().collect()
    }
}

fn data(
    program: SourceProgram<'_>,
    asked: &str,
    (statement, at): (StatementId, SourceLine),
    (location, user, line): (Location, Option<StatementId>, UserLine),
) -> String {
    let module = program.module;
    let by = line
        .map_or_else(|| ", the value asked about".to_owned(), |line| format!(", read {}", at_line(program, at, line)));
    let used = line.map_or_else(
        || "the value asked about".to_owned(),
        |line| format!("what {} uses", line_name(program, at, line)),
    );
    let is_call = inst_of(module, statement).is_some_and(Inst::is_call);
    match location {
        Location::Local(local) => {
            let in_function = user.unwrap_or(statement).procedure;
            let body = module.function(function_of(in_function));
            let name = match user {
                Some(_) => body.locals[Local::from_u32(local.as_u32())].name.clone(),
                None => Some(asked.to_owned()),
            };
            let is_argument = is_call && user.is_some_and(|user| is_parameter(program, user, location));
            match (name, is_argument) {
                (Some(name), true) => format!("data: passes the argument `{name}`{by}"),
                (Some(name), false) => format!("data: sets `{name}`{by}"),
                (None, _) => format!("data: computes {used}"),
            }
        }
        Location::Global(global) => {
            let name = &module.globals[Global::from_u32(global.as_u32())].name;
            format!("data: sets `{name}`{by}")
        }
        Location::Cell { class, .. } => match kind_of(class) {
            CellKind::Element => format!("data: sets an element{by}"),
            CellKind::Length => format!("data: creates the array whose length is used{by}"),
            CellKind::Message => format!("data: sets the message that {} catches", user_name(program, at, line)),
            CellKind::Field(field) => format!("data: sets the field `{}`{by}", field_name(module, field)),
            CellKind::Byte => {
                let user_inst = user.and_then(|user| inst_of(module, user));
                bytes(inst_of(module, statement), user_inst, &user_name(program, at, line))
            }
            CellKind::Entry => format!("data: {} a table{by}", entry(inst_of(module, statement))),
            CellKind::MemorySize => format!("data: grows the memory whose size is used{by}"),
            CellKind::TableSize => format!("data: grows the table whose size is used{by}"),
        },
        Location::Result | Location::Returned => format!("data: returns the result of the call{by}"),
        Location::Argument(_) => format!("data: passes an argument{by}"),
    }
}

fn control(program: SourceProgram<'_>, (statement, at): (StatementId, SourceLine), line: UserLine) -> String {
    let runs = user_name(program, at, line);
    let body = program.module.function(function_of(statement.procedure));
    let data = &body.blocks[block_of(statement.block)];
    match inst_of(program.module, statement) {
        Some(inst) if inst.is_call() => format!("control: the call executes {runs}"),
        Some(_) => format!("control: its failure leads to {runs}"),
        None if statement.index == statement_of_terminator(data) && data.term.operand().is_some() && !is_fail(data) => {
            format!("control: the branch decides if {runs} is executed")
        }
        None => format!("control: its failure leads to {runs}"),
    }
}

fn is_fail(data: &holloway_lang::ir::BlockData) -> bool {
    matches!(data.term, holloway_lang::ir::Terminator::Fail { .. })
}

fn inst_of(module: &Module, statement: StatementId) -> Option<&Inst> {
    module.function(function_of(statement.procedure)).blocks[block_of(statement.block)]
        .insts
        .get(statement.index as usize)
}

fn is_parameter(program: SourceProgram<'_>, user: StatementId, location: Location) -> bool {
    let body = program.module.function(function_of(user.procedure));
    let is_it = |param: &Local| crate::trace::facts::locations::local(*param) == location;
    body.params.iter().any(is_it)
}

fn field_name(module: &Module, number: usize) -> String {
    let fields = module.records.values().flat_map(|record| &record.fields);
    fields.map(|field| field.name.clone()).nth(number).expect("each field of each record has a class")
}

fn user_name(program: SourceProgram<'_>, at: SourceLine, line: UserLine) -> String {
    line.map_or_else(|| "the line asked about".to_owned(), |line| line_name(program, at, line))
}

fn line_name(program: SourceProgram<'_>, at: SourceLine, line: SourceLine) -> String {
    match line.file == at.file {
        true => format!("line {}", line.line),
        false => format!("line {} of {}", line.line, program.sources.file(line.file).name),
    }
}

fn at_line(program: SourceProgram<'_>, at: SourceLine, line: SourceLine) -> String {
    format!("at {}", line_name(program, at, line))
}
