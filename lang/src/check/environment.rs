//! All knowledge about a program between two inputs: its module and the meaning of its top-level names.
//!
//! In: definitions, as `declare` makes them. Out: answers to "what does this name mean here". Invariants: `funcs`,
//! `records` and `globals` run parallel to the maps of the module. A copy is a draft: an input that is refused leaves
//! no trace.

use std::sync::Arc;

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use hashbrown::{HashMap, HashSet};

use super::blueprint::{Template, TemplateItem};
use super::report::Checked;
use crate::ast::{self, Mutability};
use crate::ir::field::boxed::CONTENT;
use crate::ir::{
    FuncDecl, FuncRef, FunctionBuilder, FunctionKind, Global, GlobalDecl, Module, Record, RecordRef, Shape, SigRef,
    Signature, StrRef, Terminator, Type, TypeRef,
};
use crate::source::{FileId, Span};
use crate::tast::{Expr, ExprKind};

/// A `const` at top level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ConstId(u32);
entity_impl!(ConstId, "const");

/// A definition from which functions or types are made, one for each set of types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TemplateId(u32);
entity_impl!(TemplateId, "template");

/// The meaning of a top-level name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Def {
    /// The span of its name in the definition.
    pub(crate) span: Span,
    /// Its kind.
    pub(crate) kind: DefKind,
}

/// The kinds of definition.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum DefKind {
    Fn(FuncRef),
    Struct(RecordRef),
    /// A function, struct or enum that is made for each set of types, or an enum.
    Template(TemplateId),
    Const(ConstId),
    Global(Global),
    /// The name of an import.
    Module(FileId),
}

impl DefKind {
    /// Returns the kind as a phrase with its article.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Fn(_) => "a function",
            Self::Struct(_) => "a struct",
            Self::Const(_) => "a constant",
            Self::Global(_) => "a variable",
            Self::Template(_) => "a definition",
            Self::Module(_) => "an import",
        }
    }
}

/// A function: `fn` or top-level statements.
#[derive(Clone)]
pub(crate) struct FuncInfo {
    pub(crate) name: Arc<str>,
    pub(crate) params: Vec<ParamInfo>,
    pub(crate) result: Checked<Option<TypeRef>>,
    /// The definition, kept to check it again when a definition it names is replaced; top-level statements have run, and
    /// what is made of a template is made anew.
    pub(crate) item: Option<Arc<ast::Fn>>,
    pub(crate) mentions: Mentions,
}

/// A parameter as callers see it.
#[derive(Clone)]
pub(crate) struct ParamInfo {
    pub(crate) ty: Checked<TypeRef>,
    pub(crate) span: Span,
}

/// The names a function refers to, each with the first place.
#[derive(Clone, Default)]
pub(crate) struct Mentions {
    pub(crate) funcs: Vec<(FuncRef, Span)>,
    pub(crate) globals: Vec<(Global, Span)>,
    /// The first call of a function value.
    pub(crate) value_call: Option<Span>,
    /// Every top-level or built-in name whose meaning it took.
    pub(crate) names: HashSet<Arc<str>>,
}

/// The built-in types that are made of other types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Collection {
    List,
    Dict,
    Set,
    Tuple,
}

/// The definition that a record comes from.
#[derive(Clone, Default)]
pub(crate) enum Origin {
    /// None that a program could name.
    #[default]
    Hidden,
    /// A struct without type parameters.
    Struct(Arc<ast::Struct>),
    /// A struct or an enum, with its types.
    Template(TemplateId, Vec<TypeRef>),
    /// A built-in type, with its types.
    Collection(Collection, Vec<TypeRef>),
}

/// A struct, or a type that is a record as a struct is.
#[derive(Clone, Default)]
pub(crate) struct RecordInfo {
    pub(crate) origin: Origin,
    pub(crate) fields: Vec<FieldInfo>,
    /// Index by name.
    pub(crate) index: HashMap<Arc<str>, u32>,
    /// The type names in its fields.
    pub(crate) names: HashSet<Arc<str>>,
}

/// A field as its users see it; the storage type `byte` is still there.
#[derive(Clone)]
pub(crate) struct FieldInfo {
    pub(crate) ty: Checked<TypeRef>,
    pub(crate) span: Span,
}

/// A global variable.
#[derive(Clone)]
pub(crate) struct GlobalInfo {
    pub(crate) name: Arc<str>,
    pub(crate) span: Span,
    pub(crate) mutability: Mutability,
    /// Absent until the statement that initialises it is checked.
    pub(crate) ty: Option<Checked<TypeRef>>,
    /// True if it keeps a value that was shown.
    pub(crate) is_answer: bool,
}

/// A top-level constant.
#[derive(Clone)]
pub(crate) struct ConstInfo {
    pub(crate) item: Arc<ast::Const>,
    /// Absent until it is evaluated.
    pub(crate) value: Option<Checked<ConstValue>>,
    /// The names in its value.
    pub(crate) names: HashSet<Arc<str>>,
}

/// The value of a constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ConstValue {
    Int(i64),
    Float(f64),
    Bool(bool),
    Str(StrRef),
}

/// The types that programs need not construct.
#[derive(Clone, Copy)]
pub(crate) struct Basic {
    pub(crate) int: TypeRef,
    pub(crate) float: TypeRef,
    pub(crate) bool: TypeRef,
    pub(crate) byte: TypeRef,
    pub(crate) str: TypeRef,
}

/// All knowledge about a program; see the module.
#[derive(Clone)]
pub(crate) struct Environment {
    pub(crate) module: Module,
    pub(crate) basic: Basic,
    pub(crate) names: HashMap<Arc<str>, Def>,
    /// `main` of each imported file: visible only there, so that a program and its imports may both have one.
    pub(crate) own_mains: HashMap<FileId, Def>,
    pub(crate) funcs: PrimaryMap<FuncRef, FuncInfo>,
    /// Those that the program, or the prelude, can read and make; others are in the module alone.
    pub(crate) records: SecondaryMap<RecordRef, RecordInfo>,
    pub(crate) templates: PrimaryMap<TemplateId, Template>,
    /// The records of built-in types.
    pub(crate) collections: HashMap<(Collection, Vec<TypeRef>), RecordRef>,
    /// Functions of the prelude, by name; those of a file are all there once one of them was needed.
    pub(crate) provided: HashMap<Arc<str>, TemplateId>,
    /// The files of the prelude, in which no name of the program means anything.
    pub(crate) prelude_files: HashSet<FileId>,
    /// The records of variables that closures share, by type.
    pub(crate) cells: HashMap<TypeRef, RecordRef>,
    /// The globals that keep the values of variants without payload.
    pub(crate) singles: HashMap<(RecordRef, usize), Global>,
    /// The code of functions as values, in a program with closures.
    pub(crate) thunks: HashMap<FuncRef, FuncRef>,
    /// The functions of which a value was taken, those of closures among them.
    pub(crate) taken: HashSet<FuncRef>,
    /// True if the host may give the program values of functions that it knows by name.
    pub(crate) host_gives_functions: bool,
    /// The names that files define that are imported with a name only: no other file sees them without it.
    pub(crate) modules: HashMap<FileId, HashMap<Arc<str>, Def>>,
    /// The names that imported files give to what they import.
    pub(crate) aliases: HashMap<FileId, HashMap<Arc<str>, Def>>,
    /// The declarations of the host: each file sees their names behind its own.
    pub(crate) host_files: Vec<FileId>,
    /// The structs that stand for values of the host.
    pub(crate) opaque: HashSet<RecordRef>,
    pub(crate) globals: PrimaryMap<Global, GlobalInfo>,
    pub(crate) consts: PrimaryMap<ConstId, ConstInfo>,
}

impl Environment {
    /// A program without definitions.
    pub(crate) fn new() -> Self {
        let mut module = Module::default();
        let basic = Basic {
            int: module.intern_type(Type::Int),
            float: module.intern_type(Type::Float),
            bool: module.intern_type(Type::Bool),
            byte: module.intern_type(Type::Byte),
            str: module.intern_type(Type::Str),
        };
        Self {
            module,
            basic,
            names: HashMap::new(),
            own_mains: HashMap::new(),
            funcs: PrimaryMap::new(),
            records: SecondaryMap::new(),
            templates: PrimaryMap::new(),
            collections: HashMap::new(),
            provided: HashMap::new(),
            prelude_files: HashSet::new(),
            cells: HashMap::new(),
            singles: HashMap::new(),
            thunks: HashMap::new(),
            taken: HashSet::new(),
            modules: HashMap::new(),
            aliases: HashMap::new(),
            host_files: Vec::new(),
            host_gives_functions: false,
            opaque: HashSet::new(),
            globals: PrimaryMap::new(),
            consts: PrimaryMap::new(),
        }
    }

    /// The id of a type.
    pub(crate) fn ty(&mut self, ty: Type) -> TypeRef {
        self.module.intern_type(ty)
    }

    /// The id of a signature.
    pub(crate) fn sig(&mut self, sig: Signature) -> SigRef {
        self.module.intern_sig(sig)
    }

    /// The id of a string constant.
    pub(crate) fn string(&mut self, bytes: &[u8]) -> StrRef {
        self.module.intern_string(bytes.to_vec())
    }

    /// The type that `id` stands for.
    pub(crate) fn type_of(&self, id: TypeRef) -> &Type {
        &self.module.types[id]
    }

    /// `[of]`
    pub(crate) fn array(&mut self, of: TypeRef) -> TypeRef {
        self.ty(Type::Array(of))
    }

    /// `of?`, where that is a type.
    pub(crate) fn optional(&mut self, of: TypeRef) -> Option<TypeRef> {
        match self.type_of(of) {
            Type::Int | Type::Float | Type::Bool | Type::Str | Type::Array(_) | Type::Record(_) | Type::Func(_) => {
                if self.module.is_boxed(of) {
                    self.module.intern_box(of);
                }
                Some(self.ty(Type::Optional(of)))
            }
            Type::Byte | Type::Optional(_) | Type::Code(_) => None,
        }
    }

    /// The record in which an optional of this content keeps it, if it is no reference itself.
    pub(crate) fn box_of(&self, content: TypeRef) -> Option<RecordRef> {
        if self.module.is_boxed(content) { self.module.box_of(content) } else { None }
    }

    /// A value of type `ty` or of its content as a value of type `ty`.
    pub(crate) fn lift(&self, value: Expr, ty: TypeRef) -> Expr {
        if value.ty == ty {
            return value;
        }
        let span = value.span;
        let kind = match self.box_of(value.ty) {
            Some(record) => ExprKind::Construct { record, fields: vec![(CONTENT, value)] },
            None => ExprKind::Some(Box::new(value)),
        };
        Expr { kind, ty, span }
    }

    /// The content of an optional that is known not to be `none`, of which `value` is the value.
    pub(crate) fn content_of(&self, value: Expr, content: TypeRef) -> Expr {
        let span = value.span;
        let unwrapped = |ty| Expr { kind: ExprKind::Unwrap(Box::new(value.clone())), ty, span };
        match self.box_of(content) {
            Some(record) => {
                let object = Box::new(unwrapped(value.ty));
                Expr { kind: ExprKind::Field { object, record, field: CONTENT }, ty: content, span }
            }
            None => unwrapped(content),
        }
    }

    /// `T` of `T?`.
    pub(crate) fn content(&self, ty: TypeRef) -> Option<TypeRef> {
        match *self.type_of(ty) {
            Type::Optional(of) => Some(of),
            _ => None,
        }
    }

    /// The type of a value read from, or stored into, something of the storage type `ty`.
    pub(crate) fn read_type(&self, ty: TypeRef) -> TypeRef {
        if ty == self.basic.byte { self.basic.int } else { ty }
    }

    /// The type of a function as a value, where its signature is known.
    pub(crate) fn func_type(&mut self, func: FuncRef) -> TypeRef {
        let sig = self.module.funcs[func].sig;
        self.ty(Type::Func(sig))
    }

    /// The top-level meaning of `name`, seen from `file`.
    pub(crate) fn lookup(&self, name: &str, file: FileId) -> Option<Def> {
        if self.prelude_files.contains(&file) {
            return None;
        }
        let own = |names: &HashMap<FileId, HashMap<Arc<str>, Def>>| names.get(&file)?.get(name).copied();
        if let Some(own) = own(&self.aliases).or_else(|| own(&self.modules)) {
            return Some(own);
        }
        let of_host = || self.host_files.iter().rev().find_map(|of_host| self.modules.get(of_host)?.get(name));
        if self.host_files.contains(&file) {
            return of_host().copied();
        }
        let own = if name == "main" { self.own_mains.get(&file) } else { None };
        own.or_else(|| self.names.get(name)).or_else(of_host).copied()
    }

    /// The definition of `name` in a file that is imported by a name.
    pub(crate) fn member_of(&self, module: FileId, name: &str) -> Option<Def> {
        self.names_of(module).get(name).copied().filter(|def| def.span.file == module)
    }

    /// The names among which those of an imported file stand: of one that another import shows without its name, all.
    pub(crate) fn names_of(&self, module: FileId) -> &HashMap<Arc<str>, Def> {
        self.modules.get(&module).unwrap_or(&self.names)
    }

    /// Adds a struct whose fields are not known yet.
    pub(crate) fn add_struct(&mut self, item: Arc<ast::Struct>) -> RecordRef {
        let name = item.name.text.to_string();
        self.add_record(name, Shape::Struct, Origin::Struct(item))
    }

    /// Adds a record whose fields are not known yet.
    pub(crate) fn add_record(&mut self, name: String, shape: Shape, origin: Origin) -> RecordRef {
        let record = self.module.records.push(Record { name, fields: Vec::new(), shape });
        self.records[record] = RecordInfo { origin, ..RecordInfo::default() };
        record
    }

    /// Adds a field to a record.
    pub(crate) fn add_field(&mut self, record: RecordRef, name: &str, ty: Checked<TypeRef>, span: Span) {
        let info = &mut self.records[record];
        info.index.insert(name.into(), info.fields.len() as u32);
        info.fields.push(FieldInfo { ty, span });
        // A type that is not known was reported, so the module with `int` in its place is never seen.
        let decl = crate::ir::FieldDecl { name: name.to_owned(), ty: ty.unwrap_or(self.basic.int) };
        self.module.records[record].fields.push(decl);
    }

    /// The global that keeps the one value of a variant without payload.
    pub(crate) fn single(&mut self, record: RecordRef, variant: usize, span: Span) -> Global {
        if let Some(&global) = self.singles.get(&(record, variant)) {
            return global;
        }
        let ty = self.ty(Type::Record(record));
        let ty = self.optional(ty).expect("enums can be optional");
        let global = self.add_global("variant".into(), span, Mutability::Fixed);
        self.set_global_type(global, Ok(ty));
        self.singles.insert((record, variant), global);
        global
    }

    /// The record of a variable of the type that closures share.
    pub(crate) fn cell_of(&mut self, ty: TypeRef) -> RecordRef {
        if let Some(&cell) = self.cells.get(&ty) {
            return cell;
        }
        let cell = self.add_record("variable".to_owned(), Shape::Hidden, Origin::Hidden);
        self.cells.insert(ty, cell);
        let span = Span::new(FileId::from_u32(0), 0, 0);
        self.add_field(cell, "value", Ok(ty), span);
        cell
    }

    /// The record that values of a type are, if they are one.
    pub(crate) fn record_of(&self, ty: TypeRef) -> Option<RecordRef> {
        match *self.type_of(ty) {
            Type::Record(record) => Some(record),
            _ => None,
        }
    }

    /// The shape of the values of a type, if they are records.
    pub(crate) fn shape_of(&self, ty: TypeRef) -> Option<&Shape> {
        self.record_of(ty).map(|record| &self.module.records[record].shape)
    }

    /// The built-in type that `ty` is, and the types that it is made of.
    pub(crate) fn collection_of(&self, ty: TypeRef) -> Option<(Collection, &[TypeRef])> {
        match &self.records[self.record_of(ty)?].origin {
            Origin::Collection(collection, types) => Some((*collection, types)),
            Origin::Hidden | Origin::Struct(_) | Origin::Template(..) => None,
        }
    }

    /// The struct that the program writes for a record, if there is one.
    pub(crate) fn struct_item(&self, record: RecordRef) -> Option<&Arc<ast::Struct>> {
        match &self.records[record].origin {
            Origin::Struct(item) => Some(item),
            Origin::Template(id, _) => match &self.templates[*id].item {
                TemplateItem::Struct(item) => Some(item),
                TemplateItem::Fn(..) | TemplateItem::Enum(_) => None,
            },
            Origin::Hidden | Origin::Collection(..) => None,
        }
    }

    /// Adds a function whose body is not known yet.
    pub(crate) fn add_func(&mut self, info: FuncInfo, span: Span, kind: FunctionKind) -> FuncRef {
        // A type that is not known was reported, so the module with `int` in its place is never seen.
        let known = |ty: Checked<TypeRef>| ty.unwrap_or(self.basic.int);
        let params = info.params.iter().map(|param| known(param.ty)).collect();
        let sig = self.sig(Signature { params, result: info.result.unwrap_or(None) });
        let body = Arc::new(self.unlowered(&info.name, sig, span, kind));
        self.module.funcs.push(FuncDecl { sig, body });
        self.funcs.push(info)
    }

    /// The placeholder of a body until it is lowered.
    pub(crate) fn unlowered(&self, name: &str, sig: SigRef, span: Span, kind: FunctionKind) -> crate::ir::Function {
        let Signature { params, result } = &self.module.sigs[sig];
        let result = result.map(|ty| self.module.scalar(ty));
        let mut builder = FunctionBuilder::new(name.to_owned(), kind, span, result);
        for &ty in params {
            builder.param(self.module.scalar(ty), None);
        }
        builder.terminate(Terminator::Exit(crate::ir::Operand::Int(0)));
        builder.finish()
    }

    /// Adds a global whose type is not known yet.
    pub(crate) fn add_global(&mut self, name: Arc<str>, span: Span, mutability: Mutability) -> Global {
        self.module.globals.push(GlobalDecl { name: name.to_string(), ty: self.basic.int });
        self.globals.push(GlobalInfo { name, span, mutability, ty: None, is_answer: false })
    }

    /// Fixes the type of a global.
    pub(crate) fn set_global_type(&mut self, global: Global, ty: Checked<TypeRef>) {
        self.globals[global].ty = Some(ty);
        if let Ok(ty) = ty {
            self.module.globals[global].ty = ty;
        }
    }

    /// The type of a constant.
    pub(crate) fn const_type(&self, value: ConstValue) -> TypeRef {
        match value {
            ConstValue::Int(_) => self.basic.int,
            ConstValue::Float(_) => self.basic.float,
            ConstValue::Bool(_) => self.basic.bool,
            ConstValue::Str(_) => self.basic.str,
        }
    }
}
