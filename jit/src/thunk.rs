//! Entry thunks: the way from the host into compiled code. A thunk of a signature is a C function
//! `(args: *const u64, result: *mut u64, entry: usize)` that loads the operands, calls the entry and
//! stores the result.

use crate::arch;
use crate::backend;
use crate::compile::{CompileError, Compiled, finish};
use crate::emit::{clif_type, signature};
use crate::tier::Tier;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use holloway_lang::ir::Scalar;

/// Compiles the thunk for functions of those operands and that result.
pub fn compile_thunk(params: &[Scalar], result: Option<Scalar>) -> Result<Compiled, CompileError> {
    let mut own = Signature::new(arch::C);
    own.params = vec![AbiParam::new(types::I64); 3];
    let mut func = clif::Function::with_name_signature(clif::UserFuncName::user(1, 0), own);
    let mut context = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut func, &mut context);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    let &[args, out, entry] = builder.block_params(block) else { unreachable!("a thunk has three operands") };
    let flags = MemFlagsData::trusted();
    let values: Vec<clif::Value> = params
        .iter()
        .enumerate()
        .map(|(at, scalar)| builder.ins().load(clif_type(*scalar), flags, args, 8 * at as i32))
        .collect();
    let callee = builder.import_signature(signature(params.iter().copied(), result));
    let call = builder.ins().call_indirect(callee, entry, &values);
    if let Some(value) = builder.inst_results(call).first().copied() {
        builder.ins().store(flags, value, out, 0);
    }
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(backend::isa(Tier::Baseline).frontend_config());
    finish(func, Vec::new(), Tier::Baseline, None)
}
