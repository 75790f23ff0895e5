//! The names of the built-ins, and a call of one.

use super::body::Outcome;
use crate::ast;
use crate::ir::TypeRef;
use crate::source::Span;
use crate::tast::{Completion, Expr, ExprKind, StmtKind};

/// The name of every built-in, in alphabetical order.
pub(crate) const NAMES: &[&str] = &[
    "abs",
    "acos",
    "add",
    "all",
    "any",
    "append_file",
    "args",
    "asin",
    "assert",
    "atan",
    "atan2",
    "bool",
    "bytes",
    "ceil",
    "chars",
    "chr",
    "clear",
    "clock",
    "clz",
    "contains",
    "copy",
    "cos",
    "count",
    "ctz",
    "dict",
    "difference",
    "ends_with",
    "enumerate",
    "env",
    "eprint",
    "equal",
    "exit",
    "exp",
    "extend",
    "file_exists",
    "fill",
    "filter",
    "find",
    "first",
    "float",
    "floor",
    "fold",
    "get",
    "index_of",
    "input",
    "insert",
    "int",
    "intersection",
    "items",
    "join",
    "keys",
    "last",
    "len",
    "lines",
    "list",
    "log",
    "lower",
    "map",
    "max",
    "max_by",
    "min",
    "min_by",
    "ord",
    "parse_float",
    "parse_int",
    "pop",
    "popcount",
    "pow",
    "print",
    "push",
    "random",
    "random_seed",
    "read_all",
    "read_file",
    "remove",
    "repeat",
    "replace",
    "reverse",
    "round",
    "set",
    "sin",
    "sort",
    "sort_by",
    "split",
    "sqrt",
    "starts_with",
    "str",
    "sum",
    "tan",
    "text",
    "time",
    "to_array",
    "to_dict",
    "to_list",
    "to_set",
    "trim",
    "trim_end",
    "trim_start",
    "trunc",
    "union",
    "upper",
    "values",
    "write",
    "write_file",
    "zip",
];

/// Returns true if a name that the program does not define is a built-in.
pub(super) fn is_builtin(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
}

/// A call of a built-in that is being checked.
pub(super) struct BuiltinCall<'e> {
    pub(super) name: &'static str,
    pub(super) args: &'e [ast::Expr],
    pub(super) span: Span,
}

/// A value as an outcome.
pub(super) fn value(kind: ExprKind, ty: TypeRef, span: Span) -> Outcome {
    Outcome::Value(Expr { kind, ty, span })
}

/// A statement as an outcome.
pub(super) fn effect(kind: StmtKind, name: &str) -> Outcome {
    Outcome::Nothing(Box::new(kind), Completion::Falls, format!("`{name}` has no result"))
}
