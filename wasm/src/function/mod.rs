//! From the operators of one function to blocks of the IR.
//!
//! In: the body of a valid function. Out: the same in IR form. Each file lowers the operators of its topic, and says which they are by
//! returning whether it knew one. Invariants: code that nothing reaches is not lowered, so that there is always a block to
//! append to; every operand on the stack is a constant, a local of the program, or the slot of its depth ([`stack`]).

mod arith;
mod branch;
mod call;
mod control;
mod convert;
mod divide;
mod float32;
mod float64;
mod frame;
pub(crate) mod import;
mod initialized;
pub(crate) mod instantiate;
mod int32;
mod int64;
mod locals;
mod memory;
mod slots;
mod stack;
mod table;
mod truncate;
mod variable;

use crate::budget::Budget;
use crate::environment::Environment;
use crate::names::Names;
use crate::places::Places;
use crate::sections::VALID;
use frame::Frame;
use holloway_ir::{Block, Function, FunctionBuilder, FunctionKind, Inst, Local, Operand, Scalar};
use initialized::Initialized;
use locals::Locals;
use slots::Stack;
use wasmparser::{FunctionBody, Operator};

/// A function that is being lowered.
struct Lowering<'a> {
    env: &'a Environment,
    names: &'a Names,
    budget: &'a mut Budget,
    /// The index of the function.
    index: u32,
    builder: FunctionBuilder,
    stack: Stack,
    frames: Vec<Frame>,
    /// Constructs that were opened in code that nothing reaches; none in code that something reaches.
    skipped: Option<usize>,
    locals: Locals,
    initialized: Initialized,
    /// The blocks in the order of the code.
    order: Vec<Block>,
}

/// The body of the function of that index; none if lists of values become too much.
pub(crate) fn body(
    env: &Environment,
    index: u32,
    code: &FunctionBody<'_>,
    names: &Names,
    places: &Places,
    budget: &mut Budget,
) -> Option<Function> {
    let mut places = places.function(index, code.range());
    let ty = env.type_of(index);
    budget.spend(ty.params.len());
    let name = names.functions[index as usize].clone();
    let result = ty.results.first().map(|ty| ty.scalar());
    let mut builder = FunctionBuilder::new(name, FunctionKind::Declared, places.present(), result);
    for (at, ty) in ty.params.iter().enumerate() {
        builder.param(ty.scalar(), Some(names.local(index, at as u32)));
    }
    let entry = builder.current();
    let mut lowering = Lowering {
        env,
        names,
        budget,
        index,
        builder,
        stack: Stack::default(),
        frames: vec![Frame::of_function(ty)],
        skipped: None,
        locals: Locals::new(ty, code),
        initialized: Initialized::new(ty.params.len()),
        order: vec![entry],
    };
    let operators = code.get_operators_reader().expect(VALID).into_iter_with_offsets();
    for (operator, offset) in operators.map(|operator| operator.expect(VALID)) {
        lowering.builder.set_span(places.at(offset));
        lowering.operator(&operator);
        if lowering.budget.is_exceeded() {
            return None;
        }
    }
    Some(lowering.finish())
}

impl Lowering<'_> {
    fn operator(&mut self, op: &Operator<'_>) {
        if self.skipped.is_some() {
            return self.skip(op);
        }
        self.stack.begin_operator();
        let is_known = self.variable(op)
            || self.int32(op)
            || self.memory(op)
            || self.control(op)
            || self.call(op)
            || self.int64(op)
            || self.float64(op)
            || self.float32(op)
            || self.convert(op)
            || self.table(op);
        assert!(is_known, "the validator takes no {op:?}");
    }

    fn finish(mut self) -> Function {
        let zero = |local: Local, scalar| match scalar {
            Scalar::Float => Inst::Copy { dst: local, src: Operand::Float(0) },
            _ => Inst::Copy { dst: local, src: Operand::Int(0) },
        };
        let missed: Vec<Local> = self.initialized.missed().collect();
        let zeros = missed.into_iter().map(|local| zero(local, self.builder.operand_scalar(Operand::Local(local))));
        let zeros = zeros.collect();
        self.builder.begin_with(zeros);
        self.builder.finish_in(&self.order)
    }

    /// A new block, which [`Lowering::begin`] puts in its place.
    fn block(&mut self) -> Block {
        self.builder.new_block(None)
    }

    /// Continues in a block, behind all that were begun before.
    fn begin(&mut self, block: Block) {
        self.order.push(block);
        self.builder.switch_to(block);
    }

    /// The local of that index in the program, made when it is named first.
    fn local(&mut self, index: u32) -> Local {
        if let Some(local) = self.locals.get(index) {
            return local;
        }
        let local = self.builder.local(self.locals.declared(index), Some(self.names.local(self.index, index)));
        self.locals.add(index, local);
        local
    }
}
