//! From types to printed tree.

use super::node::Node;
use crate::ast::{TypeExpr, TypeKind};

pub(super) fn ty(value: &TypeExpr) -> Node {
    let list = |head: &str| Node::list(head, value.span);
    match &value.kind {
        TypeKind::Name(used) => Node::word(used.as_str()),
        TypeKind::Applied { module, name, args } => list("apply")
            .with_all(module.as_ref().map(|module| Node::group("in").with(Node::word(module.as_str()))))
            .with(Node::word(name.as_str()))
            .with_all(args.iter().map(ty)),
        TypeKind::Tuple(parts) => list("tuple").with_all(parts.iter().map(ty)),
        TypeKind::Array(element) => list("[]").with(ty(element)),
        TypeKind::Optional(inner) => list("?").with(ty(inner)),
        TypeKind::Fn { params, result } => list("fn")
            .with(Node::group("params").with_all(params.iter().map(ty)))
            .with_all(result.as_deref().map(|result| Node::group("result").with(ty(result)))),
        TypeKind::Paren(inner) => list("paren").with(ty(inner)),
    }
}
