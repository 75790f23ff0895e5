//! Congruent parameters: of those of a block that get congruent arguments on every edge, one is left.
//!
//! ```text
//!   -> L(x: a, y: a): ...; -> L(b, b)        -> L(x: a, y: a): ...; -> L(b, b), with x for y
//! ```
//!
//! This is the partitioning of [AWZ88], of parameters alone: all of a block and a type are taken to be equal, until
//! arguments tell them apart.
//!
//! In: a function. Out: uses of one parameter for those of the others, which `sweep` drops.
//! Invariant: what is not told apart in the end is equal each time control gets to the block.
//!
//! [AWZ88] B. Alpern, M. N. Wegman, F. K. Zadeck, "Detecting Equality of Variables in Programs", POPL 1988.

use super::Changed;
use super::cfg::Edges;
use super::replacements::Replacements;
use super::ssa::{Block, Func, Value};
use crate::settings::congruent_params::MAX_ROUNDS;
use cranelift_entity::SecondaryMap;
use hashbrown::HashMap;
use holloway_lang::ir::{Operand, Scalar};
use smallvec::SmallVec;

/// A class of parameters, or a value that is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Class {
    Params(u32),
    Constant(Operand),
    Other(Value),
}

/// A class, and those of the arguments on each edge.
type Key = (u32, SmallVec<[Class; 4]>);

/// Replaces parameters by others.
pub(super) fn merge(func: &mut Func) -> Changed {
    let edges = Edges::of(func);
    let Some(class) = partition(func, &edges.rpo) else { return Changed::No };
    let mut with = Replacements::new(func);
    for block in &edges.rpo {
        let params = &func.blocks[*block].params;
        for (at, param) in params.iter().enumerate() {
            let is_same = |other: &&Value| class[**other].is_some() && class[**other] == class[*param];
            if let Some(first) = params[..at].iter().find(is_same) {
                with.insert(*param, *first);
            }
        }
    }
    with.apply(func);
    if with.is_empty() { Changed::No } else { Changed::Yes }
}

/// The class of each parameter; none if that takes too many rounds.
fn partition(func: &Func, blocks: &[Block]) -> Option<SecondaryMap<Value, Option<u32>>> {
    let mut incoming: SecondaryMap<Block, SmallVec<[&[Value]; 2]>> = SecondaryMap::new();
    incoming.resize(func.blocks.len());
    for target in blocks.iter().flat_map(|block| func.blocks[*block].term.targets()) {
        incoming[target.block].push(&target.args);
    }
    let mut class: SecondaryMap<Value, Option<u32>> = SecondaryMap::new();
    class.resize(func.values.len());
    let mut first: HashMap<(Block, Scalar), u32> = HashMap::new();
    let mut params: Vec<(Block, usize, Value)> = Vec::new();
    for block in blocks.iter().filter(|block| **block != func.entry) {
        for (at, param) in func.blocks[*block].params.iter().enumerate() {
            let next = first.len() as u32;
            class[*param] = Some(*first.entry((*block, func.values[*param].scalar)).or_insert(next));
            params.push((*block, at, *param));
        }
    }
    let mut count = first.len();
    for _ in 0..MAX_ROUNDS {
        let mut split: HashMap<Key, u32> = HashMap::new();
        let mut next = Vec::with_capacity(params.len());
        for (block, at, param) in &params {
            let args = incoming[*block].iter().map(|args| class_of(func, &class, args[*at])).collect();
            let number = split.len() as u32;
            let key = (class[*param].expect("a parameter has a class"), args);
            next.push(*split.entry(key).or_insert(number));
        }
        params.iter().zip(next).for_each(|((.., param), number)| class[*param] = Some(number));
        if split.len() == count {
            return Some(class);
        }
        count = split.len();
    }
    None
}

fn class_of(func: &Func, class: &SecondaryMap<Value, Option<u32>>, value: Value) -> Class {
    match (class[value], func.as_const(value)) {
        (Some(class), _) => Class::Params(class),
        (None, Some(constant)) => Class::Constant(constant),
        (None, None) => Class::Other(value),
    }
}
