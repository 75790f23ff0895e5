//! Reads the text that [`super::print`] writes. Used by tests and by tools that keep IR in files.
//! In: text. Out: a module, not verified. Errors name the line and the text expected there.

use super::access::Access;
use super::builtin::Builtin;
use super::entity::{Block, FuncRef, Local, SigRef};
use super::function::{BlockData, Function, FunctionKind, LocalDecl};
use super::host::HostCall;
use super::inst::{FailKind, Inst, Operand, Terminator};
use super::linear;
use super::module::{EntryPoint, FieldDecl, FuncDecl, GlobalDecl, Module, Record, Signature};
use super::op::{BinaryOp, UnaryOp};
pub use super::scan::{ParseError, Parsed};
use super::scan::{Scanner, fail, refuse};
use super::shape;
use super::types::{Elem, Scalar, Type};
use crate::span::{FileId, Span};
use cranelift_entity::{EntityRef, PrimaryMap};
use std::sync::Arc;

/// Parses a whole module.
pub fn module(text: &str) -> Parsed<Module> {
    let mut s = Scanner::new(text);
    let mut module = Module::default();
    while let Some(word) = s.peek_word() {
        match word {
            "closures" => {
                s.word("closures")?;
                module.closures = true;
            }
            "type" => type_decl(&mut s, &mut module)?,
            "record" => record_decl(&mut s, &mut module)?,
            "string" => {
                s.word("string")?;
                s.declared("s", module.strings.next_key())?;
                s.expect("=")?;
                module.strings.push(s.string()?);
            }
            "global" => {
                s.word("global")?;
                s.declared("g", module.globals.next_key())?;
                let name = s.name()?;
                s.expect(":")?;
                module.globals.push(GlobalDecl { name, ty: s.id("t")? });
            }
            "linear" => module.linear = Some(Arc::new(linear::parse(&mut s)?)),
            "top_level" => {
                s.word("top_level")?;
                module.top_level.push(s.id("f")?);
            }
            "main" => {
                s.word("main")?;
                let func: FuncRef = s.id("f")?;
                let takes_args = s.eat_word("args");
                let returns_status = s.eat_word("status");
                module.main = Some(EntryPoint { func, takes_args, returns_status });
            }
            "function" | "statements" | "provided" => function(&mut s, &mut module)?,
            _ if word.starts_with("sig") => sig_decl(&mut s, &mut module)?,
            _ => return fail(&s, "expected a declaration"),
        }
    }
    if !s.at_end() {
        return fail(&s, "expected a declaration");
    }
    Ok(module)
}

fn type_decl(s: &mut Scanner<'_>, module: &mut Module) -> Parsed<()> {
    s.word("type")?;
    s.declared("t", module.types.next_key())?;
    s.expect("=")?;
    let ty = match s.any_word()? {
        "int" => Type::Int,
        "float" => Type::Float,
        "bool" => Type::Bool,
        "byte" => Type::Byte,
        "str" => Type::Str,
        "array" => Type::Array(s.id("t")?),
        "record" => Type::Record(s.id("r")?),
        "optional" => Type::Optional(s.id("t")?),
        "func" => Type::Func(s.id("sig")?),
        "code" => Type::Code(s.id("sig")?),
        _ => return refuse(s, "expected a type"),
    };
    module.types.push(ty);
    Ok(())
}

fn sig_decl(s: &mut Scanner<'_>, module: &mut Module) -> Parsed<()> {
    s.declared("sig", module.sigs.next_key())?;
    s.expect("=")?;
    let params = s.list("(", ")", |s| s.id("t"))?;
    let result = if s.eat("->") { Some(s.id("t")?) } else { None };
    module.sigs.push(Signature { params, result });
    Ok(())
}

fn record_decl(s: &mut Scanner<'_>, module: &mut Module) -> Parsed<()> {
    s.word("record")?;
    s.declared("r", module.records.next_key())?;
    let name = s.name()?;
    let shape = shape::parse(s)?;
    let fields = s.list("{", "}", |s| {
        let name = s.name()?;
        s.expect(":")?;
        Ok(FieldDecl { name, ty: s.id("t")? })
    })?;
    module.push_record(Record { name, fields, shape });
    Ok(())
}

fn function(s: &mut Scanner<'_>, module: &mut Module) -> Parsed<()> {
    let kind = match s.any_word()? {
        "function" => FunctionKind::Declared,
        "provided" => FunctionKind::Provided,
        _ => FunctionKind::TopLevel,
    };
    s.declared("f", module.funcs.next_key())?;
    let name = s.name()?;
    let sig: SigRef = s.id("sig")?;
    let mut locals = PrimaryMap::new();
    let params = s.list("(", ")", |s| local_decl(s, &mut locals))?;
    let result = if s.eat("->") { Some(scalar(s)?) } else { None };
    let span = span(s)?;
    s.expect("{")?;
    while s.eat_word("local") {
        local_decl(s, &mut locals)?;
    }
    let mut blocks: PrimaryMap<Block, BlockData> = PrimaryMap::new();
    while !s.eat("}") {
        s.declared("block", blocks.next_key())?;
        blocks.push(block(s)?);
    }
    let body = Function { name, kind, span, params, result, locals, blocks };
    module.funcs.push(FuncDecl { sig, body: Arc::new(body) });
    Ok(())
}

fn local_decl(s: &mut Scanner<'_>, locals: &mut PrimaryMap<Local, LocalDecl>) -> Parsed<Local> {
    s.declared("v", locals.next_key())?;
    s.expect(":")?;
    let scalar = scalar(s)?;
    let name = if s.peek("\"") { Some(s.name()?) } else { None };
    Ok(locals.push(LocalDecl { scalar, name }))
}

/// Parses the name of a scalar.
pub fn scalar(s: &mut Scanner<'_>) -> Parsed<Scalar> {
    let word = s.any_word()?;
    match Scalar::ALL.into_iter().find(|scalar| scalar.name() == word) {
        Some(scalar) => Ok(scalar),
        None => refuse(s, "expected int, float, bool, ref or func"),
    }
}

/// Parses the name of an element kind.
pub fn elem(s: &mut Scanner<'_>) -> Parsed<Elem> {
    let word = s.any_word()?;
    match Elem::ALL.into_iter().find(|elem| elem.name() == word) {
        Some(elem) => Ok(elem),
        None => refuse(s, "expected int, float, bool, byte, ref or func"),
    }
}

/// Parses a span; the empty one at the start of file 0 if there is none.
pub fn span(s: &mut Scanner<'_>) -> Parsed<Span> {
    if !s.eat("!") {
        return Ok(Span { file: FileId::new(0), start: 0, end: 0 });
    }
    let file = FileId::new(s.number()?);
    s.expect(":")?;
    let start = s.number()? as u32;
    s.expect("..")?;
    Ok(Span { file, start, end: s.number()? as u32 })
}

fn block(s: &mut Scanner<'_>) -> Parsed<BlockData> {
    let handler = if s.eat_word("catch") { Some(s.id("block")?) } else { None };
    s.expect(":")?;
    let (mut insts, mut spans) = (Vec::new(), Vec::new());
    loop {
        if let Some(term) = terminator(s)? {
            let term_span = span(s)?;
            return Ok(BlockData { insts, spans, term, term_span, handler });
        }
        insts.push(inst(s)?);
        spans.push(span(s)?);
    }
}

fn terminator(s: &mut Scanner<'_>) -> Parsed<Option<Terminator>> {
    let Some(word) = s.peek_word() else { return fail(s, "expected an instruction") };
    let term = match word {
        "jump" => {
            s.word("jump")?;
            Terminator::Jump(s.id("block")?)
        }
        "branch" => {
            s.word("branch")?;
            let cond = operand(s)?;
            s.expect(",")?;
            let then = s.id("block")?;
            s.expect(",")?;
            Terminator::Branch { cond, then, otherwise: s.id("block")? }
        }
        "switch" => {
            s.word("switch")?;
            let value = operand(s)?;
            let cases = s.list("[", "]", |s| {
                let value = s.integer()?;
                s.expect(":")?;
                Ok((value, s.id("block")?))
            })?;
            s.expect(",")?;
            Terminator::Switch { value, cases, default: s.id("block")? }
        }
        "return" => {
            s.word("return")?;
            let bare = s.peek("!") || s.peek("}") || s.peek_id("block");
            Terminator::Return(if bare { None } else { Some(operand(s)?) })
        }
        "fail" => {
            s.word("fail")?;
            let Some(kind) = FailKind::from_name(s.any_word()?) else {
                return refuse(
                    s,
                    "expected user, assert, step_is_zero, unreachable, integer_overflow or invalid_conversion",
                );
            };
            Terminator::Fail { kind, message: operand(s)? }
        }
        "exit" => {
            s.word("exit")?;
            Terminator::Exit(operand(s)?)
        }
        _ => return Ok(None),
    };
    Ok(Some(term))
}

/// Parses an operand.
pub fn operand(s: &mut Scanner<'_>) -> Parsed<Operand> {
    if s.peek_id("v") {
        return Ok(Operand::Local(s.id("v")?));
    }
    if s.peek_id("s") {
        return Ok(Operand::Str(s.id("s")?));
    }
    if s.peek_id("f") {
        return Ok(Operand::Func(s.id("f")?));
    }
    for (word, operand) in [
        ("true", Operand::Bool(true)),
        ("false", Operand::Bool(false)),
        ("none", Operand::NoneRef),
        ("nofunc", Operand::NoneFunc),
    ] {
        if s.eat_word(word) {
            return Ok(operand);
        }
    }
    s.number_operand()
}

/// Parses the name of a builtin, with its type if it takes one.
pub fn builtin(s: &mut Scanner<'_>) -> Parsed<Builtin> {
    Ok(match s.any_word()? {
        "write" => Builtin::Write(s.id("t")?),
        "show" => Builtin::Show(s.id("t")?),
        "display" => Builtin::Display(s.id("t")?),
        "host" => host(s)?,
        name => match Builtin::from_name(name) {
            Some(builtin) => builtin,
            None => return refuse(s, "expected the name of a builtin"),
        },
    })
}

fn host(s: &mut Scanner<'_>) -> Parsed<Builtin> {
    let host = s.id("host")?;
    let params = s.list("(", ")", scalar)?;
    let result = if s.eat("->") { Some(scalar(s)?) } else { None };
    match HostCall::new(host, &params, result) {
        Some(call) => Ok(Builtin::Host(call)),
        None => refuse(s, "the host takes fewer operands"),
    }
}

fn operands(s: &mut Scanner<'_>) -> Parsed<Vec<Operand>> {
    s.list("(", ")", operand)
}

fn pair(s: &mut Scanner<'_>) -> Parsed<(Operand, Operand)> {
    let first = operand(s)?;
    s.expect(",")?;
    Ok((first, operand(s)?))
}

/// Parses the name of an access to the linear memory.
pub fn access(s: &mut Scanner<'_>) -> Parsed<Access> {
    let word = s.any_word()?;
    match Access::ALL.into_iter().find(|access| access.name() == word) {
        Some(access) => Ok(access),
        None => refuse(s, "expected u8, s8, u16, s16, u32, s32, int or float"),
    }
}

fn place(s: &mut Scanner<'_>) -> Parsed<(Access, Operand, u32)> {
    let access = access(s)?;
    let address = operand(s)?;
    s.expect(",")?;
    Ok((access, address, s.number()? as u32))
}

fn inst(s: &mut Scanner<'_>) -> Parsed<Inst> {
    let dst: Option<Local> = if s.peek_id("v") { Some(s.id("v")?) } else { None };
    if dst.is_some() {
        s.expect("=")?;
    }
    let word = s.any_word()?;
    let Some(local) = dst else { return effect(s, word) };
    let dst = local;
    if let Some(op) = UnaryOp::from_name(word) {
        return Ok(Inst::Unary { op, dst, src: operand(s)? });
    }
    if let Some(op) = BinaryOp::from_name(word) {
        let (lhs, rhs) = pair(s)?;
        return Ok(Inst::Binary { op, dst, lhs, rhs });
    }
    Ok(match word {
        "copy" => Inst::Copy { dst, src: operand(s)? },
        "select" => {
            let cond = operand(s)?;
            s.expect(",")?;
            let (then, otherwise) = pair(s)?;
            Inst::Select { dst, cond, then, otherwise }
        }
        "load" => {
            let (access, address, offset) = place(s)?;
            Inst::Load { dst, access, address, offset }
        }
        "global_get" => Inst::GlobalGet { dst, global: s.id("g")? },
        "new_record" => Inst::NewRecord { dst, record: s.id("r")?, fields: operands(s)? },
        "field_get" => {
            let record = s.id("r")?;
            let field = s.number()? as u32;
            s.expect(",")?;
            Inst::FieldGet { dst, object: operand(s)?, record, field }
        }
        "new_array" => {
            let elem = elem(s)?;
            let (len, fill) = pair(s)?;
            Inst::NewArray { dst, elem, len, fill }
        }
        "array_of" => Inst::ArrayOf { dst, elem: elem(s)?, items: operands(s)? },
        "elem_get" => {
            let elem = elem(s)?;
            let (array, index) = pair(s)?;
            Inst::ElemGet { dst, elem, array, index }
        }
        "len" => Inst::Len { dst, object: operand(s)? },
        "unwrap" => Inst::Unwrap { dst, src: operand(s)? },
        "catch_message" => Inst::CatchMessage { dst },
        other => return call(s, other, Some(dst)),
    })
}

fn effect(s: &mut Scanner<'_>, word: &str) -> Parsed<Inst> {
    Ok(match word {
        "global_set" => {
            let global = s.id("g")?;
            s.expect(",")?;
            Inst::GlobalSet { global, src: operand(s)? }
        }
        "store" => {
            let (access, address, offset) = place(s)?;
            s.expect(",")?;
            Inst::Store { access, address, offset, src: operand(s)? }
        }
        "field_set" => {
            let record = s.id("r")?;
            let field = s.number()? as u32;
            s.expect(",")?;
            let (object, src) = pair(s)?;
            Inst::FieldSet { object, record, field, src }
        }
        "elem_set" => {
            let elem = elem(s)?;
            let (array, index) = pair(s)?;
            s.expect(",")?;
            Inst::ElemSet { elem, array, index, src: operand(s)? }
        }
        other => return call(s, other, None),
    })
}

fn call(s: &mut Scanner<'_>, word: &str, dst: Option<Local>) -> Parsed<Inst> {
    Ok(match word {
        "call" => Inst::Call { dst, func: s.id("f")?, args: operands(s)? },
        "call_indirect" => {
            let sig = s.id("sig")?;
            let callee = operand(s)?;
            Inst::CallIndirect { dst, callee, sig, args: operands(s)? }
        }
        "builtin" => {
            let builtin = builtin(s)?;
            Inst::Builtin { dst, builtin, args: operands(s)? }
        }
        _ => return refuse(s, "expected an instruction"),
    })
}
