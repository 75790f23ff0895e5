//! Nests that may be jammed, and what has to be tested for it.
//!
//! In: a loop and the only loop in it. Out: a [`Nest`]: its blocks, the values that differ between outer iterations, and the
//! objects that must not be the ones that latches store to.
//! Invariant: the head and the body of a nest neither write nor depend on what earlier outer iterations computed, but for the counter.

use super::super::cfg::{Graph, Loop};
use super::super::counter::{Counter, Step, counter};
use super::super::if_combine::array_of;
use super::super::loops;
use super::super::op::{Mem, Op};
use super::super::ssa::{Block, Func, Inst, InstData, Target, Term, Value};
use super::in_range::{are_in_range, is_length};
use crate::settings::unroll_and_jam::{MAX_BODY, MAX_DIFFERENT, MAX_TESTS};
use cranelift_entity::EntitySet;
use holloway_lang::ir::BinaryOp;

/// A nest: head, perhaps a block in front of the body, body, latch.
pub(super) struct Nest {
    /// The header of the outer loop.
    pub(super) head: Block,
    /// The preheader of the inner loop, if it is a block of its own.
    pub(super) front: Option<Block>,
    /// The inner loop's only block.
    pub(super) body: Block,
    /// The outer loop's latch.
    pub(super) latch: Block,
    /// The outer loop's counter, and its step.
    pub(super) counter: Counter,
    pub(super) step: i64,
    /// The invariant condition on which the inner loop is entered, and how it is then.
    pub(super) entered_if: Option<(Value, bool)>,
    /// Values of head, front and body that differ between outer iterations.
    pub(super) different: EntitySet<Value>,
    /// Invariant objects that must be different ones.
    pub(super) distinct: Vec<(Value, Value)>,
    /// Loads, each with an object that latches store to, from which it must not be.
    pub(super) tested: Vec<(Inst, Value)>,
}

impl Nest {
    /// Takes a nest apart, if it may be jammed and that promises something.
    pub(super) fn find(func: &mut Func, graph: &Graph, outer: &Loop, inner: &Loop) -> Option<Nest> {
        let (&[body], &[latch]) = (inner.blocks.as_slice(), outer.latches.as_slice()) else { return None };
        let head = outer.header;
        let inside = loops::defined(func, outer);
        let counter = counter(func, outer, &|value| !inside.contains(value))?;
        let Step::Known(step) = counter.step else { return None };
        // A counter that may step beyond its bound may wrap.
        let wraps = if step > 0 { counter.slack > 0 } else { counter.slack < 0 };
        if wraps || func.blocks[head].cold || head == body {
            return None;
        }
        let WayIn { front, entered_if } = WayIn::find(func, head, body, latch)?;
        let blocks: Vec<Block> = [Some(head), front, Some(body), Some(latch)].into_iter().flatten().collect();
        let is_whole = blocks.len() == outer.blocks.len() && outer.blocks.iter().all(|block| blocks.contains(block));
        let leaves = |block: Block, to: Block| func.blocks[block].term.targets().any(|target| target.block == to);
        if !is_whole || !leaves(body, latch) || entered_if.is_some_and(|(cond, _)| inside.contains(cond)) {
            return None;
        }
        let mut nest = Nest {
            head,
            front,
            body,
            latch,
            counter,
            step,
            entered_if,
            different: EntitySet::new(),
            distinct: Vec::new(),
            tested: Vec::new(),
        };
        nest.find_different(func);
        let is_allowed = nest.only_reads(func) && nest.is_independent(func) && nest.is_worth_it(func);
        (is_allowed && nest.is_checked(func, graph, (outer, inner)) && nest.keep_apart(func, &inside).is_some())
            .then_some(nest)
    }

    /// Blocks up to the latch, in order.
    pub(super) fn reading(&self) -> impl Iterator<Item = Block> + use<> {
        [Some(self.head), self.front, Some(self.body)].into_iter().flatten()
    }

    /// The edge from the head or the front to the body.
    pub(super) fn entry<'f>(&self, func: &'f Func) -> &'f Target {
        edge(func, self.front.unwrap_or(self.head), self.body).expect("it enters the body")
    }

    /// The edges to the front and the body.
    fn edges<'f>(&self, func: &'f Func) -> impl Iterator<Item = (Block, &'f Target)> + use<'f> {
        let to_front = self.front.and_then(|front| Some((front, edge(func, self.head, front)?)));
        let back = edge(func, self.body, self.body).map(|back| (self.body, back));
        to_front.into_iter().chain([(self.body, self.entry(func))]).chain(back)
    }

    /// Returns whether an instruction is executed once for each outer iteration.
    pub(super) fn is_different(&self, data: &InstData) -> bool {
        data.args.iter().any(|arg| self.different.contains(*arg))
    }

    /// Returns whether a value grows with the counter, by a step for each outer iteration.
    pub(super) fn grows(&self, func: &Func, value: Value) -> bool {
        let counted = |value: Value| value == self.counter.param;
        let sum = func.def_inst(value).map(|inst| &func.insts[inst]);
        let is_sum = sum.filter(|data| data.op == Op::Binary(BinaryOp::IntAdd)).is_some_and(|data| {
            let (x, y) = (data.args[0], data.args[1]);
            counted(x) && !self.different.contains(y) || counted(y) && !self.different.contains(x)
        });
        self.step > 0 && (counted(value) || is_sum)
    }

    /// Finds what depends on the counter. A parameter of the body does if what it starts with or what it becomes does.
    fn find_different(&mut self, func: &Func) {
        self.different.insert(self.counter.param);
        loop {
            let mut found: Vec<Value> = Vec::new();
            for (to, target) in self.edges(func) {
                let passed = func.blocks[to].params.iter().zip(&target.args);
                found.extend(passed.filter(|(_, arg)| self.different.contains(**arg)).map(|(param, _)| *param));
            }
            for inst in self.reading().flat_map(|block| &func.blocks[block].insts) {
                let data = &func.insts[*inst];
                found.extend(data.result.filter(|_| self.is_different(data)));
            }
            let mut grew = false;
            found.into_iter().for_each(|value| grew |= self.different.insert(value));
            if !grew {
                return;
            }
        }
    }

    /// Returns whether the head and the body only read and check, and the latch does nothing but read, check and store.
    fn only_reads(&self, func: &Func) -> bool {
        let op = |inst: &Inst| func.insts[*inst].op;
        let reads = |op: Op| op.is_pure() && !op.can_fail() || matches!(op, Op::Load(_)) || op.is_check();
        let tested_once = |inst: &Inst| op(inst) == Op::CheckSome && self.is_different(&func.insts[*inst]);
        let in_latch = |op: Op| reads(op) || matches!(op, Op::Store(_));
        self.reading().flat_map(|block| &func.blocks[block].insts).all(|inst| reads(op(inst)) && !tested_once(inst))
            && func.blocks[self.latch].insts.iter().all(|inst| in_latch(op(inst)))
    }

    /// Returns whether what each outer iteration loads and divides by is checked ahead of that in the nest itself, or
    /// the counters alone keep it in range. Other checks may have become needless by what is true once the iterations
    /// before came to their end, and here they have not.
    fn is_checked(&self, func: &mut Func, graph: &Graph, loops: (&Loop, &Loop)) -> bool {
        let insts: Vec<Inst> = self.reading().flat_map(|block| func.blocks[block].insts.clone()).collect();
        let mut unchecked = Vec::new();
        for (at, inst) in insts.iter().enumerate().filter(|(_, inst)| self.is_different(&func.insts[**inst])) {
            let data = &func.insts[*inst];
            let mut checks = insts[..at].iter().map(|ahead| &func.insts[*ahead]).filter(|ahead| ahead.op.is_check());
            match data.op {
                Op::Load(Mem::Elem(_)) => {
                    let array = array_of(func, data.args[0]);
                    let is_that = |check: &InstData| {
                        check.op == Op::CheckIndex
                            && check.args[0] == data.args[1]
                            && is_length(func, check.args[1], array)
                    };
                    unchecked.extend((!checks.any(is_that)).then_some(*inst));
                }
                Op::Binary(op) if op.can_fail() => {
                    let divisor = data.args[1];
                    let is_zero_checked = checks.any(|check| check.op == Op::CheckZero && check.args[0] == divisor);
                    if self.different.contains(divisor) && !is_zero_checked {
                        return false;
                    }
                }
                _ => {}
            }
        }
        are_in_range(func, graph, loops, self.counter, &unchecked)
    }

    /// Returns whether nothing up to the latch needs what earlier outer iterations computed, and the trip count is the same for all.
    fn is_independent(&self, func: &Func) -> bool {
        let params = &func.blocks[self.head].params;
        let passed_on = |value: &Value| *value != self.counter.param && params.contains(value);
        let mut operands = self.reading().flat_map(|block| {
            let data = &func.blocks[block];
            data.insts.iter().flat_map(|inst| &func.insts[*inst].args).copied().chain(data.term.operand())
        });
        let mut passed = self.edges(func).flat_map(|(_, target)| &target.args);
        let same_trips = func.blocks[self.body].term.operand().is_some_and(|cond| !self.different.contains(cond));
        same_trips && !operands.any(|value| passed_on(&value)) && !passed.any(passed_on)
    }

    /// Finds what has to be tested lest a latch stores what a later iteration loads; `None` if it does for sure, or it takes too many tests.
    fn keep_apart(&mut self, func: &Func, inside: &EntitySet<Value>) -> Option<()> {
        let stores = func.blocks[self.latch].insts.iter().map(|inst| &func.insts[*inst]);
        for (mem, store) in stores.filter_map(|data| Some((written(data.op)?, data))) {
            for inst in self.reading().flat_map(|block| &func.blocks[block].insts) {
                let load = &func.insts[*inst];
                if load.op != Op::Load(mem) {
                    continue;
                }
                let (Mem::Elem(_) | Mem::Field(..)) = mem else { return None };
                let (read, written) = (load.args[0], store.args[0]);
                if inside.contains(written) || func.same(read, written) {
                    return None;
                }
                match inside.contains(read) {
                    true => self.tested.push((*inst, written)),
                    false => self.distinct.push((read, written)),
                }
            }
        }
        (self.tested.len() + self.distinct.len() <= MAX_TESTS).then_some(())
    }

    /// Returns whether the body is small, and waits for a sum or product of floats from one iteration to the next.
    fn is_worth_it(&self, func: &Func) -> bool {
        let data = &func.blocks[self.body];
        let back = edge(func, self.body, self.body).expect("a loop has a way back");
        let slow = |value: Value| {
            let op = func.def_inst(value).map(|inst| func.insts[inst].op);
            matches!(op, Some(Op::Binary(BinaryOp::FloatAdd | BinaryOp::FloatSub | BinaryOp::FloatMul)))
        };
        let waits = |(param, next): (&Value, &Value)| self.different.contains(*param) && slow(*next);
        let different = data.insts.iter().filter(|inst| self.is_different(&func.insts[**inst])).count();
        data.insts.len() <= MAX_BODY && different <= MAX_DIFFERENT && data.params.iter().zip(&back.args).any(waits)
    }
}

/// The way from the head to the body.
struct WayIn {
    front: Option<Block>,
    entered_if: Option<(Value, bool)>,
}

impl WayIn {
    fn find(func: &Func, head: Block, body: Block, latch: Block) -> Option<WayIn> {
        let (next, entered_if) = match &func.blocks[head].term {
            Term::Jump(to) => (to.block, None),
            Term::Branch { cond, then, otherwise } if otherwise.block == latch => (then.block, Some((*cond, true))),
            Term::Branch { cond, then, otherwise } if then.block == latch => (otherwise.block, Some((*cond, false))),
            _ => return None,
        };
        let front = (next != body).then_some(next);
        let leads_on = |front: Block| matches!(&func.blocks[front].term, Term::Jump(to) if to.block == body);
        front.is_none_or(leads_on).then_some(WayIn { front, entered_if })
    }
}

/// The edge from one block to another.
pub(super) fn edge(func: &Func, from: Block, to: Block) -> Option<&Target> {
    func.blocks[from].term.targets().find(|target| target.block == to)
}

fn written(op: Op) -> Option<Mem> {
    match op {
        Op::Store(mem) => Some(mem),
        _ => None,
    }
}
