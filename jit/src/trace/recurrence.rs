//! Recurrences: cycles by which what a loop carries is later in each round, however many operations start at once.
//! Blocks that are cold take no part.

use crate::opt::cfg::{Graph, Loop};
use crate::opt::ssa::{Block, Func, Mem, Op, Origin, Target, Value};
use crate::settings::estimate::{
    ALLOCATION, CALL, FLOAT_ARITHMETIC, FLOAT_DIV, INT_DIV, INT_MUL, LOAD, LOAD_NEAR, SETTLED,
};
use hashbrown::HashMap;
use holloway_lang::ir::{self, BinaryOp, LoopId};

/// The recurrence of an iteration of the general loop; 0 if the optimizer left none.
pub(super) fn carried(func: &Func, header: ir::Block) -> f64 {
    let graph = Graph::of(func);
    let has_header = |l: &Loop| l.blocks.iter().any(|block| func.blocks[*block].origin == Origin::own(header));
    let is_run = |l: &Loop| has_header(l) && !func.blocks[l.header].cold;
    let innermost = graph.loops.iter().filter(|(_, l)| is_run(l)).max_by_key(|(_, l)| graph.loop_depth(l.header));
    innermost.map_or(0.0, |(id, _)| recurrence(func, &graph, id))
}

/// Finishes a block: notes the cycles after which each of its results is there, if nothing else takes time.
pub(super) fn finish(func: &Func, block: Block, ready: &mut HashMap<Value, f64>) {
    for inst in &func.blocks[block].insts {
        let inst = &func.insts[*inst];
        let start = inst.args.iter().filter_map(|arg| ready.get(arg)).copied().fold(0.0, f64::max);
        if let Some(result) = inst.result {
            ready.insert(result, start + latency(inst.op));
        }
    }
}

/// Cycles after which the parameters of a target are there.
pub(super) fn passed_on<'a>(
    func: &'a Func,
    target: &'a Target,
    ready: &'a HashMap<Value, f64>,
) -> impl Iterator<Item = (Value, f64)> + 'a {
    let args = target.args.iter().map(|arg| ready.get(arg).copied().unwrap_or(0.0));
    func.blocks[target.block].params.iter().copied().zip(args)
}

/// Keeps the latest that values are there.
pub(super) fn keep_latest(known: &mut HashMap<Value, f64>, values: Vec<(Value, f64)>) {
    for (value, at) in values {
        let known = known.entry(value).or_insert(at);
        *known = known.max(at);
    }
}

/// Cycles by which values that a loop carries are later in each round, if nothing else takes time.
pub(super) fn recurrence(func: &Func, graph: &Graph, of: LoopId) -> f64 {
    let l = &graph.loops[of];
    let blocks: Vec<Block> =
        graph.rpo.iter().copied().filter(|block| l.blocks.contains(block) && !func.blocks[*block].cold).collect();
    let mut carried: HashMap<Value, f64> = HashMap::new();
    let mut latest = [0.0; 2 * SETTLED];
    for round in &mut latest {
        let mut ready = std::mem::take(&mut carried);
        for block in &blocks {
            finish(func, *block, &mut ready);
            let targets = func.blocks[*block].term.targets();
            for target in targets.filter(|target| blocks.contains(&target.block)) {
                let values = passed_on(func, target, &ready).collect();
                keep_latest(if target.block == l.header { &mut carried } else { &mut ready }, values);
            }
        }
        *round = carried.values().copied().fold(0.0, f64::max);
    }
    // The first rounds differ by where each value starts.
    (latest[2 * SETTLED - 1] - latest[SETTLED - 1]) / SETTLED as f64
}

fn latency(op: Op) -> f64 {
    match op {
        Op::Binary(op) => latency_of(op),
        Op::Load(Mem::Slot(_) | Mem::State(_)) => LOAD_NEAR,
        Op::Load(_) => LOAD,
        Op::Call(_) | Op::CallIndirect(_) | Op::Builtin(_) => CALL,
        Op::NewRecord(_) | Op::NewArray(_) | Op::ArrayOf(_) => ALLOCATION,
        Op::OsrPoint | Op::Poll | Op::Sunk(..) | Op::Probe(_) => 0.0,
        _ => 1.0,
    }
}

/// Cycles until the result of an operation on two operands arrives.
pub(super) fn latency_of(op: BinaryOp) -> f64 {
    match op {
        BinaryOp::IntDiv | BinaryOp::IntRem => INT_DIV,
        BinaryOp::FloatDiv => FLOAT_DIV,
        BinaryOp::FloatAdd | BinaryOp::FloatSub | BinaryOp::FloatMul => FLOAT_ARITHMETIC,
        BinaryOp::IntMul => INT_MUL,
        _ => 1.0,
    }
}
