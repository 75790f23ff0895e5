//! Typed AST to IR, one function at a time.
//!
//! In: a [`tast::Function`] and the module its ids belong to. Out: an [`ir::Function`](crate::ir::Function) that
//! verifies. The module changes only by string constants that printing needs.
//! Invariants: every instruction carries the span at which its failure is reported; a loop's header is the target of
//! its back edges; every block inside a `try` names its handler.

mod cond;
mod control;
mod closure;
mod decision;
mod expr;
mod list;
mod loops;
mod matching;
mod place;
mod print;
mod stmt;

use crate::ir::{Block, Function, FunctionBuilder, Inst, Local, Module, Operand, Scalar, Terminator, TypeRef};
use crate::source::Span;
use crate::tast::{self, LoopRef, VarId};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;

/// Lowers one function.
pub fn lower(module: &mut Module, function: &tast::Function) -> Function {
    let result = function.result.map(|ty| module.scalar(ty));
    let builder = FunctionBuilder::new(function.name.to_string(), function.kind, function.span, result);
    let mut lowering =
        Lowering { module, function, builder, locals: SecondaryMap::new(), loops: SecondaryMap::new(), handler: None };
    lowering.declare_params();
    lowering.block(&function.body);
    if !lowering.builder.is_terminated() {
        lowering.builder.set_span(function.body.span.at_end());
        lowering.terminate(Terminator::Return(None));
    }
    lowering.builder.finish()
}

/// The targets of `break` and `continue` of a loop.
#[derive(Clone, Copy)]
struct Exits {
    on_break: Block,
    on_continue: Block,
}

struct Lowering<'a> {
    module: &'a mut Module,
    function: &'a tast::Function,
    builder: FunctionBuilder,
    locals: SecondaryMap<VarId, PackedOption<Local>>,
    loops: SecondaryMap<LoopRef, Option<Exits>>,
    /// The handler of the innermost `try` around the code being lowered.
    handler: Option<Block>,
}

impl Lowering<'_> {
    fn declare_params(&mut self) {
        let captures = self.function.captures.as_ref();
        let given = captures.map(|_| self.builder.param(Scalar::Ref, None));
        for var in &self.function.params {
            let decl = &self.function.vars[*var];
            let scalar = self.module.scalar(decl.ty);
            let local = self.builder.param(scalar, Some(decl.name.to_string()));
            self.locals[*var] = local.into();
        }
        let (Some(captures), Some(given)) = (captures, given) else { return };
        let Some(record) = captures.record else { return };
        for (field, var) in (0..).zip(&captures.vars) {
            let dst = self.var(*var);
            let object = Operand::Local(given);
            self.push(self.function.span, Inst::FieldGet { dst, object, record, field });
        }
    }

    /// The local of a variable, declared at its first mention.
    fn var(&mut self, var: VarId) -> Local {
        if let Some(local) = self.locals[var].expand() {
            return local;
        }
        let decl = &self.function.vars[var];
        let scalar = if decl.cell.is_some() { Scalar::Ref } else { self.module.scalar(decl.ty) };
        let local = self.builder.local(scalar, Some(decl.name.to_string()));
        self.locals[var] = local.into();
        local
    }

    fn temp(&mut self, scalar: Scalar) -> Local {
        self.builder.local(scalar, None)
    }

    fn temp_of(&mut self, ty: TypeRef) -> Local {
        let scalar = self.module.scalar(ty);
        self.temp(scalar)
    }

    fn new_block(&mut self) -> Block {
        self.builder.new_block(self.handler)
    }

    fn push(&mut self, span: Span, inst: Inst) {
        self.builder.set_span(span);
        self.builder.push(inst);
    }

    fn copy(&mut self, span: Span, dst: Local, src: Operand) {
        self.push(span, Inst::Copy { dst, src });
    }

    fn terminate(&mut self, term: Terminator) {
        self.builder.terminate(term);
    }

    fn jump(&mut self, to: Block) {
        self.terminate(Terminator::Jump(to));
    }

    /// Ends the present block with a jump to `block` and continues there.
    fn fall_into(&mut self, block: Block) {
        self.jump(block);
        self.builder.switch_to(block);
    }
}
