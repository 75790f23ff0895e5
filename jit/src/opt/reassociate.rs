//! Reassociation of integer sums with constants [BC94]: `(x + 1) + y` becomes `(x + y) + 1`, so that equal parts are found equal
//! and constants end up in addresses.
//!
//! Requires: nothing. Preserves: every bit; integer sums wrap, so their order does not matter. Every integer value that is a
//! sum with a constant, or a product of one by a constant, is taken as a base and an offset; its base may be made anew.
//!
//! [BC94] P. Briggs, K. D. Cooper, "Effective Partial Redundancy Elimination", PLDI 1994.

use super::Changed;
use super::cfg::Graph;
use super::ssa::{Func, Inst, Op, Value};
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Scalar};

/// A value as the sum of another and a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sum {
    base: Value,
    offset: i64,
}

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    let graph = Graph::of(func);
    let mut sums: HashMap<Value, Sum> = HashMap::new();
    let mut changed = Changed::No;
    for block in &graph.rpo {
        let mut kept: Vec<Inst> = Vec::new();
        for inst in func.blocks[*block].insts.clone() {
            if let Some((before, sum)) = rewrite(func, &sums, inst) {
                kept.extend(before);
                let result = func.insts[inst].result.expect("an operator has a result");
                let data = &func.insts[inst];
                let is_so = data.op == Op::Binary(BinaryOp::IntAdd)
                    && data.args[0] == sum.base
                    && func.as_int(data.args[1]) == Some(sum.offset);
                if !is_so {
                    let args = [sum.base, func.int(sum.offset)];
                    let data = &mut func.insts[inst];
                    data.op = Op::Binary(BinaryOp::IntAdd);
                    data.args = args.into_iter().collect();
                    changed = Changed::Yes;
                }
                sums.insert(result, sum);
            }
            kept.push(inst);
        }
        func.blocks[*block].insts = kept;
    }
    changed
}

/// The sum that an instruction gives, and what must be computed for its base.
fn rewrite(func: &mut Func, sums: &HashMap<Value, Sum>, inst: Inst) -> Option<(Option<Inst>, Sum)> {
    let data = &func.insts[inst];
    let Op::Binary(op) = data.op else { return None };
    let (x, y, site) = (*data.args.first()?, *data.args.get(1)?, data.site);
    let sum = |value: Value| sums.get(&value).copied().unwrap_or(Sum { base: value, offset: 0 });
    let (a, b) = (sum(x), sum(y));
    let (left, right) = (func.as_int(x), func.as_int(y));
    let (args, offset) = match (op, left, right) {
        (BinaryOp::IntAdd, None, Some(by)) => return Some((None, Sum { offset: a.offset.wrapping_add(by), ..a })),
        (BinaryOp::IntAdd, Some(by), None) => return Some((None, Sum { offset: b.offset.wrapping_add(by), ..b })),
        (BinaryOp::IntSub, None, Some(by)) => return Some((None, Sum { offset: a.offset.wrapping_sub(by), ..a })),
        (BinaryOp::IntAdd, None, None) => ((a.base, b.base), a.offset.wrapping_add(b.offset)),
        (BinaryOp::IntSub, None, None) => ((a.base, b.base), a.offset.wrapping_sub(b.offset)),
        (BinaryOp::IntSub, Some(_), None) => ((x, b.base), b.offset.wrapping_neg()),
        (BinaryOp::IntMul, None, Some(by)) => ((a.base, y), a.offset.wrapping_mul(by)),
        (BinaryOp::IntShl, None, Some(by)) if (0..63).contains(&by) => ((a.base, y), a.offset.wrapping_shl(by as u32)),
        _ => return None,
    };
    if offset == 0 {
        return None;
    }
    let made = func.make_inst(Op::Binary(op), [args.0, args.1], Some(Scalar::Int), site);
    let base = func.insts[made].result.expect("an operator has a result");
    Some((Some(made), Sum { base, offset }))
}
