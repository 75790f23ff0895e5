//! Steps through a forest of path sequences: a look at the slot where the next step should be, and a count.
//!
//! In: a symbol and the slot of the step before. Out: the slot of this step. What it costs is a multiplication that waits for
//! nothing, two loads one after the other, a compare and a counter; a step taken for the first time calls the runtime, and one whose place in the table another has.
//!
//! Loops with one path are symbols of their own: what they report is made here when they are left, and *carried* to the end of
//! the path behind.

use super::{Emitter, trusted};
use crate::abi::{Context, RuntimeCall};
use crate::steps::{self, COUNT, FIRST, MASK, NO_PATH, SYMBOL, TABLE, TIMES};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, types};
use std::mem::offset_of;

/// The report of a loop with one path at its exit.
pub(crate) struct Left {
    /// The id of the first iteration.
    pub(crate) first: clif::Value,
    /// That of every other one.
    pub(crate) id: i64,
    /// The number of iterations.
    pub(crate) times: clif::Value,
    /// That, if it is known.
    pub(crate) known: Option<u64>,
    /// The symbol that was carried into the loop, or 0.
    pub(crate) carried: clif::Value,
    /// True if that may be anything but 0.
    pub(crate) carries: bool,
}

impl Emitter<'_> {
    /// A step; the slot behind it.
    pub(crate) fn step(&mut self, symbol: clif::Value, from: clif::Value) -> clif::Value {
        let factor = self.int(steps::hash_factor());
        let product = self.builder.ins().imul(symbol, factor);
        let hash = self.builder.ins().ushr_imm_u(product, i64::from(steps::HASH_SHIFT));
        let table = self.builder.ins().load(types::I64, trusted(), from, TABLE);
        let mask = self.builder.ins().load(types::I64, trusted(), from, MASK);
        let offset = self.builder.ins().band(hash, mask);
        let expected = self.builder.ins().iadd(table, offset);
        let found = self.builder.ins().load(types::I64, trusted(), expected, SYMBOL);

        let (missing, next) = (self.builder.create_block(), self.builder.create_block());
        let slot = self.builder.append_block_param(next, types::I64);
        self.builder.set_cold_block(missing);
        let other = self.builder.ins().icmp(IntCC::NotEqual, found, symbol);
        self.builder.ins().brif(other, missing, [], next, [&BlockArg::Value(expected)]);
        self.builder.switch_to_block(missing);
        self.store_at(mask, self.env.context, offset_of!(Context, step) as i32);
        self.store_at(symbol, self.env.context, offset_of!(Context, step_symbol) as i32);
        self.runtime_call(RuntimeCall::Step, &[]);
        let made = self.load_at(types::I64, self.env.context, offset_of!(Context, step) as i32);
        self.builder.ins().jump(next, [&BlockArg::Value(made)]);

        self.builder.switch_to_block(next);
        let count = self.builder.ins().load(types::I64, trusted(), slot, COUNT);
        let count = self.builder.ins().iadd_imm_s(count, 1);
        self.builder.ins().store(trusted(), count, slot, COUNT);
        slot
    }

    /// The step that ends what was carried into a loop with one path, if something was and the loop had an iteration: the
    /// first one's path is the last of that symbol.
    pub(crate) fn step_if_carried(&mut self, left: &Left, from: clif::Value) -> clif::Value {
        let (some, next) = (self.builder.create_block(), self.builder.create_block());
        let slot = self.builder.append_block_param(next, types::I64);
        let ran = self.builder.ins().icmp_imm_s(IntCC::NotEqual, left.times, 0);
        let carries = self.builder.ins().icmp_imm_s(IntCC::NotEqual, left.carried, 0);
        let both = self.builder.ins().band(ran, carries);
        self.builder.ins().brif(both, some, [], next, [&BlockArg::Value(from)]);
        self.builder.switch_to_block(some);
        let symbol = self.builder.ins().bor(left.carried, left.first);
        let behind = self.step(symbol, from);
        self.builder.ins().jump(next, [&BlockArg::Value(behind)]);
        self.builder.switch_to_block(next);
        slot
    }

    /// The symbol of a loop with one path but for the path behind it; what was carried into the loop if it had no iteration. Whole
    /// periods are added to the counter at `periods`.
    pub(crate) fn carry(&mut self, left: &Left, period: u64, periods: usize) -> clif::Value {
        if let Some(times) = left.known.filter(|times| *times > 0 && !left.carries) {
            let (whole, rest) = steps::split(times - 1, period);
            if whole > 0 {
                let whole = self.int(whole as i64);
                self.add_at(periods, whole);
            }
            let rest = self.int(rest as i64);
            return self.symbol(left, left.first, rest);
        }
        let (some, done) = (self.builder.create_block(), self.builder.create_block());
        let carried = self.builder.append_block_param(done, types::I64);
        self.builder.ins().brif(left.times, some, [], done, [&BlockArg::Value(left.carried)]);
        self.builder.switch_to_block(some);
        let others = self.builder.ins().iadd_imm_s(left.times, -1);
        let rest = self.without_periods(others, period, periods);
        let symbol = match left.carries {
            false => self.symbol(left, left.first, rest),
            true => {
                // What was carried in takes the first iteration along.
                let carries = self.builder.ins().icmp_imm_s(IntCC::NotEqual, left.carried, 0);
                let no_path = self.int(NO_PATH);
                let first = self.builder.ins().select(carries, no_path, left.first);
                let symbol = self.symbol(left, first, rest);
                let alone = self.builder.ins().icmp_imm_s(IntCC::Equal, others, 0);
                let nothing = self.builder.ins().band(carries, alone);
                let zero = self.int(0);
                self.builder.ins().select(nothing, zero, symbol)
            }
        };
        self.builder.ins().jump(done, [&BlockArg::Value(symbol)]);
        self.builder.switch_to_block(done);
        carried
    }

    /// Iterations that are in a symbol, as [`steps::split`]; the others are counted.
    fn without_periods(&mut self, others: clif::Value, period: u64, periods: usize) -> clif::Value {
        let (many, few) = (self.builder.create_block(), self.builder.create_block());
        let rest = self.builder.append_block_param(few, types::I64);
        let is_few = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, others, 3 * period as i64);
        self.builder.ins().brif(is_few, few, [&BlockArg::Value(others)], many, []);
        self.builder.switch_to_block(many);
        let beyond = self.builder.ins().iadd_imm_s(others, -2 * period as i64);
        let whole = self.builder.ins().udiv_imm_u(beyond, period as i64);
        self.add_at(periods, whole);
        let apart = self.builder.ins().imul_imm_s(whole, period as i64);
        let left = self.builder.ins().isub(others, apart);
        self.builder.ins().jump(few, [&BlockArg::Value(left)]);
        self.builder.switch_to_block(few);
        rest
    }

    fn add_at(&mut self, counter: usize, many: clif::Value) {
        let counter = self.address(counter);
        let count = self.builder.ins().load(types::I64, trusted(), counter, 0);
        let count = self.builder.ins().iadd(count, many);
        self.builder.ins().store(trusted(), count, counter, 0);
    }

    fn symbol(&mut self, left: &Left, first: clif::Value, others: clif::Value) -> clif::Value {
        let first = self.builder.ins().ishl_imm_u(first, i64::from(FIRST));
        let times = self.builder.ins().ishl_imm_u(others, i64::from(TIMES));
        let fields = self.builder.ins().bor(first, times);
        let base = self.int(steps::repeated(left.id));
        self.builder.ins().bor(fields, base)
    }
}
