//! Trees of calling contexts, added.
//!
//! In: two trees, as lists in which a context stands behind the one that called it. Out: the tree of all their contexts. Invariant: contexts are
//! the same if the same calls lead to them.

use serde_json::{Value, json};
use std::collections::HashMap;

/// The sum of two trees; `None` if one is none.
pub(super) fn added(a: &[Value], b: &[Value]) -> Option<Value> {
    let mut all: Vec<Value> = Vec::new();
    let mut places: HashMap<(Option<u64>, String, String), u64> = HashMap::new();
    for tree in [a, b] {
        let mut ids: HashMap<u64, u64> = HashMap::new();
        for context in tree {
            let parent = match context["parent"].as_u64() {
                Some(parent) => Some(*ids.get(&parent)?),
                None => None,
            };
            let key = (parent, context["function"].to_string(), context["site"].to_string());
            let next = all.len() as u64;
            let id = *places.entry(key).or_insert(next);
            ids.insert(context["id"].as_u64()?, id);
            if id == next {
                let mut new = context.clone();
                new["id"] = json!(id);
                new["parent"] = json!(parent);
                all.push(new);
            } else {
                let known = &mut all[id as usize];
                for field in ["calls", "recursive"] {
                    let both = [&known[field], &context[field]].map(|count| count.as_u64().unwrap_or(0));
                    known[field] = json!(both[0].saturating_add(both[1]));
                }
            }
        }
    }
    Some(Value::Array(all))
}
