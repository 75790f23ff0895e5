//! IR to CLIF. In: a function body, the probes it carries and the addresses of the runtime. Out: a
//! CLIF function and the table of sites that its source locations index.
//!
//! The shape of the code: a prologue that stores the parameters and polls; one CLIF block (or a chain,
//! where an instruction can fail) for each IR block; a block of its own for each edge that carries a
//! probe or, being a back edge, a poll; cold blocks that raise failures.
//! Invariant: the source location of every CLIF instruction is the index of its IR instruction's site.

mod arith;
mod call;
mod control;
mod fail;
mod frame;
mod memory;
mod probe;

pub use probe::{Probe, Probes};

use crate::backend;
use crate::code_map::Site;
use crate::compile::{Env, Request};
use crate::tier::Tier;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_entity::EntityRef;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use frame::Frame;
use holloway_lang::ir::{Block, Cfg, Dominators, FuncRef, Function, Inst, Loops, Operand, Scalar};

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
    let mut signature = Signature::new(CallConv::Tail);
    signature.params = params.map(|scalar| AbiParam::new(clif_type(scalar))).collect();
    signature.returns = result.iter().map(|scalar| AbiParam::new(clif_type(*scalar))).collect();
    signature
}

/// Translates the requested function for a tier, which need not be the requested one.
pub(crate) fn translate(env: &Env, request: &Request, tier: Tier) -> (clif::Function, Vec<Site>) {
    let body = &*request.body;
    let params = body.params.iter().map(|param| body.scalar(*param));
    let name = clif::UserFuncName::user(0, request.func.as_u32());
    let mut func = clif::Function::with_name_signature(name, signature(params, body.result));
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut func, &mut context);
    let mut translator = Translator::new(env, request, tier, builder);
    translator.prologue();
    for block in body.blocks.keys() {
        translator.block(block);
    }
    let sites = translator.sites.table(request.func, body);
    translator.builder.seal_all_blocks();
    translator.builder.finalize(backend::isa(tier).frontend_config());
    (func, sites)
}

/// Numbers the instructions of a function, terminators included.
struct Sites {
    first_of_block: Vec<u32>,
}

impl Sites {
    fn new(body: &Function) -> Sites {
        let first = |next: &mut u32, len: usize| {
            let first = *next;
            *next += len as u32 + 1;
            Some(first)
        };
        let lens = body.blocks.values().map(|data| data.insts.len());
        Sites { first_of_block: lens.scan(0, first).collect() }
    }

    fn of(&self, block: Block, inst: usize) -> u32 {
        self.first_of_block[block.index()] + inst as u32
    }

    fn table(&self, func: FuncRef, body: &Function) -> Vec<Site> {
        let mut table = Vec::with_capacity(body.size());
        for (block, data) in body.blocks.iter() {
            let spans = data.spans.iter().chain(std::iter::once(&data.term_span));
            table.extend(spans.map(|span| Site { func, block, span: *span, inlined_at: None }));
        }
        table
    }
}

/// The state of one translation.
struct Translator<'a> {
    env: &'a Env,
    body: &'a Function,
    tier: Tier,
    probes: &'a Probes,
    builder: FunctionBuilder<'a>,
    loops: Loops,
    sites: Sites,
    frame: Frame,
    /// The CLIF block in which each IR block starts.
    blocks: Vec<clif::Block>,
    /// Where failures of the present block go on in this function.
    handler: Option<clif::Block>,
}

impl<'a> Translator<'a> {
    fn new(env: &'a Env, request: &'a Request, tier: Tier, mut builder: FunctionBuilder<'a>) -> Self {
        let body = &*request.body;
        let cfg = Cfg::compute(body);
        let loops = Loops::compute(&cfg, &Dominators::compute(&cfg));
        let blocks = body.blocks.keys().map(|_| builder.create_block()).collect();
        let frame = Frame::new(body, tier, &mut builder);
        let sites = Sites::new(body);
        Translator { env, body, tier, probes: &request.probes, builder, loops, sites, frame, blocks, handler: None }
    }

    fn prologue(&mut self) {
        let entry = self.builder.create_block();
        self.builder.append_block_params_for_function_params(entry);
        self.builder.switch_to_block(entry);
        self.at_site(self.body.entry(), 0);
        for (at, param) in self.body.params.iter().enumerate() {
            let value = self.builder.block_params(entry)[at];
            self.set(*param, value);
        }
        self.poll_at_entry();
        self.probes_at_entry();
        let first = self.blocks[self.body.entry().index()];
        self.builder.ins().jump(first, []);
    }

    fn block(&mut self, block: Block) {
        let data = &self.body.blocks[block];
        self.builder.switch_to_block(self.blocks[block.index()]);
        self.handler = data.handler.map(|handler| self.blocks[handler.index()]);
        self.frame.start_block();
        for (at, inst) in data.insts.iter().enumerate() {
            self.at_site(block, at);
            self.inst(inst);
        }
        self.at_site(block, data.insts.len());
        self.terminator(block, &data.term);
    }

    fn at_site(&mut self, block: Block, inst: usize) {
        self.builder.set_srcloc(clif::SourceLoc::new(self.sites.of(block, inst)));
    }

    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Copy { dst, src } => {
                let value = self.operand(*src);
                self.set(*dst, value);
            }
            Inst::Unary { op, dst, src } => {
                let value = self.unary(*op, *src);
                self.set(*dst, value);
            }
            Inst::Binary { op, dst, lhs, rhs } => {
                let value = self.binary(*op, *lhs, *rhs);
                self.set(*dst, value);
            }
            Inst::Call { .. } | Inst::CallIndirect { .. } | Inst::Builtin { .. } => self.call_inst(inst),
            Inst::GlobalGet { .. }
            | Inst::GlobalSet { .. }
            | Inst::NewRecord { .. }
            | Inst::FieldGet { .. }
            | Inst::FieldSet { .. }
            | Inst::NewArray { .. }
            | Inst::ArrayOf { .. }
            | Inst::ElemGet { .. }
            | Inst::ElemSet { .. }
            | Inst::Len { .. }
            | Inst::CatchMessage { .. } => self.memory_inst(inst),
            Inst::Unwrap { dst, src } => {
                let value = self.operand(*src);
                self.fail_unless_some(value);
                self.set(*dst, value);
            }
        }
    }

    /// The value of an operand, in a register.
    fn operand(&mut self, operand: Operand) -> clif::Value {
        match operand {
            Operand::Local(local) => self.get(local),
            Operand::Int(value) => self.int(value),
            Operand::Float(bits) => self.builder.ins().f64const(f64::from_bits(bits)),
            Operand::Bool(value) => self.builder.ins().iconst(types::I8, i64::from(value)),
            Operand::Str(id) => self.address(self.env.string(id)),
            Operand::Func(func) => self.int(i64::from(func.as_u32()) + 1),
            Operand::NoneRef | Operand::NoneFunc => self.int(0),
        }
    }

    fn int(&mut self, value: i64) -> clif::Value {
        self.builder.ins().iconst(types::I64, value)
    }

    fn address(&mut self, address: usize) -> clif::Value {
        self.int(address as i64)
    }
}

/// Flags of an access that neither traps nor is misaligned.
fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}
