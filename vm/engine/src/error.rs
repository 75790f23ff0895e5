//! Errors of an engine, as data.

use crate::module_error::ModuleError;
use holloway_lang::diagnostic::Diagnostic;
use holloway_lang::session;
use holloway_lang::source::Span;
use holloway_runtime::failure::Failure;
use std::path::PathBuf;
use std::{fmt, io};

/// Reasons for which a program is not loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The file could not be read.
    Io(PathBuf, io::Error),
    /// The program has errors; spans refer to [`super::Engine::sources`].
    Diagnostics(Vec<Diagnostic>),
    /// The module of WebAssembly of that name is none, or cannot run here.
    Module(String, ModuleError),
}

/// Reasons for which something of the host is not declared.
#[derive(Debug)]
pub enum DeclareError {
    /// The name is none that a program could write.
    Name(String),
    /// The text is not the declaration of one function without type parameters.
    Declaration(String),
    /// Programs know another type of the host by that name; or that type by another name.
    NameTaken(String),
    /// A Rust type has no name for programs: [`super::Engine::opaque`] gives it one.
    Nameless(&'static str),
    /// The program is a module of WebAssembly, whose functions of the host are its imports.
    OfModule(String),
    /// The name, or a type, means something else in programs; spans refer to [`super::Engine::sources`].
    Diagnostics(Vec<Diagnostic>),
}

/// Reasons for which a run does not end normally.
#[derive(Debug)]
pub enum RunError {
    /// A run-time failure that nothing caught; spans refer to [`super::Engine::sources`].
    Failure(Failure),
    /// The program called `exit` with this status.
    Exit(i32),
    /// The arguments did not fit the heap.
    Setup(String),
}

/// Reasons for which a call gives no result.
#[derive(Debug)]
pub enum CallError {
    /// No function of the program has that name.
    UnknownFunction(String),
    /// The function takes another number of arguments.
    ArgumentCount {
        /// The number it takes.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// A value, or a type of Rust, is not of the type of a parameter, a result or a global; or a value is none of a Rust type.
    Type {
        /// The type that is asked for.
        expected: String,
        /// The value, or the other type.
        found: String,
    },
    /// The result refers to itself, or nests deeper than 1,000 levels.
    TooDeep,
    /// The result takes more bytes, as a value of the host, than the heap may have.
    TooLarge {
        /// The limit of the heap.
        limit: usize,
    },
    /// No global of the program has that name.
    UnknownGlobal(String),
    /// A global is a `let`, which is never assigned.
    NotAVariable(String),
    /// A string is no UTF-8, which one of Rust is.
    NotUtf8,
    /// A function that was looked up by its name is called while top-level statements run: globals that it uses may have no
    /// value yet.
    NotYet(String),
    /// A value of the host is being changed, or is to be changed while it is used.
    InUse,
    /// Functions of a module of WebAssembly are called with values of it, by `Engine::call_export`.
    OfModule(String),
    /// The function, array or value is of another engine.
    OtherEngine,
    /// A function has other types than it had when it was looked up.
    Changed(String),
    /// The program failed or ended.
    Run(RunError),
}

/// Reasons for which a program is not replaced: it goes on as it was.
#[derive(Debug)]
pub enum ReloadError {
    /// No program was loaded under that name.
    Unknown(String),
    /// The new text could not be read, or has errors.
    Load(LoadError),
    /// A global would have another type, or other mutability.
    Global {
        /// Its name.
        name: String,
        /// The place of its new definition.
        span: Span,
        /// Its head, or that of a struct or enum in its type, as it was.
        was: String,
        /// The same as it would be.
        now: String,
    },
    /// The old text's statements, which had not run yet, failed. What they left undefined is withdrawn.
    Run(CallError),
}

impl From<session::ReloadError> for ReloadError {
    fn from(error: session::ReloadError) -> ReloadError {
        match error {
            session::ReloadError::Diagnostics(found) => ReloadError::Load(LoadError::Diagnostics(found)),
            session::ReloadError::Global { name, span, was, now } => ReloadError::Global { name, span, was, now },
        }
    }
}

impl fmt::Display for ReloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReloadError::Unknown(name) => write!(f, "no program was loaded as `{name}`"),
            ReloadError::Load(error) => error.fmt(f),
            ReloadError::Global { name, was, now, .. } => {
                write!(f, "the global `{name}` cannot keep its value: it was `{was}` and would be `{now}`")
            }
            ReloadError::Run(error) => error.fmt(f),
        }
    }
}

/// Reasons for which an expression has no value.
#[derive(Debug)]
pub enum EvalError {
    /// It has errors.
    Load(LoadError),
    /// It failed, or its value cannot be given.
    Call(CallError),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Load(error) => error.fmt(f),
            EvalError::Call(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Io(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            LoadError::Module(name, error) => write!(f, "{name}: {error}"),
            LoadError::Diagnostics(all) => match all.first() {
                Some(first) => write!(f, "{} ({} in all)", first.message(), all.len()),
                None => f.write_str("the program has errors"),
            },
        }
    }
}

impl fmt::Display for DeclareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeclareError::Name(name) => write!(f, "`{name}` is no name that a program could write"),
            DeclareError::Declaration(text) => {
                write!(f, "`{text}` does not declare one function, as `fn name(a: int) -> int` does")
            }
            DeclareError::NameTaken(name) => write!(f, "programs know another type of the host as `{name}`"),
            DeclareError::Nameless(rust) => write!(f, "{rust} has no name for programs"),
            DeclareError::OfModule(name) => {
                write!(f, "`{name}` cannot be declared in a module of WebAssembly, which has what it imports alone")
            }
            DeclareError::Diagnostics(all) => match all.first() {
                Some(first) => f.write_str(&first.message()),
                None => f.write_str("the declaration has errors"),
            },
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Failure(failure) => failure.fmt(f),
            RunError::Exit(status) => write!(f, "the program ended with status {status}"),
            RunError::Setup(reason) => f.write_str(reason),
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::UnknownFunction(name) => write!(f, "there is no function `{name}`"),
            CallError::ArgumentCount { expected, found } => {
                write!(f, "the function takes {expected} arguments, {found} were given")
            }
            CallError::Type { expected, found } => write!(f, "expected a value of type {expected}, found {found}"),
            CallError::TooDeep => f.write_str("the value refers to itself or is nested too deeply"),
            CallError::TooLarge { limit } => {
                write!(f, "the value takes more than the {limit} bytes that the heap may have")
            }
            CallError::UnknownGlobal(name) => write!(f, "there is no global `{name}`"),
            CallError::NotAVariable(name) => write!(f, "`{name}` is a `let`, which is never assigned"),
            CallError::NotUtf8 => f.write_str("the string is no UTF-8"),
            CallError::NotYet(name) => {
                write!(f, "the function `{name}` is called before the program's statements have run")
            }
            CallError::InUse => f.write_str("the value is in use"),
            CallError::OfModule(name) => {
                write!(
                    f,
                    "`{name}` is a function of a module of WebAssembly, which takes values of that: use `call_export`"
                )
            }
            CallError::OtherEngine => f.write_str("it is of another engine"),
            CallError::Changed(name) => write!(f, "the function `{name}` has other types now"),
            CallError::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}
impl std::error::Error for DeclareError {}
impl std::error::Error for EvalError {}
impl std::error::Error for ReloadError {}
impl std::error::Error for RunError {}
impl std::error::Error for CallError {}
