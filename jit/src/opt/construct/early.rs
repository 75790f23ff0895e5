//! Calls that mostly end at once: the test with which a callee starts, and the return it leads to, before the call.
//!
//! ```text
//!   v = call f(x)          if test(x) { v = early(x) } else { v = call f(x) }
//! ```
//!
//! In: a call that is not inlined. Out: the test of the callee in the caller, if it is a few operators that can neither fail
//! nor be seen from outside, and one of its ways returns after no more than such. A recursion then makes no call for its
//! base case, which is half of its calls or more.

use super::Builder;
use crate::body::site::Site;
use crate::opt::ssa::{Block, Mem, Op, Value};
use crate::settings::early::MOST;
use hashbrown::HashMap;
use holloway_lang::ir::{self, FuncRef, Function, Inst, Local, Operand, Terminator};

/// The start of a function that may return early.
pub(super) struct Early<'b> {
    test: Vec<&'b Inst>,
    cond: Operand,
    /// The value of `cond` with which the function returns.
    when: bool,
    rest: Vec<&'b Inst>,
    value: Option<Operand>,
}

/// The early return of a function, if it has one.
pub(super) fn early_return(body: &Function) -> Option<Early<'_>> {
    let entry = &body.blocks[body.entry()];
    let Terminator::Branch { cond, then, otherwise } = &entry.term else { return None };
    let test: Vec<&Inst> = entry.insts.iter().collect();
    [(*then, true), (*otherwise, false)].into_iter().find_map(|(block, when)| {
        let (rest, value) = returning(body, block)?;
        let early = Early { test: test.clone(), cond: *cond, when, rest, value };
        early.is_simple(body).then_some(early)
    })
}

/// The instructions on the straight way from a block to a return.
fn returning(body: &Function, block: ir::Block) -> Option<(Vec<&Inst>, Option<Operand>)> {
    let mut insts = Vec::new();
    let mut at = block;
    for _ in 0..MOST {
        let data = &body.blocks[at];
        insts.extend(&data.insts);
        match &data.term {
            Terminator::Jump(to) => at = *to,
            Terminator::Return(value) => return Some((insts, *value)),
            _ => return None,
        }
    }
    None
}

impl Early<'_> {
    /// Returns whether there are few instructions, of the kinds that [`Builder::simple`] knows, that read what they or the caller wrote.
    fn is_simple(&self, body: &Function) -> bool {
        let mut written = body.params.clone();
        let reads = |operand: Operand, written: &[Local]| match operand {
            Operand::Local(local) => written.contains(&local),
            _ => true,
        };
        if self.test.len() + self.rest.len() > MOST {
            return false;
        }
        for (at, inst) in self.test.iter().chain(&self.rest).enumerate() {
            if at == self.test.len() && !reads(self.cond, &written) {
                return false;
            }
            let mut known = is_simple(inst);
            inst.operands(|operand| known &= reads(operand, &written));
            if !known {
                return false;
            }
            written.extend(inst.dst());
        }
        reads(self.cond, &written) && self.value.is_none_or(|value| reads(value, &written))
    }
}

fn is_simple(inst: &Inst) -> bool {
    match inst {
        Inst::Copy { .. } | Inst::Unary { .. } | Inst::FieldGet { .. } | Inst::GlobalGet { .. } | Inst::Len { .. } => {
            true
        }
        Inst::Binary { op, .. } => Op::Binary(*op).is_speculable(),
        _ => false,
    }
}

/// The values of the callee's locals.
type Locals = HashMap<Local, Value>;

impl Builder<'_> {
    /// Calls a function that may return early; gives where control goes on, and the result.
    pub(super) fn call_unless_early(
        &mut self,
        at: Block,
        (func, callee): (FuncRef, &Function),
        early: &Early<'_>,
        args: &[Value],
        site: u32,
    ) -> (Block, Option<Value>) {
        let here = callee.entry();
        let span = callee.blocks[here].term_span;
        self.func.sites.push(Site { func, block: here, span, inlined_at: Some(site), expanded: None.into() });
        let inside = self.func.sites.len() as u32 - 1;
        self.note_either_way(func, here);
        let ways = self.two_ways(at, callee.result, site);
        let [returns, calls] = ways.blocks;
        let mut locals: Locals = callee.params.iter().copied().zip(args.iter().copied()).collect();
        early.test.iter().for_each(|inst| self.simple(at, callee, inst, &mut locals, inside));
        let cond = self.known(early.cond, &locals);
        self.part(at, cond, if early.when { [returns, calls] } else { [calls, returns] }, inside);
        self.func.blocks[returns].term_site = inside;
        early.rest.iter().for_each(|inst| self.simple(returns, callee, inst, &mut locals, inside));
        let value = early.value.map(|value| self.known(value, &locals));
        self.go_on(returns, &ways, value);
        self.note_pending(calls);
        let value = self.func.push(calls, Op::Call(func), args.to_vec(), callee.result, site);
        self.go_on(calls, &ways, value);
        self.note_pending(ways.after);
        (ways.after, ways.result)
    }

    /// Translates an instruction that can neither fail nor be seen from outside.
    fn simple(&mut self, at: Block, body: &Function, inst: &Inst, locals: &mut Locals, site: u32) {
        let mut args = Vec::new();
        inst.operands(|operand| args.push(self.known(operand, locals)));
        let dst = inst.dst().expect("a simple instruction has a result");
        let op = match inst {
            Inst::Copy { .. } => {
                locals.insert(dst, args[0]);
                return;
            }
            Inst::Unary { op, .. } => Op::Unary(*op),
            Inst::Binary { op, .. } => Op::Binary(*op),
            Inst::FieldGet { record, field, .. } => Op::Load(Mem::Field(*record, *field)),
            Inst::GlobalGet { global, .. } => Op::Load(Mem::Global(*global)),
            Inst::Len { .. } => Op::Load(Mem::Len),
            other => unreachable!("{other} is not simple"),
        };
        let value = self.func.push(at, op, args, Some(body.scalar(dst)), site);
        locals.insert(dst, value.expect("it has a result"));
    }

    fn known(&mut self, operand: Operand, locals: &Locals) -> Value {
        match operand {
            Operand::Local(local) => locals[&local],
            constant => self.func.constant(constant),
        }
    }
}
