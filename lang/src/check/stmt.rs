//! Statements.
//!
//! In: statements of the syntax tree, in a [`Body`]. Out: typed statements, each with its
//! [`Completion`](crate::tast::Completion). Invariant: a statement that is wrong still has its completion, so that one
//! error does not cause another about control flow; it is left out of its block, whose function will not be lowered.

use super::body::{Body, Outcome, Want};
use super::error::CheckError;
use super::frame::{Owner, VarKind};
use super::report::{Checked, Reported};
use super::scope::Local;
use super::target::AssignTarget;
use crate::ast::{self, Mutability};
use crate::diagnostic::Diagnostic;
use crate::ir::TypeRef;
use crate::source::Span;
use crate::tast::{Binding, Block, Completion, Expr, ExprKind, Stmt, StmtKind, Try, Update};

use Completion::{Falls, Leaves};

impl Body<'_, '_> {
    /// A block in statement position.
    pub(super) fn block(&mut self, block: &ast::Block) -> Block {
        self.scopes.enter();
        let (stmts, completion) = self.stmts(&block.stmts);
        self.scopes.leave();
        Block { stmts, value: None, completion, span: block.span }
    }

    /// Statements in the innermost scope.
    pub(super) fn stmts(&mut self, stmts: &[ast::Stmt]) -> (Vec<Stmt>, Completion) {
        let mut completion = Falls;
        let mut checked = Vec::with_capacity(stmts.len());
        for (at, stmt) in stmts.iter().enumerate() {
            let (checked_stmt, ends) = self.stmt(stmt);
            checked.extend(checked_stmt);
            if ends == Leaves {
                if let (Falls, Some(next)) = (completion, stmts.get(at + 1)) {
                    self.cx.unreachable(next.span);
                }
                completion = Leaves;
            }
        }
        (checked, completion)
    }

    /// One statement. A local `const` leaves none.
    pub(super) fn stmt(&mut self, stmt: &ast::Stmt) -> (Checked<Stmt>, Completion) {
        let span = stmt.span;
        let (kind, completion) = match &stmt.kind {
            ast::StmtKind::Let(item) => match item.binder.name() {
                Some(name) => (self.let_name(item, name), Falls),
                None => (self.let_parts(item, span), Falls),
            },
            ast::StmtKind::Const(item) => {
                let value = self.constant(item);
                self.scopes.define(&item.name.text, Local::Const { value, span: item.name.span });
                // No code runs; an empty block keeps the statements one to one.
                let empty = Block { stmts: Vec::new(), value: None, completion: Falls, span };
                (value.map(|_| StmtKind::Block(empty)), Falls)
            }
            ast::StmtKind::Assign(item) => (self.assign(item, span), Falls),
            ast::StmtKind::Expr(expr) => self.expr_stmt(expr, span),
            ast::StmtKind::While(item) => (self.while_loop(item, span), Falls),
            ast::StmtKind::Loop(item) => self.endless_loop(item, span),
            ast::StmtKind::For(item) => (self.for_loop(item, span), Falls),
            ast::StmtKind::Break(label) => (self.break_loop(label.as_ref(), span), Leaves),
            ast::StmtKind::Continue(label) => (self.continue_loop(label.as_ref(), span), Leaves),
            ast::StmtKind::Return(value) => (self.return_stmt(value.as_ref(), span), Leaves),
            ast::StmtKind::Fail(message) => {
                let str = self.cx.env.basic.str;
                (self.check(message, str, None).map(StmtKind::Fail), Leaves)
            }
            ast::StmtKind::Try(item) => self.try_stmt(item),
        };
        (kind.map(|kind| Stmt { kind, span }), completion)
    }

    /// A `let` or `var` of a local.
    fn let_name(&mut self, item: &ast::Let, name: &ast::Name) -> Checked<StmtKind> {
        let (value, ty) = self.first_value(item);
        if name.is_wildcard() {
            return value.map(StmtKind::Drop);
        }
        let var = self.declare(name, ty, item.mutability, VarKind::Declared);
        Ok(StmtKind::Let { binding: Binding::Var(var?), value: value? })
    }

    /// The value of a `let` or `var`, and the declared type, which may be known though the value is wrong.
    pub(super) fn first_value(&mut self, item: &ast::Let) -> (Checked<Expr>, Checked<TypeRef>) {
        match &item.ty {
            Some(written) => match self.resolve(written) {
                Ok(ty) => (self.check(&item.value, ty, Some((written.span, "the type is given here"))), Ok(ty)),
                Err(reported) => {
                    // Errors inside the value are worth showing; its type is not, as nothing is known about it.
                    if !is_open(&item.value) {
                        let _ = self.infer(&item.value, Want::Any);
                    }
                    (Err(reported), Err(reported))
                }
            },
            None => {
                let value = self.infer(&item.value, Want::Any);
                let ty = value.as_ref().map(|value| value.ty).map_err(|&reported| reported);
                (value, ty)
            }
        }
    }

    fn assign(&mut self, item: &ast::Assign, span: Span) -> Checked<StmtKind> {
        if let ast::ExprKind::Tuple(targets) = &item.target.unparenthesized().kind {
            return self.assign_parts(targets, &item.value, span);
        }
        let (place, ty, because) = match self.assign_target(&item.target) {
            Ok(AssignTarget::Entry(entry)) => return self.assign_entry(item, entry, span),
            Ok(AssignTarget::Place(place, ty, because)) => (place, ty, because),
            Err(reported) => {
                if !is_open(&item.value) {
                    let _ = self.infer(&item.value, Want::Any);
                }
                return Err(reported);
            }
        };
        let Some(op) = item.op else {
            let value = self.check(&item.value, ty, because)?;
            return Ok(StmtKind::Assign { place, value });
        };
        let update = match self.update_op(op, ty) {
            Some(update) => update,
            None => return Err(self.bad_update(op, ty, item.op_span, place.span)),
        };
        let value = self.check(&item.value, ty, because)?;
        debug_assert!(span.start <= place.span.start, "a target is part of its assignment");
        Ok(StmtKind::Update { place, op: update, value })
    }

    /// Reports a compound assignment that the type does not have.
    pub(super) fn bad_update(&mut self, op: ast::BinaryOp, ty: TypeRef, op_span: Span, place: Span) -> Reported {
        let error = CheckError::BadOperand { op: compound_symbol(op), operand: self.type_name(ty) };
        self.report(Diagnostic::error(error, op_span).with_label(place, "it stands here"))
    }

    pub(super) fn update_op(&self, op: ast::BinaryOp, ty: TypeRef) -> Option<Update> {
        if ty == self.cx.env.basic.str && op == ast::BinaryOp::Add {
            return Some(Update::Concat);
        }
        self.arithmetic(op, ty).map(Update::Binary)
    }

    /// An expression in statement position.
    pub(super) fn expr_stmt(&mut self, expr: &ast::Expr, span: Span) -> (Checked<StmtKind>, Completion) {
        match &expr.kind {
            ast::ExprKind::If(node) => self.if_stmt(node),
            ast::ExprKind::Match(node) => self.match_stmt(node),
            ast::ExprKind::Block(block) => {
                let block = self.block(block);
                let completion = block.completion;
                (Ok(StmtKind::Block(block)), completion)
            }
            _ => match self.outcome(expr, Want::Any) {
                Ok(Outcome::Nothing(kind, completion, _)) => (Ok(*kind), completion),
                Ok(Outcome::Value(value)) => (self.drop_value(expr, value, span), Falls),
                Err(reported) => (Err(reported), Falls),
            },
        }
    }

    /// A value that nobody takes: fine after a call, or if computing it may fail on purpose.
    fn drop_value(&mut self, expr: &ast::Expr, value: Expr, span: Span) -> Checked<StmtKind> {
        let kind = &expr.unparenthesized().kind;
        if matches!(kind, ast::ExprKind::Call { .. } | ast::ExprKind::Construct { .. } | ast::ExprKind::Unwrap(_)) {
            self.watch_dropped(expr, &value);
            return Ok(match value.kind {
                ExprKind::Call(call) => StmtKind::Call(call),
                _ => StmtKind::Drop(value),
            });
        }
        let text = self.cx.short_text(expr);
        let help = match (kind, &self.owner) {
            (ast::ExprKind::Binary { op: ast::BinaryOp::Eq, .. }, _) => "`==` compares; `=` assigns".to_owned(),
            (ast::ExprKind::Binary { op: ast::BinaryOp::And, lhs, .. }, _) => {
                format!("to run something only where `{0}` holds, write `if {0} {{ ... }}`", self.cx.short_text(lhs))
            }
            (ast::ExprKind::Unary { op: ast::UnaryOp::Neg, .. }, _) => {
                "if the line before goes on here, `-` stands at its end, or all of it in parentheses".to_owned()
            }
            (_, Owner::Fn { result: Ok(Some(_)), .. }) => format!("write `return {text}` to make it the result"),
            (ast::ExprKind::Name(_), _) if self.is_function(&value) => format!("write `{text}(...)` to call it"),
            _ => "remove it, or use it: `print(...)`, `let _ = ...`".to_owned(),
        };
        Err(self.report(Diagnostic::error(CheckError::UnusedValue, span).with_help(help)))
    }

    fn is_function(&self, value: &Expr) -> bool {
        matches!(self.type_of(value.ty), crate::ir::Type::Func(_))
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span) -> Checked<StmtKind> {
        let (name, result, result_span) = match &self.owner {
            Owner::Fn { name, result, result_span } => (name.clone(), *result, *result_span),
            Owner::Closure { result } => return self.return_closure(*result, value, span),
            Owner::TopLevel(_) | Owner::Constant => {
                let error = Diagnostic::error(CheckError::ReturnAtTopLevel, span);
                return Err(self.report(error.with_help("`exit(0)` ends the program")));
            }
        };
        match (result, value) {
            (Ok(Some(ty)), Some(value)) => {
                let because = result_span.map(|span| (span, "the result is declared here"));
                Ok(StmtKind::Return(Some(self.check(value, ty, because)?)))
            }
            (Ok(None), None) => Ok(StmtKind::Return(None)),
            (Ok(Some(ty)), None) => {
                let error = CheckError::ReturnWithoutValue(self.type_name(ty));
                let mut error = Diagnostic::error(error, span);
                error.labels.extend(result_span.map(|span| (span, "the result is declared here".to_owned())));
                Err(self.report(error))
            }
            (Ok(None), Some(value)) => {
                let found = self.infer(value, Want::Any)?;
                let error = Diagnostic::error(CheckError::ReturnWithValue(name.to_string()), value.span);
                let help = format!("declare the result: `fn {name}(...) -> {}`", self.type_name(found.ty));
                Err(self.report(error.with_help(help)))
            }
            (Err(reported), value) => {
                if let Some(value) = value.filter(|value| !is_open(value)) {
                    self.infer(value, Want::Any)?;
                }
                Err(reported)
            }
        }
    }

    /// `return` in a closure; the first one says the type of the result where its place does not.
    fn return_closure(
        &mut self,
        result: Option<Checked<Option<TypeRef>>>,
        value: Option<&ast::Expr>,
        span: Span,
    ) -> Checked<StmtKind> {
        match (result, value) {
            (None, Some(value)) => {
                let value = self.infer(value, Want::Any);
                let ty = value.as_ref().map(|value| Some(value.ty)).map_err(|&reported| reported);
                self.owner = Owner::Closure { result: Some(ty) };
                Ok(StmtKind::Return(Some(value?)))
            }
            (None | Some(Ok(None)), None) => {
                self.owner = Owner::Closure { result: Some(Ok(None)) };
                Ok(StmtKind::Return(None))
            }
            (Some(Ok(Some(ty))), Some(value)) => Ok(StmtKind::Return(Some(self.check(value, ty, None)?))),
            (Some(Ok(Some(ty))), None) => {
                let error = CheckError::ReturnWithoutValue(self.type_name(ty));
                Err(self.error(error, span))
            }
            (Some(Ok(None)), Some(value)) => {
                self.infer(value, Want::Any)?;
                let error = CheckError::ReturnWithValue("fn".to_owned());
                Err(self.error(error, value.span))
            }
            (Some(Err(reported)), value) => {
                self.inspect(value.map(std::slice::from_ref).unwrap_or_default());
                Err(reported)
            }
        }
    }

    fn try_stmt(&mut self, item: &ast::Try) -> (Checked<StmtKind>, Completion) {
        self.cx.warnings.tries += 1;
        let body = self.block(&item.body);
        self.cx.warnings.tries -= 1;
        self.scopes.enter();
        let str = self.cx.env.basic.str;
        let var = match item.name.is_wildcard() {
            true => None,
            false => self.declare(&item.name, Ok(str), Mutability::Fixed, VarKind::Message).ok(),
        };
        let handler = self.block(&item.handler);
        self.scopes.leave();
        let completion = match (body.completion, handler.completion) {
            (Leaves, Leaves) => Leaves,
            (Falls, Leaves | Falls) | (Leaves, Falls) => Falls,
        };
        (Ok(StmtKind::Try(Try { body, var, handler })), completion)
    }
}

/// Returns true if an expression says nothing about its type, so that looking at it alone gives an error.
pub(super) fn is_open(expr: &ast::Expr) -> bool {
    match &expr.unparenthesized().kind {
        ast::ExprKind::None => true,
        ast::ExprKind::Array(items) => items.iter().all(is_open),
        ast::ExprKind::Repeat { value, .. } => is_open(value),
        ast::ExprKind::Call { callee, args } if args.is_empty() => match &callee.kind {
            ast::ExprKind::Name(name) => matches!(name.as_str(), "list" | "dict" | "set"),
            _ => false,
        },
        _ => false,
    }
}

/// A compound assignment as it is written.
fn compound_symbol(op: ast::BinaryOp) -> &'static str {
    use ast::BinaryOp as Op;
    match op {
        Op::Add => "+=",
        Op::Sub => "-=",
        Op::Mul => "*=",
        Op::Div => "/=",
        Op::Rem => "%=",
        Op::BitAnd => "&=",
        Op::BitOr => "|=",
        Op::BitXor => "^=",
        Op::Shl => "<<=",
        Op::Shr => ">>=",
        Op::Ushr => ">>>=",
        Op::Or | Op::And | Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => op.symbol(),
    }
}
