//! Steps through a forest of path sequences: a look at the slot where the next step should be, and a count.
//!
//! In: a symbol and the slot of the step before. Out: the slot of this step. What it costs is a multiplication that waits for
//! nothing, two loads one after the other, a compare and a counter; only a step taken for the first time calls the runtime.

use super::{Emitter, trusted};
use crate::abi::{Callout, Context};
use crate::steps::{self, COUNT, MASK, MOST_TIMES, SYMBOL, TABLE};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, types};
use std::mem::offset_of;

impl Emitter<'_> {
    /// The step that a path's id is.
    pub(crate) fn step(&mut self, id: clif::Value, slot: clif::Value) -> clif::Value {
        self.step_by(id, id, slot)
    }

    /// All iterations of a loop that has one path: the first one's id, if it has one of its own, that of the others, and how many.
    pub(crate) fn step_repeated(
        &mut self,
        first: Option<clif::Value>,
        id: i64,
        times: clif::Value,
        slot: clif::Value,
    ) -> clif::Value {
        let (head, body, done) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let left = self.builder.append_block_param(head, types::I64);
        let at = self.builder.append_block_param(head, types::I64);
        let last = self.builder.append_block_param(done, types::I64);
        if let Some(first) = first {
            let some = self.builder.create_block();
            self.builder.ins().brif(times, some, [], done, [&BlockArg::Value(slot)]);
            self.builder.switch_to_block(some);
            let behind = self.step(first, slot);
            let others = self.builder.ins().iadd_imm_s(times, -1);
            self.builder.ins().jump(head, [&BlockArg::Value(others), &BlockArg::Value(behind)]);
        } else {
            self.builder.ins().jump(head, [&BlockArg::Value(times), &BlockArg::Value(slot)]);
        }
        self.builder.switch_to_block(head);
        self.builder.ins().brif(left, body, [], done, [&BlockArg::Value(at)]);
        self.builder.switch_to_block(body);
        let most = self.int(MOST_TIMES as i64);
        let now = self.builder.ins().umin(left, most);
        let none = self.int(steps::repeated(id));
        let symbol = self.builder.ins().iadd(now, none);
        let salted = self.builder.ins().iadd_imm_s(now, steps::repeated_salt(id));
        let behind = self.step_by(symbol, salted, at);
        let rest = self.builder.ins().isub(left, now);
        self.builder.ins().jump(head, [&BlockArg::Value(rest), &BlockArg::Value(behind)]);
        self.builder.switch_to_block(done);
        last
    }

    fn step_by(&mut self, symbol: clif::Value, salted: clif::Value, from: clif::Value) -> clif::Value {
        let product = self.builder.ins().imul_imm_s(salted, steps::hash_factor());
        let product = self.builder.ins().ireduce(types::I32, product);
        let hash = self.builder.ins().ushr_imm_u(product, i64::from(steps::HASH_SHIFT));
        let hash = self.builder.ins().uextend(types::I64, hash);
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
        self.callout(Callout::Step, &[]);
        let made = self.load_at(types::I64, self.env.context, offset_of!(Context, step) as i32);
        self.builder.ins().jump(next, [&BlockArg::Value(made)]);

        self.builder.switch_to_block(next);
        let count = self.builder.ins().load(types::I64, trusted(), slot, COUNT);
        let count = self.builder.ins().iadd_imm_s(count, 1);
        self.builder.ins().store(trusted(), count, slot, COUNT);
        slot
    }
}
