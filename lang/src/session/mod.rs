//! A program that grows input by input: a file with all that it imports, or line after line of the REPL.
//!
//! In: the text of an input. Out: the [`Module`] with its definitions and bodies in it, and the functions to run. One
//! pipeline for both uses: load -> `check` -> `lower`. Invariant: an input is taken whole or not at all; a refused
//! input leaves nothing behind but its text in the [`SourceMap`], to which the diagnostics point.
//!
//! Ids of the module stay valid for ever: code, function values and objects of earlier inputs may live on after the
//! definitions they came from are replaced.

mod analysis;
mod answers;
mod definition;
mod evaluate;
mod foreign;
mod host;
mod load;
mod members;
mod prelude_text;
mod reload;

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

pub use crate::check::{NewGlobal, SessionKind};
pub use analysis::Analysis;
pub use definition::Definition;
pub use foreign::ForeignProgram;
pub use host::HostFunction;
pub use load::{Input, Loader, NoFiles, Resolved};
pub use reload::ReloadError;

use crate::ast::Mutability;
use crate::check::environment::{DefKind, Environment};
use crate::check::{self, Attention, Output};
use crate::diagnostic::Diagnostic;
use crate::ir::verify::verify;
use crate::ir::{Builtin, EntryPoint, FuncRef, Global, Inst, Module, TypeRef};
use crate::lower::lower;
use crate::source::{FileId, SourceMap, Span};
use crate::tast;

/// The additions of an input.
#[derive(Clone, PartialEq, Debug)]
pub struct Added {
    /// The functions of top-level statements, one for each file that has any, in the order in which to run them.
    pub top_level: Vec<FuncRef>,
    /// The `main` of the input itself, to be run after them.
    pub main: Option<EntryPoint>,
    /// The type of the value that the last of `top_level` shows with `Builtin::Show`: an input to the REPL that ends
    /// in a bare expression. The REPL adds the type and the newline.
    pub shown: Option<TypeRef>,
    /// The globals that it defines, in the order in which they are initialised.
    pub globals: Vec<NewGlobal>,
    /// Functions of earlier inputs that have a new body, under their old id and with their old signature.
    pub replaced: Vec<FuncRef>,
}

/// A program that grows input by input; see the module. A copy is a draft: what is added to it is not in the other.
#[derive(Clone)]
pub struct Session {
    kind: SessionKind,
    sources: SourceMap,
    env: Environment,
    /// The module of `env`, as it was after the last input.
    module: Arc<Module>,
    loaded: HashMap<String, FileId>,
    /// `env` before the inputs whose statements did not run yet, for [`Session::forget`].
    before: Option<Environment>,
    /// Functions of the host so far.
    host_functions: usize,
    /// The globals that hold answers, in the order in which they were made.
    answers: Vec<Global>,
    /// Those that code reads which may run again.
    lasting_answers: HashSet<Global>,
}

impl Session {
    /// A session without definitions.
    pub fn new(kind: SessionKind) -> Self {
        let env = Environment::new();
        let module = Arc::new(env.module.clone());
        Self {
            kind,
            sources: SourceMap::new(),
            env,
            module,
            loaded: HashMap::new(),
            before: None,
            host_functions: 0,
            answers: Vec::new(),
            lasting_answers: HashSet::new(),
        }
    }

    /// Every text so far, those of refused inputs too.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The program so far. [`Module::top_level`] lists the top-level functions of all inputs, [`Module::main`] is the
    /// last `main`; the functions that an input of the REPL runs are in [`Added`].
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    /// Adds an input.
    pub fn add(&mut self, input: Input<'_>, loader: &mut dyn Loader) -> Result<Added, Vec<Diagnostic>> {
        let (env, loaded, output) = self.check(input, loader, Attention::Errors)?;
        let added = self.take(env, loaded, output);
        self.publish();
        Ok(added)
    }

    /// Takes the environment that an input was checked in, with what came out. The module is still to be published.
    fn take(&mut self, env: Environment, loaded: HashMap<String, FileId>, output: Output) -> Added {
        let before = std::mem::replace(&mut self.env, env);
        self.before.get_or_insert(before);
        self.loaded = loaded;
        let Output { functions, top_level, main, shown, globals, replaced, warnings: _ } = output;
        lower_bodies(&mut self.env.module, &functions);
        self.env.module.top_level.extend(&top_level);
        self.env.module.main = main.or(self.env.module.main);
        Added { top_level, main, shown, globals, replaced }
    }

    /// Shows the present program to all that ask for the module.
    fn publish(&mut self) {
        self.module = Arc::new(self.env.module.clone());
    }

    /// The type that the bare expression at the end of `input` has, as it is written in programs; none if there is no
    /// such expression. Nothing is added.
    pub fn type_of(&mut self, input: Input<'_>, loader: &mut dyn Loader) -> Result<Option<String>, Vec<Diagnostic>> {
        let (env, _, output) = self.check(input, loader, Attention::Errors)?;
        Ok(output.shown.map(|ty| env.type_name(ty, &self.sources)))
    }

    /// The name of a type of the program; if it was redefined, with the input of the definition that it comes from.
    pub fn type_name(&self, ty: TypeRef) -> String {
        self.env.type_name(ty, &self.sources)
    }

    /// All errors and warnings of `input`, the errors first. Nothing is added.
    pub fn diagnose(&mut self, input: Input<'_>, loader: &mut dyn Loader) -> Vec<Diagnostic> {
        match self.check(input, loader, Attention::Warnings) {
            Ok((_, _, output)) => output.warnings,
            Err(diagnostics) => diagnostics,
        }
    }

    /// The session as it would be with `input`: a draft.
    fn check(
        &mut self,
        input: Input<'_>,
        loader: &mut dyn Loader,
        attention: Attention,
    ) -> Result<(Environment, HashMap<String, FileId>, Output), Vec<Diagnostic>> {
        let mut loaded = self.loaded.clone();
        let files = load::load(&input, &mut self.sources, loader, &mut loaded, self.kind)?;
        let mut env = self.env.clone();
        let output = check::check(&mut env, &mut self.sources, self.kind, attention, files)?;
        Ok((env, loaded, output))
    }

    /// The statements of all inputs so far have run.
    pub fn settle(&mut self) {
        self.before = None;
    }

    /// Withdraws the definitions of inputs since [`Session::settle`] that depend on globals that were never initialised, because a top-level
    /// statement failed first: these globals and every function that may reach one of them. Their names mean what they
    /// meant before. Functions of earlier inputs that they had replaced get their earlier bodies back: they are
    /// the result, and code made of the bodies in between must not run.
    pub fn forget(&mut self, globals: &[Global]) -> Vec<FuncRef> {
        let Some(before) = &self.before else { return Vec::new() };
        let lost: HashSet<Global> = globals.iter().copied().collect();
        let reaching = reaching(&self.env, &lost);
        let is_lost = |kind: DefKind| match kind {
            DefKind::Global(global) => lost.contains(&global),
            DefKind::Fn(func) => reaching.contains(&func),
            DefKind::Struct(_) | DefKind::Template(_) | DefKind::Const(_) | DefKind::Module(_) => false,
        };
        let names: Vec<_> =
            self.env.names.iter().filter(|(_, def)| is_lost(def.kind)).map(|(name, _)| name.clone()).collect();
        for name in names {
            match before.names.get(&name) {
                Some(earlier) => self.env.names.insert(name, *earlier),
                None => self.env.names.remove(&name),
            };
        }
        let body = |env: &Environment, func| env.module.funcs.get(func).map(|decl| decl.body.clone());
        let has_new_body = |func: &FuncRef| match (body(before, *func), body(&self.env, *func)) {
            (Some(earlier), Some(present)) => !Arc::ptr_eq(&earlier, &present),
            _ => false,
        };
        let mut restored: Vec<FuncRef> = reaching.into_iter().filter(has_new_body).collect();
        restored.sort_unstable();
        for &func in &restored {
            self.env.funcs[func] = before.funcs[func].clone();
            self.env.module.funcs[func] = before.module.funcs[func].clone();
        }
        self.publish();
        restored
    }

    /// The function that a name means now.
    pub fn function(&self, name: &str) -> Option<FuncRef> {
        self.function_of(&[name])
    }

    /// The global that a name means now, and whether programs may assign to it.
    pub fn global(&self, name: &str) -> Option<(Global, Mutability)> {
        match self.env.names.get(name)?.kind {
            DefKind::Global(global) => Some((global, self.env.globals[global].mutability)),
            DefKind::Fn(_) | DefKind::Struct(_) | DefKind::Template(_) | DefKind::Const(_) | DefKind::Module(_) => None,
        }
    }

    /// The name of every built-in function, in alphabetical order.
    pub fn builtins() -> &'static [&'static str] {
        check::BUILTINS
    }

    /// Every top-level name of the program, for completion; in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.env.names.keys().map(|name| &**name)
    }
}

impl Added {
    /// The globals that are not initialised if the top-level function `func` stopped at `at`, for [`Session::forget`].
    pub fn uninitialised(&self, func: FuncRef, at: Span) -> Vec<Global> {
        let place = |func| self.top_level.iter().position(|&other| other == func);
        let is_open = |new: &&NewGlobal| match new.func == func {
            true => new.span.end > at.start,
            false => place(new.func) > place(func),
        };
        self.globals.iter().filter(is_open).map(|new| new.global).collect()
    }
}

/// Returns true if an instruction shows the value of an input.
fn shows(inst: &Inst) -> bool {
    matches!(inst, Inst::Builtin { builtin: Builtin::Show(_), .. })
}

/// Gives every checked function its body.
fn lower_bodies(module: &mut Module, functions: &[tast::Function]) {
    for function in functions {
        let body = lower(module, function);
        debug_assert_eq!(verify(module, &body), Ok(()), "lowering `{}`", body.name);
        module.funcs[function.func].body = Arc::new(body);
    }
}

/// The functions that may read or write one of `globals`.
fn reaching(env: &Environment, globals: &HashSet<Global>) -> HashSet<FuncRef> {
    let mut callers: HashMap<FuncRef, Vec<FuncRef>> = HashMap::new();
    let mut pending = Vec::new();
    for (func, info) in &env.funcs {
        for &(callee, _) in &info.mentions.funcs {
            callers.entry(callee).or_default().push(func);
        }
        if info.mentions.globals.iter().any(|(global, _)| globals.contains(global)) {
            pending.push(func);
        }
    }
    let mut found = HashSet::new();
    while let Some(func) = pending.pop() {
        if found.insert(func) {
            pending.extend(callers.get(&func).into_iter().flatten());
        }
    }
    found
}
