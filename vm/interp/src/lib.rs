//! The reference interpreter: walks the IR as it is, slowly and plainly. Every other tier is compared with it.
//!
//! In: a runtime with a module, a function, arguments as words. Out: the result, or the end of the program; and the
//! events of the run, for an [`Observer`]. Invariants: the call stack is a vector, so no program makes Rust recurse. A
//! failure is looked up in the handlers of the active blocks before anything is unwound. Fuel is spent and flags are
//! polled exactly where `holloway_runtime::limits` says.

pub mod arith;
mod exec;
mod frame;
mod host;
mod objects;
pub mod observer;
pub mod plan;
mod recorder;
mod unwind;

#[cfg(test)]
mod tests;

use cranelift_entity::{EntityRef, SecondaryMap};
use exec::Next;
pub use frame::InstPlace;
use frame::{Code, Frame, read};
use holloway_ir::{Block, Builtin, EdgeKind, FuncRef, Inst, Operand, Span};
use holloway_runtime::failure::{Failure, FailureKind, FrameInfo, Unwind};
use holloway_runtime::host::HostEnd;
use holloway_runtime::limits::{MAX_FRAMES, MAX_REGISTERS, first_span};
use holloway_runtime::{Runtime, func_of_word};
pub use objects::{Operands, SeenObject, SeenParts};
pub use observer::{NoObserver, Observer};
pub use recorder::{EdgeCounter, TraceEvent, TraceRecorder};
use std::sync::Arc;

/// An interpreter with its observer. It can run any number of calls, one after the other.
pub struct Interpreter<O = NoObserver> {
    /// The observer.
    pub observer: O,
    code: SecondaryMap<FuncRef, Option<Arc<Code>>>,
    frames: Vec<Frame>,
    /// Frames that wait for calls of the host which call the program.
    around: usize,
}

/// Reasons for which the innermost frame cannot continue.
enum Stop {
    /// A failure, at the span.
    Failure(FailureKind, Span),
    /// The function that was called first has returned.
    Returned(Option<u64>),
    /// The program ends.
    Exit(i64),
}

impl Interpreter {
    /// An interpreter without an observer.
    pub fn new() -> Self {
        Self::with_observer(NoObserver)
    }
}

impl Default for Interpreter {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Observer> Interpreter<O> {
    /// An interpreter with an observer.
    pub fn with_observer(observer: O) -> Self {
        Interpreter { observer, code: SecondaryMap::new(), frames: Vec::new(), around: 0 }
    }

    /// Calls a function of the runtime's module.
    pub fn call(&mut self, rt: &mut Runtime, func: FuncRef, args: &[u64]) -> Result<Option<u64>, Unwind> {
        assert!(self.frames.is_empty(), "the interpreter is already running");
        let floor = rt.registers.len();
        let mut stop = match self.start(rt, func, args) {
            // The host, called by the program, calls it at the limit of the depth.
            Err(Stop::Failure(kind, at)) if self.frames.is_empty() => {
                let stack = vec![FrameInfo { function: func, at }];
                let failure = Failure::new(rt.module(), kind, stack);
                return Err(self.end(rt, floor, Unwind::Failure(failure)));
            }
            started => started.err(),
        };
        loop {
            match stop {
                None => stop = self.run_block(rt).err(),
                Some(Stop::Failure(kind, span)) => {
                    stop =
                        self.unwind(rt, kind, span).map_err(|failure| self.end(rt, floor, Unwind::Failure(failure)))?;
                }
                Some(Stop::Exit(status)) => {
                    self.abort_all();
                    return Err(self.end(rt, floor, Unwind::Exit(status)));
                }
                Some(Stop::Returned(value)) => return Ok(value),
            }
        }
    }

    fn end(&mut self, rt: &mut Runtime, floor: usize, unwind: Unwind) -> Unwind {
        rt.registers.truncate(floor);
        rt.output.flush();
        unwind
    }

    fn start(&mut self, rt: &mut Runtime, func: FuncRef, args: &[u64]) -> Result<(), Stop> {
        let code = self.code_of(rt, func);
        assert_eq!(args.len(), code.body.params.len(), "arguments of `{}`", code.body.name);
        // There is room for the first frame of all.
        let base = self.window(rt, &code).map_err(|kind| Stop::Failure(kind, code.body.span))?;
        rt.registers[base..base + args.len()].copy_from_slice(args);
        self.enter(rt, func, code, base)
    }

    /// The function's present body, prepared once.
    fn code_of(&mut self, rt: &Runtime, func: FuncRef) -> Arc<Code> {
        let body = rt.module().function(func);
        match &self.code[func] {
            Some(code) if Arc::ptr_eq(&code.body, body) => Arc::clone(code),
            _ => Arc::clone(self.code[func].insert(Arc::new(Code::new(Arc::clone(body))))),
        }
    }

    /// Allocates the window of a frame, all 0. Returns its start.
    fn window(&self, rt: &mut Runtime, code: &Code) -> Result<usize, FailureKind> {
        let base = rt.registers.len();
        let end = base + code.body.locals.len();
        if self.around + self.frames.len() >= MAX_FRAMES || end > MAX_REGISTERS {
            return Err(FailureKind::StackOverflow);
        }
        rt.registers.resize(end, 0);
        Ok(base)
    }

    /// Pushes a frame whose window holds the arguments.
    fn enter(&mut self, rt: &mut Runtime, func: FuncRef, code: Arc<Code>, base: usize) -> Result<(), Stop> {
        let block = code.body.entry();
        let span = first_span(&code.body, block);
        self.frames.push(Frame { func, code, block, at: 0, base });
        self.observer.enter(func);
        self.observer.block(func, block);
        rt.poll().map_err(|kind| Stop::Failure(kind, span))
    }

    /// Executes the innermost frame until it continues at another block, or another frame becomes innermost.
    fn run_block(&mut self, rt: &mut Runtime) -> Result<(), Stop> {
        let frame = self.frames.last_mut().expect("a frame is active");
        let (code, base) = (Arc::clone(&frame.code), frame.base);
        let (func, block) = (frame.func, frame.block);
        let data = &code.body.blocks[block];
        // Locals to clear before a call that has returned were cleared when it was made.
        let mut stale = code.stale.from(frame.block, frame.at);
        for (at, inst) in data.insts.iter().enumerate().skip(frame.at) {
            let place = InstPlace { func, block, at };
            if O::INSTRUCTIONS {
                self.observer.inst(place, inst, Operands::new(rt, base));
            }
            let done = match inst {
                Inst::Call { func, args, dst: _ } => return self.enter_call(rt, at, *func, args),
                Inst::CallIndirect { callee, args, dst: _, sig: _ } => {
                    let func = func_of_word(read(rt, base, *callee)).expect("the checker lets no `none` be called");
                    return self.enter_call(rt, at, func, args);
                }
                other => {
                    if let Inst::Builtin { dst, builtin: Builtin::Host(call), args } = other {
                        self.frames.last_mut().expect("a frame is active").at = at;
                        let words: Vec<u64> = args.iter().map(|arg| read(rt, base, *arg)).collect();
                        match self.call_host(rt, call.host, &words) {
                            Ok(word) => dst.iter().for_each(|dst| rt.registers[base + dst.index()] = word),
                            Err(HostEnd::Exit(status)) => return Err(Stop::Exit(status)),
                            Err(HostEnd::Failure(kind)) => return self.fail_at(at, kind),
                        }
                        if O::INSTRUCTIONS {
                            self.observer.executed(place, inst, Operands::new(rt, base));
                        }
                        continue;
                    }
                    while let [(position, local), rest @ ..] = stale
                        && *position as usize == at
                    {
                        rt.registers[base + local.index()] = 0;
                        stale = rest;
                    }
                    exec::inst(rt, base, other)
                }
            };
            if let Err(kind) = done {
                return self.fail_at(at, kind);
            }
            if O::INSTRUCTIONS {
                self.observer.executed(place, inst, Operands::new(rt, base));
            }
        }
        let end = data.insts.len();
        match exec::terminator(rt, base, &data.term) {
            Ok(Next::Block(to)) => self.go(rt, to, EdgeKind::Normal),
            Ok(Next::Return(value)) => self.leave(rt, value),
            Ok(Next::Exit(status)) => {
                self.frames.last_mut().expect("a frame is active").at = end;
                Err(Stop::Exit(status))
            }
            Err(kind) => self.fail_at(end, kind),
        }
    }

    /// Raises a failure of the instruction at this position of the innermost frame's block.
    fn fail_at(&mut self, at: usize, kind: FailureKind) -> Result<(), Stop> {
        let frame = self.frames.last_mut().expect("a frame is active");
        frame.at = at;
        Err(Stop::Failure(kind, frame.place()))
    }

    /// Executes a call at this position of the innermost frame's block.
    fn enter_call(&mut self, rt: &mut Runtime, at: usize, func: FuncRef, args: &[Operand]) -> Result<(), Stop> {
        let caller = self.frames.last_mut().expect("a frame is active");
        caller.at = at;
        let (caller_code, caller_block, caller_base) = (Arc::clone(&caller.code), caller.block, caller.base);
        self.observer.call(caller.func, caller_block, caller_code.calls_before(caller_block, at));
        let code = self.code_of(rt, func);
        let base = match self.window(rt, &code) {
            Ok(base) => base,
            Err(kind) => return self.fail_at(at, kind),
        };
        for (param, arg) in args.iter().enumerate() {
            rt.registers[base + param] = read(rt, caller_base, *arg);
        }
        for local in caller_code.stale.at(caller_block, at) {
            rt.registers[caller_base + local.index()] = 0;
        }
        self.enter(rt, func, code, base)
    }

    /// Returns from the innermost frame; the caller continues behind its call.
    fn leave(&mut self, rt: &mut Runtime, value: Option<u64>) -> Result<(), Stop> {
        let frame = self.frames.pop().expect("a frame is active");
        rt.registers.truncate(frame.base);
        self.observer.leave(frame.func);
        let Some(caller) = self.frames.last_mut() else { return Err(Stop::Returned(value)) };
        let call = &caller.code.body.blocks[caller.block].insts[caller.at];
        if let (Some(dst), Some(word)) = (call.dst(), value) {
            rt.registers[caller.base + dst.index()] = word;
        }
        let number = caller.code.calls_before(caller.block, caller.at);
        self.observer.returned(caller.func, caller.block, number);
        caller.at += 1;
        Ok(())
    }

    /// Continues at a block of the innermost frame.
    fn go(&mut self, rt: &mut Runtime, to: Block, kind: EdgeKind) -> Result<(), Stop> {
        let frame = self.frames.last_mut().expect("a frame is active");
        let (func, from) = (frame.func, frame.block);
        frame.block = to;
        frame.at = 0;
        self.observer.edge(func, from, to, kind);
        self.observer.block(func, to);
        if !frame.code.is_back_edge(from, to) {
            return Ok(());
        }
        rt.poll().map_err(|kind| Stop::Failure(kind, first_span(&frame.code.body, to)))
    }
}
