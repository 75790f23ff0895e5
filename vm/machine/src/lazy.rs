//! Compiling a function at its first call. In: the function, from its stub. Out: the address to go on at; or the call
//! fails, because the function is too large for the compiler, or its frame for what is left of the stack, or because
//! the program was stopped meanwhile.
#![expect(unsafe_code, reason = "called from compiled code, with its context")]

use super::caller::machine;
use super::long_compilation::is_long;
use super::{Machine, unwind};
use cranelift_entity::EntityRef;
use holloway_abi::Context;
use holloway_ir::FuncRef;
use holloway_jit::arch::lazy_target;
use holloway_jit::{Leaving, Request, Tier, Version, is_optimizable};
use holloway_runtime::failure::FailureKind;
use std::sync::Arc;

lazy_target!(compile_stub => compile_at_first_call);

/// Compiles a function; stubs of functions without code lead here.
///
/// # Safety
/// Compiled code calls it, by such a stub.
pub(super) unsafe extern "C" fn compile_at_first_call(context: *mut Context, func: u32) -> usize {
    // SAFETY: compiled code passed its context.
    let machine = unsafe { machine(context) };
    match machine.compile_first(FuncRef::new(func as usize)) {
        Ok(entry) => entry,
        Err(kind) => unwind::raise(machine, kind),
    }
}

impl Machine {
    fn compile_first(&mut self, func: FuncRef) -> Result<usize, FailureKind> {
        let request = self.first_request(func);
        let version = self.compile_unless_stopped(&request)?;
        self.code.activate(&version);
        if self.has_room_for_new_code() { Ok(version.range.start) } else { Err(FailureKind::StackOverflow) }
    }

    /// Compiles, unless the program is to stop meanwhile.
    fn compile_unless_stopped(&mut self, request: &Request) -> Result<Arc<Version>, FailureKind> {
        if !is_long(request) {
            return self.code.compile(request);
        }
        let mut stop = || self.runtime.stop_requested();
        let (compiled, time) = self.long_compilation.compile(self.code.env(), request, &mut stop)?;
        self.code.stats.time += time;
        self.code.add(request, compiled.map_err(|_| FailureKind::FunctionTooLarge)?)
    }

    /// The compilation request of a function's first call.
    fn first_request(&mut self, func: FuncRef) -> Request {
        let tier = self.tier_at_first_call(func);
        let mut request = self.code.request(func, tier);
        if !is_optimizable(self.runtime.module(), &request.body) {
            request.tier = Tier::Baseline;
        }
        request.leaving = self.adaptive_system.as_ref().map_or(Leaving::Never, |system| system.leaving());
        match request.tier {
            Tier::Baseline => {
                request.probes = self.profiles.probes(func, &request.body);
                if !self.is_adaptive() {
                    // Nobody looks at what indirect calls call, and how branches go.
                    request.probes.targets.clear();
                    request.probes.outcomes.clear();
                }
            }
            Tier::Optimized => {}
        }
        request.paths = self.paths.clone();
        request
    }

    /// The tier that a function starts in. Trivial ones, and long chains of short ones, are optimized at once: callees need no code of their own then.
    fn tier_at_first_call(&mut self, func: FuncRef) -> Tier {
        let is_recompiled = self.adaptive_system.as_ref().is_some_and(|system| system.recompiles());
        match is_recompiled && self.code.starts_optimized(func) {
            true => Tier::Optimized,
            false => self.first_tier,
        }
    }
}
