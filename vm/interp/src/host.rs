//! Calls of the host by the program, and of the program by the host in them.
//!
//! In: the number of a function of the host, with its operands. Out: its result, or the end that the instruction comes to.
//! Invariant: frames that wait for the host are out of the interpreter's sight while it runs the program again, but count
//! against the limit of their number.

use super::{Interpreter, Observer};
use holloway_ir::{FuncRef, HostRef};
use holloway_runtime::Runtime;
use holloway_runtime::failure::Unwind;
use holloway_runtime::host::{self, Caller, HostEnd};
use std::mem::take;

/// An interpreter that waits for the host.
struct Waiting<'a, O> {
    interpreter: &'a mut Interpreter<O>,
    rt: &'a mut Runtime,
}

impl<O: Observer> Caller<Runtime> for Waiting<'_, O> {
    fn runtime(&mut self) -> &mut Runtime {
        self.rt
    }

    fn call(&mut self, func: FuncRef, args: &[u64]) -> Result<Option<u64>, Unwind> {
        let outer = take(&mut self.interpreter.frames);
        self.interpreter.around += outer.len();
        let result = self.interpreter.call(self.rt, func, args);
        self.interpreter.around -= outer.len();
        self.interpreter.frames = outer;
        result
    }
}

impl<O: Observer> Interpreter<O> {
    pub(super) fn call_host(&mut self, rt: &mut Runtime, host: HostRef, words: &[u64]) -> Result<u64, HostEnd> {
        host::call(&mut Waiting { interpreter: self, rt }, host, words)
    }
}
