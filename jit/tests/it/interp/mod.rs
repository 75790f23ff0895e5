//! An interpreter of the SSA form, which the optimizer's passes are checked with.
//!
//! In: a program whose functions are in SSA form, all after the same pass. Out: a [`Run`]: what it printed, what it wrote to
//! its globals, and how it ended, a failure with its kind and its call stack. Programs that run for too long or need too much
//! memory are given up.
//! Invariant: what would be undefined in machine code is [`End::Broken`]: an access out of range or of none, a division by 0.
//!
//! On request every step is logged, with its activation. On request some OSR points continue in the version that is entered at their loop header.

mod arith;
mod builtins;
mod heap;
mod kit;
mod linear;

use hashbrown::HashMap;
use heap::Heap;
use holloway_jit::Site;
use holloway_jit::opt::op::Mem;
use holloway_jit::opt::ssa::{Block, Def, Func, InstData, Op, Target, Term, Value};
use holloway_jit::osr::Entry;
use holloway_lang::ir::{FailKind, FuncRef, Module, Operand};
use holloway_lang::source::Span;
use linear::LinearState;

/// Functions in SSA form, by where they are entered.
pub(crate) type Functions = HashMap<(FuncRef, Entry), Func>;

/// Results that a run showed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Run {
    pub(crate) output: String,
    /// The globals afterwards, and a digest of all that was written to them, and of memory and tables.
    pub(crate) globals: (Vec<String>, u64),
    pub(crate) end: End,
}

/// Way in which a run ended.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum End {
    Done,
    Exit(i64),
    Failure(Failure),
    /// It did what no program may do.
    Broken(String),
    /// It took too long, too much memory, or too many calls.
    GivenUp,
}

/// A failure, with the function and place of each activation, innermost first.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) stack: Vec<(FuncRef, Span)>,
}

/// Why something failed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    DivisionByZero,
    IndexOutOfRange(i64, i64),
    UnwrappedNone,
    NegativeLength(i64),
    Builtin(&'static str),
    Raised(FailKind, String),
}

/// Limit on how long programs may run, and the way in which they are run.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Instructions and blocks.
    pub(crate) steps: u64,
    /// Every so many-th OSR point continues in another version; none does if 0.
    pub(crate) osr_every: u64,
}

/// The most activations at a time.
const MOST_FRAMES: usize = 400;

/// Why an instruction does not go on to the next one.
enum Stop {
    Fails(Kind),
    Broken(String),
    GivenUp,
    Exits(i64),
}

impl From<Kind> for Stop {
    fn from(kind: Kind) -> Stop {
        Stop::Fails(kind)
    }
}

/// An instruction or the end of a block that is about to be executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoggedStep {
    /// The number of the activation, in the order of calls.
    pub(crate) activation: u64,
    pub(crate) func: FuncRef,
    pub(crate) block: Block,
    /// The instruction of the block; its end if there is none.
    pub(crate) at: usize,
    /// The result of the instruction, if it has returned one.
    pub(crate) result: Option<u64>,
}

struct Frame<'a> {
    id: FuncRef,
    activation: u64,
    /// Its last step in the log.
    logged: Option<usize>,
    func: &'a Func,
    block: Block,
    /// The present instruction of the block.
    at: usize,
    values: Vec<u64>,
    slots: Vec<u64>,
    /// Values that an OSR point passed on.
    state: Vec<u64>,
    /// Stores that are made if something in the block fails or polls: each with its operands.
    sunk: Vec<(Mem, Vec<u64>)>,
}

impl Frame<'_> {
    fn new<'a>(id: FuncRef, func: &'a Func, args: &[u64], state: Vec<u64>) -> Frame<'a> {
        let mut values = vec![0; func.values.len()];
        for (param, arg) in func.blocks[func.entry].params.iter().zip(args) {
            values[index(*param)] = *arg;
        }
        Frame {
            id,
            activation: 0,
            logged: None,
            func,
            block: func.entry,
            at: 0,
            values,
            slots: vec![0; func.slots.len()],
            state,
            sunk: Vec::new(),
        }
    }

    /// The site of the present instruction or of the end of the block.
    fn site(&self) -> u32 {
        let data = &self.func.blocks[self.block];
        data.insts.get(self.at).map_or(data.term_site, |inst| self.func.insts[*inst].site)
    }

    fn set(&mut self, value: Option<Value>, word: Option<u64>) {
        if let (Some(value), Some(word)) = (value, word) {
            self.values[index(value)] = word;
        }
    }
}

fn index(value: Value) -> usize {
    cranelift_entity::EntityRef::index(value)
}

/// A digest with one more word.
fn mixed(digest: u64, word: u64) -> u64 {
    (digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17)
}

/// Runs the statements of a program and its `main`.
pub(crate) fn run(module: &Module, functions: &Functions, limits: Limits) -> Run {
    start(module, functions, limits, None).0
}

/// The same, with all its steps.
pub(crate) fn run_logged(module: &Module, functions: &Functions, limits: Limits) -> (Run, Vec<LoggedStep>) {
    let (run, log) = start(module, functions, limits, Some(Vec::new()));
    (run, log.expect("it was asked for"))
}

fn start(
    module: &Module,
    functions: &Functions,
    limits: Limits,
    log: Option<Vec<LoggedStep>>,
) -> (Run, Option<Vec<LoggedStep>>) {
    let mut machine = Machine {
        module,
        functions,
        limits,
        heap: Heap::new(module),
        linear: LinearState::new(module.linear.as_deref()),
        globals: vec![0; module.globals.len()],
        written: 0,
        output: String::new(),
        caught: 0,
        steps: 0,
        osr_points: 0,
        random: 1,
        clock: 0,
        frames: Vec::new(),
        calls: 0,
        log,
    };
    let end = machine.program();
    let globals = module.globals.values().zip(machine.globals.clone());
    let globals = globals.map(|(global, word)| machine.heap.show(module, global.ty, word)).collect();
    let written = machine.written ^ machine.linear.digest();
    (Run { output: machine.output, globals: (globals, written), end }, machine.log)
}

struct Machine<'a> {
    module: &'a Module,
    functions: &'a Functions,
    limits: Limits,
    heap: Heap,
    linear: LinearState,
    globals: Vec<u64>,
    /// A digest of the numbers that were written to globals.
    written: u64,
    output: String,
    /// The message of the failure being handled.
    caught: u64,
    steps: u64,
    osr_points: u64,
    random: u64,
    clock: u64,
    frames: Vec<Frame<'a>>,
    calls: u64,
    log: Option<Vec<LoggedStep>>,
}

impl<'a> Machine<'a> {
    fn program(&mut self) -> End {
        let mut calls: Vec<(FuncRef, Vec<u64>)> =
            self.module.top_level.iter().map(|func| (*func, Vec::new())).collect();
        if let Some(main) = self.module.main {
            let args = if main.takes_args { vec![self.heap.array(Vec::new())] } else { Vec::new() };
            calls.push((main.func, args));
        }
        for (func, args) in calls {
            match self.call(func, &args).and_then(|()| self.go()) {
                Ok(()) => {}
                Err(Stop::Exits(status)) => return End::Exit(status),
                Err(Stop::Broken(why)) => return End::Broken(why),
                Err(Stop::GivenUp) => return End::GivenUp,
                Err(Stop::Fails(kind)) => {
                    let stack = std::mem::take(&mut self.frames).iter().rev().flat_map(activations).collect();
                    return End::Failure(Failure { kind, stack });
                }
            }
        }
        End::Done
    }

    /// Runs until no frame is left. A failure that nothing catches leaves the frames as they are.
    fn go(&mut self) -> Result<(), Stop> {
        while !self.frames.is_empty() {
            self.steps += 1;
            if self.steps > self.limits.steps {
                return Err(Stop::GivenUp);
            }
            match self.step() {
                Ok(()) => {}
                Err(Stop::Fails(kind)) => self.unwind(kind)?,
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Goes on at the handler of the innermost frame that has one.
    fn unwind(&mut self, kind: Kind) -> Result<(), Stop> {
        let handler = |frame: &Frame<'_>| frame.func.blocks[frame.block].handler;
        let Some(at) = self.frames.iter().rposition(|frame| handler(frame).is_some()) else {
            return Err(Stop::Fails(kind));
        };
        self.frames.truncate(at + 1);
        self.caught = self.heap.text(format!("{kind:?}").into_bytes());
        let frame = &mut self.frames[at];
        (frame.block, frame.at) = (handler(frame).expect("it has one"), 0);
        Ok(())
    }

    fn step(&mut self) -> Result<(), Stop> {
        self.log_step();
        let frame = self.frames.last().expect("there is a frame");
        let func = frame.func;
        let data = &func.blocks[frame.block];
        match data.insts.get(frame.at) {
            Some(inst) => self.inst(&func.insts[*inst]),
            None => self.term(&data.term),
        }
    }

    /// Logs the present step, and the result of the one before it.
    fn log_step(&mut self) {
        let frame = self.frames.last_mut().expect("there is a frame");
        let Some(log) = &mut self.log else { return };
        if let Some(before) = frame.logged.replace(log.len()) {
            let LoggedStep { block, at, .. } = log[before];
            let result = frame.func.blocks[block].insts.get(at).and_then(|inst| frame.func.insts[*inst].result);
            log[before].result = result.map(|value| frame.values[index(value)]);
        }
        let Frame { id, activation, block, at, .. } = *frame;
        log.push(LoggedStep { activation, func: id, block, at, result: None });
    }

    fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("there is a frame")
    }

    fn value(&self, value: Value) -> u64 {
        let frame = self.frames.last().expect("there is a frame");
        match frame.func.values[value].def {
            Def::Const(constant) => self.constant(constant),
            Def::Inst(_) | Def::Param(..) => frame.values[index(value)],
        }
    }

    fn constant(&self, constant: Operand) -> u64 {
        match constant {
            Operand::Int(value) => value as u64,
            Operand::Float(bits) => bits,
            Operand::Bool(value) => u64::from(value),
            Operand::Str(id) => self.heap.constant(id),
            Operand::Func(func) => u64::from(func.as_u32()) + 1,
            Operand::NoneRef | Operand::NoneFunc => 0,
            Operand::Local(local) => unreachable!("{local} is no constant"),
        }
    }

    fn values(&self, values: &[Value]) -> Vec<u64> {
        values.iter().map(|value| self.value(*value)).collect()
    }

    fn call(&mut self, id: FuncRef, args: &[u64]) -> Result<(), Stop> {
        if self.frames.len() == MOST_FRAMES {
            return Err(Stop::GivenUp);
        }
        let func = &self.functions[&(id, Entry::Call)];
        self.calls += 1;
        self.frames.push(Frame { activation: self.calls, ..Frame::new(id, func, args, Vec::new()) });
        Ok(())
    }

    fn inst(&mut self, data: &InstData) -> Result<(), Stop> {
        let args = self.values(&data.args);
        let result = match data.op {
            Op::Unary(op) => Some(arith::unary(op, args[0])),
            Op::Binary(op) => Some(arith::binary(op, args[0], args[1])?),
            Op::Select => Some(if args[0] != 0 { args[1] } else { args[2] }),
            Op::Below => Some(u64::from(args[0] < args[1])),
            Op::RotateWord => Some(u64::from((args[0] as u32).rotate_left(args[1] as u32))),
            Op::CheckZero if args[0] == 0 => return Err(self.fails(Kind::DivisionByZero)),
            Op::CheckIndex if args[0] >= args[1] => {
                return Err(self.fails(Kind::IndexOutOfRange(args[0] as i64, args[1] as i64)));
            }
            Op::CheckSome if args[0] == 0 => return Err(self.fails(Kind::UnwrappedNone)),
            Op::CheckZero | Op::CheckIndex | Op::CheckSome | Op::Poll | Op::Probe(_) => None,
            Op::Sunk(record, field) => self.sink(Mem::Field(record, field), args),
            Op::Load(mem) => Some(self.load(mem, &args)?),
            Op::Store(mem) => self.store(mem, &args)?,
            Op::LinearLoad(access, offset) => Some(self.linear_load(access, offset, args[0])?),
            Op::LinearStore(access, offset) => {
                self.linear_store(access, offset, [args[0], args[1]])?;
                None
            }
            Op::Call(callee) => return self.call(callee, &args),
            Op::CallIndirect(_) => {
                let callee = args[0].checked_sub(1).ok_or_else(|| Stop::Broken("a call of none".to_owned()))?;
                return self.call(FuncRef::from_u32(callee as u32), &args[1..]);
            }
            Op::Builtin(builtin) => self.builtin(builtin, &args)?,
            Op::NewRecord(record) => Some(self.heap.record(record, args)?),
            Op::NewArray(elem) => Some(self.heap.filled(elem, args[0] as i64, args[1])?),
            Op::ArrayOf(elem) => Some(self.heap.array_of(elem, &args)?),
            Op::Allocated => Some(args[0]),
            Op::CatchMessage => Some(self.caught),
            Op::OsrPoint => {
                self.make_sunk_stores()?;
                return self.osr_point(data.site, args);
            }
        };
        let frame = self.frame();
        frame.set(data.result, result);
        frame.at += 1;
        Ok(())
    }

    /// Something fails that finds memory as the program has it.
    fn fails(&mut self, kind: Kind) -> Stop {
        self.make_sunk_stores().map_or_else(|stop| stop, |()| kind.into())
    }

    fn sink(&mut self, place: Mem, args: Vec<u64>) -> Option<u64> {
        let sunk = &mut self.frame().sunk;
        sunk.retain(|(known, of)| (*known, of[0]) != (place, args[0]));
        sunk.push((place, args));
        None
    }

    fn make_sunk_stores(&mut self) -> Result<(), Stop> {
        for (place, args) in self.frame().sunk.clone() {
            self.store(place, &args)?;
        }
        Ok(())
    }

    fn load(&mut self, mem: Mem, args: &[u64]) -> Result<u64, Stop> {
        Ok(match mem {
            Mem::Len => self.heap.len(args[0])?,
            Mem::Base => args[0],
            Mem::Elem(elem) => self.heap.element(elem, args[0], args[1])?,
            Mem::Field(record, field) => *self.heap.field(record, field, args[0])?,
            Mem::Global(global) => self.globals[global.as_u32() as usize],
            Mem::Slot(slot) => self.frame().slots[slot as usize],
            Mem::State(word) => self.frame().state[word as usize],
        })
    }

    fn store(&mut self, mem: Mem, args: &[u64]) -> Result<Option<u64>, Stop> {
        match mem {
            Mem::Elem(elem) => self.heap.set_element(elem, args[0], args[1], args[2])?,
            Mem::Field(record, field) => *self.heap.field(record, field, args[0])? = args[1],
            Mem::Global(global) => {
                let decl = &self.module.globals[global];
                // Numbers of objects differ where fewer are allocated.
                if self.module.scalar(decl.ty) != holloway_lang::ir::Scalar::Ref {
                    self.written = mixed(self.written, args[0] ^ u64::from(global.as_u32()).rotate_left(32));
                }
                self.globals[global.as_u32() as usize] = args[0];
            }
            Mem::Slot(slot) => self.frame().slots[slot as usize] = args[0],
            Mem::Len | Mem::Base | Mem::State(_) => return Err(Stop::Broken(format!("a store to {mem:?}"))),
        }
        Ok(None)
    }

    /// Continues in the version that is entered at the header, if there is one and it is its turn.
    fn osr_point(&mut self, site: u32, state: Vec<u64>) -> Result<(), Stop> {
        self.osr_points += 1;
        let every = self.limits.osr_every;
        let frame = self.frame();
        let (id, header) = (frame.id, frame.func.sites[site as usize].block);
        frame.at += 1;
        if every > 0
            && self.osr_points.is_multiple_of(every)
            && let Some(func) = self.functions.get(&(id, Entry::Header(header)))
        {
            *self.frame() = Frame::new(id, func, &[], state);
        }
        Ok(())
    }

    fn term(&mut self, term: &Term) -> Result<(), Stop> {
        match term {
            Term::Jump(to) => self.jump(to),
            Term::Branch { cond, then, otherwise } => {
                let to = if self.value(*cond) != 0 { then } else { otherwise };
                self.jump(to);
            }
            Term::Switch { value, cases, default } => {
                let value = self.value(*value) as i64;
                let case = cases.iter().find(|(case, _)| *case == value);
                self.jump(case.map_or(default, |(_, to)| to));
            }
            Term::Return(value) => {
                let result = value.map(|value| self.value(value));
                self.frames.pop();
                if let Some(caller) = self.frames.last_mut() {
                    let call = caller.func.blocks[caller.block].insts[caller.at];
                    caller.set(caller.func.insts[call].result, result);
                    caller.at += 1;
                }
            }
            Term::Fail(kind, message) => {
                let message = self.value(*message);
                return Err(Kind::Raised(*kind, self.heap.raw_text(message)).into());
            }
            Term::Exit(status) => return Err(Stop::Exits(self.value(*status) as i64)),
        }
        Ok(())
    }

    fn jump(&mut self, to: &Target) {
        let args = self.values(&to.args);
        let frame = self.frame();
        for (param, arg) in frame.func.blocks[to.block].params.iter().zip(args) {
            frame.values[index(*param)] = arg;
        }
        frame.sunk.clear();
        (frame.block, frame.at) = (to.block, 0);
    }
}

/// The activations that a frame stands for, innermost first: those inlined, and its own.
fn activations(frame: &Frame<'_>) -> Vec<(FuncRef, Span)> {
    let sites: &[Site] = &frame.func.sites;
    let site = |at: u32| sites[at as usize];
    let chain = std::iter::successors(Some(site(frame.site())), |inner| inner.inlined_at.map(site));
    chain.map(|site| (site.func, site.span)).collect()
}
