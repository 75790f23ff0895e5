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

use cranelift_entity::EntityRef;
use exec::Next;
pub use frame::InstPlace;
use frame::{Frame, Prepared, call_args, read};
use holloway_ir::{Block, Builtin, EdgeKind, FuncRef, HostRef, Inst, Span};
use holloway_runtime::failure::{Failure, FailureKind, FrameInfo, Unwind};
use holloway_runtime::limits::{MAX_FRAMES, MAX_REGISTERS, first_span};
use holloway_runtime::{Runtime, func_of_word};
pub use objects::{Operands, SeenObject, SeenParts};
pub use observer::{NoObserver, Observer};
pub use recorder::{EdgeCounter, TraceEvent, TraceRecorder};

/// An interpreter with its observer. It can run any number of calls, one after the other.
pub struct Interpreter<O = NoObserver> {
    /// The observer.
    pub observer: O,
    code: Prepared,
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

/// The end of a stretch of instructions of the innermost frame's block, with the position where it is reached.
enum Step {
    /// A call.
    Call(usize, FuncRef),
    /// A call of the host.
    Host(usize, HostRef),
    /// A failure.
    Fail(usize, FailureKind),
    /// The block's terminator.
    Next(Next),
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
        Interpreter { observer, code: Prepared::default(), frames: Vec::new(), around: 0 }
    }

    /// Calls a function of the runtime's module.
    pub fn call(&mut self, rt: &mut Runtime, func: FuncRef, args: &[u64]) -> Result<Option<u64>, Unwind> {
        assert!(self.frames.is_empty(), "the interpreter is already running");
        let floor = rt.registers.len();
        match self.start(rt, func, args) {
            Ok(()) => {}
            // The host, called by the program, calls it at the limit of the depth.
            Err(Stop::Failure(kind, at)) if self.frames.is_empty() => {
                let stack = vec![FrameInfo { function: func, at }];
                let failure = Failure::new(rt.module(), kind, stack);
                return Err(self.end(rt, floor, Unwind::Failure(failure)));
            }
            Err(stop) => self.stopped(rt, floor, stop)?,
        }
        loop {
            match self.run_block(rt) {
                Ok(()) => {}
                Err(Stop::Returned(value)) => return Ok(value),
                Err(stop) => self.stopped(rt, floor, stop)?,
            }
        }
    }

    /// Continues at a handler, if there is one.
    #[cold]
    fn stopped(&mut self, rt: &mut Runtime, floor: usize, mut stop: Stop) -> Result<(), Unwind> {
        loop {
            match stop {
                Stop::Failure(kind, span) => match self.unwind(rt, kind, span) {
                    Ok(None) => return Ok(()),
                    Ok(Some(next)) => stop = next,
                    Err(failure) => return Err(self.end(rt, floor, Unwind::Failure(failure))),
                },
                Stop::Exit(status) => {
                    self.abort_all();
                    return Err(self.end(rt, floor, Unwind::Exit(status)));
                }
                Stop::Returned(_) => unreachable!("a call that has returned is over"),
            }
        }
    }

    fn end(&mut self, rt: &mut Runtime, floor: usize, unwind: Unwind) -> Unwind {
        rt.registers.truncate(floor);
        rt.output.flush();
        unwind
    }

    fn start(&mut self, rt: &mut Runtime, func: FuncRef, args: &[u64]) -> Result<(), Stop> {
        self.code.prepare(rt, func);
        let body = &self.code.of(func).body;
        assert_eq!(args.len(), body.params.len(), "arguments of `{}`", body.name);
        // There is room for the first frame of all.
        let base = self.window(rt, func).map_err(|kind| Stop::Failure(kind, body.span))?;
        rt.registers[base..base + args.len()].copy_from_slice(args);
        self.enter(rt, func, base)
    }

    /// Allocates the window of a frame, all 0. Returns its start.
    fn window(&self, rt: &mut Runtime, func: FuncRef) -> Result<usize, FailureKind> {
        let base = rt.registers.len();
        let end = base + self.code.of(func).body.locals.len();
        if self.around + self.frames.len() >= MAX_FRAMES || end > MAX_REGISTERS {
            return Err(FailureKind::StackOverflow);
        }
        rt.registers.resize(end, 0);
        Ok(base)
    }

    /// Pushes a frame whose window holds the arguments.
    fn enter(&mut self, rt: &mut Runtime, func: FuncRef, base: usize) -> Result<(), Stop> {
        let block = self.code.of(func).body.entry();
        self.frames.push(Frame { func, block, at: 0, base });
        self.observer.enter(func);
        self.observer.block(func, block);
        rt.poll().map_err(|kind| Stop::Failure(kind, first_span(&self.code.of(func).body, block)))
    }

    /// Executes the innermost frame until it continues at another block or behind a call of the host, or another frame becomes
    /// innermost.
    fn run_block(&mut self, rt: &mut Runtime) -> Result<(), Stop> {
        match self.run_instructions(rt) {
            Step::Call(at, func) => self.enter_call(rt, at, func),
            Step::Host(at, host) => self.host_call(rt, at, host),
            Step::Fail(at, kind) => self.fail_at(at, kind),
            Step::Next(Next::Block(to)) => self.go(rt, to, EdgeKind::Normal),
            Step::Next(Next::Return(value)) => self.leave(rt, value),
            Step::Next(Next::Exit(status)) => {
                let frame = self.frames.last_mut().expect("a frame is active");
                frame.at = self.code.of(frame.func).body.blocks[frame.block].insts.len();
                Err(Stop::Exit(status))
            }
        }
    }

    /// Executes instructions of the innermost frame's block up to one that does more than change registers and objects.
    fn run_instructions(&mut self, rt: &mut Runtime) -> Step {
        let Frame { func, block, at, base } = *self.frames.last().expect("a frame is active");
        let code = self.code.of(func);
        let data = &code.body.blocks[block];
        // Locals to clear before a call that has returned were cleared when it was made.
        let mut stale = code.stale.from(block, at);
        for (at, inst) in data.insts.iter().enumerate().skip(at) {
            let place = InstPlace { func, block, at };
            if O::INSTRUCTIONS {
                self.observer.inst(place, inst, Operands::new(rt, base));
            }
            let done = match inst {
                Inst::Call { func, args: _, dst: _ } => return Step::Call(at, *func),
                Inst::CallIndirect { callee, args: _, dst: _, sig: _ } => {
                    let func = func_of_word(read(rt, base, *callee)).expect("the checker lets no `none` be called");
                    return Step::Call(at, func);
                }
                Inst::Builtin { dst: _, builtin: Builtin::Host(call), args: _ } => return Step::Host(at, call.host),
                other => {
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
                return Step::Fail(at, kind);
            }
            if O::INSTRUCTIONS {
                self.observer.executed(place, inst, Operands::new(rt, base));
            }
        }
        exec::terminator(rt, base, &data.term).map_or_else(|kind| Step::Fail(data.insts.len(), kind), Step::Next)
    }

    /// Raises a failure of the instruction at this position of the innermost frame's block.
    fn fail_at(&mut self, at: usize, kind: FailureKind) -> Result<(), Stop> {
        let frame = self.frames.last_mut().expect("a frame is active");
        frame.at = at;
        Err(Stop::Failure(kind, frame.place(self.code.of(frame.func))))
    }

    /// Executes a call at this position of the innermost frame's block.
    fn enter_call(&mut self, rt: &mut Runtime, at: usize, func: FuncRef) -> Result<(), Stop> {
        let caller = self.frames.last_mut().expect("a frame is active");
        caller.at = at;
        let caller = *caller;
        self.code.prepare(rt, func);
        let code = self.code.of(caller.func);
        self.observer.call(caller.func, caller.block, code.calls_before(caller.block, at));
        let base = match self.window(rt, func) {
            Ok(base) => base,
            Err(kind) => return self.fail_at(at, kind),
        };
        for (param, arg) in call_args(&code.body.blocks[caller.block].insts[at]).iter().enumerate() {
            rt.registers[base + param] = read(rt, caller.base, *arg);
        }
        for local in code.stale.at(caller.block, at) {
            rt.registers[caller.base + local.index()] = 0;
        }
        self.enter(rt, func, base)
    }

    /// Returns from the innermost frame; the caller continues behind its call.
    fn leave(&mut self, rt: &mut Runtime, value: Option<u64>) -> Result<(), Stop> {
        let frame = self.frames.pop().expect("a frame is active");
        rt.registers.truncate(frame.base);
        self.observer.leave(frame.func);
        let Some(caller) = self.frames.last_mut() else { return Err(Stop::Returned(value)) };
        let code = self.code.of(caller.func);
        let call = &code.body.blocks[caller.block].insts[caller.at];
        if let (Some(dst), Some(word)) = (call.dst(), value) {
            rt.registers[caller.base + dst.index()] = word;
        }
        let number = code.calls_before(caller.block, caller.at);
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
        let code = self.code.of(func);
        if !code.is_back_edge(from, to) {
            return Ok(());
        }
        rt.poll().map_err(|kind| Stop::Failure(kind, first_span(&code.body, to)))
    }
}
