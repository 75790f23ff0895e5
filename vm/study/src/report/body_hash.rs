//! Hashes of functions that two versions of a program may have in common.
//!
//! In: a function of the IR. Out: a hash of what it does. Invariant: two functions with one hash do the same, but for chance: where they stand, how
//! variables are called, and which numbers the program gives to other functions, globals, records and strings do not matter.

use crc::{CRC_64_XZ, Crc};
use holloway_lang::ir::{Function, Inst, Module, Operand, Terminator};
use std::fmt::Write as _;

/// The hash of a body, in hexadecimal.
pub(crate) fn body_hash(module: &Module, body: &Function) -> String {
    let mut text = format!("{:?}", body.params);
    for data in body.blocks.values() {
        for inst in &data.insts {
            write!(text, "{} {:?}(", operation(module, inst), inst.dst()).expect("strings take all text");
            inst.operands(|value| write!(text, "{},", operand(module, value)).expect("strings take all text"));
            text.push(')');
        }
        write!(text, "{}{:?};", end(module, &data.term), data.handler).expect("strings take all text");
    }
    format!("{:016x}", Crc::<u64>::new(&CRC_64_XZ).checksum(text.as_bytes()))
}

fn operation(module: &Module, inst: &Inst) -> String {
    match inst {
        Inst::Copy { .. } => "copy".to_owned(),
        Inst::Unary { op, .. } => format!("{op:?}"),
        Inst::Binary { op, .. } => format!("{op:?}"),
        Inst::Select { .. } => "select".to_owned(),
        Inst::Load { access, offset, .. } => format!("load {access:?} {offset}"),
        Inst::Store { access, offset, .. } => format!("store {access:?} {offset}"),
        Inst::GlobalGet { global, .. } => format!("get {}", module.globals[*global].name),
        Inst::GlobalSet { global, .. } => format!("set {}", module.globals[*global].name),
        Inst::Call { func, .. } => format!("call {}", module.function(*func).name),
        Inst::CallIndirect { .. } => "call".to_owned(),
        Inst::Builtin { builtin, .. } => format!("{builtin:?}"),
        Inst::NewRecord { record, .. } => format!("new {}", module.records[*record].name),
        Inst::FieldGet { record, field, .. } => format!("get {}.{field}", module.records[*record].name),
        Inst::FieldSet { record, field, .. } => format!("set {}.{field}", module.records[*record].name),
        Inst::NewArray { elem, .. } => format!("new {elem:?}"),
        Inst::ArrayOf { elem, .. } => format!("array {elem:?}"),
        Inst::ElemGet { elem, .. } => format!("get {elem:?}"),
        Inst::ElemSet { elem, .. } => format!("set {elem:?}"),
        Inst::Len { .. } => "len".to_owned(),
        Inst::Unwrap { .. } => "unwrap".to_owned(),
        Inst::CatchMessage { .. } => "message".to_owned(),
    }
}

fn end(module: &Module, term: &Terminator) -> String {
    match term {
        Terminator::Return(Some(value)) => format!("return {}", operand(module, *value)),
        Terminator::Fail { kind, message } => format!("fail {kind:?} {}", operand(module, *message)),
        Terminator::Return(None)
        | Terminator::Jump(_)
        | Terminator::Branch { .. }
        | Terminator::Switch { .. }
        | Terminator::Exit(_) => format!("{term:?}"),
    }
}

fn operand(module: &Module, operand: Operand) -> String {
    match operand {
        Operand::Str(text) => format!("{:?}", module.strings[text]),
        Operand::Func(func) => module.function(func).name.clone(),
        Operand::Local(_)
        | Operand::Int(_)
        | Operand::Float(_)
        | Operand::Bool(_)
        | Operand::NoneRef
        | Operand::NoneFunc => format!("{operand:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_lang::session::{Input, NoFiles, Session, SessionKind};

    fn hash(source: &str, name: &str) -> String {
        let mut session = Session::new(SessionKind::Program);
        let input = Input { name: "program.hw", key: None, bytes: source.as_bytes() };
        assert!(session.add(input, &mut NoFiles).is_ok(), "{source}");
        let module = session.module();
        let found = module.funcs.values().find(|decl| decl.body.name == name);
        body_hash(module, &found.expect("there is one").body)
    }

    #[test]
    fn a_hash_is_of_what_a_function_does() {
        let program =
            "var t = 1\nfn g() -> str { return \"b\" }\nfn f(n: int) -> str { t = n + 1; return g() + \"a\" }\n";
        let other = "var u = 1\nfn h() { u = 2 }\n\nvar t = 1\nfn g() -> str { return \"c\" }\nfn f(m: int) -> str {\n  t = m + 1\n  return g() + \"a\" }\n";
        assert_eq!(hash(program, "f"), hash(other, "f"), "others have other numbers, and variables other names");
        assert_ne!(hash(program, "g"), hash(other, "g"));
        assert_ne!(hash(program, "f"), hash(&program.replace("n + 1", "n + 2"), "f"));
        assert_ne!(hash(program, "f"), hash(&program.replace("\"a\"", "\"d\""), "f"));
        assert_ne!(hash(program, "f"), hash(&program.replace("n + 1", "n - 1"), "f"));
    }
}
