//! Calls: their arguments decide among a call, a construction and a dict.
//!
//! In: a callee and arguments with or without keys, from an action of the grammar. Out: the node, and the errors about
//! keys.

use super::context::{Argument, Context};
use crate::ast::{Expr, ExprKind, FieldInit, Name};
use crate::diagnostic::{Diagnostic, SyntaxError};
use crate::source::Span;

/// A key and its value, and the span of both.
type Keyed = (Expr, Expr, Span);

impl Context<'_> {
    /// `callee(args)`
    pub(crate) fn call(&self, l: u32, callee: Expr, args: Vec<Argument>, r: u32) -> Expr {
        let (mut plain, mut keyed) = (Vec::new(), Vec::new());
        for arg in args {
            match arg {
                Argument::Plain(value) => plain.push(value),
                Argument::Keyed { key, value, span } => keyed.push((key, value, span)),
            }
        }
        let Some(&(_, _, first_key)) = keyed.first() else {
            return self.expr(ExprKind::Call { callee: Box::new(callee), args: plain }, l, r);
        };
        if let Some(value) = plain.first() {
            let error =
                Diagnostic::error(SyntaxError::MixedArguments, value.span).with_label(first_key, "this one is named");
            self.push(error.with_help("a function takes unnamed arguments, a struct names every field"));
        }
        let has_names = keyed.iter().all(|(key, ..)| matches!(key.kind, ExprKind::Name(_)));
        let kind = if has_names { self.construct(callee, keyed) } else { self.pairs(callee, keyed) };
        self.expr(kind, l, r)
    }

    /// `Name(field: value)` or `module.Name(field: value)`
    fn construct(&self, callee: Expr, keyed: Vec<Keyed>) -> ExprKind {
        let (module, name) = match qualified(callee) {
            Ok(names) => names,
            Err(callee) => return self.no_names(*callee, keyed, "not the name of a struct"),
        };
        let field = |(key, value, span)| match key {
            Expr { kind: ExprKind::Name(name), .. } => Some(FieldInit { name, value, span }),
            _ => None,
        };
        ExprKind::Construct { module, name, fields: keyed.into_iter().filter_map(field).collect() }
    }

    /// `dict(key: value)`
    fn pairs(&self, callee: Expr, keyed: Vec<Keyed>) -> ExprKind {
        match callee.kind {
            ExprKind::Name(name) if name.as_str() == "dict" => {
                ExprKind::Pairs { name, pairs: keyed.into_iter().map(|(key, value, _)| (key, value)).collect() }
            }
            _ => self.no_names(callee, keyed, "not `dict`"),
        }
    }

    /// Reports keys where there can be none.
    fn no_names(&self, callee: Expr, keyed: Vec<Keyed>, label: &str) -> ExprKind {
        if let Some((key, ..)) = keyed.first() {
            let kind = match key.kind {
                ExprKind::Name(_) => SyntaxError::NamedArgumentsToValue,
                _ => SyntaxError::KeyedArguments,
            };
            self.push(Diagnostic::error(kind, key.span).with_label(callee.span, label));
        }
        ExprKind::Call { callee: Box::new(callee), args: keyed.into_iter().map(|(_, value, _)| value).collect() }
    }
}

/// The names in `name` or `module.name`, or the expression if it is another one.
fn qualified(callee: Expr) -> Result<(Option<Name>, Name), Box<Expr>> {
    let span = callee.span;
    match callee.kind {
        ExprKind::Name(name) => Ok((None, name)),
        ExprKind::Field { base, name } => match *base {
            Expr { kind: ExprKind::Name(module), .. } => Ok((Some(module), name)),
            other => Err(Box::new(Expr { kind: ExprKind::Field { base: Box::new(other), name }, span })),
        },
        kind => Err(Box::new(Expr { kind, span })),
    }
}
