//! Instructions that stay within one frame, and terminators.
//!
//! In: an instruction or terminator and the window of its frame. Out: changed registers, or the next block.
//! Invariant: nothing here touches the call stack; calls are the interpreter's own.

use super::arith;
use super::frame::read;
use super::objects;
use cranelift_entity::EntityRef;
use holloway_ir::{Block, FailKind, Inst, Local, Operand, Terminator};
use holloway_runtime::Runtime;
use holloway_runtime::failure::FailureKind;

/// The effect of a terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Continues at a block.
    Block(Block),
    /// Returns.
    Return(Option<u64>),
    /// Ends the program.
    Exit(i64),
}

/// Executes an instruction that is no call.
#[inline]
pub(super) fn inst(rt: &mut Runtime, base: usize, inst: &Inst) -> Result<(), FailureKind> {
    match inst {
        Inst::Copy { dst, src } => set(rt, base, *dst, read(rt, base, *src)),
        Inst::Unary { op, dst, src } => set(rt, base, *dst, arith::unary(*op, read(rt, base, *src))),
        Inst::Binary { op, dst, lhs, rhs } => {
            set(rt, base, *dst, arith::binary(*op, read(rt, base, *lhs), read(rt, base, *rhs))?);
        }
        Inst::Select { dst, cond, then, otherwise } => {
            let chosen = if read(rt, base, *cond) != 0 { *then } else { *otherwise };
            set(rt, base, *dst, read(rt, base, chosen));
        }
        Inst::Load { dst, access, address, offset } => {
            let address = read(rt, base, *address);
            let bits = rt.linear_mut().memory.load(address, *offset, access.size())?;
            set(rt, base, *dst, access.extend(bits));
        }
        Inst::Store { access, address, offset, src } => {
            let (address, word) = (read(rt, base, *address), read(rt, base, *src));
            rt.linear_mut().memory.store(address, *offset, access.size(), word)?;
        }
        Inst::GlobalGet { dst, global } => set(rt, base, *dst, rt.globals().get(*global)),
        Inst::GlobalSet { global, src } => {
            let word = read(rt, base, *src);
            rt.globals_mut().set(*global, word);
        }
        Inst::Builtin { dst, builtin, args } => {
            let word = objects::builtin(rt, base, *builtin, args)?;
            dst.iter().for_each(|dst| set(rt, base, *dst, word));
        }
        Inst::NewRecord { .. } | Inst::FieldGet { .. } | Inst::FieldSet { .. } => objects::record(rt, base, inst)?,
        Inst::NewArray { .. }
        | Inst::ArrayOf { .. }
        | Inst::ElemGet { .. }
        | Inst::ElemSet { .. }
        | Inst::Len { .. } => objects::array(rt, base, inst)?,
        Inst::Unwrap { dst, src } => match read(rt, base, *src) {
            0 => return Err(FailureKind::UnwrappedNone),
            word => set(rt, base, *dst, word),
        },
        Inst::CatchMessage { dst } => set(rt, base, *dst, rt.context().caught()),
        Inst::Call { .. } | Inst::CallIndirect { .. } => unreachable!("calls change the call stack"),
    }
    Ok(())
}

/// Evaluates the terminator of a block.
pub(super) fn terminator(rt: &Runtime, base: usize, term: &Terminator) -> Result<Next, FailureKind> {
    Ok(match term {
        Terminator::Jump(to) => Next::Block(*to),
        Terminator::Branch { cond, then, otherwise } => {
            Next::Block(if read(rt, base, *cond) != 0 { *then } else { *otherwise })
        }
        Terminator::Switch { value, cases, default } => {
            let value = read(rt, base, *value) as i64;
            Next::Block(cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, to)| *to))
        }
        Terminator::Return(value) => Next::Return(value.map(|value| read(rt, base, value))),
        Terminator::Fail { kind, message } => return Err(raised(rt, base, *kind, *message)),
        Terminator::Exit(status) => Next::Exit(read(rt, base, *status) as i64),
    })
}

fn raised(rt: &Runtime, base: usize, kind: FailKind, message: Operand) -> FailureKind {
    let message = objects::string(rt, base, message);
    match kind {
        FailKind::User => FailureKind::User(message.expect("`fail` has a message")),
        FailKind::Assert => FailureKind::AssertionFailed(message),
        FailKind::StepIsZero => FailureKind::StepIsZero,
        FailKind::Unreachable => FailureKind::Unreachable,
        FailKind::IntegerOverflow => FailureKind::IntegerOverflow,
        FailKind::InvalidConversion => FailureKind::InvalidConversion,
    }
}

#[inline]
fn set(rt: &mut Runtime, base: usize, local: Local, word: u64) {
    rt.registers[base + local.index()] = word;
}
