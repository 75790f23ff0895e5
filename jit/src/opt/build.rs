//! IR to SSA, on the fly [BBHLMZ13]; calls of small functions are replaced by their bodies on the way.
//!
//! [BBHLMZ13]: M. Braun, S. Buchwald, S. Hack, R. Leissa, C. Mallon, A. Zwinkau, "Simple and Efficient Construction of
//! Static Single Assignment Form", CC 2013.
//!
//! In: a body and the module. Out: a [`Func`]. Phases for each body, inlined ones too: (1) make a block for each IR
//! block; (2) translate blocks in reverse postorder, reading locals through [`Builder::read`]; (3) seal what is left.
//! A block is sealed when all blocks before it are translated; until then its parameters are incomplete.
//! Invariant: a local that some handler may read is a slot; all others are values.

mod early;
mod inline;
mod inst;
mod locals;

use super::ssa::{Block, Func, Target, Term, Value};
use crate::code_map::Site;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use hashbrown::HashMap;
use holloway_lang::ir::{self, Cfg, FuncRef, Function, Local, Module, Operand, Scalar};
use inline::Budget;

/// Builds the SSA form of a function.
pub fn build(module: &Module, func: FuncRef, body: &Function) -> Func {
    let empty = Func {
        values: PrimaryMap::new(),
        insts: PrimaryMap::new(),
        blocks: PrimaryMap::new(),
        entry: Block::new(0),
        sites: Vec::new(),
        slots: Vec::new(),
        result: body.result,
    };
    let mut builder = Builder {
        module,
        func: empty,
        variables: PrimaryMap::new(),
        current: HashMap::new(),
        incomplete: HashMap::new(),
        sealed: SecondaryMap::new(),
        preds: SecondaryMap::new(),
        budget: Budget::new(body),
        calls: vec![func],
    };
    builder.function(func, body);
    builder.func
}

/// A local of one body, inlined or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Variable(u32);
cranelift_entity::entity_impl!(Variable, "var");

/// How a variable is kept.
#[derive(Clone, Copy)]
enum Kept {
    Value(Scalar),
    Slot(u32, Scalar),
}

struct Builder<'a> {
    module: &'a Module,
    func: Func,
    variables: PrimaryMap<Variable, Kept>,
    /// [BBHLMZ13] `currentDef`.
    current: HashMap<(Block, Variable), Value>,
    /// [BBHLMZ13] `incompletePhis`.
    incomplete: HashMap<Block, Vec<(Variable, Value)>>,
    sealed: SecondaryMap<Block, bool>,
    /// Blocks with an edge to a block, each as often as it has one.
    preds: SecondaryMap<Block, Vec<Block>>,
    budget: Budget,
    /// The functions being inlined into each other, outermost first.
    calls: Vec<FuncRef>,
}

/// One body being translated.
struct Frame<'b> {
    body: &'b Function,
    variables: SecondaryMap<Local, Option<Variable>>,
    blocks: Vec<Block>,
    /// Where its instructions start in the sites.
    sites: Vec<u32>,
    /// Where a return goes, if the body is inlined.
    returns: Option<Block>,
}

impl Builder<'_> {
    fn function(&mut self, func: FuncRef, body: &Function) {
        let sites = self.add_sites(func, body, None);
        let entry = self.func.new_block(body.entry(), None, sites[0]);
        self.func.entry = entry;
        self.sealed[entry] = true;
        let params: Vec<Value> =
            body.params.iter().map(|param| self.func.add_param(entry, body.scalar(*param))).collect();
        self.body(body, sites, entry, &params, None, None);
    }

    /// Translates a body that is entered from the end of `before`, and ends that block with the jump into it.
    fn body(
        &mut self,
        body: &Function,
        sites: Vec<u32>,
        before: Block,
        args: &[Value],
        returns: Option<Block>,
        outer_handler: Option<Block>,
    ) {
        let cfg = Cfg::compute(body);
        let variables = self.declare(body, &cfg);
        let blocks: Vec<Block> =
            body.blocks.keys().map(|block| self.func.new_block(block, None, sites[block.index()])).collect();
        for (block, data) in body.blocks.iter() {
            let own = data.handler.map(|handler| blocks[handler.index()]);
            self.func.blocks[blocks[block.index()]].handler = own.or(outer_handler);
        }
        let frame = Frame { body, variables, blocks, sites, returns };
        for (param, arg) in body.params.iter().zip(args) {
            self.write(before, frame.variable(*param), *arg);
        }
        self.finish_block(before, Term::Jump(Target { block: frame.blocks[0], args: Vec::new() }));
        for block in cfg.reverse_postorder() {
            self.seal_if_ready(&frame, &cfg, block);
            self.block(&frame, block);
            for (to, _) in cfg.succs(block) {
                self.seal_if_ready(&frame, &cfg, *to);
            }
        }
        frame.blocks.iter().for_each(|block| self.seal(*block));
    }

    fn add_sites(&mut self, func: FuncRef, body: &Function, inlined_at: Option<u32>) -> Vec<u32> {
        let mut first = Vec::with_capacity(body.blocks.len());
        for (block, data) in body.blocks.iter() {
            first.push(self.func.sites.len() as u32);
            let spans = data.spans.iter().chain(std::iter::once(&data.term_span));
            self.func.sites.extend(spans.map(|span| Site { func, block, span: *span, inlined_at }));
        }
        first
    }

    fn block(&mut self, frame: &Frame<'_>, block: ir::Block) {
        let data = &frame.body.blocks[block];
        let mut at = frame.blocks[block.index()];
        for (index, inst) in data.insts.iter().enumerate() {
            at = self.inst(frame, at, inst, frame.sites[block.index()] + index as u32);
        }
        let site = frame.sites[block.index()] + data.insts.len() as u32;
        self.func.blocks[at].term_site = site;
        self.terminator(frame, at, &data.term);
    }

    fn terminator(&mut self, frame: &Frame<'_>, at: Block, term: &ir::Terminator) {
        let plain = |block: ir::Block| Target { block: frame.blocks[block.index()], args: Vec::new() };
        let term = match term {
            ir::Terminator::Jump(to) => Term::Jump(plain(*to)),
            ir::Terminator::Branch { cond, then, otherwise } => {
                Term::Branch { cond: self.operand(frame, at, *cond), then: plain(*then), otherwise: plain(*otherwise) }
            }
            ir::Terminator::Switch { value, cases, default } => Term::Switch {
                value: self.operand(frame, at, *value),
                cases: cases.iter().map(|(case, to)| (*case, plain(*to))).collect(),
                default: plain(*default),
            },
            ir::Terminator::Return(value) => {
                let value = value.map(|operand| self.operand(frame, at, operand));
                match frame.returns {
                    None => Term::Return(value),
                    Some(block) => Term::Jump(Target { block, args: value.into_iter().collect() }),
                }
            }
            ir::Terminator::Fail { kind, message } => Term::Fail(*kind, self.operand(frame, at, *message)),
            ir::Terminator::Exit(status) => Term::Exit(self.operand(frame, at, *status)),
        };
        self.finish_block(at, term);
    }

    fn finish_block(&mut self, at: Block, term: Term) {
        for target in term.targets() {
            self.preds[target.block].push(at);
        }
        self.func.blocks[at].term = term;
    }

    fn operand(&mut self, frame: &Frame<'_>, at: Block, operand: Operand) -> Value {
        match operand {
            Operand::Local(local) => self.read(at, frame.variable(local)),
            constant => self.func.constant(constant),
        }
    }
}

impl Frame<'_> {
    fn variable(&self, local: Local) -> Variable {
        self.variables[local].expect("every local is declared")
    }
}
