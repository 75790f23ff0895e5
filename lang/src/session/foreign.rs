//! Programs that another front end has lowered.
//!
//! In: a module with its sources, and the functions that it gives names to. Out: a session, so that all that knows programs by sessions knows this one, too.
//! Invariant: nothing is added to it: its definitions have no text of the language.

use super::{Added, Session, SessionKind};
use crate::ast::Mutability;
use crate::check::environment::{Basic, Def, DefKind, FuncInfo, GlobalInfo, Mentions, ParamInfo};
use crate::ir::{EntryPoint, FuncRef, Module, Type};
use crate::source::Span;

/// A program of another front end.
pub struct ForeignProgram {
    /// The program. Its top-level functions run first, then its `main`.
    pub module: Module,
    /// The name and text of each source, in the order of their ids.
    pub sources: Vec<(String, String)>,
    /// The functions that can be called by name.
    pub names: Vec<(String, FuncRef)>,
    /// The number of the host's functions that it calls, which are the first ones.
    pub host_functions: usize,
}

impl Session {
    /// A session of a program that is whole. What it adds to nothing is to be run.
    pub fn of_foreign(kind: SessionKind, program: ForeignProgram) -> (Session, Added) {
        let mut session = Session::new(kind);
        let ForeignProgram { mut module, sources, names, host_functions } = program;
        session.host_functions = host_functions;
        for (name, text) in sources {
            session.sources.add(name, text);
        }
        let env = &mut session.env;
        env.basic = Basic {
            int: module.intern_type(Type::Int),
            float: module.intern_type(Type::Float),
            bool: module.intern_type(Type::Bool),
            byte: module.intern_type(Type::Byte),
            str: module.intern_type(Type::Str),
        };
        for decl in module.funcs.values() {
            let span = decl.body.span;
            let params = module.sigs[decl.sig].params.iter().map(|ty| ParamInfo { ty: Ok(*ty), span }).collect();
            let result = Ok(module.sigs[decl.sig].result);
            let name = decl.body.name.as_str().into();
            env.funcs.push(FuncInfo { name, params, result, item: None, mentions: Mentions::default() });
        }
        let start = Span::new(cranelift_entity::EntityRef::new(0), 0, 0);
        for global in module.globals.values() {
            let (name, ty) = (global.name.as_str().into(), Some(Ok(global.ty)));
            let mutability = Mutability::Variable;
            env.globals.push(GlobalInfo { name, span: start, mutability, ty, is_answer: false });
        }
        for (name, func) in names {
            let span = module.funcs[func].body.span;
            env.names.insert(name.into(), Def { span, kind: DefKind::Fn(func) });
        }
        let added = Added {
            top_level: module.top_level.clone(),
            main: module.main,
            shown: None,
            globals: Vec::new(),
            replaced: Vec::new(),
        };
        env.module = module;
        session.publish();
        (session, added)
    }

    /// The kind of the session.
    pub fn kind(&self) -> SessionKind {
        self.kind
    }

    /// Returns whether another front end has lowered the program.
    pub fn is_foreign(&self) -> bool {
        self.module.linear.is_some()
    }
}

impl ForeignProgram {
    /// Has a function without parameters and result run as `main`.
    pub fn set_main(&mut self, func: FuncRef) {
        self.module.main = Some(EntryPoint { func, takes_args: false, returns_status: false });
    }
}
