//! Restores SSA form where a value got a second definition.
//!
//! In: pairs of a value and its copy, defined in different blocks, after control flow was changed so that either may reach
//! a use. Out: every use reads the one that reaches it, through new block parameters where ways meet. This is on-the-fly
//! construction [BBHLMZ13] for single values; see `build`.
//! Requires: no failure handlers in the function, as those cannot have parameters.

use super::cfg::Graph;
use super::ssa::{Block, Func, Inst, Value};
use hashbrown::HashMap;

/// Where a value is used.
#[derive(Clone, Copy)]
enum Use {
    Operand(Inst, usize),
    Term,
    Argument { target: usize, at: usize },
}

/// Repairs the uses of each pair.
pub fn repair(func: &mut Func, pairs: &[(Value, Value)]) {
    let graph = Graph::compute(func);
    let home = homes(func, &graph);
    let uses = uses(func, &graph);
    for (old, new) in pairs {
        let (Some(old_home), Some(new_home)) = (home.get(old), home.get(new)) else { continue };
        let at_end = HashMap::from([(*old_home, *old), (*new_home, *new)]);
        let mut reaching = Reaching::new(func, &graph, *old, at_end);
        for (block, place) in uses.get(old).into_iter().flatten() {
            if block != old_home && block != new_home {
                let value = reaching.start(*block);
                set(reaching.func, *block, *place, value);
            }
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

/// The block each value is defined in.
fn homes(func: &Func, graph: &Graph) -> HashMap<Value, Block> {
    let mut home = HashMap::new();
    for block in &graph.rpo {
        let data = &func.blocks[*block];
        home.extend(data.params.iter().map(|param| (*param, *block)));
        home.extend(data.insts.iter().filter_map(|inst| func.insts[*inst].result).map(|value| (value, *block)));
    }
    home
}

/// The uses of each value, with their blocks.
fn uses(func: &Func, graph: &Graph) -> HashMap<Value, Vec<(Block, Use)>> {
    let mut uses: HashMap<Value, Vec<(Block, Use)>> = HashMap::new();
    for block in &graph.rpo {
        let data = &func.blocks[*block];
        let mut note = |value: Value, place: Use| uses.entry(value).or_default().push((*block, place));
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

/// Finds which of several definitions reaches a place.
pub(super) struct Reaching<'a> {
    func: &'a mut Func,
    graph: &'a Graph,
    /// The value whose type new parameters have.
    like: Value,
    at_end: HashMap<Block, Value>,
    at_start: HashMap<Block, Value>,
}

impl<'a> Reaching<'a> {
    /// The definitions that hold at the ends of the blocks they stand in; `like` has the type of all of them.
    pub(super) fn new(func: &'a mut Func, graph: &'a Graph, like: Value, at_end: HashMap<Block, Value>) -> Self {
        Reaching { func, graph, like, at_end, at_start: HashMap::new() }
    }

    fn end(&mut self, block: Block) -> Value {
        match self.at_end.get(&block) {
            Some(value) => *value,
            None => self.start(block),
        }
    }

    /// The definition that holds at the start of a block; every way there has one.
    pub(super) fn start(&mut self, block: Block) -> Value {
        // Blocks with one way in are followed without recursion.
        let mut passed = Vec::new();
        let mut at = block;
        let value = loop {
            if let Some(value) = self.at_start.get(&at) {
                break *value;
            }
            match self.graph.preds[at].as_slice() {
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
        for pred in self.graph.preds[block].clone() {
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
