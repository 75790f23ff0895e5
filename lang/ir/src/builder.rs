//! Builds a [`Function`] block by block. In: calls from `lower` or the IR parser, in any block order.
//! Out: a function whose blocks are all terminated; unreachable ones are removed by [`FunctionBuilder::finish`].

use super::cfg;
use super::entity::{Block, Local};
use super::function::{BlockData, Function, FunctionKind, LocalDecl};
use super::inst::{Inst, Operand, Terminator};
use super::types::Scalar;
use crate::span::Span;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

/// A function under construction, with a current block that instructions are appended to.
pub struct FunctionBuilder {
    func: Function,
    terminated: Vec<bool>,
    current: Block,
    span: Span,
}

impl FunctionBuilder {
    /// Starts a function with its entry block as the current one.
    pub fn new(name: String, kind: FunctionKind, span: Span, result: Option<Scalar>) -> Self {
        let func = Function {
            name,
            kind,
            span,
            params: Vec::new(),
            result,
            locals: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
        };
        let mut builder = FunctionBuilder { func, terminated: Vec::new(), current: Block::new(0), span };
        builder.current = builder.new_block(None);
        builder
    }

    /// Adds a parameter; all parameters come before other locals.
    pub fn param(&mut self, scalar: Scalar, name: Option<String>) -> Local {
        let local = self.local(scalar, name);
        assert_eq!(local.index(), self.func.params.len(), "parameters are the first locals");
        self.func.params.push(local);
        local
    }

    /// Adds a local.
    pub fn local(&mut self, scalar: Scalar, name: Option<String>) -> Local {
        self.func.locals.push(LocalDecl { scalar, name })
    }

    /// Adds an empty block with its failure handler; the current block stays.
    pub fn new_block(&mut self, handler: Option<Block>) -> Block {
        self.terminated.push(false);
        self.func.blocks.push(BlockData {
            insts: Vec::new(),
            spans: Vec::new(),
            term: Terminator::Return(None),
            term_span: self.span,
            handler,
        })
    }

    /// Makes `block` the one that instructions are appended to.
    pub fn switch_to(&mut self, block: Block) {
        self.current = block;
    }

    /// The block that instructions are appended to.
    pub fn current(&self) -> Block {
        self.current
    }

    /// Returns true if the current block has its terminator: what follows is unreachable.
    pub fn is_terminated(&self) -> bool {
        self.terminated[self.current.index()]
    }

    /// Sets the source span of everything appended from now on.
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// Appends an instruction; after a terminator it is discarded, being unreachable.
    pub fn push(&mut self, inst: Inst) {
        if !self.is_terminated() {
            let block = &mut self.func.blocks[self.current];
            block.insts.push(inst);
            block.spans.push(self.span);
        }
    }

    /// The last instruction of the current block, while that has no terminator.
    pub fn last_mut(&mut self) -> Option<&mut Inst> {
        match self.is_terminated() {
            true => None,
            false => self.func.blocks[self.current].insts.last_mut(),
        }
    }

    /// Puts an instruction in front of the last one of the current block.
    pub fn push_before_last(&mut self, inst: Inst) {
        let block = &mut self.func.blocks[self.current];
        let last = block.insts.len().checked_sub(1).expect("there is a last one");
        block.insts.insert(last, inst);
        block.spans.insert(last, self.span);
    }

    /// Puts instructions at the beginning of the entry block.
    pub fn begin_with(&mut self, insts: Vec<Inst>) {
        let span = self.func.span;
        let entry = self.func.entry();
        let block = &mut self.func.blocks[entry];
        block.spans.splice(0..0, insts.iter().map(|_| span));
        block.insts.splice(0..0, insts);
    }

    /// Ends the current block; a second terminator is discarded, being unreachable.
    pub fn terminate(&mut self, term: Terminator) {
        if !self.is_terminated() {
            let block = &mut self.func.blocks[self.current];
            block.term = term;
            block.term_span = self.span;
            self.terminated[self.current.index()] = true;
        }
    }

    /// The scalar of an operand, by the locals declared so far.
    pub fn operand_scalar(&self, operand: Operand) -> Scalar {
        self.func.operand_scalar(operand)
    }

    /// Ends construction: blocks that nothing reaches are removed, the rest renumbered in order of
    /// creation. Panics if a reachable block has no terminator.
    pub fn finish(self) -> Function {
        let order: Vec<Block> = self.func.blocks.keys().collect();
        self.finish_in(&order)
    }

    /// The same, with the blocks in a given order, which names each that something reaches once, the entry first.
    pub fn finish_in(self, order: &[Block]) -> Function {
        let mut reached: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut pending = vec![self.func.entry()];
        reached[self.func.entry()] = true;
        while let Some(block) = pending.pop() {
            assert!(self.terminated[block.index()], "{block} of `{}` never ends", self.func.name);
            for (to, _) in cfg::edges(&self.func, block) {
                if !std::mem::replace(&mut reached[to], true) {
                    pending.push(to);
                }
            }
        }
        renumber(self.func, order.iter().copied().filter(|block| reached[*block]))
    }
}

/// Keeps the given blocks, in order, and redirects every edge to the new ids.
fn renumber(mut func: Function, keep: impl Iterator<Item = Block>) -> Function {
    let mut new_ids: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    let mut old_blocks: Vec<Option<BlockData>> =
        std::mem::take(&mut func.blocks).into_iter().map(|(_, data)| Some(data)).collect();
    let mut blocks = PrimaryMap::new();
    for old in keep {
        let data = old_blocks[old.index()].take().expect("an order names a block once");
        new_ids[old] = Some(blocks.push(data));
    }
    let target = |old: Block| new_ids[old].expect("an edge of a reachable block leads to a reachable block");
    for data in blocks.values_mut() {
        data.handler = data.handler.and_then(|handler| new_ids[handler]);
        data.term.retarget(target);
    }
    func.blocks = blocks;
    func
}
