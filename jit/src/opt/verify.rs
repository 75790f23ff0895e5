//! Checks the SSA form; runs after every pass in debug builds.
//!
//! Invariants: (1) targets have one argument for each parameter, of its type; (2) every use is dominated by its
//! definition; (3) an instruction stands in one block, once; (4) nothing jumps to a handler or to the entry, and handlers
//! have no parameters.

use super::cfg::Graph;
use super::ssa::{Block, Def, Func, Inst, Value};
use cranelift_entity::SecondaryMap;

/// What is wrong, in a sentence.
pub fn verify(func: &Func) -> Result<(), String> {
    let graph = Graph::compute(func);
    let mut place: SecondaryMap<Inst, Option<(Block, usize)>> = SecondaryMap::new();
    for block in &graph.rpo {
        for (at, inst) in func.blocks[*block].insts.iter().enumerate() {
            if place[*inst].replace((*block, at)).is_some() {
                return Err(format!("{inst} stands twice"));
            }
        }
    }
    let check = Checker { func, graph: &graph, place: &place };
    graph.rpo.iter().try_for_each(|block| check.block(*block))
}

struct Checker<'a> {
    func: &'a Func,
    graph: &'a Graph,
    place: &'a SecondaryMap<Inst, Option<(Block, usize)>>,
}

impl Checker<'_> {
    fn block(&self, block: Block) -> Result<(), String> {
        let data = &self.func.blocks[block];
        for (at, inst) in data.insts.iter().enumerate() {
            for arg in &self.func.insts[*inst].args {
                self.available(*arg, block, at)?;
            }
        }
        let end = data.insts.len();
        if let Some(value) = data.term.operand() {
            self.available(value, block, end)?;
        }
        if let Some(handler) = data.handler
            && !self.func.blocks[handler].params.is_empty()
        {
            return Err(format!("the handler {handler} has parameters"));
        }
        for target in data.term.targets() {
            let params = &self.func.blocks[target.block].params;
            if target.block == self.func.entry {
                return Err(format!("{block} jumps to the entry"));
            }
            if params.len() != target.args.len() {
                return Err(format!("{block} gives {} arguments to {}", target.args.len(), target.block));
            }
            for (param, arg) in params.iter().zip(&target.args) {
                self.available(*arg, block, end)?;
                if self.func.values[*param].scalar != self.func.values[*arg].scalar {
                    return Err(format!("{block} gives {arg} to {param} of another type"));
                }
            }
        }
        Ok(())
    }

    fn available(&self, value: Value, block: Block, at: usize) -> Result<(), String> {
        let is_there = match self.func.values[value].def {
            Def::Const(_) => true,
            Def::Param(home, index) => {
                self.func.blocks[home].params.get(index as usize) == Some(&value) && self.graph.dominates(home, block)
            }
            Def::Inst(inst) => match self.place[inst] {
                Some((home, position)) if home == block => position < at,
                Some((home, _)) => self.graph.dominates(home, block),
                None => false,
            },
        };
        if is_there { Ok(()) } else { Err(format!("{block} uses {value}, which does not reach it")) }
    }
}
