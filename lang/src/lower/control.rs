//! `if`, blocks with values, and `try`.

use super::Lowering;
use crate::ir::{Inst, Local, Scalar};
use crate::tast::{Block, If, Try};

impl Lowering<'_> {
    /// Statements without a value.
    pub(super) fn block(&mut self, block: &Block) {
        self.block_into(block, None);
    }

    /// Statements, then the value into `dst` where one is asked for and control gets there.
    pub(super) fn block_into(&mut self, block: &Block, dst: Option<Local>) {
        for stmt in &block.stmts {
            if self.builder.is_terminated() {
                return;
            }
            self.stmt(stmt);
        }
        if let Some(value) = &block.value
            && !self.builder.is_terminated()
        {
            match dst {
                Some(dst) => self.expr_into(value, dst),
                None => self.drop_value(value),
            }
        }
    }

    /// An `if`, with its value into `dst` where one is asked for.
    pub(super) fn if_into(&mut self, inner: &If, dst: Option<Local>) {
        let done = self.new_block();
        for branch in &inner.branches {
            let (then, otherwise) = (self.new_block(), self.new_block());
            self.cond(&branch.cond, then, otherwise);
            self.builder.switch_to(then);
            self.block_into(&branch.body, dst);
            self.jump(done);
            self.builder.switch_to(otherwise);
        }
        if let Some(block) = &inner.otherwise {
            self.block_into(block, dst);
        }
        self.fall_into(done);
    }

    /// Blocks of the body name the handler; the handler itself belongs to the `try` around, if any.
    pub(super) fn try_stmt(&mut self, inner: &Try) {
        let (handler, done) = (self.new_block(), self.new_block());
        let around = self.handler.replace(handler);
        let body = self.new_block();
        self.fall_into(body);
        self.block(&inner.body);
        self.jump(done);
        self.handler = around;
        self.builder.switch_to(handler);
        let message = match inner.var {
            Some(var) => self.var(var),
            None => self.temp(Scalar::Ref),
        };
        self.push(inner.handler.span, Inst::CatchMessage { dst: message });
        self.block(&inner.handler);
        self.fall_into(done);
    }
}
