//! Facts that follow from the value of a state, instruction by instruction.
//!
//! In: a [`State`], its value, instructions in the order of their execution. Out: what each does with the state, and where the branches go that
//! depend on it.
//! Invariant: a value is known only if the place has it whatever else is true. What may have changed it, as a store to a place that
//! may be the same or a call, ends that.

use super::state::{Holder, State};
use hashbrown::HashMap;
use holloway_lang::ir::builtin::Effect;
use holloway_lang::ir::{BinaryOp, Block, Elem, Global, Inst, Local, Operand, Terminator};

/// Knowledge of the state, and of locals by it, while instructions are executed.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    state: State,
    value: Option<i64>,
    locals: HashMap<Local, Fact>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    /// It is that; by the value of the state, or as a constant.
    Int(i64, KnownBy),
    /// It is that by the value of the state.
    Bool(bool),
    /// It refers to the object that the state is in.
    Holder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KnownBy {
    State,
    Constant,
}

/// Use that an instruction makes of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Nothing.
    Nothing,
    /// Reads the value that it has.
    Read(i64),
    /// Assigns it.
    Written,
    /// May assign it.
    Disturbed,
}

/// The access of an instruction to the place.
enum Access {
    None,
    Load,
    Store(Operand),
    /// A store to a place that may be the same.
    MayStore(Operand),
    /// Anything may be stored there, or the place may be in another object from now on.
    Any,
}

impl Facts {
    /// Those where a state has a value.
    pub(super) fn new(state: State, value: i64) -> Facts {
        let mut facts = Facts { state, value: None, locals: HashMap::new() };
        facts.suppose(value);
        facts
    }

    /// The value of the state, if it is known.
    pub(super) fn value(&self) -> Option<i64> {
        self.value
    }

    /// Takes it for known that the state has a value.
    pub(super) fn suppose(&mut self, value: i64) {
        self.value = Some(value);
        if let State::Local(local) = self.state {
            self.locals.insert(local, Fact::Int(value, KnownBy::State));
        }
    }

    /// Follows an instruction.
    pub(super) fn follow(&mut self, inst: &Inst) -> Use {
        let mut found = match self.access(inst) {
            Access::None => Use::Nothing,
            Access::Load => self.value.map_or(Use::Nothing, Use::Read),
            Access::Store(src) => {
                self.value = self.int(src).map(|(value, _)| value).filter(|value| self.keeps(*value));
                Use::Written
            }
            Access::MayStore(src) => match (self.int(src), self.value) {
                (Some((stored, _)), Some(value)) if stored == value => Use::Nothing,
                _ => self.disturb(),
            },
            Access::Any => self.disturb(),
        };
        let Some(dst) = inst.dst() else { return found };
        let mut fact = self.result(inst, found);
        if self.state == State::Local(dst) {
            self.value = match fact {
                Some(Fact::Int(value, _)) => Some(value),
                Some(Fact::Bool(_) | Fact::Holder) | None => None,
            };
            fact = self.value.map(|value| Fact::Int(value, KnownBy::State));
            found = Use::Written;
        }
        match fact {
            Some(fact) => _ = self.locals.insert(dst, fact),
            None => _ = self.locals.remove(&dst),
        }
        found
    }

    /// Block that a terminator leads to by the value of the state.
    pub(super) fn decided(&self, term: &Terminator) -> Option<Block> {
        match term {
            Terminator::Branch { cond: Operand::Local(cond), then, otherwise } => match self.locals.get(cond)? {
                Fact::Bool(holds) => Some(if *holds { *then } else { *otherwise }),
                Fact::Int(..) | Fact::Holder => None,
            },
            Terminator::Switch { value, cases, default } => match self.int(*value)? {
                (value, KnownBy::State) => {
                    Some(cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, to)| *to))
                }
                (_, KnownBy::Constant) => None,
            },
            Terminator::Branch { .. }
            | Terminator::Jump(_)
            | Terminator::Return(_)
            | Terminator::Fail { .. }
            | Terminator::Exit(_) => None,
        }
    }

    fn disturb(&mut self) -> Use {
        self.value = None;
        // A global may refer to another object.
        self.locals.retain(|_, fact| *fact != Fact::Holder);
        Use::Disturbed
    }

    fn int(&self, operand: Operand) -> Option<(i64, KnownBy)> {
        match operand {
            Operand::Int(value) => Some((value, KnownBy::Constant)),
            Operand::Local(local) => match self.locals.get(&local)? {
                Fact::Int(value, source) => Some((*value, *source)),
                Fact::Bool(_) | Fact::Holder => None,
            },
            _ => None,
        }
    }

    /// The fact that holds of an instruction's result.
    fn result(&self, inst: &Inst, found: Use) -> Option<Fact> {
        match (inst, found) {
            (_, Use::Read(value)) => Some(Fact::Int(value, KnownBy::State)),
            (Inst::GlobalGet { global, .. }, _) => self.is_in_global(*global).then_some(Fact::Holder),
            (Inst::Copy { src: Operand::Local(src), .. }, _) => self.locals.get(src).copied(),
            (Inst::Copy { src, .. }, _) => self.int(*src).map(|(value, source)| Fact::Int(value, source)),
            (Inst::Binary { op, lhs, rhs, .. }, _) => {
                let ((a, source), (b, other)) = (self.int(*lhs)?, self.int(*rhs)?);
                let depends = source == KnownBy::State || other == KnownBy::State;
                compare(*op, a, b).filter(|_| depends).map(Fact::Bool)
            }
            _ => None,
        }
    }

    /// Returns whether a value that is stored in the place is the value that it has then: bytes keep the low eight bits, and a field
    /// may be one.
    fn keeps(&self, value: i64) -> bool {
        match self.state {
            State::Field { .. } | State::Element { elem: Elem::Byte, .. } => (0..=0xff).contains(&value),
            State::Local(_) | State::Global(_) | State::Element { .. } => true,
        }
    }

    fn is_in_global(&self, global: Global) -> bool {
        self.state.holder() == Some(Holder::Global(global))
    }

    /// Returns whether an operand refers to the object that the state is in.
    fn is_holder(&self, object: Operand) -> bool {
        let Operand::Local(local) = object else { return false };
        self.state.holder() == Some(Holder::Local(local)) || self.locals.get(&local) == Some(&Fact::Holder)
    }

    fn access(&self, inst: &Inst) -> Access {
        let is_memory = !matches!(self.state, State::Local(_));
        let is_element = matches!(self.state, State::Element { .. });
        match inst {
            Inst::Call { .. } | Inst::CallIndirect { .. } if is_memory => Access::Any,
            // No operation of the runtime writes to fields or globals of the program.
            Inst::Builtin { builtin, .. } if is_element && builtin.effect() == Effect::Writes => Access::Any,
            Inst::GlobalGet { global, .. } if self.state == State::Global(*global) => Access::Load,
            Inst::GlobalSet { global, src } if self.state == State::Global(*global) => Access::Store(*src),
            Inst::GlobalSet { global, .. } if self.is_in_global(*global) => Access::Any,
            Inst::FieldGet { object, record, field, .. } => self.field(*object, (*record, *field), None),
            Inst::FieldSet { object, record, field, src } => self.field(*object, (*record, *field), Some(*src)),
            Inst::ElemGet { elem, array, index, .. } => self.element(*elem, (*array, *index), None),
            Inst::ElemSet { elem, array, index, src } => self.element(*elem, (*array, *index), Some(*src)),
            Inst::Call { .. }
            | Inst::CallIndirect { .. }
            | Inst::Builtin { .. }
            | Inst::GlobalGet { .. }
            | Inst::GlobalSet { .. }
            | Inst::Copy { .. }
            | Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::NewRecord { .. }
            | Inst::NewArray { .. }
            | Inst::ArrayOf { .. }
            | Inst::Len { .. }
            | Inst::Unwrap { .. }
            | Inst::CatchMessage { .. } => Access::None,
        }
    }

    fn field(&self, object: Operand, at: (holloway_lang::ir::RecordRef, u32), src: Option<Operand>) -> Access {
        match self.state {
            State::Field { record, field, .. } if (record, field) == at => match (self.is_holder(object), src) {
                (true, None) => Access::Load,
                (true, Some(src)) => Access::Store(src),
                (false, None) => Access::None,
                (false, Some(src)) => Access::MayStore(src),
            },
            State::Local(_) | State::Global(_) | State::Field { .. } | State::Element { .. } => Access::None,
        }
    }

    fn element(&self, kind: Elem, (array, at): (Operand, Operand), src: Option<Operand>) -> Access {
        let State::Element { elem, index, .. } = self.state else { return Access::None };
        let is_other = matches!((index, at), (Operand::Int(one), Operand::Int(other)) if one != other);
        if elem != kind || is_other {
            return Access::None;
        }
        match (self.is_holder(array) && index == at, src) {
            (true, None) => Access::Load,
            (true, Some(src)) => Access::Store(src),
            (false, None) => Access::None,
            (false, Some(src)) => Access::MayStore(src),
        }
    }
}

fn compare(op: BinaryOp, a: i64, b: i64) -> Option<bool> {
    Some(match op {
        BinaryOp::IntEq => a == b,
        BinaryOp::IntNe => a != b,
        BinaryOp::IntLt => a < b,
        BinaryOp::IntLe => a <= b,
        BinaryOp::IntGt => a > b,
        BinaryOp::IntGe => a >= b,
        _ => return None,
    })
}
