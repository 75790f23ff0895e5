//! The operations of the SSA form, and what passes may do with each.
//!
//! Invariant: every question about an operation is answered here; what may be done with it follows from the kind that
//! `Op::kind` gives it.

use crate::probes::Fold;
use crate::probes::path_table::PathTable;
use crate::probes::run_cell::Slots;
use crate::probes::step_table::{RepeatedLoop, StepTable};
use holloway_lang::ir::{self, Access, BinaryOp, Builtin, Elem, FuncRef, Global, RecordRef, Scalar, SigRef, UnaryOp};
use holloway_profiler::event::FunctionId;
use holloway_profiler::event::packing::Packing;

/// A place in memory that an access touches, by what can alias: places of different kinds never overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mem {
    /// The length of an array or string, which never changes. Operand: the object.
    Len,
    /// The base of a string, which never changes. Operand: the string.
    Base,
    /// An element. Operands: the array, or the base of a string; the index.
    Elem(Elem),
    /// A field. Operand: the object.
    Field(RecordRef, u32),
    /// A global. No operand.
    Global(Global),
    /// A local that lives in memory. No operand.
    Slot(u32),
    /// A word of the state that a transfer passes on. No operand.
    State(u32),
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// One operand.
    Unary(UnaryOp),
    /// Two operands. Division is by something a [`Op::CheckZero`] saw, or a constant.
    Binary(BinaryOp),
    /// Rotates the low 32 bits of the first operand left by the second, a constant from 1 to 31; the result has no
    /// others.
    RotateWord,
    /// Third operand unless the first is true, then the second.
    Select,
    /// Compares: true if the first is less than the second, both unsigned.
    Below,
    /// Fails with `division by zero`.
    CheckZero,
    /// Fails with `index out of range` unless index (first) is below length (second), unsigned.
    CheckIndex,
    /// Fails with `unwrapped none`.
    CheckSome,
    /// Reads memory; operands are the place's.
    Load(Mem),
    /// Writes memory; operands are the place's, then the value.
    Store(Mem),
    /// Reads the linear memory at an address and that offset; fails out of bounds.
    LinearLoad(Access, u32),
    /// Writes the linear memory at an address and that offset: the address, the value. Fails out of bounds.
    LinearStore(Access, u32),
    /// Calls a function.
    Call(FuncRef),
    /// Calls a function value, the first operand.
    CallIndirect(SigRef),
    /// Runs an operation of the runtime.
    Builtin(Builtin),
    /// Allocates a record with the fields given.
    NewRecord(RecordRef),
    /// Allocates an array: length, fill. Fails on a negative length.
    NewArray(Elem),
    /// Allocates an array of the elements given.
    ArrayOf(Elem),
    /// The first operand, an object that was allocated before the code was entered; the second is its length, if there is one.
    Allocated,
    /// The message of the failure that led here.
    CatchMessage,
    /// Polls, and leaves for another version if one waits: the operands are the frame state at a loop header.
    OsrPoint,
    /// Polls, in code that counts paths: where a loop of the program goes back, as a path has ended there.
    Poll,
    /// Declares a store to a field that is made behind the loop: should what follows in this block fail or poll, it is
    /// made first. Operands: the object, the value.
    Sunk(RecordRef, u32),
    /// Belongs to a profile.
    Probe(Probe),
}

/// An operation of a profile. None can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probe {
    /// Declares what is pending, should what follows in this block fail: the operands go to slots from that one on.
    Pending(u32),
    /// Adds the operand to the counter at that address.
    Count(usize),
    /// Paths of an activation are complete. Operands: the word that the sink keeps, if it does; then the ids that the extent says.
    /// Gives the word from then on, unless the activation is over.
    Paths(PathSink, Extent),
    /// An activation begins of whose paths bursts are recorded: the address of the cell, and the slot of the tag.
    BeginSample(usize, u32),
    /// Writes the operands to the event buffer, unless the switch at that address is off.
    Emit(Option<usize>),
    /// One more execution of a region, whose bits are the operands.
    Fold(Fold),
    /// So many executions with equal bits, in a cell with such slots: the address of the cell, the bits, how many.
    Execution(Slots),
    /// Notes what an indirect call calls, which is the operand, in the cell at that address.
    NoteTarget(usize),
    /// Passes the operand to the activation that is called, or returned to.
    Pass(PassedWord),
    /// Reads what was passed last.
    Receive(PassedWord),
}

/// A place that complete paths go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathSink {
    /// The array of counters at that address, by id.
    Array(usize),
    /// A table, one by one.
    Table(PathTable),
    /// Steps in the forest of sequences. The state of the activation is the word.
    Steps(StepTable),
    /// The cell at that address, by which bursts are recorded; the tag of the activation is in that slot.
    Bursts(usize, u32),
    /// The event buffer, several ids in a word, between the markers of a function's activations.
    Words(Packing, FunctionId),
}

/// A number of paths that end together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// A path. Operand: its id.
    One,
    /// The last path of an activation. Operand: its id.
    Last,
    /// All iterations of a loop that has one path, by its index among these loops. Operands: the id of the first, that of every
    /// other one, and how many there were.
    Repeated(RepeatedLoop),
}

impl PathSink {
    /// Returns whether an activation keeps a word between its paths.
    pub fn keeps_word(self) -> bool {
        match self {
            PathSink::Steps(_) | PathSink::Words(..) => true,
            PathSink::Array(_) | PathSink::Table(_) | PathSink::Bursts(..) => false,
        }
    }
}

/// A word that activations pass to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PassedWord {
    /// A path, or any word of a plan.
    Path,
    /// The completions of a path at the callee's exit.
    Completions,
    /// 1 if the path knows no caller, else 0.
    Detached,
}

impl PassedWord {
    /// Every word, with its name.
    pub const NAMES: [(PassedWord, &str); 3] =
        [(PassedWord::Path, "path"), (PassedWord::Completions, "completions"), (PassedWord::Detached, "detached")];

    /// Its name.
    pub fn name(self) -> &'static str {
        let (_, name) = PassedWord::NAMES.into_iter().find(|(word, _)| *word == self).expect("every word is listed");
        name
    }
}

impl Probe {
    fn is_short(self) -> bool {
        match self {
            Probe::Pending(_) | Probe::Count(_) | Probe::Execution(_) => true,
            Probe::Paths(PathSink::Steps(_), Extent::One | Extent::Last) => true,
            Probe::Paths(sink, Extent::One | Extent::Last) => !sink.keeps_word(),
            Probe::Paths(_, Extent::Repeated(_)) | Probe::BeginSample(..) | Probe::Emit(_) | Probe::Fold(_) => false,
            Probe::NoteTarget(_) | Probe::Pass(_) | Probe::Receive(_) => false,
        }
    }

    /// Returns the number of operands; `None` if that varies.
    pub fn operands(self) -> Option<usize> {
        match self {
            Probe::Receive(_) | Probe::BeginSample(..) => Some(0),
            Probe::Count(_) | Probe::NoteTarget(_) | Probe::Pass(_) => Some(1),
            Probe::Paths(sink, Extent::One | Extent::Last) => Some(usize::from(sink.keeps_word()) + 1),
            Probe::Paths(sink, Extent::Repeated(_)) => Some(usize::from(sink.keeps_word()) + 3),
            Probe::Execution(_) => Some(3),
            Probe::Pending(_) | Probe::Emit(_) | Probe::Fold(_) => None,
        }
    }

    /// Returns the type of the result, if there is one.
    pub fn result(self) -> Option<Scalar> {
        let gives = match self {
            Probe::Receive(_) => true,
            Probe::Paths(sink, Extent::One | Extent::Repeated(_)) => sink.keeps_word(),
            Probe::Paths(_, Extent::Last) | Probe::Pending(_) | Probe::Count(_) | Probe::BeginSample(..) => false,
            Probe::Emit(_) | Probe::Fold(_) | Probe::Execution(_) | Probe::NoteTarget(_) | Probe::Pass(_) => false,
        };
        gives.then_some(Scalar::Int)
    }
}

/// The classes of operations, as far as passes care: the one place where each is classified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Computes its result from its operands alone, is cheap, and cannot trap the machine.
    Cheap,
    /// Computes its result from its operands alone, but dear, or to be trusted only where it stands.
    Pure,
    /// Reads memory that may be written.
    Read,
    /// Writes memory.
    Write,
    /// Fails or does nothing.
    Check,
    /// Reads or writes the linear memory, where nothing else lies, or fails.
    Linear,
    /// Makes an object, for which there may be no room.
    Allocation,
    /// Runs a function, which can do anything.
    Call,
    /// Does what the table of builtins says.
    Builtin(Builtin),
    /// Stays where it is, though it neither fails nor writes.
    Fixed,
    /// Belongs to a profile.
    Probe,
}

impl Mem {
    /// Returns whether it never changes.
    pub fn is_constant(self) -> bool {
        match self {
            Mem::Len | Mem::Base | Mem::Elem(Elem::Char) => true,
            Mem::Elem(Elem::Int | Elem::Float | Elem::Bool | Elem::Byte | Elem::Ref | Elem::Func) => false,
            Mem::Field(..) | Mem::Global(_) | Mem::Slot(_) | Mem::State(_) => false,
        }
    }

    /// Returns the number of operands that say which place it is.
    pub fn operands(self) -> usize {
        match self {
            Mem::Elem(_) => 2,
            Mem::Len | Mem::Base | Mem::Field(..) => 1,
            Mem::Global(_) | Mem::Slot(_) | Mem::State(_) => 0,
        }
    }
}

impl Op {
    /// Returns the number of operands; `None` if that varies.
    pub fn operands(self) -> Option<usize> {
        Some(match self {
            Op::Unary(_) | Op::CheckZero | Op::CheckSome | Op::LinearLoad(..) => 1,
            Op::LinearStore(..) => 2,
            Op::Binary(_) | Op::Below | Op::RotateWord | Op::CheckIndex | Op::NewArray(_) | Op::Sunk(..) => 2,
            Op::Select => 3,
            Op::Load(mem) => mem.operands(),
            Op::Store(mem) => mem.operands() + 1,
            Op::CatchMessage | Op::Poll => 0,
            Op::Probe(probe) => return probe.operands(),
            Op::Call(_) | Op::CallIndirect(_) | Op::Builtin(_) | Op::NewRecord(_) | Op::ArrayOf(_) => return None,
            Op::Allocated | Op::OsrPoint => return None,
        })
    }

    fn kind(self) -> Kind {
        match self {
            Op::Unary(_) | Op::Select | Op::Below | Op::RotateWord => Kind::Cheap,
            // What can fail traps the machine without the check ahead of it.
            Op::Binary(op) if op.can_fail() || op == BinaryOp::FloatRem => Kind::Pure,
            Op::Binary(_) => Kind::Cheap,
            Op::Allocated | Op::Load(Mem::Len | Mem::Base) => Kind::Pure,
            Op::Load(_) => Kind::Read,
            Op::Store(_) => Kind::Write,
            Op::CheckZero | Op::CheckIndex | Op::CheckSome => Kind::Check,
            Op::LinearLoad(..) | Op::LinearStore(..) => Kind::Linear,
            Op::NewRecord(_) | Op::NewArray(_) | Op::ArrayOf(_) => Kind::Allocation,
            Op::Call(_) | Op::CallIndirect(_) => Kind::Call,
            Op::Builtin(builtin) => Kind::Builtin(builtin),
            Op::CatchMessage | Op::OsrPoint | Op::Poll | Op::Sunk(..) => Kind::Fixed,
            Op::Probe(_) => Kind::Probe,
        }
    }

    /// Returns whether it can end in a run-time failure.
    pub fn can_fail(self) -> bool {
        match self.kind() {
            Kind::Check | Kind::Linear | Kind::Allocation | Kind::Call => true,
            Kind::Builtin(builtin) => builtin.can_fail(),
            Kind::Cheap | Kind::Pure | Kind::Read | Kind::Write | Kind::Fixed | Kind::Probe => false,
        }
    }

    /// Returns whether its result depends on its operands alone and it does nothing else, so that it may be moved, joined with an
    /// equal one, or left out. Division is pure, but must stay behind its check: see [`Op::is_speculable`].
    pub fn is_pure(self) -> bool {
        match self.kind() {
            Kind::Cheap | Kind::Pure => true,
            Kind::Builtin(builtin) => builtin.effect() == ir::builtin::Effect::Pure,
            Kind::Read
            | Kind::Write
            | Kind::Check
            | Kind::Linear
            | Kind::Allocation
            | Kind::Call
            | Kind::Fixed
            | Kind::Probe => false,
        }
    }

    /// Returns whether it reads strings alone, which nothing changes: behind an equal one it gives the same, and fails no more.
    pub fn reads_strings(self) -> bool {
        matches!(self.kind(), Kind::Builtin(builtin) if builtin.effect() == ir::builtin::Effect::Reads)
    }

    /// Returns whether it may be executed where the program would not have: pure, cannot trap the machine, and cheap.
    pub fn is_speculable(self) -> bool {
        self.kind() == Kind::Cheap
    }

    /// Returns whether it belongs to a profile.
    pub fn is_probe(self) -> bool {
        self.kind() == Kind::Probe
    }

    /// Returns whether it only declares what is pending.
    pub fn is_declaration(self) -> bool {
        matches!(self, Op::Sunk(..) | Op::Probe(Probe::Pending(_)))
    }

    /// Returns whether blocks with it may be copied for each way that leads there. Calls are long, and so are most probes; those that are short count
    /// each path where it ends, and a loop that counts so is to be as fast as it can be.
    pub fn is_copyable(self) -> bool {
        match self {
            Op::Call(_) | Op::CallIndirect(_) => false,
            Op::Probe(probe) => probe.is_short(),
            _ => true,
        }
    }

    /// Returns whether it polls.
    pub fn polls(self) -> bool {
        matches!(self, Op::OsrPoint | Op::Poll)
    }

    /// Returns whether it is one of the checks, which do nothing but fail.
    pub fn is_check(self) -> bool {
        self.kind() == Kind::Check
    }

    /// Returns whether it may change memory that loads read; allocation does not.
    pub fn writes(self) -> bool {
        match self.kind() {
            Kind::Write | Kind::Call => true,
            Kind::Builtin(builtin) => builtin.effect() == ir::builtin::Effect::Writes,
            Kind::Cheap
            | Kind::Pure
            | Kind::Read
            | Kind::Check
            | Kind::Linear
            | Kind::Allocation
            | Kind::Fixed
            | Kind::Probe => false,
        }
    }

    /// Returns whether it must stay where it is, in order with all others of the kind.
    pub fn has_effect(self) -> bool {
        self.can_fail() || self.writes() || matches!(self.kind(), Kind::Fixed | Kind::Probe)
    }
}

/// Returns whether an operator compares two numbers.
pub(super) fn compares_numbers(op: BinaryOp) -> bool {
    op.result() == Scalar::Bool && matches!(op.operand(), Scalar::Int | Scalar::Float)
}

/// The comparison of integers that holds where another does not.
pub(super) fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::IntEq => BinaryOp::IntNe,
        BinaryOp::IntNe => BinaryOp::IntEq,
        BinaryOp::IntLt => BinaryOp::IntGe,
        BinaryOp::IntLe => BinaryOp::IntGt,
        BinaryOp::IntGt => BinaryOp::IntLe,
        BinaryOp::IntGe => BinaryOp::IntLt,
        _ => return None,
    })
}
