//! Expressions that give the same value however often they are evaluated.

use super::tree::{Expr, ExprKind};

impl Expr {
    /// Returns true if evaluating it has no effect, cannot fail and gives the same value however often it is done
    /// within one expression: then `[value; n]` may be one fill. Literals and variables only; anything more is a loop.
    pub fn is_repeatable(&self) -> bool {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Str(_)
            | ExprKind::None
            | ExprKind::Func(_)
            | ExprKind::Var(_)
            | ExprKind::Global(_) => true,
            ExprKind::Some(inner) => inner.is_repeatable(),
            _ => false,
        }
    }
}
