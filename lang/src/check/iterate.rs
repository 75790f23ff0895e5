//! `for` over lists, dicts and sets: loops that read what they iterate over anew before each iteration.
//!
//! In: a `for` and the collection. Out: a block with a `while`. Invariant: `continue` goes to the next part, whatever was
//! added or removed meanwhile.

use super::body::Body;
use super::destructure::in_order;
use super::environment::Collection;
use super::error::CheckError;
use super::frame::VarKind;
use super::report::Checked;
use crate::ast::{self, Mutability};
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Elem, Type, TypeRef, field};
use crate::source::Span;
use crate::tast::{Block, Cond, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind, Update, VarId, While};

impl Body<'_, '_> {
    /// A `for` over a list, dict or set.
    pub(super) fn for_collection(
        &mut self,
        item: &ast::For,
        collection: Collection,
        value: Expr,
        span: Span,
    ) -> Checked<StmtKind> {
        let at = value.span;
        let mut stmts = Vec::new();
        let (types, of) = self.iterated(collection, &value);
        let value = match collection {
            Collection::Set => self.dict_of_set(value, at),
            Collection::List | Collection::Dict | Collection::Tuple => value,
        };
        let of_value = self.keep(value, &mut stmts);
        let int = self.cx.env.basic.int;
        let zero = Expr { kind: ExprKind::Int(0), ty: int, span: at };
        let place = self.keep(zero, &mut stmts);
        self.vars[place].mutability = Mutability::Variable;
        let cond = match collection {
            Collection::List => {
                let len = self.field_value(self.var_value(of_value, at), field::list::LEN, int, at);
                self.less(self.var_value(place, at), len, at)
            }
            Collection::Dict | Collection::Set | Collection::Tuple => {
                self.next_entry(of_value, place, types, &mut stmts, at)?
            }
        };
        self.scopes.enter();
        let mut first = Vec::new();
        let bound = self.bind_part(item, collection, (of_value, place), of, &mut first);
        self.advance(place, &mut first, at);
        let (id, body) = self.loop_body(item.label.as_ref(), &item.body, span);
        self.scopes.leave();
        bound?;
        let body = Block { stmts: first.into_iter().chain(body.stmts).collect(), ..body };
        stmts.push(Stmt { kind: StmtKind::While(While { id, cond: Cond::Expr(cond), body }), span });
        Ok(StmtKind::Block(in_order(stmts, span)))
    }

    /// The types that the functions of the prelude for it take, and the type of the parts.
    fn iterated(&mut self, collection: Collection, value: &Expr) -> (Vec<TypeRef>, TypeRef) {
        let (_, types) = self.cx.env.collection_of(value.ty).expect("the value is one of the built-in types");
        let mut types = types.to_vec();
        let of = types[0];
        if collection == Collection::Set {
            types.push(self.cx.env.basic.bool);
        }
        (types, of)
    }

    /// The dict whose keys are the elements of a set.
    pub(super) fn dict_of_set(&self, set: Expr, span: Span) -> Expr {
        let record = self.cx.env.record_of(set.ty).expect("a set is a record");
        let dict = self.cx.env.module.records[record].fields[field::set::DICT as usize].ty;
        self.field_value(set, field::set::DICT, dict, span)
    }

    /// The condition of a loop over entries: finds the next one that is there, and is false where there is none.
    fn next_entry(
        &mut self,
        dict: VarId,
        place: VarId,
        types: Vec<TypeRef>,
        stmts: &mut Vec<Stmt>,
        at: Span,
    ) -> Checked<Expr> {
        let (int, bool) = (self.cx.env.basic.int, self.cx.env.basic.bool);
        let latest = self.cx.provided("dict_latest").expect("the prelude has it");
        let latest = self.call_provided(latest, types.clone(), vec![self.var_value(dict, at)], at)?;
        let moves = self.keep(latest.clone(), stmts);
        self.vars[moves].mutability = Mutability::Variable;
        let template = self.cx.provided("dict_next").expect("the prelude has it");
        let args = vec![self.var_value(dict, at), self.var_value(place, at), self.var_value(moves, at)];
        let next = self.call_provided(template, types, args, at)?;
        let assign = |var, value| Stmt {
            kind: StmtKind::Assign { place: Place { kind: PlaceKind::Var(var), span: at }, value },
            span: at,
        };
        let steps = vec![assign(place, next), assign(moves, latest)];
        let used = self.field_value(self.var_value(dict, at), field::dict::USED, int, at);
        let is_there = self.less(self.var_value(place, at), used, at);
        let block = Block { value: Some(Box::new(is_there)), ..in_order(steps, at) };
        Ok(Expr { kind: ExprKind::Block(Box::new(block)), ty: bool, span: at })
    }

    fn less(&self, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        let kind = ExprKind::Binary { op: BinaryOp::IntLt, lhs: Box::new(lhs), rhs: Box::new(rhs) };
        Expr { kind, ty: self.cx.env.basic.bool, span }
    }

    fn advance(&self, place: VarId, stmts: &mut Vec<Stmt>, at: Span) {
        let one = Expr { kind: ExprKind::Int(1), ty: self.cx.env.basic.int, span: at };
        let target = Place { kind: PlaceKind::Var(place), span: at };
        let kind = StmtKind::Update { place: target, op: Update::Binary(BinaryOp::IntAdd), value: one };
        stmts.push(Stmt { kind, span: at });
    }

    /// Gives the loop variables the part at `place`.
    fn bind_part(
        &mut self,
        item: &ast::For,
        collection: Collection,
        (of_value, place): (VarId, VarId),
        of: TypeRef,
        stmts: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let at = item.binder.span;
        let element = |body: &mut Self, number: u32, ty: TypeRef| {
            let array = body.cx.env.array(ty);
            let base = Box::new(body.field_value(body.var_value(of_value, at), number, array, at));
            let (elem, index): (Elem, _) = (body.elem(ty), Box::new(body.var_value(place, at)));
            Expr { kind: ExprKind::Index { base, elem, index }, ty, span: at }
        };
        // A list has its elements where a dict has its keys.
        let key = element(self, field::dict::KEYS, of);
        let kind = VarKind::LoopVariable;
        if collection != Collection::Dict {
            let indexed = if collection == Collection::Set { ".to_list()" } else { "" };
            if let Err(reported) = self.expect_pairs(item, of, indexed) {
                self.declare_unknown(&item.binder, Mutability::Fixed, kind, reported);
                return Err(reported);
            }
            return self.bind_parts(&item.binder, key, Mutability::Fixed, kind, stmts);
        }
        let types = self.cx.env.collection_of(self.vars[of_value].ty).expect("it is a dict").1.to_vec();
        let value = element(self, field::dict::VALUES, types[1]);
        let ast::BinderKind::Tuple(names) = &item.binder.kind else {
            let error = Diagnostic::error(CheckError::DictInFor, at);
            let (name, dict) = (self.cx.sources.snippet(at), "d");
            let help = format!("write `for ({name}, value) in {dict}`, or `for {name} in {dict}.keys()`");
            let reported = self.report(error.with_help(help));
            self.declare_unknown(&item.binder, Mutability::Fixed, kind, reported);
            return Err(reported);
        };
        match names.as_slice() {
            [first, second] => {
                self.bind_parts(first, key, Mutability::Fixed, kind, stmts)?;
                self.bind_parts(second, value, Mutability::Fixed, kind, stmts)
            }
            _ => {
                let pair = self.cx.tuple_type(types, at)?;
                let pair = self.make_record(pair, vec![key, value], at);
                self.bind_parts(&item.binder, pair, Mutability::Fixed, kind, stmts)
            }
        }
    }

    /// Refuses two names for parts that are no pairs. A call of `indexed` makes a list of what is iterated over.
    fn expect_pairs(&mut self, item: &ast::For, of: TypeRef, indexed: &str) -> Checked<()> {
        let (ast::BinderKind::Tuple(names), ast::ForSource::Each(each)) = (&item.binder.kind, &item.source) else {
            return Ok(());
        };
        if names.len() != 2 || matches!(self.cx.env.collection_of(of), Some((Collection::Tuple, _))) {
            return Ok(());
        }
        let error = CheckError::BadPattern { pattern: "a tuple of names", of: self.type_name(of) };
        let names = self.cx.sources.snippet(item.binder.span);
        let source = self.cx.operand_text(each);
        let help = format!("for indices too, write `for {names} in {source}{indexed}.enumerate()`");
        Err(self.report(Diagnostic::error(error, item.binder.span).with_help(help)))
    }

    /// A `for` whose variables are the parts of what it iterates over: the loop has a variable that no program names.
    pub(super) fn for_parts(
        &mut self,
        item: &ast::For,
        part: Checked<TypeRef>,
        indexed: &str,
        span: Span,
    ) -> (Option<VarId>, crate::tast::LoopRef, Checked<Block>) {
        let mut first = Vec::new();
        let kind = VarKind::LoopVariable;
        let part = part.and_then(|ty| self.expect_pairs(item, ty, indexed).map(|()| ty));
        let var = part.map(|ty| self.hidden_var(ty, item.binder.span));
        let bound = match var {
            Ok(var) => {
                let value = self.var_value(var, item.binder.span);
                self.bind_parts(&item.binder, value, Mutability::Fixed, kind, &mut first)
            }
            Err(reported) => {
                self.declare_unknown(&item.binder, Mutability::Fixed, kind, reported);
                Err(reported)
            }
        };
        let (id, body) = self.loop_body(item.label.as_ref(), &item.body, span);
        let body = Block { stmts: first.into_iter().chain(body.stmts).collect(), ..body };
        (var.ok(), id, bound.map(|()| body))
    }

    /// The type as one that is iterated over by its parts.
    pub(super) fn is_collection(&self, ty: TypeRef) -> Option<Collection> {
        match (self.type_of(ty), self.cx.env.collection_of(ty)) {
            (Type::Record(_), Some((collection @ (Collection::List | Collection::Dict | Collection::Set), _))) => {
                Some(collection)
            }
            _ => None,
        }
    }
}
