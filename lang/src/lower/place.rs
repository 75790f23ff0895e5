//! Assignments. The operands of a place come first, then the right side, then the access.

use super::Lowering;
use super::expr::may_assign;
use crate::ir::field::boxed::CONTENT;
use crate::ir::{Builtin, Elem, Global, Inst, Local, Operand, RecordRef, Scalar};
use crate::source::Span;
use crate::tast::{Expr, Place, PlaceKind, Update};

/// A place whose operands are evaluated.
#[derive(Clone, Copy)]
enum Target {
    Var(Local),
    Global(Global),
    Element { elem: Elem, array: Operand, index: Operand },
    List { record: RecordRef, elem: Elem, list: Operand, index: Operand },
    Field { object: Operand, record: RecordRef, field: u32 },
}

impl Lowering<'_> {
    pub(super) fn assign(&mut self, span: Span, place: &Place, value: &Expr) {
        match self.target(place, value) {
            // An expression that assigns the variable on its way must not see it half assigned.
            Target::Var(local) if !may_assign(value) => self.expr_into(value, local),
            target => {
                let src = self.expr(value);
                self.store(span, place, target, src);
            }
        }
    }

    pub(super) fn update(&mut self, span: Span, place: &Place, op: Update, value: &Expr) {
        let target = self.target(place, value);
        let rhs = self.expr(value);
        match (target, op) {
            (Target::Var(dst), Update::Binary(op)) => {
                self.push(span, Inst::Binary { op, dst, lhs: Operand::Local(dst), rhs });
            }
            (target, op) => {
                let target = self.element(place, target);
                let old = self.load(place, target, op);
                let new = self.temp_for(op);
                self.apply(span, op, new, old, rhs);
                self.store(span, place, target, Operand::Local(new));
            }
        }
    }

    fn target(&mut self, place: &Place, value: &Expr) -> Target {
        let later = std::slice::from_ref(value);
        match &place.kind {
            PlaceKind::Var(var) => match self.function.vars[*var].cell {
                None => Target::Var(self.var(*var)),
                Some(record) => Target::Field { object: Operand::Local(self.var(*var)), record, field: CONTENT },
            },
            PlaceKind::ListIndex { list, record, elem, index } => {
                let (base, at) = self.pair(list, index);
                let base = self.protect(list, base, later);
                let at = self.protect(index, at, later);
                Target::List { record: *record, elem: *elem, list: base, index: at }
            }
            PlaceKind::Global(global) => Target::Global(*global),
            PlaceKind::Index { array, elem, index } => {
                let (base, at) = self.pair(array, index);
                let base = self.protect(array, base, later);
                let at = self.protect(index, at, later);
                Target::Element { elem: *elem, array: base, index: at }
            }
            PlaceKind::Field { object, record, field } => {
                let base = self.expr(object);
                let base = self.protect(object, base, later);
                Target::Field { object: base, record: *record, field: *field }
            }
        }
    }

    fn temp_for(&mut self, op: Update) -> Local {
        match op {
            Update::Binary(op) => self.temp(op.result()),
            Update::Concat => self.temp(Scalar::Ref),
        }
    }

    fn apply(&mut self, span: Span, op: Update, dst: Local, lhs: Operand, rhs: Operand) {
        match op {
            Update::Binary(op) => self.push(span, Inst::Binary { op, dst, lhs, rhs }),
            Update::Concat => {
                let args = vec![lhs, rhs];
                self.push(span, Inst::Builtin { dst: Some(dst), builtin: Builtin::StrConcat, args });
            }
        }
    }

    fn load(&mut self, place: &Place, target: Target, op: Update) -> Operand {
        let dst = match target {
            Target::Var(local) => return Operand::Local(local),
            Target::Global(_) | Target::Element { .. } | Target::List { .. } | Target::Field { .. } => {
                self.temp_for(op)
            }
        };
        let inst = match target {
            Target::Var(_) => unreachable!("a variable is its own value"),
            Target::List { .. } => unreachable!("`element` has made it an element of an array"),
            Target::Global(global) => Inst::GlobalGet { dst, global },
            Target::Element { elem, array, index } => Inst::ElemGet { dst, elem, array, index },
            Target::Field { object, record, field } => Inst::FieldGet { dst, object, record, field },
        };
        self.push(place.span, inst);
        Operand::Local(dst)
    }

    /// An element of a list as one of the array that the list has now.
    fn element(&mut self, place: &Place, target: Target) -> Target {
        match target {
            Target::List { record, elem, list, index } => {
                let array = self.list_data(place.span, record, list, index);
                Target::Element { elem, array, index }
            }
            other => other,
        }
    }

    fn store(&mut self, span: Span, place: &Place, target: Target, src: Operand) {
        match self.element(place, target) {
            Target::List { .. } => unreachable!("`element` has made it an element of an array"),
            Target::Var(dst) => self.copy(span, dst, src),
            Target::Global(global) => self.push(span, Inst::GlobalSet { global, src }),
            Target::Element { elem, array, index } => {
                self.push(place.span, Inst::ElemSet { elem, array, index, src });
            }
            Target::Field { object, record, field } => {
                self.push(place.span, Inst::FieldSet { object, record, field, src });
            }
        }
    }
}
