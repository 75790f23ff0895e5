//! Checks the SSA form; runs after every pass in debug builds.
//!
//! In: a function and its module. Out: what is wrong, if anything is. Of unreachable blocks only the second invariant holds.
//!
//! Invariants:
//! 1. Every use is dominated by its definition, a failure edge starting where its block does; see [`Graph`].
//! 2. An instruction stands in one block, once: a pass that changes it where it stands in an unreachable block, too, would change
//!    it where it is executed.
//! 3. A target has one argument for each parameter of its block, of that parameter's type.
//! 4. Nothing jumps to the entry or to a handler. A handler has no parameters and starts with `catch_message`, which stands
//!    nowhere else.
//! 5. Every operation has the operands and the result that [`types`] gives for it: functions, fields, globals and slots those
//!    that are declared. Nothing stores a length or a word of the frame state.
//! 6. The condition of a branch is a `bool`, the value of a switch an `int` with distinct cases, the operand of `fail` a `ref`
//!    and that of `exit` an `int`. A return gives what the function returns.
//! 7. Sites, slots and the slots of what is pending exist.
//! 8. The parameters of the entry are those of the function, whose callers pass no others.

mod types;

use super::cfg::Graph;
use super::op::Probe;
use super::ssa::{Block, Def, Func, Inst, Op, Target, Term, Value};
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::{Module, Scalar};

/// Says what is wrong, in a sentence.
pub fn verify(module: &Module, func: &Func) -> Result<(), String> {
    let graph = Graph::of(func);
    let mut place: SecondaryMap<Inst, Option<(Block, usize)>> = SecondaryMap::new();
    for (block, data) in func.blocks.iter() {
        for (at, inst) in data.insts.iter().enumerate() {
            if place[*inst].replace((block, at)).is_some() {
                return Err(format!("{inst} stands twice"));
            }
        }
    }
    let check = Checker { module, func, graph: &graph, place: &place };
    check.declarations()?;
    check.entry()?;
    graph.rpo.iter().try_for_each(|block| check.block(*block))
}

struct Checker<'a> {
    module: &'a Module,
    func: &'a Func,
    graph: &'a Graph,
    place: &'a SecondaryMap<Inst, Option<(Block, usize)>>,
}

impl Checker<'_> {
    fn declarations(&self) -> Result<(), String> {
        let Func { slots, pending, sites, entry_site, .. } = self.func;
        if let Some((_, slot)) = pending.iter().find(|(_, slot)| *slot as usize >= slots.len()) {
            return Err(format!("what is pending is in slot {slot}, which is not declared"));
        }
        let calls = sites.iter().filter_map(|site| site.inlined_at).chain(pending.iter().filter_map(|(call, _)| *call));
        calls.chain([*entry_site]).try_for_each(|site| self.site(site))
    }

    fn entry(&self) -> Result<(), String> {
        let Func { entry, params, blocks, values, .. } = self.func;
        let found = blocks[*entry].params.iter().map(|param| values[*param].scalar);
        if found.eq(params.iter().copied()) { Ok(()) } else { Err(format!("the entry {entry} has other parameters")) }
    }

    fn site(&self, site: u32) -> Result<(), String> {
        let is_there = (site as usize) < self.func.sites.len();
        if is_there { Ok(()) } else { Err(format!("site {site} is not declared")) }
    }

    fn block(&self, block: Block) -> Result<(), String> {
        let data = &self.func.blocks[block];
        for (at, inst) in data.insts.iter().enumerate() {
            self.inst(block, at, *inst)?;
        }
        self.handlers(block)?;
        self.term(block)
    }

    fn inst(&self, block: Block, at: usize, inst: Inst) -> Result<(), String> {
        let data = &self.func.insts[inst];
        data.args.iter().try_for_each(|arg| self.available(*arg, block, at))?;
        self.site(data.site)?;
        match data.op {
            Op::CatchMessage if at > 0 => return Err(format!("{block} catches a message behind other instructions")),
            Op::Probe(Probe::Pending(slot)) if slot as usize + data.args.len() > self.func.slots.len() => {
                return Err(format!("{block} uses slots from {slot} on, which are not declared"));
            }
            _ => {}
        }
        types::check(self.module, self.func, data).map_err(|problem| format!("{block}: {problem}"))
    }

    fn handlers(&self, block: Block) -> Result<(), String> {
        let is_reachable = |handler: &Block| self.graph.is_reachable(*handler);
        let Some(handler) = self.func.blocks[block].handler.filter(is_reachable) else { return Ok(()) };
        if !self.func.blocks[handler].params.is_empty() {
            return Err(format!("the handler {handler} has parameters"));
        }
        if !self.func.is_handler(handler) {
            return Err(format!("the handler {handler} does not start with catch_message"));
        }
        Ok(())
    }

    fn term(&self, block: Block) -> Result<(), String> {
        let data = &self.func.blocks[block];
        let end = data.insts.len();
        self.site(data.term_site)?;
        if let Some(value) = data.term.operand() {
            self.available(value, block, end)?;
        }
        data.term.targets().try_for_each(|target| self.target(block, target))?;
        let wanted = match &data.term {
            Term::Jump(_) => return Ok(()),
            Term::Branch { .. } => Some(Scalar::Bool),
            Term::Switch { cases, .. } => {
                let mut values: Vec<i64> = cases.iter().map(|(case, _)| *case).collect();
                values.sort_unstable();
                if values.windows(2).any(|pair| pair[0] == pair[1]) {
                    return Err(format!("{block} switches to two targets in one case"));
                }
                Some(Scalar::Int)
            }
            Term::Exit(_) => Some(Scalar::Int),
            Term::Return(_) => self.func.result,
            Term::Fail(..) => Some(Scalar::Ref),
        };
        let found = data.term.operand().map(|value| self.func.values[value].scalar);
        if found == wanted { Ok(()) } else { Err(format!("{block} ends with a value of another type")) }
    }

    fn target(&self, block: Block, target: &Target) -> Result<(), String> {
        let params = &self.func.blocks[target.block].params;
        if target.block == self.func.entry {
            return Err(format!("{block} jumps to the entry"));
        }
        if self.func.is_handler(target.block) {
            return Err(format!("{block} jumps to the handler {}", target.block));
        }
        if params.len() != target.args.len() {
            return Err(format!("{block} gives {} arguments to {}", target.args.len(), target.block));
        }
        for (param, arg) in params.iter().zip(&target.args) {
            self.available(*arg, block, self.func.blocks[block].insts.len())?;
            if self.func.values[*param].scalar != self.func.values[*arg].scalar {
                return Err(format!("{block} gives {arg} to {param} of another type"));
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
