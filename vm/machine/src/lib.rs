//! The machine: compiled code, the stack it runs on, and the runtime it calls.
//!
//! In: a runtime with a module, and calls of its functions. Out: results, or how the program ended; and
//! the edge profile that baseline code gathers on its way.
//! Invariants: a table entry always leads to code or to the stub that compiles it; code is freed only
//! while no frame is in it; the machine does not move while a program runs.
#![expect(unsafe_code, reason = "enters compiled code")]

mod adaptive_system;
mod barriers;
mod branches;
mod callees;
mod caller;
mod code;
mod collector;
mod counter;
mod density;
mod depth;
pub mod edge_profile;
mod guard;
mod host;
mod lazy;
mod listing;
mod long_compilation;
mod osr;
mod osr_request;
mod paths;
mod poll;
pub mod profile;
mod profile_changes;
mod runtime_calls;
pub mod sampler;
mod settings;
mod stack;
mod state;
mod unwind;

#[cfg(test)]
mod tests;

pub use adaptive_system::UsedVersions;
pub use code::{CodeStats, CodeStore, Reuse};
pub use collector::{Collector, Iterations, Sampled, Space, Tables, Uncounted};
pub use edge_profile::EdgeProfiles;
pub use settings::{EDGE_POLLS, MOST_POLLS_IN_PLACE};
pub use state::{AdaptiveSystem, Machine, OsrTransition, PollCounts};

use callees::Callees;
use depth::Depth;
use guard::Guard;
use hashbrown::HashMap;
use holloway_abi::{Bounds, Context, LinearAddresses, RuntimeCall};
use holloway_ir::{FuncRef, Module, Scalar};
use holloway_jit::Tier;
use holloway_jit::arch::{self, HostCall, Left};
use holloway_jit::arrays::Arrays;
use holloway_jit::probes::Paths;
use holloway_runtime::Runtime;
use holloway_runtime::failure::Unwind;
use holloway_runtime::linear::Instance;
use long_compilation::LongCompilation;
use settings::STACK_SIZE;
use stack::ProgramStack;
use state::OsrRequest;
use std::io;
use std::sync::Arc;

/// Code for the runtime's module, which calls this machine's functions: stubs only.
pub fn new_code(runtime: &Runtime) -> io::Result<CodeStore> {
    let callees = Callees {
        compile: lazy::compile_stub as *const () as usize,
        passed: barriers::passed_stub as *const () as usize,
        polls: runtime_calls::polls(),
        runtime_calls: runtime_calls::address,
    };
    CodeStore::new(runtime, callees)
}

impl Machine {
    /// A machine for the runtime's module. Boxed, as compiled code finds it through the context.
    pub fn new(runtime: Runtime) -> io::Result<Box<Machine>> {
        // Code makes do with the address space that is left.
        let stack = ProgramStack::new(STACK_SIZE)?;
        let code = new_code(&runtime)?;
        let depth = Depth::new(stack.top(), code.barrier);
        let mut machine = Box::new(Machine {
            runtime,
            code,
            long_compilation: LongCompilation::default(),
            profiles: EdgeProfiles::default(),
            first_tier: Tier::Baseline,
            paths: Paths::default(),
            collector: None,
            tables: None,
            edge_polls: 1,
            present_polls: 1,
            adaptive_system: None,
            headers: HashMap::new(),
            stack,
            guard: None,
            depth,
            osr_request: OsrRequest::default(),
            walked_frames: 0,
            polls: PollCounts::default(),
            outermost: None,
            inner_top: 0,
            suspended: Vec::new(),
            ended: None,
        });
        machine.guard_memory();
        Ok(machine)
    }

    /// Makes memory and tables for the module, if it is one of WebAssembly. Fails if there is no room for them.
    pub fn instantiate(&mut self) -> io::Result<()> {
        self.runtime.instantiate()?;
        self.guard_memory();
        Ok(())
    }

    fn guard_memory(&mut self) {
        let Some(linear) = self.runtime.linear().map(Instance::addresses) else { return };
        let fails = runtime_calls::address(RuntimeCall::FailMemory);
        self.guard = Guard::of(&self.runtime, self.code.memory.addresses(), fails);
        let bounds = if self.guard.is_some() { Bounds::Guarded } else { Bounds::Tested };
        self.code.env.linear = LinearAddresses { bounds, ..linear };
    }

    /// Takes a module that extends the present one, or replaces bodies of its functions.
    pub fn install(&mut self, module: Arc<Module>) {
        self.runtime.install(module);
        let (replaced, is_invalid) = self.code.install(&self.runtime);
        replaced.iter().for_each(|func| self.profiles.forget(*func));
        if is_invalid {
            self.code_is_gone();
        }
        self.forget_paths(&replaced);
    }

    /// The program gets arrays, or functions, that it did not make. No program may be running.
    pub fn expect_values_from_elsewhere(&mut self) {
        if self.code.relies_on_arrays() && self.code.install_arrays(Arrays::unknown()) {
            self.drop_code();
        }
    }

    /// True if code relies on nothing that holds of the program's own arrays and functions alone.
    pub fn expects_values_from_elsewhere(&self) -> bool {
        !self.code.relies_on_arrays()
    }

    /// Drops the code of every function, so that each is compiled anew. No program may be running.
    pub fn drop_code(&mut self) {
        self.code.drop_versions();
        self.code_is_gone();
    }

    /// All code was dropped: what it wrote is read before anybody forgets what it was about.
    fn code_is_gone(&mut self) {
        self.flush_events();
        if let Some(system) = &mut self.adaptive_system {
            system.invalidated();
        }
    }

    /// Calls a function. Arguments and result are words, as in the interpreter.
    pub fn call(&mut self, func: FuncRef, args: &[u64]) -> Result<Option<u64>, Unwind> {
        let (params, result) = self.scalars_of(func);
        self.call_typed(func, (&params, result), args)
    }

    /// The same, where the scalars of parameters and result are known.
    #[inline]
    pub fn call_typed(
        &mut self,
        func: FuncRef,
        scalars: (&[Scalar], Option<Scalar>),
        args: &[u64],
    ) -> Result<Option<u64>, Unwind> {
        self.outermost = Some(func);
        self.start_adaptive_system();
        self.depth.clear();
        let result = self.call_at(self.stack.top(), func, scalars, args);
        self.stop_adaptive_system();
        self.runtime.output.flush();
        result
    }

    fn scalars_of(&self, func: FuncRef) -> (Vec<Scalar>, Option<Scalar>) {
        let module = self.runtime.module();
        let sig = &module.sigs[module.funcs[func].sig];
        (sig.params.iter().map(|ty| module.scalar(*ty)).collect(), sig.result.map(|ty| module.scalar(ty)))
    }

    /// Calls a function whose frames begin at an address of the stack.
    #[inline]
    fn call_at(
        &mut self,
        top: usize,
        func: FuncRef,
        (params, result): (&[Scalar], Option<Scalar>),
        args: &[u64],
    ) -> Result<Option<u64>, Unwind> {
        let mut call = HostCall::empty();
        call.pass(params, args);
        let entry = self.code.entry(func);
        self.runtime.context_mut().pass_nothing();
        let left = self.enter(top, &mut call, entry);
        match left {
            Left::Returned => {
                self.paths_returned(func);
                Ok(result.map(|scalar| call.result(scalar)))
            }
            Left::Unwound => Err(self.ended.take().expect("whoever leaves says why")),
        }
    }

    #[inline]
    fn enter(&mut self, top: usize, call: &mut HostCall, entry: usize) -> Left {
        let base = self.stack.top();
        let context: *mut Context = self.runtime.context().as_ptr();
        self.apply_limit();
        // SAFETY: until `leave_stack` the program, and every runtime call, runs on this stack.
        let before = unsafe { self.runtime.enter_stack(base) };
        // SAFETY: the call was made for this function's signature; it and the context are live; whoever enters again from
        // a runtime call begins below all that waits, so the stack is free from `top` on. The machine is reached through the context from here on, and not
        // through `self`.
        let left = unsafe {
            (*context).runtime = (&raw mut *self).cast();
            arch::enter(context, top, call, entry)
        };
        self.runtime.leave_stack(before);
        left
    }
}
