//! If-combining: conditions of a chain of branches, each of which goes either way by a profile, become one branch.
//!
//! ```text
//!   B: branch a, X, D                B: branch in range(D), F, S      F: D without checks; branch a or b, X, N
//!   D: checks, b = ...; branch b, X, N                                S: branch a, X, D: as it was, which fails where it should
//! ```
//!
//! `D` is executed speculatively where `a` holds. That costs less than a misprediction; a single branch is mispredicted less
//! often than each of several. Longer chains become one at once. [YUW98] reorders such conditions by a profile; combined, their
//! order no longer matters. GCC knows the transformation as `ifcombine`.
//!
//! In code that counts paths this is for chains with one state of the path: where branches tell paths apart, the ways to X bring numbers of their own.
//!
//! Requires: value numbering before, no failure handlers. Preserves: everything; what moves ahead of a branch neither fails nor
//! writes, and each element that is loaded is one that its own check, moved along as part of the test, finds in range.
//! References may be none ahead of a branch that compares them, so chains start with comparisons of other things only.
//!
//! [YUW98] M. Yang, G.-R. Uh, D. B. Whalley, "Improving Performance by Branch Reordering", PLDI 1998.

use super::Changed;
use super::cfg::Graph;
use super::clone::clone_blocks;
use super::op::compares_numbers;
use super::pending::{Pending, work};
use super::repair::repair;
use super::ssa::{Args, Block, Func, Inst, Mem, Op, Target, Term, Value};
use crate::settings::if_combine::{MAX_DEPTH, MAX_ROW, MAX_VAIN};
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Scalar, UnaryOp};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let mut changed = Changed::No;
    let mut after: Vec<Block> = Vec::new();
    let mut graph = Graph::of(func);
    for block in graph.rpo.clone() {
        if !func.goes_either_way(block) || after.contains(&block) {
            continue;
        }
        if let Some(row) = row(func, &graph, block) {
            after.extend(&row.blocks);
            join(func, block, &row);
            graph = Graph::of(func);
            changed = Changed::Yes;
        }
    }
    changed
}

/// Blocks whose branches have one way in common with the branch before the first.
struct Row {
    /// The common target of the branches, that of the one before the row included.
    common: Target,
    blocks: Vec<Block>,
}

/// A branch, as one that goes to one target or onward.
struct Out {
    cond: Value,
    common: Target,
    onward: Target,
}

fn outs(func: &Func, block: Block) -> Vec<Out> {
    let Term::Branch { cond, then, otherwise } = &func.blocks[block].term else { return Vec::new() };
    if then.block == otherwise.block {
        return Vec::new();
    }
    let out = |common: &Target, onward: &Target| Out { cond: *cond, common: common.clone(), onward: onward.clone() };
    vec![out(then, otherwise), out(otherwise, then)]
}

/// The longest row behind a branch.
fn row(func: &Func, graph: &Graph, block: Block) -> Option<Row> {
    let rows = outs(func, block).into_iter().filter_map(|out| row_along(func, graph, block, out));
    rows.max_by_key(|row| row.blocks.len())
}

fn row_along(func: &Func, graph: &Graph, block: Block, first: Out) -> Option<Row> {
    let mut row = Row { common: first.common, blocks: Vec::new() };
    let (mut cond, mut onward, mut vain) = (first.cond, first.onward, 0);
    let pending = Pending::of(func, block);
    while row.blocks.len() < MAX_ROW && is_plain(func, cond, 0) {
        let at = onward.block;
        let data = &func.blocks[at];
        let alone = graph.preds[at].len() == 1 && data.params.is_empty() && !data.cold && at != block;
        vain += work(func, at).len();
        if !alone || vain > MAX_VAIN || !func.goes_either_way(at) || !moves(func, &row.blocks, at) {
            break;
        }
        if !Pending::of(func, at).is_same(func, &pending) {
            break;
        }
        let next = outs(func, at).into_iter().find(|out| {
            let is_common = out.common.block == row.common.block && out.onward.block != row.common.block;
            is_common && func.all_same(&out.common.args, &row.common.args)
        });
        let Some(next) = next else { break };
        row.blocks.push(at);
        (cond, onward) = (next.cond, next.onward);
    }
    (!row.blocks.is_empty()).then_some(row)
}

/// Returns whether a condition says nothing about references.
fn is_plain(func: &Func, cond: Value, depth: u32) -> bool {
    let Some(inst) = func.def_inst(cond) else { return false };
    let data = &func.insts[inst];
    match data.op {
        Op::Load(Mem::Elem(_) | Mem::Field(..) | Mem::Global(_)) => true,
        Op::Unary(UnaryOp::BoolNot) | Op::Binary(BinaryOp::BoolAnd | BinaryOp::BoolOr) if depth < MAX_DEPTH => {
            data.args.iter().all(|arg| is_plain(func, *arg, depth + 1))
        }
        Op::Binary(op) => compares_numbers(op),
        _ => false,
    }
}

/// Returns whether a block can be executed in vain once its checks, and those of the row before it, were found to hold.
fn moves(func: &Func, before: &[Block], block: Block) -> bool {
    let insts = || before.iter().chain([&block]).flat_map(|at| &func.blocks[*at].insts).copied();
    func.blocks[block].insts.iter().all(|inst| {
        let data = &func.insts[*inst];
        match data.op {
            Op::CheckIndex => data.args.iter().all(|arg| is_ahead(func, insts, *arg)),
            Op::Load(Mem::Elem(_)) => func.blocks[block].insts.iter().any(|check| checks(func, *check, *inst)),
            Op::Load(Mem::Len | Mem::Base | Mem::Field(..) | Mem::Global(_)) => true,
            op => op.is_speculable() || op.is_declaration(),
        }
    })
}

/// Returns whether a value is there before the row, or can be computed there.
fn is_ahead<I: Iterator<Item = Inst>>(func: &Func, row: impl Fn() -> I + Copy, value: Value) -> bool {
    let Some(inst) = func.def_inst(value).filter(|inst| row().any(|other| other == *inst)) else { return true };
    let data = &func.insts[inst];
    let pure = data.op.is_speculable() || matches!(data.op, Op::Load(Mem::Len | Mem::Base));
    pure && data.args.iter().all(|arg| is_ahead(func, row, *arg))
}

/// The array or string that elements are loaded from: for the base of a string, the string.
pub(super) fn array_of(func: &Func, from: Value) -> Value {
    let base = func.def_inst(from).map(|inst| &func.insts[inst]).filter(|data| data.op == Op::Load(Mem::Base));
    base.map_or(from, |data| data.args[0])
}

/// Returns whether a check is that of a load.
pub(super) fn checks(func: &Func, check: Inst, load: Inst) -> bool {
    let (check, load) = (&func.insts[check], &func.insts[load]);
    if check.op != Op::CheckIndex || check.args[0] != load.args[1] {
        return false;
    }
    let (len, array) = (check.args[1], array_of(func, load.args[0]));
    let made = func.def_inst(array).map(|inst| &func.insts[inst]);
    let known = made.and_then(|data| match data.op {
        Op::NewArray(_) => Some(data.args[0]),
        Op::Allocated => data.args.get(1).copied(),
        _ => None,
    });
    let loads_len = |inst: Inst| func.insts[inst].op == Op::Load(Mem::Len) && func.insts[inst].args[0] == array;
    func.def_inst(len).is_some_and(loads_len) || known.is_some_and(|known| func.same(known, len))
}

fn join(func: &mut Func, block: Block, row: &Row) {
    let site = func.blocks[block].term_site;
    let before = func.blocks[block].term.clone();
    let in_range = in_range(func, block, row, site);
    let copies = clone_blocks(func, &row.blocks);
    let joined = copies.blocks[&row.blocks[0]];
    if let Some(record) = &mut func.record {
        record.speculated(joined, block);
    }
    let mut conds = vec![(block, before.clone())];
    conds.extend(row.blocks.iter().map(|at| (copies.blocks[at], func.blocks[copies.blocks[at]].term.clone())));
    let mut onward = None;
    let insts: Vec<Inst> = row.blocks.iter().flat_map(|at| func.blocks[copies.blocks[at]].insts.clone()).collect();
    func.blocks[joined].insts = insts.into_iter().filter(|inst| func.insts[*inst].op != Op::CheckIndex).collect();
    row.blocks[1..].iter().for_each(|at| func.blocks[copies.blocks[at]].insts.clear());
    let mut leaves: Option<Value> = None;
    for (_, term) in &conds {
        let Term::Branch { cond, then, otherwise } = term else { unreachable!("a row is of branches") };
        let when = then.block == row.common.block;
        onward = Some(if when { otherwise.clone() } else { then.clone() });
        let one = match when {
            true => *cond,
            false => push(func, joined, Op::Unary(UnaryOp::BoolNot), [*cond], site),
        };
        leaves = Some(match leaves {
            None => one,
            Some(others) => push(func, joined, Op::Binary(BinaryOp::BoolOr), [others, one], site),
        });
    }
    let (cond, otherwise) = leaves.zip(onward).expect("a row has branches");
    func.blocks[joined].term = Term::Branch { cond, then: row.common.clone(), otherwise };
    func.blocks[joined].term_site = func.blocks[*row.blocks.last().expect("a row has blocks")].term_site;
    let to = |block| Target { block, args: Args::new() };
    match in_range {
        None => func.blocks[block].term = Term::Jump(to(joined)),
        Some(cond) => {
            let (origin, handler) = (func.blocks[block].origin, func.blocks[block].handler);
            let slow = func.new_block(origin, handler, site);
            Pending::of(func, block).declare(func, slow);
            func.blocks[slow].term = before;
            func.blocks[slow].cold = true;
            row.blocks.iter().for_each(|at| func.blocks[*at].cold = true);
            func.blocks[block].term = Term::Branch { cond, then: to(joined), otherwise: to(slow) };
        }
    }
    let mut pairs: Vec<(Value, Value)> = copies.values.into_iter().collect();
    pairs.sort_unstable();
    repair(func, &pairs);
}

/// Appends to a block the test that all checks of a row hold.
fn in_range(func: &mut Func, block: Block, row: &Row, site: u32) -> Option<Value> {
    let insts: Vec<Inst> = row.blocks.iter().flat_map(|at| func.blocks[*at].insts.clone()).collect();
    let mut ahead: HashMap<Value, Value> = HashMap::new();
    let mut all: Option<Value> = None;
    for inst in &insts {
        if func.insts[*inst].op != Op::CheckIndex {
            continue;
        }
        let args = func.insts[*inst].args.clone();
        let args: Args = args.into_iter().map(|arg| computed(func, block, &insts, &mut ahead, arg)).collect();
        let below = push(func, block, Op::Below, args, site);
        all = Some(match all {
            None => below,
            Some(others) => push(func, block, Op::Binary(BinaryOp::BoolAnd), [others, below], site),
        });
    }
    all
}

/// Computes a value of a row in a block before it.
fn computed(func: &mut Func, block: Block, row: &[Inst], ahead: &mut HashMap<Value, Value>, value: Value) -> Value {
    if let Some(known) = ahead.get(&value) {
        return *known;
    }
    let Some(inst) = func.def_inst(value).filter(|inst| row.contains(inst)) else { return value };
    let data = func.insts[inst].clone();
    let args: Args = data.args.iter().map(|arg| computed(func, block, row, ahead, *arg)).collect();
    let scalar = func.values[value].scalar;
    let copy = func.push(block, data.op, args, Some(scalar), data.site).expect("it has a result");
    ahead.insert(value, copy);
    copy
}

fn push(func: &mut Func, block: Block, op: Op, args: impl IntoIterator<Item = Value>, site: u32) -> Value {
    func.push(block, op, args, Some(Scalar::Bool), site).expect("it has a result")
}
