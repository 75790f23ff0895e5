//! The host of a WASI program.
//!
//! In: what the host gives it. Out: the state of its calls. Invariant: the world is asked by way of the tape.

use crate::descriptors::{Descriptors, Directory};
use crate::guest::{Answered, Guest, Reply};
use crate::streams::Streams;
use holloway_runtime::{FileAccess, Runtime};
use std::io;

/// Arguments, environment, streams and descriptors of a program.
pub struct Wasi {
    pub(crate) args: Vec<Vec<u8>>,
    pub(crate) environment: Vec<Vec<u8>>,
    pub(crate) streams: Streams,
    pub(crate) descriptors: Descriptors,
}

impl Wasi {
    /// The host of a program with these arguments, the first of which is its name. Fails if a directory cannot be opened.
    pub fn new(
        args: Vec<Vec<u8>>,
        environment: &[(String, String)],
        directories: &[Directory],
        access: FileAccess,
    ) -> io::Result<Wasi> {
        let environment = environment.iter().map(|(name, value)| format!("{name}={value}").into_bytes()).collect();
        let descriptors = match access {
            FileAccess::Refused => Descriptors::new(&[], access)?,
            FileAccess::Allowed | FileAccess::Unchanged => Descriptors::new(directories, access)?,
        };
        Ok(Wasi { args, environment, streams: Streams::default(), descriptors })
    }

    /// Asks the world, or the tape in its place.
    pub(crate) fn ask(
        &mut self,
        rt: &mut Runtime,
        ask: impl FnOnce(&mut Descriptors, Guest<'_>) -> Answered,
    ) -> Answered {
        let descriptors = &mut self.descriptors;
        if rt.tape.is_off() {
            return ask(descriptors, Guest(rt.linear().map_or(&[][..], |linear| linear.memory.bytes())));
        }
        let kept = rt.ask_by_memory(|memory| Reply::keep(&ask(descriptors, Guest(memory))));
        Reply::given_again(&kept)
    }
}
