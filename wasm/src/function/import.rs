//! Functions that the host provides.
//!
//! In: the type of one. Out: a body that is one call of the host. Invariant: operands beyond those that such a call takes, and results but the first,
//! go through hidden globals.

use crate::environment::Environment;
use cranelift_entity::EntityRef;
use holloway_ir::{
    Builtin, Function, FunctionBuilder, FunctionKind, HostCall, HostRef, Inst, MOST_HOST_OPERANDS, Operand, Scalar,
    Span, Terminator,
};

/// The number for the host of the function of that index.
pub(crate) fn host(index: usize) -> HostRef {
    HostRef::new(index)
}

/// The body of the function of that index.
pub(crate) fn body(env: &Environment, index: u32, name: &str, span: Span) -> Function {
    let ty = env.type_of(index);
    let result = ty.results.first().map(|ty| ty.scalar());
    let mut builder = FunctionBuilder::new(name.to_owned(), FunctionKind::Provided, span, result);
    let scalars: Vec<Scalar> = ty.params.iter().map(|ty| ty.scalar()).collect();
    let operands: Vec<Operand> = scalars.iter().map(|scalar| Operand::Local(builder.param(*scalar, None))).collect();
    let taken = operands.len().min(MOST_HOST_OPERANDS);
    for (global, src) in env.further_operands(ty).into_iter().zip(&operands[taken..]) {
        builder.push(Inst::GlobalSet { global, src: *src });
    }
    let call = HostCall::new(host(index as usize), &scalars[..taken], result).expect("so many fit");
    let dst = result.map(|scalar| builder.local(scalar, None));
    builder.push(Inst::Builtin { dst, builtin: Builtin::Host(call), args: operands[..taken].to_vec() });
    builder.terminate(Terminator::Return(dst.map(Operand::Local)));
    builder.finish()
}
