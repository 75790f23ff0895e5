//! `merge`: profiles of several runs of one program, added.
//!
//! In: profiles as `profile -o` saves them, by one scheme. Out: one profile in the same form, each count the sum of theirs. What is counted is
//! found by what it is (the blocks of a path, the ends of an edge), not by its place. `rows` adds tables, `contexts` trees of calling contexts.
//! Invariant: profiles of different programs, and of functions that do different things, are refused; the order of the profiles does not
//! matter but for the order of rows.

mod contexts;
mod rows;

use rows::{Kind, added_rows};
use serde_json::{Map, Value};
use std::fmt;

/// Reasons for which profiles cannot be added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotMerged {
    /// One of them is no profile.
    NoProfile,
    /// They differ in a field that must be the same: its name, and both values.
    Differ(&'static str, String, String),
    /// A function that does another thing in one of them.
    Function(String),
    /// One lacks some of its rows.
    LeftOut,
    /// They are of samples, or of times.
    NoCounts(String),
}

impl fmt::Display for NotMerged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProfile => write!(f, "it is no profile; save one with 'holloway profile ... -o FILE'"),
            Self::Differ("program", a, b) => {
                write!(f, "one profile is of {a} and another of {b}; only profiles of one program are added")
            }
            Self::Differ(field, a, b) => {
                write!(f, "one profile has {field} {a} and another {b}; profile all runs alike")
            }
            Self::Function(name) => {
                write!(f, "{name} is another function in one of them: the program changed in between")
            }
            Self::LeftOut => write!(f, "one lacks some of its rows; save it whole, with -o"),
            Self::NoCounts(what) => write!(f, "{what} are no counts that can be added"),
        }
    }
}

impl std::error::Error for NotMerged {}

/// The sum of two profiles.
pub fn merged(a: &Value, b: &Value) -> Result<Value, NotMerged> {
    let (Value::Object(of_a), Value::Object(of_b)) = (a, b) else { return Err(NotMerged::NoProfile) };
    for profile in [of_a, of_b] {
        check(profile)?;
    }
    for field in ["program", "scheme", "k"] {
        if of_a.get(field) != of_b.get(field) {
            let shown = |of: &Map<String, Value>| of.get(field).map_or("none".to_owned(), shown);
            return Err(NotMerged::Differ(field, shown(of_a), shown(of_b)));
        }
    }
    let mut sum = of_a.clone();
    sum.insert("functions".to_owned(), functions(of_a, of_b)?);
    for field in ["paths", "prefixes"] {
        if let (Some(Value::Array(a)), Some(Value::Array(b))) = (of_a.get(field), of_b.get(field)) {
            sum.insert(field.to_owned(), added_rows(a, b, Kind::Counted));
        }
    }
    if let (Some(Value::Array(a)), Some(Value::Array(b))) = (of_a.get("contexts"), of_b.get("contexts")) {
        sum.insert("contexts".to_owned(), contexts::added(a, b).ok_or(NotMerged::NoProfile)?);
    }
    Ok(Value::Object(sum))
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn check(profile: &Map<String, Value>) -> Result<(), NotMerged> {
    let scheme = profile.get("scheme").and_then(Value::as_str).ok_or(NotMerged::NoProfile)?;
    let functions = profile.get("functions").and_then(Value::as_array).ok_or(NotMerged::NoProfile)?;
    if scheme == "time" {
        return Err(NotMerged::NoCounts("times of samples".to_owned()));
    }
    if functions.iter().any(|function| !function["sample"].is_null()) {
        return Err(NotMerged::NoCounts("shares of a sample".to_owned()));
    }
    match profile.get("left_out").and_then(Value::as_u64).unwrap_or(0) {
        0 => Ok(()),
        _ => Err(NotMerged::LeftOut),
    }
}

/// Functions stand in the order of the program.
fn functions(a: &Map<String, Value>, b: &Map<String, Value>) -> Result<Value, NotMerged> {
    let list = |of: &Map<String, Value>| of.get("functions").and_then(Value::as_array).cloned().unwrap_or_default();
    let (a, b) = (list(a), list(b));
    if a.len() != b.len() {
        let is_in = |side: &[Value], one: &Value| side.iter().any(|other| other["name"] == one["name"]);
        let other = a.iter().chain(&b).find(|one| !is_in(&a, one) || !is_in(&b, one));
        return Err(NotMerged::Function(other.map_or_else(String::new, |one| shown(&one["name"]))));
    }
    a.iter().zip(&b).map(|(a, b)| function(a, b)).collect::<Result<_, _>>().map(Value::Array)
}

fn function(a: &Value, b: &Value) -> Result<Value, NotMerged> {
    let (Value::Object(of_a), Value::Object(of_b)) = (a, b) else { return Err(NotMerged::NoProfile) };
    let shape = |of: &Map<String, Value>| {
        let blocks = of.get("blocks").and_then(Value::as_array).cloned().unwrap_or_default();
        let lines: Vec<Value> = blocks.iter().map(|block| block["lines"].clone()).collect();
        (of.get("name").cloned(), lines, of.get("num_paths").cloned())
    };
    // Profiles of earlier versions have no hashes.
    let differs = of_a.get("hash").zip(of_b.get("hash")).is_some_and(|(a, b)| a != b);
    if differs || shape(of_a) != shape(of_b) {
        return Err(NotMerged::Function(shown(&a["name"])));
    }
    let mut sum = of_a.clone();
    // It tells of the memory of one run.
    sum.remove("forest");
    for (field, kind) in [
        ("blocks", Kind::Counted),
        ("edges", Kind::Edges),
        ("paths", Kind::Counted),
        ("prefixes", Kind::Counted),
        ("path_list", Kind::Listed),
        ("regions", Kind::Regions),
    ] {
        if let (Some(Value::Array(a)), Some(Value::Array(b))) = (of_a.get(field), of_b.get(field)) {
            sum.insert(field.to_owned(), added_rows(a, b, kind));
        }
    }
    if let (Some(a), Some(b)) = (a["calls"].as_u64(), b["calls"].as_u64()) {
        sum.insert("calls".to_owned(), a.saturating_add(b).into());
    }
    Ok(Value::Object(sum))
}

#[cfg(test)]
mod tests;
