//! The functions of WASI, preview 1.
//!
//! In: the words of a call, and the memory of the program that calls. Out: an error number, and what the function writes to that memory. Invariants: a program sees
//! no files but those below the directories that it was given, and does to them what its descriptors have the rights to. What the world answers is on the runtime's tape, so that a
//! run can be executed again.
#![forbid(unsafe_code)]

mod descriptors;
mod errno;
mod files;
mod functions;
mod guest;
mod paths;
mod process;
mod rights;
mod sleep;
mod stat;
mod streams;
#[cfg(test)]
mod tests;
mod wasi;

pub use descriptors::Directory;
pub use wasi::Wasi;

use errno::Errno;
use functions::{FUNCTIONS, Kind};
use holloway_runtime::Runtime;
use holloway_runtime::host::HostEnd;

/// A function that programs import.
#[derive(Clone, Copy)]
pub struct Function {
    /// The types of its parameters: `i` for `i32`, `I` for `i64`.
    pub params: &'static str,
    /// Those of its results.
    pub results: &'static str,
    kind: Kind,
}

/// A function by its name.
pub fn function(module: &str, name: &str) -> Option<Function> {
    let row = FUNCTIONS.iter().find(|row| row.name == name && module == "wasi_snapshot_preview1")?;
    let results = if matches!(row.kind, Kind::Exit) { "" } else { "i" };
    Some(Function { params: row.params, results, kind: row.kind })
}

impl Wasi {
    /// Calls a function with all of its operands.
    pub fn call(&mut self, function: Function, rt: &mut Runtime, words: &[u64]) -> Result<u64, HostEnd> {
        let answered = match function.kind {
            Kind::Exit => return Err(HostEnd::Exit(i64::from(words[0] as u32))),
            Kind::Own(own) => own(self, rt, words)?,
            Kind::Descriptor { stream, .. } if words[0] < 3 => stream(&mut self.streams, rt, words)?,
            Kind::World(ask) | Kind::Descriptor { file: ask, .. } => {
                self.ask(rt, |descriptors, guest| ask(descriptors, guest, words))
            }
        };
        let memory = rt.linear_mut().memory.bytes_mut();
        let end = answered.and_then(|reply| reply.apply(memory));
        Ok(u64::from(end.err().unwrap_or(Errno::SUCCESS).0))
    }
}
