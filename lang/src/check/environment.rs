//! All knowledge about a program between two inputs: its module and the meaning of its top-level names.
//!
//! In: definitions, as `declare` makes them. Out: answers to "what does this name mean here". Invariants: `funcs`,
//! `records` and `globals` run parallel to the maps of the module. A copy is a draft: an input that is refused leaves
//! no trace.

use std::sync::Arc;

use cranelift_entity::{PrimaryMap, entity_impl};
use hashbrown::{HashMap, HashSet};

use super::report::Checked;
use crate::ast::{self, Mutability};
use crate::ir::{
    FuncDecl, FuncRef, FunctionBuilder, FunctionKind, Global, GlobalDecl, Module, Record, RecordRef, SigRef, Signature,
    StrRef, Terminator, Type, TypeRef,
};
use crate::source::{FileId, Span};

/// A `const` at top level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ConstId(u32);
entity_impl!(ConstId, "const");

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
    Const(ConstId),
    Global(Global),
}

impl DefKind {
    /// Returns the kind as a phrase with its article.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Fn(_) => "a function",
            Self::Struct(_) => "a struct",
            Self::Const(_) => "a constant",
            Self::Global(_) => "a variable",
        }
    }
}

/// A function: `fn` or top-level statements.
#[derive(Clone)]
pub(crate) struct FuncInfo {
    pub(crate) name: Arc<str>,
    pub(crate) params: Vec<ParamInfo>,
    pub(crate) result: Checked<Option<TypeRef>>,
    /// The definition, kept to check it again when a definition it names is replaced; top-level statements have run.
    pub(crate) item: Option<Arc<ast::Fn>>,
    pub(crate) mentions: Mentions,
}

/// A parameter as callers see it.
#[derive(Clone)]
pub(crate) struct ParamInfo {
    pub(crate) ty: Checked<TypeRef>,
    pub(crate) span: Span,
}

/// A top-level statement mentions a function.
#[derive(Clone, Copy)]
pub(super) struct EarlyUse {
    pub(super) func: FuncRef,
    pub(super) span: Span,
    /// The position of the statement.
    pub(super) position: u32,
}

/// The names a function refers to, each with the first place.
#[derive(Clone, Default)]
pub(crate) struct Mentions {
    pub(crate) funcs: Vec<(FuncRef, Span)>,
    pub(crate) globals: Vec<(Global, Span)>,
    /// Every top-level or built-in name whose meaning it took.
    pub(crate) names: HashSet<Arc<str>>,
}

/// A struct.
#[derive(Clone)]
pub(crate) struct RecordInfo {
    pub(crate) item: Arc<ast::Struct>,
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
    pub(crate) records: PrimaryMap<RecordRef, RecordInfo>,
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
            records: PrimaryMap::new(),
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
            Type::Str | Type::Array(_) | Type::Record(_) | Type::Func(_) => Some(self.ty(Type::Optional(of))),
            Type::Int | Type::Float | Type::Bool | Type::Byte | Type::Optional(_) => None,
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
        let own = if name == "main" { self.own_mains.get(&file) } else { None };
        own.or_else(|| self.names.get(name)).copied()
    }

    /// Adds a struct whose fields are not known yet.
    pub(crate) fn add_record(&mut self, item: Arc<ast::Struct>) -> RecordRef {
        self.module.records.push(Record { name: item.name.text.to_string(), fields: Vec::new() });
        let names = HashSet::new();
        self.records.push(RecordInfo { item, fields: Vec::new(), index: HashMap::new(), names })
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
    fn unlowered(&self, name: &str, sig: SigRef, span: Span, kind: FunctionKind) -> crate::ir::Function {
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
        self.globals.push(GlobalInfo { name, span, mutability, ty: None })
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
