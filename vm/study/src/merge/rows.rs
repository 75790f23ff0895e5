//! Tables of profiles, added row by row.
//!
//! In: the rows of two tables. Out: the rows of both, those of one thing together. Invariant: rows stay in the order of the first table, then of the
//! second.

use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Kinds of tables, by their rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A thing with a `count`; whatever else stands in the row says which thing it is.
    Counted,
    /// From, to, count.
    Edges,
    /// Things without counts.
    Listed,
    /// The regions of flow properties that persist.
    Regions,
}

/// The rows of both tables.
pub(super) fn added_rows(a: &[Value], b: &[Value], kind: Kind) -> Value {
    let mut rows: Vec<Value> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for row in a.iter().chain(b) {
        let next = rows.len();
        let place = *places.entry(identity(row, kind)).or_insert(next);
        if place == next {
            rows.push(row.clone());
        } else {
            rows[place] = added(&rows[place], row, kind);
        }
    }
    Value::Array(rows)
}

/// The identity of the thing that a row is about.
fn identity(row: &Value, kind: Kind) -> String {
    match (kind, row) {
        (Kind::Edges, Value::Array(edge)) => format!("{:?}", edge.get(..2)),
        (Kind::Regions, _) => format!("{} {}", row["header"], row["places"]),
        (_, Value::Object(fields)) => {
            let mut fields = fields.clone();
            fields.remove(if fields.contains_key("count") { "count" } else { "executions" });
            Value::Object(fields).to_string()
        }
        (_, other) => other.to_string(),
    }
}

fn added(a: &Value, b: &Value, kind: Kind) -> Value {
    match (kind, a, b) {
        (Kind::Listed, ..) => a.clone(),
        (Kind::Edges, Value::Array(of_a), Value::Array(of_b)) => {
            let mut edge = of_a.clone();
            if let Some(count) = edge.get_mut(2) {
                *count = sum(count, of_b.get(2).unwrap_or(&Value::Null));
            }
            Value::Array(edge)
        }
        (Kind::Regions, Value::Object(of_a), Value::Object(of_b)) => Value::Object(region(of_a, of_b)),
        (_, Value::Object(of_a), Value::Object(of_b)) => {
            let mut row = of_a.clone();
            for field in ["count", "executions"] {
                if let (Some(a), Some(b)) = (of_a.get(field), of_b.get(field)) {
                    row.insert(field.to_owned(), sum(a, b));
                }
            }
            Value::Object(row)
        }
        _ => a.clone(),
    }
}

/// The sum of two counts; unknown if one is.
fn sum(a: &Value, b: &Value) -> Value {
    match (a.as_u64(), b.as_u64()) {
        (Some(a), Some(b)) => a.saturating_add(b).into(),
        _ => Value::Null,
    }
}

/// The sums of a region's figures. `segments` are the longest stretches that always follow each other, which the sum does not tell.
fn region(a: &Map<String, Value>, b: &Map<String, Value>) -> Map<String, Value> {
    let mut region = a.clone();
    region.remove("segments");
    for field in ["executions", "windows", "persistent_windows", "untaken_in_windows"] {
        if let (Some(a), Some(b)) = (a.get(field), b.get(field)) {
            region.insert(field.to_owned(), sum(a, b));
        }
    }
    // A run that never came there says nothing of how often its parts are executed.
    let seen = |of: &Map<String, Value>, field: &str| {
        let was_executed = of.get("executions").and_then(Value::as_u64) != Some(0);
        of.get(field).and_then(Value::as_u64).filter(|_| was_executed)
    };
    for (field, choose) in [("least", u64::min as fn(u64, u64) -> u64), ("greatest", u64::max)] {
        if let Some(of_both) = seen(a, field).into_iter().chain(seen(b, field)).reduce(choose) {
            region.insert(field.to_owned(), of_both.into());
        }
    }
    let lists = |field: &str| match (a.get(field), b.get(field)) {
        (Some(Value::Array(a)), Some(Value::Array(b))) => Some((a, b)),
        _ => None,
    };
    for field in ["persistent_paths", "paths"] {
        if let Some((a, b)) = lists(field) {
            region.insert(field.to_owned(), added_rows(a, b, Kind::Counted));
        }
    }
    // Taken is what was taken in one; never taken what was taken in neither.
    if let Some((a, b)) = lists("monitored") {
        let is_taken = |edge: &Value| {
            [a, b].iter().any(|side| side.iter().any(|other| same_ends(edge, other) && other[2] == true))
        };
        let edges = a.iter().map(|edge| json!([edge[0], edge[1], is_taken(edge)]));
        region.insert("monitored".to_owned(), edges.collect());
    }
    if let Some((a, b)) = lists("untaken") {
        region.insert("untaken".to_owned(), a.iter().filter(|edge| b.contains(edge)).cloned().collect());
    }
    region
}

fn same_ends(a: &Value, b: &Value) -> bool {
    (&a[0], &a[1]) == (&b[0], &b[1])
}
