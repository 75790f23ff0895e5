//! Operands of expressions: the expressions in one that are evaluated for its value, without those in its statements.

use super::tree::{Callee, Expr, ExprKind};

impl Expr {
    /// Calls `visit` for each operand. An `if`, a `match` and a block have none: their parts are statements or stand
    /// among statements. What a closure captures, and what is made once, are no operands.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(&Expr)) {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Str(_)
            | ExprKind::None
            | ExprKind::Func(_)
            | ExprKind::Var(_)
            | ExprKind::Global(_)
            | ExprKind::Closure { .. }
            | ExprKind::Once { .. }
            | ExprKind::If(_)
            | ExprKind::Match(_)
            | ExprKind::Select(_)
            | ExprKind::Block(_) => {}
            ExprKind::Some(inner)
            | ExprKind::Unwrap(inner)
            | ExprKind::Len(inner)
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Field { object: inner, .. } => visit(inner),
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::StrCompare { lhs, rhs, .. }
            | ExprKind::And(lhs, rhs)
            | ExprKind::Or(lhs, rhs)
            | ExprKind::Index { base: lhs, index: rhs, .. }
            | ExprKind::ListIndex { list: lhs, index: rhs, .. }
            | ExprKind::Repeat { count: lhs, value: rhs, .. } => {
                visit(lhs);
                visit(rhs);
            }
            ExprKind::Call(call) => {
                match &call.callee {
                    Callee::Value { value, .. } => visit(value),
                    Callee::Func(_) | Callee::Builtin(_) => {}
                }
                call.args.iter().for_each(visit);
            }
            ExprKind::Construct { fields, .. } => fields.iter().for_each(|(_, value)| visit(value)),
            ExprKind::Slice { base, start, end, .. } => {
                [Some(base), start.as_ref(), end.as_ref()].into_iter().flatten().for_each(|part| visit(part));
            }
            ExprKind::Array { items, .. } => items.iter().for_each(visit),
        }
    }
}
