//! Loops. A `while`, and a `for` that counts up by one to an exclusive bound, test in their header:
//!
//! ```text
//!     before -> header: i < end? -> body ... -> step: i += 1 -> header
//!                          \-> after
//! ```
//!
//! Every other `for` over a range tests once before it and then behind each iteration, so that neither a bound at the
//! end of the integers nor a step past it can wrap:
//!
//! ```text
//!     before: i < end? -> body ... -> more: i < limit? -> step: i += s -> body
//!                 \-> after                 \-> after
//! ```
//!
//! There `limit` is the least `i` after which no iteration follows, `end - s` (`end - s + 1` for an inclusive bound),
//! kept from wrapping by first moving `end` far enough from the end of the integers.

use super::{Exits, Lowering};
use crate::ir::{BinaryOp, Block, Elem, FailKind, Inst, Local, Operand, Scalar, Terminator};
use crate::source::Span;
use crate::tast::{Bound, Expr, ExprKind, For, ForSource, Loop, LoopRef, Mutability, VarId, While};

/// A range whose expressions are evaluated.
struct Range {
    index: Local,
    end: Operand,
    bound: Bound,
    span: Span,
}

impl Lowering<'_> {
    pub(super) fn while_stmt(&mut self, span: Span, inner: &While) {
        let (header, body, after) = (self.new_block(), self.new_block(), self.new_block());
        self.enter_loop(inner.id, after, header);
        self.fall_into(header);
        // A condition that is constant leaves nothing else that has a place.
        self.builder.set_span(span.at_start());
        self.cond(&inner.cond, body, after);
        self.builder.switch_to(body);
        self.block(&inner.body);
        self.jump(header);
        self.builder.switch_to(after);
    }

    pub(super) fn loop_stmt(&mut self, span: Span, inner: &Loop) {
        let (header, after) = (self.new_block(), self.new_block());
        self.enter_loop(inner.id, after, header);
        self.fall_into(header);
        // An empty body leaves nothing else that has a place.
        self.builder.set_span(span.at_start());
        self.block(&inner.body);
        self.jump(header);
        self.builder.switch_to(after);
        if !self.function.loops[inner.id].has_break {
            self.end_unreachable();
        }
    }

    /// Adds the block after a `loop` without `break`, which nothing reaches; it is removed with the other unreachable
    /// blocks.
    fn end_unreachable(&mut self) {
        self.terminate(Terminator::Exit(Operand::Int(0)));
    }

    fn enter_loop(&mut self, id: LoopRef, on_break: Block, on_continue: Block) {
        self.loops[id] = Some(Exits { on_break, on_continue });
    }

    pub(super) fn for_stmt(&mut self, span: Span, inner: &For) {
        match &inner.source {
            ForSource::Range { start, end, bound, step } => {
                let range = self.range(span, inner.var, start, end, step.as_ref(), *bound);
                match step.as_ref().map(|step| (step, literal(step))) {
                    None if *bound == Bound::Exclusive => self.count_up(inner, &range),
                    None => self.count_by(inner, &range, 1),
                    Some((_, Some(step))) if step != 0 => self.count_by(inner, &range, step),
                    Some((step, _)) => self.count_by_value(inner, &range, step),
                }
            }
            ForSource::Array { array, elem } => self.each(span, inner, array, *elem),
            ForSource::Str(text) => self.each(span, inner, text, Elem::Char),
        }
    }

    /// The loop variable doubles as the counter: it is fixed in the body.
    fn range(
        &mut self,
        span: Span,
        var: Option<VarId>,
        start: &Expr,
        end: &Expr,
        step: Option<&Expr>,
        bound: Bound,
    ) -> Range {
        let first = self.expr(start);
        let first = self.protect(start, first, std::slice::from_ref(end));
        let first = step.map_or(first, |step| self.protect(start, first, std::slice::from_ref(step)));
        let end = self.kept(end);
        let index = match var {
            Some(var) => self.var(var),
            None => self.temp(Scalar::Int),
        };
        // The step is evaluated after this and may read a variable of the same name outside: another local.
        self.copy(start.span, index, first);
        Range { index, end, bound, span }
    }

    /// Evaluates an expression whose value must outlast the loop: a variable that may change is copied.
    fn kept(&mut self, expr: &Expr) -> Operand {
        let value = self.expr(expr);
        match expr.kind {
            ExprKind::Var(var) if self.function.vars[var].mutability == Mutability::Variable => {
                let copy = self.temp_of(expr.ty);
                self.copy(expr.span, copy, value);
                Operand::Local(copy)
            }
            _ => value,
        }
    }

    fn count_up(&mut self, inner: &For, range: &Range) {
        let (header, body) = (self.new_block(), self.new_block());
        let (step, after) = (self.new_block(), self.new_block());
        self.enter_loop(inner.id, after, step);
        self.fall_into(header);
        let more = self.int_test(range.span, BinaryOp::IntLt, range.index, range.end);
        self.terminate(Terminator::Branch { cond: more, then: body, otherwise: after });
        self.builder.switch_to(body);
        self.block(&inner.body);
        self.fall_into(step);
        self.advance(range, Operand::Int(1));
        self.jump(header);
        self.builder.switch_to(after);
    }

    fn count_by(&mut self, inner: &For, range: &Range, step: i64) {
        // Distance by which the bound may lie behind the last iteration's index: see the header of this file.
        let reach = match (range.bound, step > 0) {
            (Bound::Exclusive, _) => step,
            (Bound::Inclusive, true) => step - 1,
            (Bound::Inclusive, false) => step + 1,
        };
        let upward = step > 0;
        let (clamp, edge) = match upward {
            true => (BinaryOp::IntMax, i64::MIN.wrapping_add(reach)),
            false => (BinaryOp::IntMin, i64::MAX.wrapping_add(reach)),
        };
        let limit = match range.end {
            Operand::Int(end) if upward => Operand::Int(end.max(edge).wrapping_sub(reach)),
            Operand::Int(end) => Operand::Int(end.min(edge).wrapping_sub(reach)),
            end => {
                let inside = self.int_op(range.span, clamp, end, Operand::Int(edge));
                self.int_op(range.span, BinaryOp::IntSub, inside, Operand::Int(reach))
            }
        };
        let (body, more) = (self.new_block(), self.new_block());
        let (step_block, after) = (self.new_block(), self.new_block());
        self.enter_loop(inner.id, after, more);
        let any = self.int_test(range.span, first_test(range.bound, upward), range.index, range.end);
        self.terminate(Terminator::Branch { cond: any, then: body, otherwise: after });
        self.builder.switch_to(body);
        self.block(&inner.body);
        self.fall_into(more);
        let goes_on = self.int_test(range.span, first_test(Bound::Exclusive, upward), range.index, limit);
        self.terminate(Terminator::Branch { cond: goes_on, then: step_block, otherwise: after });
        self.builder.switch_to(step_block);
        self.advance(range, Operand::Int(step));
        self.jump(body);
        self.builder.switch_to(after);
    }

    /// A step known only at run time: its sign chooses between the two directions.
    fn count_by_value(&mut self, inner: &For, range: &Range, step: &Expr) {
        let by = self.kept(step);
        self.fail_on_zero(step.span, by);
        let limit = self.temp(Scalar::Int);
        let upward = self.temp(Scalar::Bool);
        self.push(step.span, Inst::Binary { op: BinaryOp::IntGt, dst: upward, lhs: by, rhs: Operand::Int(0) });
        let (up, down) = (self.new_block(), self.new_block());
        let (body, more) = (self.new_block(), self.new_block());
        let (step_block, after) = (self.new_block(), self.new_block());
        self.enter_loop(inner.id, after, more);
        self.branch_to(Operand::Local(upward), up, down);
        for (block, is_up) in [(up, true), (down, false)] {
            self.builder.switch_to(block);
            self.limit_of(range, by, is_up, limit);
            let any = self.int_test(range.span, first_test(range.bound, is_up), range.index, range.end);
            self.branch_to(any, body, after);
        }
        self.builder.switch_to(body);
        self.block(&inner.body);
        self.fall_into(more);
        let (more_up, more_down) = (self.new_block(), self.new_block());
        self.branch_to(Operand::Local(upward), more_up, more_down);
        for (block, is_up) in [(more_up, true), (more_down, false)] {
            self.builder.switch_to(block);
            let test = first_test(Bound::Exclusive, is_up);
            let goes_on = self.int_test(range.span, test, range.index, Operand::Local(limit));
            self.branch_to(goes_on, step_block, after);
        }
        self.builder.switch_to(step_block);
        self.advance(range, by);
        self.jump(body);
        self.builder.switch_to(after);
    }

    fn limit_of(&mut self, range: &Range, by: Operand, upward: bool, limit: Local) {
        let span = range.span;
        let reach = match (range.bound, upward) {
            (Bound::Exclusive, _) => by,
            (Bound::Inclusive, true) => self.int_op(span, BinaryOp::IntSub, by, Operand::Int(1)),
            (Bound::Inclusive, false) => self.int_op(span, BinaryOp::IntAdd, by, Operand::Int(1)),
        };
        let (clamp, least) = if upward { (BinaryOp::IntMax, i64::MIN) } else { (BinaryOp::IntMin, i64::MAX) };
        let edge = self.int_op(span, BinaryOp::IntAdd, Operand::Int(least), reach);
        let inside = self.int_op(span, clamp, range.end, edge);
        self.push(span, Inst::Binary { op: BinaryOp::IntSub, dst: limit, lhs: inside, rhs: reach });
    }

    fn fail_on_zero(&mut self, span: Span, step: Operand) {
        let (fails, holds) = (self.new_block(), self.new_block());
        let dst = self.temp(Scalar::Bool);
        self.push(span, Inst::Binary { op: BinaryOp::IntEq, dst, lhs: step, rhs: Operand::Int(0) });
        self.branch_to(Operand::Local(dst), fails, holds);
        self.builder.switch_to(fails);
        self.end(span, Terminator::Fail { kind: FailKind::StepIsZero, message: Operand::NoneRef });
        self.builder.switch_to(holds);
    }

    /// Elements by index; the length of an array never changes.
    fn each(&mut self, span: Span, inner: &For, source: &Expr, elem: Elem) {
        let array = self.kept(source);
        let len = self.temp(Scalar::Int);
        self.push(source.span, Inst::Len { dst: len, object: array });
        let index = self.temp(Scalar::Int);
        self.copy(span, index, Operand::Int(0));
        let range = Range { index, end: Operand::Local(len), bound: Bound::Exclusive, span };
        let (header, body) = (self.new_block(), self.new_block());
        let (step, after) = (self.new_block(), self.new_block());
        self.enter_loop(inner.id, after, step);
        self.fall_into(header);
        let more = self.int_test(span, BinaryOp::IntLt, index, range.end);
        self.branch_to(more, body, after);
        self.builder.switch_to(body);
        if let Some(var) = inner.var {
            let dst = self.var(var);
            self.push(source.span, Inst::ElemGet { dst, elem, array, index: Operand::Local(index) });
        }
        self.block(&inner.body);
        self.fall_into(step);
        self.advance(&range, Operand::Int(1));
        self.jump(header);
        self.builder.switch_to(after);
    }

    fn advance(&mut self, range: &Range, step: Operand) {
        let index = Operand::Local(range.index);
        self.push(range.span, Inst::Binary { op: BinaryOp::IntAdd, dst: range.index, lhs: index, rhs: step });
    }

    fn branch_to(&mut self, cond: Operand, then: Block, otherwise: Block) {
        self.terminate(Terminator::Branch { cond, then, otherwise });
    }

    fn int_op(&mut self, span: Span, op: BinaryOp, lhs: Operand, rhs: Operand) -> Operand {
        let dst = self.temp(op.result());
        self.push(span, Inst::Binary { op, dst, lhs, rhs });
        Operand::Local(dst)
    }

    fn int_test(&mut self, span: Span, op: BinaryOp, lhs: Local, rhs: Operand) -> Operand {
        self.int_op(span, op, Operand::Local(lhs), rhs)
    }
}

/// The operator that tests if the index is still before the bound.
fn first_test(bound: Bound, upward: bool) -> BinaryOp {
    match (bound, upward) {
        (Bound::Exclusive, true) => BinaryOp::IntLt,
        (Bound::Inclusive, true) => BinaryOp::IntLe,
        (Bound::Exclusive, false) => BinaryOp::IntGt,
        (Bound::Inclusive, false) => BinaryOp::IntGe,
    }
}

/// The value of a step that is written as a constant.
fn literal(expr: &Expr) -> Option<i64> {
    match expr.kind {
        ExprKind::Int(value) => Some(value),
        _ => None,
    }
}
