//! Programs under test, compiled and executed with addresses.
//!
//! In: a source, of the language or of a module of WebAssembly. Out: its module, its sources and its execution. Invariant: the program compiles, and needs no
//! input from outside.

use holloway::{Config, Engine};
use holloway_interp::{Interpreter, Observer};
use holloway_lang::ir::Module;
use holloway_lang::session::{Input, NoFiles, Session, SessionKind};
use holloway_lang::source::FileId;
use holloway_runtime::{Limits, Runtime, RuntimeConfig, Sink};
use holloway_study::trace::execution::{ProgramExecution, execute, run};
use holloway_study::trace::facts::place::{SourceLine, SourceProgram};
use std::sync::Arc;

/// Calls, operations on whole arrays, records with arrays, failures that depend on an element, and a global.
pub(super) const ARRAYS: &str = "\
struct P { x: int, a: [int] }
var total = 0
fn part(a: [int], n: int) -> [int] { return a[n..len(a)] }
fn add(n: int) -> int {
    total += n
    if n > 6 { return total }
    return add(n + 1) + n
}
fn main() {
    let a = [3; 8]
    for i in 0..8 { a[i] = (i * 5) % 7 }
    let b = part(a, 2)
    copy(a, 1, b, 0, 3)
    sort(b)
    let p = P(x: b[0], a: b)
    p.x = p.x + p.a[1]
    fill(a, p.x)
    let t = bytes(\"hello\")
    t[1] = a[3]
    var s = text(t, 0, len(t))
    for round in 0..4 {
        try { s = s + str(a[p.x + round]) } catch e { s = e + s }
    }
    let sum = add(p.x)
    print(s, len(s), b[2], p, sum, total)
}
";

/// A program with its sources.
pub(super) enum TestProgram {
    Language(Box<Session>),
    Module(Box<Engine>),
}

impl TestProgram {
    /// Compiles a program of one file.
    pub(super) fn new(source: &str) -> TestProgram {
        let mut session = Session::new(SessionKind::Program);
        let input = Input { name: "program.hw", key: None, bytes: source.as_bytes() };
        if let Err(all) = session.add(input, &mut NoFiles) {
            panic!("{:?}\n{source}", all.iter().map(|one| one.message()).collect::<Vec<_>>());
        }
        TestProgram::Language(Box::new(session))
    }

    /// Loads a text module, whose lines are those of its second file. It may import nothing.
    pub(super) fn of_module(text: &str) -> TestProgram {
        let mut engine = Engine::new(Config::default()).expect("memory");
        if let Err(error) = engine.load("program.wat", text) {
            panic!("{error}\n{text}");
        }
        TestProgram::Module(Box::new(engine))
    }

    fn session(&self) -> &Session {
        match self {
            TestProgram::Language(session) => session,
            TestProgram::Module(engine) => engine.session(),
        }
    }

    /// The program with its sources.
    pub(super) fn sourced(&self) -> SourceProgram<'_> {
        SourceProgram { module: self.session().module(), sources: self.session().sources(), variables: None }
    }

    /// The IR.
    pub(super) fn module(&self) -> &Arc<Module> {
        self.session().module()
    }

    /// A line of its file.
    pub(super) fn line(&self, line: u32) -> SourceLine {
        SourceLine { file: FileId::from_u32(u32::from(matches!(self, TestProgram::Module(_)))), line }
    }

    /// A runtime for it, with lines of input.
    pub(super) fn runtime(&self, input: &str) -> Runtime {
        let config = RuntimeConfig {
            sink: Sink::Captured(Vec::new()),
            input: holloway_runtime::Input::bytes(input),
            ..RuntimeConfig::default()
        };
        let mut runtime = Runtime::new(Arc::clone(self.module()), config).expect("memory");
        runtime.instantiate().expect("memory");
        runtime.set_limits(Limits { fuel: Some(200_000), time: None });
        runtime
    }

    /// Its execution.
    pub(super) fn execution(&self, input: &str) -> ProgramExecution {
        execute(&mut self.runtime(input), None).expect("nothing was recorded")
    }

    /// Executes it under another observer.
    pub(super) fn watch<O: Observer>(&self, observer: O) -> O {
        let mut runtime = self.runtime("");
        let mut interpreter = Interpreter::with_observer(observer);
        run(&mut runtime, &mut interpreter);
        interpreter.observer
    }
}
