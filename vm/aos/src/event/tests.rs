//! `docs/events.md` and the events say the same.
//!
//! In: the page, and an event of each kind as it is written. Out: a failed test for each event or field that one of them lacks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{SCHEMA_VERSION, examples};

const PAGE: &str = include_str!("../../../../docs/events.md");

/// The names in the first column of the tables below each heading.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let mut tables = BTreeMap::new();
    let mut heading = String::new();
    for line in PAGE.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            heading = title.trim_matches('`').to_owned();
        }
        if let Some(name) = line.strip_prefix("| `").and_then(|rest| rest.split('`').next()) {
            tables.entry(heading.clone()).or_insert_with(BTreeSet::new).insert(name.to_owned());
        }
    }
    tables
}

/// The fields of each event as it is written; those of the subject apart.
fn written() -> BTreeMap<String, BTreeSet<String>> {
    let common = &documented()["Fields of all events"];
    let mut fields: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for event in examples() {
        let Value::Object(object) = serde_json::to_value(&event).unwrap() else { panic!("an event is an object") };
        let own = object.keys().filter(|key| !common.contains(*key)).cloned();
        let name = object["event"].as_str().unwrap_or_default().to_owned();
        fields.entry(name).or_default().extend(own);
    }
    fields
}

#[test]
fn every_event_and_field_is_documented_and_every_documented_one_is_written() {
    let mut documented = documented();
    documented.remove("Fields of all events");
    assert_eq!(documented, written());
    assert_eq!(documented.len(), 14);
}

#[test]
fn the_common_fields_are_documented() {
    let common = &documented()["Fields of all events"];
    let values: Vec<Value> = examples().iter().map(|event| serde_json::to_value(event).unwrap()).collect();
    for name in common {
        assert!(values.iter().any(|value| value.get(name).is_some()), "{name} is documented and never written");
    }
    for value in &values {
        assert_eq!(value["event"].as_str().map(str::is_empty), Some(false));
    }
}

#[test]
fn the_page_says_which_version_it_is_of() {
    assert!(PAGE.contains(&format!("This is version {SCHEMA_VERSION} of the schema")));
}
