//! Expressions whose values the host takes.
//!
//! In: an input as in the REPL. Out: its additions; where it ends in a bare expression, the last of its top-level functions
//! returns the value. Invariant: what shows a value in the REPL is the last instruction of its block.

use super::{Added, Input, Loader, Session, SessionKind, shows};
use crate::diagnostic::Diagnostic;
use crate::ir::verify::verify;
use crate::ir::{FuncRef, Inst, Module, Signature, Terminator, TypeRef};
use std::mem::replace;
use std::sync::Arc;

impl Session {
    /// Adds an input as in the REPL. If it ends in a bare expression, [`Added::shown`] is its type, and the last top-level
    /// function returns its value.
    pub fn add_valued(&mut self, input: Input<'_>, loader: &mut dyn Loader) -> Result<Added, Vec<Diagnostic>> {
        let kind = replace(&mut self.kind, SessionKind::Repl);
        let added = self.add(input, loader);
        self.kind = kind;
        let added = added?;
        if let (Some(ty), Some(func)) = (added.shown, added.top_level.last()) {
            return_shown(&mut self.env.module, *func, ty);
            self.publish();
        }
        Ok(added)
    }
}

/// Makes a function return the value that it shows.
fn return_shown(module: &mut Module, func: FuncRef, ty: TypeRef) {
    let mut body = (*module.funcs[func].body).clone();
    let scalar = module.scalar(ty);
    body.result = Some(scalar);
    for data in body.blocks.values_mut() {
        if let Terminator::Return(None) = data.term {
            let Some(Inst::Builtin { args, .. }) = data.insts.pop_if(|inst| shows(inst)) else {
                unreachable!("the value is shown last");
            };
            data.spans.pop();
            data.term = Terminator::Return(Some(args[0]));
        }
    }
    let sig = module.intern_sig(Signature { params: Vec::new(), result: Some(ty) });
    module.funcs[func].sig = sig;
    debug_assert_eq!(verify(module, &body), Ok(()), "the body of an expression");
    module.funcs[func].body = Arc::new(body);
}
