//! From the bytes of a module to a module of the IR.
//!
//! In: bytes or text. Out: [`Lowered`]. Invariants: the function of index `n` is function `n` of the IR, and behind them stands the one that instantiates the
//! module, which is the only top-level function. Sources are in the order of their file ids.

use crate::budget::{self, Budget};
use crate::environment::Environment;
use crate::error::WasmError;
use crate::function::{self, import, instantiate};
use crate::names::Names;
use crate::places::{Places, SourceText};
use crate::sections::{GlobalVariable, ImportName, Sections, sections};
use crate::types::FuncType;
use crate::{text, validate};
use cranelift_entity::SecondaryMap;
use holloway_ir::linear::NO_TYPE;
use holloway_ir::verify::verify;
use holloway_ir::{FuncDecl, FuncRef, Function, Global, HostRef, Linear, Module, SigRef, Signature};
use std::sync::Arc;
use wasmparser::ExternalKind;

/// A module in IR form, and what a host needs to know to run it.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program. Its memory and tables are as the module declares them, those that it imports too. Its top-level function gives globals,
    /// tables and memory their contents, and then calls the start function.
    pub module: Module,
    /// The exports, in order.
    pub exports: Vec<(String, Export)>,
    /// The functions that the host has to provide, by their numbers.
    pub functions: Vec<ImportedFunction>,
    /// The globals that the host has to set before the module is instantiated.
    pub globals: Vec<ImportedGlobal>,
    /// The import that the memory is, if it is one.
    pub memory: Option<ImportName>,
    /// The imports that the first tables are.
    pub tables: Vec<ImportName>,
    /// The sources, which spans point to.
    pub sources: Vec<SourceText>,
}

/// The meaning of an exported name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Export {
    /// A function.
    Function(ExportedFunction),
    /// A global.
    Global(Global, GlobalVariable),
    /// The memory.
    Memory,
    /// The table of that index.
    Table(u32),
}

/// A function that a host can call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFunction {
    /// The function.
    pub func: FuncRef,
    /// Its type.
    pub ty: FuncType,
    /// The globals that hold the results but the first when it has returned.
    pub further_results: Vec<Global>,
}

/// A function that the host has to provide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedFunction {
    /// Its name.
    pub name: ImportName,
    /// Its type.
    pub ty: FuncType,
    /// Its number for the host.
    pub host: HostRef,
    /// The globals that hold the operands which a call of the host does not take.
    pub further_operands: Vec<Global>,
    /// The globals that the host puts the results but the first into.
    pub further_results: Vec<Global>,
}

/// A global that the host has to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedGlobal {
    /// Its name.
    pub name: ImportName,
    /// Its type.
    pub variable: GlobalVariable,
    /// The global.
    pub global: Global,
}

/// Lowers a module of that name, bytes or text. Source files that debug information names are read with `read`.
pub fn lower(name: &str, bytes: &[u8], read: &mut dyn FnMut(&str) -> Option<String>) -> Result<Lowered, WasmError> {
    // Debug information, which is made of a text, has no such names.
    let name = &name.replace('\0', "\\0");
    if text::is_binary(bytes) {
        return lower_binary(name, bytes, read);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let message = "neither a module nor text: it is not UTF-8".to_owned();
        WasmError::Invalid { message, offset: error.valid_up_to() as u64 }
    })?;
    let bytes = text::to_bytes(name, text)?;
    // A name without a directory is one in the present directory.
    let is_text = |path: &str| path == name || path.strip_prefix("./") == Some(name);
    lower_binary(name, &bytes, &mut |path| is_text(path).then(|| text.to_owned()).or_else(|| read(path)))
}

fn lower_binary(name: &str, bytes: &[u8], read: &mut dyn FnMut(&str) -> Option<String>) -> Result<Lowered, WasmError> {
    validate::validate(bytes)?;
    let sections = sections(bytes);
    if let Some(segment) = sections.elements.iter().find(|segment| instantiate::is_open(segment)) {
        let proposal = "imported globals in passive element segments";
        return Err(WasmError::Unsupported { proposal, offset: segment.offset });
    }
    let names = Names::of(&sections);
    let places = Places::new(name, &sections, &names, read);
    let mut module = Module::default();
    let env = Environment::new(&mut module, &sections, &names);
    let mut budget = Budget::default();
    functions(&mut module, &env, &sections, &names, &places, &mut budget)?;
    spend_exports(&env, &sections, &mut budget)?;
    module.linear = Some(Arc::new(linear(&env, &sections)));
    let sig = module.intern_sig(Signature { params: Vec::new(), result: None });
    let instantiate = push(&mut module, sig, instantiate::body(&env, &sections, &places));
    module.top_level.push(instantiate);
    if cfg!(debug_assertions) {
        let check = |decl: &FuncDecl| verify(&module, &decl.body).unwrap_or_else(|error| panic!("{error}"));
        module.funcs.values().for_each(check);
    }
    Ok(lowered(module, env, &sections, places))
}

fn lowered(module: Module, env: Environment, sections: &Sections<'_>, places: Places) -> Lowered {
    let functions = sections.imported_functions.iter().enumerate().map(|(at, name)| {
        let ty = env.type_of(at as u32).clone();
        let (further_operands, further_results) = (env.further_operands(&ty), env.further_results(&ty));
        ImportedFunction { name: name.clone(), ty, host: import::host(at), further_operands, further_results }
    });
    let globals = sections.imported_globals.iter().zip(&env.globals).map(|(name, (global, variable))| ImportedGlobal {
        name: name.clone(),
        variable: *variable,
        global: *global,
    });
    Lowered {
        functions: functions.collect(),
        globals: globals.collect(),
        exports: exports(&env, sections),
        memory: sections.imported_memory.clone(),
        tables: sections.imported_tables.clone(),
        sources: places.files,
        module,
    }
}

fn exports(env: &Environment, sections: &Sections<'_>) -> Vec<(String, Export)> {
    let meaning = |export: &wasmparser::Export<'_>| match export.kind {
        ExternalKind::Func | ExternalKind::FuncExact => {
            let ty = env.type_of(export.index).clone();
            let further_results = env.further_results(&ty);
            Export::Function(ExportedFunction { func: Environment::function(export.index), ty, further_results })
        }
        ExternalKind::Global => {
            let (global, variable) = env.globals[export.index as usize];
            Export::Global(global, variable)
        }
        ExternalKind::Memory => Export::Memory,
        ExternalKind::Table => Export::Table(export.index),
        ExternalKind::Tag => unreachable!("the validator takes no exceptions"),
    };
    sections.exports.iter().map(|export| (export.name.to_owned(), meaning(export))).collect()
}

fn push(module: &mut Module, sig: SigRef, body: Function) -> FuncRef {
    module.funcs.push(FuncDecl { sig, body: Arc::new(body) })
}

fn functions(
    module: &mut Module,
    env: &Environment,
    sections: &Sections<'_>,
    names: &Names,
    places: &Places,
    budget: &mut Budget,
) -> Result<(), WasmError> {
    let imported = sections.imported_functions.len();
    for index in 0..sections.functions.len() as u32 {
        let body = match (index as usize).checked_sub(imported) {
            Some(at) => {
                let code = &sections.bodies[at];
                let body = function::body(env, index, code, names, places, budget);
                body.ok_or_else(|| too_many_values(code.range().start))?
            }
            None => {
                spend_type(env.type_of(index), budget, sections.imports)?;
                import::body(env, index, &names.functions[index as usize], places.of_import(index))
            }
        };
        push(module, env.sigs[env.functions[index as usize] as usize], body);
    }
    Ok(())
}

/// Counts the types of exported functions, which hosts get one by one.
fn spend_exports(env: &Environment, sections: &Sections<'_>, budget: &mut Budget) -> Result<(), WasmError> {
    let is_function = |export: &&wasmparser::Export<'_>| export.kind == ExternalKind::Func;
    let mut functions = sections.exports.iter().filter(is_function);
    functions.try_for_each(|export| spend_type(env.type_of(export.index), budget, sections.exported))
}

fn spend_type(ty: &FuncType, budget: &mut Budget, offset: u64) -> Result<(), WasmError> {
    budget.spend(ty.params.len());
    match budget.spend(ty.results.len()) {
        true => Ok(()),
        false => Err(too_many_values(offset)),
    }
}

fn too_many_values(offset: u64) -> WasmError {
    let what = "parameters and results of functions, calls and branches";
    WasmError::TooMany { what, limit: budget::MOST, offset }
}

fn linear(env: &Environment, sections: &Sections<'_>) -> Linear {
    let mut types = SecondaryMap::with_default(NO_TYPE);
    for (index, ty) in env.functions.iter().enumerate() {
        types[Environment::function(index as u32)] = env.numbers[*ty as usize];
    }
    Linear {
        memory: sections.memory,
        tables: sections.tables.clone(),
        data: sections.data.iter().map(|segment| Arc::from(segment.data)).collect(),
        elements: sections.elements.iter().map(instantiate::references).collect(),
        types,
    }
}
