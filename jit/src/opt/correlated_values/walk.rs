//! A walk of the dominator tree that knows the ranges of values.
//!
//! In: a function, its graph, and ranges that parameters are assumed to have. Out: what is known at each block, to
//! rewrite it by or to look at. Invariant: what a block told is forgotten when it is left.

use crate::opt::Changed;
use crate::opt::cfg::Graph;
use crate::opt::op::negated;
use crate::opt::ssa::{Block, Func, Inst, InstData, Mem, Op, Term, Value};
use crate::range::{self, ANY, Range, WORD, binary, is_bounded, is_comparison, of_access};
use crate::settings::correlated_values::{MAX_DEPTH, MOST_SUMS};
use cranelift_entity::SecondaryMap;
use hashbrown::{HashMap, HashSet};
use holloway_lang::ir::{BinaryOp, Elem, Operand, UnaryOp};

/// The walk, at a block.
pub(in crate::opt) struct Walk<'a> {
    pub(in crate::opt) func: &'a mut Func,
    graph: &'a Graph,
    /// Ranges that parameters are assumed to have.
    pub(super) assumed: &'a HashMap<Value, Range>,
    known: SecondaryMap<Value, Range>,
    /// Pairs of which the first is less.
    less: HashSet<(Value, Value)>,
    /// Values that are less than another one even when so much is added to them.
    far_below: Vec<(Value, Value, i64)>,
    /// The knowledge before, to go back to when a block is left.
    pub(super) undo: Vec<Undo>,
    changed: Changed,
}

/// Knowledge to take back.
pub(super) enum Undo {
    Range(Value, Range),
    Less(Value, Value),
    FarBelow,
}

/// The purpose of a walk.
pub(super) enum Purpose<'a> {
    /// Uses what is known.
    Rewrite,
    /// Shows each instruction to a function, with what is known ahead of it.
    Each(&'a mut dyn FnMut(&Walk<'_>, Inst)),
    /// Shows each block to a function once all that holds at its end is known.
    Look(&'a mut dyn FnMut(&mut Walk<'_>, Block)),
}

/// Knowledge that an edge brings.
pub(super) enum Fact {
    /// A condition holds, or does not.
    Holds(Value, bool),
    /// A value is in a range.
    Within(Value, Range),
}

impl Fact {
    /// Told by going to a block.
    fn of_edge(term: &Term, to: Block) -> Option<Fact> {
        let mut ways = term.targets().enumerate().filter(|(_, target)| target.block == to).map(|(at, _)| at);
        match (ways.next(), ways.next()) {
            (Some(at), None) => Fact::of_target(term, at),
            _ => Fact::of_cases(term, to),
        }
    }

    /// Told by going to one of the targets of a terminator.
    pub(super) fn of_target(term: &Term, at: usize) -> Option<Fact> {
        match term {
            Term::Branch { cond, .. } => Some(Fact::Holds(*cond, at == 0)),
            Term::Switch { value, cases, .. } => {
                let (case, _) = cases.get(at)?;
                Some(Fact::Within(*value, Range { least: *case, most: *case }))
            }
            Term::Jump(_) | Term::Return(_) | Term::Fail(..) | Term::Exit(_) => None,
        }
    }

    /// Told by going from a switch to a block that several cases lead to.
    fn of_cases(term: &Term, to: Block) -> Option<Fact> {
        let Term::Switch { value, cases, default } = term else { return None };
        let here = cases.iter().filter(|(_, target)| target.block == to).map(|(case, _)| *case);
        let range = Range { least: here.clone().min()?, most: here.max()? };
        (default.block != to).then_some(Fact::Within(*value, range))
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(func: &'a mut Func, graph: &'a Graph, assumed: &'a HashMap<Value, Range>) -> Walk<'a> {
        let (mut known, less) = (SecondaryMap::with_default(ANY), HashSet::new());
        known.resize(func.values.len());
        Walk { func, graph, assumed, known, less, far_below: Vec::new(), undo: Vec::new(), changed: Changed::No }
    }

    pub(super) fn walk(mut self, purpose: &mut Purpose<'_>) -> Changed {
        let entry = self.func.entry;
        self.block(entry, purpose);
        let mut stack: Vec<(Option<Block>, usize)> = vec![(self.graph.first_child(entry), 0)];
        while let Some((next, mark)) = stack.last_mut() {
            match *next {
                Some(child) => {
                    *next = self.graph.next_sibling(child);
                    let mark = self.undo.len();
                    self.block(child, purpose);
                    stack.push((self.graph.first_child(child), mark));
                }
                None => {
                    self.forget(*mark);
                    stack.pop();
                }
            }
        }
        self.changed
    }

    fn block(&mut self, block: Block, purpose: &mut Purpose<'_>) {
        if let [single] = &self.graph.preds[block]
            && !self.func.is_handler(block)
        {
            self.learn_edge(*single, block);
        }
        for at in 0..self.func.blocks[block].params.len() {
            let param = self.func.blocks[block].params[at];
            if let Some(range) = self.assumed.get(&param) {
                self.narrow(param, *range);
            }
        }
        for at in 0..self.func.blocks[block].insts.len() {
            let inst = self.func.blocks[block].insts[at];
            match purpose {
                Purpose::Rewrite => self.rewrite(inst),
                Purpose::Each(look) => look(self, inst),
                Purpose::Look(_) => {}
            }
            self.learn_check(inst);
        }
        match purpose {
            Purpose::Rewrite => self.terminator(block),
            Purpose::Each(_) => {}
            Purpose::Look(look) => look(self, block),
        }
    }

    /// Replaces operands by what they are known to be, and operations and checks by what does the same for less.
    fn rewrite(&mut self, inst: Inst) {
        for at in 0..self.func.insts[inst].args.len() {
            let arg = self.func.insts[inst].args[at];
            if let Some(constant) = self.constant(arg) {
                self.func.insts[inst].args[at] = constant;
                self.changed = Changed::Yes;
            }
        }
        let data = &self.func.insts[inst];
        match data.op {
            Op::CheckIndex if self.is_in_range(data.args[0], data.args[1]) => {
                // A check of constants, which folding removes.
                self.func.insts[inst].args = [self.func.int(0), self.func.int(1)].into_iter().collect();
                self.changed = Changed::Yes;
            }
            Op::Binary(op @ (BinaryOp::IntDiv | BinaryOp::IntRem)) => {
                let (dividend, divisor) = (data.args[0], self.func.as_int(data.args[1]));
                let power = divisor.filter(|divisor| *divisor > 0 && divisor & (divisor - 1) == 0);
                if let Some(power) = power
                    && self.range(dividend, 0).least >= 0
                {
                    let (op, by) = match op {
                        BinaryOp::IntRem => (BinaryOp::IntAnd, power - 1),
                        _ => (BinaryOp::IntUshr, i64::from(power.trailing_zeros())),
                    };
                    let by = self.func.int(by);
                    self.func.insts[inst].op = Op::Binary(op);
                    self.func.insts[inst].args[1] = by;
                    self.changed = Changed::Yes;
                }
            }
            _ => {}
        }
    }

    /// Returns whether an index cannot fail its check.
    fn is_in_range(&self, index: Value, len: Value) -> bool {
        let (of_index, of_len) = (self.range(index, 0), self.range(len, 0));
        let is_constant = |value: Value| self.func.as_const(value).is_some();
        if is_constant(index) && is_constant(len) {
            return false;
        }
        if self.is_far_below(index, len) || self.is_remainder(index, len) {
            return true;
        }
        if of_index.least < 0 {
            return false;
        }
        of_index.most < of_len.least || self.is_less(index, len, 0)
    }

    /// True iff a value is known to be less than another one, or it is less by a constant than one that is.
    fn is_less(&self, value: Value, other: Value, depth: u32) -> bool {
        if self.less.is_empty() {
            return false;
        }
        let (base, more) = self.distance(value);
        let wraps = || self.range(base, depth).least.checked_add(more).is_none();
        self.less.contains(&(value, other)) || (more < 0 && self.less.contains(&(base, other)) && !wraps())
    }

    /// True iff a value that is not negative is less than another, as that is known of what it is more than by a constant.
    fn is_far_below(&self, value: Value, other: Value) -> bool {
        let (base, more) = self.distance(value);
        let bears = |by: i64| more <= by && self.range(base, 0).least >= 0;
        more >= 0 && self.far_below.iter().any(|(below, of, by)| (*below, *of) == (base, other) && bears(*by))
    }

    /// True iff a value is the remainder of one that is not negative by another one, which was seen not to be 0, nor is
    /// negative.
    fn is_remainder(&self, value: Value, of: Value) -> bool {
        let Some(data) = self.func.def_inst(value).map(|inst| &self.func.insts[inst]) else { return false };
        let divides = data.op == Op::Binary(BinaryOp::IntRem) && self.func.same(data.args[1], of);
        divides && self.range(data.args[0], 0).least >= 0 && self.range(of, 0).least >= 0
    }

    /// The value that another one is a constant more than, and how much: sums with constants are followed. They may wrap.
    fn distance(&self, value: Value) -> (Value, i64) {
        let (mut base, mut more) = (value, 0_i64);
        for _ in 0..MOST_SUMS {
            let Some(data) = self.func.def_inst(base).map(|inst| &self.func.insts[inst]) else { break };
            let by = match data.op {
                Op::Binary(BinaryOp::IntAdd) => self.func.as_int(data.args[1]),
                Op::Binary(BinaryOp::IntSub) => self.func.as_int(data.args[1]).and_then(i64::checked_neg),
                _ => None,
            };
            let Some(sum) = by.and_then(|by| more.checked_add(by)) else { break };
            (base, more) = (data.args[0], sum);
        }
        (base, more)
    }

    /// The result of a comparison of two values of which one is known to be less.
    fn ordered(&self, op: BinaryOp, x: Value, y: Value, depth: u32) -> Option<Range> {
        let (if_less, if_greater) = match op {
            BinaryOp::IntLt | BinaryOp::IntLe => (1, 0),
            BinaryOp::IntGt | BinaryOp::IntGe => (0, 1),
            BinaryOp::IntEq => (0, 0),
            BinaryOp::IntNe => (1, 1),
            _ => return None,
        };
        let result =
            if self.is_less(x, y, depth) { if_less } else { self.is_less(y, x, depth).then_some(if_greater)? };
        Some(Range { least: result, most: result })
    }

    /// The result of a comparison of values that are a constant more than the same one, if neither sum wraps.
    fn compared(&self, op: BinaryOp, x: Value, y: Value, depth: u32) -> Option<Range> {
        if let Some(result) = self.ordered(op, x, y, depth) {
            return Some(result);
        }
        let ((base, of_x), (of, of_y)) = (self.distance(x), self.distance(y));
        if base != of || x == y {
            return None;
        }
        let range = self.range(base, depth);
        let fits = |more: i64| range.least.checked_add(more).is_some() && range.most.checked_add(more).is_some();
        let just = |more: i64| Range { least: more, most: more };
        (fits(of_x) && fits(of_y)).then(|| binary(op, just(of_x), just(of_y)))
    }

    pub(super) fn forget(&mut self, mark: usize) {
        for undo in self.undo.drain(mark..).rev() {
            match undo {
                Undo::Range(value, range) => self.known[value] = range,
                Undo::Less(x, y) => {
                    self.less.remove(&(x, y));
                }
                Undo::FarBelow => _ = self.far_below.pop(),
            }
        }
    }

    /// The constant that a value was compared with, as a value.
    fn constant(&mut self, value: Value) -> Option<Value> {
        let range = self.known[value];
        if range.least != range.most || self.func.as_const(value).is_some() {
            return None;
        }
        Some(match self.func.values[value].scalar {
            holloway_lang::ir::Scalar::Bool => self.func.constant(Operand::Bool(range.least != 0)),
            holloway_lang::ir::Scalar::Int => self.func.int(range.least),
            _ => return None,
        })
    }

    fn terminator(&mut self, block: Block) {
        let mut term = std::mem::replace(&mut self.func.blocks[block].term, Term::Return(None));
        let known = match &term {
            Term::Branch { cond, then, otherwise } => match self.range(*cond, 0) {
                Range { least: 1, .. } => Some(then.clone()),
                Range { most: 0, .. } => Some(otherwise.clone()),
                _ => None,
            },
            Term::Switch { value, cases, default } => {
                let range = self.range(*value, 0);
                (range.least == range.most).then(|| {
                    let case = cases.iter().find(|(case, _)| *case == range.least);
                    case.map_or_else(|| default.clone(), |(_, target)| target.clone())
                })
            }
            Term::Jump(_) | Term::Return(_) | Term::Fail(..) | Term::Exit(_) => None,
        };
        if let Some(target) = known {
            term = Term::Jump(target);
            self.changed = Changed::Yes;
        }
        if let Term::Return(Some(value)) | Term::Exit(value) = &mut term {
            self.make_constant(value);
        }
        for target in term.targets_mut() {
            target.args.iter_mut().for_each(|arg| self.make_constant(arg));
        }
        self.func.blocks[block].term = term;
    }

    /// Replaces a use by the constant that the value is known to be.
    fn make_constant(&mut self, value: &mut Value) {
        if let Some(constant) = self.constant(*value) {
            *value = constant;
            self.changed = Changed::Yes;
        }
    }

    /// Learns from an edge that is the only one into its target.
    pub(super) fn learn_edge(&mut self, from: Block, to: Block) {
        self.learn_fact(Fact::of_edge(&self.func.blocks[from].term, to));
    }

    pub(super) fn learn_fact(&mut self, fact: Option<Fact>) {
        match fact {
            Some(Fact::Holds(cond, holds)) => self.learn(cond, holds, 0),
            Some(Fact::Within(value, range)) => self.narrow(value, range),
            None => {}
        }
    }

    /// Learns from a check that did not fail.
    pub(super) fn learn_check(&mut self, inst: Inst) {
        let data = &self.func.insts[inst];
        if data.op == Op::CheckIndex {
            let (index, len) = (data.args[0], data.args[1]);
            let (of_index, of_len) = (self.range(index, 0), self.range(len, 0));
            let (least, most) = (of_index.least.max(0), of_index.most.min(of_len.most.saturating_sub(1)));
            // An access whose index the check made a constant would not depend on the check any more, and loops would load it
            // ahead of the check.
            if least < most {
                self.narrow(index, Range { least, most });
            }
        }
    }

    fn learn(&mut self, cond: Value, holds: bool, depth: u32) {
        self.narrow(cond, Range { least: i64::from(holds), most: i64::from(holds) });
        let Some(inst) = self.func.def_inst(cond) else { return };
        if depth == MAX_DEPTH {
            return;
        }
        let InstData { op, args, .. } = &self.func.insts[inst];
        let (op, x, y) = match args[..] {
            [x] => (*op, x, x),
            [x, y] => (*op, x, y),
            _ => return,
        };
        match op {
            Op::Unary(UnaryOp::BoolNot) => self.learn(x, !holds, depth + 1),
            Op::Below if holds => self.learn_below(x, y),
            Op::Binary(BinaryOp::BoolAnd) if holds => {
                [x, y].into_iter().for_each(|arg| self.learn(arg, true, depth + 1))
            }
            Op::Binary(BinaryOp::BoolOr) if !holds => {
                [x, y].into_iter().for_each(|arg| self.learn(arg, false, depth + 1));
            }
            Op::Binary(op) => {
                let Some(op) = (if holds { Some(op) } else { negated(op) }) else { return };
                match op {
                    BinaryOp::IntEq => {
                        let (of_x, of_y) = (self.range(x, 0), self.range(y, 0));
                        self.narrow(x, of_y);
                        self.narrow(y, of_x);
                    }
                    BinaryOp::IntLt => self.learn_order(x, y, 1),
                    BinaryOp::IntLe => self.learn_order(x, y, 0),
                    BinaryOp::IntGt => self.learn_order(y, x, 1),
                    BinaryOp::IntGe => self.learn_order(y, x, 0),
                    BinaryOp::IntNe => {
                        let (of_x, of_y) = (self.range(x, 0), self.range(y, 0));
                        self.exclude(x, of_y);
                        self.exclude(y, of_x);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// `x` is below `y`, unsigned; so is what `x` is the distance of from a constant.
    fn learn_below(&mut self, x: Value, y: Value) {
        let Some(most) = self.range(y, 0).most.checked_sub(1).filter(|most| *most >= 0) else { return };
        if self.range(y, 0).least < 0 {
            return;
        }
        self.narrow(x, Range { least: 0, most });
        let Some(data) = self.func.def_inst(x).map(|inst| &self.func.insts[inst]) else { return };
        if data.op == Op::Binary(BinaryOp::IntAdd)
            && let Some(least) = self.func.as_int(data.args[1]).and_then(i64::checked_neg)
            && let Some(most) = least.checked_add(most)
        {
            let value = data.args[0];
            self.narrow(value, Range { least, most });
        }
    }

    /// `x + by <= y`.
    fn learn_order(&mut self, x: Value, y: Value, by: i64) {
        let (of_x, of_y) = (self.range(x, 0), self.range(y, 0));
        self.narrow(x, Range { least: i64::MIN, most: of_y.most.saturating_sub(by) });
        self.narrow(y, Range { least: of_x.least.saturating_add(by), most: i64::MAX });
        if by > 0 && self.less.insert((x, y)) {
            self.undo.push(Undo::Less(x, y));
        }
        // `x < y - more`: what is not negative does not wrap there.
        let (of, less) = self.distance(y);
        if by > 0 && less < 0 && less > i64::MIN && self.range(of, 0).least >= 0 {
            self.far_below.push((x, of, -less));
            self.undo.push(Undo::FarBelow);
        }
    }

    /// A value at an end of its range that it is known not to have.
    fn exclude(&mut self, value: Value, other: Range) {
        let range = self.range(value, 0);
        if other.least == other.most && range.least < range.most {
            if range.least == other.least {
                self.narrow(value, Range { least: range.least + 1, most: i64::MAX });
            } else if range.most == other.least {
                self.narrow(value, Range { least: i64::MIN, most: range.most - 1 });
            }
        }
    }

    pub(super) fn narrow(&mut self, value: Value, to: Range) {
        if self.func.as_const(value).is_some() {
            return;
        }
        let range = self.range(value, 0);
        let new = Range { least: range.least.max(to.least), most: range.most.min(to.most) };
        // An empty range is code that is never executed.
        if new != range && new.least <= new.most {
            let before = std::mem::replace(&mut self.known[value], new);
            self.undo.push(Undo::Range(value, before));
        }
    }

    /// The range of a value here.
    pub(in crate::opt) fn range(&self, value: Value, depth: u32) -> Range {
        match self.func.as_const(value) {
            Some(Operand::Int(value)) => return Range { least: value, most: value },
            Some(Operand::Bool(value)) => return Range { least: i64::from(value), most: i64::from(value) },
            _ => {}
        }
        let known = self.known[value];
        let made = match self.func.def_inst(value) {
            Some(inst) if depth < MAX_DEPTH => self.range_of(inst, depth + 1),
            _ => ANY,
        };
        let both = Range { least: known.least.max(made.least), most: known.most.min(made.most) };
        if both.least <= both.most { both } else { known }
    }

    /// Returns the range that the operation gives its result.
    fn range_of(&self, inst: Inst, depth: u32) -> Range {
        let data = &self.func.insts[inst];
        let arg = |at: usize| self.range(data.args[at], depth);
        match data.op {
            Op::Load(Mem::Len) => Range::up_to(i64::MAX),
            Op::Load(Mem::Elem(Elem::Byte | Elem::Char)) => Range::up_to(255),
            Op::Load(Mem::Elem(Elem::Int) | Mem::Field(..) | Mem::Global(_)) | Op::Call(_) => {
                data.result.and_then(|result| self.func.ranges.get(&result).copied()).unwrap_or(ANY)
            }
            Op::RotateWord => WORD,
            Op::LinearLoad(access, _) => of_access(access),
            Op::Unary(op) => range::unary(op, arg(0)),
            Op::Binary(op) if is_bounded(op) => {
                let compared =
                    is_comparison(op).then(|| self.compared(op, data.args[0], data.args[1], depth)).flatten();
                compared.unwrap_or_else(|| binary(op, arg(0), arg(1)))
            }
            Op::Select => arg(1).hull(arg(2)),
            _ => ANY,
        }
    }
}
