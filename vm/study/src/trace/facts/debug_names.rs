//! Variables of the source language that a module of WebAssembly was compiled from.
//!
//! In: a statement and a name. Out: the [`Variable`] that holds the value there, as debug information tells. Invariant: it is that of the code that begins the statement's line in
//! its function, so statements of one line have the same.

use super::names::{BaseVariable, MemoryPlace, Variable};
use super::place::{PlaceError, SourceProgram, function_of};
use cranelift_entity::EntityRef;
use holloway::internals::{KnownVariable, VariableBase, VariablePlace};
use holloway_lang::ir::{Function, Global, Local, Module};
use holloway_profiler::wpp::slice::StatementId;

/// The variable of a name at a statement; `None` if debug information knows no such name there.
pub fn debug_variable(
    program: SourceProgram<'_>,
    statement: StatementId,
    name: &str,
) -> Option<Result<Variable, PlaceError>> {
    let (func, at) = (function_of(statement.procedure), program.line_of_statement(statement)?);
    let file = &program.sources.file(at.file).name;
    let found = program.variables?.find(func.as_u32(), (file, at.line), name)?;
    let nowhere = || PlaceError::Nowhere { name: name.to_owned() };
    let KnownVariable::At(place) = found else { return Some(Err(nowhere())) };
    let body = program.module.function(func);
    Some(variable(program.module, body, place).ok_or_else(nowhere))
}

/// The names that debug information knows at a statement.
pub fn debug_names(program: SourceProgram<'_>, statement: StatementId) -> Vec<String> {
    let found = program.variables.zip(program.line_of_statement(statement)).map(|(variables, at)| {
        let file = &program.sources.file(at.file).name;
        variables.names(function_of(statement.procedure).as_u32(), (file, at.line))
    });
    found.unwrap_or_default()
}

fn variable(module: &Module, body: &Function, place: VariablePlace) -> Option<Variable> {
    Some(match place {
        VariablePlace::Local(index) => Variable::Local(local(body, index)?),
        VariablePlace::Memory { base, address, size } => {
            let base = match base {
                None => None,
                Some(VariableBase::Local(index)) => Some(BaseVariable::Local(local(body, index)?)),
                Some(VariableBase::Global(index)) => {
                    let global = Global::new(index as usize);
                    Some(module.globals.is_valid(global).then_some(BaseVariable::Global(global))?)
                }
            };
            Variable::Memory(MemoryPlace { base, address, size })
        }
    })
}

/// The local of an index. Compilers give locals no names; one that no code names has no value.
fn local(body: &Function, index: u32) -> Option<Local> {
    let name = format!("local{index}");
    let named = || body.locals.iter().find(|(_, decl)| decl.name.as_deref() == Some(&name)).map(|(local, _)| local);
    body.params.get(index as usize).copied().or_else(named)
}
