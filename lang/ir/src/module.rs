//! A whole program: functions and everything they refer to by id. Ids are stable, so that a REPL
//! can add to a module and replace a function's body while code that names it stays valid.

use super::entity::{FuncRef, Global, RecordRef, SigRef, StrRef, TypeRef};
use super::function::Function;
use super::intern::Interner;
use super::linear::Linear;
use super::types::{Elem, Scalar, Type};
use crate::settings::SHOWN_LEVELS;
pub use crate::settings::{MOST_FUNCTIONS, MOST_GLOBALS, MOST_PARAMS};
use cranelift_entity::PrimaryMap;
use hashbrown::HashMap;
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
    /// The type as it is written in programs.
    pub name: String,
    /// Its fields in order of declaration.
    pub fields: Vec<FieldDecl>,
    /// The kind of value that it is to a program.
    pub shape: Shape,
}

/// The kind of value that a record is to a program: how it prints, compares and converts. The code that makes and reads records
/// knows fields alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `struct`: its fields by name.
    Struct,
    /// `(A, B)`: its fields are the parts.
    Tuple,
    /// `list[T]`: field 0 is an array `[T]` as long as the capacity, field 1 the length.
    List,
    /// `dict[K, V]`: field 0 the keys `[K]`, field 1 the values `[V]`, field 2 the hashes `[int]`, each by entry, field 3
    /// the number of entries. An entry whose hash is negative was removed; the others are in order of insertion.
    Dict,
    /// `set[T]`: field 0 is a `dict[T, bool]`.
    Set,
    /// `enum` with a payload in some variant: field 0 is the index of the variant; the payloads are in the fields that the
    /// variant names, others are zero.
    Enum(Vec<Variant>),
    /// `enum` without payloads: no record at all, but the index of the variant as an `int`.
    Tag(Vec<String>),
    /// A function value with what it has captured: field 0 is a function value, whose first parameter is field 1, the
    /// captured values (a record of shape [`Shape::Hidden`], or none).
    Closure,
    /// The content of an optional whose values are no references, in field 0.
    Box,
    /// Made by the compiler, and never a value of the program: captured values, and variables that closures share.
    Hidden,
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// The fields of the record that hold its payloads, in order.
    pub fields: Vec<u32>,
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
    /// True if the program has closures: then function values are references to records of [`Shape::Closure`], else
    /// plain function values. It is fixed before the first type that depends on it is used.
    pub closures: bool,
    /// Memory, tables and segments, of a module of WebAssembly; its values are integers and floats alone.
    pub linear: Option<Arc<Linear>>,
    type_ids: Interner<TypeRef>,
    sig_ids: Interner<SigRef>,
    string_ids: Interner<StrRef>,
    boxes: HashMap<TypeRef, RecordRef>,
    closure_layouts: HashMap<SigRef, (RecordRef, SigRef)>,
    no_captures: Option<RecordRef>,
}

impl Module {
    /// True if another compiler has optimized it: what that has inlined, moved and left out need not be looked for again.
    pub fn is_optimized(&self) -> bool {
        self.linear.is_some()
    }

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

    /// The type of an array's elements.
    pub fn element_type(&self, array: TypeRef) -> TypeRef {
        match self.types[array] {
            Type::Array(of) => of,
            ref other => unreachable!("a value of type {other:?} has no elements"),
        }
    }

    /// The storage of a type's values in arrays and fields.
    pub fn elem(&self, ty: TypeRef) -> Elem {
        match &self.types[ty] {
            Type::Int => Elem::Int,
            Type::Float => Elem::Float,
            Type::Bool => Elem::Bool,
            Type::Byte => Elem::Byte,
            Type::Str | Type::Array(_) => Elem::Ref,
            Type::Record(record) => match self.records[*record].shape {
                Shape::Tag(_) => Elem::Int,
                _ => Elem::Ref,
            },
            Type::Func(_) if self.closures => Elem::Ref,
            Type::Func(_) | Type::Code(_) => Elem::Func,
            Type::Optional(of) => match self.elem(*of) {
                Elem::Func => Elem::Func,
                // Numbers and truth values are boxed.
                Elem::Ref | Elem::Int | Elem::Float | Elem::Bool | Elem::Byte | Elem::Char => Elem::Ref,
            },
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

    /// The record that boxes the content of an optional whose values are no references.
    pub fn box_of(&self, content: TypeRef) -> Option<RecordRef> {
        self.boxes.get(&content).copied()
    }

    /// As [`Module::box_of`]; the record is added if it is new.
    pub fn intern_box(&mut self, content: TypeRef) -> RecordRef {
        if let Some(record) = self.box_of(content) {
            return record;
        }
        let name = format!("{}?", self.type_name(content));
        let fields = vec![FieldDecl { name: "content".to_owned(), ty: content }];
        self.push_record(Record { name, fields, shape: Shape::Box })
    }

    /// Adds a record. One of [`Shape::Box`] is found by [`Module::box_of`] from now on.
    pub fn push_record(&mut self, record: Record) -> RecordRef {
        let content = match (&record.shape, record.fields.as_slice()) {
            (Shape::Box, [content]) => Some(content.ty),
            _ => None,
        };
        let id = self.records.push(record);
        self.boxes.extend(content.map(|content| (content, id)));
        id
    }

    /// The record of the closures of a signature, and the signature of their code: the captured values come first.
    pub fn intern_closure(&mut self, sig: SigRef) -> (RecordRef, SigRef) {
        if let Some(&layout) = self.closure_layouts.get(&sig) {
            return layout;
        }
        let captures = self.captures();
        let Signature { params, result } = self.sigs[sig].clone();
        let code = self.intern_sig(Signature { params: [captures].into_iter().chain(params).collect(), result });
        let ty = self.intern_type(Type::Code(code));
        let fields =
            vec![FieldDecl { name: "code".to_owned(), ty }, FieldDecl { name: "captures".to_owned(), ty: captures }];
        let name = self.sig_name(sig);
        let record = self.records.push(Record { name, fields, shape: Shape::Closure });
        self.closure_layouts.insert(sig, (record, code));
        (record, code)
    }

    /// The type of what a closure has captured, whatever that is.
    pub fn captures(&mut self) -> TypeRef {
        let record = match self.no_captures {
            Some(record) => record,
            None => {
                let hidden = Record { name: "captures".to_owned(), fields: Vec::new(), shape: Shape::Hidden };
                *self.no_captures.insert(self.records.push(hidden))
            }
        };
        self.intern_type(Type::Record(record))
    }

    /// Returns true if values of `T?`, for this `T`, are boxed.
    pub fn is_boxed(&self, content: TypeRef) -> bool {
        !matches!(self.elem(content), Elem::Ref | Elem::Func)
    }

    /// A source type as it is written in programs. Inference can nest arrays deeper than a program could be written, so
    /// levels deeper than [`SHOWN_LEVELS`] are cut with `...`.
    pub fn type_name(&self, ty: TypeRef) -> String {
        self.type_name_by(ty, SHOWN_LEVELS, &|record, _| self.records[record].name.clone())
    }

    /// A signature as a function type is written in programs.
    pub fn sig_name(&self, sig: SigRef) -> String {
        self.sig_text(sig, SHOWN_LEVELS, &|record, _| self.records[record].name.clone())
    }

    /// A type as it is written in programs, but that `record_name` names each record, given the levels that are left for
    /// what is in it. Levels deeper than `levels` are cut with `...`.
    pub fn type_name_by(&self, ty: TypeRef, levels: usize, record_name: &dyn Fn(RecordRef, usize) -> String) -> String {
        let Some(below) = levels.checked_sub(1) else { return "...".into() };
        match &self.types[ty] {
            Type::Int => "int".into(),
            Type::Float => "float".into(),
            Type::Bool => "bool".into(),
            Type::Byte => "byte".into(),
            Type::Str => "str".into(),
            Type::Array(of) => format!("[{}]", self.type_name_by(*of, below, record_name)),
            Type::Record(record) => record_name(*record, below),
            Type::Optional(of) => match self.types[*of] {
                Type::Func(_) => format!("({})?", self.type_name_by(*of, below, record_name)),
                _ => format!("{}?", self.type_name_by(*of, below, record_name)),
            },
            Type::Func(sig) | Type::Code(sig) => self.sig_text(*sig, below, record_name),
        }
    }

    fn sig_text(&self, sig: SigRef, levels: usize, record_name: &dyn Fn(RecordRef, usize) -> String) -> String {
        let Signature { params, result } = &self.sigs[sig];
        let params: Vec<_> = params.iter().map(|ty| self.type_name_by(*ty, levels, record_name)).collect();
        let result = result.map(|ty| format!(" -> {}", self.type_name_by(ty, levels, record_name)));
        format!("fn({}){}", params.join(", "), result.unwrap_or_default())
    }
}
