//! From patterns, and the names that a `let` or `for` binds, to printed tree.

use super::node::Node;
use super::tree::{name, text};
use crate::ast::{Binder, BinderKind, Pattern, PatternKind, PatternValue, PatternValueKind};

pub(super) fn pattern(pattern: &Pattern) -> Node {
    let list = |head: &str| Node::list(head, pattern.span);
    let all = |parts: &[Pattern]| parts.iter().map(self::pattern).collect::<Vec<_>>();
    match &pattern.kind {
        PatternKind::Wildcard => Node::word("_"),
        PatternKind::Value(value) => pattern_value(value),
        PatternKind::None => Node::word("none"),
        PatternKind::Variant { name: variant, parts } => list("variant").with(name(variant)).with_all(all(parts)),
        PatternKind::Tuple(parts) => list("tuple").with_all(all(parts)),
        PatternKind::Or(alternatives) => list("|").with_all(all(alternatives)),
        PatternKind::Range { low, high, bound } => {
            list(bound.symbol()).with(pattern_value(low)).with(pattern_value(high))
        }
    }
}

fn pattern_value(value: &PatternValue) -> Node {
    match &value.kind {
        PatternValueKind::Int(int) => Node::word(int.to_string()),
        PatternValueKind::Bool(bool) => Node::word(bool.to_string()),
        PatternValueKind::Str(bytes) => text(bytes),
        PatternValueKind::Name(used) => name(used),
    }
}

pub(super) fn binder(binder: &Binder) -> Node {
    match &binder.kind {
        BinderKind::Name(bound) => name(bound),
        BinderKind::Tuple(parts) => Node::list("tuple", binder.span).with_all(parts.iter().map(self::binder)),
    }
}
