//! Name resolution and type checking: the syntax trees of one input to typed trees, the program's environment growing
//! by what they define.
//!
//! In: the files of one input (a program with its imports, or a line of the REPL) in the order in which they run.
//! Out: a [`tast::Function`] for every body that is to be lowered, or everything that is wrong. Invariants: where
//! errors come out the environment is a draft to be thrown away; every function that comes out satisfies the contract
//! of [`tast`]; the time is linear in the size of the input and of the definitions that must be checked again for it.
//!
//! The road, one file each: `declare` names, `replace` what they make outdated, resolve `types` and signatures,
//! evaluate `constant`s, check top-level statements (they fix the types of globals), check functions (`body`, `stmt`,
//! `expr` and its family), see that no global is used too early (`init_order`).

mod attention;
pub(crate) mod blueprint;
mod body;
mod branch;
mod builtin;
mod builtin_names;
mod call;
mod closure;
mod collection;
mod constant;
mod construct;
mod decision;
mod declare;
mod deep;
mod destructure;
mod early_use;
pub(crate) mod environment;
mod equality;
pub(crate) mod error;
mod example;
mod expr;
mod fold;
mod format;
mod frame;
mod function;
mod habits;
mod infer;
mod init_order;
mod intrinsic;
mod iterate;
mod loops;
mod marks;
mod matching;
mod method;
mod operator;
mod overload;
mod pattern;
mod place;
mod prelude;
mod replace;
pub(crate) mod report;
mod scope;
mod segment;
mod select;
mod steps;
mod stmt;
mod suggest;
pub(crate) mod survey;
mod target;
mod template;
mod tuple;
mod type_name;
mod types;
mod unit;
pub(crate) mod warn;

use crate::settings::check::MAX_COMPARISONS;
use blueprint::{Author, MadeFunction};
use std::cell::Cell;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

pub(crate) use builtin_names::NAMES as BUILTINS;
pub(crate) use prelude::prelude_files;
pub(crate) use suggest::{distance, nearest};

use crate::ast;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::ir::module::{MOST_FUNCTIONS, MOST_GLOBALS};
use crate::ir::{EntryPoint, FuncRef, Global, TypeRef};
use crate::source::{FileId, SourceMap, Span};
use crate::tast;
pub(crate) use attention::Attention;
use attention::Warnings;
use early_use::EarlyUse;
use environment::{Def, Environment};
use error::CheckError;
use marks::Marks;
use report::{Reported, Reports};

/// The treatment of a second definition of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionKind {
    /// It is an error.
    Program,
    /// In a later input it replaces the first one; and the bare expression that ends an input is shown.
    Repl,
}

/// One file of an input.
#[derive(Clone)]
pub(crate) struct File {
    /// Its tree.
    pub(crate) program: ast::Program,
    /// Its place in the input.
    pub(crate) role: Role,
    /// The files that it imports, each with the name that it gives it.
    pub(crate) imports: Vec<(Option<ast::Name>, FileId)>,
}

/// The place of a file in an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The input itself.
    Root,
    /// Imported; its `main` is its own.
    Imported,
}

/// The additions of an input to the program.
pub(crate) struct Output {
    /// Every body to be lowered.
    pub(crate) functions: Vec<tast::Function>,
    /// The functions of the files' top-level statements, in the order in which they run.
    pub(crate) top_level: Vec<FuncRef>,
    /// `fn main` of the input itself.
    pub(crate) main: Option<EntryPoint>,
    /// The type of the value that the last of `top_level` shows.
    pub(crate) shown: Option<TypeRef>,
    /// The globals it defines, in the order in which they are initialised.
    pub(crate) globals: Vec<NewGlobal>,
    /// The functions of earlier inputs that have new bodies.
    pub(crate) replaced: Vec<FuncRef>,
    /// The warnings, if they are wanted.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// A global that an input defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewGlobal {
    /// The global.
    pub global: Global,
    /// The top-level function that initialises it.
    pub func: FuncRef,
    /// Its `let` or `var`, in that function.
    pub span: Span,
}

/// Checks the files of one input, which stand in the order in which they run, the root last.
pub(crate) fn check(
    env: &mut Environment,
    sources: &mut SourceMap,
    kind: SessionKind,
    attention: Attention,
    files: Vec<File>,
) -> Result<Output, Vec<Diagnostic>> {
    let mut checker = Checker::new(env, sources, kind, attention);
    let ran = checker.run(files);
    checker.finish(ran.main, ran.warnings)
}

/// The state of checking one input.
struct Checker<'a> {
    env: &'a mut Environment,
    sources: &'a mut SourceMap,
    kind: SessionKind,
    reports: Reports,
    /// The types that stand for the type parameters of what is being checked.
    bindings: HashMap<Arc<str>, TypeRef>,
    /// The author of what is being checked: the prelude may name what programs cannot.
    author: Author,
    /// Number of templates of which one was made for the other, at present.
    making: usize,
    /// Functions that were made of templates and whose bodies are to be checked.
    made: Vec<MadeFunction>,
    /// The globals of this input by the position of their statement; those of earlier inputs are initialised.
    positions: HashMap<Global, u32>,
    /// The earlier meanings of this input's global names.
    shadowed: HashMap<Arc<str>, Def>,
    /// The functions that top-level statements of this input mention.
    uses: Vec<EarlyUse>,
    /// The calls of function values by top-level statements of this input, with the positions of these.
    value_calls: Vec<(Span, u32)>,
    /// The functions of which earlier inputs took a value.
    taken_before: HashSet<FuncRef>,
    functions: Vec<tast::Function>,
    top_level: Vec<FuncRef>,
    shown: Option<TypeRef>,
    globals: Vec<NewGlobal>,
    replaced: Vec<FuncRef>,
    /// The constants to evaluate.
    new_consts: Vec<environment::ConstId>,
    /// Number of names that may still be compared with unknown ones.
    comparisons: Cell<usize>,
    warnings: Warnings,
    marks: Marks,
}

impl<'a> Checker<'a> {
    fn new(env: &'a mut Environment, sources: &'a mut SourceMap, kind: SessionKind, attention: Attention) -> Self {
        let taken_before = match env.host_gives_functions {
            true => env.funcs.keys().collect(),
            false => env.taken.clone(),
        };
        Self {
            env,
            sources,
            kind,
            reports: Reports::default(),
            bindings: HashMap::new(),
            author: Author::Program,
            making: 0,
            made: Vec::new(),
            positions: HashMap::new(),
            shadowed: HashMap::new(),
            uses: Vec::new(),
            value_calls: Vec::new(),
            taken_before,
            functions: Vec::new(),
            top_level: Vec::new(),
            shown: None,
            globals: Vec::new(),
            replaced: Vec::new(),
            new_consts: Vec::new(),
            comparisons: Cell::new(MAX_COMPARISONS),
            warnings: Warnings::new(attention),
            marks: Marks::new(attention),
        }
    }

    /// Tables that grow with functions and globals cannot move once code knows them.
    fn check_counts(&mut self) {
        let function = self.functions.last().map(|function| function.span);
        let global = self.globals.last().map(|new| new.span);
        let (functions, globals) = (self.env.module.funcs.len(), self.env.module.globals.len());
        for (what, count, most, last) in
            [("functions", functions, MOST_FUNCTIONS, function), ("globals", globals, MOST_GLOBALS, global)]
        {
            if let Some(span) = last.filter(|_| count > most) {
                self.error(CheckError::TooMany { what, most }, span);
            }
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.reports.error(diagnostic)
    }

    fn error(&mut self, kind: impl Into<DiagnosticKind>, span: Span) -> Reported {
        self.report(Diagnostic::error(kind, span))
    }

    fn finish(self, main: Option<EntryPoint>, warnings: Vec<Diagnostic>) -> Result<Output, Vec<Diagnostic>> {
        let mut diagnostics = self.reports.finish();
        if !diagnostics.is_empty() {
            diagnostics.extend(warnings);
            return Err(diagnostics);
        }
        Ok(Output {
            functions: self.functions,
            top_level: self.top_level,
            main,
            shown: self.shown,
            globals: self.globals,
            replaced: self.replaced,
            warnings,
        })
    }
}
