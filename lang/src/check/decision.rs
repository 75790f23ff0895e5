//! `match` on values with parts, and patterns with names and guards: rows of patterns to a tree of tests.
//!
//! In: the arms of a match and the type of its subject. Out: a [`Decision`] whose leaves are arms. The tree is the one of
//! Maranget's "Compiling Pattern Matching to Good Decision Trees" (ML 2008), columns from left to right: the first test
//! of the first row decides, and each outcome keeps the rows that it allows. Invariant: a value takes the first arm that
//! fits it; a leaf that no arm takes has an example of such a value.

use hashbrown::HashMap;

use super::body::{Body, VarKind};
use super::environment::{Collection, ConstValue, DefKind, Origin, TemplateItem};
use super::error::CheckError;
use super::report::Checked;
use super::scope::Local;
use crate::ast::{self, Bound, Mutability, Name, Pattern, PatternKind, PatternValueKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Shape, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Comparison, Decision, Expr, ExprKind, Var, VarId};

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
    tests: Vec<(VarId, Pat)>,
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
    fn take(&mut self, value: VarId) -> Option<Pat> {
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
}

/// What is known of a value on the way to a leaf.
#[derive(Clone)]
enum Known {
    Variant(String, Vec<VarId>),
    Tuple(Vec<VarId>),
    Some(VarId),
    Text(String),
}

/// The state of making one tree.
pub(super) struct Making {
    span: Span,
    subject: VarId,
    known: HashMap<VarId, Known>,
    /// The ints that a value is not.
    excluded: HashMap<VarId, Vec<(i64, i64)>>,
    /// An example of a value that no arm takes.
    pub(super) missing: Option<String>,
    /// The arms that some value takes.
    pub(super) reached: Vec<bool>,
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

    /// Resolves a pattern for a value of type `ty`; names are declared in the innermost scope unless it is one of several
    /// alternatives.
    pub(super) fn pattern(&mut self, pattern: &Pattern, ty: TypeRef, is_part: bool, binds: bool) -> Checked<Pat> {
        let content = self.cx.env.content(ty);
        match &pattern.kind {
            PatternKind::Wildcard => Ok(Pat::Any),
            PatternKind::None => match content {
                Some(_) => Ok(Pat::None),
                None => Err(self.bad_pattern("`none`", ty, pattern.span)),
            },
            PatternKind::Or(alternatives) => {
                let all: Vec<_> = alternatives.iter().map(|one| self.pattern(one, ty, is_part, false)).collect();
                Ok(Pat::Or(all.into_iter().collect::<Checked<_>>()?))
            }
            PatternKind::Value(value) => {
                if let PatternValueKind::Name(name) = &value.kind
                    && !self.is_constant(name)
                    && !self.is_variant(name, content.unwrap_or(ty))
                {
                    return match content {
                        // The name stands for what is there; a part is bound as it is.
                        Some(content) if !is_part => {
                            self.bind_name(name, content, binds).map(|pat| Pat::Some(Box::new(pat)))
                        }
                        _ => self.bind_name(name, ty, binds),
                    };
                }
                match content {
                    Some(content) => Ok(Pat::Some(Box::new(self.pattern(pattern, content, true, binds)?))),
                    None => self.value_pattern(value, ty),
                }
            }
            PatternKind::Range { low, high, bound } => match content {
                Some(content) => Ok(Pat::Some(Box::new(self.pattern(pattern, content, true, binds)?))),
                None => self.range_pattern(pattern, low, high, *bound, ty),
            },
            PatternKind::Tuple(parts) => {
                if let Some(content) = content {
                    return Ok(Pat::Some(Box::new(self.pattern(pattern, content, true, binds)?)));
                }
                let types = match self.cx.env.collection_of(ty) {
                    Some((Collection::Tuple, types)) if types.len() == parts.len() => types.to_vec(),
                    _ => return Err(self.bad_pattern("a tuple pattern", ty, pattern.span)),
                };
                let parts: Vec<_> =
                    parts.iter().zip(types).map(|(part, ty)| self.pattern(part, ty, true, binds)).collect();
                Ok(Pat::Tuple(parts.into_iter().collect::<Checked<_>>()?))
            }
            PatternKind::Variant { name, parts } => {
                if let Some(content) = content {
                    return Ok(Pat::Some(Box::new(self.pattern(pattern, content, true, binds)?)));
                }
                self.variant_pattern(name, parts, ty, pattern.span, binds)
            }
        }
    }

    fn bind_name(&mut self, name: &Name, ty: TypeRef, binds: bool) -> Checked<Pat> {
        if !binds {
            let error = Diagnostic::error(CheckError::NameInAlternative(name.text.to_string()), name.span);
            return Err(self.report(error.with_help("write `_`, or an arm for each")));
        }
        self.declare(name, Ok(ty), Mutability::Fixed, VarKind::Content).map(Pat::Bind)
    }

    /// Returns true if a name in a pattern is that of a constant.
    pub(super) fn is_constant(&mut self, name: &Name) -> bool {
        match self.local(name.as_str()) {
            Some(Local::Const { .. }) => true,
            Some(Local::Var(_) | Local::Unknown(_)) => false,
            None => matches!(self.lookup(name).map(|def| def.kind), Some(DefKind::Const(_))),
        }
    }

    fn is_variant(&self, name: &Name, ty: TypeRef) -> bool {
        self.enum_of(ty).is_some_and(|item| item.variants.iter().any(|variant| variant.name.text == name.text))
    }

    /// The enum that the type is made of.
    fn enum_of(&self, ty: TypeRef) -> Option<std::sync::Arc<ast::Enum>> {
        let record = self.cx.env.record_of(ty)?;
        let Origin::Template(id, _) = self.cx.env.records[record].origin else { return None };
        match &self.cx.env.templates[id].item {
            TemplateItem::Enum(item) => Some(item.clone()),
            TemplateItem::Fn(..) | TemplateItem::Struct(_) => None,
        }
    }

    fn value_pattern(&mut self, value: &ast::PatternValue, ty: TypeRef) -> Checked<Pat> {
        if let PatternValueKind::Name(name) = &value.kind
            && self.is_variant(name, ty)
        {
            return self.variant_pattern(name, &[], ty, value.span, true);
        }
        match self.type_of(ty) {
            Type::Int | Type::Bool | Type::Str => self.pattern_value(value, ty).map(Pat::Const),
            _ => Err(self.bad_pattern("this value", ty, value.span)),
        }
    }

    fn range_pattern(
        &mut self,
        pattern: &Pattern,
        low: &ast::PatternValue,
        high: &ast::PatternValue,
        bound: Bound,
        ty: TypeRef,
    ) -> Checked<Pat> {
        if !matches!(self.type_of(ty), Type::Int) {
            return Err(self.bad_pattern("a range", ty, pattern.span));
        }
        self.range(pattern, low, high, bound, ty).map(|(low, high)| Pat::Range(low, high))
    }

    fn variant_pattern(
        &mut self,
        name: &Name,
        parts: &[Pattern],
        ty: TypeRef,
        span: Span,
        binds: bool,
    ) -> Checked<Pat> {
        let Some(item) = self.enum_of(ty) else { return Err(self.bad_pattern("a variant", ty, span)) };
        let Some(at) = item.variants.iter().position(|variant| variant.name.text == name.text) else {
            return Err(self.unknown_variant(&item, name));
        };
        let payloads = &item.variants[at].payloads;
        if payloads.len() != parts.len() {
            let error = CheckError::ArgumentCount {
                callee: name.text.to_string(),
                expected: super::error::count_phrase(payloads.len()),
                found: parts.len(),
            };
            let blanks = vec!["_"; payloads.len()].join(", ");
            let help = match payloads.len() {
                0 => format!("write `{}`", name.as_str()),
                _ => format!("write `{}({blanks})`", name.as_str()),
            };
            let error = Diagnostic::error(error, span).with_label(item.variants[at].span, "the variant is defined here");
            return Err(self.report(error.with_help(help)));
        }
        let types = self.payload_types(ty, at);
        let parts: Vec<_> = parts.iter().zip(types).map(|(part, (_, ty))| self.pattern(part, ty, true, binds)).collect();
        Ok(Pat::Variant(at, parts.into_iter().collect::<Checked<_>>()?))
    }

    /// The fields and types of a variant's payloads.
    fn payload_types(&self, ty: TypeRef, variant: usize) -> Vec<(u32, TypeRef)> {
        let record = self.cx.env.record_of(ty).expect("an enum is a record");
        let Shape::Enum(variants) = &self.cx.env.module.records[record].shape else { return Vec::new() };
        let fields = &self.cx.env.module.records[record].fields;
        variants[variant].fields.iter().map(|&at| (at, fields[at as usize].ty)).collect()
    }

    fn bad_pattern(&mut self, pattern: &'static str, ty: TypeRef, span: Span) -> super::report::Reported {
        let error = CheckError::BadPattern { pattern, of: self.type_name(ty) };
        self.error(error, span)
    }

    /// Makes the tree for rows of patterns.
    pub(super) fn decide(&mut self, subject: VarId, rows: Vec<Row>, arms: usize, span: Span) -> Checked<(Decision, Making)> {
        let mut making = Making {
            span,
            subject,
            known: HashMap::new(),
            excluded: HashMap::new(),
            missing: None,
            reached: vec![false; arms],
        };
        let decision = self.tree(&mut making, rows)?;
        Ok((decision, making))
    }

    fn tree(&mut self, making: &mut Making, mut rows: Vec<Row>) -> Checked<Decision> {
        let Some(first) = rows.first_mut() else {
            if making.missing.is_none() && !making.excludes_all() {
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
                    let otherwise = Box::new(self.tree(making, rows)?);
                    Decision::If { cond, then: Box::new(then), otherwise }
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
            Pat::Const(ConstValue::Int(_)) => self.int_tree(making, rows, value),
            Pat::Const(constant) => self.constant_tree(making, rows, value, constant),
            Pat::Range(low, high) => self.range_tree(making, rows, value, low, high),
        }
    }

    /// Alternatives inside of a pattern are taken apart where the value that they are of is tested.
    fn without_or(rows: Vec<Row>, value: VarId) -> Vec<Row> {
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
                let tests = parts.iter().copied().zip(patterns);
                row.tests = tests.chain(std::mem::take(&mut row.tests)).collect();
            }
            row
        });
        let next = self.tree(making, rows.collect())?;
        let fields: Vec<_> = (0..).zip(types).take(count).collect();
        Ok(self.load(value, &parts, &fields, next, making.span))
    }

    /// Reads fields of a value into variables, before `next`.
    fn load(
        &self,
        value: VarId,
        vars: &[VarId],
        fields: &[(u32, TypeRef)],
        next: Decision,
        span: Span,
    ) -> Decision {
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
                    let tests = parts.iter().copied().zip(patterns);
                    row.tests = tests.chain(std::mem::take(&mut row.tests)).collect();
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
                let payloads = variant.payloads.iter().map(|_| VarId::from_u32(u32::MAX - 1)).collect();
                making.known.insert(value, Known::Variant(variant.name.text.to_string(), payloads));
                let kept = rows.into_iter().filter_map(|mut row| row.take(value).is_none().then_some(row));
                self.tree(making, kept.collect())?
            }
        };
        making.known.remove(&value);
        let int = self.cx.env.basic.int;
        let tag = match self.cx.env.shape_of(ty) {
            Some(Shape::Enum(_)) => self.field_value(self.var_value(value, span), 0, int, span),
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
                    row.tests.insert(0, (var, *pattern));
                    present.push(row);
                }
                Some(_) => unreachable!("patterns of optionals are these"),
            }
        }
        making.known.insert(value, Known::Some(var));
        let then = self.tree(making, present)?;
        making.known.insert(value, Known::Text("none".to_owned()));
        let otherwise = Box::new(self.tree(making, absent)?);
        making.known.remove(&value);
        let inner = self.cx.env.content_of(self.var_value(value, span), content);
        let then = Box::new(Decision::Let { var, value: inner, next: Box::new(then) });
        let none = Expr { kind: ExprKind::None, ty, span };
        let cond = self.is_other(self.var_value(value, span), none, span);
        Ok(Decision::If { cond, then, otherwise })
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

    /// A switch over the ints that some row names.
    fn int_tree(&mut self, making: &mut Making, rows: Vec<Row>, value: VarId) -> Checked<Decision> {
        let span = making.span;
        let rows = Self::without_or(rows, value);
        let mut numbers: Vec<i64> = Vec::new();
        for (of, pattern) in rows.iter().flat_map(|row| &row.tests) {
            if let Pat::Const(ConstValue::Int(n)) = pattern
                && *of == value
                && !numbers.contains(n)
            {
                numbers.push(*n);
            }
        }
        let mut cases = Vec::new();
        for &n in &numbers {
            making.known.insert(value, Known::Text(n.to_string()));
            let kept = rows.iter().cloned().filter_map(|mut row| match row.take(value) {
                None => Some(row),
                Some(Pat::Const(ConstValue::Int(of))) => (of == n).then_some(row),
                Some(Pat::Range(low, high)) => (low..=high).contains(&n).then_some(row),
                Some(_) => unreachable!("patterns of ints are these"),
            });
            cases.push((n, self.tree(making, kept.collect())?));
        }
        making.known.remove(&value);
        let kept = rows.into_iter().filter_map(|row| {
            let mut rest = row.clone();
            match rest.take(value) {
                None => Some(rest),
                Some(Pat::Const(_)) => None,
                Some(_) => Some(row),
            }
        });
        let kept: Vec<Row> = kept.collect();
        let count = making.exclude(value, numbers.iter().map(|&n| (n, n)));
        let default = Box::new(self.tree(making, kept)?);
        making.include(value, count);
        Ok(Decision::Switch { value: self.var_value(value, span), cases, default })
    }

    fn range_tree(
        &mut self,
        making: &mut Making,
        rows: Vec<Row>,
        value: VarId,
        low: i64,
        high: i64,
    ) -> Checked<Decision> {
        let span = making.span;
        let rows = Self::without_or(rows, value);
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for row in rows {
            let mut rest = row.clone();
            match rest.take(value) {
                None => {
                    inside.push(rest.clone());
                    outside.push(rest);
                }
                Some(Pat::Const(ConstValue::Int(n))) if (low..=high).contains(&n) => inside.push(row),
                Some(Pat::Range(from, to)) => {
                    if from <= low && high <= to {
                        inside.push(rest);
                    } else if from <= high && low <= to {
                        inside.push(row.clone());
                    }
                    if from < low || high < to {
                        outside.push(row);
                    }
                }
                Some(_) => outside.push(row),
            }
        }
        making.known.insert(value, Known::Text(low.to_string()));
        let then = Box::new(self.tree(making, inside)?);
        making.known.remove(&value);
        let count = making.exclude(value, std::iter::once((low, high)));
        let otherwise = Box::new(self.tree(making, outside)?);
        making.include(value, count);
        let (int, bool) = (self.cx.env.basic.int, self.cx.env.basic.bool);
        let test = |op, number| {
            let rhs = Box::new(Expr { kind: ExprKind::Int(number), ty: int, span });
            let kind = ExprKind::Binary { op, lhs: Box::new(self.var_value(value, span)), rhs };
            Box::new(Expr { kind, ty: bool, span })
        };
        let kind = ExprKind::And(test(BinaryOp::IntGe, low), test(BinaryOp::IntLe, high));
        Ok(Decision::If { cond: Expr { kind, ty: bool, span }, then, otherwise })
    }

    /// A bool or a string.
    fn constant_tree(
        &mut self,
        making: &mut Making,
        rows: Vec<Row>,
        value: VarId,
        constant: ConstValue,
    ) -> Checked<Decision> {
        let span = making.span;
        let rows = Self::without_or(rows, value);
        let (mut equal, mut other) = (Vec::new(), Vec::new());
        for row in rows {
            let mut rest = row.clone();
            match rest.take(value) {
                None => {
                    equal.push(rest.clone());
                    other.push(rest);
                }
                Some(Pat::Const(of)) if of == constant => equal.push(rest),
                // What is not one truth value is the other.
                Some(Pat::Const(ConstValue::Bool(_))) => other.push(rest),
                Some(_) => other.push(row),
            }
        }
        let text = |constant| match constant {
            ConstValue::Bool(b) => Some(Known::Text(b.to_string())),
            _ => None,
        };
        let literal = self.literal(constant, span);
        let bool = self.cx.env.basic.bool;
        if let Some(known) = text(constant) {
            making.known.insert(value, known);
        } else if let ConstValue::Str(id) = constant {
            let shown = String::from_utf8_lossy(&self.cx.env.module.strings[id]).into_owned();
            making.known.insert(value, Known::Text(format!("{shown:?}")));
        }
        let then = Box::new(self.tree(making, equal)?);
        match constant {
            ConstValue::Bool(b) => making.known.insert(value, Known::Text((!b).to_string())),
            _ => making.known.remove(&value),
        };
        let otherwise = Box::new(self.tree(making, other)?);
        making.known.remove(&value);
        let lhs = Box::new(self.var_value(value, span));
        let kind = match constant {
            ConstValue::Bool(true) => lhs.kind,
            ConstValue::Bool(false) => self.not(*lhs).kind,
            _ => ExprKind::StrCompare { op: Comparison::Eq, lhs, rhs: Box::new(literal) },
        };
        Ok(Decision::If { cond: Expr { kind, ty: bool, span }, then, otherwise })
    }
}

impl Making {
    /// Notes ints that the value is not; says how many ranges that were.
    fn exclude(&mut self, value: VarId, ranges: impl Iterator<Item = (i64, i64)>) -> usize {
        let all = self.excluded.entry(value).or_default();
        let before = all.len();
        all.extend(ranges);
        all.len() - before
    }

    fn include(&mut self, value: VarId, count: usize) {
        if let Some(all) = self.excluded.get_mut(&value) {
            all.truncate(all.len() - count);
        }
    }

    /// Returns true if some value could be no int at all, so that nothing comes here.
    fn excludes_all(&self) -> bool {
        self.excluded.values().any(|ranges| {
            let mut ranges = ranges.clone();
            ranges.sort_unstable();
            let mut next = Some(i64::MIN);
            for (low, high) in ranges {
                match next {
                    Some(from) if low <= from => {
                        if high >= from {
                            next = high.checked_add(1);
                        }
                    }
                    _ => break,
                }
            }
            next.is_none()
        })
    }

    /// A pattern that the value fits.
    fn example(&self, value: VarId) -> String {
        let all = |parts: &[VarId]| parts.iter().map(|&part| self.example(part)).collect::<Vec<_>>().join(", ");
        match self.known.get(&value) {
            None => "_".to_owned(),
            Some(Known::Text(text)) => text.clone(),
            Some(Known::Some(content)) => self.example(*content),
            Some(Known::Tuple(parts)) => format!("({})", all(parts)),
            Some(Known::Variant(name, parts)) if parts.is_empty() => name.clone(),
            Some(Known::Variant(name, parts)) => format!("{name}({})", all(parts)),
        }
    }
}
