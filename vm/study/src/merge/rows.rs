//! Tables of profiles, added row by row.
//!
//! In: the rows of two tables. Out: the rows of both, those of one thing together. Invariant: rows stay in the order of the first table, then of the
//! second.

use serde_json::{Map, Value};
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

fn region(a: &Map<String, Value>, b: &Map<String, Value>) -> Map<String, Value> {
    let mut region = a.clone();
    for field in ["executions", "windows", "persistent_windows", "untaken_in_windows"] {
        if let (Some(a), Some(b)) = (a.get(field), b.get(field)) {
            region.insert(field.to_owned(), sum(a, b));
        }
    }
    for (field, choose) in [("least", u64::min as fn(u64, u64) -> u64), ("greatest", u64::max)] {
        if let (Some(a), Some(b)) = (a.get(field).and_then(Value::as_u64), b.get(field).and_then(Value::as_u64)) {
            region.insert(field.to_owned(), choose(a, b).into());
        }
    }
    if let (Some(Value::Array(a)), Some(Value::Array(b))) = (a.get("persistent_paths"), b.get("persistent_paths")) {
        region.insert("persistent_paths".to_owned(), added_rows(a, b, Kind::Counted));
    }
    // Never taken is what was taken in neither.
    if let (Some(Value::Array(a)), Some(Value::Array(b))) = (a.get("untaken"), b.get("untaken")) {
        let both = a.iter().filter(|edge| b.contains(edge)).cloned().collect();
        region.insert("untaken".to_owned(), Value::Array(both));
    }
    region
}
