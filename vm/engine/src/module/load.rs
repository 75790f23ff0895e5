//! Loading a module.
//!
//! In: an input, and what the host provides. Out: an engine whose program it is. Invariant: what cannot be linked changes nothing; an engine
//! without room for a module takes no other program.

use super::imports::{Imports, Provided, key_of};
use super::value::WasmValue;
use super::{SourceFiles, WasmConfig};
use crate::engine::Engine;
use crate::error::LoadError;
use crate::executor::Executor;
use crate::module_error::ModuleError;
use crate::whole_file;
use holloway_ir::Global;
use holloway_lang::session::{ForeignProgram, Input, Session};
use holloway_runtime::failure::FailureKind;
use holloway_runtime::host::{HostEnd, HostFunction};
use holloway_runtime::{FileAccess, Runtime};
use holloway_wasi::Wasi;
use holloway_wasm::{Export, FuncType, ImportName, ImportedFunction, Lowered, ValType, lower};
use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

impl Engine {
    /// What modules that are loaded from now on may import, besides WASI.
    pub fn wasm_imports(&mut self) -> &mut Imports {
        &mut self.wasm.imports
    }

    pub(crate) fn load_module(&mut self, input: &Input<'_>) -> Result<(), LoadError> {
        let reads = self.wasm.config.sources == SourceFiles::Read;
        let reads = reads && self.executor.runtime().files != FileAccess::Refused;
        self.load_module_with(input, &mut |path| if reads { read_source(Path::new(path)) } else { None })
    }

    /// Loads a module whose source files are read by a function, which gets their paths.
    #[doc(hidden)]
    pub fn load_module_with(
        &mut self,
        input: &Input<'_>,
        read: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Result<(), LoadError> {
        self.try_load_module(input, read).map_err(|error| LoadError::Module(input.name.to_owned(), error))
    }

    fn try_load_module(
        &mut self,
        input: &Input<'_>,
        read: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Result<(), ModuleError> {
        if self.session.sources().files().next().is_some() {
            return Err(ModuleError::NotAlone);
        }
        let mut lowered = lower(input.name, input.bytes, read).map_err(ModuleError::Invalid)?;
        self.link_memories(&mut lowered)?;
        let globals = self.link_globals(&lowered)?;
        let functions = self.link_functions(&lowered, input.name)?;
        self.install_module(lowered, globals, functions, input.name)
    }

    fn install_module(
        &mut self,
        lowered: Lowered,
        globals: Vec<(Global, u64)>,
        functions: Vec<HostFunction>,
        name: &str,
    ) -> Result<(), ModuleError> {
        let Lowered { module, exports, functions: imported, sources, .. } = lowered;
        let exports: std::collections::HashMap<String, Export> = exports.into_iter().collect();
        // All functions have names, of which those of exports are last: they count.
        let of_exports = exports.iter().filter_map(|(name, export)| match export {
            Export::Function(function) => Some((name.clone(), function.func)),
            Export::Global(..) | Export::Memory | Export::Table(_) => None,
        });
        let names: Vec<_> =
            module.funcs.iter().map(|(func, decl)| (decl.body.name.clone(), func)).chain(of_exports).collect();
        let sources = sources.into_iter().map(|source| (source.name, source.text)).collect();
        let mut program = ForeignProgram { module, sources, names, host_functions: imported.len() };
        let is_nullary = |ty: &FuncType| ty.params.is_empty() && ty.results.is_empty();
        if let Some(Export::Function(start)) = exports.get("_start").or_else(|| exports.get("main"))
            && is_nullary(&start.ty)
        {
            program.set_main(start.func);
        }
        // A library of WASI is made ready by this export.
        if let Some(Export::Function(initialize)) = exports.get("_initialize")
            && is_nullary(&initialize.ty)
        {
            program.module.top_level.push(initialize.func);
        }
        let (session, added) = Session::of_foreign(self.session.kind(), program);
        // From here on the engine is of this module, whatever comes.
        self.session = session;
        self.executor.runtime_mut().install(Arc::clone(self.session.module()));
        match &mut self.executor {
            Executor::Interpreted(_) => self.executor.runtime_mut().instantiate(),
            Executor::Compiled(compiled) => compiled.instantiate(),
        }
        .map_err(ModuleError::NoRoom)?;
        let runtime = self.executor.runtime_mut();
        globals.into_iter().for_each(|(global, word)| runtime.globals_mut().set(global, word));
        for (ImportedFunction { host, name, .. }, function) in imported.iter().zip(functions) {
            runtime.hosts.set(*host, &format!("{}.{}", name.module, name.name), function);
        }
        self.wasm.exports = exports;
        self.loaded.insert(name.to_owned());
        self.take(added);
        Ok(())
    }

    fn link_memories(&mut self, lowered: &mut Lowered) -> Result<(), ModuleError> {
        let linear = Arc::make_mut(lowered.module.linear.as_mut().expect("it is a module of WebAssembly"));
        if let (Some(name), Some(asked)) = (&lowered.memory, &mut linear.memory) {
            let given = self.wasm.imports.memories.get(&key_of(name)).ok_or_else(|| unknown("memory", name))?;
            let fits = given.least >= asked.least && given.most <= asked.most;
            let text = |least: u64, most: u64| format!("a memory of {least} to {most} pages");
            if !fits {
                return Err(of_other_type(name, text(asked.least, asked.most), text(given.least, given.most)));
            }
            *asked = *given;
        }
        for (name, asked) in lowered.tables.iter().zip(&mut linear.tables) {
            let given = self.wasm.imports.tables.get(&key_of(name)).ok_or_else(|| unknown("table", name))?;
            let fits = given.least >= asked.least && given.most <= asked.most;
            let text = |least: u32, most: u32| format!("a table of {least} to {most} entries");
            if !fits {
                return Err(of_other_type(name, text(asked.least, asked.most), text(given.least, given.most)));
            }
            *asked = *given;
        }
        Ok(())
    }

    fn link_globals(&self, lowered: &Lowered) -> Result<Vec<(Global, u64)>, ModuleError> {
        let mut words = Vec::new();
        for imported in &lowered.globals {
            let name = &imported.name;
            let value = self.wasm.imports.globals.get(&key_of(name)).ok_or_else(|| unknown("global", name))?;
            let text =
                |is_mutable: bool, ty: ValType| format!("{} {ty}", if is_mutable { "a mutable" } else { "a constant" });
            let is_foreign = !value.is_of(&lowered.module);
            if imported.variable.is_mutable || imported.variable.ty != value.ty() || is_foreign {
                let asked = text(imported.variable.is_mutable, imported.variable.ty);
                return Err(of_other_type(name, asked, text(false, value.ty())));
            }
            words.push((imported.global, value.word()));
        }
        Ok(words)
    }

    fn link_functions(&self, lowered: &Lowered, program: &str) -> Result<Vec<HostFunction>, ModuleError> {
        let mut made = None;
        let mut functions = Vec::new();
        for imported in &lowered.functions {
            let name = &imported.name;
            let asked = &imported.ty;
            let check = |given: &FuncType| match given == asked {
                true => Ok(()),
                false => Err(of_other_type(name, asked.to_string(), given.to_string())),
            };
            let provided = match self.wasm.imports.functions.get(&key_of(name)) {
                Some((ty, provided)) => {
                    check(ty)?;
                    Some(provided)
                }
                None => None,
            };
            functions.push(match provided {
                Some(provided) => over_words(imported, Arc::clone(provided)),
                None => {
                    let function = holloway_wasi::function(&name.module, &name.name);
                    let function = function.ok_or_else(|| unknown("function", name))?;
                    check(&FuncType { params: types(function.params), results: types(function.results) })?;
                    let further = imported.further_operands.clone();
                    let wasi = match &made {
                        Some(wasi) => Arc::clone(wasi),
                        None => Arc::clone(made.insert(self.wasi(program)?)),
                    };
                    HostFunction::Plain(Box::new(move |rt, words| {
                        let words = operands(rt, words, &further);
                        wasi.lock().unwrap_or_else(PoisonError::into_inner).call(function, rt, &words)
                    }))
                }
            });
        }
        Ok(functions)
    }

    /// The host of a WASI program, for which directories are opened.
    fn wasi(&self, program: &str) -> Result<Arc<Mutex<Wasi>>, ModuleError> {
        let runtime = self.executor.runtime();
        let mut args = vec![program.as_bytes().to_vec()];
        args.extend(runtime.args.iter().cloned());
        let WasmConfig { environment, directories, .. } = &self.wasm.config;
        let wasi = Wasi::new(args, environment, directories, runtime.files).map_err(ModuleError::Directory)?;
        Ok(Arc::new(Mutex::new(wasi)))
    }
}

/// All operands of a call: those that do not fit it are in globals.
fn operands(rt: &Runtime, words: &[u64], further: &[Global]) -> Vec<u64> {
    words.iter().copied().chain(further.iter().map(|global| rt.globals().get(*global))).collect()
}

/// A function over values as one over words.
fn over_words(imported: &ImportedFunction, provided: Arc<Mutex<Provided>>) -> HostFunction {
    let ImportedFunction { ty, further_operands, further_results, .. } = imported.clone();
    HostFunction::Plain(Box::new(move |rt, words| {
        let words = operands(rt, words, &further_operands);
        let args: Vec<WasmValue> =
            ty.params.iter().zip(words).map(|(ty, word)| WasmValue::of_word(*ty, word)).collect();
        let results = provided.lock().unwrap_or_else(PoisonError::into_inner)(&args).map_err(failure)?;
        let found: Vec<ValType> = results.iter().map(|value| value.ty()).collect();
        if found != ty.results {
            return Err(failure("a function of the host gave results of other types".to_owned()));
        }
        if results.iter().any(|value| !value.is_of(rt.module())) {
            return Err(failure("a function of the host gave a function that is none of the module".to_owned()));
        }
        for (global, value) in further_results.iter().zip(results.iter().skip(1)) {
            rt.globals_mut().set(*global, value.word());
        }
        Ok(results.first().map_or(0, |value| value.word()))
    }))
}

fn failure(message: String) -> HostEnd {
    HostEnd::Failure(FailureKind::User(message.into_bytes()))
}

/// The types that a signature of WASI stands for.
fn types(letters: &str) -> Vec<ValType> {
    letters.chars().map(|letter| if letter == 'I' { ValType::I64 } else { ValType::I32 }).collect()
}

/// The text of a source file of a module, if it is a regular file that is not larger than sources are.
fn read_source(path: &Path) -> Option<String> {
    /// Longer texts are no sources of a person.
    const MOST_BYTES: u64 = 1 << 20;
    // A pipe would keep the host waiting.
    let is_file = fs::metadata(path).ok()?.is_file();
    let file = is_file.then(|| File::open(path).ok())??;
    String::from_utf8(whole_file::bytes(file, MOST_BYTES).ok()?).ok()
}

fn unknown(what: &'static str, name: &ImportName) -> ModuleError {
    ModuleError::UnknownImport { what, name: name.clone() }
}

fn of_other_type(name: &ImportName, expected: String, found: String) -> ModuleError {
    ModuleError::ImportType { name: name.clone(), expected, found }
}
