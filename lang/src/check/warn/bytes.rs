//! `for c in s { ... chr(c) ... }`: the bytes of a string, taken for its characters.
//!
//! In: a loop over a string. Out: a warning at the `chr`. Invariant: a loop that looks at the byte before, in a
//! condition or a `match`, may know that it is ASCII, and is not reported.

use super::super::body::Body;
use super::Warning;
use crate::ast::{self, Block, Cond, Expr, ExprKind, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

impl Body<'_, '_> {
    /// Looks at a loop over the bytes of a string.
    pub(in crate::check) fn watch_bytes(&mut self, item: &ast::For, source: &Expr) {
        let Some(name) = item.binder.name() else { return };
        let is_ascii = matches!(&source.unparenthesized().kind, ExprKind::Str(bytes) if bytes.is_ascii());
        if !self.cx.warns() || is_ascii {
            return;
        }
        let mut search = Search { name: name.as_str(), found: Vec::new(), is_tested: false };
        search.block(&item.body);
        if search.is_tested {
            return;
        }
        let text = self.cx.operand_text(source);
        for span in search.found {
            let warning = Diagnostic::warning(Warning::BytesAsCharacters, span);
            let warning = warning.with_label(source.span, "a `for` over a string gives its bytes");
            self.cx.warn(warning.with_help(format!("`for {} in {text}.chars()` gives its characters", name.as_str())));
        }
    }
}

/// The search for `chr` of the loop variable, and for conditions on it.
struct Search<'a> {
    name: &'a str,
    found: Vec<Span>,
    is_tested: bool,
}

impl Search<'_> {
    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(item) => self.expr(&item.value),
            StmtKind::Assign(item) => {
                self.expr(&item.target);
                self.expr(&item.value);
            }
            StmtKind::Expr(expr) | StmtKind::Fail(expr) | StmtKind::Return(Some(expr)) => self.expr(expr),
            StmtKind::While(item) => {
                self.test(&item.cond);
                self.block(&item.body);
            }
            StmtKind::Loop(item) => self.block(&item.body),
            StmtKind::For(item) => self.block(&item.body),
            StmtKind::Try(item) => [&item.body, &item.handler].into_iter().for_each(|block| self.block(block)),
            StmtKind::Const(_) | StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {}
        }
    }

    /// A condition: one that names the variable may see that it is ASCII.
    fn test(&mut self, cond: &Cond) {
        match cond {
            Cond::Expr(expr) => self.tests(expr),
            Cond::Let { value, .. } | Cond::Match { value, .. } => self.tests(value),
        }
    }

    fn tests(&mut self, expr: &Expr) {
        let mut inner = Names { name: self.name, found: false };
        inner.expr(expr);
        self.is_tested |= inner.found;
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call { callee, args } => {
                let is = |expr: &Expr, text: &str| matches!(&expr.unparenthesized().kind, ExprKind::Name(name) if name.as_str() == text);
                match args.as_slice() {
                    [arg] if is(callee, "chr") && is(arg, self.name) => self.found.push(expr.span),
                    _ => args.iter().for_each(|arg| self.expr(arg)),
                }
            }
            ExprKind::If(node) => {
                for branch in &node.branches {
                    self.test(&branch.cond);
                    self.block(&branch.body);
                }
                node.otherwise.iter().for_each(|block| self.block(block));
            }
            ExprKind::Match(node) => {
                self.tests(&node.subject);
                node.arms.iter().for_each(|arm| self.block(&arm.body));
            }
            ExprKind::Block(block) => self.block(block),
            _ => expr.for_each_operand(&mut |operand| self.expr(operand)),
        }
    }
}

/// The search for a name.
struct Names<'a> {
    name: &'a str,
    found: bool,
}

impl Names<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.found |= name.as_str() == self.name,
            // Rare in a condition; what is in them counts as a test.
            ExprKind::If(_) | ExprKind::Match(_) | ExprKind::Block(_) => self.found = true,
            _ => expr.for_each_operand(&mut |operand| self.expr(operand)),
        }
    }
}
