//! Operands of expressions: the expressions in one, without those in its statements.

use super::{ClosureBody, Expr, ExprKind, Piece};

impl Expr {
    /// Calls `visit` for each operand, in the order in which they are written. An `if`, a `match` and a block have none.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(&Expr)) {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Byte(_)
            | ExprKind::Str(_)
            | ExprKind::None
            | ExprKind::Name(_)
            | ExprKind::If(_)
            | ExprKind::Match(_)
            | ExprKind::Block(_) => {}
            ExprKind::Unary { operand: inner, .. }
            | ExprKind::Unwrap(inner)
            | ExprKind::Paren(inner)
            | ExprKind::Part { base: inner, .. }
            | ExprKind::Field { base: inner, .. } => visit(inner),
            ExprKind::Binary { lhs: one, rhs: other, .. }
            | ExprKind::Index { base: one, index: other }
            | ExprKind::Repeat { value: one, count: other } => {
                visit(one);
                visit(other);
            }
            ExprKind::Call { callee, args } => {
                visit(callee);
                args.iter().for_each(visit);
            }
            ExprKind::Construct { fields, .. } => fields.iter().for_each(|field| visit(&field.value)),
            ExprKind::Pairs { pairs, .. } => pairs.iter().flat_map(|(key, value)| [key, value]).for_each(visit),
            ExprKind::Tuple(parts) | ExprKind::Array(parts) => parts.iter().for_each(visit),
            ExprKind::Format(format) => format.pieces.iter().for_each(|piece| match piece {
                Piece::Text(_) => {}
                Piece::Value { value, .. } => visit(value),
            }),
            ExprKind::Closure(closure) => match &closure.body {
                ClosureBody::Value(value) => visit(value),
                ClosureBody::Block(_) => {}
            },
            ExprKind::Slice { base, start, end, .. } => {
                [Some(base), start.as_ref(), end.as_ref()].into_iter().flatten().for_each(|part| visit(part));
            }
        }
    }
}
