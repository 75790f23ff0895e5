//! Availability of expressions by a walk over the whole execution, for comparison.
//!
//! In: the interpreter's events. Out: for each of some statements how often it was executed, and how often its value was available.
//!
//! Every open activation has a state for each expression: available or not, with its value and the address that it was loaded from. Each
//! executed instruction changes all of them. A value that is available is what is computed then.

use holloway_interp::{InstPlace, Observer, Operands};
use holloway_jit::abi::Shape;
use holloway_lang::ir::{Block, Builtin, FuncRef, Inst, Module, Operand};
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

/// Parts of an object, or of the linear memory, which is one without an address.
type Place = (u64, Range<usize>);
/// The state of an expression in an activation: none, or available with its value and the location that it was loaded from.
type State = Option<(u64, Option<Place>)>;

pub(super) struct AvailabilityWalk<'a> {
    module: &'a Module,
    pub(super) watched: Vec<Watched>,
    /// The locations that each expression's operands read.
    operands: Vec<ReadSet>,
    frames: Vec<(FuncRef, Vec<State>)>,
    expressions: HashMap<(FuncRef, Block, usize), Option<Expression>>,
    location: Option<Place>,
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
                sum.bytes |= reads.bytes;
                sum
            })
        };
        let operands = watched.iter().map(|it| inner(&it.expression)).collect();
        AvailabilityWalk { module, watched, operands, frames: Vec::new(), expressions: HashMap::new(), location: None }
    }

    /// A store to parts of an object, of a kind of elements or of a field.
    fn stored(&mut self, kinds: &[usize], field: Option<(holloway_lang::ir::RecordRef, u32)>, at: Place) {
        for (_, states) in &mut self.frames {
            for (number, state) in states.iter_mut().enumerate() {
                let inner = &self.operands[number];
                let by_alias = kinds.iter().any(|kind| inner.elements.contains(kind))
                    || field.is_some_and(|field| inner.fields.contains(&field));
                let by_address = matches!(state, Some((_, Some(place))) if meet(place, &at));
                if by_alias || by_address {
                    *state = None;
                }
            }
        }
    }

    /// A store to bytes of the linear memory.
    fn stored_bytes(&mut self, start: u64, count: u64) {
        let at = (0, start as usize..(start + count) as usize);
        for (_, states) in &mut self.frames {
            for (number, state) in states.iter_mut().enumerate() {
                let by_address = matches!(state, Some((_, Some(place))) if meet(place, &at));
                if self.operands[number].bytes || by_address {
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
                let at = operands.word(*index) as usize;
                operands.object(*array).map(|object| (object.address, at..at.saturating_add(1)))
            }
            Inst::FieldGet { object, field, .. } => {
                let at = *field as usize;
                operands.object(*object).map(|object| (object.address, at..at + 1))
            }
            Inst::Load { access, address, offset, .. } => {
                let start = (operands.word(*address) + u64::from(*offset)) as usize;
                Some((0, start..start + access.size() as usize))
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
        let computed =
            self.expressions.entry(key).or_insert_with(|| Expression::of(module, place.func, place.block, place.at));
        let depth = self.frames.len();
        for (level, (func, states)) in self.frames.iter_mut().enumerate() {
            for (number, watched) in self.watched.iter().enumerate() {
                let is_own = level + 1 == depth && *func == watched.func;
                let is_same = *func == watched.func && (is_own || self.operands[number].locals.is_empty());
                if is_same && computed.as_ref() == Some(&watched.expression) {
                    let value = inst.dst().map_or(0, |dst| operands.word(Operand::Local(dst)));
                    if let (Some((known, _)), true) = (&states[number], is_own) {
                        assert_eq!(*known, value, "{:?} has another value", watched.expression);
                    }
                    states[number] = Some((value, self.location.clone()));
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
            Inst::Store { access, address, offset, .. } => {
                self.stored_bytes(operands.word(*address) + u64::from(*offset), access.size());
            }
            Inst::Builtin { builtin: Builtin::MemoryFill | Builtin::MemoryCopy, args, .. } => {
                self.stored_bytes(operands.word(args[0]), operands.word(args[2]));
            }
            Inst::Builtin { builtin: Builtin::MemoryInit, args, .. } => {
                self.stored_bytes(operands.word(args[1]), operands.word(args[3]));
            }
            // Nothing has read the bytes that it adds.
            Inst::Builtin { builtin: Builtin::MemoryGrow, .. } => self.stored_bytes(u64::from(u32::MAX), 0),
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

fn meet(one: &Place, other: &Place) -> bool {
    one.0 == other.0 && one.1.start.max(other.1.start) < one.1.end.min(other.1.end)
}
