//! Top-level constants, in an order in which each comes after those that it needs.
//!
//! In: the constants of the input, by id. Out: their values in the environment. Invariant: no recursion from one
//! constant into another, so a chain of any length is fine; a cycle is reported once, at one of its members.

use super::Checker;
use super::body::{Body, Owner};
use super::environment::{ConstId, DefKind};
use super::error::CheckError;
use crate::ast::{Expr, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use cranelift_entity::SecondaryMap;

/// Progress of evaluating a constant.
#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    New,
    Open,
    Done,
}

impl Checker<'_> {
    /// Evaluates every constant of the input.
    pub(super) fn evaluate_constants(&mut self) {
        let mut states: SecondaryMap<ConstId, State> = SecondaryMap::new();
        let new = self.new_consts.clone();
        for &id in &new {
            states[id] = State::New;
        }
        for &root in &new {
            self.evaluate_with_needs(root, &mut states);
        }
    }

    /// Evaluates `root` after everything that it needs: a depth-first search with its own stack.
    fn evaluate_with_needs(&mut self, root: ConstId, states: &mut SecondaryMap<ConstId, State>) {
        if states[root] == State::Done {
            return;
        }
        states[root] = State::Open;
        let mut path = vec![(root, self.needs(root))];
        while let Some((id, needs)) = path.last_mut() {
            let id = *id;
            match needs.pop() {
                Some((next, _)) if states[next] == State::Done || self.env.consts[next].value.is_some() => {}
                Some((next, span)) if states[next] == State::Open => self.report_cycle(&path, next, span),
                Some((next, _)) => {
                    states[next] = State::Open;
                    path.push((next, self.needs(next)));
                }
                None => {
                    path.pop();
                    states[id] = State::Done;
                    if self.env.consts[id].value.is_none() {
                        self.evaluate(id);
                    }
                }
            }
        }
    }

    /// The constants that `id` names, last first.
    fn needs(&self, id: ConstId) -> Vec<(ConstId, Span)> {
        let mut found = Vec::new();
        let mut pending = vec![&self.env.consts[id].item.value];
        while let Some(expr) = pending.pop() {
            if let ExprKind::Name(name) = &expr.kind
                && let Some(def) = self.env.lookup(name.as_str(), name.span.file)
                && let DefKind::Const(id) = def.kind
            {
                found.push((id, name.span));
            }
            pending.extend(operands(expr));
        }
        found
    }

    fn report_cycle(&mut self, path: &[(ConstId, Vec<(ConstId, Span)>)], start: ConstId, back: Span) {
        let first = path.iter().position(|&(id, _)| id == start).expect("an open constant is on the path");
        let name = &self.env.consts[start].item.name;
        let mut error = Diagnostic::error(CheckError::ConstantCycle(name.text.to_string()), name.span);
        for &(id, _) in path[first + 1..].iter().take(4) {
            let name = &self.env.consts[id].item.name;
            error = error.with_label(name.span, format!("through `{}`", name.as_str()));
        }
        let reported = self.report(error.with_label(back, "and back"));
        for &(id, _) in &path[first..] {
            self.env.consts[id].value = Some(Err(reported));
        }
    }

    fn evaluate(&mut self, id: ConstId) {
        let item = self.env.consts[id].item.clone();
        let mut body = Body::new(self, Owner::Constant, item.name.span.file);
        let value = body.constant(&item);
        let names = std::mem::take(&mut body.mentions.names);
        let info = &mut self.env.consts[id];
        info.value = Some(value);
        info.names = names;
    }
}

/// The parts of an expression that a constant may be made of.
fn operands(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Unary { operand, .. } => vec![operand],
        ExprKind::Binary { lhs, rhs, .. } => vec![lhs, rhs],
        ExprKind::Call { args, .. } => args.iter().collect(),
        ExprKind::Paren(inner) => vec![inner],
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Bool(_)
        | ExprKind::Byte(_)
        | ExprKind::Str(_)
        | ExprKind::None
        | ExprKind::Name(_)
        | ExprKind::Construct { .. }
        | ExprKind::Pairs { .. }
        | ExprKind::Tuple(_)
        | ExprKind::Part { .. }
        | ExprKind::Format(_)
        | ExprKind::Closure(_)
        | ExprKind::Index { .. }
        | ExprKind::Slice { .. }
        | ExprKind::Field { .. }
        | ExprKind::Unwrap(_)
        | ExprKind::Array(_)
        | ExprKind::Repeat { .. }
        | ExprKind::If(_)
        | ExprKind::Match(_)
        | ExprKind::Block(_) => Vec::new(),
    }
}
