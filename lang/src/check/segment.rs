//! Trees of tests of ints and strings.
//!
//! In: rows that test one value. Out: a node with a branch for each part of the values that all rows see as one.
//! Invariant: an int is in one segment, a string is one constant or none, so that no order of the branches matters.

use hashbrown::HashMap;

use super::body::Body;
use super::decision::{Pat, Row};
use super::environment::ConstValue;
use super::example::{Known, Making};
use super::report::Checked;
use crate::ir::{BinaryOp, StrRef};
use crate::source::Span;
use crate::tast::{Comparison, Decision, Expr, ExprKind, VarId};

/// Ints in a row, and the rows that may fit them.
struct Segment {
    low: i64,
    high: i64,
    rows: Vec<usize>,
}

impl Body<'_, '_> {
    /// A switch over single ints, then tests of ranges.
    pub(super) fn int_tree(&mut self, making: &mut Making, rows: Vec<Row>, value: VarId) -> Checked<Decision> {
        let span = making.span;
        let rows = Self::without_or(rows, value);
        let (segments, cover_all) = segments(&rows, value);
        let (mut singles, mut ranges) = (Vec::new(), Vec::new());
        for Segment { low, high, rows: kept } in &segments {
            making.known.insert(value, Known::Text(low.to_string()));
            let next = self.tree(making, taken(&rows, kept, value))?;
            match low == high {
                true => singles.push((*low, next)),
                false => ranges.push((self.is_within(value, *low, *high, span), next)),
            }
        }
        making.known.remove(&value);
        // Where the ranges cover every int, the last one is all that is left.
        let mut default = match ranges.pop_if(|_| cover_all) {
            Some((_, last)) => last,
            None => self.tree(making, untested(rows, value))?,
        };
        if !ranges.is_empty() {
            default = Decision::Chain { tests: ranges, otherwise: Box::new(default) };
        }
        Ok(match singles.is_empty() {
            true => default,
            false => {
                let value = self.var_value(value, span);
                Decision::Switch { value, cases: singles, default: Box::new(default) }
            }
        })
    }

    /// `low <= value && value <= high`, without what is always true.
    fn is_within(&self, value: VarId, low: i64, high: i64, span: Span) -> Expr {
        let (int, bool) = (self.cx.env.basic.int, self.cx.env.basic.bool);
        let test = |op, number| {
            let rhs = Box::new(Expr { kind: ExprKind::Int(number), ty: int, span });
            let kind = ExprKind::Binary { op, lhs: Box::new(self.var_value(value, span)), rhs };
            Expr { kind, ty: bool, span }
        };
        match (low, high) {
            (i64::MIN, _) => test(BinaryOp::IntLe, high),
            (_, i64::MAX) => test(BinaryOp::IntGe, low),
            _ => {
                let (above, below) = (test(BinaryOp::IntGe, low), test(BinaryOp::IntLe, high));
                Expr { kind: ExprKind::And(Box::new(above), Box::new(below)), ty: bool, span }
            }
        }
    }

    /// Comparisons with the strings that some row names.
    pub(super) fn str_tree(&mut self, making: &mut Making, rows: Vec<Row>, value: VarId) -> Checked<Decision> {
        let span = making.span;
        let rows = Self::without_or(rows, value);
        let mut order: Vec<StrRef> = Vec::new();
        let mut naming: HashMap<StrRef, Vec<usize>> = HashMap::new();
        let mut always = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            match test_of(row, value) {
                Some(Pat::Const(ConstValue::Str(text))) => {
                    let rows = naming.entry(*text).or_default();
                    if rows.is_empty() {
                        order.push(*text);
                    }
                    rows.push(at);
                }
                _ => always.push(at),
            }
        }
        let mut tests = Vec::with_capacity(order.len());
        for text in order {
            let shown = String::from_utf8_lossy(&self.cx.env.module.strings[text]).into_owned();
            making.known.insert(value, Known::Text(format!("{shown:?}")));
            let next = self.tree(making, taken(&rows, &merged(&naming[&text], &always), value))?;
            let rhs = Box::new(self.literal(ConstValue::Str(text), span));
            let lhs = Box::new(self.var_value(value, span));
            let kind = ExprKind::StrCompare { op: Comparison::Eq, lhs, rhs };
            tests.push((Expr { kind, ty: self.cx.env.basic.bool, span }, next));
        }
        making.known.remove(&value);
        let otherwise = Box::new(self.tree(making, untested(rows, value))?);
        Ok(Decision::Chain { tests, otherwise })
    }
}

/// The test of `value` in a row.
fn test_of(row: &Row, value: VarId) -> Option<&Pat> {
    let pattern = row.tests.iter().find(|(of, _)| *of == value).map(|(_, pattern)| pattern);
    pattern.filter(|pattern| !matches!(pattern, Pat::Any | Pat::Bind(_)))
}

/// The rows at these places, of which the value passes its test.
fn taken(rows: &[Row], at: &[usize], value: VarId) -> Vec<Row> {
    let take = |&at: &usize| {
        let mut row = rows[at].clone();
        row.take(value);
        row
    };
    at.iter().map(take).collect()
}

/// The rows that do not test the value.
fn untested(rows: Vec<Row>, value: VarId) -> Vec<Row> {
    let rows = rows.into_iter().filter(|row| test_of(row, value).is_none());
    rows.map(|mut row| {
        row.take(value);
        row
    })
    .collect()
}

/// Two ascending lists as one.
fn merged(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut all: Vec<usize> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all
}

/// The ints that rows test, cut where the rows that fit them change. Single ints are tested before ranges, so that a
/// range may go on behind them. Tells, too, if they are all ints.
fn segments(rows: &[Row], value: VarId) -> (Vec<Segment>, bool) {
    let (mut tests, mut always) = (Vec::new(), Vec::new());
    for (at, row) in rows.iter().enumerate() {
        match test_of(row, value) {
            Some(Pat::Const(ConstValue::Int(n))) => tests.push((*n, *n, at)),
            Some(&Pat::Range(low, high)) => tests.push((low, high, at)),
            _ => always.push(at),
        }
    }
    tests.sort_unstable();
    let mut cuts: Vec<i64> =
        tests.iter().flat_map(|&(low, high, _)| [Some(low), high.checked_add(1)]).flatten().collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut segments: Vec<Segment> = Vec::new();
    // The last range among the segments, which one that is not next to it may go on.
    let mut last_range: Option<usize> = None;
    let mut cover_all = cuts.first() == Some(&i64::MIN);
    let (mut active, mut next): (Vec<(i64, usize)>, usize) = (Vec::new(), 0);
    for (at, &low) in cuts.iter().enumerate() {
        let high = cuts.get(at + 1).map_or(i64::MAX, |&cut| cut - 1);
        active.retain(|&(until, _)| until >= low);
        while let Some(&(_, until, row)) = tests.get(next).filter(|(from, ..)| *from == low) {
            active.push((until, row));
            next += 1;
        }
        if active.is_empty() {
            last_range = None;
            cover_all = false;
            continue;
        }
        let here: Vec<usize> = active.iter().map(|&(_, row)| row).collect();
        let rows = merged(&here, &always);
        match last_range {
            Some(range) if low < high && segments[range].rows == rows => segments[range].high = high,
            _ => {
                if low < high {
                    last_range = Some(segments.len());
                }
                segments.push(Segment { low, high, rows });
            }
        }
    }
    (segments, cover_all)
}
