//! Ranges of the integers that a program keeps: in the arrays of each class, in globals and fields, and of those that
//! functions return.
//!
//! In: a module, its places and the classes of its references. Out: for each such place a range that holds whatever is
//! ever stored there. Everything that is stored is evaluated by the ranges found so far, beginning with none, until
//! nothing changes any more; ends that keep moving jump on to the next size of number [CC77]. Within a function, a
//! local has the hull of all that is assigned to it; parameters and counters may be anything. Invariant: in the end
//! each store is within the range of its place.
//!
//! [CC77] P. Cousot, R. Cousot, "Abstract Interpretation: A Unified Lattice Model", POPL 1977.

use super::classes::Classes;
use super::places::Places;
use crate::range::{ANY, BOOL, Range, binary, is_bounded, of_access, unary};
use crate::settings::arrays::{MAX_DEPTH, MAX_ROUNDS};
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::{
    self, Builtin, Elem, FuncRef, Function, Inst, Local, Module, Operand, RecordRef, Scalar, Terminator,
};
use smallvec::SmallVec;

/// The sizes of numbers: bytes, halves and words, and all that are not negative.
const SIZES: [i64; 4] = [u8::MAX as i64, u16::MAX as i64, u32::MAX as i64, i64::MAX];

/// Finds them, by place; arrays by the place of their class.
pub(super) fn numbers(module: &Module, places: &Places, classes: &Classes) -> Vec<Option<Range>> {
    let mut stores: Vec<(FuncRef, usize, Operand)> = Vec::new();
    for (func, decl) in module.funcs.iter() {
        let mut found = Stores { module, places, classes, func, body: &decl.body, found: &mut stores };
        found.function();
    }
    let mut known: Vec<Option<Range>> = vec![None; classes.count()];
    // A global is 0 before its statement.
    let is_number = |global: &ir::Global| module.scalar(module.globals[*global].ty) == Scalar::Int;
    for global in module.globals.keys().filter(is_number) {
        known[places.global(global)] = Some(Range::just(0));
    }
    for round in 0..MAX_ROUNDS {
        let mut evaluating: Option<Evaluation<'_>> = None;
        let mut changed = false;
        for (func, to, value) in &stores {
            if known[*to] == Some(ANY) {
                continue;
            }
            let of = match value {
                Operand::Int(value) => Some(Range::just(*value)),
                _ => {
                    let body = &module.funcs[*func].body;
                    let here = evaluating.take().filter(|evaluation| evaluation.func == *func);
                    let evaluation = evaluating.insert(here.unwrap_or_else(|| Evaluation::of(*func, body)));
                    evaluation.operand(&Known { places, classes, known: &known }, *value, 0)
                }
            };
            let wider = of.map(|of| known[*to].map_or(of, |before| before.hull(of)));
            if wider.is_some() && wider != known[*to] {
                known[*to] = if round < 2 { wider } else { wider.map(|wider| widened(known[*to], wider)) };
                // What was evaluated of the function by what was known before is looked at again in the next round.
                changed = true;
            }
        }
        if !changed {
            return known;
        }
    }
    vec![None; classes.count()]
}

/// The range with the ends that moved at the next size.
fn widened(before: Option<Range>, wider: Range) -> Range {
    let Some(before) = before else { return wider };
    let least = match wider.least {
        least if least == before.least => least,
        0.. => 0,
        _ => i64::MIN,
    };
    let most = match wider.most == before.most {
        true => wider.most,
        false => SIZES.into_iter().find(|size| *size >= wider.most).unwrap_or(i64::MAX),
    };
    Range { least, most }
}

/// Finds what a function stores.
struct Stores<'a> {
    module: &'a Module,
    places: &'a Places,
    classes: &'a Classes,
    func: FuncRef,
    body: &'a Function,
    found: &'a mut Vec<(FuncRef, usize, Operand)>,
}

impl Stores<'_> {
    fn function(&mut self) {
        for data in self.body.blocks.values() {
            data.insts.iter().for_each(|inst| self.inst(inst));
            if let Terminator::Return(Some(value)) = data.term {
                self.number(self.places.result(self.func), value);
            }
        }
    }

    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::GlobalSet { global, src } => self.number(self.places.global(*global), *src),
            Inst::FieldSet { record, field, src, .. } => self.field((*record, *field), *src),
            Inst::NewRecord { record, fields, .. } => {
                for (field, src) in fields.iter().enumerate() {
                    self.field((*record, field as u32), *src);
                }
            }
            Inst::NewArray { dst, elem: Elem::Int, fill, .. } => self.element(Operand::Local(*dst), *fill),
            Inst::ArrayOf { dst, elem: Elem::Int, items } => {
                items.iter().for_each(|item| self.element(Operand::Local(*dst), *item));
            }
            Inst::ElemSet { elem: Elem::Int, array, src, .. } => self.element(*array, *src),
            Inst::Builtin { builtin: Builtin::FillInt, args, .. } => self.element(args[0], args[1]),
            Inst::NewArray { .. }
            | Inst::ArrayOf { .. }
            | Inst::ElemSet { .. }
            | Inst::Builtin { .. }
            | Inst::Copy { .. }
            | Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::Select { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::GlobalGet { .. }
            | Inst::Call { .. }
            | Inst::CallIndirect { .. }
            | Inst::FieldGet { .. }
            | Inst::ElemGet { .. }
            | Inst::Len { .. }
            | Inst::Unwrap { .. }
            | Inst::CatchMessage { .. } => {}
        }
    }

    fn element(&mut self, array: Operand, value: Operand) {
        if let Operand::Local(array) = array {
            self.found.push((self.func, self.classes.class(self.places.local(self.func, array)), value));
        }
    }

    /// A byte keeps the low bits of what is stored there.
    fn field(&mut self, (record, field): (RecordRef, u32), value: Operand) {
        let to = self.places.field(record, field);
        match self.module.field_elem(record, field) {
            Elem::Byte => {
                let ends = [0, i64::from(u8::MAX)];
                self.found.extend(ends.map(|end| (self.func, to, Operand::Int(end))));
            }
            _ => self.number(to, value),
        }
    }

    fn number(&mut self, to: usize, value: Operand) {
        if self.body.operand_scalar(value) == Scalar::Int {
            self.found.push((self.func, to, value));
        }
    }
}

/// The ranges found so far.
struct Known<'a> {
    places: &'a Places,
    classes: &'a Classes,
    known: &'a [Option<Range>],
}

/// A local of a function while it is evaluated.
#[derive(Clone, Copy, Default)]
enum Found {
    #[default]
    New,
    /// Being evaluated: it may be made of itself.
    Entered,
    Is(Option<Range>),
}

/// The ranges of the locals of a function.
struct Evaluation<'a> {
    func: FuncRef,
    body: &'a Function,
    /// The instructions that assign to each.
    assigned: SecondaryMap<Local, SmallVec<[&'a Inst; 1]>>,
    found: SecondaryMap<Local, Found>,
}

impl<'a> Evaluation<'a> {
    fn of(func: FuncRef, body: &'a Function) -> Evaluation<'a> {
        let mut assigned: SecondaryMap<Local, SmallVec<[&'a Inst; 1]>> = SecondaryMap::new();
        for inst in body.blocks.values().flat_map(|data| &data.insts) {
            if let Some(dst) = inst.dst().filter(|dst| matches!(body.scalar(*dst), Scalar::Int | Scalar::Bool)) {
                assigned[dst].push(inst);
            }
        }
        Evaluation { func, body, assigned, found: SecondaryMap::new() }
    }

    /// The range of an operand; none if nothing gets there as far as is known.
    fn operand(&mut self, known: &Known<'_>, operand: Operand, depth: u32) -> Option<Range> {
        match operand {
            Operand::Int(value) => Some(Range::just(value)),
            Operand::Bool(value) => Some(Range::just(i64::from(value))),
            Operand::Local(local) => self.local(known, local, depth),
            Operand::Float(_) | Operand::Str(_) | Operand::Func(_) | Operand::NoneRef | Operand::NoneFunc => Some(ANY),
        }
    }

    fn local(&mut self, known: &Known<'_>, local: Local, depth: u32) -> Option<Range> {
        let any = if self.body.scalar(local) == Scalar::Bool { BOOL } else { ANY };
        match self.found[local] {
            Found::Is(range) => return range,
            Found::Entered => return Some(any),
            Found::New => {}
        }
        if depth == MAX_DEPTH || self.body.params.contains(&local) || self.assigned[local].is_empty() {
            return Some(any);
        }
        self.found[local] = Found::Entered;
        let mut hull: Option<Range> = None;
        for inst in self.assigned[local].clone() {
            if let Some(range) = self.inst(known, inst, depth + 1) {
                hull = Some(hull.map_or(range, |hull| hull.hull(range)));
            }
        }
        self.found[local] = Found::Is(hull);
        hull
    }

    /// The range of what an instruction assigns.
    fn inst(&mut self, known: &Known<'_>, inst: &Inst, depth: u32) -> Option<Range> {
        let Known { places, classes, known: ranges } = known;
        match inst {
            Inst::Copy { src, .. } => self.operand(known, *src, depth),
            Inst::Unary { op, src, .. } => Some(unary(*op, self.operand(known, *src, depth)?)),
            Inst::Binary { op, lhs, rhs, .. } if is_bounded(*op) => {
                let (x, y) = (self.operand(known, *lhs, depth)?, self.operand(known, *rhs, depth)?);
                Some(binary(*op, x, y))
            }
            Inst::Binary { op, .. } => Some(if op.result() == Scalar::Bool { BOOL } else { ANY }),
            Inst::Select { then, otherwise, .. } => {
                let (x, y) = (self.operand(known, *then, depth), self.operand(known, *otherwise, depth));
                match (x, y) {
                    (Some(x), Some(y)) => Some(x.hull(y)),
                    (one, other) => one.or(other),
                }
            }
            Inst::Load { access, .. } => Some(of_access(*access)),
            Inst::GlobalGet { dst, global } if self.body.scalar(*dst) == Scalar::Int => ranges[places.global(*global)],
            Inst::FieldGet { dst, record, field, .. } if self.body.scalar(*dst) == Scalar::Int => {
                ranges[places.field(*record, *field)]
            }
            Inst::ElemGet { elem: Elem::Byte | Elem::Char, .. } => Some(Range::up_to(i64::from(u8::MAX))),
            Inst::ElemGet { elem: Elem::Int, array: Operand::Local(array), .. } => {
                let array = places.local(self.func, *array);
                if classes.is_from_elsewhere(array) { Some(ANY) } else { ranges[classes.class(array)] }
            }
            Inst::Len { .. } => Some(Range::up_to(i64::MAX)),
            Inst::Call { func, dst: Some(dst), .. } if self.body.scalar(*dst) == Scalar::Int => {
                ranges[places.result(*func)]
            }
            Inst::ElemGet { .. }
            | Inst::GlobalGet { .. }
            | Inst::FieldGet { .. }
            | Inst::Call { .. }
            | Inst::CallIndirect { .. }
            | Inst::Builtin { .. }
            | Inst::Unwrap { .. }
            | Inst::NewRecord { .. }
            | Inst::Store { .. }
            | Inst::NewArray { .. }
            | Inst::ArrayOf { .. }
            | Inst::GlobalSet { .. }
            | Inst::FieldSet { .. }
            | Inst::ElemSet { .. }
            | Inst::CatchMessage { .. } => {
                Some(inst.dst().map_or(ANY, |dst| if self.body.scalar(dst) == Scalar::Bool { BOOL } else { ANY }))
            }
        }
    }
}
