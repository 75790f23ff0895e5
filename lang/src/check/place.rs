//! Elements, slices and fields, read and assigned; variables as targets of assignments. Invariant: the target of an
//! assignment is declared with `var`, or is an element or field.

use super::body::{Because, Body, Want};
use super::builtin_names;
use super::environment::{Collection, Def, DefKind};
use super::error::CheckError;
use super::frame::VarKind;
use super::method::Qualifier;
use super::operator::is_none;
use super::report::{Checked, Reported};
use super::scope::Local;
use super::target::{AssignTarget, Entry};
use crate::ast::{self, Bound, Mutability, Name};
use crate::diagnostic::Diagnostic;
use crate::ir::{Elem, RecordRef, Type, TypeRef, field};
use crate::source::Span;
use crate::tast::{Block, Call, Callee, Expr, ExprKind, Place, PlaceKind, Sliceable, Stmt, StmtKind};

/// The parts of `base[index]`.
enum Element {
    Of { base: Expr, elem: Elem, ty: TypeRef, index: Expr },
    OfList { list: Expr, record: RecordRef, elem: Elem, ty: TypeRef, index: Expr },
}

impl Body<'_, '_> {
    pub(super) fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Checked<Expr> {
        if let ast::ExprKind::Name(name) = &base.kind
            && self.takes_types(name)
        {
            let error = Diagnostic::error(CheckError::TypesAtCall(name.text.to_string()), base.span);
            let help = "the arguments say them, or the place: `let x: list[int] = list()`";
            return Err(self.report(error.with_help(help)));
        }
        let value = self.indexed(base, index)?;
        if let Some((Collection::Dict, types)) = self.cx.env.collection_of(value.ty) {
            let types = types.to_vec();
            let key = self.check(index, types[0], None)?;
            let template = self.cx.provided("dict_at").expect("the prelude has it");
            return self.call_provided(template, types, vec![value, key], span);
        }
        let (kind, ty) = match self.element(value, base, index)? {
            Element::Of { base, elem, ty, index } => {
                (ExprKind::Index { base: Box::new(base), elem, index: Box::new(index) }, ty)
            }
            Element::OfList { list, record, elem, ty, index } => {
                (ExprKind::ListIndex { list: Box::new(list), record, elem, index: Box::new(index) }, ty)
            }
        };
        Ok(Expr { kind, ty, span })
    }

    /// Returns true if a name means something that takes types in brackets where it stands for a type.
    fn takes_types(&mut self, name: &Name) -> bool {
        if self.local(name.as_str()).is_some() {
            return false;
        }
        match self.lookup(name).map(|def| def.kind) {
            Some(DefKind::Template(_)) => true,
            Some(_) => false,
            None => matches!(name.as_str(), "list" | "dict" | "set"),
        }
    }

    /// The value that is indexed; where it is wrong, the index is looked at alone.
    fn indexed(&mut self, base: &ast::Expr, index: &ast::Expr) -> Checked<Expr> {
        let value = self.infer(base, Want::Any);
        if value.is_err() {
            self.inspect(std::slice::from_ref(index));
        }
        value
    }

    /// The parts of `base[index]` and the type of its value.
    fn element(&mut self, value: Expr, base: &ast::Expr, index: &ast::Expr) -> Checked<Element> {
        let int = self.cx.env.basic.int;
        let index = self.check(index, int, None);
        let (elem, ty) = match *self.type_of(value.ty) {
            Type::Str => (Elem::Char, int),
            Type::Array(of) => (self.cx.env.module.elem(of), self.cx.env.read_type(of)),
            Type::Record(record) => match self.cx.env.collection_of(value.ty) {
                Some((Collection::List, types)) => {
                    let ty = types[0];
                    return Ok(Element::OfList { list: value, record, elem: self.elem(ty), ty, index: index? });
                }
                Some((Collection::Tuple, _)) => return Err(self.index_of_tuple(base, value.ty)),
                _ => return Err(self.not_a_sequence(base, value.ty)),
            },
            _ => return Err(self.not_a_sequence(base, value.ty)),
        };
        Ok(Element::Of { base: value, elem, ty, index: index? })
    }

    fn index_of_tuple(&mut self, base: &ast::Expr, ty: TypeRef) -> Reported {
        let error = CheckError::Expected { what: "an array, a list or a string", found: self.type_name(ty) };
        let help = format!("`{}.0` is its first part", self.cx.operand_text(base));
        self.report(Diagnostic::error(error, base.span).with_help(help))
    }

    /// `dict[key] = value`
    pub(super) fn dict_store(&mut self, dict: Expr, key: Expr, value: Expr, span: Span) -> Checked<StmtKind> {
        let (_, types) = self.cx.env.collection_of(dict.ty).expect("it is a dict");
        let types = types.to_vec();
        let template = self.cx.provided("dict_set").expect("the prelude has it");
        let func = self.cx.func_of_template(template, types, span)?;
        self.mention_func(func, span);
        Ok(StmtKind::Call(Call { callee: Callee::Func(func), args: vec![dict, key, value] }))
    }

    /// `dict[key] = value` or `dict[key] op= value`.
    pub(super) fn assign_entry(
        &mut self,
        item: &ast::Assign,
        Entry { dict, key, ty }: Entry,
        span: Span,
    ) -> Checked<StmtKind> {
        let Some(op) = item.op else {
            let value = self.check(&item.value, ty, None)?;
            return self.dict_store(dict, key, value, span);
        };
        let Some(update) = self.update_op(op, ty) else {
            return Err(self.bad_update(op, ty, item.op_span, item.target.span));
        };
        let value = self.check(&item.value, ty, None)?;
        let target = item.target.span;
        let mut stmts = Vec::new();
        let (dict, key) = (self.keep(dict, &mut stmts), self.keep(key, &mut stmts));
        let rhs = self.keep(value, &mut stmts);
        let of = |body: &Self, var| body.var_value(var, target);
        let (_, types) = self.cx.env.collection_of(self.vars[dict].ty).expect("it is a dict");
        let types = types.to_vec();
        let values = self.cx.env.array(types[1]);
        let template = self.cx.provided("dict_entry").expect("the prelude has it");
        let args = vec![of(self, dict), of(self, key)];
        let entry = self.call_provided(template, types, args, target)?;
        let entry = self.keep(entry, &mut stmts);
        let array = self.field_value(of(self, dict), field::dict::VALUES, values, target);
        let (array, index) = (Box::new(array), Box::new(of(self, entry)));
        let place = Place { kind: PlaceKind::Index { array, elem: self.elem(ty), index }, span: target };
        let value = of(self, rhs);
        stmts.push(Stmt { kind: StmtKind::Update { place, op: update, value }, span });
        Ok(StmtKind::Block(super::destructure::in_order(stmts, span)))
    }

    fn not_a_sequence(&mut self, expr: &ast::Expr, ty: TypeRef) -> Reported {
        let error = CheckError::Expected { what: "an array, a list or a string", found: self.type_name(ty) };
        let mut error = Diagnostic::error(error, expr.span);
        error.help = self.unwrap_help(expr, ty);
        self.report(error)
    }

    /// Help for an optional that stands in place of its content.
    pub(super) fn unwrap_help(&self, expr: &ast::Expr, ty: TypeRef) -> Option<String> {
        self.cx.env.content(ty)?;
        Some(format!("`{}!` unwraps it, `if let` looks first", self.cx.operand_text(expr)))
    }

    pub(super) fn slice(
        &mut self,
        base: &ast::Expr,
        start: Option<&ast::Expr>,
        end: Option<&ast::Expr>,
        bound: Bound,
        span: Span,
    ) -> Checked<Expr> {
        let value = self.infer(base, Want::Any);
        let int = self.cx.env.basic.int;
        let mut limit = |limit: Option<&ast::Expr>| limit.map(|limit| self.check(limit, int, None)).transpose();
        let (start, end) = (limit(start), limit(end));
        let value = value?;
        if matches!(self.cx.env.collection_of(value.ty), Some((Collection::List, _))) {
            return self.list_slice(value, start?, end?, bound, span);
        }
        let of = match self.type_of(value.ty) {
            Type::Str => Sliceable::Str,
            Type::Array(_) => Sliceable::Array,
            _ => return Err(self.not_a_sequence(base, value.ty)),
        };
        let (start, end, ty) = (start?.map(Box::new), end?.map(Box::new), value.ty);
        Ok(Expr { kind: ExprKind::Slice { base: Box::new(value), of, start, end, bound }, ty, span })
    }

    /// `list[start..end]`
    fn list_slice(
        &mut self,
        list: Expr,
        start: Option<Expr>,
        end: Option<Expr>,
        bound: Bound,
        span: Span,
    ) -> Checked<Expr> {
        let int = self.cx.env.basic.int;
        let number = |n| Expr { kind: ExprKind::Int(n), ty: int, span };
        let (_, types) = self.cx.env.collection_of(list.ty).expect("it is a list");
        let types = types.to_vec();
        let mut stmts = Vec::new();
        let list = self.keep(list, &mut stmts);
        let start = self.keep(start.unwrap_or_else(|| number(0)), &mut stmts);
        let end = match (end, bound) {
            (None, _) => self.field_value(self.var_value(list, span), field::list::LEN, int, span),
            (Some(end), Bound::Exclusive) => end,
            (Some(end), Bound::Inclusive) => {
                let (lhs, rhs) = (Box::new(end), Box::new(number(1)));
                Expr { kind: ExprKind::Binary { op: crate::ir::BinaryOp::IntAdd, lhs, rhs }, ty: int, span }
            }
        };
        let template = self.cx.provided("list_slice").expect("the prelude has it");
        let args = vec![self.var_value(list, span), self.var_value(start, span), end];
        let value = self.call_provided(template, types, args, span)?;
        let ty = value.ty;
        let block = Block { value: Some(Box::new(value)), ..super::destructure::in_order(stmts, span) };
        Ok(Expr { kind: ExprKind::Block(Box::new(block)), ty, span })
    }

    pub(super) fn field(&mut self, base: &ast::Expr, name: &Name, span: Span) -> Checked<Expr> {
        let (object, record, field, ty, _) = self.field_of(base, name)?;
        Ok(Expr { kind: ExprKind::Field { object: Box::new(object), record, field }, ty, span })
    }

    /// The parts of `base.name`, the type of its value and the span of the field's declaration.
    fn field_of(&mut self, base: &ast::Expr, name: &Name) -> Checked<(Expr, RecordRef, u32, TypeRef, Span)> {
        let object = self.infer(base, Want::Any)?;
        self.cx.marks.receiver(name.span, object.ty);
        let Type::Record(record) = *self.type_of(object.ty) else {
            return Err(self.no_fields(base, object.ty, name));
        };
        if !self.sees_fields(record) {
            return Err(self.no_fields(base, object.ty, name));
        }
        let info = &self.cx.env.records[record];
        let Some(&field) = info.index.get(&name.text) else { return Err(self.unknown_field(record, name, Some(base))) };
        let field_info = &info.fields[field as usize];
        let span = field_info.span;
        self.cx.marks.member(name.span, span);
        let ty = field_info.ty?;
        Ok((object, record, field, self.cx.env.read_type(ty), span))
    }

    fn sees_fields_of(&self, ty: TypeRef) -> bool {
        self.cx.env.record_of(ty).is_some_and(|record| self.sees_fields(record))
    }

    fn no_fields(&mut self, base: &ast::Expr, ty: TypeRef, name: &Name) -> Reported {
        let error = CheckError::Expected { what: "a struct", found: self.type_name(ty) };
        let error = Diagnostic::error(error, base.span);
        let text = name.as_str();
        let object = self.cx.short_text(base);
        let help = match self.type_of(ty) {
            Type::Array(_) | Type::Str | Type::Record(_)
                if matches!(text, "length" | "size" | "count" | "len") && !self.sees_fields_of(ty) =>
            {
                Some(format!("write `len({object})`"))
            }
            _ if self.is_callable(text) => Some(format!("write `{object}.{text}(...)` to call it")),
            _ => self.unwrap_help(base, ty),
        };
        self.report(match help {
            Some(help) => error.with_help(help),
            None => error,
        })
    }

    /// Reports a field that `record` does not have; `base` where it was read from something.
    pub(super) fn unknown_field(&mut self, record: RecordRef, name: &Name, base: Option<&ast::Expr>) -> Reported {
        let declared = self.cx.env.struct_item(record).map(|item| item.name.clone());
        let text = declared.as_ref().map_or_else(String::new, |name| name.text.to_string());
        let kind = CheckError::UnknownField { record: text, field: name.text.to_string() };
        let mut error = Diagnostic::error(kind, name.span);
        error.labels.extend(declared.map(|name| (name.span, "the struct is defined here".to_owned())));
        let info = &self.cx.env.records[record];
        let near = self.cx.did_you_mean(name.as_str(), info.index.keys().map(|name| &**name));
        let help = near.or_else(|| {
            let object = self.cx.short_text(base?);
            let text = name.as_str();
            self.is_callable(text).then(|| format!("write `{object}.{text}(...)` to call it"))
        });
        self.report(match help {
            Some(help) => error.with_help(help),
            None => error,
        })
    }

    fn is_callable(&self, name: &str) -> bool {
        let def = self.cx.env.names.get(name);
        let is_fn = |kind| matches!(kind, DefKind::Fn(_) | DefKind::Template(_));
        def.map_or_else(|| builtin_names::is_builtin(name), |def| is_fn(def.kind))
    }

    pub(super) fn unwrap(&mut self, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let value = self.infer(operand, Want::Any)?;
        match self.cx.env.content(value.ty) {
            Some(ty) => Ok(Expr { span, ..self.cx.env.content_of(Expr { span, ..value }, ty) }),
            None => {
                let error = CheckError::Expected { what: "an optional", found: self.type_name(value.ty) };
                let help = "it is never `none`: leave out the `!`";
                Err(self.report(Diagnostic::error(error, operand.span).with_help(help)))
            }
        }
    }

    /// The target of an assignment.
    pub(super) fn assign_target(&mut self, target: &ast::Expr) -> Checked<AssignTarget> {
        let target = target.unparenthesized();
        let span = target.span;
        let (kind, ty, because) = match &target.kind {
            ast::ExprKind::Name(name) => self.variable(name)?,
            ast::ExprKind::Index { base, index } => {
                let value = self.indexed(base, index)?;
                if let Some((Collection::Dict, &[key, ty])) = self.cx.env.collection_of(value.ty) {
                    let key = self.check(index, key, None)?;
                    return Ok(AssignTarget::Entry(Entry { dict: value, key, ty }));
                }
                let (array, elem, ty, index) = match self.element(value, base, index)? {
                    Element::Of { base, elem, ty, index } => (base, elem, ty, index),
                    Element::OfList { list, record, elem, ty, index } => {
                        let (list, index) = (Box::new(list), Box::new(index));
                        let kind = PlaceKind::ListIndex { list, record, elem, index };
                        return Ok(AssignTarget::Place(Place { kind, span }, ty, None));
                    }
                };
                if array.ty == self.cx.env.basic.str {
                    let error = Diagnostic::error(CheckError::ByteOfString, span);
                    return Err(
                        self.report(error.with_help("`bytes(s)` gives an array, `text(b, 0, len(b))` a string"))
                    );
                }
                (PlaceKind::Index { array: Box::new(array), elem, index: Box::new(index) }, ty, None)
            }
            ast::ExprKind::Field { base, name } => {
                if let Some((Qualifier::Module, module)) = self.qualifier(base) {
                    let def = self.cx.member(&module, name)?;
                    let (kind, ty, because) = self.global_place(name, def)?;
                    return Ok(AssignTarget::Place(Place { kind, span }, ty, because));
                }
                let (object, record, field, ty, declared) = self.field_of(base, name)?;
                let because = Some((declared, "the field is declared here"));
                (PlaceKind::Field { object: Box::new(object), record, field }, ty, because)
            }
            _ => unreachable!("the parser accepts names, elements and fields as targets"),
        };
        debug_assert!(!is_none(target), "`none` is no target");
        Ok(AssignTarget::Place(Place { kind, span }, ty, because))
    }

    fn variable(&mut self, name: &Name) -> Checked<(PlaceKind, TypeRef, Because)> {
        match self.local(name.as_str()) {
            Some(Local::Var(var)) => {
                let info = &self.vars[var];
                let because = Some((info.span, "the variable is declared here"));
                if info.mutability == Mutability::Variable {
                    return Ok((PlaceKind::Var(var), info.ty, because));
                }
                let (what, help) = fixed_words(self.kinds[var], name.as_str());
                Err(self.fixed(name, what, info.span, Some(help)))
            }
            Some(Local::Const { span, .. }) => Err(self.fixed(name, "a constant", span, None)),
            Some(Local::Unknown(reported)) => Err(reported),
            None => self.outer_variable(name),
        }
    }

    fn outer_variable(&mut self, name: &Name) -> Checked<(PlaceKind, TypeRef, Because)> {
        let Some(def) = self.lookup(name) else {
            let text = name.text.to_string();
            if builtin_names::is_builtin(&text) {
                let error = CheckError::Fixed { name: text, what: "a built-in" };
                return Err(self.error(error, name.span));
            }
            let near = self.cx.did_you_mean(&text, self.value_names());
            let help = near.unwrap_or_else(|| format!("declare it first: `var {text} = ...`"));
            return Err(self.report(Diagnostic::error(CheckError::UnknownName(text), name.span).with_help(help)));
        };
        self.global_place(name, def)
    }

    /// A definition of the program as a target.
    fn global_place(&mut self, name: &Name, def: Def) -> Checked<(PlaceKind, TypeRef, Because)> {
        let DefKind::Global(global) = def.kind else {
            return Err(self.fixed(name, def.kind.describe(), def.span, None));
        };
        if self.cx.env.globals[global].is_answer {
            let error = CheckError::Fixed { name: name.text.to_string(), what: "the value that was shown last" };
            let error = Diagnostic::error(error, name.span).with_label(def.span, "it was shown here");
            return Err(self.report(error.with_help(format!("copy it first: `var copy = {}`", name.as_str()))));
        }
        if self.cx.env.globals[global].mutability == Mutability::Fixed {
            let (what, help) = fixed_words(VarKind::Declared, name.as_str());
            return Err(self.fixed(name, what, def.span, Some(help)));
        }
        let ty = self.mention_global(global, name.span)?;
        Ok((PlaceKind::Global(global), ty, Some((def.span, "the variable is declared here"))))
    }

    fn fixed(&mut self, name: &Name, what: &'static str, declared: Span, help: Option<String>) -> Reported {
        let error = CheckError::Fixed { name: name.text.to_string(), what };
        let mut error = Diagnostic::error(error, name.span).with_label(declared, "it is declared here");
        error.help = help;
        self.report(error)
    }
}

/// The phrase for a variable that cannot be assigned, and the suggested correction.
fn fixed_words(kind: VarKind, name: &str) -> (&'static str, String) {
    let copy = format!("copy it first: `var {name} = {name}`");
    match kind {
        VarKind::Declared => ("declared with `let`", format!("declare it with `var {name}`")),
        VarKind::Parameter => ("a parameter", copy),
        VarKind::LoopVariable => ("the variable of a `for`", "use `while` and a `var` to steer the loop".to_owned()),
        VarKind::Content => ("bound by `let`", copy),
        VarKind::Message => ("bound by `catch`", copy),
    }
}
