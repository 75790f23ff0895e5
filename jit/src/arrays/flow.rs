//! The flow of arrays through a program: the places that each may get to.
//!
//! In: a module. Out: a graph of the places that refer to arrays, whose edges are assignments; what is known at each
//! place follows the edges, and that something is written goes against them. Places are the locals that are references,
//! of all functions, then what functions return, globals, the fields of records, and the elements of each class of arrays. What gets into an
//! array from elsewhere is taken to be written, and of what is read from one nothing is known. Allocation sites follow
//! the same edges, of records too.
//! Invariant: whatever a reference can be assigned to is an edge, is made there, or is written. Each edge is followed a
//! bounded number of times, as facts only get weaker: an array, its length, nothing.

use super::classes::Classes;
use super::fact::{AllocationSites, Fact, Table};
use super::places::Places;
use crate::settings::arrays::LARGEST;
use holloway_lang::ir::{Builtin, Elem, FuncRef, Function, Inst, Module, Operand, Scalar, Terminator};
use std::sync::Arc;

/// The graph.
#[derive(Debug)]
pub(super) struct Flow<'a> {
    places: &'a Places,
    classes: &'a Classes,
    /// Assignments: from one place to another.
    edges: Vec<(usize, usize)>,
    /// The arrays, and other things, that places get besides.
    made: Vec<(usize, Made)>,
    /// Allocation sites, one for each of `made`: the number of the instruction, `None` if it is unknown.
    allocated: Vec<(usize, Option<u32>)>,
    /// Instructions that allocate.
    allocations: u32,
    /// Places whose arrays are written.
    written: Vec<usize>,
    /// Literals.
    literals: Vec<Literal>,
}

/// A thing that a place gets from no other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// An array of a length, and the literal that it is of.
    Array(i64, Option<usize>),
    /// Something else.
    Unknown,
}

/// A literal of constants.
#[derive(Debug)]
struct Literal {
    at: usize,
    table: Arc<Table>,
}

impl<'a> Flow<'a> {
    pub(super) fn new(module: &Module, places: &'a Places, classes: &'a Classes) -> Flow<'a> {
        let (edges, made, written) = (Vec::new(), Vec::new(), Vec::new());
        let mut flow =
            Flow { places, classes, edges, made, allocated: Vec::new(), allocations: 0, written, literals: Vec::new() };
        for (func, decl) in module.funcs.iter() {
            flow.function(module, func, &decl.body);
        }
        if let Some(main) = module.main {
            flow.called_from_elsewhere(module, main.func);
        }
        flow
    }

    /// The fact of each place.
    pub(super) fn facts(&self) -> Vec<Option<Fact>> {
        let is_written = self.reached_against_edges(&self.written);
        let out = adjacent(self.classes.count(), self.edges.iter().copied());
        let mut found: Vec<Option<Made>> = vec![None; self.classes.count()];
        let mut waiting: Vec<usize> = Vec::new();
        let meet = |found: &mut Vec<Option<Made>>, waiting: &mut Vec<usize>, at: usize, made: Made| {
            let met = found[at].map_or(made, |known| known.meet(made));
            if found[at] != Some(met) {
                found[at] = Some(met);
                waiting.push(at);
            }
        };
        for (at, made) in &self.made {
            meet(&mut found, &mut waiting, *at, *made);
        }
        while let Some(at) = waiting.pop() {
            let made = found[at].expect("it was found");
            for to in &out.targets[out.first[at]..out.first[at + 1]] {
                meet(&mut found, &mut waiting, *to, made);
            }
        }
        let fact = |made: Option<Made>| match made? {
            Made::Unknown => None,
            Made::Array(length, literal) => {
                let literal = literal.map(|literal| &self.literals[literal]).filter(|literal| !is_written[literal.at]);
                Some(Fact { length, table: literal.map(|literal| Arc::clone(&literal.table)) })
            }
        };
        found.into_iter().map(fact).collect()
    }

    /// The allocation sites of each place; `None` if they are unknown, or too many.
    pub(super) fn allocation_sites(&self) -> Vec<Option<AllocationSites>> {
        let out = adjacent(self.classes.count(), self.edges.iter().copied());
        let mut found: Vec<Option<AllocationSites>> = vec![Some(AllocationSites::default()); self.classes.count()];
        let mut waiting: Vec<usize> = Vec::new();
        for (at, site) in &self.allocated {
            if join(&mut found[*at], site.map(AllocationSites::one).as_ref()) {
                waiting.push(*at);
            }
        }
        while let Some(at) = waiting.pop() {
            let sites = found[at].clone();
            for to in &out.targets[out.first[at]..out.first[at + 1]] {
                if join(&mut found[*to], sites.as_ref()) {
                    waiting.push(*to);
                }
            }
        }
        found
    }

    /// The places from which some others are reached.
    fn reached_against_edges(&self, others: &[usize]) -> Vec<bool> {
        let into = adjacent(self.classes.count(), self.edges.iter().map(|(from, to)| (*to, *from)));
        let mut reached = vec![false; self.classes.count()];
        let mut waiting = others.to_vec();
        while let Some(at) = waiting.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                waiting.extend(&into.targets[into.first[at]..into.first[at + 1]]);
            }
        }
        reached
    }

    /// Notes that the caller of a function, who takes its result, is not in the program.
    fn called_from_elsewhere(&mut self, module: &Module, func: FuncRef) {
        for param in &module.function(func).params {
            self.make(Some(self.places.local(func, *param)), Made::Unknown);
        }
        self.written.push(self.places.result(func));
    }

    fn function(&mut self, module: &Module, func: FuncRef, body: &Function) {
        for data in body.blocks.values() {
            for inst in &data.insts {
                inst.operands(|operand| self.function_value(module, operand));
                self.inst(module, (func, body), inst);
            }
            if let Terminator::Return(Some(value)) = data.term {
                self.function_value(module, value);
                self.assign((func, body), self.places.result(func), value);
            }
        }
    }

    /// A function that is a value may be called by whoever gets it.
    fn function_value(&mut self, module: &Module, operand: Operand) {
        if let Operand::Func(func) = operand {
            self.called_from_elsewhere(module, func);
        }
    }

    fn inst(&mut self, module: &Module, at @ (func, body): (FuncRef, &Function), inst: &Inst) {
        let dst = inst.dst().filter(|dst| body.scalar(*dst) == Scalar::Ref);
        let dst = dst.map(|dst| self.places.local(func, dst));
        match inst {
            Inst::Copy { src, .. } | Inst::Unwrap { src, .. } => self.to(at, dst, *src),
            Inst::GlobalGet { global, .. } => self.edge(self.places.global(*global), dst),
            Inst::GlobalSet { global, src } => self.assign(at, self.places.global(*global), *src),
            Inst::FieldGet { record, field, .. } => self.edge(self.places.field(*record, *field), dst),
            Inst::FieldSet { record, field, src, .. } => self.assign(at, self.places.field(*record, *field), *src),
            Inst::NewRecord { record, fields, .. } => {
                for (field, src) in fields.iter().enumerate() {
                    self.assign(at, self.places.field(*record, field as u32), *src);
                }
                self.allocate(dst, Made::Unknown);
            }
            Inst::Call { func: callee, args, .. } => {
                for (param, arg) in module.function(*callee).params.iter().zip(args) {
                    self.assign(at, self.places.local(*callee, *param), *arg);
                }
                self.edge(self.places.result(*callee), dst);
            }
            Inst::CallIndirect { args, .. } => {
                args.iter().for_each(|arg| self.write(at, *arg));
                self.make(dst, Made::Unknown);
            }
            Inst::Builtin { builtin, args, .. } => {
                match builtin {
                    Builtin::Copy
                    | Builtin::FillInt
                    | Builtin::FillFloat
                    | Builtin::FillBool
                    | Builtin::FillByte
                    | Builtin::FillFunc
                    | Builtin::Sort => self.write(at, args[0]),
                    Builtin::FillRef => {
                        self.write(at, args[0]);
                        self.store_in(at, self.place(at, args[0]), args[1]);
                    }
                    _ => {}
                }
                self.make(dst, Made::Unknown);
            }
            Inst::NewArray { elem, len, fill, .. } => {
                if *elem == Elem::Ref {
                    self.store_in(at, dst, *fill);
                }
                let made = match len {
                    Operand::Int(length) => Made::Array(*length, None),
                    _ => Made::Unknown,
                };
                self.allocate(dst, made);
            }
            Inst::ArrayOf { elem, items, .. } => {
                if *elem == Elem::Ref {
                    items.iter().for_each(|item| self.store_in(at, dst, *item));
                }
                let literal = dst.and_then(|dst| self.literal(dst, *elem, items));
                self.allocate(dst, Made::Array(items.len() as i64, literal));
            }
            Inst::ElemSet { elem, array, src, .. } => {
                self.write(at, *array);
                if *elem == Elem::Ref {
                    self.store_in(at, self.place(at, *array), *src);
                }
            }
            Inst::ElemGet { array, .. } => match self.place(at, *array).and_then(|array| self.classes.element(array)) {
                Some(element) => self.edge(element, dst),
                None => self.make(dst, Made::Unknown),
            },
            Inst::CatchMessage { .. } => self.make(dst, Made::Unknown),
            Inst::Select { then, otherwise, .. } => {
                [then, otherwise].into_iter().for_each(|src| self.to(at, dst, *src));
            }
            Inst::Unary { .. } | Inst::Binary { .. } | Inst::Load { .. } | Inst::Store { .. } | Inst::Len { .. } => {}
        }
    }

    /// A literal, if it is one of constants.
    fn literal(&mut self, at: usize, elem: Elem, items: &[Operand]) -> Option<usize> {
        let item = |item: &Operand| match (elem, *item) {
            (Elem::Int, constant @ Operand::Int(_))
            | (Elem::Float, constant @ Operand::Float(_))
            | (Elem::Bool, constant @ Operand::Bool(_)) => Some(constant),
            (Elem::Byte, Operand::Int(value)) => Some(Operand::Int(value & 0xff)),
            _ => None,
        };
        if items.len() > LARGEST {
            return None;
        }
        let items: Option<Vec<Operand>> = items.iter().map(item).collect();
        self.literals.push(Literal { at, table: Arc::new(Table { elem, items: items? }) });
        Some(self.literals.len() - 1)
    }

    /// The place that an operand is.
    fn place(&self, (func, body): (FuncRef, &Function), operand: Operand) -> Option<usize> {
        match operand {
            Operand::Local(local) if body.scalar(local) == Scalar::Ref => Some(self.places.local(func, local)),
            _ => None,
        }
    }

    /// An operand gets to be an element of the arrays that a place holds. Whoever finds it elsewhere may write to it.
    fn store_in(&mut self, at: (FuncRef, &Function), array: Option<usize>, operand: Operand) {
        match array.and_then(|array| self.classes.element(array)) {
            Some(element) => self.assign(at, element, operand),
            None => self.write(at, operand),
        }
    }

    /// An operand gets to a place.
    fn assign(&mut self, (func, body): (FuncRef, &Function), to: usize, operand: Operand) {
        match operand {
            Operand::Local(local) if body.scalar(local) == Scalar::Ref => {
                self.edges.push((self.places.local(func, local), to));
            }
            Operand::Str(_) => self.make(Some(to), Made::Unknown),
            // Nobody asks `none` for its length.
            Operand::NoneRef
            | Operand::Local(_)
            | Operand::Int(_)
            | Operand::Float(_)
            | Operand::Bool(_)
            | Operand::Func(_)
            | Operand::NoneFunc => {}
        }
    }

    fn to(&mut self, at: (FuncRef, &Function), to: Option<usize>, operand: Operand) {
        if let Some(to) = to {
            self.assign(at, to, operand);
        }
    }

    fn edge(&mut self, from: usize, to: Option<usize>) {
        self.edges.extend(to.map(|to| (from, to)));
    }

    fn make(&mut self, at: Option<usize>, made: Made) {
        self.made.extend(at.map(|at| (at, made)));
        self.allocated.extend(at.map(|at| (at, None)));
    }

    /// As [`Self::make`], where the object is a new one.
    fn allocate(&mut self, at: Option<usize>, made: Made) {
        self.made.extend(at.map(|at| (at, made)));
        self.allocated.extend(at.map(|at| (at, Some(self.allocations))));
        self.allocations += 1;
    }

    /// Notes that an operand refers to something that is written, now or by somebody who finds it later.
    fn write(&mut self, at: (FuncRef, &Function), operand: Operand) {
        self.written.extend(self.place(at, operand));
    }
}

impl Made {
    /// The strongest that holds of both.
    fn meet(self, other: Made) -> Made {
        match (self, other) {
            (Made::Array(a, one), Made::Array(b, another)) if a == b => Made::Array(a, one.filter(|_| one == another)),
            _ => Made::Unknown,
        }
    }
}

/// Adds sites to a place's. Returns true if these are more, or unknown, now.
fn join(known: &mut Option<AllocationSites>, more: Option<&AllocationSites>) -> bool {
    let Some(sites) = known else { return false };
    let Some(joined) = more.and_then(|more| sites.joined(more)) else {
        *known = None;
        return true;
    };
    let has_grown = joined != *sites;
    *sites = joined;
    has_grown
}

/// Edges by where they begin.
struct Adjacent {
    first: Vec<usize>,
    targets: Vec<usize>,
}

fn adjacent(places: usize, edges: impl Iterator<Item = (usize, usize)> + Clone) -> Adjacent {
    let mut first = vec![0; places + 1];
    edges.clone().for_each(|(from, _)| first[from + 1] += 1);
    (0..places).for_each(|at| first[at + 1] += first[at]);
    let mut next = first.clone();
    let mut targets = vec![0; first[places]];
    for (from, to) in edges {
        targets[next[from]] = to;
        next[from] += 1;
    }
    Adjacent { first, targets }
}
