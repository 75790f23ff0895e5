//! Store-to-load forwarding over the back edge: what an iteration stores is a parameter of the next one, which does not load it.
//!
//! ```text
//!   L: x = load g; ...; store g, y -> L          v0 = load g -> L(v: v0): ...; store g, y -> L(y)
//! ```
//!
//! This is the register promotion of [CL97] for loads alone. Stores remain, so memory is right whenever somebody else may look;
//! what goes is the latency of the load.
//!
//! Requires: rotated loops, no failure handlers, invariant motion before. Preserves: effects in their order. A place is forwarded
//! if its operands are defined outside the loop, if nothing else in the loop may write there, and if every iteration reads it
//! before it could have left or failed on what does not change. Innermost loops come first; an outer one then takes the first
//! read.
//!
//! [CL97] K. D. Cooper, J. Lu, "Register Promotion in C Programs", PLDI 1997.

use super::Changed;
use super::cfg::{Edges, Graph, Loop};
use super::loops;
use super::repair::Reaching;
use super::replacements::Replacements;
use super::ssa::{Args, Block, Func, Inst, Mem, Op, Value};
use super::visit::{Visits, inside_out};

/// A place: what kind of memory, and the operands that say where.
#[derive(Clone, PartialEq, Eq, Debug)]
struct MemoryPlace {
    mem: Mem,
    args: Args,
}

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    inside_out(func, Visits::UntilStable, |func, graph, l| {
        let Some((place, first)) = candidate(func, graph, l) else { return Changed::No };
        promote(func, graph, l, &place, first);
        Changed::Yes
    })
}

/// A place that the loop both reads and writes, and its first read.
fn candidate(func: &Func, graph: &Graph, l: &Loop) -> Option<(MemoryPlace, Inst)> {
    let inside = loops::defined(func, l);
    let ends = graph.ends(func, l);
    // See `licm`: the length in a check of an invariant index may be a parameter of the loop.
    let mut unchecked: Vec<Value> = Vec::new();
    let mut told = false;
    for block in &l.blocks {
        if !ends.iter().all(|end| graph.dominates(*block, *end)) {
            break;
        }
        for inst in &func.blocks[*block].insts {
            let data = &func.insts[*inst];
            let invariant = data.args.iter().all(|arg| !inside.contains(*arg));
            match data.op {
                Op::CheckIndex if !invariant => {
                    // See `licm`: it may be why an element has no check.
                    told |= !inside.contains(data.args[0]);
                    unchecked.push(data.args[0]);
                }
                Op::Load(Mem::Elem(_)) if told => {}
                Op::Load(Mem::Elem(_)) if unchecked.iter().any(|index| func.same(*index, data.args[1])) => {}
                Op::Load(mem) if invariant && !mem.is_constant() => {
                    let place = MemoryPlace { mem, args: data.args.clone() };
                    if is_own(func, l, &place) {
                        return Some((place, *inst));
                    }
                }
                // It may be what makes sure that a place is there.
                op if op.is_check() && invariant => return None,
                _ => {}
            }
        }
    }
    None
}

/// Returns whether the loop writes a place, and nothing else that may be there.
fn is_own(func: &Func, l: &Loop, place: &MemoryPlace) -> bool {
    let mut written = false;
    for inst in l.blocks.iter().flat_map(|block| &func.blocks[*block].insts) {
        let data = &func.insts[*inst];
        match data.op {
            Op::Store(mem) if mem == place.mem => {
                if !func.all_same(&data.args[..place.args.len()], &place.args) {
                    return false;
                }
                written = true;
            }
            Op::Store(_) => {}
            op if op.writes() => return false,
            _ => {}
        }
    }
    written
}

fn promote(func: &mut Func, graph: &Graph, l: &Loop, place: &MemoryPlace, first: Inst) {
    let before = loops::preheader(func, graph, l, &loops::blocks(l));
    let read = func.insts[first].result.expect("a load has a result");
    let (scalar, site) = (func.values[read].scalar, func.insts[first].site);
    let initial = func.push(before, Op::Load(place.mem), place.args.clone(), Some(scalar), site);
    let initial = initial.expect("a load has a result");
    func.copy_facts(read, initial);
    let mut at_end: Vec<(Block, Value)> = vec![(before, initial)];
    let mut with = Replacements::new(func);
    let mut exposed: Vec<(Block, Value)> = Vec::new();
    for block in &l.blocks {
        let mut known: Option<Value> = None;
        let mut kept = Vec::new();
        for inst in func.blocks[*block].insts.clone() {
            let data = &func.insts[inst];
            let here = matches!(data.op, Op::Load(mem) | Op::Store(mem) if mem == place.mem)
                && func.all_same(&data.args[..place.args.len()], &place.args);
            match (data.op, data.result) {
                (Op::Load(_), Some(result)) if here => {
                    match known {
                        Some(value) => with.insert(result, value),
                        None => exposed.push((*block, result)),
                    }
                    continue;
                }
                (Op::Store(_), _) if here => known = data.args.last().copied(),
                _ => {}
            }
            kept.push(inst);
        }
        func.blocks[*block].insts = kept;
        at_end.extend(known.map(|value| (*block, value)));
    }
    let edges = Edges::of(func);
    let mut reaching = Reaching::new(func, &edges);
    reaching.start_with(initial, at_end);
    for (block, result) in exposed {
        with.insert(result, reaching.start(block));
    }
    with.apply(func);
}
