//! Results that nobody takes, of calls that do nothing else.
//!
//! In: calls whose value is dropped, and the typed functions. Out: warnings. Invariants: a function has no effect if
//! neither it nor what it calls writes, fails on purpose, changes an object or calls a value; functions that call each
//! other have none if none of them has one by itself. A call in a `try` may be there for its failure, and is left
//! alone.

use hashbrown::HashMap;

use super::super::Checker;
use super::super::attention::Ignored;
use super::super::body::Body;
use super::Warning;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::ir::FuncRef;
use crate::ir::builtin::Effect;
use crate::tast::{
    Binding, Block, Call, Callee, Cond, Decision, Expr, ExprKind, ForSource, Function, If, PlaceKind, Stmt, StmtKind,
};

impl Body<'_, '_> {
    /// Looks at a call whose value is dropped.
    pub(in crate::check) fn watch_dropped(&mut self, expr: &ast::Expr, value: &Expr) {
        if !self.cx.warns() || self.cx.warnings.tries > 0 {
            return;
        }
        let callee = match &expr.unparenthesized().kind {
            ast::ExprKind::Call { callee, .. } => match &callee.unparenthesized().kind {
                ast::ExprKind::Name(name) | ast::ExprKind::Field { name, .. } => name.text.to_string(),
                _ => return,
            },
            ast::ExprKind::Construct { name, .. } => name.text.to_string(),
            _ => return,
        };
        self.cx.warnings.ignored.push(Ignored { span: expr.span, callee, value: value.clone() });
    }
}

impl Checker<'_> {
    /// Warns of calls without effects whose value is dropped.
    pub(super) fn report_ignored(&mut self) {
        let ignored = std::mem::take(&mut self.warnings.ignored);
        let mut effects = Effects::new(&self.functions);
        let outcomes: Vec<bool> = ignored.iter().map(|ignored| effects.expr(&ignored.value)).collect();
        drop(effects);
        for (Ignored { span, callee, .. }, has_effect) in ignored.into_iter().zip(outcomes) {
            let warning = Diagnostic::warning(Warning::IgnoredResult(callee), span);
            match has_effect {
                true => {
                    self.warnings.cleared.insert((warning.kind.code(), span));
                }
                false => self.warn(warning.with_help("use it, or write `let _ = ` before it")),
            }
        }
    }
}

/// The functions, and which of them have effects as far as that is known. Methods return true for an effect.
struct Effects<'f> {
    functions: HashMap<FuncRef, &'f Function>,
    known: HashMap<FuncRef, bool>,
}

impl<'f> Effects<'f> {
    fn new(functions: &'f [Function]) -> Self {
        let functions = functions.iter().map(|function| (function.func, function)).collect();
        Self { functions, known: HashMap::new() }
    }

    /// A function and those that it calls are looked at in turn, as far as they were not before.
    fn function(&mut self, func: FuncRef) -> bool {
        if let Some(&known) = self.known.get(&func) {
            return known;
        }
        let mut pending = vec![func];
        let mut callers: HashMap<FuncRef, Vec<FuncRef>> = HashMap::new();
        let mut guilty = Vec::new();
        while let Some(func) = pending.pop() {
            if self.known.insert(func, false).is_some() {
                continue;
            }
            let mut look = Look::default();
            match self.functions.get(&func) {
                Some(function) => look.block(&function.body),
                None => look.has_effect = true,
            }
            if look.has_effect {
                guilty.push(func);
            }
            for callee in look.calls {
                callers.entry(callee).or_default().push(func);
                match self.known.get(&callee) {
                    Some(true) => guilty.push(func),
                    Some(false) => {}
                    None => pending.push(callee),
                }
            }
        }
        while let Some(func) = guilty.pop() {
            if self.known.insert(func, true) != Some(true) {
                guilty.extend(callers.get(&func).into_iter().flatten());
            }
        }
        self.known[&func]
    }

    fn expr(&mut self, expr: &Expr) -> bool {
        let mut look = Look::default();
        look.expr(expr);
        look.has_effect || look.calls.into_iter().any(|func| self.function(func))
    }
}

/// A look at one body: its own effects, and what it calls.
#[derive(Default)]
struct Look {
    has_effect: bool,
    calls: Vec<FuncRef>,
}

impl Look {
    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        block.value.iter().for_each(|value| self.expr(value));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { binding: Binding::Var(_), value } => self.expr(value),
            StmtKind::Assign { place, value } | StmtKind::Update { place, value, .. } => match place.kind {
                PlaceKind::Var(_) => self.expr(value),
                PlaceKind::Global(_)
                | PlaceKind::Index { .. }
                | PlaceKind::ListIndex { .. }
                | PlaceKind::Field { .. } => self.has_effect = true,
            },
            StmtKind::Call(call) => self.call(call),
            StmtKind::Drop(value) | StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::If(node) => self.branches(node),
            StmtKind::Match(node) => {
                self.expr(&node.subject);
                node.arms.iter().for_each(|arm| self.block(&arm.body));
            }
            StmtKind::Select(node) => {
                self.decision(&node.decision);
                node.arms.iter().for_each(|arm| self.block(arm));
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::While(node) => {
                self.cond(&node.cond);
                self.block(&node.body);
            }
            StmtKind::Loop(node) => self.block(&node.body),
            StmtKind::For(node) => {
                match &node.source {
                    ForSource::Range { start, end, step, .. } => {
                        [start, end].into_iter().chain(step).for_each(|bound| self.expr(bound));
                    }
                    ForSource::Array { array: each, .. } | ForSource::Str(each) => self.expr(each),
                }
                self.block(&node.body);
            }
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {}
            StmtKind::Try(node) => [&node.body, &node.handler].into_iter().for_each(|block| self.block(block)),
            StmtKind::Let { binding: Binding::Global(_), .. }
            | StmtKind::Print(_)
            | StmtKind::Write(_)
            | StmtKind::Show(_)
            | StmtKind::Assert { .. }
            | StmtKind::Exit(_)
            | StmtKind::Fail(_) => self.has_effect = true,
        }
    }

    fn branches(&mut self, node: &If) {
        for branch in &node.branches {
            self.cond(&branch.cond);
            self.block(&branch.body);
        }
        node.otherwise.iter().for_each(|block| self.block(block));
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Expr(expr) | Cond::Let { value: expr, .. } => self.expr(expr),
            Cond::Decide(decision) => self.decision(decision),
        }
    }

    fn decision(&mut self, decision: &Decision) {
        match decision {
            Decision::Arm(_) | Decision::Nothing => {}
            Decision::Let { value, next, .. } => {
                self.expr(value);
                self.decision(next);
            }
            Decision::Chain { tests, otherwise } => {
                for (cond, then) in tests {
                    self.expr(cond);
                    self.decision(then);
                }
                self.decision(otherwise);
            }
            Decision::Switch { value, cases, default } => {
                self.expr(value);
                cases.iter().for_each(|(_, case)| self.decision(case));
                self.decision(default);
            }
        }
    }

    fn call(&mut self, call: &Call) {
        match &call.callee {
            Callee::Func(func) => self.calls.push(*func),
            Callee::Builtin(builtin) => match builtin.effect() {
                Effect::Pure | Effect::Allocates | Effect::Reads => {}
                Effect::Writes => self.has_effect = true,
            },
            // Nobody knows which function it is.
            Callee::Value { .. } => self.has_effect = true,
        }
        call.args.iter().for_each(|arg| self.expr(arg));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(call) => self.call(call),
            // It is there to fail.
            ExprKind::Unwrap(_) => self.has_effect = true,
            ExprKind::Select(node) => {
                self.decision(&node.decision);
                node.arms.iter().for_each(|arm| self.block(arm));
            }
            ExprKind::If(node) => self.branches(node),
            ExprKind::Match(node) => {
                self.expr(&node.subject);
                node.arms.iter().for_each(|arm| self.block(&arm.body));
            }
            ExprKind::Block(block) => self.block(block),
            _ => expr.for_each_operand(&mut |operand| self.expr(operand)),
        }
    }
}
