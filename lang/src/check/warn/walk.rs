//! The way through the syntax trees that finds the uses of names.
//!
//! In: the definitions and statements of an input. Out: [`Uses`]. Invariant: a name is declared behind what its
//! declaration evaluates, and in the scope in which the checker declares it.

use super::super::unit::Unit;
use super::names::{LocalKind, Uses};
use crate::ast::{
    self, Block, ClosureBody, Cond, Expr, ExprKind, ForSource, Mutability, Name, Pattern, PatternKind, PatternValue,
    PatternValueKind, Stmt, StmtKind, TypeExpr, TypeKind,
};

/// The built-ins that change their first argument.
const CHANGING: &[&str] =
    &["add", "clear", "copy", "extend", "fill", "insert", "pop", "push", "remove", "reverse", "sort", "sort_by"];

impl Uses<'_> {
    /// Every definition and statement of an input.
    pub(super) fn unit(&mut self, unit: &Unit) {
        for (item, _) in &unit.fns {
            self.function(item);
        }
        for item in &unit.structs {
            self.begin(Some(item.name.span), item.span, &item.type_params);
            item.fields.iter().for_each(|field| self.ty(&field.ty));
        }
        for item in &unit.enums {
            self.begin(Some(item.name.span), item.span, &item.type_params);
            item.variants.iter().flat_map(|variant| &variant.payloads).for_each(|ty| self.ty(ty));
        }
        for item in &unit.consts {
            self.begin(Some(item.name.span), item.span, &[]);
            item.ty.iter().for_each(|ty| self.ty(ty));
            self.expr(&item.value);
        }
        for (_, stmt) in unit.files.iter().flat_map(|file| &file.stmts) {
            self.begin(None, stmt.span, &[]);
            self.stmt(stmt);
        }
    }

    fn function(&mut self, item: &ast::Fn) {
        self.begin(Some(item.name.span), item.span, &item.type_params);
        self.enter();
        for param in &item.params {
            self.ty(&param.ty);
            self.declare(&param.name, LocalKind::Param, param.span);
        }
        item.result.iter().for_each(|ty| self.ty(ty));
        self.block(&item.body);
        self.leave();
    }

    fn ty(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeKind::Name(name) => self.type_name(name),
            TypeKind::Applied { module, name, args } => {
                match module {
                    Some(module) => {
                        self.member(module, name);
                    }
                    None => self.type_name(name),
                }
                args.iter().for_each(|arg| self.ty(arg));
            }
            TypeKind::Tuple(parts) => parts.iter().for_each(|part| self.ty(part)),
            TypeKind::Array(of) | TypeKind::Optional(of) | TypeKind::Paren(of) => self.ty(of),
            TypeKind::Fn { params, result } => {
                params.iter().for_each(|param| self.ty(param));
                result.iter().for_each(|ty| self.ty(ty));
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.enter();
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        self.leave();
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(item) => {
                item.ty.iter().for_each(|ty| self.ty(ty));
                self.expr(&item.value);
                // At top level the names are globals.
                if self.is_local() {
                    let kind = LocalKind::Variable(item.mutability);
                    item.binder.names().into_iter().for_each(|name| self.declare(name, kind, stmt.span));
                }
            }
            StmtKind::Const(item) => {
                item.ty.iter().for_each(|ty| self.ty(ty));
                self.expr(&item.value);
                if self.is_local() {
                    self.declare(&item.name, LocalKind::Constant, stmt.span);
                }
            }
            StmtKind::Assign(item) => {
                self.target(&item.target);
                self.expr(&item.value);
            }
            StmtKind::Expr(expr) | StmtKind::Fail(expr) => self.expr(expr),
            StmtKind::While(item) => {
                self.enter();
                self.cond(&item.cond);
                self.block(&item.body);
                self.leave();
            }
            StmtKind::Loop(item) => self.block(&item.body),
            StmtKind::For(item) => self.for_loop(item),
            StmtKind::Break(_) | StmtKind::Continue(_) => {}
            StmtKind::Return(value) => value.iter().for_each(|value| self.expr(value)),
            StmtKind::Try(item) => {
                self.block(&item.body);
                self.enter();
                self.declare(&item.name, LocalKind::Message, item.name.span);
                self.block(&item.handler);
                self.leave();
            }
        }
    }

    fn for_loop(&mut self, item: &ast::For) {
        match &item.source {
            ForSource::Range { start, end, step, .. } => {
                [start, end].into_iter().chain(step).for_each(|bound| self.expr(bound));
            }
            ForSource::Each(each) => self.expr(each),
        }
        self.enter();
        for name in item.binder.names() {
            self.declare(name, LocalKind::LoopVariable, item.binder.span);
        }
        self.block(&item.body);
        self.leave();
    }

    /// The target of an assignment: a name in it is assigned, all else is read.
    fn target(&mut self, target: &Expr) {
        match &target.unparenthesized().kind {
            ExprKind::Name(name) => self.assign(name),
            ExprKind::Tuple(parts) => parts.iter().for_each(|part| self.target(part)),
            ExprKind::Field { base, name } => match &base.kind {
                ExprKind::Name(module) if self.assign_member(module, name) => {}
                _ => {
                    self.member_name(name);
                    self.changed(base);
                    self.expr(base);
                }
            },
            _ => {
                self.changed(target);
                self.expr(target);
            }
        }
    }

    /// The name in front of the elements and fields of an expression whose value is changed.
    fn changed(&mut self, expr: &Expr) {
        match &expr.unparenthesized().kind {
            ExprKind::Name(name) => self.change(name),
            ExprKind::Index { base, .. } | ExprKind::Field { base, .. } => self.changed(base),
            _ => {}
        }
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Expr(expr) => self.expr(expr),
            Cond::Let { name, value } => {
                self.expr(value);
                self.declare(name, LocalKind::Variable(Mutability::Fixed), name.span);
            }
            Cond::Match { pattern, value } => {
                self.expr(value);
                self.pattern(pattern);
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Wildcard | PatternKind::None => {}
            PatternKind::Value(value) => match &value.kind {
                PatternValueKind::Name(name) => self.pattern_name(name, pattern.span),
                PatternValueKind::Int(_) | PatternValueKind::Bool(_) | PatternValueKind::Str(_) => {}
            },
            PatternKind::Range { low, high, .. } => {
                self.pattern_constant(low);
                self.pattern_constant(high);
            }
            PatternKind::Variant { name, parts } => {
                self.member_name(name);
                parts.iter().for_each(|part| self.pattern(part));
            }
            PatternKind::Tuple(parts) | PatternKind::Or(parts) => {
                parts.iter().for_each(|part| self.pattern(part));
            }
        }
    }

    fn pattern_constant(&mut self, value: &PatternValue) {
        if let PatternValueKind::Name(name) = &value.kind {
            self.read(name);
        }
    }

    fn exprs<'x>(&mut self, exprs: impl IntoIterator<Item = &'x Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.read(name),
            ExprKind::Call { callee, args } => {
                match &callee.unparenthesized().kind {
                    ExprKind::Field { base, name } if CHANGING.contains(&name.as_str()) => self.changed(base),
                    ExprKind::Name(name) if CHANGING.contains(&name.as_str()) => {
                        args.first().into_iter().for_each(|arg| self.changed(arg));
                    }
                    _ => {}
                }
                self.callee(callee);
                self.exprs(args);
            }
            ExprKind::Construct { module, name, fields } => self.construct(module.as_ref(), name, fields),
            ExprKind::Pairs { name, pairs } => {
                self.item(name);
                pairs.iter().for_each(|(key, value)| self.exprs([key, value]));
            }
            ExprKind::Closure(closure) => self.closure(closure),
            ExprKind::Field { base, name } => self.field(base, name),
            ExprKind::If(node) => {
                for branch in &node.branches {
                    self.enter();
                    self.cond(&branch.cond);
                    self.block(&branch.body);
                    self.leave();
                }
                node.otherwise.iter().for_each(|block| self.block(block));
            }
            ExprKind::Match(node) => self.matching(node),
            ExprKind::Block(block) => self.block(block),
            _ => expr.for_each_operand(&mut |operand| self.expr(operand)),
        }
    }

    fn matching(&mut self, node: &ast::Match) {
        self.expr(&node.subject);
        for arm in &node.arms {
            self.enter();
            arm.patterns.iter().for_each(|pattern| self.pattern(pattern));
            self.exprs(&arm.guard);
            self.block(&arm.body);
            self.leave();
        }
    }

    fn closure(&mut self, closure: &ast::Closure) {
        closure.params.iter().flat_map(|param| &param.ty).chain(&closure.result).for_each(|ty| self.ty(ty));
        self.enter();
        for param in &closure.params {
            self.declare(&param.name, LocalKind::Param, param.span);
        }
        match &closure.body {
            ClosureBody::Value(value) => self.expr(value),
            ClosureBody::Block(block) => self.block(block),
        }
        self.leave();
    }

    /// `base.name`: a field, a variant, or a name of an import.
    fn field(&mut self, base: &Expr, name: &Name) {
        match &base.kind {
            ExprKind::Name(module) if self.member(module, name) => {}
            _ => {
                self.member_name(name);
                self.expr(base);
            }
        }
    }

    fn callee(&mut self, callee: &Expr) {
        match &callee.unparenthesized().kind {
            ExprKind::Field { base, name } => {
                self.field(base, name);
                self.method(name);
            }
            _ => self.expr(callee),
        }
    }

    fn construct(&mut self, module: Option<&Name>, name: &Name, fields: &[ast::FieldInit]) {
        let is_dict = module.is_none() && name.as_str() == "dict" && self.is_free(name);
        match module {
            Some(module) => {
                self.member(module, name);
            }
            None => self.item(name),
        }
        for field in fields {
            // The keys of a dict are expressions.
            match is_dict {
                true => self.read(&field.name),
                false => self.member_name(&field.name),
            }
            self.expr(&field.value);
        }
    }
}
