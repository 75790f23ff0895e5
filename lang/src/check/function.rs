//! Whole bodies: the functions of the program and the top-level statements of its files.
//!
//! In: declared functions and the statements of each file. Out: a [`tast::Function`] for each, its mentions noted in
//! the environment. Invariant: statements are checked in the order in which they run, so the type of every global that
//! a statement may use is known when it is checked.

use std::sync::Arc;

use super::body::{Body, Outcome, Want};
use super::environment::{FuncInfo, Mentions};
use super::error::CheckError;
use super::frame::{Owner, VarKind};
use super::replace::PendingFunction;
use super::report::Checked;
use super::unit::{FileStmts, Unit};
use super::{Checker, NewGlobal, Role, SessionKind};
use crate::ast::{self, Mutability};
use crate::diagnostic::Diagnostic;
use crate::ir::{FuncRef, FunctionKind};
use crate::settings::check::LONGEST_PART;
use crate::source::Span;
use crate::tast::{self, Binding, Block, Completion, Stmt, StmtKind};

impl Checker<'_> {
    /// Checks the bodies of functions.
    pub(super) fn check_functions(&mut self, pending: &[PendingFunction]) {
        for PendingFunction { func, item, context } in pending {
            self.reports.set_context(context.clone());
            self.check_function(*func, item);
        }
        self.reports.set_context(None);
    }

    pub(super) fn check_function(&mut self, func: FuncRef, item: &Arc<ast::Fn>) {
        let FuncInfo { name, params, result, .. } = self.env.funcs[func].clone();
        let start = self.reports.mark();
        let result_span = item.result.as_ref().map(|ty| ty.span);
        let mut body = Body::new(self, Owner::Fn { name: name.clone(), result, result_span }, item.name.span.file);
        body.scopes.enter();
        let declare = |(param, info): (&ast::Param, &super::environment::ParamInfo)| {
            body.declare(&param.name, info.ty, Mutability::Fixed, VarKind::Parameter)
        };
        let params: Checked<Vec<_>> =
            item.params.iter().zip(&params).map(declare).collect::<Vec<_>>().into_iter().collect();
        let block = body.block(&item.body);
        body.scopes.leave();
        let Body { vars, loops, mentions, .. } = body;
        if block.completion == Completion::Falls && !matches!(result, Ok(None)) {
            self.missing_return(item, &block, &loops, self.reports.any_since(start));
        }
        let Mentions { funcs, globals, value_call, names } = mentions;
        let all = &mut self.env.funcs[func].mentions;
        (all.funcs, all.globals, all.value_call) = (funcs, globals, value_call);
        all.names.extend(names);
        if let (Ok(params), Ok(result)) = (params, result) {
            let (kind, span) = (self.env.module.funcs[func].body.kind, item.name.span);
            let captures = None;
            self.functions.push(tast::Function {
                func,
                name,
                kind,
                span,
                params,
                captures,
                result,
                vars,
                loops,
                body: block,
            });
        }
    }

    /// A function with a result reaches its end. Where its last expression is wrong, that error says enough.
    fn missing_return(&mut self, item: &ast::Fn, block: &Block, loops: &Loops, has_errors: bool) {
        let last = item.body.stmts.last().map(|stmt| &stmt.kind);
        if has_errors && matches!(last, Some(ast::StmtKind::Expr(_))) {
            return;
        }
        let end = item.body.span.end;
        let brace = Span::new(item.span.file, end.saturating_sub(1), end);
        let mut error = Diagnostic::error(CheckError::MissingReturn(item.name.text.to_string()), brace);
        if let Some(result) = &item.result {
            error = error.with_label(result.span, "the result is declared here");
        }
        if let Some((span, text)) = falls_at(block, loops) {
            error = error.with_label(span, text);
        }
        self.report(error.with_help("end every way through it with `return` or `fail`"));
    }

    /// Checks the top-level statements of every file.
    pub(super) fn check_top_level(&mut self, unit: &Unit) {
        for file in unit.files.iter().filter(|file| !file.stmts.is_empty()) {
            self.check_file(file);
        }
    }

    /// Checks the statements of a file: one function, or several in turn if they are very many.
    fn check_file(&mut self, file: &FileStmts) {
        let mut rest = file.stmts.as_slice();
        while !rest.is_empty() {
            let (part, later) = rest.split_at(part_of(rest));
            self.check_part(file, part, later.is_empty());
            rest = later;
        }
    }

    fn check_part(&mut self, file: &FileStmts, part: &[(u32, ast::Stmt)], is_last: bool) {
        let name: Arc<str> = base_name(&self.sources.file(file.file).name).into();
        let info = FuncInfo {
            name: name.clone(),
            params: Vec::new(),
            result: Ok(None),
            item: None,
            mentions: Mentions::default(),
        };
        let (first, last) = (part[0].1.span, part[part.len() - 1].1.span);
        let span = first.to(last);
        let kind = FunctionKind::TopLevel;
        let func = self.env.add_func(info, span, kind);
        let shows = self.kind == SessionKind::Repl && file.role == Role::Root && is_last;
        let mut body = Body::new(self, Owner::TopLevel(0), file.file);
        body.scopes.enter();
        let mut stmts = Vec::new();
        let mut completion = Completion::Falls;
        for (at, (position, stmt)) in part.iter().enumerate() {
            body.owner = Owner::TopLevel(*position);
            let (stmt, ends) = match &stmt.kind {
                ast::StmtKind::Let(item) => match item.binder.name() {
                    Some(name) if name.is_wildcard() => body.stmt(stmt),
                    Some(name) => (body.global(item, name, stmt.span, func), Completion::Falls),
                    None => (body.global_parts(item, stmt.span, func), Completion::Falls),
                },
                ast::StmtKind::Expr(expr) if shows && at + 1 == part.len() => body.shown(expr, stmt.span),
                _ => body.stmt(stmt),
            };
            stmts.extend(stmt);
            if ends == Completion::Leaves {
                if let (Completion::Falls, Some((_, next))) = (completion, part.get(at + 1)) {
                    body.cx.unreachable(next.span);
                }
                completion = ends;
            }
        }
        body.scopes.leave();
        let Body { vars, loops, mentions, .. } = body;
        self.env.funcs[func].mentions = mentions;
        self.top_level.push(func);
        let body = Block { stmts, value: None, completion, span };
        let (params, result) = (Vec::new(), None);
        let captures = None;
        self.functions.push(tast::Function { func, name, kind, span, params, captures, result, vars, loops, body });
    }
}

/// The number of statements that become one function: as long as their source is short.
fn part_of(stmts: &[(u32, ast::Stmt)]) -> usize {
    let mut bytes = 0;
    let is_short = |(_, stmt): &&(u32, ast::Stmt)| {
        bytes += stmt.span.end - stmt.span.start;
        bytes <= LONGEST_PART
    };
    stmts.iter().take_while(is_short).count().max(1)
}

type Loops = cranelift_entity::PrimaryMap<tast::LoopRef, tast::LoopInfo>;

impl Body<'_, '_> {
    /// A `let` or `var` directly at top level.
    fn global(&mut self, item: &ast::Let, name: &ast::Name, span: Span, func: FuncRef) -> Checked<Stmt> {
        let (value, ty) = self.first_value(item);
        let Some(global) = self.cx.global_of(name) else {
            return value.map(|value| Stmt { kind: StmtKind::Drop(value), span });
        };
        self.cx.env.set_global_type(global, ty);
        self.cx.globals.push(NewGlobal { global, func, span });
        Ok(Stmt { kind: StmtKind::Let { binding: Binding::Global(global), value: value? }, span })
    }

    /// A `let` or `var` of several globals directly at top level.
    fn global_parts(&mut self, item: &ast::Let, span: Span, func: FuncRef) -> Checked<Stmt> {
        let kind = self.let_parts(item, span);
        for name in item.binder.names() {
            if let Some(global) = self.cx.global_of(name) {
                self.cx.globals.push(NewGlobal { global, func, span });
            }
        }
        Ok(Stmt { kind: kind?, span })
    }

    /// The global that a name in a binder of a top-level statement defines.
    pub(super) fn global_named(&self, name: &ast::Name) -> Option<crate::ir::Global> {
        match self.owner {
            Owner::TopLevel(_) if self.scopes.depth() == 1 => self.cx.global_of(name),
            Owner::TopLevel(_) | Owner::Fn { .. } | Owner::Constant | Owner::Closure { .. } => None,
        }
    }

    /// The bare expression that ends a REPL input: shown where it has a value, else a statement.
    fn shown(&mut self, expr: &ast::Expr, span: Span) -> (Checked<Stmt>, Completion) {
        let mark = self.cx.reports.mark();
        let depth = self.scopes.depth();
        match self.printable(expr) {
            // It has no type of its own that could be shown.
            Ok(Outcome::Value(value)) if super::operator::is_none(expr) => {
                (Ok(Stmt { kind: StmtKind::Print(vec![value]), span }), Completion::Falls)
            }
            Ok(Outcome::Value(value)) => {
                self.cx.shown = Some(value.ty);
                (Ok(Stmt { kind: StmtKind::Show(value), span }), Completion::Falls)
            }
            Ok(Outcome::Nothing(kind, completion, _)) => (Ok(Stmt { kind: *kind, span }), completion),
            Err(reported) => match expr.kind {
                // Perhaps it was not meant to have a value; then the errors of that reading are the ones to show.
                ast::ExprKind::If(_) | ast::ExprKind::Match(_) | ast::ExprKind::Block(_) => {
                    self.cx.reports.reset(mark);
                    self.scopes.leave_to(depth);
                    let (kind, completion) = self.expr_stmt(expr, span);
                    (kind.map(|kind| Stmt { kind, span }), completion)
                }
                _ => (Err(reported), Completion::Falls),
            },
        }
    }

    /// An expression that is printed: any type will do, and a bare `none` needs no help to print.
    pub(super) fn printable(&mut self, expr: &ast::Expr) -> Checked<Outcome> {
        match expr.unparenthesized().kind {
            ast::ExprKind::None => {
                let str = self.cx.env.basic.str;
                self.outcome(expr, Want::Like(str))
            }
            _ => self.outcome(expr, Want::Any),
        }
    }
}

/// The last part of a path.
fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The position at which control falls off the end of `block`; and the reason, unless it is simply its last statement.
fn falls_at(block: &Block, loops: &Loops) -> Option<(Span, &'static str)> {
    let last = block.stmts.last()?;
    let start = last.span.at_start();
    match &last.kind {
        StmtKind::If(node) => {
            let branches = node.branches.iter().map(|branch| &branch.body).chain(&node.otherwise);
            match branches.into_iter().find(|body| body.completion == Completion::Falls) {
                Some(body) => falls_at(body, loops).or(Some((closing(body), "this branch ends without `return`"))),
                None => Some((start, "this `if` has no `else`")),
            }
        }
        StmtKind::Select(node) => match node.arms.iter().find(|arm| arm.completion == Completion::Falls) {
            Some(arm) => falls_at(arm, loops).or(Some((arm.span, "this arm ends without `return`"))),
            None => Some((start, "this `match` may have no fitting arm")),
        },
        StmtKind::Match(node) => match node.arms.iter().find(|arm| arm.body.completion == Completion::Falls) {
            Some(arm) => falls_at(&arm.body, loops).or(Some((arm.span, "this arm ends without `return`"))),
            None => Some((start, "this `match` may have no fitting arm")),
        },
        StmtKind::Try(node) => [&node.body, &node.handler]
            .into_iter()
            .find(|body| body.completion == Completion::Falls)
            .and_then(|body| falls_at(body, loops).or(Some((closing(body), "this part ends without `return`")))),
        StmtKind::Block(inner) => falls_at(inner, loops),
        StmtKind::While(_) | StmtKind::For(_) => Some((start, "this loop may end")),
        StmtKind::Loop(node) if loops[node.id].has_break => Some((start, "a `break` leaves this loop")),
        StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Call(_)
        | StmtKind::Drop(_)
        | StmtKind::Print(_)
        | StmtKind::Write(_)
        | StmtKind::Show(_)
        | StmtKind::Assert { .. }
        | StmtKind::Exit(_)
        | StmtKind::Loop(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Fail(_) => None,
    }
}

/// The closing brace of a block.
fn closing(block: &Block) -> Span {
    Span::new(block.span.file, block.span.end.saturating_sub(1).max(block.span.start), block.span.end)
}
