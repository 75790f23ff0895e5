//! Loops, and the statements that leave them. Invariant: a `loop` without `break` is the only loop that never ends.

use super::body::{Body, Want};
use super::error::CheckError;
use super::frame::{OpenLoop, VarKind};
use super::report::Checked;
use crate::ast::{self, Mutability, Name};
use crate::diagnostic::Diagnostic;
use crate::ir::{Type, TypeRef};
use crate::source::Span;
use crate::tast::{Block, Completion, Expr, For, ForSource, Loop, LoopInfo, LoopRef, StmtKind, While};

impl Body<'_, '_> {
    pub(super) fn while_loop(&mut self, item: &ast::While, span: Span) -> Checked<StmtKind> {
        self.scopes.enter();
        // The condition stands outside of the loop: a `break` in it would belong to the one around.
        let cond = self.cond(&item.cond);
        if let ast::Cond::Expr(expr) = &item.cond
            && matches!(expr.unparenthesized().kind, ast::ExprKind::Bool(true))
        {
            self.cx.clear(&crate::diagnostic::Warning::SettledCondition(true), expr.span);
        }
        let (id, body) = self.loop_body(item.label.as_ref(), &item.body, span);
        self.scopes.leave();
        Ok(StmtKind::While(While { id, cond: cond?, body }))
    }

    pub(super) fn endless_loop(&mut self, item: &ast::Loop, span: Span) -> (Checked<StmtKind>, Completion) {
        let (id, body) = self.loop_body(item.label.as_ref(), &item.body, span);
        let completion = if self.loops[id].has_break { Completion::Falls } else { Completion::Leaves };
        (Ok(StmtKind::Loop(Loop { id, body })), completion)
    }

    pub(super) fn for_loop(&mut self, item: &ast::For, span: Span) -> Checked<StmtKind> {
        let int = self.cx.env.basic.int;
        if let ast::ForSource::Each(each) = &item.source {
            let value = self.infer(each, Want::Any);
            if let Ok(value) = &value
                && let Some(collection) = self.is_collection(value.ty)
            {
                return self.for_collection(item, collection, value.clone(), span);
            }
            let source = value.and_then(|value| self.each(each, value));
            if let Ok((ForSource::Str(_), _)) = &source {
                self.watch_bytes(item, each);
            }
            let part = source.as_ref().map(|(_, ty)| *ty).map_err(|&reported| reported);
            return self.for_source(item, source.map(|(source, _)| source), part, span);
        }
        let source = match &item.source {
            ast::ForSource::Range { start, end, bound, step } => {
                let (start, end) = (self.check(start, int, None), self.check(end, int, None));
                let step = step.as_ref().map(|step| self.check(step, int, None)).transpose();
                let range = |start, end, step| ForSource::Range { start, end, bound: *bound, step };
                match (start, end, step) {
                    (Ok(start), Ok(end), Ok(step)) => Ok((range(start, end, step), int)),
                    // The variable is an `int` whatever is wrong with the bounds.
                    (Err(reported), ..) | (_, Err(reported), _) | (.., Err(reported)) => Err((reported, Ok(int))),
                }
            }
            ast::ForSource::Each(_) => unreachable!("it was taken above"),
        };
        let ty: Checked<TypeRef> = match &source {
            Ok((_, ty)) => Ok(*ty),
            Err((_, ty)) => *ty,
        };
        let source = source.map(|(source, _)| source).map_err(|(reported, _)| reported);
        self.for_source(item, source, ty, span)
    }

    /// A `for` over a range, an array or a string, whose parts have the type `ty`.
    fn for_source(
        &mut self,
        item: &ast::For,
        source: Checked<ForSource>,
        ty: Checked<TypeRef>,
        span: Span,
    ) -> Checked<StmtKind> {
        self.scopes.enter();
        let (var, id, body) = match item.binder.name() {
            Some(name) => {
                let var = match name.is_wildcard() {
                    true => None,
                    false => self.declare(name, ty, Mutability::Fixed, VarKind::LoopVariable).ok(),
                };
                let (id, body) = self.loop_body(item.label.as_ref(), &item.body, span);
                (var, id, Ok(body))
            }
            None => {
                let indexed = if matches!(source, Ok(ForSource::Str(_))) { ".chars()" } else { "" };
                self.for_parts(item, ty, indexed, span)
            }
        };
        self.scopes.leave();
        Ok(StmtKind::For(For { id, var, source: source?, body: body? }))
    }

    /// The source that a `for` without a range iterates over, and the type of its variable.
    fn each(&mut self, expr: &ast::Expr, value: Expr) -> Checked<(ForSource, TypeRef)> {
        match *self.type_of(value.ty) {
            Type::Str => Ok((ForSource::Str(value), self.cx.env.basic.int)),
            Type::Array(of) => {
                let (elem, ty) = (self.cx.env.module.elem(of), self.cx.env.read_type(of));
                Ok((ForSource::Array { array: value, elem }, ty))
            }
            Type::Int
            | Type::Float
            | Type::Bool
            | Type::Byte
            | Type::Record(_)
            | Type::Optional(_)
            | Type::Func(_)
            | Type::Code(_) => {
                let found = self.type_name(value.ty);
                let error = CheckError::Expected { what: "a range, an array, a list, dict, set or string", found };
                let mut error = Diagnostic::error(error, expr.span);
                error.help = match self.type_of(value.ty) {
                    Type::Int => Some(format!("write `0..{}`", self.cx.operand_text(expr))),
                    _ => self.unwrap_help(expr, value.ty),
                };
                Err(self.report(error))
            }
        }
    }

    pub(super) fn loop_body(&mut self, label: Option<&Name>, body: &ast::Block, span: Span) -> (LoopRef, Block) {
        let id = self.loops.push(LoopInfo { span, has_break: false });
        self.open_loops.push(OpenLoop { id, label: label.cloned() });
        let body = self.block(body);
        self.open_loops.pop();
        (id, body)
    }

    pub(super) fn break_loop(&mut self, label: Option<&Name>, span: Span) -> Checked<StmtKind> {
        let id = self.target("break", label, span)?;
        self.loops[id].has_break = true;
        Ok(StmtKind::Break(id))
    }

    pub(super) fn continue_loop(&mut self, label: Option<&Name>, span: Span) -> Checked<StmtKind> {
        Ok(StmtKind::Continue(self.target("continue", label, span)?))
    }

    fn target(&mut self, word: &'static str, label: Option<&Name>, span: Span) -> Checked<LoopRef> {
        let Some(name) = label else {
            let innermost = self.open_loops.last().map(|open| open.id);
            return innermost.ok_or_else(|| self.error(CheckError::OutsideLoop(word), span));
        };
        let labels = || self.open_loops.iter().rev().filter_map(|open| Some((open.label.as_ref()?.as_str(), open.id)));
        if let Some((_, id)) = labels().find(|(label, _)| *label == name.as_str()) {
            return Ok(id);
        }
        let help = self.cx.did_you_mean(name.as_str(), labels().map(|(label, _)| label));
        let mut error = Diagnostic::error(CheckError::UnknownLabel(name.text.to_string()), name.span);
        error.help = help;
        Err(self.report(error))
    }
}
