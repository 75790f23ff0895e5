//! Isolated profiled runs: a call runs apart from the program's own code, with everything it does counted.
//!
//! In: the profile to collect, and the run. Out: its result, and the counts of it alone. It shares heap, globals and
//! output, but has an executor of its own without code, so that each function it calls is compiled with counters.
//! Invariant: afterwards the program's own code, its edge counts and the adaptive system are as they were before.

use super::executor::{Executor, Interpreted};
use super::{Counted, Engine};
use holloway_jit::FuelCounting;
use holloway_jit::opt::pipeline::Options;
use holloway_lang::ir::Module;
use holloway_machine::{AdaptiveSystem, Machine, OsrTransition};
use holloway_profiler::scheme::Scheme;
use holloway_runtime::{Runtime, RuntimeConfig, flag};
use std::io;
use std::mem::{replace, swap};
use std::sync::Arc;

impl Engine {
    /// Runs something apart. Fails only where the system has no memory to give; then nothing was run.
    pub fn count_apart<R>(&mut self, scheme: Scheme, run: impl FnOnce(&mut Engine) -> R) -> io::Result<(R, Counted)> {
        let events = self.executor.runtime().context().events();
        let mut apart = self.executor.apart()?;
        apart.profile(scheme);
        if let Executor::Compiled(machine) = &mut apart {
            machine.set_adaptive_system(Box::new(Deaf { results: false }));
        }
        let own = replace(&mut self.executor, apart);
        let result = run(self);
        let counted = self.profile();
        let apart = replace(&mut self.executor, own);
        self.executor.rejoin(apart);
        self.executor.runtime_mut().context_mut().set_events(events.0, events.1);
        // Definitions that the run withdrew are withdrawn in the program's own code, too.
        self.install_session();
        Ok((result, counted))
    }
}

impl Executor {
    /// Another executor, which borrows the runtime of this one until they rejoin.
    fn apart(&mut self) -> io::Result<Executor> {
        let spare = Runtime::new(Arc::new(Module::default()), RuntimeConfig::default())?;
        let Some(passes) = self.passes() else {
            return Ok(Executor::Interpreted(Box::new(Interpreted::new(replace(self.runtime_mut(), spare)))));
        };
        let mut machine = Machine::new(spare)?;
        swap(&mut machine.runtime, self.runtime_mut());
        match holloway_machine::new_code(&machine.runtime) {
            Ok(code) => machine.code = code,
            Err(error) => {
                swap(&mut machine.runtime, self.runtime_mut());
                return Err(error);
            }
        }
        machine.code.passes = passes;
        if self.expects_values_from_elsewhere() {
            machine.expect_values_from_elsewhere();
        }
        if let Executor::Compiled(own) = self {
            machine.code.listeners = std::mem::take(&mut own.code.listeners);
        }
        Ok(Executor::Compiled(machine.into()))
    }

    /// The optimizer's options here, if code can count: code that counts fuel carries no path probes.
    fn passes(&self) -> Option<Options> {
        match self {
            Executor::Compiled(machine) if machine.code.env().fuel == FuelCounting::Off => {
                Some(machine.code.passes.clone())
            }
            Executor::Compiled(_) | Executor::Interpreted(_) => None,
        }
    }

    /// Takes back the parts lent by [`Executor::apart`].
    fn rejoin(&mut self, mut apart: Executor) {
        swap(self.runtime_mut(), apart.runtime_mut());
        if apart.expects_values_from_elsewhere() {
            self.expect_values_from_elsewhere();
        }
        if let (Executor::Compiled(own), Executor::Compiled(apart)) = (self, &mut apart) {
            own.code.listeners = std::mem::take(&mut apart.code.listeners);
        }
    }
}

/// Takes the flags of an adaptive system that is not in charge, so that code does not poll in vain.
struct Deaf {
    /// True if the compiler's thread has results for that system.
    results: bool,
}

impl AdaptiveSystem for Deaf {
    fn start(&mut self, _: &mut Machine) {}

    fn poll(&mut self, machine: &mut Machine) {
        let taken = machine.runtime.context().take_flags(flag::TICK | flag::INSTALL);
        machine.withdraw_osr_request();
        self.results |= taken & flag::INSTALL != 0;
    }

    fn osr_taken(&mut self, _: &mut Machine, _: &OsrTransition) {}

    fn stop(&mut self, machine: &mut Machine) {
        if self.results {
            machine.runtime.context().raise(flag::INSTALL);
        }
    }

    fn invalidated(&mut self) {}
}
