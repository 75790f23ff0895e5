//! Modules of WebAssembly as programs.
//!
//! In: a module, bytes or text, and what the host provides. Out: a program that all tiers run, whose exports the host calls with values.
//! Invariants: a module is a whole program. One whose instantiation failed has no exports. The functions of WASI are there unless the host provides others by their names.

mod call;
mod imports;
mod load;
mod value;

pub use imports::Imports;
pub use value::WasmValue;

use holloway_wasi::Directory;
use holloway_wasm::Export;
use std::collections::HashMap;

/// Says if the source files that a module's debug information names are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceFiles {
    /// Lines are empty: a module may name any file of the host, and what is read can be asked for with [`Engine::sources`](crate::Engine::sources).
    #[default]
    NotRead,
    /// They are read, where the program may use files.
    Read,
}

/// Directories, environment, sources and entry that modules get of their host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WasmConfig {
    /// The directories that WASI programs may use, and no files else.
    pub directories: Vec<Directory>,
    /// The environment that they see.
    pub environment: Vec<(String, String)>,
    /// The reading of source files.
    pub sources: SourceFiles,
    /// The export that [`Engine::run`](crate::Engine::run) calls, with the arguments of the program, instead of `_start`.
    pub invoke: Option<String>,
}

/// The module that is loaded.
pub(crate) struct WasmState {
    config: WasmConfig,
    imports: Imports,
    exports: HashMap<String, Export>,
}

impl WasmState {
    pub(crate) fn new(config: WasmConfig) -> WasmState {
        WasmState { config, imports: Imports::default(), exports: HashMap::new() }
    }

    /// Withdraws the exports, as the module was not instantiated.
    pub(crate) fn forget(&mut self) {
        self.exports.clear();
    }

    /// The export that a run calls, if the program is a module.
    pub(crate) fn invoked(&self) -> Option<String> {
        self.config.invoke.clone()
    }
}
