//! The place that says which state a loop is in, as advice names it.
//!
//! In: a [`State`]. Out: JSON, and it read back. Invariant: everything is named by its number in the program, as blocks and locals are.

use holloway_jit::trace::{Holder, State};
use holloway_lang::ir::{Elem, Global, Local, Operand, RecordRef};
use serde::{Deserialize, Serialize};

/// A place.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StateAdvice {
    /// A local.
    Local(u32),
    /// A global.
    Global(u32),
    /// A field of what a variable refers to.
    Field {
        /// The variable.
        of: HolderAdvice,
        /// The layout of the record.
        record: u32,
        /// The field in it.
        field: u32,
    },
    /// An element of what a variable refers to.
    Element {
        /// The variable.
        of: HolderAdvice,
        /// The storage of the array.
        elem: ElementAdvice,
        /// The index.
        index: IndexAdvice,
    },
}

/// A variable that refers to an object.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HolderAdvice {
    /// A local.
    Local(u32),
    /// A global.
    Global(u32),
}

/// Storage of an array of integers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ElementAdvice {
    /// Words.
    Int,
    /// Bytes.
    Byte,
}

/// An index.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexAdvice {
    /// A constant.
    Constant(i64),
    /// The value of a local.
    Local(u32),
}

impl StateAdvice {
    pub(super) fn of(state: State) -> Self {
        match state {
            State::Local(local) => Self::Local(local.as_u32()),
            State::Global(global) => Self::Global(global.as_u32()),
            State::Field { of, record, field } => {
                Self::Field { of: HolderAdvice::of(of), record: record.as_u32(), field }
            }
            State::Element { of, elem, index } => {
                let elem = if elem == Elem::Byte { ElementAdvice::Byte } else { ElementAdvice::Int };
                let index = match index {
                    Operand::Int(index) => IndexAdvice::Constant(index),
                    Operand::Local(local) => IndexAdvice::Local(local.as_u32()),
                    other => unreachable!("{other} is no index"),
                };
                Self::Element { of: HolderAdvice::of(of), elem, index }
            }
        }
    }

    pub(super) fn state(&self) -> State {
        match self {
            Self::Local(local) => State::Local(Local::from_u32(*local)),
            Self::Global(global) => State::Global(Global::from_u32(*global)),
            Self::Field { of, record, field } => {
                State::Field { of: of.holder(), record: RecordRef::from_u32(*record), field: *field }
            }
            Self::Element { of, elem, index } => {
                let elem = match elem {
                    ElementAdvice::Int => Elem::Int,
                    ElementAdvice::Byte => Elem::Byte,
                };
                let index = match index {
                    IndexAdvice::Constant(index) => Operand::Int(*index),
                    IndexAdvice::Local(local) => Operand::Local(Local::from_u32(*local)),
                };
                State::Element { of: of.holder(), elem, index }
            }
        }
    }
}

impl HolderAdvice {
    fn of(holder: Holder) -> Self {
        match holder {
            Holder::Local(local) => Self::Local(local.as_u32()),
            Holder::Global(global) => Self::Global(global.as_u32()),
        }
    }

    fn holder(&self) -> Holder {
        match self {
            Self::Local(local) => Holder::Local(Local::from_u32(*local)),
            Self::Global(global) => Holder::Global(Global::from_u32(*global)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_reads_back() {
        let (local, global) = (Holder::Local(Local::from_u32(3)), Holder::Global(Global::from_u32(4)));
        let index = Operand::Local(Local::from_u32(5));
        for (state, text) in [
            (State::Local(Local::from_u32(1)), r#"{"local":1}"#),
            (State::Global(Global::from_u32(2)), r#"{"global":2}"#),
            (
                State::Field { of: local, record: RecordRef::from_u32(0), field: 1 },
                r#"{"field":{"of":{"local":3},"record":0,"field":1}}"#,
            ),
            (
                State::Element { of: global, elem: Elem::Byte, index: Operand::Int(0) },
                r#"{"element":{"of":{"global":4},"elem":"byte","index":{"constant":0}}}"#,
            ),
            (
                State::Element { of: local, elem: Elem::Int, index },
                r#"{"element":{"of":{"local":3},"elem":"int","index":{"local":5}}}"#,
            ),
        ] {
            let advice = StateAdvice::of(state);
            assert_eq!(serde_json::to_string(&advice).unwrap(), text);
            assert_eq!(serde_json::from_str::<StateAdvice>(text).unwrap().state(), state);
        }
    }
}
