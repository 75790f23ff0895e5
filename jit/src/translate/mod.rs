//! IR to CLIF. In: a function body, the probes it carries and the addresses of the runtime. Out: a
//! CLIF function and the table of sites that its source locations index.
//!
//! The shape of the code: a prologue that stores parameters and polls; one CLIF block (or a chain,
//! where an instruction can fail) for each IR block, of which the first goes on where the prologue ends unless something leads back to it; a block of its own for each edge that carries a
//! probe or, being a back edge, a poll; cold blocks that raise failures.
//! Invariant: the source location of every CLIF instruction is the index of its IR instruction's site.

mod control;
mod frame;
mod locals;
mod path;
mod path_slot;
mod probe;

pub use crate::probes::edge_probes::Probes;

use crate::backend;
use crate::backend::workspace::Workspace;
use crate::body::osr::{Headers, Leaving};
use crate::body::site::Site;
use crate::emit::{Emitter, Rare, signature};
use crate::request::{Env, Request};
use crate::tier::Tier;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::InstBuilder;
use cranelift_entity::EntityRef;
use cranelift_frontend::FunctionBuilder;
use frame::Frame;
use holloway_lang::ir::{
    BinaryOp, Block, Builtin, Cfg, Elem, FuncRef, Function, Inst, Liveness, Local, Loops, Operand, Scalar, Stale,
};
use path_slot::PathSlot;

/// The facts of a translated function.
pub(crate) struct Translated {
    /// The sites, which its source locations index.
    pub(crate) sites: Vec<Site>,
    /// The stack slot of locals, if some live there.
    pub(crate) slot: Option<clif::StackSlot>,
    /// These locals, with their offsets in it.
    pub(crate) locals: Vec<(Local, u32)>,
    /// The stack slot of what is pending in paths, and the site of the poll at the entry, where there is nothing yet.
    pub(crate) paths: Option<(clif::StackSlot, u32)>,
}

/// Translates the requested function for a tier, which need not be the requested one, to CLIF in a workspace.
pub(crate) fn translate(env: &Env, request: &Request, tier: Tier, workspace: &mut Workspace) -> Translated {
    let body = &*request.body;
    let params = body.params.iter().map(|param| body.scalar(*param));
    let builder = workspace.build(request.func, signature(params, body.result));
    let mut translator = Translator::new(env, request, tier, builder);
    translator.prologue();
    for block in body.blocks.keys() {
        translator.block(block);
    }
    let sites = translator.sites.table(request.func, body);
    let paths = translator.path.as_ref().map(|path| (path.slot, translator.sites.entry_poll()));
    translator.emit.builder.seal_all_blocks();
    let (slot, locals) = translator.frame.locals(body);
    translator.emit.builder.finalize(backend::isa(tier).frontend_config());
    Translated { sites, slot, locals, paths }
}

/// The locals to clear, of which there are none without references.
fn stale(body: &Function, cfg: &Cfg) -> Stale {
    match body.locals.values().any(|local| local.scalar == Scalar::Ref) {
        true => Stale::compute(body, cfg, &Liveness::of_references(body, cfg)),
        false => Stale::default(),
    }
}

/// Numbers the instructions of a function, terminators included.
struct Sites {
    first_of_block: Vec<u32>,
    /// Their number.
    count: u32,
}

impl Sites {
    fn new(body: &Function) -> Sites {
        let first = |next: &mut u32, len: usize| {
            let first = *next;
            *next += len as u32 + 1;
            first
        };
        let lens = body.blocks.values().map(|data| data.insts.len());
        let mut count = 0;
        let first_of_block = lens.map(|len| first(&mut count, len)).collect();
        Sites { first_of_block, count }
    }

    fn of(&self, block: Block, inst: usize) -> u32 {
        self.first_of_block[block.index()] + inst as u32
    }

    fn table(&self, func: FuncRef, body: &Function) -> Vec<Site> {
        let mut table = Vec::with_capacity(body.size());
        for (block, data) in body.blocks.iter() {
            let spans = data.spans.iter().chain(std::iter::once(&data.term_span));
            table.extend(spans.map(|span| Site { func, block, span: *span, inlined_at: None, expanded: None.into() }));
        }
        table.resize(self.entry_poll() as usize + 1, table[0]);
        table
    }

    /// The site of the poll at the entry. The one before is nobody's: Cranelift keeps source locations relative to the first one it meets,
    /// which may be this, and takes the one before that for none.
    fn entry_poll(&self) -> u32 {
        self.count + 1
    }
}

/// The state of one translation.
struct Translator<'a> {
    emit: Emitter<'a>,
    body: &'a Function,
    probes: &'a Probes,
    loops: Loops,
    /// The headers with OSR exits.
    headers: Headers,
    sites: Sites,
    frame: Frame,
    /// The CLIF block in which each IR block starts.
    blocks: Vec<clif::Block>,
    /// True iff nothing leads back to the first block, so that it goes on where the prologue ends.
    goes_on: bool,
    stale: Stale,
    /// The path probes, if there are some.
    path: Option<PathSlot>,
    /// Locals to clear once the operands of the present instruction are read.
    dying: Vec<Local>,
    /// The present instruction: its block, its number.
    here: (Block, usize),
}

impl<'a> Translator<'a> {
    fn new(env: &'a Env, request: &'a Request, tier: Tier, mut builder: FunctionBuilder<'a>) -> Self {
        let body = &*request.body;
        let cfg = Cfg::compute(body);
        let loops = Loops::of(&cfg);
        let blocks = body.blocks.keys().map(|_| builder.create_block()).collect();
        let goes_on = cfg.preds(body.entry()).is_empty();
        let frame = Frame::new(body, (tier, goes_on), &mut builder);
        let path = PathSlot::new(request.paths.of(request.func), &mut builder);
        let sites = Sites::new(body);
        let (rare, stale) = match tier {
            Tier::Baseline => (Rare::Behind, stale(body, &cfg)),
            // Locals are not in places that could be cleared.
            Tier::Optimized => (Rare::Last, Stale::default()),
        };
        let headers = match request.leaving {
            Leaving::AtEveryLoop | Leaving::AtHeaders | Leaving::AtOutermost | Leaving::IfOutdated => {
                Headers::of_loops(body, &cfg, &loops)
            }
            Leaving::Never => Headers::default(),
        };
        let emit = Emitter::new(env, builder, rare);
        let (probes, dying) = (&request.probes, Vec::new());
        let here = (body.entry(), 0);
        Translator { emit, body, probes, loops, headers, sites, frame, blocks, goes_on, stale, path, dying, here }
    }

    fn prologue(&mut self) {
        let first = self.body.entry().index();
        let entry = if self.goes_on { self.blocks[first] } else { self.emit.builder.create_block() };
        self.emit.builder.append_block_params_for_function_params(entry);
        self.emit.builder.switch_to_block(entry);
        match self.path {
            Some(_) => self.at_entry_poll(),
            None => self.at_site(self.body.entry(), 0),
        }
        for (at, param) in self.body.params.iter().enumerate() {
            let value = self.emit.builder.block_params(entry)[at];
            self.set(*param, value);
        }
        self.clear_reference_slots();
        self.emit.poll_at_entry();
        self.at_site(self.body.entry(), 0);
        self.probes_at_entry();
        self.paths_at_entry();
        // As on back edges, fuel runs out behind what is counted: the activation has begun.
        self.emit.count_fuel();
        if self.goes_on {
            self.blocks[first] = self.emit.builder.current_block().expect("it is being filled");
        } else {
            self.emit.builder.ins().jump(self.blocks[first], []);
        }
    }

    fn block(&mut self, block: Block) {
        let data = &self.body.blocks[block];
        if !self.goes_on || block != self.body.entry() {
            self.emit.builder.switch_to_block(self.blocks[block.index()]);
            self.frame.start_block();
        }
        self.emit.handler = data.handler.map(|handler| self.blocks[handler.index()]);
        self.at_site(block, 0);
        self.paths_at_start(block);
        for (at, inst) in data.insts.iter().enumerate() {
            self.at_site(block, at);
            self.dying = self.stale.at(block, at).collect();
            if !inst.is_call() {
                self.clear_dying();
            }
            self.inst(inst);
        }
        self.at_site(block, data.insts.len());
        self.terminator(block, &data.term);
    }

    fn at_site(&mut self, block: Block, inst: usize) {
        self.here = (block, inst);
        self.emit.builder.set_srcloc(clif::SourceLoc::new(self.sites.of(block, inst)));
    }

    fn at_entry_poll(&mut self) {
        self.emit.builder.set_srcloc(clif::SourceLoc::new(self.sites.entry_poll()));
    }

    fn inst(&mut self, inst: &Inst) {
        let value = match inst {
            Inst::Copy { src, .. } => Some(self.operand(*src)),
            Inst::Unary { op, src, .. } => {
                let x = self.operand(*src);
                Some(self.emit.unary(*op, x))
            }
            Inst::Binary { op, lhs, rhs, .. } => Some(self.binary(*op, *lhs, *rhs)),
            Inst::Select { cond, then, otherwise, .. } => {
                let (cond, then, otherwise) = (self.operand(*cond), self.operand(*then), self.operand(*otherwise));
                Some(self.emit.builder.ins().select(cond, then, otherwise))
            }
            Inst::Builtin { builtin: Builtin::TableCallee, args, .. } => {
                let Operand::Int(table) = args[0] else { unreachable!("a table is named by a constant") };
                let args = self.operands(args);
                Some(self.emit.table_callee(table as usize, &args))
            }
            Inst::Call { func, args, .. } => {
                let args = self.operands(args);
                self.clear_dying();
                let after = self.paths_before_call(self.here.0);
                let result = self.emit.call(*func, &args);
                self.paths_after_call(&after);
                result
            }
            Inst::CallIndirect { callee, sig, args, .. } => {
                let callee = self.operand(*callee);
                let args = self.operands(args);
                self.clear_dying();
                self.note_target(callee);
                let after = self.paths_before_call(self.here.0);
                let result = self.emit.call_indirect(callee, *sig, &args);
                self.paths_after_call(&after);
                result
            }
            Inst::Builtin { builtin, args, .. } => {
                let args = self.operands(args);
                self.emit.builtin(*builtin, &args)
            }
            Inst::Unwrap { src, .. } => {
                let value = self.operand(*src);
                self.emit.fail_unless_some(value);
                Some(value)
            }
            Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::GlobalGet { .. }
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
        };
        if let (Some(dst), Some(value)) = (inst.dst(), value) {
            self.set(dst, value);
        }
    }

    fn binary(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) -> clif::Value {
        let (x, y) = (self.operand(lhs), self.operand(rhs));
        let constant = match rhs {
            Operand::Int(value) if value != 0 => Some(value),
            _ => None,
        };
        if op.can_fail() && constant.is_none() {
            self.emit.fail_if_zero(y);
        }
        self.emit.binary(op, x, y, constant)
    }

    fn memory_inst(&mut self, inst: &Inst) -> Option<clif::Value> {
        match inst {
            Inst::Load { access, address, offset, .. } => {
                let address = self.linear_address(*address);
                Some(self.emit.linear_load(*access, address, *offset))
            }
            Inst::Store { access, address, offset, src } => {
                let (address, value) = (self.linear_address(*address), self.operand(*src));
                self.emit.linear_store(*access, address, *offset, value);
                None
            }
            Inst::GlobalGet { dst, global } => Some(self.emit.load_global(*global, self.body.scalar(*dst))),
            Inst::GlobalSet { global, src } => {
                let value = self.operand(*src);
                self.emit.store_global(*global, value);
                None
            }
            Inst::NewRecord { record, fields, .. } => {
                // Operands are read behind the allocation: nothing of them is then spilled across it.
                let object = self.emit.allocate_record(*record);
                for (at, field) in fields.iter().enumerate() {
                    let value = self.operand(*field);
                    self.emit.store_field(object, *record, at as u32, value);
                }
                Some(object)
            }
            Inst::FieldGet { dst, object, field, .. } => {
                let object = self.operand(*object);
                Some(self.emit.load_field(object, *field, self.body.scalar(*dst)))
            }
            Inst::FieldSet { object, record, field, src } => {
                let (object, value) = (self.operand(*object), self.operand(*src));
                self.emit.store_field(object, *record, *field, value);
                None
            }
            Inst::NewArray { elem, len, fill, .. } => {
                let (len, fill) = (self.operand(*len), self.operand(*fill));
                Some(self.emit.new_array(*elem, len, fill))
            }
            Inst::ArrayOf { elem, items, .. } => {
                let array = self.emit.allocate_array(*elem, items.len());
                for (at, item) in items.iter().enumerate() {
                    let value = self.operand(*item);
                    self.emit.store_item(*elem, array, at, value);
                }
                Some(array)
            }
            Inst::ElemGet { elem, array, index, .. } => {
                let (array, index) = self.checked_element(*array, *index);
                let array = if *elem == Elem::Char { self.emit.base(array) } else { array };
                Some(self.emit.load_element(*elem, array, index))
            }
            Inst::ElemSet { elem, array, index, src } => {
                let (array, index) = self.checked_element(*array, *index);
                let value = self.operand(*src);
                self.emit.store_element(*elem, array, index, value);
                None
            }
            Inst::Len { object, .. } => {
                let object = self.operand(*object);
                Some(self.emit.len(object))
            }
            Inst::CatchMessage { .. } => Some(self.emit.caught()),
            other => unreachable!("{other} does not access memory"),
        }
    }

    fn linear_address(&mut self, address: Operand) -> clif::Value {
        match address {
            Operand::Int(address) => self.emit.int(i64::from(address as u32)),
            address => {
                let address = self.operand(address);
                self.emit.linear_address(address)
            }
        }
    }

    fn checked_element(&mut self, array: Operand, index: Operand) -> (clif::Value, clif::Value) {
        let (array, index) = (self.operand(array), self.operand(index));
        let len = self.emit.len(array);
        self.emit.fail_unless_below(index, len);
        (array, index)
    }

    /// The value of an operand, in a register.
    fn operand(&mut self, operand: Operand) -> clif::Value {
        match operand {
            Operand::Local(local) => self.get(local),
            constant => self.emit.constant(constant),
        }
    }

    fn operands(&mut self, operands: &[Operand]) -> Vec<clif::Value> {
        operands.iter().map(|operand| self.operand(*operand)).collect()
    }
}
