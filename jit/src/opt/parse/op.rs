//! Operations in the text of the SSA form: their names, what stands behind those, and their operands.
//!
//! In: the text behind `=`. Out: an operation; its operands. Invariant: every operation that [`crate::opt::print`] writes is
//! read.

use super::Parser;
use crate::opt::op::{Extent, Mem, PassedWord, PathSink, Probe};
use crate::opt::ssa::{Op, Value};
use crate::probes::Fold;
use crate::probes::path_table::PathTable;
use crate::probes::run_cell::Slots;
use crate::probes::step_table::{RepeatedLoop, StepTable};
use holloway_lang::ir::parse::{access, builtin, elem};
use holloway_lang::ir::scan::{Parsed, refuse};
use holloway_lang::ir::{BinaryOp, RecordRef, UnaryOp};
use holloway_profiler::event::FunctionId;
use holloway_profiler::event::packing::Packing;

impl Parser<'_> {
    /// An operation without its operands.
    pub(super) fn op(&mut self) -> Parsed<Op> {
        let s = &mut self.s;
        let word = s.any_word()?;
        if let Some(op) = UnaryOp::from_name(word) {
            return Ok(Op::Unary(op));
        }
        if let Some(op) = BinaryOp::from_name(word) {
            return Ok(Op::Binary(op));
        }
        Ok(match word {
            "select" => Op::Select,
            "below" => Op::Below,
            "rotate_word" => Op::RotateWord,
            "check_zero" => Op::CheckZero,
            "check_index" => Op::CheckIndex,
            "check_some" => Op::CheckSome,
            "load" => Op::Load(self.place()?),
            "store" => Op::Store(self.place()?),
            "linear_load" => {
                let access = access(s)?;
                Op::LinearLoad(access, s.number()? as u32)
            }
            "linear_store" => {
                let access = access(s)?;
                Op::LinearStore(access, s.number()? as u32)
            }
            "call" => Op::Call(s.id("f")?),
            "call_indirect" => Op::CallIndirect(s.id("sig")?),
            "builtin" => Op::Builtin(builtin(s)?),
            "new_record" => Op::NewRecord(s.id("r")?),
            "new_array" => Op::NewArray(elem(s)?),
            "array_of" => Op::ArrayOf(elem(s)?),
            "allocated" => Op::Allocated,
            "catch_message" => Op::CatchMessage,
            "osr_point" => Op::OsrPoint,
            "poll" => Op::Poll,
            "sunk" => {
                let (record, field) = self.field()?;
                Op::Sunk(record, field)
            }
            "probe" => Op::Probe(self.probe()?),
            _ => return refuse(s, "expected an operation"),
        })
    }

    /// The operands of an operation.
    pub(super) fn args(&mut self, op: Op) -> Parsed<Vec<Value>> {
        if let Op::CallIndirect(_) = op {
            let callee = self.value()?;
            let args = self.values()?;
            return Ok(std::iter::once(callee).chain(args).collect());
        }
        let Some(number) = op.operands() else { return self.values() };
        let mut args = Vec::with_capacity(number);
        for at in 0..number {
            if at > 0 {
                self.s.expect(",")?;
            }
            args.push(self.value()?);
        }
        Ok(args)
    }

    fn place(&mut self) -> Parsed<Mem> {
        let s = &mut self.s;
        Ok(match s.any_word()? {
            "len" => Mem::Len,
            "base" => Mem::Base,
            "elem" => Mem::Elem(elem(s)?),
            "field" => {
                let (record, field) = self.field()?;
                Mem::Field(record, field)
            }
            "global" => Mem::Global(s.id("g")?),
            "slot" => Mem::Slot(s.number()? as u32),
            "state" => Mem::State(s.number()? as u32),
            _ => return refuse(s, "expected a place in memory"),
        })
    }

    fn field(&mut self) -> Parsed<(RecordRef, u32)> {
        let record = self.s.id("r")?;
        self.s.expect(".")?;
        Ok((record, self.s.number()? as u32))
    }

    fn probe(&mut self) -> Parsed<Probe> {
        let s = &mut self.s;
        Ok(match s.any_word()? {
            "pending" => Probe::Pending(s.number()? as u32),
            "count" => Probe::Count(s.number()?),
            "paths" => {
                let extent = self.extent()?;
                Probe::Paths(self.path_sink()?, extent)
            }
            "begin_sample" => Probe::BeginSample(s.number()?, s.number()? as u32),
            "emit" => Probe::Emit(self.switch_address()?),
            "note_target" => Probe::NoteTarget(s.number()?),
            "execution" => Probe::Execution(match s.any_word()? {
                "hashed" => Slots::Hashed,
                "indexed" => Slots::Indexed(s.number()? as u32),
                _ => return refuse(s, "expected where slots are"),
            }),
            "pass" => Probe::Pass(self.passed_word()?),
            "receive" => Probe::Receive(self.passed_word()?),
            "fold" => {
                let (cell, announce) = (s.number()?, s.number()? as u64);
                Probe::Fold(Fold { cell, announce, switch: self.switch_address()? })
            }
            _ => return refuse(s, "expected an operation of a profile"),
        })
    }

    /// The word that a probe passes or receives.
    fn passed_word(&mut self) -> Parsed<PassedWord> {
        let s = &mut self.s;
        let name = s.any_word()?;
        match PassedWord::NAMES.into_iter().find(|(_, known)| *known == name) {
            Some((word, _)) => Ok(word),
            None => refuse(s, "expected a word that is passed"),
        }
    }

    /// The paths that a probe reports together.
    fn extent(&mut self) -> Parsed<Extent> {
        let s = &mut self.s;
        Ok(match s.any_word()? {
            "one" => Extent::One,
            "last" => Extent::Last,
            "repeated" => Extent::Repeated(RepeatedLoop::from_u32(s.number()? as u32)),
            _ => return refuse(s, "expected how many paths end"),
        })
    }

    /// The place that a probe reports paths to.
    fn path_sink(&mut self) -> Parsed<PathSink> {
        let s = &mut self.s;
        Ok(match s.any_word()? {
            "array" => PathSink::Array(s.number()?),
            "table" => PathSink::Table(PathTable { header: s.number()? }),
            "steps" => PathSink::Steps(self.step_table()?),
            "bursts" => PathSink::Bursts(s.number()?, s.number()? as u32),
            "words" => PathSink::Words(self.packing()?, FunctionId::from_u32(self.s.number()? as u32)),
            _ => return refuse(s, "expected where paths go"),
        })
    }

    /// The steps that a probe counts.
    fn step_table(&mut self) -> Parsed<StepTable> {
        let s = &mut self.s;
        let (first, further) = (s.number()?, s.number()?);
        let (k, paths, loops) = (s.number()? as u32, s.number()? as u64, s.number()? as u32);
        Ok(StepTable { first, further, k, paths, loops })
    }

    /// The layout of a word of ids.
    fn packing(&mut self) -> Parsed<Packing> {
        Ok(Packing { bits: self.s.number()? as u32, ids: self.s.number()? as u32 })
    }

    /// The address of the switch that a probe looks at, if it does.
    fn switch_address(&mut self) -> Parsed<Option<usize>> {
        if self.s.eat_word("if") { self.s.number().map(Some) } else { Ok(None) }
    }
}
