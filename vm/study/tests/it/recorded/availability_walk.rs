//! Availability of expressions by a walk over the whole execution, for comparison.
//!
//! In: the interpreter's events. Out: for each of some statements how often it was executed, and how often its value was available.
//!
//! Every open activation has a state for each expression: available or not, and the address that it was loaded from. Each
//! executed instruction changes all of them.

use holloway_interp::{InstPlace, Observer, Operands};
use holloway_jit::abi::Shape;
use holloway_lang::ir::{Block, Builtin, FuncRef, Inst, Module};
use holloway_study::trace::facts::expressions::{Expression, ReadSet};
use holloway_study::trace::facts::locations::class_of_elements;
use std::collections::HashMap;
use std::ops::Range;

/// An expression of a function, and the counts of the statement that asks for it.
pub(super) struct Watched {
    pub(super) func: FuncRef,
    pub(super) block: Block,
    pub(super) index: usize,
    pub(super) expression: Expression,
    pub(super) executions: u64,
    pub(super) holds: u64,
}

/// The state of an expression in an activation: none, or available with the location that it was loaded from.
type State = Option<Option<(u64, usize)>>;

pub(super) struct AvailabilityWalk<'a> {
    module: &'a Module,
    pub(super) watched: Vec<Watched>,
    /// The locations that each expression's operands read.
    operands: Vec<ReadSet>,
    frames: Vec<(FuncRef, Vec<State>)>,
    expressions: HashMap<(FuncRef, Block, usize), Option<Expression>>,
    location: Option<(u64, usize)>,
}

impl<'a> AvailabilityWalk<'a> {
    pub(super) fn new(module: &'a Module, watched: Vec<Watched>) -> AvailabilityWalk<'a> {
        let inner = |expression: &Expression| {
            let all = expression.operands().into_iter().map(Expression::reads);
            all.fold(ReadSet::default(), |mut sum, reads| {
                sum.locals.extend(reads.locals);
                sum.globals.extend(reads.globals);
                sum.elements.extend(reads.elements);
                sum.fields.extend(reads.fields);
                sum
            })
        };
        let operands = watched.iter().map(|it| inner(&it.expression)).collect();
        AvailabilityWalk { module, watched, operands, frames: Vec::new(), expressions: HashMap::new(), location: None }
    }

    /// A store to parts of an object, of a kind of elements or of a field.
    fn stored(&mut self, kinds: &[usize], field: Option<(holloway_lang::ir::RecordRef, u32)>, at: (u64, Range<usize>)) {
        for (_, states) in &mut self.frames {
            for (number, state) in states.iter_mut().enumerate() {
                let inner = &self.operands[number];
                let by_alias = kinds.iter().any(|kind| inner.elements.contains(kind))
                    || field.is_some_and(|field| inner.fields.contains(&field));
                let by_address = matches!(state, Some(Some((object, part))) if *object == at.0 && at.1.contains(part));
                if by_alias || by_address {
                    *state = None;
                }
            }
        }
    }
}

impl Observer for AvailabilityWalk<'_> {
    const INSTRUCTIONS: bool = true;

    fn enter(&mut self, func: FuncRef) {
        self.frames.push((func, vec![None; self.watched.len()]));
    }

    fn leave(&mut self, _: FuncRef) {
        self.frames.pop();
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.frames.pop();
    }

    fn inst(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        let (_, states) = self.frames.last().expect("a frame is active");
        for (watched, state) in self.watched.iter_mut().zip(states) {
            if (watched.func, watched.block, watched.index) == (place.func, place.block, place.at) {
                watched.executions += 1;
                watched.holds += u64::from(state.is_some());
            }
        }
        self.location = match inst {
            Inst::ElemGet { array, index, .. } => {
                operands.object(*array).map(|object| (object.address, operands.word(*index) as usize))
            }
            Inst::FieldGet { object, field, .. } => {
                operands.object(*object).map(|object| (object.address, *field as usize))
            }
            _ => None,
        };
    }

    fn returned(&mut self, func: FuncRef, block: Block, number: u32) {
        let insts = &self.module.function(func).blocks[block].insts;
        let call = insts.iter().filter(|inst| inst.is_call()).nth(number as usize).expect("a call returned");
        if let Some(dst) = call.dst() {
            self.assigned(dst);
        }
    }

    fn executed(&mut self, place: InstPlace, inst: &Inst, operands: Operands<'_>) {
        let module = self.module;
        let key = (place.func, place.block, place.at);
        let computed = self
            .expressions
            .entry(key)
            .or_insert_with(|| Expression::of(module.function(place.func), place.block, place.at));
        let depth = self.frames.len();
        for (level, (func, states)) in self.frames.iter_mut().enumerate() {
            for (number, watched) in self.watched.iter().enumerate() {
                let is_own = level + 1 == depth && *func == watched.func;
                let is_same = *func == watched.func && (is_own || self.operands[number].locals.is_empty());
                if is_same && computed.as_ref() == Some(&watched.expression) {
                    states[number] = Some(self.location);
                }
            }
        }
        if let Some(dst) = inst.dst() {
            self.assigned(dst);
        }
        let object = |operand| operands.object(operand).expect("it was written to");
        match inst {
            Inst::GlobalSet { global, .. } => {
                for (_, states) in &mut self.frames {
                    for (number, state) in states.iter_mut().enumerate() {
                        let is_root = self.watched[number].expression == Expression::Global(*global);
                        if is_root || self.operands[number].globals.contains(global) {
                            *state = None;
                        }
                    }
                }
            }
            Inst::FieldSet { object: to, record, field, .. } => {
                let field_number = *field as usize;
                self.stored(&[], Some((*record, *field)), (object(*to).address, field_number..field_number + 1));
            }
            Inst::ElemSet { elem, array, index, .. } => {
                let index = operands.word(*index) as usize;
                self.stored(&[class_of_elements(*elem)], None, (object(*array).address, index..index + 1));
            }
            Inst::Builtin { builtin, args, .. } => {
                let is_fill = matches!(
                    builtin,
                    Builtin::FillInt
                        | Builtin::FillFloat
                        | Builtin::FillBool
                        | Builtin::FillByte
                        | Builtin::FillRef
                        | Builtin::FillFunc
                );
                let range = match builtin {
                    Builtin::Copy => {
                        let start = operands.word(args[1]) as usize;
                        start..start + operands.word(args[4]) as usize
                    }
                    Builtin::Sort => 0..object(args[0]).len,
                    _ if is_fill => 0..object(args[0]).len,
                    _ => return,
                };
                // A copy or a sort may alias elements of every kind.
                let kinds: Vec<usize> = match object(args[0]).shape {
                    Shape::Array(elem) if is_fill => vec![class_of_elements(elem)],
                    _ => (0..6).collect(),
                };
                self.stored(&kinds, None, (object(args[0]).address, range));
            }
            _ => {}
        }
    }
}

impl AvailabilityWalk<'_> {
    /// A local of the innermost activation was assigned.
    fn assigned(&mut self, dst: holloway_lang::ir::Local) {
        let (func, states) = self.frames.last_mut().expect("a frame is active");
        for (number, state) in states.iter_mut().enumerate() {
            if *func == self.watched[number].func && self.operands[number].locals.contains(&dst) {
                *state = None;
            }
        }
    }
}
