//! Classes of references: those that assignments connect, in whatever direction, may be one object [Steensgaard96].
//!
//! In: a module and its places. Out: for each place its class, and for each class of arrays the place that stands for
//! the elements of all of them. Invariant: two places that may ever hold the same array are in one class. What comes
//! from elsewhere, or gets there, is in the class of elsewhere, of which nothing is known.
//!
//! [Steensgaard96] B. Steensgaard, "Points-to Analysis in Almost Linear Time", POPL 1996.

use super::places::Places;
use holloway_lang::ir::{Builtin, Elem, FuncRef, Function, Inst, Module, Operand, Scalar, Terminator};

/// The classes of a module's places.
#[derive(Debug)]
pub(super) struct Classes {
    /// For each place another one of its class; one of each class has itself.
    parent: Vec<u32>,
    /// For that one, the place of the elements, if anybody asked for it.
    element: Vec<u32>,
    elsewhere: usize,
}

const NONE: u32 = u32::MAX;

impl Classes {
    /// Those of a module.
    pub(super) fn of(module: &Module, places: &Places) -> Classes {
        let elsewhere = places.count();
        let parent: Vec<u32> = (0..=elsewhere as u32).collect();
        let mut classes = Classes { element: vec![NONE; parent.len()], parent, elsewhere };
        // Whatever is found in what comes from elsewhere does so, too.
        classes.element[elsewhere] = elsewhere as u32;
        let mut uniting = Uniting { module, places, classes: &mut classes };
        for (func, decl) in module.funcs.iter() {
            uniting.function(func, &decl.body);
        }
        if let Some(main) = module.main {
            uniting.called_from_elsewhere(main.func);
        }
        for place in 0..classes.parent.len() {
            classes.parent[place] = classes.find(place) as u32;
        }
        classes
    }

    /// The number of places, those of elements among them.
    pub(super) fn count(&self) -> usize {
        self.parent.len()
    }

    /// The place that stands for all of a class.
    pub(super) fn class(&self, place: usize) -> usize {
        self.parent[place] as usize
    }

    /// The place of the elements of the arrays that a place holds; none if they are from elsewhere, or nobody ever
    /// asked for one.
    pub(super) fn element(&self, array: usize) -> Option<usize> {
        let class = self.class(array);
        let element = self.element[class];
        (element != NONE && !self.is_from_elsewhere(array)).then_some(element as usize)
    }

    /// Returns whether arrays that a place holds may be from elsewhere, or known there.
    pub(super) fn is_from_elsewhere(&self, array: usize) -> bool {
        self.class(array) == self.class(self.elsewhere)
    }

    fn find(&mut self, mut place: usize) -> usize {
        while self.parent[place] as usize != place {
            let above = self.parent[self.parent[place] as usize];
            self.parent[place] = above;
            place = above as usize;
        }
        place
    }

    fn unite(&mut self, a: usize, b: usize) {
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            self.parent[b] = a as u32;
            match (self.element[a], self.element[b]) {
                (NONE, element) => self.element[a] = element,
                (_, NONE) => {}
                (one, other) => pairs.push((one as usize, other as usize)),
            }
        }
    }

    /// The place of the elements, made if there is none.
    fn element_of(&mut self, array: usize) -> usize {
        let class = self.find(array);
        if self.element[class] == NONE {
            let made = self.parent.len();
            self.parent.push(made as u32);
            self.element.push(NONE);
            self.element[class] = made as u32;
        }
        self.element[class] as usize
    }
}

/// Classes on their way.
struct Uniting<'a> {
    module: &'a Module,
    places: &'a Places,
    classes: &'a mut Classes,
}

impl Uniting<'_> {
    fn function(&mut self, func: FuncRef, body: &Function) {
        for data in body.blocks.values() {
            for inst in &data.insts {
                inst.operands(|operand| self.function_value(operand));
                self.inst((func, body), inst);
            }
            if let Terminator::Return(Some(value)) = data.term {
                self.function_value(value);
                self.assign((func, body), self.places.result(func), value);
            }
        }
    }

    /// A function that is a value may be called by whoever gets it.
    fn function_value(&mut self, operand: Operand) {
        if let Operand::Func(func) = operand {
            self.called_from_elsewhere(func);
        }
    }

    fn called_from_elsewhere(&mut self, func: FuncRef) {
        let body = self.module.function(func);
        let elsewhere = self.classes.elsewhere;
        for param in body.params.iter().filter(|param| body.scalar(**param) == Scalar::Ref) {
            self.classes.unite(elsewhere, self.places.local(func, *param));
        }
        if body.result == Some(Scalar::Ref) {
            self.classes.unite(elsewhere, self.places.result(func));
        }
    }

    fn inst(&mut self, at @ (func, body): (FuncRef, &Function), inst: &Inst) {
        let elsewhere = self.classes.elsewhere;
        let dst = inst.dst().filter(|dst| body.scalar(*dst) == Scalar::Ref).map(|dst| self.places.local(func, dst));
        match inst {
            Inst::Copy { src, .. } | Inst::Unwrap { src, .. } => self.to(at, dst, *src),
            Inst::Select { then, otherwise, .. } if dst.is_some() => {
                [then, otherwise].into_iter().for_each(|src| self.to(at, dst, *src));
            }
            Inst::GlobalGet { global, .. } => self.both(dst, self.places.global(*global)),
            Inst::GlobalSet { global, src } => self.assign(at, self.places.global(*global), *src),
            Inst::FieldGet { record, field, .. } => self.both(dst, self.places.field(*record, *field)),
            Inst::FieldSet { record, field, src, .. } => self.assign(at, self.places.field(*record, *field), *src),
            Inst::NewRecord { record, fields, .. } => {
                for (field, src) in fields.iter().enumerate() {
                    self.assign(at, self.places.field(*record, field as u32), *src);
                }
            }
            Inst::Call { func: callee, args, .. } => {
                for (param, arg) in self.module.function(*callee).params.iter().zip(args) {
                    self.assign(at, self.places.local(*callee, *param), *arg);
                }
                self.both(dst, self.places.result(*callee));
            }
            Inst::CallIndirect { args, .. } => {
                args.iter().for_each(|arg| self.assign(at, elsewhere, *arg));
                self.both(dst, elsewhere);
            }
            Inst::Builtin { builtin, args, .. } => self.builtin(at, dst, *builtin, args),
            Inst::NewArray { elem: Elem::Ref, fill, .. } => self.store_in(at, dst, *fill),
            Inst::ArrayOf { elem: Elem::Ref, items, .. } => {
                items.iter().for_each(|item| self.store_in(at, dst, *item));
            }
            Inst::ElemSet { elem: Elem::Ref, array, src, .. } => {
                let array = self.place(at, *array);
                self.store_in(at, array, *src);
            }
            Inst::ElemGet { elem: Elem::Ref, array, .. } => {
                if let Some(array) = self.place(at, *array) {
                    let element = self.classes.element_of(array);
                    self.both(dst, element);
                }
            }
            Inst::NewArray { .. }
            | Inst::ArrayOf { .. }
            | Inst::ElemSet { .. }
            | Inst::ElemGet { .. }
            | Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::Select { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Len { .. }
            | Inst::CatchMessage { .. } => {}
        }
    }

    fn builtin(&mut self, at: (FuncRef, &Function), dst: Option<usize>, builtin: Builtin, args: &[Operand]) {
        match (builtin, args) {
            (Builtin::ArraySlice, [array, ..]) => self.to(at, dst, *array),
            (Builtin::Copy, [to, _, from, ..]) => {
                let to = self.place(at, *to);
                self.to(at, to, *from);
            }
            (Builtin::FillRef, [array, value]) => {
                let array = self.place(at, *array);
                self.store_in(at, array, *value);
            }
            _ => self.both(dst, self.classes.elsewhere),
        }
    }

    /// The place that an operand is.
    fn place(&self, (func, body): (FuncRef, &Function), operand: Operand) -> Option<usize> {
        match operand {
            Operand::Local(local) if body.scalar(local) == Scalar::Ref => Some(self.places.local(func, local)),
            _ => None,
        }
    }

    fn assign(&mut self, at: (FuncRef, &Function), to: usize, operand: Operand) {
        if let Some(from) = self.place(at, operand) {
            self.classes.unite(to, from);
        }
    }

    fn to(&mut self, at: (FuncRef, &Function), to: Option<usize>, operand: Operand) {
        if let Some(to) = to {
            self.assign(at, to, operand);
        }
    }

    fn both(&mut self, one: Option<usize>, other: usize) {
        if let Some(one) = one {
            self.classes.unite(other, one);
        }
    }

    fn store_in(&mut self, at: (FuncRef, &Function), array: Option<usize>, operand: Operand) {
        if let Some(array) = array {
            let element = self.classes.element_of(array);
            self.assign(at, element, operand);
        }
    }
}
