//! Functions as a program calls them: by name, with words and texts.
//!
//! In: a directory of the host, calls. Out: error numbers, and what was written to the memory of the program.

mod paths;
mod rights;
mod streams;
mod tape;

use crate::{Directory, Wasi, function};
use holloway_ir::{Linear, MemoryDecl, Module};
use holloway_runtime::{FileAccess, Runtime, RuntimeConfig};
use std::path::Path;
use std::sync::Arc;

/// The number of the first directory.
const DIRECTORY: u64 = 3;
/// The address of results.
const RESULT: u64 = 64;
/// The address of the first text of a call.
const TEXTS: u32 = 1 << 12;

/// An argument of a call.
#[derive(Clone, Copy)]
enum Arg<'a> {
    Word(u64),
    /// Two words: the address of a text, and its length.
    Text(&'a str),
}

/// A program that may use one directory, and has one page of memory.
struct Program {
    wasi: Wasi,
    rt: Runtime,
}

impl Program {
    fn new(directory: &Path, access: FileAccess) -> Program {
        let memory = Some(MemoryDecl { least: 1, most: 1 });
        let mut module = Module::default();
        module.linear = Some(Arc::new(Linear { memory, ..Linear::default() }));
        let config = RuntimeConfig { files: access, ..RuntimeConfig::default() };
        let mut rt = Runtime::new(Arc::new(module), config).expect("there is memory");
        rt.instantiate().expect("there is memory");
        let directories = [Directory { host: directory.to_owned(), guest: "data".to_owned() }];
        let wasi = Wasi::new(Vec::new(), &[], &directories, access).expect("it is a directory");
        Program { wasi, rt }
    }

    /// The error number of a call.
    fn call(&mut self, name: &str, args: &[Arg<'_>]) -> u64 {
        let (mut words, mut at) = (Vec::new(), TEXTS);
        for arg in args {
            match arg {
                Arg::Word(word) => words.push(*word),
                Arg::Text(text) => {
                    self.rt.linear_mut().memory.write(at.into(), text.as_bytes()).expect("it fits");
                    words.extend([at.into(), text.len() as u64]);
                    at += text.len() as u32;
                }
            }
        }
        let function = function("wasi_snapshot_preview1", name).expect("there is such a function");
        assert_eq!(words.len(), function.params.len(), "{name} takes {}", function.params);
        self.wasi.call(function, &mut self.rt, &words).expect("the program goes on")
    }

    /// So many bytes of the memory.
    fn bytes(&self, at: u64, len: usize) -> &[u8] {
        &self.rt.linear().expect("there is memory").memory.bytes()[at as usize..at as usize + len]
    }
}
