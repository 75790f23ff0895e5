//! Loop-invariant code motion to preheaders [ASU86, section 10.7], innermost loops first.
//!
//! Requires: rotated loops, for anything but cheap operators. Preserves: failures and effects in their order.
//!
//! These move to the preheader of a loop, their operands being defined outside: (1) operators that may be executed
//! speculatively, from anywhere in the loop; (2) checks, from blocks that every iteration executes, if nothing that can fail
//! or be seen comes before them there but polls and counters of comparisons, as the first iteration would then do the same first, and if no handler catches a
//! failure there or before the loop, with what is pending there; (3) loads, from such blocks too, if nothing in the loop may write there (a loop with a
//! handler may write anywhere), and if no check of invariant operands or of their own index stayed behind before them, nor,
//! for elements without a check, one of an invariant index; (4) fields and lengths of objects that are there in any case ([`Present`]) from
//! blocks that enough iterations execute, as long as there are registers for them ([`Registers`]).
//!
//! [ASU86] A. V. Aho, R. Sethi, J. D. Ullman, "Compilers: Principles, Techniques, and Tools", Addison-Wesley 1986.

use super::Changed;
use super::alias::may_be_same;
use super::cfg::{Graph, Loop};
use super::if_combine::checks;
use super::loops;
use super::op::Probe;
use super::pending::PendingPaths;
use super::present::Present;
use super::registers::Registers;
use super::shares::shares;
use super::ssa::{Block, Func, Inst, InstData, Mem, Op, Term, Value};
use super::visit::{Visits, inside_out};
use crate::settings::licm::LEAST_SHARE;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    inside_out(func, Visits::One, hoist)
}

/// The places that a loop may write.
struct Writes {
    everything: bool,
    places: Vec<(Mem, Option<Value>)>,
}

/// Loads of fields and lengths that some iterations do without: their objects are there in any case. They move as long as there are registers for them.
#[derive(Default)]
struct Ahead(Option<(Present, SecondaryMap<Block, f64>, Registers)>);

impl Ahead {
    /// Returns whether a load moves although not every iteration executes it.
    fn reads(&mut self, func: &Func, graph: &Graph, l: &Loop, (block, load): (Block, &InstData)) -> bool {
        let Some(read) = load.result.filter(|_| matches!(load.op, Op::Load(Mem::Field(..) | Mem::Len))) else {
            return false;
        };
        let known = || (Present::of(func, &graph.rpo), shares(func, graph, l), Registers::free_in(func, l));
        let (present, share, registers) = self.0.get_or_insert_with(known);
        let is_worth_it = share[block] >= LEAST_SHARE && present.contains(func, load.args[0]);
        is_worth_it && registers.take(func.values[read].scalar)
    }
}

fn hoist(func: &mut Func, graph: &Graph, l: &Loop) -> Changed {
    let inside = loops::blocks(l);
    let writes = writes(func, l);
    let mut moved: Vec<Inst> = Vec::new();
    let mut defined_inside = loops::defined(func, l);
    let mut effects = false;
    let mut check_stayed = false;
    // What is pending where checks fail that moved, in terms of the header's parameters: one state for all.
    let mut at_checks: Option<PendingPaths> = None;
    // Indices of checks that stayed. The length in such a check may be a parameter of the loop, rotation having copied what loads
    // it, so the check may depend on the loop where the access behind it does not.
    let mut unchecked: Vec<Value> = Vec::new();
    // True if a check of an invariant index stayed, which may be why another element has no check.
    let mut told = false;
    let ends = graph.ends(func, l);
    let mut ahead = Ahead::default();
    for block in &l.blocks {
        // What runs before an inner loop ends runs first only if that loop ends at all.
        effects |= graph.innermost(*block) != graph.innermost(l.header);
        // What failed did so behind effects that are in no block of the loop.
        effects |= func.is_handler(*block);
        // In front of the loop a check would part what moves there with it from the handler.
        let is_caught = [*block, l.header].iter().any(|block| func.blocks[*block].handler.is_some());
        let always = ends.iter().all(|end| graph.dominates(*block, *end));
        let mut pending = PendingPaths::default();
        for inst in func.blocks[*block].insts.iter().copied() {
            let data = &func.insts[inst];
            if let Op::Probe(Probe::Pending(slot)) = data.op {
                pending = pending.with([(slot, data.args.clone())]);
                continue;
            }
            let invariant = data.args.iter().all(|arg| !defined_inside.contains(*arg));
            let goes = invariant
                && match data.op {
                    op if op.is_speculable() => true,
                    op if op.is_check() => {
                        let params = &func.blocks[l.header].params;
                        let is_known = |arg: Value| params.contains(&arg) || !defined_inside.contains(arg);
                        let is_shared = || at_checks.as_ref().is_none_or(|other| other.is_same(func, &pending));
                        always && !effects && !is_caught && pending.values().all(is_known) && is_shared()
                    }
                    Op::Load(Mem::Elem(_)) if unchecked.iter().any(|index| func.same(*index, data.args[1])) => false,
                    Op::Load(Mem::Elem(_)) if told && !moved.iter().any(|check| checks(func, *check, inst)) => false,
                    Op::Load(mem) => {
                        let is_there = always && !check_stayed;
                        !writes.may_write(func, mem, data) && (is_there || ahead.reads(func, graph, l, (*block, data)))
                    }
                    Op::Builtin(builtin) => always && data.op.is_pure() && !builtin.can_fail(),
                    Op::Binary(_) => always && !check_stayed,
                    _ => false,
                };
            if goes {
                if data.op.is_check() {
                    at_checks = Some(pending.clone());
                }
                moved.push(inst);
                if let Some(value) = data.result {
                    defined_inside.remove(value);
                }
            } else if data.op.is_check() {
                check_stayed |= invariant || !always;
                told |= data.op == Op::CheckIndex && !defined_inside.contains(data.args[0]);
                unchecked.extend((data.op == Op::CheckIndex).then(|| data.args[0]));
                effects = true;
            } else if data.op.has_effect() && !has_no_order(func, data.op) {
                effects = true;
            }
        }
    }
    if moved.is_empty() {
        return Changed::No;
    }
    let preheader = loops::preheader(func, graph, l, &inside);
    let mut left: EntitySet<Inst> = EntitySet::with_capacity(func.insts.len());
    moved.iter().for_each(|inst| _ = left.insert(*inst));
    for block in &l.blocks {
        func.blocks[*block].insts.retain(|inst| !left.contains(*inst));
    }
    // Values that are pending may have moved, too.
    let first_check = moved.iter().position(|inst| func.insts[*inst].op.is_check()).unwrap_or(moved.len());
    let checks = moved.split_off(first_check);
    func.blocks[preheader].insts.extend(moved);
    if let Some(pending) = at_checks {
        declare(func, preheader, l, pending);
    }
    func.blocks[preheader].insts.extend(checks);
    Changed::Yes
}

/// Returns whether a failure may come ahead of an operation instead of behind it: of a poll, which may come at any time, and of a counter that two
/// versions are compared by.
fn has_no_order(func: &Func, op: Op) -> bool {
    op == Op::Poll || !func.is_probed() && matches!(op, Op::Probe(Probe::Count(_)))
}

/// Declares in a preheader what is pending in the first iteration.
fn declare(func: &mut Func, preheader: Block, l: &Loop, pending: PendingPaths) {
    let Term::Jump(to) = &func.blocks[preheader].term else { unreachable!("a preheader jumps") };
    let params = &func.blocks[l.header].params;
    let entering = |value: Value| params.iter().position(|param| *param == value).map_or(value, |at| to.args[at]);
    pending.mapped(entering).declare(func, preheader);
}

impl Writes {
    /// Returns whether what a load reads may be written.
    fn may_write(&self, func: &Func, mem: Mem, load: &InstData) -> bool {
        let is_same = |written: Option<Value>| match (written, object(mem, load)) {
            (Some(written), Some(read)) => may_be_same(func, written, read),
            (None, _) | (_, None) => true,
        };
        let is_written = || self.places.iter().any(|(kind, written)| *kind == mem && is_same(*written));
        !mem.is_constant() && (self.everything || is_written())
    }
}

fn writes(func: &Func, l: &Loop) -> Writes {
    // The graph's edge to a handler starts before the block that fails, so that block need not be one of the loop.
    let everything = l.blocks.iter().any(|block| func.is_handler(*block));
    let mut writes = Writes { everything, places: Vec::new() };
    for data in loops::insts(func, l) {
        match data.op {
            Op::Store(mem) => {
                let place = (mem, object(mem, data));
                if !writes.places.contains(&place) {
                    writes.places.push(place);
                }
            }
            op => writes.everything |= op.writes(),
        }
    }
    writes
}

/// The object of a place; places without one have none.
fn object(mem: Mem, access: &InstData) -> Option<Value> {
    (mem.operands() > 0).then(|| access.args[0])
}
