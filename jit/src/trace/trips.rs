//! Inner loops that a trace passes in a known number of rounds: what a few tests in front of one say of all its rounds.
//!
//! In: the steps of one trace. Out: for each step at which such a loop is entered, its [`Trips`]. The loop counts up by one to a bound, and indexes
//! arrays by its counter:
//!
//! ```text
//!     for k in lo..hi { s += x[col[k]] * val[k] }        a trace that passes three rounds tests k < hi four times,
//!                                                        and checks k against each length three times
//!     hi == k + 3,  k >= 0,  k < len(col) - 2, ...       tells the same in front of it
//! ```
//!
//! Tests and checks stay where they are; the optimizer drops those that it sees decided (`opt/correlated_values`).

use super::sequence::{Point, Tree};
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Block, Function, Inst, Local, LoopId, Loops, Operand, Terminator};

/// An inner loop that a trace passes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trips {
    /// Counter of its rounds, up by one each.
    pub(super) counter: Local,
    /// Bound that it stays below.
    pub(super) bound: Local,
    /// Rounds that the trace makes: two at least.
    pub(super) rounds: i64,
    /// Arrays that the counter indexes in the first round and in the last; at least one.
    pub(super) arrays: Vec<Local>,
}

/// The inner loops of a trace that stands alone, by the step at which each is entered. Where traces share steps, they may differ in rounds.
pub(super) fn trips(body: &Function, loops: &Loops, tree: &Tree) -> HashMap<Point, Trips> {
    let points = tree.alone();
    let block = |point: &Point| tree.step(*point).block;
    let passed = |at: usize| {
        let inner = loops.headed_by(block(&points[at]))?;
        if loops.contains(inner, block(&points[at - 1])) {
            return None;
        }
        let run = points[at..].iter().take_while(|point| loops.contains(inner, block(point)));
        let run: Vec<Block> = run.map(block).collect();
        let trips = passed(body, loops, inner, &run)?;
        Some((points[at], trips))
    };
    (1..points.len()).filter_map(passed).collect()
}

/// The rounds of a loop that is passed by a run of blocks.
fn passed(body: &Function, loops: &Loops, inner: LoopId, run: &[Block]) -> Option<Trips> {
    let header = *run.first().filter(|header| run.last() == Some(header))?;
    let (counter, bound) = tested(body, loops, inner, header)?;
    let rounds: Vec<&[Block]> = run[..run.len() - 1].chunk_by(|_, next| *next != header).collect();
    let by_one =
        Inst::Binary { op: BinaryOp::IntAdd, dst: counter, lhs: Operand::Local(counter), rhs: Operand::Int(1) };
    let counts = |round: &&[Block]| insts(body, round).filter(|inst| inst.dst() == Some(counter)).eq([&by_one]);
    if rounds.len() < 2 || !rounds.iter().all(counts) {
        return None;
    }
    let is_assigned = |local: Local| insts(body, run).any(|inst| inst.dst() == Some(local));
    let indexed = |round| -> Vec<Local> {
        let array = |inst: &Inst| match inst {
            Inst::ElemGet { array: Operand::Local(array), index, .. }
            | Inst::ElemSet { array: Operand::Local(array), index, .. } => {
                (*index == Operand::Local(counter)).then_some(*array)
            }
            _ => None,
        };
        insts(body, round).filter_map(array).collect()
    };
    let in_last = indexed(rounds.last()?);
    let mut arrays: Vec<Local> = Vec::new();
    for array in indexed(rounds.first()?) {
        if in_last.contains(&array) && !is_assigned(array) && !arrays.contains(&array) {
            arrays.push(array);
        }
    }
    (!arrays.is_empty() && !is_assigned(bound)).then_some(Trips { counter, bound, rounds: rounds.len() as i64, arrays })
}

fn insts<'a>(body: &'a Function, blocks: &'a [Block]) -> impl Iterator<Item = &'a Inst> {
    blocks.iter().flat_map(|block| &body.blocks[*block].insts)
}

/// The counter and its bound, which the header of a loop compares to stay in it; none if it counts before that.
fn tested(body: &Function, loops: &Loops, inner: LoopId, header: Block) -> Option<(Local, Local)> {
    let data = &body.blocks[header];
    let Terminator::Branch { cond: Operand::Local(cond), then, otherwise } = data.term else { return None };
    let stays = loops.contains(inner, then) && !loops.contains(inner, otherwise);
    let is_assigned = |local: Local| data.insts.iter().any(|inst| inst.dst() == Some(local));
    match data.insts.iter().rfind(|inst| inst.dst() == Some(cond))? {
        Inst::Binary { op: BinaryOp::IntLt, lhs: Operand::Local(counter), rhs: Operand::Local(bound), .. } => {
            (stays && !is_assigned(*counter)).then_some((*counter, *bound))
        }
        _ => None,
    }
}
