//! Calls: of functions through the entry table, and of the runtime by address. Inside a `try` a call
//! that can unwind becomes a `try_call` whose exception edge leads to the handler.

use super::{Emitter, clif_type, signature, trusted};
use crate::abi::{Keeps, RuntimeCall, RuntimeCallSignature};
use crate::arch;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, BlockArg, ExceptionTableData, ExceptionTableItem, InstBuilder, Signature, types,
};
use holloway_lang::ir::builtin::Builtin;
use holloway_lang::ir::{FuncRef, MOST_HOST_OPERANDS, Scalar, SigRef};

/// The possibility that a callee unwinds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unwinds {
    Never,
    Maybe,
}

impl Emitter<'_> {
    /// Calls a function through its table entry.
    pub(crate) fn call(&mut self, func: FuncRef, args: &[clif::Value]) -> Option<clif::Value> {
        let entry = self.env.table + 8 * func.as_u32() as usize;
        let callee = self.load_at(types::I64, entry, 0);
        self.call_address(callee, self.env.module.funcs[func].sig, args)
    }

    /// Calls a function value: the function's number plus one.
    pub(crate) fn call_indirect(
        &mut self,
        value: clif::Value,
        sig: SigRef,
        args: &[clif::Value],
    ) -> Option<clif::Value> {
        let offset = self.builder.ins().ishl_imm_u(value, 3);
        let table = self.address(self.env.table);
        let entry = self.builder.ins().iadd(table, offset);
        let callee = self.builder.ins().load(types::I64, trusted(), entry, -8);
        self.call_address(callee, sig, args)
    }

    /// Notes the function that an indirect call calls in its cell: the words are the present candidate, its calls, and those
    /// of others since it is the candidate. Another one takes its place when these are more. Without branches, as a call is
    /// slow enough.
    pub(crate) fn note_target(&mut self, cell: usize, callee: clif::Value) {
        let [candidate, same, other] = [0, 8, 16].map(|offset| self.load_at(types::I64, cell, offset));
        let is_same = self.builder.ins().icmp(IntCC::Equal, candidate, callee);
        let is_same = self.builder.ins().uextend(types::I64, is_same);
        let is_other = self.builder.ins().bxor_imm_u(is_same, 1);
        let same = self.builder.ins().iadd(same, is_same);
        let other = self.builder.ins().iadd(other, is_other);
        let replaced = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, other, same);
        let (zero, one) = (self.int(0), self.int(1));
        let candidate = self.builder.ins().select(replaced, callee, candidate);
        let same = self.builder.ins().select(replaced, one, same);
        let other = self.builder.ins().select(replaced, zero, other);
        for (offset, word) in [(0, candidate), (8, same), (16, other)] {
            self.store_at(word, cell, offset);
        }
    }

    fn call_address(&mut self, callee: clif::Value, sig: SigRef, args: &[clif::Value]) -> Option<clif::Value> {
        let module = &self.env.module;
        let sig = &module.sigs[sig];
        let params = sig.params.iter().map(|ty| module.scalar(*ty));
        let signature = signature(params, sig.result.map(|ty| module.scalar(ty)));
        self.call_value(signature, callee, args, Unwinds::Maybe)
    }

    /// Runs a builtin.
    pub(crate) fn builtin(&mut self, builtin: Builtin, args: &[clif::Value]) -> Option<clif::Value> {
        let (runtime_call, first) = RuntimeCall::of_builtin(builtin);
        let Some(ty) = first else { return self.runtime_call(runtime_call, args) };
        let mut words = vec![self.int(ty)];
        words.extend(args.iter().map(|arg| self.as_word(*arg)));
        if let Builtin::Host(_) = builtin {
            let nothing = self.int(0);
            words.resize(1 + MOST_HOST_OPERANDS, nothing);
        }
        self.runtime_call(runtime_call, &words)
    }

    /// The bits of any scalar as a 64-bit word.
    pub(crate) fn as_word(&mut self, value: clif::Value) -> clif::Value {
        match self.builder.func.dfg.value_type(value) {
            types::F64 => self.builder.ins().bitcast(types::I64, clif::MemFlagsData::new(), value),
            types::I8 => self.builder.ins().uextend(types::I64, value),
            _ => value,
        }
    }

    /// Calls the runtime for a value.
    pub(crate) fn runtime_call_value(&mut self, runtime_call: RuntimeCall, args: &[clif::Value]) -> clif::Value {
        self.runtime_call(runtime_call, args).expect("the runtime call has a result")
    }

    /// Calls the runtime.
    pub(crate) fn runtime_call(&mut self, runtime_call: RuntimeCall, args: &[clif::Value]) -> Option<clif::Value> {
        let RuntimeCallSignature { context, params, result, unwinds, keeps } = runtime_call.signature();
        let unwinds = if unwinds { Unwinds::Maybe } else { Unwinds::Never };
        // A `try_call` must be of a convention that keeps no register over an exception; with its
        // operands all in registers, `Tail` passes them as the runtime's C convention does.
        let convention = match (keeps, unwinds, self.handler) {
            (Keeps::All, _, _) => arch::C_KEEPS_ALL,
            (Keeps::CalleeSaved, Unwinds::Maybe, Some(_)) => arch::C_UNWINDS,
            (Keeps::CalleeSaved, _, _) => arch::C,
        };
        let mut signature = Signature::new(convention);
        if context {
            signature.params.push(AbiParam::new(types::I64));
        }
        signature.params.extend(params.iter().map(|scalar| c_param(*scalar)));
        assert!(signature.params.len() <= 6, "a runtime call's operands all fit in registers");
        signature.returns.extend(result.iter().map(|scalar| c_param(*scalar)));
        let mut values = Vec::with_capacity(args.len() + 1);
        if context {
            values.push(self.address(self.env.context));
        }
        values.extend_from_slice(args);
        let callee = self.address((self.env.runtime_calls)(runtime_call));
        self.call_value(signature, callee, &values, unwinds)
    }

    pub(super) fn call_value(
        &mut self,
        signature: Signature,
        callee: clif::Value,
        args: &[clif::Value],
        unwinds: Unwinds,
    ) -> Option<clif::Value> {
        if unwinds == Unwinds::Maybe {
            for (slot, offset, value) in &self.pending {
                self.builder.ins().stack_store(types::I64, *value, *slot, *offset);
            }
        }
        let result = signature.returns.first().map(|param| param.value_type);
        let sig = self.import(signature);
        let Some(handler) = self.handler.filter(|_| unwinds == Unwinds::Maybe) else {
            let call = self.builder.ins().call_indirect(sig, callee, args);
            return self.builder.inst_results(call).first().copied();
        };
        let next = self.builder.create_block();
        let value = result.map(|ty| self.builder.append_block_param(next, ty));
        let returned: &[BlockArg] = if result.is_some() { &[BlockArg::TryCallRet(0)] } else { &[] };
        let pool = &mut self.builder.func.dfg.value_lists;
        let normal = clif::BlockCall::new(next, returned.iter().copied(), pool);
        let caught = clif::BlockCall::new(handler, [], pool);
        let table = ExceptionTableData::new(sig, normal, [ExceptionTableItem::Default(caught)]);
        let table = self.builder.func.dfg.exception_tables.push(table);
        self.builder.ins().try_call_indirect(callee, args, table);
        self.builder.switch_to_block(next);
        value
    }
}

/// Returns the C parameter of a scalar; a `bool` has its whole register defined.
fn c_param(scalar: Scalar) -> AbiParam {
    match scalar {
        Scalar::Bool => AbiParam::new(types::I8).uext(),
        other => AbiParam::new(clif_type(other)),
    }
}
