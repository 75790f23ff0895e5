//! A whole program: functions and everything they refer to by id. Ids are stable, so that a REPL
//! can add to a module and replace a function's body while code that names it stays valid.

use super::entity::{FuncRef, Global, RecordRef, SigRef, StrRef, TypeRef};
use super::function::Function;
use super::intern::Interner;
use super::types::{Elem, Scalar, Type};
use crate::settings::SHOWN_LEVELS;
pub use crate::settings::{MOST_FUNCTIONS, MOST_GLOBALS, MOST_PARAMS};
use cranelift_entity::PrimaryMap;
use std::sync::Arc;

/// Parameter and result types of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Source types of the parameters.
    pub params: Vec<TypeRef>,
    /// Source type of the result, if it has one.
    pub result: Option<TypeRef>,
}

/// A record layout. Each field takes one 64-bit word, in order of declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The struct's name.
    pub name: String,
    /// Its fields in order of declaration.
    pub fields: Vec<FieldDecl>,
}

/// One field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDecl {
    /// The field's name.
    pub name: String,
    /// Its source type.
    pub ty: TypeRef,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalDecl {
    /// The source name.
    pub name: String,
    /// Its source type.
    pub ty: TypeRef,
}

/// A function of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuncDecl {
    /// Its signature.
    pub sig: SigRef,
    /// Its present body; shared with compile threads.
    pub body: Arc<Function>,
}

/// The signature of `fn main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// The function.
    pub func: FuncRef,
    /// True if it takes `args: [str]`.
    pub takes_args: bool,
    /// True if it returns the exit status.
    pub returns_status: bool,
}

/// A program in IR form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// Source types, each once.
    pub types: PrimaryMap<TypeRef, Type>,
    /// Function signatures, each once.
    pub sigs: PrimaryMap<SigRef, Signature>,
    /// Record layouts.
    pub records: PrimaryMap<RecordRef, Record>,
    /// String constants, each once.
    pub strings: PrimaryMap<StrRef, Vec<u8>>,
    /// Globals.
    pub globals: PrimaryMap<Global, GlobalDecl>,
    /// Functions, top-level statements of each file among them.
    pub funcs: PrimaryMap<FuncRef, FuncDecl>,
    /// The functions of top-level statements, in the order in which they run.
    pub top_level: Vec<FuncRef>,
    /// `fn main`, if there is one.
    pub main: Option<EntryPoint>,
    type_ids: Interner<TypeRef>,
    sig_ids: Interner<SigRef>,
    string_ids: Interner<StrRef>,
}

impl Module {
    /// The id of a type, added if it is new.
    pub fn intern_type(&mut self, ty: Type) -> TypeRef {
        self.type_ids.intern(&mut self.types, ty)
    }

    /// The id of a signature, added if it is new.
    pub fn intern_sig(&mut self, sig: Signature) -> SigRef {
        self.sig_ids.intern(&mut self.sigs, sig)
    }

    /// The id of a string constant, added if it is new.
    pub fn intern_string(&mut self, text: Vec<u8>) -> StrRef {
        self.string_ids.intern(&mut self.strings, text)
    }

    /// The storage of a type's values in arrays and fields.
    pub fn elem(&self, ty: TypeRef) -> Elem {
        match &self.types[ty] {
            Type::Int => Elem::Int,
            Type::Float => Elem::Float,
            Type::Bool => Elem::Bool,
            Type::Byte => Elem::Byte,
            Type::Str | Type::Array(_) | Type::Record(_) => Elem::Ref,
            Type::Func(_) => Elem::Func,
            Type::Optional(of) => self.elem(*of),
        }
    }

    /// The scalar of a local of that source type.
    pub fn scalar(&self, ty: TypeRef) -> Scalar {
        self.elem(ty).scalar()
    }

    /// The storage of a field.
    pub fn field_elem(&self, record: RecordRef, field: u32) -> Elem {
        self.elem(self.records[record].fields[field as usize].ty)
    }

    /// The present body of a function.
    pub fn function(&self, func: FuncRef) -> &Arc<Function> {
        &self.funcs[func].body
    }

    /// The function of that source name; the latest if several had it.
    pub fn find(&self, name: &str) -> Option<FuncRef> {
        self.funcs.iter().rev().find(|(_, decl)| decl.body.name == name).map(|(id, _)| id)
    }

    /// A source type as it is written in programs. Inference can nest arrays deeper than a program could be written, so
    /// levels deeper than [`SHOWN_LEVELS`] are cut with `...`.
    pub fn type_name(&self, ty: TypeRef) -> String {
        self.type_text(ty, SHOWN_LEVELS)
    }

    /// A signature as a function type is written in programs.
    pub fn sig_name(&self, sig: SigRef) -> String {
        self.sig_text(sig, SHOWN_LEVELS)
    }

    fn type_text(&self, ty: TypeRef, levels: usize) -> String {
        let Some(below) = levels.checked_sub(1) else { return "...".into() };
        match &self.types[ty] {
            Type::Int => "int".into(),
            Type::Float => "float".into(),
            Type::Bool => "bool".into(),
            Type::Byte => "byte".into(),
            Type::Str => "str".into(),
            Type::Array(of) => format!("[{}]", self.type_text(*of, below)),
            Type::Record(record) => self.records[*record].name.clone(),
            Type::Optional(of) => match self.types[*of] {
                Type::Func(_) => format!("({})?", self.type_text(*of, below)),
                _ => format!("{}?", self.type_text(*of, below)),
            },
            Type::Func(sig) => self.sig_text(*sig, below),
        }
    }

    fn sig_text(&self, sig: SigRef, levels: usize) -> String {
        let Signature { params, result } = &self.sigs[sig];
        let params: Vec<_> = params.iter().map(|ty| self.type_text(*ty, levels)).collect();
        let result = result.map(|ty| format!(" -> {}", self.type_text(ty, levels)));
        format!("fn({}){}", params.join(", "), result.unwrap_or_default())
    }
}
