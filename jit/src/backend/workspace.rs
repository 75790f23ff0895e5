//! The memory that a compilation works in, kept on each thread from one function to the next.
//!
//! In: nothing. Out: a [`Workspace`] without a function, for one compilation. Invariant: nothing of one function is
//! left for the next but room.

use cranelift_codegen::Context;
use cranelift_codegen::ir::{Signature, UserFuncName};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use holloway_lang::ir::FuncRef;
use std::cell::RefCell;

thread_local! {
    static KEPT: RefCell<Workspace> = RefCell::new(Workspace { context: Context::new(), builder: FunctionBuilderContext::new() });
}

/// A function in CLIF, as it is built and as it is compiled.
pub(crate) struct Workspace {
    pub(crate) context: Context,
    builder: FunctionBuilderContext,
}

impl Workspace {
    /// Compiles in the thread's memory.
    pub(crate) fn with<R>(compile: impl FnOnce(&mut Workspace) -> R) -> R {
        KEPT.with_borrow_mut(|workspace| {
            workspace.context.clear();
            compile(workspace)
        })
    }

    /// A builder of the function.
    pub(crate) fn build(&mut self, func: FuncRef, signature: Signature) -> FunctionBuilder<'_> {
        let clif = &mut self.context.func;
        clif.name = UserFuncName::user(0, func.as_u32());
        clif.signature = signature;
        FunctionBuilder::new(clif, &mut self.builder)
    }
}
