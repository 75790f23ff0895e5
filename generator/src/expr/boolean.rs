//! Expressions of type `bool`.

use super::{Ex, Level};
use crate::r#gen::Gen;
use crate::ty::Ty;
use crate::weights::{self, Bool};

const COMPARISONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

impl Gen {
    pub(super) fn boolean(&mut self, depth: u32) -> Ex {
        let below = depth - 1;
        match self.rng.weighted(weights::BOOL) {
            Bool::Leaf => self.leaf(&Ty::Bool),
            Bool::CompareInts => self.comparison(&Ty::Int, COMPARISONS, below),
            Bool::CompareFloats => self.comparison(&Ty::Float, COMPARISONS, below),
            Bool::CompareStrs => {
                self.spend(2);
                self.comparison(&Ty::Str, COMPARISONS, below)
            }
            Bool::CompareBools => self.comparison(&Ty::Bool, &["==", "!="], below),
            Bool::Not => {
                let ex = self.expr(&Ty::Bool, below);
                self.unary("!", &ex)
            }
            Bool::ShortCircuit => {
                let (op, level) = *self.rng.pick(&[("&&", Level::And), ("||", Level::Or)]);
                self.bool_pair(op, level, below)
            }
            Bool::Bits => {
                let ops = [("&", Level::BitAnd), ("|", Level::BitOr), ("^", Level::BitXor)];
                let (op, level) = *self.rng.pick(&ops);
                self.bool_pair(op, level, below)
            }
            Bool::Identity => self.identity().unwrap_or_else(|| self.leaf(&Ty::Bool)),
            Bool::IsNone => self.is_none().unwrap_or_else(|| self.leaf(&Ty::Bool)),
        }
    }

    /// A condition that depends on data more often than not.
    pub(crate) fn condition(&mut self) -> String {
        let depth = self.depth();
        let test = if self.rng.chance(55) { self.data_test() } else { None };
        if let Some(ex) = test {
            return ex.text;
        }
        let ex = self.expr(&Ty::Bool, depth.max(1));
        self.operand(&ex, Level::Or)
    }

    /// `v % 3 == 1`, `v & 4 != 0` or `v < k` of a visible variable.
    fn data_test(&mut self) -> Option<Ex> {
        let place = self.path(&Ty::Int)?;
        self.spend(3);
        let k = self.rng.range(2, 7);
        Some(match self.rng.below(3) {
            0 => {
                let rest = self.binary(&place, "%", &Ex::atom(k.to_string()), Level::Product);
                let r = self.rng.range(0, k - 1);
                let op = *self.rng.pick(&["==", "!=", "<"]);
                self.binary(&rest, op, &Ex::atom(r.to_string()), Level::Compare)
            }
            1 => {
                let bit = Ex::atom((1_i64 << self.rng.below(6)).to_string());
                let bits = self.binary(&place, "&", &bit, Level::BitAnd);
                self.binary(&bits, "!=", &Ex::atom("0"), Level::Compare)
            }
            _ => {
                let (limit, op) = (self.int_literal(), *self.rng.pick(COMPARISONS));
                self.binary(&place, op, &limit, Level::Compare)
            }
        })
    }

    fn comparison(&mut self, ty: &Ty, ops: &[&str], depth: u32) -> Ex {
        let op = *self.rng.pick(ops);
        let (lhs, rhs) = (self.expr(ty, depth), self.expr(ty, depth));
        self.binary(&lhs, op, &rhs, Level::Compare)
    }

    fn bool_pair(&mut self, op: &str, level: Level, depth: u32) -> Ex {
        let (lhs, rhs) = (self.expr(&Ty::Bool, depth), self.expr(&Ty::Bool, depth));
        self.binary(&lhs, op, &rhs, level)
    }

    /// `a == b` of arrays, structs or functions.
    fn identity(&mut self) -> Option<Ex> {
        let (text, ty) = self.any_path(|ty| matches!(ty, Ty::Array(_) | Ty::Struct(_) | Ty::Fn(_)))?;
        let other = match ty {
            Ty::Fn(id) if self.rng.chance(50) => self.function_name(id),
            _ => self.path(&ty)?,
        };
        let op = *self.rng.pick(&["==", "!="]);
        Some(self.binary(&Ex::atom(text), op, &other, Level::Compare))
    }

    /// `o == none`, or `o` against something that is perhaps in it.
    fn is_none(&mut self) -> Option<Ex> {
        let (text, ty) = self.any_path(|ty| matches!(ty, Ty::Optional(_)))?;
        let Ty::Optional(inner) = &ty else { return None };
        let other = match self.rng.below(4) {
            0 => self.path(inner).unwrap_or_else(|| Ex::atom("none")),
            1 => self.path(&ty).unwrap_or_else(|| Ex::atom("none")),
            _ => Ex::atom("none"),
        };
        let op = *self.rng.pick(&["==", "!="]);
        Some(self.binary(&Ex::atom(text), op, &other, Level::Compare))
    }
}
