//! Prints the SSA form as text that [`super::parse`] reads back; `dump --stage ir --after PASS` shows it.
//!
//! In: a function. Out: one line an instruction, blocks in reverse postorder. [`Sites::Shown`] adds the table of sites, and
//! behind each instruction `@` and the number of its site.
//! Invariant: with sites shown, the text holds all of the function but its dead values and unreachable blocks. Text that was
//! parsed prints as it was, comments aside.
//!
//! ```text
//! ssa -> int {
//!     slot 0: int
//! b0(%0: int, %1: ref) from block0:
//!     %2: int = load len %1
//!     check_index %0, %2
//!     %3: int = load elem int %1, %0
//!     %4: bool = ilt %3, 7
//!     branch %4, b1(), b2(%3) either_way
//! b1() from block1 catch b3 cold: ; loop depth 1
//!     ...
//! }
//! ```
//!
//! Operands stand bare behind an operation that always has as many, and in parentheses behind others.

use super::cfg::Graph;
use super::op::{Extent, Mem, PathSink, Probe};
use super::ssa::{Block, Def, Func, Inst, Op, Seen, Target, Term, Value};
use crate::probes::Fold;
use crate::probes::path_table::PathTable;
use crate::probes::step_table::StepTable;
use holloway_lang::ir::{Builtin, Module, Operand};
use holloway_profiler::event::packing::Packing;
use std::fmt::{self, Write as _};
use std::rc::Rc;

/// Which sites are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sites {
    /// None: for people.
    Hidden,
    /// All: for reading back.
    Shown,
}

/// Prints a function; the module gives the names of callees, as comments.
pub fn function(module: &Module, func: &Func, sites: Sites) -> String {
    let mut printer = Printer { module, func, graph: Graph::of(func), sites, out: String::new() };
    printer.function().expect("strings take all text");
    printer.out
}

struct Printer<'a> {
    module: &'a Module,
    func: &'a Func,
    graph: Rc<Graph>,
    sites: Sites,
    out: String,
}

impl Printer<'_> {
    fn function(&mut self) -> fmt::Result {
        let result = self.func.result.map(|scalar| format!(" -> {}", scalar.name())).unwrap_or_default();
        writeln!(self.out, "ssa{result} {{")?;
        self.declarations()?;
        for at in 0..self.graph.rpo.len() {
            self.block(self.graph.rpo[at])?;
        }
        writeln!(self.out, "}}")
    }

    fn declarations(&mut self) -> fmt::Result {
        let Printer { func, out, .. } = self;
        if func.osr_entry {
            writeln!(out, "    osr_entry")?;
        }
        if func.has_polls {
            writeln!(out, "    polls")?;
        }
        if func.has_osr_points {
            writeln!(out, "    osr_points")?;
        }
        if func.inlined.calls > 0 {
            writeln!(out, "    inlined {} guarded {}", func.inlined.calls, func.inlined.guarded)?;
        }
        for (slot, scalar) in func.slots.iter().enumerate() {
            writeln!(out, "    slot {slot}: {}", scalar.name())?;
        }
        for (call, slot) in &func.pending {
            match call {
                Some(site) => writeln!(out, "    pending {slot} in @{site}")?,
                None => writeln!(out, "    pending {slot}")?,
            }
        }
        if self.sites == Sites::Hidden {
            return Ok(());
        }
        for (at, site) in func.sites.iter().enumerate() {
            let (span, inlined_at) = (site.span, site.inlined_at.map(|call| format!(" in @{call}")));
            let span = format!("!{}:{}..{}", span.file.as_u32(), span.start, span.end);
            writeln!(out, "    site {at} = {} {} {span}{}", site.func, site.block, inlined_at.unwrap_or_default())?;
        }
        writeln!(out, "    entry @{}", func.entry_site)
    }

    fn block(&mut self, block: Block) -> fmt::Result {
        let func = self.func;
        let data = &func.blocks[block];
        let params: Vec<String> = data.params.iter().map(|param| self.defined(*param)).collect();
        let inlined = if data.origin.inlined { " inlined" } else { "" };
        write!(self.out, "{block}({}) from {}{inlined}", params.join(", "), data.origin.block)?;
        if let Some(handler) = data.handler {
            write!(self.out, " catch {handler}")?;
        }
        let Seen { weight, rare, rounds } = data.seen;
        for (is_so, word) in [(data.cold, "cold"), (rare, "rare"), (func.mostly_then.contains(block), "mostly_then")] {
            if is_so {
                write!(self.out, " {word}")?;
            }
        }
        if let Some(weight) = weight {
            write!(self.out, " weight {}", Operand::Float(weight.to_bits()))?;
        }
        if let Some(rounds) = rounds {
            write!(self.out, " rounds {}", Operand::Float(rounds.to_bits()))?;
        }
        match self.graph.loop_depth(block) {
            0 => writeln!(self.out, ":")?,
            depth => writeln!(self.out, ": ; loop depth {depth}")?,
        }
        data.insts.iter().try_for_each(|inst| self.inst(*inst))?;
        let either_way = if func.goes_either_way(block) { " either_way" } else { "" };
        let term = self.term(&data.term);
        write!(self.out, "    {term}{either_way}")?;
        self.site(data.term_site)?;
        self.out.write_char('\n')
    }

    fn inst(&mut self, inst: Inst) -> fmt::Result {
        let data = &self.func.insts[inst];
        let result = data.result.map(|value| format!("{} = ", self.defined(value))).unwrap_or_default();
        let (name, args) = (name(data.op), data.args.as_slice());
        let line = match data.op {
            Op::CallIndirect(_) => format!("{name} {}({})", self.value(args[0]), self.values(&args[1..])),
            op if op.operands().is_none() => format!("{name}({})", self.values(args)),
            _ if args.is_empty() => name,
            _ => format!("{name} {}", self.values(args)),
        };
        let is_redundant = matches!(data.op, Op::Load(_)) && self.func.redundant.contains(&data.site);
        let redundant = if is_redundant { " redundant" } else { "" };
        write!(self.out, "    {result}{line}{redundant}")?;
        self.site(data.site)?;
        if let Op::Call(callee) = data.op
            && let Some(callee) = self.module.funcs.get(callee)
        {
            write!(self.out, " ; {}", callee.body.name)?;
        }
        self.out.write_char('\n')
    }

    fn site(&mut self, site: u32) -> fmt::Result {
        match self.sites {
            Sites::Hidden => Ok(()),
            Sites::Shown => write!(self.out, " @{site}"),
        }
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Jump(to) => format!("jump {}", self.target(to)),
            Term::Branch { cond, then, otherwise } => {
                format!("branch {}, {}, {}", self.value(*cond), self.target(then), self.target(otherwise))
            }
            Term::Switch { value, cases, default } => {
                let cases: Vec<String> =
                    cases.iter().map(|(case, to)| format!("{case}: {}", self.target(to))).collect();
                format!("switch {} [{}], {}", self.value(*value), cases.join(", "), self.target(default))
            }
            Term::Return(None) => "return".into(),
            Term::Return(Some(result)) => format!("return {}", self.value(*result)),
            Term::Fail(kind, message) => format!("fail {} {}", kind.name(), self.value(*message)),
            Term::Exit(status) => format!("exit {}", self.value(*status)),
        }
    }

    fn target(&self, to: &Target) -> String {
        format!("{}({})", to.block, self.values(&to.args))
    }

    /// A value where it is defined.
    fn defined(&self, value: Value) -> String {
        format!("{value}: {}", self.func.values[value].scalar.name())
    }

    /// A value where it is used.
    fn value(&self, value: Value) -> String {
        match self.func.values[value].def {
            Def::Const(operand) => operand.to_string(),
            Def::Inst(_) | Def::Param(..) => value.to_string(),
        }
    }

    fn values(&self, all: &[Value]) -> String {
        all.iter().map(|one| self.value(*one)).collect::<Vec<_>>().join(", ")
    }
}

/// An operation without its operands.
fn name(op: Op) -> String {
    match op {
        Op::Unary(op) => op.name().into(),
        Op::Binary(op) => op.name().into(),
        Op::Select => "select".into(),
        Op::Below => "below".into(),
        Op::RotateWord => "rotate_word".into(),
        Op::CheckZero => "check_zero".into(),
        Op::CheckIndex => "check_index".into(),
        Op::CheckSome => "check_some".into(),
        Op::Load(mem) => format!("load {}", place(mem)),
        Op::Store(mem) => format!("store {}", place(mem)),
        Op::LinearLoad(access, offset) => format!("linear_load {} {offset}", access.name()),
        Op::LinearStore(access, offset) => format!("linear_store {} {offset}", access.name()),
        Op::Call(func) => format!("call {func}"),
        Op::CallIndirect(sig) => format!("call_indirect {sig}"),
        Op::Builtin(Builtin::Host(call)) => format!("builtin host {call}"),
        Op::Builtin(builtin) => {
            format!("builtin {}{}", builtin.name(), builtin.ty().map(|ty| format!(" {ty}")).unwrap_or_default())
        }
        Op::NewRecord(record) => format!("new_record {record}"),
        Op::NewArray(elem) => format!("new_array {}", elem.name()),
        Op::ArrayOf(elem) => format!("array_of {}", elem.name()),
        Op::Allocated => "allocated".into(),
        Op::CatchMessage => "catch_message".into(),
        Op::OsrPoint => "osr_point".into(),
        Op::Poll => "poll".into(),
        Op::Sunk(record, field) => format!("sunk {record}.{field}"),
        Op::Probe(probe) => format!("probe {}", self::probe(probe)),
    }
}

fn place(mem: Mem) -> String {
    match mem {
        Mem::Len => "len".into(),
        Mem::Base => "base".into(),
        Mem::Elem(elem) => format!("elem {}", elem.name()),
        Mem::Field(record, field) => format!("field {record}.{field}"),
        Mem::Global(global) => format!("global {global}"),
        Mem::Slot(slot) => format!("slot {slot}"),
        Mem::State(word) => format!("state {word}"),
    }
}

/// Steps as the addresses of their first row and of the counters of further iterations, the length of sequences, the paths and the loops.
fn step_table(StepTable { first, further, k, paths, loops }: StepTable) -> String {
    format!("{first} {further} {k} {paths} {loops}")
}

fn extent(extent: Extent) -> String {
    match extent {
        Extent::One => "one".to_owned(),
        Extent::Last => "last".to_owned(),
        Extent::Repeated(of) => format!("repeated {}", of.as_u32()),
    }
}

fn path_sink(sink: PathSink) -> String {
    match sink {
        PathSink::Array(array) => format!("array {array}"),
        PathSink::Table(PathTable { header }) => format!("table {header}"),
        PathSink::Steps(table) => format!("steps {}", step_table(table)),
        PathSink::Bursts(cell, tag) => format!("bursts {cell} {tag}"),
        PathSink::Words(packing, function) => format!("words {} {}", layout(packing), function.as_u32()),
    }
}

fn layout(Packing { bits, ids }: Packing) -> String {
    format!("{bits} {ids}")
}

/// Addresses, and what else a probe was made with, are plain numbers.
fn probe(probe: Probe) -> String {
    let unless = |switch: Option<usize>| switch.map(|address| format!(" if {address}")).unwrap_or_default();
    match probe {
        Probe::Pending(slot) => format!("pending {slot}"),
        Probe::Count(counter) => format!("count {counter}"),
        Probe::Paths(sink, extent) => format!("paths {} {}", self::extent(extent), path_sink(sink)),
        Probe::BeginSample(cell, tag) => format!("begin_sample {cell} {tag}"),
        Probe::Emit(switch) => format!("emit{}", unless(switch)),
        Probe::NoteTarget(cell) => format!("note_target {cell}"),
        Probe::Execution(slots) => format!("execution {slots}"),
        Probe::Pass(word) => format!("pass {}", word.name()),
        Probe::Receive(word) => format!("receive {}", word.name()),
        Probe::Fold(Fold { cell, announce, switch }) => format!("fold {cell} {announce}{}", unless(switch)),
    }
}
