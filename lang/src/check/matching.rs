//! `match`: patterns, the values they cover, and the arm that takes the rest.
//!
//! In: a match of the syntax tree. Out: arms with disjoint tests. Invariant: a test covers only what no earlier test
//! covers, so the order of the arms has no meaning any more; every value goes to exactly one arm, or to none where a
//! statement leaves it out.

use crate::settings::check::GAPS_SHOWN;
use std::collections::BTreeMap;

use hashbrown::HashSet;

use super::body::{Body, Outcome, Want};
use super::branch::leaving;
use super::environment::{ConstValue, DefKind};
use super::error::CheckError;
use super::report::{Checked, Reported};
use super::scope::Local;
use crate::ast::{self, Bound, Name, Pattern, PatternKind, PatternValue, PatternValueKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{Shape, StrRef, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Arm, Block, Completion, Expr, ExprKind, Match, StmtKind, Test};

/// The patterns of a match, resolved.
struct Patterns {
    /// The tests of each arm.
    tests: Vec<Vec<Test>>,
    /// The arm that takes what no test takes.
    default: Option<usize>,
    /// Samples of the values that no arm takes, as phrases; empty if the match is exhaustive.
    missing: Vec<String>,
}

/// The values that the patterns so far take.
#[derive(Default)]
struct Covered {
    /// Disjoint ranges: greatest value by least value.
    ints: BTreeMap<i64, i64>,
    bools: [bool; 2],
    strings: HashSet<StrRef>,
}

impl Body<'_, '_> {
    /// A `match` in statement position.
    pub(super) fn match_stmt(&mut self, node: &ast::Match) -> (Checked<StmtKind>, Completion) {
        let subject = self.subject(&node.subject);
        if let Ok(subject) = &subject
            && self.has_parts(node, subject.ty)
        {
            return self.select_stmt(node, subject.clone());
        }
        let patterns = subject.and_then(|subject| Ok((self.patterns(node, subject.ty)?, subject)));
        let bodies: Vec<_> = node.arms.iter().map(|arm| self.block(&arm.body)).collect();
        let all_leave = bodies.iter().all(|body| body.completion == Completion::Leaves);
        // If the patterns are wrong, the values they leave out are not reported.
        let exhaustive = patterns.as_ref().map_or(true, |(patterns, _)| patterns.default.is_some());
        let completion = if all_leave && exhaustive { Completion::Leaves } else { Completion::Falls };
        let kind = patterns.map(|(patterns, subject)| StmtKind::Match(assemble(node, subject, patterns, bodies)));
        (kind, completion)
    }

    /// A `match` with a value.
    pub(super) fn match_value(&mut self, node: &ast::Match, span: Span, want: Want) -> Checked<Outcome> {
        let subject = self.subject(&node.subject);
        if let Ok(subject) = &subject
            && self.has_parts(node, subject.ty)
        {
            return self.select_value(node, subject.clone(), span, want);
        }
        let patterns = subject.and_then(|subject| {
            let patterns = self.patterns(node, subject.ty)?;
            match patterns.default {
                Some(_) => Ok((patterns, subject)),
                None => Err(self.not_exhaustive(node, patterns.missing, span)),
            }
        });
        let bodies: Vec<_> = node.arms.iter().map(|arm| &arm.body).collect();
        let (bodies, ty) = self.alternatives(&bodies, want, |_, _| {});
        let (patterns, subject) = patterns?;
        let node = assemble(node, subject, patterns, bodies?);
        Ok(match ty {
            Some(ty) => Outcome::Value(Expr { kind: ExprKind::Match(Box::new(node)), ty, span }),
            None => leaving(StmtKind::Match(node), "every arm of this `match` leaves it"),
        })
    }

    fn not_exhaustive(&mut self, node: &ast::Match, missing: Vec<String>, span: Span) -> Reported {
        let keyword = Span { end: span.start + 5, ..span };
        let error = Diagnostic::error(CheckError::NotExhaustive(missing), keyword);
        let error = error.with_label(node.subject.span, "a value is needed for everything that this can be");
        self.report(error.with_help("add an arm `_ => ...`"))
    }

    fn subject(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let value = self.infer(expr, Want::Any)?;
        match self.type_of(value.ty) {
            Type::Int | Type::Bool | Type::Str | Type::Optional(_) => Ok(value),
            Type::Record(record)
                if matches!(
                    self.cx.env.module.records[*record].shape,
                    Shape::Tuple | Shape::Enum(_) | Shape::Tag(_)
                ) =>
            {
                Ok(value)
            }
            found @ (Type::Float | Type::Byte | Type::Array(_) | Type::Record(_) | Type::Func(_) | Type::Code(_)) => {
                let help = match found {
                    Type::Float => Some("compare floats with `if`"),
                    _ => None,
                };
                let error = CheckError::Expected {
                    what: "an int, bool, str, tuple, enum or optional to match",
                    found: self.type_name(value.ty),
                };
                let mut error = Diagnostic::error(error, expr.span);
                error.help = help.map(str::to_owned);
                Err(self.report(error))
            }
        }
    }

    fn patterns(&mut self, node: &ast::Match, ty: TypeRef) -> Checked<Patterns> {
        let mut covered = Covered::default();
        let mut all = Vec::with_capacity(node.arms.len());
        let mut default = None;
        let mut failed = None;
        for (at, arm) in node.arms.iter().enumerate() {
            let mut tests = Vec::new();
            for pattern in &arm.patterns {
                if let PatternKind::Wildcard = pattern.kind {
                    default = default.or(Some(at));
                    continue;
                }
                match self.test(pattern, ty) {
                    // After `_` nothing is left, but mistakes are still found.
                    Ok(_) if default.is_some() => {}
                    Ok(test) => covered.add(test, &mut tests),
                    Err(reported) => failed = Some(reported),
                }
            }
            all.push(tests);
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        let missing = match default {
            Some(_) => Vec::new(),
            None => covered.missing(self.type_of(ty)),
        };
        let all_covered = covered.missing(self.type_of(ty)).is_empty();
        for (at, (arm, tests)) in node.arms.iter().zip(&all).enumerate() {
            let is_reached = !tests.is_empty() || default == Some(at) && !all_covered;
            self.cx.arm_is_reached(is_reached, arm);
        }
        if missing.is_empty() && default.is_none() {
            default = all.iter().rposition(|tests| !tests.is_empty());
        }
        Ok(Patterns { tests: all, default, missing })
    }

    /// The test that a pattern stands for.
    fn test(&mut self, pattern: &Pattern, ty: TypeRef) -> Checked<Test> {
        match &pattern.kind {
            PatternKind::Wildcard
            | PatternKind::None
            | PatternKind::Or(_)
            | PatternKind::Tuple(_)
            | PatternKind::Variant { .. } => unreachable!("`has_parts` has looked"),
            PatternKind::Value(value) => Ok(match self.pattern_value(value, ty)? {
                ConstValue::Int(n) => Test::Int { low: n, high: n },
                ConstValue::Bool(b) => Test::Bool(b),
                ConstValue::Str(s) => Test::Str(s),
                ConstValue::Float(_) => unreachable!("no subject is a float"),
            }),
            PatternKind::Range { low, high, bound } => {
                self.range(pattern, low, high, *bound, ty).map(|(low, high)| Test::Int { low, high })
            }
        }
    }

    /// The least and the greatest value of a range pattern.
    pub(super) fn range(
        &mut self,
        pattern: &Pattern,
        low: &PatternValue,
        high: &PatternValue,
        bound: Bound,
        ty: TypeRef,
    ) -> Checked<(i64, i64)> {
        let (low, high) = (self.pattern_value(low, ty), self.pattern_value(high, ty));
        let (ConstValue::Int(low), ConstValue::Int(high)) = (low?, high?) else {
            let error = CheckError::RangeOf(self.type_name(ty));
            return Err(self.error(error, pattern.span));
        };
        let last = match bound {
            Bound::Inclusive => Some(high),
            Bound::Exclusive => high.checked_sub(1),
        };
        match last.filter(|&last| low <= last) {
            Some(high) => Ok((low, high)),
            None => {
                let error = Diagnostic::error(CheckError::EmptyRange, pattern.span);
                let help = format!("`{low}..={high}` includes its end");
                let help = (low == high).then_some(help);
                Err(self.report(match help {
                    Some(help) => error.with_help(help),
                    None => error.with_help("the lower end comes first"),
                }))
            }
        }
    }

    pub(super) fn pattern_value(&mut self, value: &PatternValue, ty: TypeRef) -> Checked<ConstValue> {
        let constant = match &value.kind {
            PatternValueKind::Int(n) => ConstValue::Int(*n),
            PatternValueKind::Bool(b) => ConstValue::Bool(*b),
            PatternValueKind::Str(bytes) => ConstValue::Str(self.cx.env.string(bytes)),
            PatternValueKind::Name(name) => self.pattern_constant(name)?,
        };
        let found = self.cx.env.const_type(constant);
        if found == ty {
            return Ok(constant);
        }
        let error = CheckError::Mismatch { expected: self.type_name(ty), found: self.type_name(found) };
        let mut error = Diagnostic::error(error, value.span);
        if let (PatternValueKind::Str(bytes), true) = (&value.kind, ty == self.cx.env.basic.int) {
            let literal = ast::Expr { kind: ast::ExprKind::Str(bytes.clone()), span: value.span };
            error.help = self.cx.byte_help(&literal);
        }
        let is_literal = self.cx.sources.snippet(value.span).starts_with('\'');
        if is_literal && ty == self.cx.env.basic.str {
            error.help = Some(self.cx.string_help(value.span));
        }
        Err(self.report(error))
    }

    fn pattern_constant(&mut self, name: &Name) -> Checked<ConstValue> {
        let declared = match self.local(name.as_str()) {
            Some(Local::Const { value, .. }) => return value,
            Some(Local::Unknown(reported)) => return Err(reported),
            Some(Local::Var(var)) => Some(self.vars[var].span),
            None => match self.lookup(name) {
                Some(def) => match def.kind {
                    DefKind::Const(id) => match self.cx.env.consts[id].value {
                        Some(value) => return value,
                        // Inside of a constant, which a `match` cannot be part of.
                        None => return Err(self.error(CheckError::NotConstant, name.span)),
                    },
                    DefKind::Fn(_)
                    | DefKind::Struct(_)
                    | DefKind::Template(_)
                    | DefKind::Module(_)
                    | DefKind::Global(_) => Some(def.span),
                },
                None => None,
            },
        };
        let text = name.text.to_string();
        Err(match declared {
            Some(span) => {
                let error = Diagnostic::error(CheckError::PatternNotConstant(text), name.span);
                let help = format!("make it a `const`, or compare in a guard: `n if n == {0} => ...`", name.as_str());
                self.report(error.with_label(span, "it is defined here").with_help(help))
            }
            None => {
                let consts = self.cx.env.names.iter().filter(|(_, def)| matches!(def.kind, DefKind::Const(_)));
                let help = self.cx.did_you_mean(&text, consts.map(|(name, _)| &**name));
                let mut error = Diagnostic::error(CheckError::UnknownName(text), name.span);
                error.help = help;
                self.report(error)
            }
        })
    }
}

fn assemble(node: &ast::Match, subject: Expr, patterns: Patterns, bodies: Vec<Block>) -> Match {
    let arms = node.arms.iter().zip(patterns.tests).zip(bodies);
    let arms = arms.map(|((arm, tests), body)| Arm { tests, body, span: arm.span }).collect();
    Match { subject, arms, default: patterns.default }
}

impl Covered {
    /// Adds a test to the covered values, and the part of it that is new to `tests`.
    fn add(&mut self, test: Test, tests: &mut Vec<Test>) {
        match test {
            Test::Int { low, high } => self.add_range(low, high, tests),
            Test::Bool(b) => {
                if !std::mem::replace(&mut self.bools[usize::from(b)], true) {
                    tests.push(test);
                }
            }
            Test::Str(s) => {
                if self.strings.insert(s) {
                    tests.push(test);
                }
            }
        }
    }

    fn add_range(&mut self, low: i64, high: i64, tests: &mut Vec<Test>) {
        let before = self.ints.range(..low).next_back().filter(|&(_, &end)| end >= low).map(|(&start, _)| start);
        let overlapping: Vec<(i64, i64)> =
            self.ints.range(before.unwrap_or(low)..=high).map(|(&start, &end)| (start, end)).collect();
        // The least value that is not looked at yet; `None` after the largest `int`.
        let mut next = Some(low);
        for &(start, end) in &overlapping {
            if let Some(from) = next.filter(|&from| from < start) {
                tests.push(Test::Int { low: from, high: start - 1 });
            }
            next = end.checked_add(1);
            self.ints.remove(&start);
        }
        if let Some(from) = next.filter(|&from| from <= high) {
            tests.push(Test::Int { low: from, high });
        }
        let start = overlapping.first().map_or(low, |&(start, _)| start.min(low));
        let end = overlapping.last().map_or(high, |&(_, end)| end.max(high));
        self.ints.insert(start, end);
    }

    /// Samples of the values not covered, for a subject of that type.
    fn missing(&self, ty: &Type) -> Vec<String> {
        match ty {
            Type::Bool => {
                let missing = [(false, "`false`"), (true, "`true`")].into_iter();
                missing.filter(|(b, _)| !self.bools[usize::from(*b)]).map(|(_, text)| text.to_owned()).collect()
            }
            Type::Int => self.missing_ints(),
            Type::Str => vec!["every other string".to_owned()],
            Type::Float
            | Type::Byte
            | Type::Array(_)
            | Type::Record(_)
            | Type::Optional(_)
            | Type::Func(_)
            | Type::Code(_) => unreachable!("`has_parts` takes other types elsewhere"),
        }
    }

    fn missing_ints(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        let mut next = Some(i64::MIN);
        for (&low, &high) in &self.ints {
            if let Some(from) = next.filter(|&from| from < low) {
                gaps.push((from, low - 1));
            }
            next = high.checked_add(1);
        }
        gaps.extend(next.map(|from| (from, i64::MAX)));
        let mut shown: Vec<String> = gaps.iter().take(GAPS_SHOWN).map(|&gap| gap_phrase(gap)).collect();
        if gaps.len() > GAPS_SHOWN {
            shown.push("others".to_owned());
        }
        shown
    }
}

fn gap_phrase((low, high): (i64, i64)) -> String {
    match (low, high) {
        (i64::MIN, i64::MAX) => "every int".to_owned(),
        (i64::MIN, high) if high < i64::MAX => format!("everything below `{}`", high + 1),
        (low, i64::MAX) if low > i64::MIN => format!("everything above `{}`", low - 1),
        (low, high) if low == high => format!("`{low}`"),
        (low, high) => format!("`{low}..={high}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests_of(ranges: &[(i64, i64)]) -> (Vec<Vec<Test>>, Vec<String>) {
        let mut covered = Covered::default();
        let add = |&(low, high): &(i64, i64)| {
            let mut tests = Vec::new();
            covered.add(Test::Int { low, high }, &mut tests);
            tests
        };
        let tests = ranges.iter().map(add).collect();
        (tests, covered.missing(&Type::Int))
    }

    #[test]
    fn later_ranges_lose_what_earlier_ones_took() {
        let int = |low, high| Test::Int { low, high };
        let (tests, missing) = tests_of(&[(0, 9), (20, 29), (5, 25), (-5, 40), (7, 8)]);
        let expected =
            [vec![int(0, 9)], vec![int(20, 29)], vec![int(10, 19)], vec![int(-5, -1), int(30, 40)], Vec::new()];
        assert_eq!(tests, expected);
        assert_eq!(missing, ["everything below `-5`", "everything above `40`"]);
    }

    #[test]
    fn the_ends_of_int_are_covered_without_overflow() {
        let (tests, missing) = tests_of(&[(i64::MIN, -1), (1, i64::MAX), (i64::MIN, i64::MAX)]);
        assert_eq!(tests[2], [Test::Int { low: 0, high: 0 }]);
        assert_eq!(missing, Vec::<String>::new());
        assert_eq!(tests_of(&[(i64::MIN, 0), (2, i64::MAX)]).1, ["`1`"]);
        assert_eq!(tests_of(&[]).1, ["every int"]);
    }
}
