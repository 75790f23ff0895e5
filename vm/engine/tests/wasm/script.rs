//! One script of the suite, carried out.
//!
//! In: its text, and a configuration of engines. Out: how many assertions hold, what is wrong, and what was left out, with reasons.

use crate::values::{argument, fits};
use holloway::wasm::{Export, ExportedFunction, ValType, WasmValue};
use holloway::{CallError, Config, Engine, LoadError, RunError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use wast::lexer::Lexer;
use wast::parser::{ParseBuffer, parse};
use wast::{QuoteWat, QuoteWatTest, Wast, WastDirective, WastExecute, WastInvoke, Wat};

/// The outcome of a script.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Assertions that hold.
    pub(crate) passed: usize,
    /// Places and reasons of those that do not.
    pub(crate) failed: Vec<String>,
    /// Those that were left out.
    pub(crate) left_out: usize,
    /// The reasons.
    pub(crate) reasons: Vec<String>,
}

type Instance = Arc<Mutex<Engine>>;

struct Script<'a> {
    config: &'a dyn Fn() -> Config,
    /// The present module; none if it was left out.
    current: Option<Instance>,
    /// Modules with names.
    named: HashMap<String, Option<Instance>>,
    current_name: Option<String>,
    /// Modules that others may import functions and constants from: each has a memory and tables of its own. None for one that was left out.
    registered: HashMap<String, Option<Instance>>,
    outcome: Outcome,
}

/// Carries out a script.
pub(crate) fn run(name: &str, text: &str, config: &dyn Fn() -> Config) -> Outcome {
    let mut lexer = Lexer::new(text);
    lexer.allow_confusing_unicode(true);
    let buffer = ParseBuffer::new_with_lexer(lexer).unwrap_or_else(|error| panic!("{name}: {error}"));
    let wast: Wast<'_> = parse(&buffer).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut script = Script {
        config,
        current: None,
        named: HashMap::new(),
        current_name: None,
        registered: HashMap::new(),
        outcome: Outcome::default(),
    };
    for directive in wast.directives {
        let line = directive.span().linecol_in(text).0 + 1;
        script.directive(directive, &format!("{name}:{line}"));
    }
    script.outcome
}

/// The end of an action.
enum Ended {
    Values(Vec<WasmValue>),
    Trap(String),
    /// The module was left out.
    LeftOut,
}

impl Script<'_> {
    fn directive(&mut self, directive: WastDirective<'_>, place: &str) {
        match directive {
            WastDirective::Module(module) => self.module(module, place),
            WastDirective::AssertMalformed { module, message, .. }
            | WastDirective::AssertInvalid { module, message, .. } => {
                let refused = match bytes(module) {
                    Ok(bytes) => self.load(&bytes).err().is_some(),
                    Err(_) => true,
                };
                self.note(refused, || format!("{place}: taken, but {message}"));
            }
            WastDirective::AssertUnlinkable { mut module, message, .. } => {
                let loaded = self.load(&module.encode().expect("the text is well formed"));
                if let Ok(Err(reason)) = &loaded {
                    return self.leave_out(place, reason.clone());
                }
                self.note(loaded.is_err(), || format!("{place}: linked, but {message}"));
            }
            WastDirective::Register { name, module, .. } => {
                let instance = self.instance(module.map(|id| id.name()));
                self.registered.insert(name.to_owned(), instance);
            }
            WastDirective::Invoke(invoke) => match self.invoke(&invoke) {
                Ended::Values(_) => self.note(true, String::new),
                Ended::Trap(message) => self.note(false, || format!("{place}: {message}")),
                Ended::LeftOut => self.outcome.left_out += 1,
            },
            WastDirective::AssertTrap { exec, message, .. } => {
                let ended = self.execute(exec, place);
                self.expect_trap(ended, message, place);
            }
            WastDirective::AssertExhaustion { call, message, .. } => {
                let ended = self.invoke(&call);
                self.expect_trap(ended, message, place);
            }
            WastDirective::AssertReturn { exec, results, .. } => match self.execute(exec, place) {
                Ended::Values(found) => {
                    let is_expected = found.len() == results.len()
                        && results.iter().zip(&found).all(|(expected, found)| fits(expected, *found));
                    self.note(is_expected, || format!("{place}: {found:?} is not {results:?}"));
                }
                Ended::Trap(message) => self.note(false, || format!("{place}: {message}")),
                Ended::LeftOut => self.outcome.left_out += 1,
            },
            other => self.leave_out(place, format!("{other:?} is not of version 2.0")),
        }
    }

    fn note(&mut self, holds: bool, wrong: impl FnOnce() -> String) {
        match holds {
            true => self.outcome.passed += 1,
            false => self.outcome.failed.push(wrong()),
        }
    }

    fn leave_out(&mut self, place: &str, reason: String) {
        self.outcome.left_out += 1;
        self.outcome.reasons.push(format!("{place}: {reason}"));
    }

    fn expect_trap(&mut self, ended: Ended, message: &str, place: &str) {
        match ended {
            Ended::Trap(found) => {
                let is_expected = message.starts_with(&found) || found.starts_with(message);
                self.note(is_expected, || format!("{place}: `{found}`, not `{message}`"));
            }
            Ended::Values(found) => self.note(false, || format!("{place}: {found:?}, not `{message}`")),
            Ended::LeftOut => self.outcome.left_out += 1,
        }
    }

    /// Loads a module. The inner error tells why it is left out.
    fn load(&self, bytes: &[u8]) -> Result<Result<Engine, String>, LoadError> {
        let mut engine = Engine::new((self.config)()).expect("there is memory");
        spectest(&mut engine);
        for (name, instance) in &self.registered {
            instance.iter().for_each(|instance| export(&mut engine, name, instance));
        }
        match engine.load("test.wasm", bytes) {
            Ok(()) => Ok(Ok(engine)),
            Err(error) => match self.registered.keys().find(|name| is_about(&error, name)) {
                Some(name) => Ok(Err(format!("it shares a memory, a table or a global with another module, `{name}`"))),
                None => Err(error),
            },
        }
    }

    fn module(&mut self, module: QuoteWat<'_>, place: &str) {
        let name = match &module {
            QuoteWat::Wat(Wat::Module(module)) => module.id.map(|id| id.name().to_owned()),
            QuoteWat::Wat(Wat::Component(_)) | QuoteWat::QuoteModule(..) | QuoteWat::QuoteComponent(..) => None,
        };
        let previous = self.current.take();
        if let Some(previous_name) = self.current_name.take() {
            self.named.insert(previous_name, previous);
        }
        self.current_name = name;
        let bytes = bytes(module).unwrap_or_else(|error| panic!("{place}: {error}"));
        match self.load(&bytes) {
            Ok(Ok(mut engine)) => match engine.run_statements() {
                Ok(()) => self.current = Some(Arc::new(Mutex::new(engine))),
                Err(error) => self.note(false, || format!("{place}: {error}")),
            },
            Ok(Err(reason)) => {
                self.forget();
                self.leave_out(place, reason);
            }
            Err(error) => self.note(false, || format!("{place}: {error}")),
        }
    }

    /// Leaves out what is asserted of all modules so far: one that was left out would have changed one of them.
    fn forget(&mut self) {
        let named = self.named.values_mut().chain(self.registered.values_mut());
        named.chain([&mut self.current]).for_each(|instance| *instance = None);
    }

    fn instance(&self, module: Option<&str>) -> Option<Instance> {
        match module {
            Some(name) if self.current_name.as_deref() != Some(name) => self.named.get(name)?.clone(),
            Some(_) | None => self.current.clone(),
        }
    }

    fn invoke(&mut self, invoke: &WastInvoke<'_>) -> Ended {
        let args: Vec<WasmValue> = invoke.args.iter().map(argument).collect();
        match self.instance(invoke.module.map(|id| id.name())) {
            Some(instance) => ended(instance.lock().expect("nobody panicked").call_export(invoke.name, &args)),
            None => Ended::LeftOut,
        }
    }

    fn execute(&mut self, exec: WastExecute<'_>, place: &str) -> Ended {
        match exec {
            WastExecute::Invoke(invoke) => self.invoke(&invoke),
            WastExecute::Get { module, global, .. } => match self.instance(module.map(|id| id.name())) {
                Some(instance) => {
                    let value = instance.lock().expect("nobody panicked").exported_global(global);
                    ended(value.map(|value| vec![value]))
                }
                None => Ended::LeftOut,
            },
            WastExecute::Wat(mut module) => match self.load(&module.encode().expect("the text is well formed")) {
                Ok(Ok(mut engine)) => ended(engine.run_statements().map(|()| Vec::new()).map_err(CallError::Run)),
                Ok(Err(reason)) => {
                    self.forget();
                    self.outcome.reasons.push(format!("{place}: {reason}"));
                    Ended::LeftOut
                }
                Err(error) => Ended::Trap(error.to_string()),
            },
        }
    }
}

fn ended(result: Result<Vec<WasmValue>, CallError>) -> Ended {
    match result {
        Ok(values) => Ended::Values(values),
        Err(CallError::Run(RunError::Failure(failure))) => Ended::Trap(failure.kind.to_string()),
        Err(other) => Ended::Trap(other.to_string()),
    }
}

fn bytes(mut module: QuoteWat<'_>) -> Result<Vec<u8>, wast::Error> {
    match module.to_test()? {
        QuoteWatTest::Binary(bytes) | QuoteWatTest::Text(bytes) => Ok(bytes),
    }
}

/// Returns whether a module was not loaded for what it imports from that one.
fn is_about(error: &LoadError, name: &str) -> bool {
    error.to_string().contains(&format!("in `{name}`"))
}

/// Lets a module import the functions and constants of another one.
fn export(engine: &mut Engine, name: &str, instance: &Instance) {
    let mut other = instance.lock().expect("nobody panicked");
    let exports: Vec<(String, Export)> =
        other.exports().map(|(name, export)| (name.to_owned(), export.clone())).collect();
    for (exported, export) in exports {
        match export {
            Export::Function(ExportedFunction { ty, .. }) => {
                let (instance, called) = (Arc::clone(instance), exported.clone());
                let call = move |args: &[WasmValue]| match instance.try_lock() {
                    Ok(mut engine) => match ended(engine.call_export(&called, args)) {
                        Ended::Values(values) => Ok(values),
                        Ended::Trap(message) => Err(message),
                        Ended::LeftOut => unreachable!("it is there"),
                    },
                    Err(_) => Err("it is called already".to_owned()),
                };
                engine.wasm_imports().function(name, &exported, &ty.params, &ty.results, call);
            }
            // A function means nothing in another module.
            Export::Global(_, variable) if !variable.is_mutable && variable.ty != ValType::FuncRef => {
                let value = other.exported_global(&exported).expect("it is one");
                engine.wasm_imports().global(name, &exported, value);
            }
            Export::Global(..) | Export::Memory | Export::Table(_) => {}
        }
    }
}

/// The module that scripts import from.
fn spectest(engine: &mut Engine) {
    let imports = engine.wasm_imports();
    let prints: [(&str, &[ValType]); 7] = [
        ("print", &[]),
        ("print_i32", &[ValType::I32]),
        ("print_i64", &[ValType::I64]),
        ("print_f32", &[ValType::F32]),
        ("print_f64", &[ValType::F64]),
        ("print_i32_f32", &[ValType::I32, ValType::F32]),
        ("print_f64_f64", &[ValType::F64, ValType::F64]),
    ];
    for (name, params) in prints {
        imports.function("spectest", name, params, &[], |_| Ok(Vec::new()));
    }
    imports.global("spectest", "global_i32", WasmValue::I32(666));
    imports.global("spectest", "global_i64", WasmValue::I64(666));
    imports.global("spectest", "global_f32", WasmValue::F32(666.6));
    imports.global("spectest", "global_f64", WasmValue::F64(666.6));
    imports.memory("spectest", "memory", 1, 2);
    imports.table("spectest", "table", 10, 20);
}
