//! References left behind in locals that nothing reads any more. The collector takes every word of a frame for a root,
//! so such a reference would keep what it refers to, maybe a whole list that the program has let go.
//!
//! In: a function, its [`Cfg`] and [`Liveness`]. Out: for each instruction during which a collection can happen, the
//! locals to set to `none` once its operands are read.
//! Invariant: a listed local is dead there, and every local that may hold a reference and is dead there is listed, or
//! was cleared before on every path. The operands of a call are listed if they die with it, for the callee may release
//! the objects it was given; those of other instructions are not, for the runtime still needs them.
//!
//! It is forward data flow of "may hold a reference and is dead"; a clear, or an assignment, ends it. So a local is
//! cleared once after its death, at the first instruction where that matters, and loops that never allocate clear
//! nothing. All is counted in changes, not in sets at each instruction, so that large functions take time in
//! proportion.

use super::builtin::{Builtin, Effect};
use super::cfg::{Cfg, EdgeKind};
use super::entity::{Block, Local};
use super::function::Function;
use super::inst::{Inst, Operand, Terminator};
use super::liveness::{Liveness, handler};
use super::sparse_set::SparseSet;
use super::types::Scalar;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

/// The locals to clear at each instruction.
#[derive(Clone, Debug, Default)]
pub struct Stale {
    clears: SecondaryMap<Block, Vec<(u32, Local)>>,
}

impl Stale {
    /// Computes the locals to clear.
    pub fn compute(func: &Function, cfg: &Cfg, live: &Liveness) -> Stale {
        let mut stale = Stale::default();
        if !func.blocks.values().any(|data| data.insts.iter().any(can_collect)) {
            return stale;
        }
        let flow = Flow::compute(func, cfg, live);
        for block in cfg.reverse_postorder() {
            let mut clears = Vec::new();
            flow.through(block, |at, local| clears.push((at, local)));
            if !clears.is_empty() {
                stale.clears[block] = clears;
            }
        }
        stale
    }

    /// The locals to clear from an instruction of a block on: positions of instructions, ascending, each with a local.
    pub fn from(&self, block: Block, inst: usize) -> &[(u32, Local)] {
        let clears = &self.clears[block];
        &clears[clears.partition_point(|(at, _)| (*at as usize) < inst)..]
    }

    /// The locals to clear at one instruction.
    pub fn at(&self, block: Block, inst: usize) -> impl Iterator<Item = Local> + '_ {
        let here = self.from(block, inst).iter().take_while(move |(at, _)| *at as usize == inst);
        here.map(|(_, local)| *local)
    }
}

/// Returns true if a collection can happen while it executes.
pub fn can_collect(inst: &Inst) -> bool {
    match inst {
        Inst::Call { .. }
        | Inst::CallIndirect { .. }
        | Inst::NewRecord { .. }
        | Inst::NewArray { .. }
        | Inst::ArrayOf { .. } => true,
        Inst::Builtin { builtin, .. } => allocates(*builtin),
        Inst::Copy { .. }
        | Inst::Unary { .. }
        | Inst::Binary { .. }
        | Inst::Select { .. }
        | Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::GlobalGet { .. }
        | Inst::GlobalSet { .. }
        | Inst::FieldGet { .. }
        | Inst::FieldSet { .. }
        | Inst::ElemGet { .. }
        | Inst::ElemSet { .. }
        | Inst::Len { .. }
        | Inst::Unwrap { .. }
        | Inst::CatchMessage { .. } => false,
    }
}

/// Returns true if a builtin may make an object: what comes from outside is one, too.
fn allocates(builtin: Builtin) -> bool {
    matches!(builtin, Builtin::Host(_))
        || builtin.effect() == Effect::Allocates
        || builtin.effect() == Effect::Writes && builtin.result() == Some(Scalar::Ref)
}

/// A local that holds references, numbered among these alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Reference(u32);
entity_impl!(Reference, "reference");

/// The aspect of an instruction that matters here.
#[derive(Clone, Copy)]
enum Step {
    /// A collection can happen at this position.
    Collect(u32),
    /// A failure can leave the block.
    Fail,
    /// It is assigned, and read later.
    Assign(Reference),
    /// It is assigned, and never read.
    AssignDead(Reference),
    /// It was read for the last time before it is assigned again.
    Dies(Reference),
}

/// The locals that may hold a reference when a block is left, dead or live.
struct Ends {
    /// At its end.
    at_end: SparseSet<Reference>,
    /// At any of its instructions that can fail, after the clears there.
    at_failures: SparseSet<Reference>,
}

struct Flow<'a> {
    func: &'a Function,
    live: &'a Liveness,
    locals: PrimaryMap<Reference, Local>,
    number: SecondaryMap<Local, PackedOption<Reference>>,
    steps: SecondaryMap<Block, Vec<Step>>,
    /// Dead locals that may hold a reference when a block starts.
    dead_at_start: SecondaryMap<Block, SparseSet<Reference>>,
}

impl<'a> Flow<'a> {
    fn compute(func: &'a Function, cfg: &Cfg, live: &'a Liveness) -> Flow<'a> {
        let mut flow = Flow {
            func,
            live,
            locals: PrimaryMap::new(),
            number: SecondaryMap::with_capacity(func.locals.len()),
            steps: SecondaryMap::with_capacity(func.blocks.len()),
            dead_at_start: SecondaryMap::with_capacity(func.blocks.len()),
        };
        for local in func.locals.keys().filter(|local| func.scalar(*local) == Scalar::Ref) {
            flow.number[local] = flow.locals.push(local).into();
        }
        for block in cfg.reverse_postorder() {
            flow.steps[block] = flow.steps_of(cfg, block);
        }
        let unread = func.params.iter().filter(|param| !live.is_live_in(func.entry(), **param));
        flow.dead_at_start[func.entry()] = flow.references(unread.copied());
        let mut changed = true;
        while changed {
            changed = false;
            for block in cfg.reverse_postorder() {
                let ends = flow.through(block, |_, _| {});
                for (to, kind) in cfg.succs(block) {
                    let held = if *kind == EdgeKind::Failure { &ends.at_failures } else { &ends.at_end };
                    for local in held.iter().filter(|local| !live.is_live_in(*to, flow.locals[*local])) {
                        changed |= flow.dead_at_start[*to].insert(local);
                    }
                }
            }
        }
        flow
    }

    /// The steps of a block, found backwards from the live locals at its end.
    fn steps_of(&self, cfg: &Cfg, block: Block) -> Vec<Step> {
        let data = &self.func.blocks[block];
        let handler = handler(cfg, block);
        let is_kept = |local: Reference| handler.is_some_and(|to| self.live.is_live_in(to, self.locals[local]));
        let mut live = self.references(self.live.live_out(block));
        data.term.operand().and_then(|operand| self.reference(operand)).map(|local| live.insert(local));
        let mut steps = Vec::new();
        let fail =
            |steps: &mut Vec<Step>, fails: bool| steps.extend((fails && handler.is_some()).then_some(Step::Fail));
        fail(&mut steps, matches!(data.term, Terminator::Fail { .. }));
        for (at, inst) in data.insts.iter().enumerate().rev() {
            if let Some(dst) = inst.dst().and_then(|dst| self.number[dst].expand()) {
                let is_read = live.remove(dst) || is_kept(dst);
                steps.push(if is_read { Step::Assign(dst) } else { Step::AssignDead(dst) });
            }
            // The operands of a call die before the callee runs, those of other instructions when all is done.
            if inst.is_call() {
                fail(&mut steps, true);
                steps.push(Step::Collect(at as u32));
            }
            inst.operands(|operand| {
                if let Some(local) = self.reference(operand).filter(|local| live.insert(*local) && !is_kept(*local)) {
                    steps.push(Step::Dies(local));
                }
            });
            if !inst.is_call() {
                fail(&mut steps, inst.can_fail());
                steps.extend(can_collect(inst).then_some(Step::Collect(at as u32)));
            }
        }
        steps.reverse();
        steps
    }

    /// Goes through a block; calls `clear` with each position and local to clear there.
    fn through(&self, block: Block, mut clear: impl FnMut(u32, Local)) -> Ends {
        let mut dead = self.dead_at_start[block].clone();
        // Those that were dead at the start, until a collection has cleared them, and those that died since.
        let mut before = Some(dead.clone());
        let mut pending: Vec<Reference> = Vec::new();
        let mut held = self.references(self.live.live_in(block));
        held.add_all(&dead);
        let (mut at_failures, mut unseen) = (SparseSet::new(), held.clone());
        for step in &self.steps[block] {
            match *step {
                Step::Collect(at) => {
                    pending.extend(before.take().iter().flat_map(SparseSet::iter));
                    pending.sort_unstable();
                    for local in pending.drain(..).filter(|local| dead.remove(*local)) {
                        held.remove(local);
                        unseen.remove(local);
                        clear(at, self.locals[local]);
                    }
                }
                Step::Fail => {
                    at_failures.add_all(&unseen);
                    unseen.clear();
                }
                Step::Assign(local) => {
                    held.insert(local);
                    unseen.insert(local);
                    dead.remove(local);
                }
                Step::AssignDead(local) => {
                    held.insert(local);
                    unseen.insert(local);
                    dead.insert(local);
                    pending.push(local);
                }
                Step::Dies(local) => {
                    dead.insert(local);
                    pending.push(local);
                }
            }
        }
        Ends { at_end: held, at_failures }
    }

    fn reference(&self, operand: Operand) -> Option<Reference> {
        match operand {
            Operand::Local(local) => self.number[local].expand(),
            Operand::Int(_)
            | Operand::Float(_)
            | Operand::Bool(_)
            | Operand::Str(_)
            | Operand::Func(_)
            | Operand::NoneRef
            | Operand::NoneFunc => None,
        }
    }

    fn references(&self, locals: impl Iterator<Item = Local>) -> SparseSet<Reference> {
        locals.filter_map(|local| self.number[local].expand()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use cranelift_entity::EntityRef;

    /// The clears, as `block.instruction local`.
    fn clears(blocks: &str) -> Vec<String> {
        let text = format!(
            "type t0 = int\ntype t1 = str\nsig0 = (t1) -> t1\nsig1 = ()\nstring s0 = \"x\"\nglobal g0 \"g\": t1
            function f0 \"f\" sig0(v0: ref) -> ref {{
            local v1: ref\nlocal v2: ref\nlocal v3: bool\n{blocks}\n}}
            function f1 \"nothing\" sig1() {{ block0: return }}"
        );
        let module = parse::module(&text).expect("well formed");
        let func = &module.funcs.values().next().expect("a function").body;
        let cfg = Cfg::compute(func);
        let stale = Stale::compute(func, &cfg, &Liveness::of_references(func, &cfg));
        let mut lines = Vec::new();
        for (block, data) in func.blocks.iter() {
            for at in 0..data.insts.len() {
                lines.extend(stale.at(block, at).map(|local| format!("{}.{at} {local}", block.index())));
            }
        }
        lines
    }

    #[test]
    fn the_dead_are_cleared_once_where_a_collection_can_happen() {
        let found = clears(
            "block0:
                v1 = builtin str_concat(v0, v0)
                v3 = req v1, none
                v3 = rne v1, none
                call f1()
                call f1()
                return s0",
        );
        assert_eq!(found, ["0.3 v0", "0.3 v1"]);
    }

    #[test]
    fn operands_die_with_a_call_but_not_with_an_allocation() {
        assert_eq!(clears("block0: v1 = call f0(v0) return v1"), ["0.0 v0"]);
        assert_eq!(clears("block0: v1 = builtin str_concat(v0, v0) return v1"), [] as [&str; 0]);
        assert_eq!(clears("block0: v1 = call f0(v0) v1 = call f0(v0) return v1"), ["0.1 v0", "0.1 v1"]);
    }

    #[test]
    fn an_old_value_dies_before_it_is_assigned_anew() {
        let found = clears(
            "block0: v1 = copy none jump block1
            block1: v1 = builtin str_of_int(1) global_set g0, v1 jump block1",
        );
        assert_eq!(found, ["1.0 v0", "1.0 v1"]);
        let found = clears(
            "block0: v1 = copy none jump block1
            block1: v1 = builtin str_concat(v1, s0) jump block1",
        );
        assert_eq!(found, ["1.0 v0"], "here it is needed");
    }

    #[test]
    fn what_dies_on_an_edge_is_cleared_behind_it() {
        let found = clears(
            "block0: v3 = req v0, none branch v3, block1, block2
            block1: call f1() return s0
            block2: call f1() return v0",
        );
        assert_eq!(found, ["1.0 v0"]);
    }

    #[test]
    fn handlers_keep_what_they_need_and_let_go_of_the_rest() {
        let found = clears(
            "block0: jump block1
            block1 catch block2: v1 = builtin str_of_int(1) v0 = copy v1 call f1() return v0
            block2: v2 = catch_message call f1() return v0",
        );
        assert_eq!(found, ["1.2 v1", "2.1 v2"]);
        let found = clears(
            "block0: jump block1
            block1 catch block2: v1 = builtin str_of_int(1) v0 = copy v1 v2 = unwrap v1 call f1() return v0
            block2: v2 = catch_message call f1() return v0",
        );
        assert_eq!(found, ["1.3 v1", "1.3 v2", "2.1 v1", "2.1 v2"], "it may fail before v1 is cleared");
    }
}
