//! The memory that a compilation works in, kept on each thread from one function to the next.
//!
//! In: nothing. Out: a [`Workspace`] without a function, for one compilation. Invariant: nothing of one function is
//! left for the next but room.

use cranelift_codegen::Context;
use cranelift_codegen::ir::{Signature, UserFuncName};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use holloway_lang::ir::FuncRef;
use std::cell::Cell;

thread_local! {
    static KEPT: Cell<Option<Box<Workspace>>> = const { Cell::new(None) };
}

/// A function in CLIF, as it is built and as it is compiled.
pub(crate) struct Workspace {
    pub(crate) context: Context,
    builder: FunctionBuilderContext,
}

impl Workspace {
    fn new() -> Workspace {
        Workspace { context: Context::new(), builder: FunctionBuilderContext::new() }
    }

    /// Compiles in the thread's memory. After a panic, which leaves a function half built, that is not used again.
    pub(crate) fn with<R>(compile: impl FnOnce(&mut Workspace) -> R) -> R {
        let mut workspace = KEPT.take().unwrap_or_else(|| Box::new(Workspace::new()));
        workspace.context.clear();
        let done = compile(&mut workspace);
        KEPT.set(Some(workspace));
        done
    }

    /// A builder of the function.
    pub(crate) fn build(&mut self, func: FuncRef, signature: Signature) -> FunctionBuilder<'_> {
        let clif = &mut self.context.func;
        clif.name = UserFuncName::user(0, func.as_u32());
        clif.signature = signature;
        FunctionBuilder::new(clif, &mut self.builder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_codegen::isa::CallConv;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    #[test]
    fn a_panic_leaves_nothing_to_the_next_function() {
        let half = |workspace: &mut Workspace| {
            let mut builder = workspace.build(FuncRef::from_u32(0), Signature::new(CallConv::SystemV));
            let block = builder.create_block();
            builder.switch_to_block(block);
            resume_unwind(Box::new("a fault of the compiler"));
        };
        assert!(catch_unwind(AssertUnwindSafe(|| Workspace::with(half))).is_err());
        // A builder refuses memory that is in use.
        Workspace::with(|workspace| {
            workspace.build(FuncRef::from_u32(1), Signature::new(CallConv::SystemV));
        });
    }
}
