//! Locals as values ([BBHLMZ13]) or as slots.

use super::Builder;
use super::frame::{Frame, handlers};
use super::variables::{Kept, Variable};
use crate::opt::ssa::{Block, Def, Mem, Op, Value};
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use holloway_lang::ir::{self, Cfg, Function, Liveness, Local};

impl Builder<'_> {
    /// Declares the locals of a body; those that are live where some handler starts become slots.
    pub(super) fn declare(&mut self, body: &Function, cfg: &Cfg) -> SecondaryMap<Local, Option<Variable>> {
        let in_memory = live_into_handlers(body, cfg);
        let mut variables = SecondaryMap::new();
        for (local, decl) in body.locals.iter() {
            let kept = if in_memory.contains(local) {
                self.func.slots.push(decl.scalar);
                Kept::Slot(self.func.slots.len() as u32 - 1, decl.scalar)
            } else {
                Kept::Value(decl.scalar)
            };
            variables[local] = Some(self.variables.push(kept));
        }
        variables
    }

    /// [BBHLMZ13] Algorithm 1 `writeVariable`.
    pub(super) fn write(&mut self, at: Block, variable: Variable, value: Value) {
        match self.variables[variable] {
            Kept::Value(_) => {
                self.current.insert((at, variable), value);
            }
            Kept::Slot(slot, _) => {
                let site = self.func.blocks[at].term_site;
                self.func.push(at, Op::Store(Mem::Slot(slot)), [value], None, site);
            }
        }
    }

    /// [BBHLMZ13] Algorithm 1 `readVariable`.
    pub(super) fn read(&mut self, at: Block, variable: Variable) -> Value {
        match self.variables[variable] {
            Kept::Slot(slot, scalar) => {
                let site = self.func.blocks[at].term_site;
                let loaded = self.func.push(at, Op::Load(Mem::Slot(slot)), Vec::new(), Some(scalar), site);
                loaded.expect("a load has a result")
            }
            Kept::Value(_) => self.read_value(at, variable),
        }
    }

    fn read_value(&mut self, at: Block, variable: Variable) -> Value {
        // Chains of blocks with one way into each are followed without recursion: they can be long.
        let mut passed = Vec::new();
        let mut block = at;
        let value = loop {
            if let Some(value) = self.current.get(&(block, variable)) {
                break *value;
            }
            passed.push(block);
            if !self.sealed[block] {
                let value = self.param(block, variable);
                self.incomplete.entry(block).or_default().push((variable, value));
                break value;
            }
            match self.preds[block].as_slice() {
                [single] => block = *single,
                // On a way from a handler nothing was passed: what is received there is not looked at.
                [] if self.passed.has(variable) => break self.func.int(0),
                preds => {
                    assert!(!preds.is_empty() || block != self.func.entry, "a local is read that nothing has assigned");
                    let value = self.param(block, variable);
                    self.current.insert((block, variable), value);
                    break self.add_operands(block, variable, value);
                }
            }
        };
        for block in passed {
            self.current.insert((block, variable), value);
        }
        value
    }

    fn param(&mut self, block: Block, variable: Variable) -> Value {
        let (Kept::Value(scalar) | Kept::Slot(_, scalar)) = self.variables[variable];
        let param = self.func.add_param(block, scalar);
        self.note_merge(variable, param);
        param
    }

    /// [BBHLMZ13] Algorithm 2 `addPhiOperands`.
    fn add_operands(&mut self, block: Block, variable: Variable, param: Value) -> Value {
        let preds = self.preds[block].clone();
        let values: Vec<Value> = preds.iter().map(|pred| self.read_value(*pred, variable)).collect();
        let Def::Param(_, at) = self.func.values[param].def else { unreachable!("a parameter is one") };
        let mut next: hashbrown::HashMap<Block, usize> = hashbrown::HashMap::new();
        for (pred, value) in preds.iter().zip(values) {
            // A block with several edges to here is listed as often; its targets are filled in order.
            let nth = next.entry(*pred).or_default();
            let targets = self.func.blocks[*pred].term.targets_mut();
            let target = targets.filter(|target| target.block == block).nth(*nth);
            let args = &mut target.expect("a predecessor leads here").args;
            *nth += 1;
            args.resize(args.len().max(at as usize + 1), param);
            args[at as usize] = value;
        }
        param
    }

    /// Seals a block if all ways into it are there; a handler, whose locals are slots, at once.
    pub(super) fn seal_if_ready(&mut self, frame: &Frame<'_>, handlers: &EntitySet<ir::Block>, block: ir::Block) {
        let (at, cfg) = (frame.blocks[block.index()], &frame.cfg);
        // Each IR block before it has ended its last SSA block, and the way in from outside is there.
        let expected: usize = cfg.preds(block).len() + usize::from(block == frame.entry);
        if handlers.contains(block) {
            return self.seal(at);
        }
        // Those with several ways into it come more than once.
        if self.preds[at].len() >= expected {
            let mut sources = self.preds[at].clone();
            sources.sort_unstable();
            sources.dedup();
            if sources.len() == expected {
                self.seal(at);
            }
        }
    }

    /// [BBHLMZ13] Algorithm 4 `sealBlock`.
    pub(super) fn seal(&mut self, block: Block) {
        if std::mem::replace(&mut self.sealed[block], true) {
            return;
        }
        while let Some((variable, param)) = self.incomplete.get_mut(&block).and_then(Vec::pop) {
            self.add_operands(block, variable, param);
        }
    }
}

/// Locals that are live at the start of some handler.
fn live_into_handlers(body: &Function, cfg: &Cfg) -> EntitySet<Local> {
    let mut found = EntitySet::new();
    if body.blocks.values().all(|data| data.handler.is_none()) {
        return found;
    }
    let live = Liveness::compute(body, cfg);
    handlers(cfg).iter().flat_map(|handler| live.live_in(handler)).for_each(|local| _ = found.insert(local));
    found
}
