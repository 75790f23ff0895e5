//! Building the jammed nest beside the one that was there.
//!
//! In: a nest. Out: blocks that execute so many outer iterations of it at once, from which the nest as it was is entered for those that remain, and
//! where a test fails.
//! Invariant: an instruction whose operands are the same for all of them is executed once. The checks of the first iteration are checks; those of the
//! others are branches to the nest as it was, which begins with the first iteration again.

use super::super::cfg::{Graph, Loop};
use super::super::counter::Run;
use super::super::loops;
use super::super::op::Op;
use super::super::ssa::{Args, Block, Func, Inst, InstData, Target, Term, Value};
use super::super::version::{self, Wanted};
use super::nest::{Nest, edge};
use crate::settings::unroll_and_jam::COPIES;
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Scalar};

/// Builds it; gives the header of its inner loop.
pub(super) fn jam(func: &mut Func, graph: &Graph, outer: &Loop, nest: &Nest) -> Block {
    // The nest as it was executes one iteration at least, so that it alone is left.
    let run = Run::followed_by(func, graph, outer, (nest.counter, nest.step), COPIES as i64);
    let before = loops::preheader(func, graph, outer, &loops::blocks(outer));
    let Term::Jump(entering) = func.blocks[before].term.clone() else { unreachable!("a preheader jumps") };
    let limit = run.limit(func, before);
    let head = version::like(func, nest.head);
    let params = add_params(func, head, nest.head);
    let as_it_was = Target { block: nest.head, args: params.clone().into() };
    let mut jam = Jam { func, nest, at: head, of: nest.head, maps: Default::default(), as_it_was };
    jam.start(&params);
    let body = jam.body();
    let next = Target { block: head, args: jam.latches(&params).into() };
    let latch = jam.at;
    let counted = nest.counter.among(func, &next);
    let cond = run.may_start(func, latch, counted, limit);
    let otherwise = Target { block: nest.head, args: next.args.clone() };
    func.blocks[latch].term = Term::Branch { cond, then: next, otherwise };
    let enough = run.may_enter(func, before, limit, &entering);
    enter(func, nest, before, enough, (head, entering));
    body
}

/// Enters the jammed nest where all that is invariant allows it.
fn enter(func: &mut Func, nest: &Nest, before: Block, enough: Vec<Wanted>, (head, entering): (Block, Target)) {
    let site = func.blocks[before].term_site;
    let mut wanted = enough;
    wanted.extend(nest.entered_if);
    for (read, written) in &nest.distinct {
        let is_same = func.push(before, Op::Binary(BinaryOp::RefEq), [*read, *written], Some(Scalar::Bool), site);
        wanted.push((is_same.expect("an operator has a result"), false));
    }
    let to = Target { block: head, args: entering.args.clone() };
    version::enter(func, before, wanted, &to, &entering);
}

/// The nest under construction.
struct Jam<'a> {
    func: &'a mut Func,
    nest: &'a Nest,
    /// The block that grows, and the one whose instructions it gets.
    at: Block,
    of: Block,
    /// For each outer iteration, the value that another one is in it.
    maps: [HashMap<Value, Value>; COPIES],
    as_it_was: Target,
}

impl Jam<'_> {
    /// The heads, and the front.
    fn start(&mut self, params: &[Value]) {
        let own = self.func.blocks[self.nest.head].params.clone();
        self.maps[0].extend(own.into_iter().zip(params.iter().copied()));
        let (counter, first) = (self.nest.counter.param, self.maps[0][&self.nest.counter.param]);
        for nth in 1..COPIES {
            let by = self.func.int(nth as i64 * self.nest.step);
            let value = self.push(Op::Binary(BinaryOp::IntAdd), [first, by], Scalar::Int);
            self.maps[nth].insert(counter, value);
        }
        self.fill(self.nest.head);
        if let Some(front) = self.nest.front {
            let to = edge(self.func, self.nest.head, front).expect("it enters the front").clone();
            for nth in 0..COPIES {
                self.bind(nth, &to);
            }
            self.fill(front);
        }
    }

    /// The inner loop; gives its header.
    fn body(&mut self) -> Block {
        let body = self.nest.body;
        let entry = self.nest.entry(self.func).clone();
        let args = self.args(&entry);
        let block = version::like(self.func, body);
        self.func.blocks[self.at].term = Term::Jump(Target { block, args });
        for param in self.func.blocks[body].params.clone() {
            let scalar = self.func.values[param].scalar;
            let own: Vec<Value> = match self.nest.different.contains(param) {
                true => (0..COPIES).map(|_| self.func.add_param(block, scalar)).collect(),
                false => vec![self.func.add_param(block, scalar); COPIES],
            };
            self.maps.iter_mut().zip(own).for_each(|(map, value)| {
                map.insert(param, value);
            });
        }
        self.at = block;
        self.fill(body);
        let Term::Branch { cond, then, otherwise } = self.func.blocks[body].term.clone() else {
            unreachable!("a rotated loop ends in its test")
        };
        let out = version::like(self.func, self.nest.latch);
        let to = |target: &Target| match target.block == body {
            true => Target { block, args: self.args(target) },
            false => Target { block: out, args: Args::new() },
        };
        let (then, otherwise) = (to(&then), to(&otherwise));
        let cond = self.value(0, cond);
        self.func.blocks[self.at].term = Term::Branch { cond, then, otherwise };
        self.at = out;
        block
    }

    /// The latches, one after the other; gives the values that the last one goes back with.
    fn latches(&mut self, params: &[Value]) -> Vec<Value> {
        let (latch, head) = (self.nest.latch, self.nest.head);
        let exit = edge(self.func, self.nest.body, latch).expect("it leaves the body").clone();
        let back = edge(self.func, latch, head).expect("it goes back").clone();
        let mut carried = params.to_vec();
        for nth in 0..COPIES {
            let own = self.func.blocks[head].params.clone();
            self.maps[nth].extend(own.into_iter().zip(carried));
            self.bind(nth, &exit);
            for inst in self.func.blocks[latch].insts.clone() {
                let data = self.func.insts[inst].clone();
                self.copy(nth, &data);
            }
            carried = back.args.iter().map(|arg| self.value(nth, *arg)).collect();
        }
        carried
    }

    /// The instructions of a block, each for every iteration or once for all.
    fn fill(&mut self, of: Block) {
        self.of = of;
        for inst in self.func.blocks[of].insts.clone() {
            let data = self.func.insts[inst].clone();
            if self.nest.is_different(&data) {
                (0..COPIES).for_each(|nth| self.different(inst, &data, nth));
                continue;
            }
            self.keep_apart(inst, &data, 0);
            let result = self.copy(0, &data);
            if let (Some(old), Some(new)) = (data.result, result) {
                self.maps.iter_mut().for_each(|map| {
                    map.insert(old, new);
                });
            }
        }
    }

    /// An instruction in one of the iterations. The first one comes before all latches and needs no test.
    fn different(&mut self, inst: Inst, data: &InstData, nth: usize) {
        if nth > 0 {
            self.keep_apart(inst, data, nth);
        }
        if nth == 0 || !data.op.is_check() {
            self.copy(nth, data);
            return;
        }
        let args: Vec<Value> = data.args.iter().map(|arg| self.value(nth, *arg)).collect();
        let holds = match data.op {
            // Between the first and the last index, which are in range, are all others.
            Op::CheckIndex if nth < COPIES - 1 && self.is_growing_index(data) => return,
            Op::CheckIndex => self.push(Op::Below, args, Scalar::Bool),
            Op::CheckZero => {
                let zero = self.func.int(0);
                self.push(Op::Binary(BinaryOp::IntNe), [args[0], zero], Scalar::Bool)
            }
            op => unreachable!("{op:?} is not executed for each iteration"),
        };
        self.go_on_if((holds, true));
    }

    fn is_growing_index(&self, data: &InstData) -> bool {
        self.nest.grows(self.func, data.args[0]) && !self.nest.different.contains(data.args[1])
    }

    /// Tests that a load is not from what latches store to.
    fn keep_apart(&mut self, inst: Inst, data: &InstData, nth: usize) {
        for (_, written) in self.nest.tested.iter().filter(|(load, _)| *load == inst) {
            let read = self.value(nth, data.args[0]);
            let is_same = self.push(Op::Binary(BinaryOp::RefEq), [read, *written], Scalar::Bool);
            self.go_on_if((is_same, false));
        }
    }

    /// Goes to the nest as it was unless a condition is as it should be.
    fn go_on_if(&mut self, wanted: (Value, bool)) {
        let next = version::like(self.func, self.of);
        let as_it_was = self.as_it_was.clone();
        self.func.blocks[self.at].term = version::branch(wanted, Target { block: next, args: Args::new() }, as_it_was);
        self.at = next;
    }

    /// An instruction as it is in one of the iterations.
    fn copy(&mut self, nth: usize, data: &InstData) -> Option<Value> {
        let args: Args = data.args.iter().map(|arg| self.value(nth, *arg)).collect();
        let scalar = data.result.map(|value| self.func.values[value].scalar);
        let result = self.func.push(self.at, data.op, args, scalar, data.site);
        if let (Some(old), Some(new)) = (data.result, result) {
            self.maps[nth].insert(old, new);
        }
        result
    }

    /// Gives a block's parameters the values of an edge to it, in one of the iterations.
    fn bind(&mut self, nth: usize, to: &Target) {
        let params = self.func.blocks[to.block].params.clone();
        let args: Vec<Value> = to.args.iter().map(|arg| self.value(nth, *arg)).collect();
        self.maps[nth].extend(params.into_iter().zip(args));
    }

    /// The arguments of an edge to the body: one for each iteration where they differ.
    fn args(&self, to: &Target) -> Args {
        let mut args = Args::new();
        for (param, arg) in self.func.blocks[self.nest.body].params.iter().zip(&to.args) {
            let copies = if self.nest.different.contains(*param) { COPIES } else { 1 };
            args.extend((0..copies).map(|nth| self.value(nth, *arg)));
        }
        args
    }

    fn value(&self, nth: usize, value: Value) -> Value {
        self.maps[nth].get(&value).copied().unwrap_or(value)
    }

    fn push(&mut self, op: Op, args: impl IntoIterator<Item = Value>, scalar: Scalar) -> Value {
        let site = self.func.blocks[self.at].term_site;
        self.func.push(self.at, op, args, Some(scalar), site).expect("it has a result")
    }
}

/// Parameters like those of another block.
fn add_params(func: &mut Func, block: Block, like: Block) -> Vec<Value> {
    let scalars: Vec<Scalar> = func.blocks[like].params.iter().map(|param| func.values[*param].scalar).collect();
    scalars.into_iter().map(|scalar| func.add_param(block, scalar)).collect()
}
