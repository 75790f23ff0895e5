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

use super::cfg::{Edges, homes};
use super::ssa::{Block, Func, Inst, Value};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

/// A use of a value.
#[derive(Clone, Copy)]
enum Use {
    Operand(Inst, usize),
    Term,
    Argument { target: usize, at: usize },
}

/// A value that got further definitions.
struct Variable {
    value: Value,
    /// The last definition in each block that has one.
    at_end: SmallVec<[(Block, Value); 4]>,
    /// Uses in the other blocks.
    uses: Vec<(Block, Use)>,
}

/// Repairs the uses of the first value of each pair; a value may have several copies. What no longer can be reached defines
/// nothing.
pub fn repair(func: &mut Func, pairs: &[(Value, Value)]) {
    let edges = Edges::of(func);
    let home = homes(func, &edges.rpo);
    let mut variables: Vec<Variable> = Vec::new();
    let mut places: SecondaryMap<Value, Option<u32>> = SecondaryMap::new();
    places.resize(func.values.len());
    for (old, new) in pairs {
        let place = *places[*old].get_or_insert_with(|| {
            let at_end = home[*old].map(|block| (block, *old)).into_iter().collect();
            variables.push(Variable { value: *old, at_end, uses: Vec::new() });
            variables.len() as u32 - 1
        });
        variables[place as usize].at_end.extend(home[*new].map(|block| (block, *new)));
    }
    find_uses(func, &edges.rpo, &mut variables, &places);
    let mut reaching = Reaching::new(func, &edges);
    for Variable { value, at_end, uses } in variables.into_iter().filter(|variable| !variable.uses.is_empty()) {
        reaching.start_with(value, at_end);
        for (block, place) in uses {
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
        Use::Argument { target, at } => func.blocks[block].term.target_mut(target).args[at] = value,
    }
}

/// Notes the uses of variables in blocks that do not define them.
fn find_uses(func: &Func, blocks: &[Block], variables: &mut [Variable], places: &SecondaryMap<Value, Option<u32>>) {
    for block in blocks {
        let data = &func.blocks[*block];
        let mut note = |value: Value, place: Use| {
            let Some(variable) = places[value].map(|at| &mut variables[at as usize]) else { return };
            if variable.at_end.iter().all(|(defining, _)| defining != block) {
                variable.uses.push((*block, place));
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
        for (target, to) in data.term.targets().enumerate() {
            for (at, arg) in to.args.iter().enumerate() {
                note(*arg, Use::Argument { target, at });
            }
        }
    }
}

/// Which definition of a variable reaches a place, of one variable after the other.
pub(super) struct Reaching<'a> {
    func: &'a mut Func,
    edges: &'a Edges,
    /// The value whose type new parameters have.
    like: Option<Value>,
    at_end: Definitions,
    at_start: Definitions,
}

/// A definition for some blocks.
#[derive(Default)]
struct Definitions {
    of: SecondaryMap<Block, PackedOption<Value>>,
    known: Vec<Block>,
}

impl Definitions {
    fn insert(&mut self, block: Block, value: Value) {
        self.of[block] = value.into();
        self.known.push(block);
    }

    fn get(&self, block: Block) -> Option<Value> {
        self.of[block].expand()
    }

    fn clear(&mut self) {
        self.known.drain(..).for_each(|block| self.of[block] = None.into());
    }
}

impl<'a> Reaching<'a> {
    pub(super) fn new(func: &'a mut Func, edges: &'a Edges) -> Reaching<'a> {
        let mut reaching =
            Reaching { func, edges, like: None, at_end: Definitions::default(), at_start: Definitions::default() };
        reaching.at_end.of.resize(reaching.func.blocks.len());
        reaching.at_start.of.resize(reaching.func.blocks.len());
        reaching
    }

    /// Goes over to a variable of the type of `like`, with its last definition in each block that has one.
    pub(super) fn start_with(&mut self, like: Value, at_end: impl IntoIterator<Item = (Block, Value)>) {
        self.like = Some(like);
        self.at_start.clear();
        self.at_end.clear();
        at_end.into_iter().for_each(|(block, value)| self.at_end.insert(block, value));
    }

    /// The one that reaches the end of a block.
    pub(super) fn end(&mut self, block: Block) -> Value {
        self.at_end.get(block).unwrap_or_else(|| self.start(block))
    }

    /// The one that reaches the start of a block.
    pub(super) fn start(&mut self, block: Block) -> Value {
        // Blocks with one way in are followed without recursion.
        let mut passed: SmallVec<[Block; 8]> = SmallVec::new();
        let mut at = block;
        let value = loop {
            if let Some(value) = self.at_start.get(at) {
                break value;
            }
            match &self.edges.preds[at] {
                [single] => {
                    passed.push(at);
                    at = *single;
                    if let Some(value) = self.at_end.get(at) {
                        break value;
                    }
                }
                _ => break self.join(at),
            }
        };
        passed.into_iter().for_each(|block| self.at_start.insert(block, value));
        value
    }

    fn join(&mut self, block: Block) -> Value {
        assert!(block != self.func.entry, "a value is used where no definition of it reaches");
        let like = self.like.expect("a variable was begun with");
        let scalar = self.func.values[like].scalar;
        let param = self.func.add_param(block, scalar);
        self.at_start.insert(block, param);
        for pred in &self.edges.preds[block] {
            let value = self.end(*pred);
            for target in self.func.blocks[*pred].term.targets_mut() {
                if target.block == block {
                    target.args.push(value);
                }
            }
        }
        param
    }
}
