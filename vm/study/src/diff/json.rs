//! A difference as JSON; `docs/profiling.md` describes it.
//!
//! In: a difference. Out: one object. Invariant: `a` and `b` are in the order of the command line.

use std::num::NonZeroUsize;

use serde_json::{Value, json};

use super::difference::{Change, Difference, Side};

/// The `top` greatest changes.
pub fn json(difference: &Difference, top: Option<NonZeroUsize>) -> String {
    let side = |Side { program, taken, different }: &Side| json!({ "program": program, "taken": taken, "different": different });
    let shown = top.map_or(difference.changes.len(), NonZeroUsize::get);
    let changes: Vec<Value> = difference.changes.iter().take(shown).map(change).collect();
    let [a, b] = &difference.sides;
    let object = json!({
        "scheme": difference.scheme,
        "k": difference.k,
        "a": side(a),
        "b": side(b),
        "changes": changes,
        "not_compared": difference.not_compared,
        "other_bodies": difference.other_bodies,
        "renamed": difference.renamed,
    });
    format!("{object}\n")
}

fn change(of: &Change) -> Value {
    json!({
        "function": of.function,
        "paths": of.paths,
        "lines": of.lines,
        "counts": of.counts,
        "shares": of.shares,
        "change": of.growth(),
    })
}
