//! Functions, globals, memories and tables that the host provides to modules.
//!
//! In: names, types and closures. Out: the same for the loader. Invariant: a closure gets all operands as values of the types that it was given for.

use super::value::WasmValue;
use holloway_ir::{MemoryDecl, TableDecl};
use holloway_wasm::{FuncType, ImportName, ValType};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A function of the host: operands to results, or the message of a failure.
pub(super) type Provided = dyn FnMut(&[WasmValue]) -> Result<Vec<WasmValue>, String> + Send;

/// A function that the host provides, with its type.
type ProvidedFunction = (FuncType, Arc<Mutex<Provided>>);

/// Functions, globals, memories and tables of the host, by name.
#[derive(Default)]
pub struct Imports {
    pub(super) functions: HashMap<(String, String), ProvidedFunction>,
    pub(super) globals: HashMap<(String, String), WasmValue>,
    pub(super) memories: HashMap<(String, String), MemoryDecl>,
    pub(super) tables: HashMap<(String, String), TableDecl>,
}

impl Imports {
    /// A function that gets its operands and gives its results, or fails with a message. It must not call the module back.
    pub fn function(
        &mut self,
        module: &str,
        name: &str,
        params: &[ValType],
        results: &[ValType],
        function: impl FnMut(&[WasmValue]) -> Result<Vec<WasmValue>, String> + Send + 'static,
    ) {
        let ty = FuncType { params: params.to_vec(), results: results.to_vec() };
        self.functions.insert(key(module, name), (ty, Arc::new(Mutex::new(function))));
    }

    /// A global that the module cannot set.
    pub fn global(&mut self, module: &str, name: &str, value: WasmValue) {
        self.globals.insert(key(module, name), value);
    }

    /// A memory, in pages: each module that imports it has one of its own.
    pub fn memory(&mut self, module: &str, name: &str, least: u64, most: u64) {
        self.memories.insert(key(module, name), MemoryDecl { least, most });
    }

    /// A table: each module that imports it has one of its own.
    pub fn table(&mut self, module: &str, name: &str, least: u32, most: u32) {
        self.tables.insert(key(module, name), TableDecl { least, most });
    }
}

fn key(module: &str, name: &str) -> (String, String) {
    (module.to_owned(), name.to_owned())
}

pub(super) fn key_of(name: &ImportName) -> (String, String) {
    (name.module.clone(), name.name.clone())
}
