//! `match` on values with parts, and patterns with names and guards: rows of patterns to a tree of tests.
//!
//! In: the arms of a match and the type of its subject. Out: a [`Decision`] whose leaves are arms. The tree is the one of
//! Maranget's "Compiling Pattern Matching to Good Decision Trees" (ML 2008), columns from left to right: the first test
//! of the first row decides, and each outcome keeps the rows that it allows. Invariant: a value takes the first arm that
//! fits it; a leaf that no arm takes has an example of such a value.

use hashbrown::HashMap;

use super::body::Body;
use super::environment::ConstValue;
use super::error::CheckError;
use super::example::{Known, Making, pattern_of};
use super::report::Checked;
use crate::ast::Mutability;
use crate::diagnostic::Diagnostic;
use crate::ir::field::variant;
use crate::ir::{BinaryOp, Shape, TypeRef};
use crate::settings::check::{DEEPEST_MATCH, MOST_MATCH_WORK};
use crate::source::Span;
use crate::tast::{Decision, Expr, ExprKind, Var, VarId};

/// A pattern whose names are resolved.
#[derive(Clone)]
pub(super) enum Pat {
    Any,
    Bind(VarId),
    Const(ConstValue),
    Range(i64, i64),
    Variant(usize, Vec<Pat>),
    Tuple(Vec<Pat>),
    None,
    /// The content of an optional.
    Some(Box<Pat>),
    Or(Vec<Pat>),
}

/// An arm, or one alternative of it, with the tests that are left.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) tests: Vec<(VarId, Pat)>,
    binds: Vec<(VarId, VarId)>,
    guard: Option<Expr>,
    arm: usize,
}

impl Row {
    pub(super) fn new(subject: VarId, pattern: Pat, guard: Option<Expr>, arm: usize) -> Self {
        Self { tests: vec![(subject, pattern)], binds: Vec::new(), guard, arm }
    }

    /// Takes the names off the front, and says what is tested first.
    fn first_test(&mut self) -> Option<(VarId, Pat)> {
        loop {
            match self.tests.first()? {
                (_, Pat::Any) => {
                    self.tests.remove(0);
                }
                &(value, Pat::Bind(var)) => {
                    self.binds.push((var, value));
                    self.tests.remove(0);
                }
                (value, pattern) => return Some((*value, pattern.clone())),
            }
        }
    }

    /// The test of `value`, taken out.
    pub(super) fn take(&mut self, value: VarId) -> Option<Pat> {
        let at = self.tests.iter().position(|(of, _)| *of == value)?;
        match self.tests.remove(at).1 {
            Pat::Any => None,
            Pat::Bind(var) => {
                self.binds.push((var, value));
                None
            }
            pattern => Some(pattern),
        }
    }

    /// Tests the parts of a value by their patterns, before all that is left.
    fn test_first(&mut self, parts: &[VarId], patterns: Vec<Pat>) {
        self.tests.splice(0..0, parts.iter().copied().zip(patterns));
    }
}

impl Body<'_, '_> {
    /// A variable that no program names.
    pub(super) fn hidden_var(&mut self, ty: TypeRef, span: Span) -> VarId {
        self.vars.push(Var { name: "_".into(), ty, mutability: Mutability::Fixed, cell: None, span })
    }

    /// The value of a variable of this function.
    pub(super) fn var_value(&self, var: VarId, span: Span) -> Expr {
        Expr { kind: ExprKind::Var(var), ty: self.vars[var].ty, span }
    }

    /// Makes the tree for rows of patterns.
    pub(super) fn decide(
        &mut self,
        subject: VarId,
        rows: Vec<Row>,
        arms: usize,
        span: Span,
    ) -> Checked<(Decision, Making)> {
        let mut making = Making {
            span,
            subject,
            known: HashMap::new(),
            missing: None,
            reached: vec![false; arms],
            depth: 0,
            work: 0,
        };
        let decision = self.tree(&mut making, rows)?;
        Ok((decision, making))
    }

    /// The tree of the rows that are left.
    pub(super) fn tree(&mut self, making: &mut Making, rows: Vec<Row>) -> Checked<Decision> {
        making.depth += 1;
        making.work += 1 + rows.len();
        if making.depth > DEEPEST_MATCH || making.work > MOST_MATCH_WORK {
            let help = "match on a part first, and on the others in its arms";
            let error = Diagnostic::error(CheckError::MatchTooLarge, making.span).with_help(help);
            return Err(self.report(error));
        }
        let tree = self.node(making, rows);
        making.depth -= 1;
        tree
    }

    fn node(&mut self, making: &mut Making, mut rows: Vec<Row>) -> Checked<Decision> {
        let Some(first) = rows.first_mut() else {
            if making.missing.is_none() {
                making.missing = Some(making.example(making.subject));
            }
            return Ok(Decision::Nothing);
        };
        let Some((value, pattern)) = first.first_test() else {
            let row = rows.remove(0);
            making.reached[row.arm] = true;
            let then = Decision::Arm(row.arm);
            let decision = match row.guard {
                None => then,
                Some(cond) => {
                    let otherwise = self.tree(making, rows)?;
                    branch(cond, then, otherwise)
                }
            };
            let span = making.span;
            return Ok(row.binds.into_iter().rev().fold(decision, |next, (var, value)| Decision::Let {
                var,
                value: self.var_value(value, span),
                next: Box::new(next),
            }));
        };
        match pattern {
            Pat::Any | Pat::Bind(_) => unreachable!("`first_test` takes these"),
            Pat::Or(alternatives) => {
                let row = rows.remove(0);
                let one = |pattern| {
                    let mut row = row.clone();
                    row.tests[0].1 = pattern;
                    row
                };
                let rows = alternatives.into_iter().map(one).chain(rows).collect();
                self.tree(making, rows)
            }
            Pat::Tuple(parts) => self.tuple_tree(making, rows, value, parts.len()),
            Pat::Variant(..) => self.variant_tree(making, rows, value),
            Pat::None | Pat::Some(_) => self.optional_tree(making, rows, value),
            Pat::Const(ConstValue::Int(_)) | Pat::Range(..) => self.int_tree(making, rows, value),
            Pat::Const(ConstValue::Bool(_)) => self.bool_tree(making, rows, value),
            Pat::Const(_) => self.str_tree(making, rows, value),
        }
    }

    /// Alternatives inside of a pattern are taken apart where the value that they are of is tested.
    pub(super) fn without_or(rows: Vec<Row>, value: VarId) -> Vec<Row> {
        let mut out = Vec::with_capacity(rows.len());
        for row in rows {
            let at = row.tests.iter().position(|(of, pattern)| *of == value && matches!(pattern, Pat::Or(_)));
            match at {
                None => out.push(row),
                Some(at) => {
                    let Pat::Or(alternatives) = row.tests[at].1.clone() else { unreachable!("it was found") };
                    let split = alternatives.into_iter().map(|pattern| {
                        let mut row = row.clone();
                        row.tests[at].1 = pattern;
                        row
                    });
                    out.extend(Self::without_or(split.collect(), value));
                }
            }
        }
        out
    }

    fn tuple_tree(&mut self, making: &mut Making, rows: Vec<Row>, value: VarId, count: usize) -> Checked<Decision> {
        let ty = self.vars[value].ty;
        let (_, types) = self.cx.env.collection_of(ty).expect("the value is a tuple");
        let types = types.to_vec();
        let parts: Vec<VarId> = types.iter().take(count).map(|&ty| self.hidden_var(ty, making.span)).collect();
        making.known.insert(value, Known::Tuple(parts.clone()));
        let rows = Self::without_or(rows, value).into_iter().map(|mut row| {
            if let Some(Pat::Tuple(patterns)) = row.take(value) {
                row.test_first(&parts, patterns);
            }
            row
        });
        let next = self.tree(making, rows.collect())?;
        let fields: Vec<_> = (0..).zip(types).take(count).collect();
        Ok(self.load(value, &parts, &fields, next, making.span))
    }

    /// Reads fields of a value into variables, before `next`.
    fn load(&self, value: VarId, vars: &[VarId], fields: &[(u32, TypeRef)], next: Decision, span: Span) -> Decision {
        vars.iter().zip(fields).rev().fold(next, |next, (&var, &(field, ty))| Decision::Let {
            var,
            value: self.field_value(self.var_value(value, span), field, ty, span),
            next: Box::new(next),
        })
    }

    fn variant_tree(&mut self, making: &mut Making, rows: Vec<Row>, value: VarId) -> Checked<Decision> {
        let ty = self.vars[value].ty;
        let span = making.span;
        let item = self.enum_of(ty).expect("the value is of an enum");
        let rows = Self::without_or(rows, value);
        let mut present = vec![false; item.variants.len()];
        for (of, pattern) in rows.iter().flat_map(|row| &row.tests) {
            if let Pat::Variant(at, _) = pattern
                && *of == value
            {
                present[*at] = true;
            }
        }
        let mut cases = Vec::new();
        for (at, variant) in item.variants.iter().enumerate().filter(|(at, _)| present[*at]) {
            let fields = self.payload_types(ty, at);
            let parts: Vec<VarId> = fields.iter().map(|&(_, ty)| self.hidden_var(ty, span)).collect();
            making.known.insert(value, Known::Variant(variant.name.text.to_string(), parts.clone()));
            let kept = rows.iter().cloned().filter_map(|mut row| match row.take(value) {
                None => Some(row),
                Some(Pat::Variant(of, patterns)) if of == at => {
                    row.test_first(&parts, patterns);
                    Some(row)
                }
                Some(_) => None,
            });
            let next = self.tree(making, kept.collect())?;
            cases.push((at as i64, self.load(value, &parts, &fields, next, span)));
        }
        let absent = item.variants.iter().zip(&present).find(|(_, present)| !**present);
        let default = match absent {
            // Every variant has a case: the last one is for all that is left.
            None => cases.pop().expect("an enum that is matched has a variant").1,
            Some((variant, _)) => {
                making.known.insert(value, Known::Text(pattern_of(variant)));
                let kept = rows.into_iter().filter_map(|mut row| row.take(value).is_none().then_some(row));
                self.tree(making, kept.collect())?
            }
        };
        making.known.remove(&value);
        let int = self.cx.env.basic.int;
        let tag = match self.cx.env.shape_of(ty) {
            Some(Shape::Enum(_)) => self.field_value(self.var_value(value, span), variant::NUMBER, int, span),
            _ => Expr { ty: int, ..self.var_value(value, span) },
        };
        Ok(Decision::Switch { value: tag, cases, default: Box::new(default) })
    }

    fn optional_tree(&mut self, making: &mut Making, rows: Vec<Row>, value: VarId) -> Checked<Decision> {
        let span = making.span;
        let ty = self.vars[value].ty;
        let content = self.cx.env.content(ty).expect("the value is optional");
        let var = self.hidden_var(content, span);
        let rows = Self::without_or(rows, value);
        let (mut present, mut absent) = (Vec::new(), Vec::new());
        for mut row in rows {
            match row.take(value) {
                None => {
                    present.push(row.clone());
                    absent.push(row);
                }
                Some(Pat::None) => absent.push(row),
                Some(Pat::Some(pattern)) => {
                    row.test_first(&[var], vec![*pattern]);
                    present.push(row);
                }
                Some(_) => unreachable!("patterns of optionals are these"),
            }
        }
        making.known.insert(value, Known::Some(var));
        let then = self.tree(making, present)?;
        making.known.insert(value, Known::Text("none".to_owned()));
        let otherwise = self.tree(making, absent)?;
        making.known.remove(&value);
        let inner = self.cx.env.content_of(self.var_value(value, span), content);
        let then = Decision::Let { var, value: inner, next: Box::new(then) };
        let none = Expr { kind: ExprKind::None, ty, span };
        let cond = self.is_other(self.var_value(value, span), none, span);
        Ok(branch(cond, then, otherwise))
    }

    /// Inequality of a reference or a function value with `none`.
    pub(super) fn is_other(&self, value: Expr, none: Expr, span: Span) -> Expr {
        use crate::ir::Scalar;
        let op = match self.cx.env.module.scalar(value.ty) {
            Scalar::Func => BinaryOp::FuncNe,
            Scalar::Ref | Scalar::Int | Scalar::Float | Scalar::Bool => BinaryOp::RefNe,
        };
        let kind = ExprKind::Binary { op, lhs: Box::new(value), rhs: Box::new(none) };
        Expr { kind, ty: self.cx.env.basic.bool, span }
    }

    /// Two branches, for `true` and for `false`.
    fn bool_tree(&mut self, making: &mut Making, rows: Vec<Row>, value: VarId) -> Checked<Decision> {
        let rows = Self::without_or(rows, value);
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for mut row in rows {
            match row.take(value) {
                None => {
                    yes.push(row.clone());
                    no.push(row);
                }
                Some(Pat::Const(ConstValue::Bool(true))) => yes.push(row),
                Some(_) => no.push(row),
            }
        }
        making.known.insert(value, Known::Text("true".to_owned()));
        let then = self.tree(making, yes)?;
        making.known.insert(value, Known::Text("false".to_owned()));
        let otherwise = self.tree(making, no)?;
        making.known.remove(&value);
        Ok(branch(self.var_value(value, making.span), then, otherwise))
    }
}

fn branch(cond: Expr, then: Decision, otherwise: Decision) -> Decision {
    Decision::Chain { tests: vec![(cond, then)], otherwise: Box::new(otherwise) }
}
