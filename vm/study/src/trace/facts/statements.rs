//! The IR as the statements of the slicing engine: what each instruction defines and uses, and what it decides on.
//!
//! In: a module. Out: a [`Procedure`] for each function. Statement `i` of a block is instruction `i`, and the terminator stands behind
//! the instructions; that of a `fail` is two statements, of which the first sets the message ([`statement_of_terminator`]).
//!
//! - A reference depends on its allocation, and on nothing of it: the length and each element or field are locations of their own.
//! - A store depends on the reference and the index, too, by which it chose its location.
//! - An argument sets the callee's parameter, and a call's result is what the callee returned. So a call needs no argument by itself.
//! - An instruction that can fail decides on what makes it fail. Only handlers depend on that.
//!
//! Instructions that access the memory and the tables of a module of WebAssembly are told by [`super::linear`].
//!
//! Approximation: strings are values, which depend on all that they were made of. What the world outside tells (`input`, `clock`, `random`) depends on nothing.
//! Elements that one builtin writes are set together.

use super::accesses::{ObjectAccess, object_access};
use super::builtins;
use super::linear::{self, LinearAccess, linear_access};
use super::locations::{
    LENGTH, NEW_LENGTH, READ, WRITE, elements, field_of, global, lengths, local, locals, messages, sets,
};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use holloway_jit::graph_of::{graph_of, node_of};
use holloway_lang::ir::{BlockData, Elem, Function, Inst, Module, Operand, Terminator};
use holloway_profiler::wpp::slice::{Definition, LocalId, Location, Procedure, ProcedureId, Statement};

/// Every function of a module.
pub fn procedures(module: &Module) -> PrimaryMap<ProcedureId, Procedure> {
    module.funcs.values().map(|decl| procedure(module, &decl.body)).collect()
}

/// The index of a block's terminator among its statements.
pub fn statement_of_terminator(data: &BlockData) -> u32 {
    let message = matches!(data.term, Terminator::Fail { .. });
    data.insts.len() as u32 + u32::from(message)
}

/// The index among a block's statements of the instruction at a position; behind the last one is the terminator.
pub fn statement_at(data: &BlockData, at: usize) -> u32 {
    if at == data.insts.len() { statement_of_terminator(data) } else { at as u32 }
}

/// The number of cells that an instruction sets, those of operands from `NEW_LENGTH` or from `WRITE` on; and the first of these operands.
pub fn writes(inst: &Inst) -> Option<(u32, u32)> {
    if let Some(access) = linear_access(inst) {
        return linear::writes(access);
    }
    match object_access(inst)? {
        ObjectAccess::NewRecord { fields, .. } => Some((WRITE, fields)),
        ObjectAccess::ArrayOf { items, .. } => Some((NEW_LENGTH, 1 + items)),
        ObjectAccess::NewArray { .. } => Some((NEW_LENGTH, 2)),
        ObjectAccess::SetField { .. } | ObjectAccess::SetElement { .. } => Some((WRITE, 1)),
        ObjectAccess::Builtin { effect, .. } => builtins::writes(effect),
        ObjectAccess::GetField { .. }
        | ObjectAccess::GetElement { .. }
        | ObjectAccess::GetLength { .. }
        | ObjectAccess::GetMessage => None,
    }
}

fn procedure(module: &Module, body: &Function) -> Procedure {
    let mut blocks: SecondaryMap<_, Vec<Statement>> = SecondaryMap::new();
    for (block, data) in body.blocks.iter() {
        let mut statements: Vec<Statement> = data.insts.iter().map(|inst| statement(module, data, inst)).collect();
        statements.extend(terminator(&data.term));
        blocks[node_of(block)] = statements;
    }
    let parameters = body.params.iter().map(|param| LocalId::from_u32(param.as_u32())).collect();
    Procedure { graph: graph_of(body), blocks, parameters }
}

fn statement(module: &Module, data: &BlockData, inst: &Inst) -> Statement {
    if let Some(access) = linear_access(inst) {
        let further = match access {
            LinearAccess::Host { .. } => linear::further_globals(data).into_iter().map(global).collect(),
            LinearAccess::Load { .. } | LinearAccess::Store { .. } | LinearAccess::Builtin { .. } => Vec::new(),
        };
        return Statement { definitions: linear::definitions(inst, access, &further), decides_on: Vec::new() };
    }
    let definitions = definitions(module, inst);
    let decides_on = match inst {
        Inst::Binary { op, rhs, .. } if op.can_fail() => locals([rhs]),
        Inst::CallIndirect { callee, .. } => locals([callee]),
        Inst::NewArray { len, .. } => locals([len]),
        Inst::ElemGet { array, index, .. } | Inst::ElemSet { array, index, .. } => {
            [locals([array, index]), vec![lengths(LENGTH)]].concat()
        }
        Inst::Unwrap { src, .. } => locals([src]),
        Inst::Builtin { builtin, args, .. } if builtin.can_fail() => [locals(args), vec![lengths(LENGTH)]].concat(),
        Inst::Binary { .. }
        | Inst::Builtin { .. }
        | Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::Copy { .. }
        | Inst::Unary { .. }
        | Inst::Select { .. }
        | Inst::GlobalGet { .. }
        | Inst::GlobalSet { .. }
        | Inst::Call { .. }
        | Inst::NewRecord { .. }
        | Inst::FieldGet { .. }
        | Inst::FieldSet { .. }
        | Inst::ArrayOf { .. }
        | Inst::Len { .. }
        | Inst::CatchMessage { .. } => Vec::new(),
    };
    Statement { definitions, decides_on }
}

fn definitions(module: &Module, inst: &Inst) -> Vec<Definition> {
    match inst {
        Inst::Copy { dst, src } | Inst::Unary { dst, src, op: _ } | Inst::Unwrap { dst, src } => {
            vec![sets(local(*dst), locals([src]))]
        }
        Inst::Binary { dst, lhs, rhs, op: _ } => {
            let mut uses = locals([lhs, rhs]);
            uses.dedup();
            vec![sets(local(*dst), uses)]
        }
        Inst::Select { dst, cond, then, otherwise } => vec![sets(local(*dst), locals([cond, then, otherwise]))],
        Inst::Load { .. } | Inst::Store { .. } => unreachable!("they are accesses to the linear memory"),
        Inst::GlobalGet { dst, global: from } => vec![sets(local(*dst), vec![global(*from)])],
        Inst::GlobalSet { global: to, src } => vec![sets(global(*to), locals([src]))],
        Inst::Call { dst, args, func: _ } | Inst::CallIndirect { dst, args, callee: _, sig: _ } => {
            let argument = |(number, arg): (usize, &Operand)| sets(Location::Argument(number as u32), locals([arg]));
            let result = dst.map(|dst| sets(local(dst), vec![Location::Result]));
            args.iter().enumerate().map(argument).chain(result).collect()
        }
        Inst::Builtin { dst, builtin, args } => builtins::definitions(module, *dst, *builtin, args),
        Inst::NewRecord { dst, record, fields } => {
            let field = |(number, value): (usize, &Operand)| {
                let number = number as u32;
                sets(field_of(module, *record, number, WRITE + number), locals([value]))
            };
            fields.iter().enumerate().map(field).chain([sets(local(*dst), Vec::new())]).collect()
        }
        Inst::FieldGet { dst, object, record, field } => {
            let uses = [locals([object]), vec![field_of(module, *record, *field, READ)]].concat();
            vec![sets(local(*dst), uses)]
        }
        Inst::FieldSet { object, record, field, src } => {
            vec![sets(field_of(module, *record, *field, WRITE), locals([object, src]))]
        }
        Inst::NewArray { dst, elem, len, fill } => vec![
            sets(lengths(NEW_LENGTH), locals([len])),
            sets(elements(*elem, WRITE), locals([fill])),
            sets(local(*dst), Vec::new()),
        ],
        Inst::ArrayOf { dst, elem, items } => {
            let item = |(number, item): (usize, &Operand)| sets(elements(*elem, WRITE + number as u32), locals([item]));
            let rest = [sets(lengths(NEW_LENGTH), Vec::new()), sets(local(*dst), Vec::new())];
            items.iter().enumerate().map(item).chain(rest).collect()
        }
        Inst::ElemGet { dst, elem, array, index } => {
            let mut uses = locals([array, index]);
            // The bytes of a string are its value, which nothing sets apart from it.
            if *elem != Elem::Char {
                uses.push(elements(*elem, READ));
            }
            vec![sets(local(*dst), uses)]
        }
        Inst::ElemSet { elem, array, index, src } => vec![sets(elements(*elem, WRITE), locals([array, index, src]))],
        Inst::Len { dst, object } => vec![sets(local(*dst), [locals([object]), vec![lengths(LENGTH)]].concat())],
        Inst::CatchMessage { dst } => vec![sets(local(*dst), vec![messages(READ)])],
    }
}

fn terminator(term: &Terminator) -> Vec<Statement> {
    let decides = |operand: &Operand| Statement { definitions: Vec::new(), decides_on: locals([operand]) };
    match term {
        Terminator::Jump(_) => vec![Statement::default()],
        Terminator::Branch { cond: operand, .. }
        | Terminator::Switch { value: operand, .. }
        | Terminator::Exit(operand) => vec![decides(operand)],
        Terminator::Return(value) => {
            let definitions = value.iter().map(|value| sets(Location::Returned, locals([value]))).collect();
            vec![Statement { definitions, decides_on: Vec::new() }]
        }
        Terminator::Fail { message, kind: _ } => {
            let definitions = vec![sets(messages(WRITE), locals([message]))];
            vec![Statement { definitions, decides_on: Vec::new() }, Statement::default()]
        }
    }
}
