//! The functions of WASI, preview 1.
//!
//! In: the words of a call, and the memory of the program that calls. Out: an error number, and what the function writes to that memory; and for whoever
//! follows a run, the bytes that a function reads and those that it wrote. Invariants: a program sees no files but those below the directories that it was
//! given, and does to them what its descriptors have the rights to. What the world answers is on the runtime's tape, so that a run can be executed again.
#![forbid(unsafe_code)]

mod descriptors;
mod errno;
mod files;
mod functions;
mod guest;
mod paths;
mod process;
mod reads;
mod rights;
mod sleep;
mod stat;
mod streams;
#[cfg(test)]
mod tests;
mod wasi;

pub use descriptors::Directory;
pub use reads::reads;
pub use wasi::Wasi;

use errno::Errno;
use functions::{FUNCTIONS, Kind, MODULE};
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
    let row = FUNCTIONS.iter().find(|row| row.name == name && module == MODULE)?;
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
        let linear = rt.linear_mut();
        linear.written_by_host.clear();
        let end = answered.and_then(|reply| {
            reply.apply(linear.memory.bytes_mut())?;
            linear.written_by_host.extend(reply.ranges());
            Ok(())
        });
        Ok(u64::from(end.err().unwrap_or(Errno::SUCCESS).0))
    }
}
