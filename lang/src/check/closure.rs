//! Closures: functions as expressions, and the variables that they have from around them.
//!
//! In: a closure and the types that its place says. Out: a function of the module, whose first parameter is a record of
//! what is captured, and the expression that makes its value. Invariants: a fixed variable is copied into the record; a
//! `var` becomes a cell, a record of its own, that all who see it share; a variable of an outer function passes through
//! every function between.

use std::sync::Arc;

use cranelift_entity::PrimaryMap;

use super::body::{Body, Outcome, Want};
use super::error::CheckError;
use super::frame::{Captured, Frame, Owner, VarKind};
use super::report::Checked;
use super::scope::Local;
use super::{Checker, File, SessionKind};
use crate::ast::{self, ClosureBody, Mutability};
use crate::diagnostic::Diagnostic;
use crate::ir::{FuncRef, FunctionKind, Shape, Signature, Type, TypeRef};
use crate::source::Span;
use crate::tast::{
    self, Block, Call, Callee, Captures, Completion, Expr, ExprKind, LoopInfo, LoopRef, Stmt, StmtKind, Var, VarId,
};

impl Checker<'_> {
    /// Decides whether function values of the program are closures, before any type depends on it.
    pub(super) fn decide_closures(&mut self, files: &[File]) {
        if self.env.module.closures {
            return;
        }
        let first = files.iter().find(|file| file.program.has_closures);
        let has_values = self.env.module.types.values().any(|ty| matches!(ty, Type::Func(_)));
        if let (Some(file), true) = (first, has_values) {
            // Function values that exist are none that a closure could stand beside.
            let span = file.program.body.first().map_or(self.nowhere(), ast::TopLevel::span).at_start();
            let error = Diagnostic::error(CheckError::LateClosures, span);
            self.report(error.with_help("load a file with a closure first, or one without function types"));
        } else if !has_values && (self.kind == SessionKind::Repl || first.is_some()) {
            self.env.module.closures = true;
        }
    }

    /// The code of `func` as a value: a function that takes what a closure captures, and ignores it.
    fn thunk(&mut self, func: FuncRef) -> FuncRef {
        if let Some(&thunk) = self.env.thunks.get(&func) {
            return thunk;
        }
        let info = self.env.funcs[func].clone();
        let span = self.env.module.funcs[func].body.span;
        let types: Vec<TypeRef> = info.params.iter().filter_map(|param| param.ty.ok()).collect();
        let result = info.result.ok().flatten();
        let captures = self.env.module.captures();
        let all: Vec<TypeRef> = std::iter::once(captures).chain(types.iter().copied()).collect();
        let thunk = self.add_made(info.name.clone(), &all, result, span, FunctionKind::Provided);
        self.env.thunks.insert(func, thunk);
        self.env.funcs[thunk].mentions.funcs.push((func, span));
        let mut vars: PrimaryMap<VarId, Var> = PrimaryMap::new();
        let param =
            |&ty: &TypeRef| vars.push(Var { name: "_".into(), ty, mutability: Mutability::Fixed, cell: None, span });
        let params: Vec<VarId> = types.iter().map(param).collect();
        let args = params.iter().zip(&types).map(|(&var, &ty)| Expr { kind: ExprKind::Var(var), ty, span }).collect();
        let call = Call { callee: Callee::Func(func), args };
        let (kind, completion) = match result {
            Some(ty) => {
                let value = Expr { kind: ExprKind::Call(call), ty, span };
                (StmtKind::Return(Some(value)), Completion::Leaves)
            }
            None => (StmtKind::Call(call), Completion::Falls),
        };
        let body = Block { stmts: vec![Stmt { kind, span }], value: None, completion, span };
        self.functions.push(tast::Function {
            func: thunk,
            name: info.name,
            kind: FunctionKind::Provided,
            span,
            params,
            captures: Some(Captures { record: None, vars: Vec::new() }),
            result,
            vars,
            loops: PrimaryMap::new(),
            body,
        });
        thunk
    }
}

impl Body<'_, '_> {
    /// A function of the program as a value.
    pub(super) fn func_value(&mut self, func: FuncRef, span: Span) -> Expr {
        let ty = self.cx.env.func_type(func);
        self.cx.env.taken.insert(func);
        let kind = match self.cx.env.module.closures {
            true => ExprKind::Closure { func: self.cx.thunk(func), captures: None, vars: Vec::new() },
            false => ExprKind::Func(func),
        };
        Expr { kind, ty, span }
    }

    /// A closure whose place says the types of some parameters, and perhaps the result.
    pub(super) fn closure(
        &mut self,
        closure: &ast::Closure,
        span: Span,
        expected: Option<&[Option<TypeRef>]>,
        result: Option<Option<TypeRef>>,
    ) -> Checked<Expr> {
        self.expect_params(closure, span, expected)?;
        if expected.is_some() && self.cx.warnings.is_wanted {
            self.cx.warnings.prescribed.extend(closure.params.iter().map(|param| param.name.span));
        }
        let types: Vec<Checked<TypeRef>> = closure
            .params
            .iter()
            .enumerate()
            .map(|(at, param)| match (&param.ty, expected.and_then(|expected| expected.get(at).copied().flatten())) {
                (Some(written), _) => self.resolve(written),
                (None, Some(ty)) => Ok(self.cx.env.read_type(ty)),
                (None, None) => {
                    let error = CheckError::ClosureParam(param.name.text.to_string());
                    let help = format!("write it: `{}: int`", param.name.as_str());
                    Err(self.report(Diagnostic::error(error, param.span).with_help(help)))
                }
            })
            .collect();
        let result = match &closure.result {
            Some(written) => Some(self.resolve(written).map(Some)),
            None => result.map(Ok),
        };
        self.enter_frame(Owner::Closure { result });
        self.scopes.enter();
        let declare = |body: &mut Self, (param, ty): (&ast::ClosureParam, &Checked<TypeRef>)| {
            body.declare(&param.name, *ty, Mutability::Fixed, VarKind::Parameter)
        };
        let params: Vec<_> = closure.params.iter().zip(&types).map(|pair| declare(self, pair)).collect();
        let body = self.closure_body(&closure.body, span);
        self.scopes.leave();
        let Frame { owner, vars, loops, captures, .. } = self.leave_frame();
        let Owner::Closure { result } = owner else { unreachable!("it was entered as a closure") };
        let result = result.unwrap_or(Ok(None))?;
        let params = params.into_iter().collect::<Checked<Vec<_>>>()?;
        let types = types.into_iter().collect::<Checked<Vec<_>>>()?;
        let body = body?;
        if body.completion == Completion::Falls && result.is_some() {
            let end = Span::new(span.file, span.end.saturating_sub(1).max(span.start), span.end);
            let error = CheckError::MissingReturn("fn".to_owned());
            let help = "end every way through it with `return` or `fail`";
            return Err(self.report(Diagnostic::error(error, end).with_help(help)));
        }
        Ok(self.make_closure(span, (params, types, result), vars, loops, captures, body))
    }

    /// Refuses two parameters of one name, and other numbers of parameters than the place gives arguments: `None` where
    /// the place says nothing.
    fn expect_params(
        &mut self,
        closure: &ast::Closure,
        span: Span,
        expected: Option<&[Option<TypeRef>]>,
    ) -> Checked<()> {
        let (found, params) = (closure.params.len(), &closure.params);
        if let Some(expected) = expected.map(<[_]>::len).filter(|&expected| expected != found) {
            return Err(self.error(CheckError::ClosureCount { expected, found }, span));
        }
        for (at, param) in params.iter().enumerate().filter(|(_, param)| !param.name.is_wildcard()) {
            if let Some(first) = params[..at].iter().find(|first| first.name.text == param.name.text) {
                return Err(self.cx.duplicate("a parameter", &param.name, first.name.span));
            }
        }
        Ok(())
    }

    fn make_closure(
        &mut self,
        span: Span,
        (params, types, result): (Vec<VarId>, Vec<TypeRef>, Option<TypeRef>),
        vars: PrimaryMap<VarId, Var>,
        loops: PrimaryMap<LoopRef, LoopInfo>,
        captured: Vec<Captured>,
        body: Block,
    ) -> Expr {
        let hidden = self.cx.env.module.captures();
        let all: Vec<TypeRef> = std::iter::once(hidden).chain(types.iter().copied()).collect();
        let name: Arc<str> = "fn".into();
        let kind = if self.is_provided() { FunctionKind::Provided } else { FunctionKind::Declared };
        let func = self.cx.add_made(name.clone(), &all, result, span, kind);
        self.mention_func(func, span);
        self.cx.env.taken.insert(func);
        let record = (!captured.is_empty()).then(|| {
            let record =
                self.cx.env.add_record("captures".to_owned(), Shape::Hidden, super::environment::Origin::Hidden);
            for Captured { inner, .. } in &captured {
                let Var { name, ty, cell, .. } = vars[*inner].clone();
                let ty = cell.map_or(ty, |cell| self.cx.env.ty(Type::Record(cell)));
                self.cx.env.add_field(record, &name, Ok(ty), span);
            }
            record
        });
        let inner = captured.iter().map(|captured| captured.inner).collect();
        let outer = captured.iter().map(|captured| captured.outer).collect();
        self.cx.functions.push(tast::Function {
            func,
            name,
            kind,
            span,
            params,
            captures: Some(Captures { record, vars: inner }),
            result,
            vars,
            loops,
            body,
        });
        let sig = self.cx.env.sig(Signature { params: types, result });
        let ty = self.cx.env.ty(Type::Func(sig));
        Expr { kind: ExprKind::Closure { func, captures: record, vars: outer }, ty, span }
    }

    fn closure_body(&mut self, body: &ClosureBody, span: Span) -> Checked<Block> {
        let expr = match body {
            ClosureBody::Block(block) => return Ok(self.block(block)),
            ClosureBody::Value(expr) => expr,
        };
        let Owner::Closure { result } = self.owner.clone() else { unreachable!("it was entered as a closure") };
        let block = |kind, completion| {
            let stmt = Stmt { kind, span: expr.span };
            Block { stmts: vec![stmt], value: None, completion, span }
        };
        match result {
            Some(Ok(Some(ty))) => {
                let value = self.check(expr, ty, None)?;
                Ok(block(StmtKind::Return(Some(value)), Completion::Leaves))
            }
            Some(Err(reported)) => {
                let _ = self.outcome(expr, Want::Any);
                Err(reported)
            }
            // Without a result there is nothing that a `match` or an `if` must have a value for.
            Some(Ok(None)) if is_statement(expr) => {
                let (kind, completion) = self.expr_stmt(expr, expr.span);
                Ok(block(kind?, completion))
            }
            Some(Ok(None)) => match self.outcome(expr, Want::Any)? {
                Outcome::Value(value) => Ok(block(StmtKind::Drop(value), Completion::Falls)),
                Outcome::Nothing(kind, completion, _) => Ok(block(*kind, completion)),
            },
            None => match self.outcome(expr, Want::Any)? {
                Outcome::Value(value) => {
                    self.owner = Owner::Closure { result: Some(Ok(Some(value.ty))) };
                    Ok(block(StmtKind::Return(Some(value)), Completion::Leaves))
                }
                Outcome::Nothing(kind, completion, _) => Ok(block(*kind, completion)),
            },
        }
    }

    fn enter_frame(&mut self, owner: Owner) {
        let frame = Frame {
            owner: std::mem::replace(&mut self.owner, owner),
            vars: std::mem::take(&mut self.vars),
            kinds: std::mem::take(&mut self.kinds),
            loops: std::mem::take(&mut self.loops),
            open_loops: std::mem::take(&mut self.open_loops),
            scopes: std::mem::take(&mut self.scopes),
            captures: std::mem::take(&mut self.captures),
        };
        self.outer.push(frame);
    }

    /// Ends the innermost function, whose part comes out.
    fn leave_frame(&mut self) -> Frame {
        let outer = self.outer.pop().expect("a frame that is left was entered");
        Frame {
            owner: std::mem::replace(&mut self.owner, outer.owner),
            vars: std::mem::replace(&mut self.vars, outer.vars),
            kinds: std::mem::replace(&mut self.kinds, outer.kinds),
            loops: std::mem::replace(&mut self.loops, outer.loops),
            open_loops: std::mem::replace(&mut self.open_loops, outer.open_loops),
            scopes: std::mem::replace(&mut self.scopes, outer.scopes),
            captures: std::mem::replace(&mut self.captures, outer.captures),
        }
    }

    /// The innermost meaning of a local name, which is captured if it is of a function around this one.
    pub(super) fn local(&mut self, name: &str) -> Option<Local> {
        if let Some(local) = self.scopes.get(name) {
            return Some(local);
        }
        let at = self.outer.iter().rposition(|frame| frame.scopes.get(name).is_some())?;
        let found = self.outer[at].scopes.get(name)?;
        let Local::Var(mut outer) = found else { return Some(found) };
        for level in at..self.outer.len() {
            outer = self.capture(level, outer, name);
        }
        Some(Local::Var(outer))
    }

    /// Gives the function inside of frame `level` a variable for the variable `outer` of that frame.
    fn capture(&mut self, level: usize, outer: VarId, name: &str) -> VarId {
        let frame = &mut self.outer[level];
        let var = &mut frame.vars[outer];
        if var.mutability == Mutability::Variable && var.cell.is_none() {
            var.cell = Some(self.cx.env.cell_of(var.ty));
        }
        let (copy, kind) = (var.clone(), frame.kinds[outer]);
        let name: Arc<str> = name.into();
        let (vars, kinds, scopes, captures) = match self.outer.get_mut(level + 1) {
            Some(frame) => (&mut frame.vars, &mut frame.kinds, &mut frame.scopes, &mut frame.captures),
            None => (&mut self.vars, &mut self.kinds, &mut self.scopes, &mut self.captures),
        };
        let inner = vars.push(copy);
        kinds[inner] = kind;
        scopes.define_outermost(&name, Local::Var(inner));
        captures.push(Captured { outer, inner });
        inner
    }
}

/// Returns true if an expression may stand as a statement without a value.
fn is_statement(expr: &ast::Expr) -> bool {
    matches!(expr.kind, ast::ExprKind::If(_) | ast::ExprKind::Match(_) | ast::ExprKind::Block(_))
}
