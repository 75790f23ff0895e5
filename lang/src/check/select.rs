//! `match` on values with parts, with names or with guards: the arms, each with the names that its patterns bind.
//!
//! In: a match and its subject. Out: a [`Select`]. Invariant: the names of an arm are visible in its guard and its body
//! alone.

use super::body::{Body, Outcome, VarKind, Want};
use super::branch::leaving;
use super::decision::{Pat, Row};
use super::error::CheckError;
use super::report::{Checked, Reported};
use crate::ast::{self, PatternKind, PatternValueKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{Type, TypeRef};
use crate::source::Span;
use crate::tast::{Completion, Cond, Decision, Expr, ExprKind, Select, StmtKind, VarId};

/// The patterns of an arm, and its guard.
type ArmTests = Checked<(Vec<Pat>, Option<Expr>)>;

impl Body<'_, '_> {
    /// Returns true if a match needs a tree of tests: literals, constants and ranges of one value have a simpler form.
    pub(super) fn has_parts(&mut self, node: &ast::Match, ty: TypeRef) -> bool {
        if !matches!(self.type_of(ty), Type::Int | Type::Bool | Type::Str) {
            return true;
        }
        node.arms.iter().any(|arm| {
            arm.guard.is_some()
                || arm.patterns.iter().any(|pattern| match &pattern.kind {
                    PatternKind::Wildcard | PatternKind::Range { .. } => false,
                    PatternKind::Value(value) => match &value.kind {
                        PatternValueKind::Name(name) => !self.is_constant(name),
                        PatternValueKind::Int(_) | PatternValueKind::Bool(_) | PatternValueKind::Str(_) => false,
                    },
                    PatternKind::None
                    | PatternKind::Variant { .. }
                    | PatternKind::Tuple(_)
                    | PatternKind::Or(_) => true,
                })
        })
    }

    pub(super) fn select_stmt(&mut self, node: &ast::Match, subject: Expr) -> (Checked<StmtKind>, Completion) {
        let var = self.hidden_var(subject.ty, subject.span);
        let mut tests = Vec::new();
        let mut bodies = Vec::new();
        for arm in &node.arms {
            self.scopes.enter();
            tests.push(self.arm_tests(arm, subject.ty));
            bodies.push(self.block(&arm.body));
            self.scopes.leave();
        }
        let all_leave = bodies.iter().all(|body| body.completion == Completion::Leaves);
        let decided = self.decide_arms(node, var, subject, tests);
        // If the patterns are wrong, the values they leave out are not reported.
        let exhaustive = decided.as_ref().map_or(true, |(_, missing)| missing.is_none());
        let completion = if all_leave && exhaustive { Completion::Leaves } else { Completion::Falls };
        (decided.map(|(decision, _)| StmtKind::Select(Select { decision, arms: bodies })), completion)
    }

    pub(super) fn select_value(
        &mut self,
        node: &ast::Match,
        subject: Expr,
        span: Span,
        want: Want,
    ) -> Checked<Outcome> {
        let ty = subject.ty;
        let subject_span = subject.span;
        let var = self.hidden_var(ty, subject_span);
        let blocks: Vec<_> = node.arms.iter().map(|arm| &arm.body).collect();
        let mut tests: Vec<Option<ArmTests>> = node.arms.iter().map(|_| None).collect();
        let (bodies, result) = self.alternatives(&blocks, want, |body, at| {
            tests[at] = Some(body.arm_tests(&node.arms[at], ty));
        });
        let tests = tests.into_iter().flatten().collect();
        let (decision, missing) = self.decide_arms(node, var, subject, tests)?;
        if let Some(example) = missing {
            return Err(self.left_out(node, &example, span));
        }
        let select = Select { decision, arms: bodies? };
        Ok(match result {
            Some(ty) => Outcome::Value(Expr { kind: ExprKind::Select(Box::new(select)), ty, span }),
            None => leaving(StmtKind::Select(select), "every arm of this `match` leaves it"),
        })
    }

    fn left_out(&mut self, node: &ast::Match, example: &str, span: Span) -> Reported {
        let keyword = Span { end: span.start + 5, ..span };
        let missing = if example == "_" { "other values".to_owned() } else { format!("`{example}`") };
        let error = Diagnostic::error(CheckError::NotExhaustive(vec![missing]), keyword);
        let error = error.with_label(node.subject.span, "a value is needed for everything that this can be");
        let arm = if example == "_" { "_" } else { example };
        self.report(error.with_help(format!("add an arm `{arm} => ...`")))
    }

    fn arm_tests(&mut self, arm: &ast::Arm, ty: TypeRef) -> ArmTests {
        let binds = arm.patterns.len() == 1;
        let patterns: Vec<_> = arm.patterns.iter().map(|pattern| self.pattern(pattern, ty, false, binds)).collect();
        let patterns: Checked<Vec<_>> = patterns.into_iter().collect();
        if let Err(reported) = patterns {
            arm.patterns.iter().for_each(|pattern| self.names_unknown(pattern, reported));
        }
        let guard = arm.guard.as_ref().map(|guard| self.condition(guard)).transpose();
        if let (Some(written), Ok(Some(guard))) = (&arm.guard, &guard) {
            self.watch_condition(written, guard);
        }
        Ok((patterns?, guard?))
    }

    /// Declares the names of a pattern that is wrong, so that their uses are silent.
    fn names_unknown(&mut self, pattern: &ast::Pattern, reported: Reported) {
        match &pattern.kind {
            PatternKind::Value(value) => {
                if let PatternValueKind::Name(name) = &value.kind
                    && !self.is_constant(name)
                {
                    let _ = self.declare(name, Err(reported), ast::Mutability::Fixed, VarKind::Content);
                }
            }
            PatternKind::Variant { parts, .. } | PatternKind::Tuple(parts) | PatternKind::Or(parts) => {
                parts.iter().for_each(|part| self.names_unknown(part, reported));
            }
            PatternKind::Wildcard | PatternKind::None | PatternKind::Range { .. } => {}
        }
    }

    /// The tree of a match, and an example of a value that no arm takes.
    fn decide_arms(
        &mut self,
        node: &ast::Match,
        var: VarId,
        subject: Expr,
        tests: Vec<ArmTests>,
    ) -> Checked<(Decision, Option<String>)> {
        let mut rows = Vec::new();
        let mut failed = None;
        for (at, tests) in tests.into_iter().enumerate() {
            match tests {
                Ok((patterns, guard)) => {
                    rows.extend(patterns.into_iter().map(|pattern| Row::new(var, pattern, guard.clone(), at)));
                }
                Err(reported) => failed = Some(reported),
            }
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        let (decision, making) = self.decide(var, rows, node.arms.len(), subject.span)?;
        for (arm, &is_reached) in node.arms.iter().zip(&making.reached) {
            self.cx.arm_is_reached(is_reached, arm);
        }
        Ok((Decision::Let { var, value: subject, next: Box::new(decision) }, making.missing))
    }

    /// `let pattern = value` as a condition; its names are declared in the innermost scope.
    pub(super) fn let_pattern(&mut self, pattern: &ast::Pattern, value: &ast::Expr) -> Checked<Cond> {
        let value = self.infer(value, Want::Any)?;
        let var = self.hidden_var(value.ty, value.span);
        let pat = match self.pattern(pattern, value.ty, false, true) {
            Ok(pat) => pat,
            Err(reported) => {
                self.names_unknown(pattern, reported);
                return Err(reported);
            }
        };
        let span = value.span;
        let (decision, _) = self.decide(var, vec![Row::new(var, pat, None, 0)], 1, span)?;
        Ok(Cond::Decide(Decision::Let { var, value, next: Box::new(decision) }))
    }
}
