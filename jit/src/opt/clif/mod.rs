//! SSA to CLIF: the same operations as from IR, on values that are in SSA form already.
//!
//! In: an optimized function. Out: a CLIF function whose source locations index the function's sites. Conditional branches
//! leave a loop by their first destination, so that staying in it falls through; others have the likelier way as the second. Constants are
//! made where they are used.

mod constants;
mod counters;
mod lengths;
mod memory_operands;
mod operand_order;
mod polls;
mod probe;
mod shifts;
mod singles;
mod switch;
mod words;

use super::cfg::Graph;
use super::quiet;
use super::ssa::{Block, Def, Func, Inst, InstData, Mem, Op, Target, Term, Value};
use crate::backend;
use crate::backend::workspace::Workspace;
use crate::emit::{Emitter, FieldPlace, Rare, clif_type, signature};
use crate::request::Env;
use crate::tier::Tier;
use constants::LoopConstants;
use counters::{Counters, Sum};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{BlockArg, InstBuilder, StackSlotData, StackSlotKind, types};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use holloway_lang::ir::{BinaryOp, Builtin, FuncRef, LoopId, Operand, UnaryOp};
use lengths::Lengths;
use memory_operands::MemoryOperands;
use operand_order::OperandOrder;
use polls::Polls;

/// Translates an optimized function to CLIF in a workspace; gives the stack slot of [`Func::slots`], if there are any.
pub(crate) fn translate(env: &Env, id: FuncRef, ssa: &Func, workspace: &mut Workspace) -> Option<clif::StackSlot> {
    let mut builder = workspace.build(id, signature(ssa.params.iter().copied(), ssa.result));
    let graph = Graph::of(ssa);
    let blocks = ssa.blocks.keys().map(|_| builder.create_block()).collect();
    let slot = (!ssa.slots.is_empty()).then(|| {
        let size = 8 * ssa.slots.len() as u32;
        builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3))
    });
    let emit = Emitter::new(env, builder, Rare::Last);
    let quiet = quiet::quiet(ssa, &graph);
    let polls = Polls::compute(ssa, &graph, env.polls);
    let (mut values, constants) = (SecondaryMap::new(), LoopConstants::find(ssa, &graph));
    values.resize(ssa.values.len());
    let memory_operands = MemoryOperands::find(ssa, &graph);
    let graph = &graph;
    let mut translator = Translator {
        emit,
        ssa,
        graph,
        blocks,
        values,
        words: SecondaryMap::new(),
        clear_halves: EntitySet::new(),
        singles: SecondaryMap::new(),
        constants,
        memory_operands,
        counters: Counters::find(ssa, graph),
        order: OperandOrder::find(ssa, graph),
        lengths: Lengths::find(ssa, graph),
        quiet,
        polls,
        slot,
    };
    translator.run();
    translator.emit.builder.seal_all_blocks();
    translator.emit.builder.finalize(backend::isa(Tier::Optimized).frontend_config());
    slot
}

/// Bound of the constants that become part of an address.
const MOST_AHEAD: u64 = 1 << 20;

struct Translator<'a> {
    emit: Emitter<'a>,
    ssa: &'a Func,
    graph: &'a Graph,
    blocks: Vec<clif::Block>,
    values: SecondaryMap<Value, PackedOption<clif::Value>>,
    /// The lower halves of values that have nothing above them.
    words: SecondaryMap<Value, PackedOption<clif::Value>>,
    /// Other values that have nothing above their lower halves, as far as modules with a linear memory want to know.
    clear_halves: EntitySet<Value>,
    /// The floats of 32 bits whose bits values are.
    singles: SecondaryMap<Value, PackedOption<clif::Value>>,
    constants: LoopConstants,
    memory_operands: MemoryOperands,
    counters: Counters,
    order: OperandOrder,
    lengths: Lengths,
    /// The loop that a value is defined in, if it is an innermost one and nothing in it allocates or calls.
    quiet: SecondaryMap<Value, Option<LoopId>>,
    polls: Polls<'a>,
    slot: Option<clif::StackSlot>,
}

impl Translator<'_> {
    fn run(&mut self) {
        // The first location is the base that Cranelift keeps the others relative to; from another one, location -1 would
        // mean none.
        self.emit.builder.func.params.ensure_base_srcloc(clif::SourceLoc::new(0));
        for block in &self.graph.rpo {
            let clif = self.block(*block);
            for param in &self.ssa.blocks[*block].params {
                let ty = clif_type(self.ssa.values[*param].scalar);
                let value = self.emit.builder.append_block_param(clif, ty);
                self.values[*param] = value.into();
            }
            if self.ssa.blocks[*block].cold {
                self.emit.builder.set_cold_block(clif);
            }
        }
        for block in &self.graph.rpo {
            self.memory_operands.exchange(*block, &mut self.values);
            self.fill(*block);
            self.memory_operands.exchange(*block, &mut self.values);
        }
    }

    fn block(&self, block: Block) -> clif::Block {
        self.blocks[block.index()]
    }

    /// Makes what becomes of a block. All of it is cold if the block is: operations that may fail split it.
    fn fill(&mut self, block: Block) {
        let before = self.emit.builder.func.dfg.num_blocks();
        self.translate(block);
        if self.ssa.blocks[block].cold {
            let made = before..self.emit.builder.func.dfg.num_blocks();
            made.for_each(|at| self.emit.builder.set_cold_block(clif::Block::from_u32(at as u32)));
        }
    }

    fn translate(&mut self, block: Block) {
        let data = &self.ssa.blocks[block];
        let clif = self.block(block);
        self.emit.builder.switch_to_block(clif);
        self.emit.handler =
            data.handler.filter(|handler| self.graph.is_reachable(*handler)).map(|handler| self.block(handler));
        self.emit.pending.clear();
        self.emit.sunk.clear();
        if block == self.ssa.entry {
            self.at(self.ssa.entry_site);
            self.poll_at_entry(clif);
            if self.ssa.osr_entry {
                self.emit.end_transfer();
            }
        }
        // What memory is to hold is declared ahead of everything else.
        let is_sunk = |inst: &&Inst| matches!(self.ssa.insts[**inst].op, Op::Sunk(..));
        let (ahead, insts) = data.insts.split_at(data.insts.iter().take_while(is_sunk).count());
        self.insts(block, ahead);
        if let Some(site) = self.polls.at_start(block) {
            self.at(site);
            self.emit.poll_optimized();
        }
        self.insts(block, insts);
        self.constants.make(block, &mut self.emit.builder);
        self.copy_arrays(block);
        self.at(data.term_site);
        self.term(block, &data.term);
    }

    /// Fuel is never counted here: code that counts it is not optimized.
    fn poll_at_entry(&mut self, entry: clif::Block) {
        // Code that is entered by a transfer has no operands to pass on; there was room for all calls inlined in it.
        if self.ssa.osr_entry || self.ssa.sites.iter().all(|site| site.inlined_at.is_none()) {
            return self.emit.poll_at_entry();
        }
        let params = self.emit.builder.block_params(entry).to_vec();
        self.emit.poll_at_entry_or_leave(&params);
    }

    fn str_eq(&mut self, values: &[Value], args: &[clif::Value]) -> clif::Value {
        for (constant, other) in [(1, 0), (0, 1)] {
            if let Def::Const(Operand::Str(id)) = self.ssa.values[values[constant]].def {
                return self.emit.str_eq_constant(args[other], id);
            }
        }
        self.emit.str_eq(args[0], args[1])
    }

    fn at(&mut self, site: u32) {
        self.emit.builder.set_srcloc(clif::SourceLoc::new(site));
    }

    fn value(&mut self, value: Value) -> clif::Value {
        match self.ssa.values[value].def {
            Def::Const(operand) => self.emit.constant(operand),
            Def::Inst(_) | Def::Param(..) => self.values[value].expect("a definition comes before its uses"),
        }
    }

    fn insts(&mut self, block: Block, insts: &[Inst]) {
        for inst in insts {
            self.at(self.ssa.insts[*inst].site);
            self.inst(block, *inst);
        }
    }

    fn inst(&mut self, block: Block, inst: Inst) {
        let data = &self.ssa.insts[inst];
        let args: Vec<clif::Value> = match data.op {
            Op::Binary(op) => self.operands(block, op, data).into(),
            Op::CheckIndex if self.lengths.is_operand(Some(data.args[1])) => vec![self.value(data.args[0])],
            _ => data.args.iter().map(|arg| self.value(*arg)).collect(),
        };
        let result = match data.op {
            Op::Unary(UnaryOp::Signed32) => Some(self.signed_word(data.args[0])),
            Op::Unary(UnaryOp::FloatToSingle) => {
                let result = data.result.expect("an operator has a result");
                let narrowed = self.narrowed(result, data.args[0]);
                Some(narrowed.unwrap_or_else(|| self.emit.unary(UnaryOp::FloatToSingle, args[0])))
            }
            Op::Unary(op) => Some(self.emit.unary(op, args[0])),
            Op::Binary(BinaryOp::IntMul) => Some(self.product(&data.args, &args)),
            Op::Binary(op) => Some(self.binary(inst, op, &args)),
            Op::RotateWord => {
                let result = data.result.expect("an operator has a result");
                Some(self.rotate_word(result, data.args[0], data.args[1]))
            }
            Op::Select => Some(self.emit.builder.ins().select(args[0], args[1], args[2])),
            Op::Below => Some(self.emit.builder.ins().icmp(IntCC::UnsignedLessThan, args[0], args[1])),
            Op::CheckZero => {
                self.emit.fail_if_zero(args[0]);
                None
            }
            Op::CheckIndex => {
                match self.lengths.object(self.ssa, data.args[1]) {
                    Some(object) => {
                        let object = self.value(object);
                        self.emit.fail_unless_within(args[0], object);
                    }
                    None => self.emit.fail_unless_below(args[0], args[1]),
                }
                None
            }
            Op::Load(Mem::Len) if self.lengths.is_operand(data.result) => None,
            Op::CheckSome => {
                self.emit.fail_unless_some(args[0]);
                None
            }
            Op::Load(mem) => Some(self.load(block, mem, data, &args)),
            Op::Store(mem) => {
                self.store(block, mem, data, &args);
                None
            }
            Op::LinearLoad(access, offset) => {
                let address = self.linear_address(data.args[0]);
                Some(self.emit.linear_load(access, address, offset))
            }
            Op::LinearStore(access, offset) => {
                let address = self.linear_address(data.args[0]);
                self.emit.linear_store(access, address, offset, args[1]);
                None
            }
            Op::Call(func) => self.emit.call(func, &args),
            Op::CallIndirect(sig) => self.emit.call_indirect(args[0], sig, &args[1..]),
            Op::Builtin(Builtin::StrEq) => Some(self.str_eq(&data.args, &args)),
            Op::Builtin(Builtin::TableCallee) => {
                let table = self.ssa.as_int(data.args[0]).expect("a table is named by a constant");
                Some(self.emit.table_callee(table as usize, &args))
            }
            Op::Builtin(builtin) => self.emit.builtin(builtin, &args),
            Op::NewRecord(record) => Some(self.emit.new_record(record, &args)),
            Op::NewArray(elem) => Some(self.emit.new_array(elem, args[0], args[1])),
            Op::ArrayOf(elem) => Some(self.emit.array_of(elem, &args)),
            Op::Allocated => Some(args[0]),
            Op::CatchMessage => Some(self.emit.caught()),
            Op::OsrPoint => {
                let header = self.ssa.sites[data.site as usize].block;
                self.emit.poll_and_transfer(header, &args);
                None
            }
            Op::Poll => {
                self.poll();
                None
            }
            Op::Sunk(record, field) => {
                self.emit.sink(FieldPlace { object: args[0], record, field }, args[1]);
                None
            }
            Op::Probe(probe) => self.probe(probe, &data.args, &args),
        };
        if self.emit.env.module.is_optimized() {
            self.note_clear_half(data);
        }
        if let (Some(value), Some(result)) = (data.result, result) {
            self.values[value] = self.apart(value, result).into();
        }
    }

    /// A binary operation that is no product: a sum of a counter that was stepped, one of words, or any other.
    fn binary(&mut self, inst: Inst, op: BinaryOp, args: &[clif::Value]) -> clif::Value {
        if let Some(Sum { of, and }) = self.counters.behind_step(inst) {
            let of = self.value(of);
            return self.emit.builder.ins().iadd_imm_s(of, and);
        }
        let data = &self.ssa.insts[inst];
        let result = data.result.expect("an operator has a result");
        let constant = self.ssa.as_int(data.args[1]).filter(|divisor| *divisor != 0);
        let of_words = self.of_words(result, op, data.args[0], data.args[1]);
        of_words.unwrap_or_else(|| self.emit.binary(op, args[0], args[1], constant))
    }

    /// The operands of an operation in a block.
    fn operands(&mut self, block: Block, op: BinaryOp, data: &InstData) -> [clif::Value; 2] {
        let args = self.order.ordered(op, data.result, [data.args[0], data.args[1]]);
        let operands = self.constants.operands(self.ssa, self.graph.innermost(block), op, &args);
        operands.map(|(arg, of_loop)| of_loop.unwrap_or_else(|| self.value(arg)))
    }

    /// Sets a result apart from what it is computed of, where its array is to be an operand.
    fn apart(&mut self, value: Value, result: clif::Value) -> clif::Value {
        if self.counters.is_step(value) {
            return self.emit.builder.ins().bitcast(types::I64, clif::MemFlagsData::new(), result);
        }
        let Some(other) = self.memory_operands.beside(value) else { return result };
        let other = self.value(other);
        let pair = self.emit.builder.ins().iconcat(result, other);
        self.emit.builder.ins().isplit(pair).0
    }

    /// Copies arrays for the loops behind a block, before its terminator.
    fn copy_arrays(&mut self, front: Block) {
        for (block, array) in self.memory_operands.copied(front) {
            let value = self.value(array);
            let zero = self.emit.int(0);
            let copy = self.emit.builder.ins().iadd(value, zero);
            self.memory_operands.add_copy(block, array, copy);
        }
    }

    /// An index less a constant in it, if anything is left, and that constant, which becomes part of the address. What is left may be out of
    /// range, and an address made of it does not keep the array alive; so this is only done where neither leaves a loop
    /// in which nothing is collected.
    fn index(&mut self, block: Block, index: Value) -> (Option<clif::Value>, i32) {
        if let Some(at) = self.ssa.as_int(index).filter(|at| at.unsigned_abs() < MOST_AHEAD) {
            return (None, at as i32);
        }
        if let Some(inst) = self.ssa.def_inst(index)
            && let Some(Sum { of, and: ahead }) = self.counters.sum(self.ssa, inst)
            && ahead.unsigned_abs() < MOST_AHEAD
            && self.quiet[of].is_some_and(|quiet| self.graph.innermost(block) == Some(quiet))
        {
            return (Some(self.value(of)), ahead as i32);
        }
        (Some(self.value(index)), 0)
    }

    fn load(&mut self, block: Block, mem: Mem, data: &InstData, args: &[clif::Value]) -> clif::Value {
        let scalar = self.ssa.values[data.result.expect("a load has a result")].scalar;
        match mem {
            Mem::Len => self.emit.len(args[0]),
            Mem::Base => self.emit.base(args[0]),
            Mem::Elem(elem) => {
                let (index, ahead) = self.index(block, data.args[1]);
                self.emit.load_ahead(elem, args[0], index, ahead)
            }
            Mem::Field(_, field) => self.emit.load_field(args[0], field, scalar),
            Mem::Global(global) => self.emit.load_global(global, scalar),
            Mem::Slot(slot) => {
                let frame = self.slot.expect("a function with slots has a frame for them");
                self.emit.builder.ins().stack_load(types::I64, clif_type(scalar), frame, 8 * slot as i32)
            }
            Mem::State(word) => self.emit.load_state(clif_type(scalar), word),
        }
    }

    fn store(&mut self, block: Block, mem: Mem, data: &InstData, args: &[clif::Value]) {
        match mem {
            Mem::Len | Mem::Base => unreachable!("{mem:?} never changes"),
            Mem::Elem(elem) => {
                let (index, ahead) = self.index(block, data.args[1]);
                self.emit.store_ahead(elem, args[0], index, ahead, args[2]);
            }
            Mem::State(_) => unreachable!("transfers store the state"),
            Mem::Field(record, field) => {
                self.emit.sink_no_more(record, field);
                self.emit.store_field(args[0], record, field, args[1]);
            }
            Mem::Global(global) => self.emit.store_global(global, args[0]),
            Mem::Slot(slot) => {
                let frame = self.slot.expect("a function with slots has a frame for them");
                self.emit.builder.ins().stack_store(types::I64, args[0], frame, 8 * slot as i32);
            }
        }
    }

    fn term(&mut self, block: Block, term: &Term) {
        match term {
            Term::Jump(to) => self.go(block, to),
            Term::Branch { cond, then, otherwise } => self.branch(block, *cond, then, otherwise),
            Term::Switch { value, cases, default } => self.switch(block, *value, cases, default),
            Term::Return(value) => {
                let value = value.map(|value| self.value(value));
                self.emit.builder.ins().return_(value.as_slice());
            }
            Term::Fail(kind, message) => {
                let message = self.value(*message);
                self.emit.fail(*kind, message);
            }
            Term::Exit(status) => {
                let status = self.value(*status);
                self.emit.exit(status);
            }
        }
    }

    /// Ends the present CLIF block with the edge from `block` to a target.
    fn go(&mut self, block: Block, to: &Target) {
        if let Some(site) = self.polls.on_edge(block, to.block) {
            self.at(site);
            self.poll();
        }
        let args = self.args(to);
        let target = self.block(to.block);
        self.emit.builder.ins().jump(target, &args);
    }

    /// A poll at the end of a block.
    fn poll(&mut self) {
        match self.emit.polls_in_place() {
            true => self.emit.poll_optimized(),
            false => self.emit.poll_on_back_edge(),
        }
    }

    fn args(&mut self, to: &Target) -> Vec<BlockArg> {
        to.args.iter().map(|arg| BlockArg::Value(self.value(*arg))).collect()
    }

    fn branch(&mut self, block: Block, cond: Value, then: &Target, otherwise: &Target) {
        let leaves = |to: &Target| self.graph.loop_depth(to.block) < self.graph.loop_depth(block);
        let inverted = match (leaves(then), leaves(otherwise)) {
            (false, true) => true,
            (true, false) => false,
            (true, true) | (false, false) => self.ssa.mostly_then.contains(block),
        };
        let cond = self.value(cond);
        let (cond, first, second) = match inverted {
            true => (self.inverted(cond), otherwise, then),
            false => (cond, then, otherwise),
        };
        let mut edges = Vec::new();
        let (first, first_args) = self.edge(block, first, &mut edges);
        let (second, second_args) = self.edge(block, second, &mut edges);
        self.emit.builder.ins().brif(cond, first, &first_args, second, &second_args);
        self.fill_edges(block, edges);
    }

    /// The opposite of a comparison, so that it still joins with its branch; of any other `bool`, its complement.
    fn inverted(&mut self, cond: clif::Value) -> clif::Value {
        let dfg = &self.emit.builder.func.dfg;
        let data = dfg.value_def(cond).inst().map(|inst| dfg.insts[inst]);
        match data {
            Some(clif::InstructionData::IntCompare { cond, args, .. }) => {
                self.emit.builder.ins().icmp(cond.complement(), args[0], args[1])
            }
            Some(clif::InstructionData::FloatCompare { cond, args, .. }) => {
                self.emit.builder.ins().fcmp(cond.complement(), args[0], args[1])
            }
            _ => self.emit.builder.ins().bxor_imm_u(cond, 1),
        }
    }

    /// Returns the block that an edge leads to: its target, or, where it is polled, a block of its own.
    fn edge<'t>(
        &mut self,
        block: Block,
        to: &'t Target,
        edges: &mut Vec<(&'t Target, clif::Block)>,
    ) -> (clif::Block, Vec<BlockArg>) {
        if self.polls.on_edge(block, to.block).is_some() {
            let own = self.emit.builder.create_block();
            edges.push((to, own));
            return (own, Vec::new());
        }
        (self.block(to.block), self.args(to))
    }

    fn fill_edges(&mut self, block: Block, edges: Vec<(&Target, clif::Block)>) {
        for (to, own) in edges {
            self.emit.builder.switch_to_block(own);
            self.go(block, to);
        }
    }
}
