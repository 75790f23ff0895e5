//! Counting together: increments of one counter in a block become one.
//!
//! ```text
//!   count c, 1; x = ...; count c, 1        x = ...; count c, 2
//! ```
//!
//! A function with a single path that is inlined several times is counted once a call, each time in the same memory, which is a chain of
//! loads and stores that wait for each other.
//!
//! Requires: nothing. Preserves: every count at the points where anybody may look at it: a failure, a poll or a call between two increments keeps
//! them apart.

use super::Changed;
use super::op::{Extent, PathSink, Probe};
use super::ssa::{Block, Func, Inst, Op};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if !func.is_probed() {
        return Changed::No;
    }
    let blocks: Vec<Block> = func.blocks.keys().collect();
    blocks.into_iter().fold(Changed::No, |changed, block| changed.or(merge(func, block)))
}

fn merge(func: &mut Func, block: Block) -> Changed {
    // The increments so far that nobody can have looked at: counter, the last instruction, and the sum.
    let mut open: Vec<(usize, Inst, i64)> = Vec::new();
    let mut merged: Vec<Inst> = Vec::new();
    for inst in func.blocks[block].insts.clone() {
        let op = func.insts[inst].op;
        let Some((counter, times)) = counted(func, inst) else {
            if op.can_fail() || op.polls() {
                open.clear();
            }
            continue;
        };
        match open.iter_mut().find(|(known, ..)| *known == counter) {
            None => open.push((counter, inst, times)),
            Some((_, last, sum)) => {
                merged.push(std::mem::replace(last, inst));
                *sum += times;
                let sum = *sum;
                let all = func.int(sum);
                func.insts[inst].op = Op::Probe(Probe::Count(counter));
                func.insts[inst].args = [all].into_iter().collect();
            }
        }
    }
    func.blocks[block].insts.retain(|inst| !merged.contains(inst));
    Changed::when(!merged.is_empty())
}

/// The counter that an instruction adds a constant to, with the constant.
fn counted(func: &Func, inst: Inst) -> Option<(usize, i64)> {
    let data = &func.insts[inst];
    match data.op {
        Op::Probe(Probe::Count(counter)) => Some((counter, func.as_int(data.args[0])?)),
        Op::Probe(Probe::Paths(PathSink::Array(array), Extent::One | Extent::Last)) => {
            let id = func.as_int(data.args[0])?;
            Some((array.wrapping_add_signed(8 * id as isize), 1))
        }
        _ => None,
    }
}
