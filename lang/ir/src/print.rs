//! Prints a module or a function as text that [`super::parse`] reads back.
//! In: verified IR. Out: one line an instruction; with [`Spans::Shown`], ` !file:start..end` behind it.
//! Invariant: with spans shown, parsing the text gives an equal module.

use super::builtin::Builtin;
use super::entity::{Block, FuncRef, Local};
use super::function::{BlockData, Function, FunctionKind};
use super::inst::{FailKind, Inst, Operand, Terminator};
use super::linear;
use super::module::Module;
use super::shape;
use super::types::Type;
use crate::span::Span;
use std::fmt::{self, Write};

/// Selects whether source spans are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spans {
    /// For people.
    Hidden,
    /// For reading back.
    Shown,
}

/// Prints a whole module.
pub fn module(module: &Module, spans: Spans) -> String {
    let mut out = String::new();
    declarations(module, &mut out).expect("writing to a string cannot fail");
    for (id, decl) in module.funcs.iter() {
        out.push('\n');
        write_function(id, decl.sig.to_string(), &decl.body, spans, &mut out).expect("writing to a string cannot fail");
    }
    out
}

/// Prints one function.
pub fn function(module: &Module, id: FuncRef, spans: Spans) -> String {
    body(module, id, &module.funcs[id].body, spans)
}

/// Prints a body for `id` that need not be the module's present one.
pub fn body(module: &Module, id: FuncRef, func: &Function, spans: Spans) -> String {
    let mut out = String::new();
    write_function(id, module.funcs[id].sig.to_string(), func, spans, &mut out)
        .expect("writing to a string cannot fail");
    out
}

fn declarations(module: &Module, out: &mut String) -> fmt::Result {
    if module.closures {
        writeln!(out, "closures")?;
    }
    for (id, ty) in module.types.iter() {
        write!(out, "type {id} = ")?;
        match ty {
            Type::Int => writeln!(out, "int")?,
            Type::Float => writeln!(out, "float")?,
            Type::Bool => writeln!(out, "bool")?,
            Type::Byte => writeln!(out, "byte")?,
            Type::Str => writeln!(out, "str")?,
            Type::Array(of) => writeln!(out, "array {of}")?,
            Type::Record(record) => writeln!(out, "record {record}")?,
            Type::Optional(of) => writeln!(out, "optional {of}")?,
            Type::Func(sig) => writeln!(out, "func {sig}")?,
            Type::Code(sig) => writeln!(out, "code {sig}")?,
        }
    }
    for (id, sig) in module.sigs.iter() {
        write!(out, "{id} = (")?;
        list(out, &sig.params)?;
        match sig.result {
            Some(result) => writeln!(out, ") -> {result}")?,
            None => writeln!(out, ")")?,
        }
    }
    for (id, record) in module.records.iter() {
        write!(out, "record {id} {:?}", record.name)?;
        shape::write(out, &record.shape)?;
        write!(out, " {{")?;
        for (at, field) in record.fields.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(out, "{comma} {:?}: {}", field.name, field.ty)?;
        }
        writeln!(out, " }}")?;
    }
    for (id, text) in module.strings.iter() {
        writeln!(out, "string {id} = \"{}\"", text.escape_ascii())?;
    }
    for (id, global) in module.globals.iter() {
        writeln!(out, "global {id} {:?}: {}", global.name, global.ty)?;
    }
    if let Some(linear) = &module.linear {
        linear::write(out, linear, module.funcs.keys())?;
    }
    for func in &module.top_level {
        writeln!(out, "top_level {func}")?;
    }
    if let Some(main) = module.main {
        let args = if main.takes_args { " args" } else { "" };
        let status = if main.returns_status { " status" } else { "" };
        writeln!(out, "main {}{args}{status}", main.func)?;
    }
    Ok(())
}

fn write_function(id: FuncRef, sig: String, func: &Function, spans: Spans, out: &mut String) -> fmt::Result {
    let kind = match func.kind {
        FunctionKind::Declared => "function",
        FunctionKind::TopLevel => "statements",
        FunctionKind::Provided => "provided",
    };
    write!(out, "{kind} {id} {:?} {sig}(", func.name)?;
    for (at, param) in func.params.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(out, "{comma}{}", Declared(func, *param))?;
    }
    write!(out, ")")?;
    if let Some(result) = func.result {
        write!(out, " -> {}", result.name())?;
    }
    span_suffix(out, func.span, spans)?;
    writeln!(out, " {{")?;
    for local in func.locals.keys().skip(func.params.len()) {
        writeln!(out, "    local {}", Declared(func, local))?;
    }
    for (block, data) in func.blocks.iter() {
        write_block(block, data, spans, out)?;
    }
    writeln!(out, "}}")
}

struct Declared<'a>(&'a Function, Local);

impl fmt::Display for Declared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decl = &self.0.locals[self.1];
        write!(f, "{}: {}", self.1, decl.scalar.name())?;
        decl.name.as_ref().map_or(Ok(()), |name| write!(f, " {name:?}"))
    }
}

fn write_block(block: Block, data: &BlockData, spans: Spans, out: &mut String) -> fmt::Result {
    match data.handler {
        Some(handler) => writeln!(out, "{block} catch {handler}:")?,
        None => writeln!(out, "{block}:")?,
    }
    for (inst, span) in data.insts.iter().zip(&data.spans) {
        write!(out, "    {inst}")?;
        span_suffix(out, *span, spans)?;
        out.push('\n');
    }
    write!(out, "    {}", data.term)?;
    span_suffix(out, data.term_span, spans)?;
    out.push('\n');
    Ok(())
}

fn span_suffix(out: &mut String, span: Span, spans: Spans) -> fmt::Result {
    match spans {
        Spans::Hidden => Ok(()),
        Spans::Shown => write!(out, " !{}:{}..{}", span.file.as_u32(), span.start, span.end),
    }
}

fn list<T: fmt::Display>(out: &mut impl Write, items: &[T]) -> fmt::Result {
    for (at, item) in items.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(out, "{comma}{item}")?;
    }
    Ok(())
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Local(local) => write!(f, "{local}"),
            Operand::Int(value) => write!(f, "{value}"),
            Operand::Float(bits) => {
                let value = f64::from_bits(*bits);
                if value.is_nan() { write!(f, "nan:{bits:#x}") } else { write!(f, "{value:?}f") }
            }
            Operand::Bool(value) => write!(f, "{value}"),
            Operand::Str(id) => write!(f, "{id}"),
            Operand::Func(id) => write!(f, "{id}"),
            Operand::NoneRef => write!(f, "none"),
            Operand::NoneFunc => write!(f, "nofunc"),
        }
    }
}

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(dst) = self.dst() {
            write!(f, "{dst} = ")?;
        }
        match self {
            Inst::Copy { src, .. } => write!(f, "copy {src}"),
            Inst::Unary { op, src, .. } => write!(f, "{} {src}", op.name()),
            Inst::Binary { op, lhs, rhs, .. } => write!(f, "{} {lhs}, {rhs}", op.name()),
            Inst::Select { cond, then, otherwise, .. } => write!(f, "select {cond}, {then}, {otherwise}"),
            Inst::Load { access, address, offset, .. } => write!(f, "load {} {address}, {offset}", access.name()),
            Inst::Store { access, address, offset, src } => {
                write!(f, "store {} {address}, {offset}, {src}", access.name())
            }
            Inst::GlobalGet { global, .. } => write!(f, "global_get {global}"),
            Inst::GlobalSet { global, src } => write!(f, "global_set {global}, {src}"),
            Inst::Call { func, args, .. } => {
                write!(f, "call {func}(")?;
                list(f, args)?;
                write!(f, ")")
            }
            Inst::CallIndirect { callee, sig, args, .. } => {
                write!(f, "call_indirect {sig} {callee}(")?;
                list(f, args)?;
                write!(f, ")")
            }
            Inst::Builtin { builtin, args, .. } => {
                write!(f, "builtin {}", builtin.name())?;
                if let Some(ty) = builtin.ty() {
                    write!(f, " {ty}")?;
                }
                if let Builtin::Host(call) = builtin {
                    write!(f, " {call}")?;
                }
                write!(f, "(")?;
                list(f, args)?;
                write!(f, ")")
            }
            Inst::NewRecord { record, fields, .. } => {
                write!(f, "new_record {record}(")?;
                list(f, fields)?;
                write!(f, ")")
            }
            Inst::FieldGet { object, record, field, .. } => {
                write!(f, "field_get {record} {field}, {object}")
            }
            Inst::FieldSet { object, record, field, src } => {
                write!(f, "field_set {record} {field}, {object}, {src}")
            }
            Inst::NewArray { elem, len, fill, .. } => {
                write!(f, "new_array {} {len}, {fill}", elem.name())
            }
            Inst::ArrayOf { elem, items, .. } => {
                write!(f, "array_of {}(", elem.name())?;
                list(f, items)?;
                write!(f, ")")
            }
            Inst::ElemGet { elem, array, index, .. } => {
                write!(f, "elem_get {} {array}, {index}", elem.name())
            }
            Inst::ElemSet { elem, array, index, src } => {
                write!(f, "elem_set {} {array}, {index}, {src}", elem.name())
            }
            Inst::Len { object, .. } => write!(f, "len {object}"),
            Inst::Unwrap { src, .. } => write!(f, "unwrap {src}"),
            Inst::CatchMessage { .. } => write!(f, "catch_message"),
        }
    }
}

impl fmt::Display for Terminator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Jump(to) => write!(f, "jump {to}"),
            Terminator::Branch { cond, then, otherwise } => {
                write!(f, "branch {cond}, {then}, {otherwise}")
            }
            Terminator::Switch { value, cases, default } => {
                write!(f, "switch {value} [")?;
                for (at, (case, to)) in cases.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(f, "{comma}{case}: {to}")?;
                }
                write!(f, "], {default}")
            }
            Terminator::Return(None) => write!(f, "return"),
            Terminator::Return(Some(value)) => write!(f, "return {value}"),
            Terminator::Fail { kind, message } => write!(f, "fail {} {message}", kind.name()),
            Terminator::Exit(status) => write!(f, "exit {status}"),
        }
    }
}

impl FailKind {
    /// All kinds, in a fixed order.
    pub const ALL: [FailKind; 6] = [
        FailKind::User,
        FailKind::Assert,
        FailKind::StepIsZero,
        FailKind::Unreachable,
        FailKind::IntegerOverflow,
        FailKind::InvalidConversion,
    ];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            FailKind::User => "user",
            FailKind::Assert => "assert",
            FailKind::StepIsZero => "step_is_zero",
            FailKind::Unreachable => "unreachable",
            FailKind::IntegerOverflow => "integer_overflow",
            FailKind::InvalidConversion => "invalid_conversion",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<FailKind> {
        FailKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
