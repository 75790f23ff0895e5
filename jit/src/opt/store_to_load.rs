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
//! before it could have left or failed on what does not change; or if it is a field or a global that is there in any case ([`Present`]) and enough
//! iterations read it. Innermost loops come first; an outer one then takes the first read.
//!
//! [CL97] K. D. Cooper, J. Lu, "Register Promotion in C Programs", PLDI 1997.

use super::cfg::{Edges, Graph, Loop};
use super::loops;
use super::memory_place::{MemoryPlace, accessed};
use super::present::Present;
use super::repair::Reaching;
use super::replacements::Replacements;
use super::shares::shares;
use super::ssa::{Block, Func, Inst, Mem, Op, Value};
use super::visit::{Visits, inside_out};
use super::{Changed, congruent_params};
use crate::settings::store_to_load::{LEAST_SHARE, MOST_PARAMS};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let changed = inside_out(func, Visits::UntilStable, |func, graph, l| {
        let found = read_first(func, graph, l).or_else(|| read_somewhere(func, graph, l));
        let Some((place, read)) = found else { return Changed::No };
        promote(func, graph, l, &place, read);
        Changed::Yes
    });
    if changed == Changed::Yes {
        // What several loops of a nest pass on has a name from each of them.
        congruent_params::merge(func);
    }
    changed
}

/// A place that the loop both reads and writes and that each iteration reads before anything may say that it is not
/// there, and its first read.
fn read_first(func: &Func, graph: &Graph, l: &Loop) -> Option<(MemoryPlace, Inst)> {
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
                    if place.is_own(func, l) {
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

/// A field or global that the loop writes and that enough of its iterations read, and a read of it. It is there in any
/// case.
fn read_somewhere(func: &Func, graph: &Graph, l: &Loop) -> Option<(MemoryPlace, Inst)> {
    if func.blocks[l.header].cold || func.blocks[l.header].params.len() >= MOST_PARAMS {
        return None;
    }
    let written = written(func, l)?;
    let inside = loops::defined(func, l);
    let mut reads = accessed(func, l, &shares(func, graph, l), |data| {
        matches!(data.op, Op::Load(mem @ (Mem::Field(..) | Mem::Global(_))) if written.contains(&mem))
            && !data.args.iter().any(|arg| inside.contains(*arg))
    });
    reads.retain(|(.., all)| *all >= LEAST_SHARE);
    reads.retain(|(place, ..)| place.is_own(func, l));
    let present = (!reads.is_empty()).then(|| Present::of(func, &graph.rpo))?;
    let is_there = |place: &MemoryPlace| place.args.iter().all(|object| present.contains(func, *object));
    reads.into_iter().find(|(place, ..)| is_there(place)).map(|(place, read, _)| (place, read))
}

/// The kinds of fields and globals that a loop writes, if there are some, and if nothing there may write anywhere.
fn written(func: &Func, l: &Loop) -> Option<Vec<Mem>> {
    let mut written = Vec::new();
    for data in loops::insts(func, l) {
        match data.op {
            Op::Store(mem @ (Mem::Field(..) | Mem::Global(_))) if !written.contains(&mem) => written.push(mem),
            Op::Store(_) => {}
            op if op.writes() => return None,
            _ => {}
        }
    }
    (!written.is_empty()).then_some(written)
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
            let here = place.is_of(func, data);
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
