//! Calls of the host by the program, and of the program by the host in them.
//!
//! In: the place of a call of the host. Out: its result in a register, or the end that the instruction comes to.
//! Invariant: frames that wait for the host are out of the interpreter's sight while it runs the program again, but count
//! against the limit of their number.

use super::frame::read;
use super::{InstPlace, Interpreter, Observer, Operands, Stop};
use cranelift_entity::EntityRef;
use holloway_ir::{FuncRef, HostRef, Inst, MOST_HOST_OPERANDS};
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
    /// Executes a call of the host at this position of the innermost frame's block, which continues behind it. It is all that its function
    /// does, so no local of that dies before it.
    pub(super) fn host_call(&mut self, rt: &mut Runtime, at: usize, host: HostRef) -> Result<(), Stop> {
        let frame = self.frames.last_mut().expect("a frame is active");
        frame.at = at;
        let (func, block, base) = (frame.func, frame.block, frame.base);
        let code = self.code.of(func);
        let Inst::Builtin { dst, args, builtin: _ } = &code.body.blocks[block].insts[at] else {
            unreachable!("a call of the host is a builtin")
        };
        let (dst, count, mut words) = (*dst, args.len(), [0; MOST_HOST_OPERANDS]);
        words.iter_mut().zip(args).for_each(|(word, arg)| *word = read(rt, base, *arg));
        match host::call(&mut Waiting { interpreter: self, rt }, host, &words[..count]) {
            Ok(word) => dst.iter().for_each(|dst| rt.registers[base + dst.index()] = word),
            Err(HostEnd::Exit(status)) => return Err(Stop::Exit(status)),
            Err(HostEnd::Failure(kind)) => return self.fail_at(at, kind),
        }
        if O::INSTRUCTIONS {
            let inst = &self.code.of(func).body.blocks[block].insts[at];
            self.observer.executed(InstPlace { func, block, at }, inst, Operands::new(rt, base));
        }
        self.frames.last_mut().expect("a frame is active").at = at + 1;
        Ok(())
    }
}
