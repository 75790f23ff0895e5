//! Inputs of code: typed, timed, or from a file.
//!
//! In: a text, and perhaps the profile to collect while it runs. Out: on the screen, its output, then its value, its
//! definitions, or its errors; and the counts. Invariant: each input has all the time and fuel that one input may have;
//! an interrupt that comes between two inputs stops neither.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cranelift_entity::EntityRef;
use holloway_lang::ir::{FuncRef, Module, TypeRef};
use holloway_lang::session::Input;
use holloway_lang::source::FileId;

use super::answer::Before;
use super::highlight::Part;
use super::lines;
use super::measure::{Meter, Spent};
use super::program_text::Logged;
use super::workspace::{Ended, Workspace};
use crate::config::Source;
use crate::input::Text;
use crate::{input, program};
use holloway_profiler::scheme::Scheme;

use holloway::{Counted, Engine, LoadError, RunError};
use holloway_runtime::Limits;
use holloway_runtime::failure::FailureKind;
use holloway_study::report::{diagnostics, failure};

/// The part of an input that is answered beside its value and its output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Report {
    Definitions,
    Nothing,
}

impl Workspace {
    /// Evaluates typed code.
    pub(super) fn evaluate_typed(&mut self, code: &str) -> Ended {
        let counted_by = self.counted_by();
        let (ended, counted) = self.evaluate_code(code, counted_by);
        self.show_counted(ended, counted)
    }

    /// `:time CODE`
    pub(super) fn time(&mut self, code: &str) -> Ended {
        // An input that does not compile is not measured; nor is one that ends the session.
        self.spent = Spent::default();
        let ended = self.evaluate_typed(code);
        if !matches!(ended, Ended::Exit(_)) && self.spent.wall > Duration::ZERO {
            self.say(&self.spent.told());
        }
        ended
    }

    /// Code that was typed, with something counted while it runs.
    pub(super) fn evaluate_code(&mut self, code: &str, counted_by: Option<Scheme>) -> (Ended, Option<Counted>) {
        let name = self.next_name();
        self.last = Some(code.to_owned());
        self.evaluate(Input { name: &name, key: None, bytes: code.as_bytes() }, counted_by, Report::Definitions)
    }

    /// `:load FILE`
    pub(super) fn load(&mut self, path: &Path) -> Ended {
        let source = Source::File(existing(path));
        let text = match input::read(&source) {
            Ok(text) => text,
            Err(error) => return self.refuse(&error.without_hint().to_string()),
        };
        let key = program::key(&source);
        let counted_by = self.counted_by();
        let input = Input { name: &text.name, key: key.as_deref(), bytes: &text.bytes };
        let (ended, counted) = self.evaluate(input, counted_by, Report::Definitions);
        self.show_counted(ended, counted)
    }

    /// `:type EXPR`
    pub(super) fn type_of(&mut self, code: &str) -> Ended {
        let name = self.next_name();
        match self.engine.type_of(Input { name: &name, key: None, bytes: code.as_bytes() }) {
            Ok(Some(ty)) => self.say(&format!("{ty}\n")),
            Ok(None) => self.refuse("that has no value, and so no type"),
            Err(found) => self.tell_diagnostics(&found),
        }
    }

    fn next_name(&mut self) -> String {
        self.inputs += 1;
        format!("<input {}>", self.inputs)
    }

    /// Adds a program that was given at the start, and runs its statements. Its definitions are not listed.
    pub(super) fn run_program(&mut self, source: &Source, text: &Text) -> Ended {
        let key = program::key(source);
        let input = Input { name: &text.name, key: key.as_deref(), bytes: &text.bytes };
        self.evaluate(input, None, Report::Nothing).0
    }

    /// Runs `main`, if the program has one.
    pub(super) fn run_main(&mut self) -> Ended {
        self.interrupts.forget();
        let result = self.engine.run();
        self.engine.executor_mut().runtime_mut().set_limits(Limits::default());
        let status = result.as_ref().ok().copied().filter(|status| *status != 0);
        let ended = self.tell_result(result.map(drop), None);
        status.map_or(ended, |status| self.refuse(&format!("the program ended with status {status}")))
    }

    /// Adds and runs an input. There are counts if they were asked for and it ran.
    fn evaluate(&mut self, input: Input<'_>, counted_by: Option<Scheme>, report: Report) -> (Ended, Option<Counted>) {
        let file = FileId::new(self.engine.sources().files().count());
        let folder = input.key.and_then(|key| Path::new(key).parent()).map(Path::to_owned);
        let before = Before::of(&self.engine);
        let module = Arc::clone(self.engine.module());
        let shown = match self.engine.add_keeping(input) {
            Ok(shown) => shown,
            Err(LoadError::Diagnostics(found)) => return (self.tell_diagnostics(&found), None),
            Err(error @ (LoadError::Io(..) | LoadError::Module(..))) => return (self.refuse(&error.to_string()), None),
        };
        let (result, counted) = self.run(counted_by);
        self.recent = given_bodies(&module, self.engine.module());
        if result.is_ok() {
            self.engine.drop_former_answers();
        }
        let folder = folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        self.log.push(Logged { file, folder, until: stopped_at(&result, file), is_shown: shown.is_some() });
        let ended = self.tell_result(result, shown);
        if !matches!(ended, Ended::Exit(_)) && report == Report::Definitions {
            self.say(&before.answer(&self.engine));
        }
        (ended, counted)
    }

    /// Runs what was added.
    fn run(&mut self, counted_by: Option<Scheme>) -> (Result<(), RunError>, Option<Counted>) {
        let limits = self.limits();
        self.interrupts.forget();
        let run = |engine: &mut Engine| {
            engine.executor_mut().runtime_mut().set_limits(limits);
            let meter = Meter::start(engine);
            let result = engine.run_statements();
            let spent = meter.stop(engine);
            // The time limit stops, too.
            engine.executor_mut().runtime_mut().set_limits(Limits::default());
            (result, spent)
        };
        let ran = match counted_by {
            None => Ok((run(&mut self.engine), None)),
            Some(scheme) => self.engine.count_apart(scheme, run).map(|(result, counted)| (result, Some(counted))),
        };
        match ran {
            Ok(((result, spent), counted)) => {
                self.spent = spent;
                (result, counted)
            }
            Err(error) => (Err(RunError::Setup(format!("no memory for counting: {error}"))), None),
        }
    }

    fn tell_result(&mut self, result: Result<(), RunError>, shown: Option<TypeRef>) -> Ended {
        let output = &mut self.engine.executor_mut().runtime_mut().output;
        let mid_line = output.take_mid_line();
        // The terminal shows `^C` where the cursor is.
        let cut = matches!(&result, Err(RunError::Failure(found)) if found.kind == FailureKind::Interrupted);
        match (&result, shown) {
            (Ok(()), Some(ty)) => {
                let ty = format!(" : {}", self.engine.session().type_name(ty));
                self.say(&format!("{}\n", self.painted(&ty, Part::Aside)));
            }
            (Ok(()), None) | (Err(_), _) if mid_line => _ = self.say("\n"),
            (Ok(()), None) | (Err(_), _) if cut => lines::say("\n"),
            (Ok(()), None) | (Err(_), _) => {}
        }
        match result {
            Ok(()) => Ended::Well,
            Err(RunError::Exit(status)) => Ended::Exit(status as u8),
            Err(RunError::Setup(reason)) => self.refuse(&reason),
            Err(RunError::Failure(found)) => {
                let report = program::report(self.engine.module(), &found);
                program::tell(&failure::render(&report, self.engine.sources(), self.messages()));
                Ended::Badly
            }
        }
    }

    fn tell_diagnostics(&self, found: &[holloway_lang::diagnostic::Diagnostic]) -> Ended {
        program::tell(&diagnostics::render_all(found, self.engine.sources(), self.messages()));
        Ended::Badly
    }
}

/// The offset in a file of the statement in which an input failed, if it did.
fn stopped_at(result: &Result<(), RunError>, file: FileId) -> Option<u32> {
    match result {
        Ok(()) => None,
        Err(RunError::Failure(found)) => {
            let at = found.stack.last().map(|frame| frame.at).filter(|at| at.file == file);
            Some(at.map_or(0, |at| at.start))
        }
        Err(RunError::Exit(_) | RunError::Setup(_)) => Some(0),
    }
}

/// The path, or the path with `.hw` if only that exists.
fn existing(path: &Path) -> PathBuf {
    let with_ending = path.with_extension("hw");
    let meant = path.extension().is_none() && !path.exists() && with_ending.exists();
    if meant { with_ending } else { path.to_owned() }
}

/// The functions whose body in `now` is new.
fn given_bodies(before: &Module, now: &Module) -> Vec<FuncRef> {
    let is_new = |func: FuncRef| match before.funcs.get(func) {
        Some(decl) => !Arc::ptr_eq(&decl.body, now.function(func)),
        None => true,
    };
    now.funcs.keys().filter(|func| is_new(*func)).collect()
}
