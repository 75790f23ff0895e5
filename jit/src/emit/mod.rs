//! CLIF for the language's operations, on CLIF values: what the translator of IR and that of SSA share.
//!
//! In: operands as values, the addresses of the runtime, and the handler of failures here. Out: instructions appended at
//! the builder's position, which may move to a new block where an operation can fail.

pub(crate) mod arith;
pub(crate) mod burst;
mod call;
mod division;
mod fail;
mod in_place;
pub(crate) mod linear;
pub(crate) mod marks;
mod memory;
mod pack;
mod poll;
mod probe;
pub(crate) mod run;
mod steps;
mod str_eq;
mod sunk;
mod tally;
mod transfer;

use crate::arch;
use crate::request::Env;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_frontend::FunctionBuilder;
use hashbrown::HashMap;
use holloway_lang::ir::{Operand, RecordRef, Scalar};

/// Appends instructions to a CLIF function.
pub(crate) struct Emitter<'a> {
    pub(crate) env: &'a Env,
    pub(crate) builder: FunctionBuilder<'a>,
    /// The handler of failures in this function.
    pub(crate) handler: Option<clif::Block>,
    /// The position of cold code in the order that register allocation sees.
    pub(crate) rare: Rare,
    /// The pending state for the unwinder, should the next call fail: offsets into a stack slot, with values.
    pub(crate) pending: Vec<(clif::StackSlot, i32, clif::Value)>,
    /// Stores that are made behind the loop, or should something here fail or poll.
    pub(crate) sunk: Vec<(FieldPlace, clif::Value)>,
    /// Those of the function's calls: most calls of a function have one of a few.
    signatures: HashMap<Signature, clif::SigRef>,
    /// The callee of polls in place.
    poll: Option<clif::FuncRef>,
}

/// The place of cold blocks in the order in which Cranelift allocates registers; in the code they come last in any case.
/// Cranelift follows the second target of a branch before the first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rare {
    /// Behind all others: registers go to what is executed first.
    Last,
    /// Right behind their branches: single-pass allocation looks at every live value at every block, and what a check leaves
    /// to its cold block would be live in all blocks between.
    Behind,
}

/// A field of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldPlace {
    pub(crate) object: clif::Value,
    pub(crate) record: RecordRef,
    pub(crate) field: u32,
}

/// The iterations of a loop that has one path: the id of the first, that of every other one, and how many there were.
pub(crate) type Iterations = [clif::Value; 3];

/// The CLIF type of a scalar.
pub(crate) fn clif_type(scalar: Scalar) -> clif::Type {
    match scalar {
        Scalar::Int | Scalar::Ref | Scalar::Func => types::I64,
        Scalar::Float => types::F64,
        Scalar::Bool => types::I8,
    }
}

/// The signature of Holloway functions. `Tail` keeps callee-saved registers over plain calls, while
/// a `try_call` of it expects none, so that unwinding restores only stack and frame pointer.
pub(crate) fn signature(params: impl Iterator<Item = Scalar>, result: Option<Scalar>) -> Signature {
    let mut signature = Signature::new(arch::COMPILED);
    signature.params = params.map(|scalar| AbiParam::new(clif_type(scalar))).collect();
    signature.returns = result.iter().map(|scalar| AbiParam::new(clif_type(*scalar))).collect();
    signature
}

/// Flags of an access that neither traps nor is misaligned.
pub(crate) fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

impl<'a> Emitter<'a> {
    /// Begins with nothing pending and no handler.
    pub(crate) fn new(env: &'a Env, builder: FunctionBuilder<'a>, rare: Rare) -> Emitter<'a> {
        let (pending, sunk, signatures) = (Vec::new(), Vec::new(), HashMap::new());
        Emitter { env, builder, handler: None, rare, pending, sunk, signatures, poll: None }
    }

    /// The signature, which Cranelift would work out anew for each call that brings one of its own.
    fn import(&mut self, signature: Signature) -> clif::SigRef {
        let Emitter { signatures, builder, .. } = self;
        *signatures.entry(signature).or_insert_with_key(|signature| builder.import_signature(signature.clone()))
    }

    /// A constant, in a register.
    pub(crate) fn constant(&mut self, operand: Operand) -> clif::Value {
        match operand {
            Operand::Local(local) => unreachable!("{local} is no constant"),
            Operand::Int(value) => self.int(value),
            Operand::Float(bits) => self.builder.ins().f64const(f64::from_bits(bits)),
            Operand::Bool(value) => self.builder.ins().iconst(types::I8, i64::from(value)),
            Operand::Str(id) => self.address(self.env.string(id)),
            Operand::Func(func) => self.int(i64::from(func.as_u32()) + 1),
            Operand::NoneRef | Operand::NoneFunc => self.int(0),
        }
    }

    /// An integer constant, in a register.
    pub(crate) fn int(&mut self, value: i64) -> clif::Value {
        self.builder.ins().iconst(types::I64, value)
    }

    /// An address, in a register.
    pub(crate) fn address(&mut self, address: usize) -> clif::Value {
        self.int(address as i64)
    }

    /// Loads from an absolute address plus an offset.
    pub(crate) fn load_at(&mut self, ty: clif::Type, address: usize, offset: i32) -> clif::Value {
        let base = self.address(address);
        self.builder.ins().load(ty, trusted(), base, offset)
    }

    /// Stores to an absolute address plus an offset.
    pub(crate) fn store_at(&mut self, value: clif::Value, address: usize, offset: i32) {
        let base = self.address(address);
        self.builder.ins().store(trusted(), value, base, offset);
    }

    /// Adds 1 to the word at an absolute address.
    pub(crate) fn increment(&mut self, address: usize) {
        let (base, one) = (self.address(address), self.int(1));
        self.add_to_word(base, 0, one);
    }

    /// Adds to a word of memory.
    fn add_to_word(&mut self, base: clif::Value, offset: i32, many: clif::Value) {
        let count = self.builder.ins().load(types::I64, trusted(), base, offset);
        let count = self.builder.ins().iadd(count, many);
        self.builder.ins().store(trusted(), count, base, offset);
    }

    /// Ends the block with a comparison that hardly ever holds. What follows goes to a cold block, where control goes if
    /// it does hold; gives the block where control goes otherwise.
    pub(crate) fn rarely(&mut self, cc: IntCC, x: clif::Value, y: clif::Value) -> clif::Block {
        let (cold, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(cold);
        match self.rare {
            Rare::Last => {
                let holds = self.builder.ins().icmp(cc, x, y);
                self.builder.ins().brif(holds, cold, [], next, []);
            }
            Rare::Behind => {
                let usual = self.builder.ins().icmp(cc.complement(), x, y);
                self.builder.ins().brif(usual, next, [], cold, []);
            }
        }
        self.builder.switch_to_block(cold);
        next
    }

    /// Ends a block behind a call that does not return.
    pub(crate) fn unreachable(&mut self) {
        self.builder.ins().trap(clif::TrapCode::unwrap_user(1));
    }
}
