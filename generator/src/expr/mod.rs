//! Expressions: text of a given type, with its precedence.
//!
//! In: a type and the greatest depth of the expression. Out: [`Ex`]. Invariants: the text is well typed where that type
//! is expected; it parses as one operand at its own precedence; a string it gives is at most `str_max` bytes long.

mod array;
mod boolean;
mod branch;
mod call;
mod float;
mod int;
mod path;
mod record;
mod string;

pub(crate) use path::AssignTarget;

use crate::r#gen::Gen;
use crate::scope::STR_MAX;
use crate::ty::Ty;
use crate::weights::{self, Common};

/// An expression as text.
pub(crate) struct Ex {
    /// The text.
    pub(crate) text: String,
    /// Precedence of its outermost operator.
    pub(crate) level: Level,
    /// The most bytes it can have, if it is a string.
    pub(crate) str_max: u64,
}

/// Precedence, loose to tight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    /// `if`, `match` and blocks: operands of nothing without parentheses.
    Branch,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

impl Level {
    fn tighter(self) -> Self {
        match self {
            Self::Branch => Self::Or,
            Self::Or => Self::And,
            Self::And => Self::Compare,
            Self::Compare => Self::BitOr,
            Self::BitOr => Self::BitXor,
            Self::BitXor => Self::BitAnd,
            Self::BitAnd => Self::Shift,
            Self::Shift => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product => Self::Unary,
            Self::Unary | Self::Postfix => Self::Postfix,
        }
    }
}

impl Ex {
    /// A name, literal, call or anything else that needs no parentheses.
    pub(crate) fn atom(text: impl Into<String>) -> Self {
        Self::new(text, Level::Postfix)
    }

    /// An expression whose outermost operator has that precedence.
    pub(crate) fn new(text: impl Into<String>, level: Level) -> Self {
        Self { text: text.into(), level, str_max: STR_MAX }
    }

    /// The same expression, known to be at most so many bytes long.
    pub(crate) fn at_most(mut self, str_max: u64) -> Self {
        self.str_max = str_max;
        self
    }
}

impl Gen {
    /// An expression of type `ty`, which the context fixes.
    pub(crate) fn expr(&mut self, ty: &Ty, depth: u32) -> Ex {
        self.spend(1);
        if depth == 0 || self.room() < 8 {
            return self.leaf(ty);
        }
        let common = match self.rng.weighted(weights::COMMON) {
            Common::Path => self.path(ty),
            Common::Call => self.call_for(ty, depth),
            Common::IndirectCall => self.indirect_call_for(ty, depth),
            Common::If => Some(self.if_expr(ty, depth - 1)),
            Common::Match => Some(self.match_expr(ty, depth - 1)),
            Common::Block => Some(self.block_expr(ty, depth - 1)),
            Common::Own => None,
        };
        common.unwrap_or_else(|| self.own_form(ty, depth))
    }

    fn own_form(&mut self, ty: &Ty, depth: u32) -> Ex {
        match ty {
            Ty::Int | Ty::Byte => self.int(depth),
            Ty::Float => self.float(depth),
            Ty::Bool => self.boolean(depth),
            Ty::Str => self.string(depth),
            Ty::Array(elem) => self.array(elem, depth),
            Ty::Struct(id) => self.construct(*id, depth),
            Ty::Optional(inner) => self.optional(inner, depth),
            Ty::Fn(_) => self.leaf(ty),
        }
    }

    /// The least expression of type `ty`: a variable or the shortest way to write a value.
    pub(crate) fn leaf(&mut self, ty: &Ty) -> Ex {
        let from_scope = if self.rng.chance(65) { self.variable(ty) } else { None };
        if let Some(ex) = from_scope {
            return ex;
        }
        match ty {
            Ty::Int | Ty::Byte => self.int_literal(),
            Ty::Float => self.float_literal(),
            Ty::Bool => Ex::atom(*self.rng.pick(&["true", "false"])),
            Ty::Str => self.str_literal(),
            Ty::Array(elem) => self.repeat(elem, 0),
            Ty::Struct(id) => self.construct(*id, 0),
            Ty::Optional(_) => Ex::atom("none"),
            Ty::Fn(id) => self.function_name(*id),
        }
    }

    /// An expression to be stored: an initial value, argument, element, field or result. Strings are clipped.
    pub(crate) fn value(&mut self, ty: &Ty, depth: u32) -> String {
        let ex = self.expr(ty, depth);
        self.stored(ty, ex)
    }

    /// `ex` as it may be stored.
    pub(crate) fn stored(&mut self, ty: &Ty, ex: Ex) -> String {
        self.clipped(ty, ex).text
    }

    /// `ex`, cut to [`STR_MAX`] bytes if it is a string that can be longer. Optional strings never are.
    pub(crate) fn clipped(&mut self, ty: &Ty, ex: Ex) -> Ex {
        if *ty != Ty::Str || ex.str_max <= STR_MAX {
            return ex;
        }
        self.spend(6);
        Ex::atom(format!("clip({})", ex.text))
    }

    /// `ex` as an operand where at least `level` is needed.
    pub(crate) fn operand(&mut self, ex: &Ex, level: Level) -> String {
        if ex.level < level || self.rng.chance(weights::NEEDLESS_PARENS) {
            format!("({})", ex.text)
        } else {
            ex.text.clone()
        }
    }

    /// `lhs op rhs` for an operator that associates to the left.
    pub(crate) fn binary(&mut self, lhs: &Ex, op: &str, rhs: &Ex, level: Level) -> Ex {
        let left = if level == Level::Compare { level.tighter() } else { level };
        let (lhs, rhs) = (self.operand(lhs, left), self.operand(rhs, level.tighter()));
        Ex::new(format!("{lhs} {op} {rhs}"), level)
    }

    /// An `int` of little depth.
    pub(crate) fn small_int(&mut self) -> Ex {
        let depth = self.depth().min(1);
        self.expr(&Ty::Int, depth)
    }
}
