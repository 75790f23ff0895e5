//! Restores SSA form where a value got further definitions.
//!
//! In: pairs of a value and its copy, defined in different blocks, after control flow was changed so that either may reach
//! a use. Out: every use reads the one that reaches it, through new block parameters at joins.
//! Requires: no failure handlers in the function, as those cannot have parameters.
//!
//! This is the on-the-fly construction of [BBHLMZ13] for single values.
//!
//! [BBHLMZ13] M. Braun, S. Buchwald, S. Hack, R. Leissa, C. Mallon, A. Zwinkau, "Simple and Efficient Construction of Static
//! Single Assignment Form", CC 2013.

use super::cfg::{Blocks, Edges, homes};
use super::ssa::{Block, Func, Inst, Value};
use cranelift_entity::SecondaryMap;
use hashbrown::HashMap;

/// A use of a value.
#[derive(Clone, Copy)]
enum Use {
    Operand(Inst, usize),
    Term,
    Argument { target: usize, at: usize },
}

/// Repairs the uses of the first value of each pair; a value may have several copies. What no longer can be reached defines
/// nothing.
pub fn repair(func: &mut Func, pairs: &[(Value, Value)]) {
    let edges = Edges::of(func);
    let home = homes(func, &edges.rpo);
    let mut defined: HashMap<Value, HashMap<Block, Value>> = HashMap::new();
    let mut order: Vec<Value> = Vec::new();
    for (old, new) in pairs {
        let at_end = defined.entry(*old).or_insert_with(|| {
            order.push(*old);
            home[*old].map(|block| (block, *old)).into_iter().collect()
        });
        at_end.extend(home[*new].map(|block| (block, *new)));
    }
    let uses = uses(func, &edges.rpo, |value| defined.contains_key(&value));
    for old in order {
        let at_end = defined.remove(&old).expect("it was noted");
        let elsewhere: Vec<(Block, Use)> =
            uses.get(&old).into_iter().flatten().filter(|(block, _)| !at_end.contains_key(block)).copied().collect();
        let mut reaching = Reaching::new(func, &edges.preds, old, at_end);
        for (block, place) in elsewhere {
            let value = reaching.start(block);
            set(reaching.func, block, place, value);
        }
    }
}

/// Joins only append arguments, so places stay true while values are repaired.
fn set(func: &mut Func, block: Block, place: Use, value: Value) {
    match place {
        Use::Operand(inst, at) => func.insts[inst].args[at] = value,
        Use::Term => *func.blocks[block].term.operand_mut().expect("the terminator had an operand") = value,
        Use::Argument { target, at } => func.blocks[block].term.targets_mut()[target].args[at] = value,
    }
}

/// The uses of some values, with their blocks.
fn uses(func: &Func, blocks: &[Block], some: impl Fn(Value) -> bool) -> HashMap<Value, Vec<(Block, Use)>> {
    let mut uses: HashMap<Value, Vec<(Block, Use)>> = HashMap::new();
    for block in blocks {
        let data = &func.blocks[*block];
        let mut note = |value: Value, place: Use| {
            if some(value) {
                uses.entry(value).or_default().push((*block, place));
            }
        };
        for inst in &data.insts {
            for (at, arg) in func.insts[*inst].args.iter().enumerate() {
                note(*arg, Use::Operand(*inst, at));
            }
        }
        if let Some(value) = data.term.operand() {
            note(value, Use::Term);
        }
        for (target, to) in data.term.targets().iter().enumerate() {
            for (at, arg) in to.args.iter().enumerate() {
                note(*arg, Use::Argument { target, at });
            }
        }
    }
    uses
}

/// Which definition of a variable reaches a place.
pub(super) struct Reaching<'a> {
    func: &'a mut Func,
    preds: &'a SecondaryMap<Block, Blocks>,
    /// The value whose type new parameters have.
    like: Value,
    at_end: HashMap<Block, Value>,
    at_start: HashMap<Block, Value>,
}

impl<'a> Reaching<'a> {
    /// Of a variable of the type of `like`, with its last definition in each block that has one.
    pub(super) fn new(
        func: &'a mut Func,
        preds: &'a SecondaryMap<Block, Blocks>,
        like: Value,
        at_end: HashMap<Block, Value>,
    ) -> Reaching<'a> {
        Reaching { func, preds, like, at_end, at_start: HashMap::new() }
    }

    fn end(&mut self, block: Block) -> Value {
        match self.at_end.get(&block) {
            Some(value) => *value,
            None => self.start(block),
        }
    }

    /// The one that reaches the start of a block.
    pub(super) fn start(&mut self, block: Block) -> Value {
        // Blocks with one way in are followed without recursion.
        let mut passed = Vec::new();
        let mut at = block;
        let value = loop {
            if let Some(value) = self.at_start.get(&at) {
                break *value;
            }
            match self.preds[at].as_slice() {
                [single] => {
                    passed.push(at);
                    at = *single;
                    if let Some(value) = self.at_end.get(&at) {
                        break *value;
                    }
                }
                _ => break self.join(at),
            }
        };
        passed.into_iter().for_each(|block| {
            self.at_start.insert(block, value);
        });
        value
    }

    fn join(&mut self, block: Block) -> Value {
        let scalar = self.func.values[self.like].scalar;
        let param = self.func.add_param(block, scalar);
        self.at_start.insert(block, param);
        for pred in self.preds[block].clone() {
            let value = self.end(pred);
            for target in self.func.blocks[pred].term.targets_mut() {
                if target.block == block {
                    target.args.push(value);
                }
            }
        }
        param
    }
}
