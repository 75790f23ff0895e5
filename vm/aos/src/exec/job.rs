//! Jobs of the compiler's thread: compilations, and looking profiles through. Nothing here looks at what running code
//! changes.

use crate::propose::{Profile, propose};
use holloway_jit::{CompileError, Compiled, Env, Request};
use holloway_runtime::cpu_time;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::event::TraceFormed;
use crate::{CompilationId, LoopKey, Micros, ProfileFindings};

#[derive(Clone)]
pub(super) struct Pending {
    pub(super) compilation: CompilationId,
    pub(super) request: Request,
    pub(super) loops: Vec<(LoopKey, TraceFormed)>,
    /// Set when nobody waits for it any more: it is not begun then.
    pub(super) withdrawn: Arc<AtomicBool>,
}

pub(super) struct Done {
    pub(super) asked: Pending,
    pub(super) result: Result<Compiled, CompileError>,
    pub(super) time: Duration,
}

pub(super) enum Job {
    Compile(Box<(Env, Pending)>),
    Propose(Box<(Env, Profile)>),
}

pub(super) enum Outcome {
    Compiled(Box<Done>),
    Proposed(u64, ProfileFindings),
}

impl Job {
    /// Does it on a thread of its own, where a fault of the compiler ends this job and nothing else: whoever asked is answered.
    pub(super) fn work_apart(self) -> Outcome {
        let refusal = self.refusal();
        catch_unwind(AssertUnwindSafe(|| self.work())).unwrap_or(refusal)
    }

    fn refusal(&self) -> Outcome {
        match self {
            Job::Compile(job) => {
                let result = Err(CompileError("the compiler failed".to_owned()));
                Outcome::Compiled(Box::new(Done { asked: job.1.clone(), result, time: Duration::ZERO }))
            }
            Job::Propose(job) => {
                let findings = ProfileFindings { micros: Micros(0), loops: Vec::new() };
                Outcome::Proposed(job.1.number, findings)
            }
        }
    }

    pub(super) fn work(self) -> Outcome {
        match self {
            Job::Compile(job) => {
                let (env, asked) = *job;
                let start = cpu_time::of_thread();
                let result = match asked.withdrawn.load(Ordering::Relaxed) {
                    true => Err(CompileError("it was withdrawn".to_owned())),
                    false => holloway_jit::compile(&env, &asked.request),
                };
                Outcome::Compiled(Box::new(Done { asked, result, time: cpu_time::of_thread() - start }))
            }
            Job::Propose(job) => {
                let (env, profile) = *job;
                Outcome::Proposed(profile.number, propose(&env, &profile))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_ir::{Block, FuncRef, Function, Terminator, parse};
    use holloway_jit::Tier;
    use holloway_machine::Machine;
    use holloway_runtime::{Runtime, RuntimeConfig};

    const TEXT: &str = "type t0 = int
sig0 = (t0) -> t0
function f0 \"f\" sig0(v0: int) -> int {
block0:
    return v0
}";

    #[test]
    fn who_asked_for_a_compilation_that_panics_is_answered() {
        let module = Arc::new(parse::module(TEXT).unwrap_or_else(|error| panic!("{error}")));
        let runtime = Runtime::new(Arc::clone(&module), RuntimeConfig::default()).expect("there is memory");
        let machine = Machine::new(runtime).expect("there is memory");
        let func = FuncRef::from_u32(0);
        let mut broken = Function::clone(module.function(func));
        let entry = broken.entry();
        broken.blocks[entry].term = Terminator::Jump(Block::from_u32(99));
        let request = Request { body: Arc::new(broken), ..machine.code.request(func, Tier::Optimized) };
        let compilation = CompilationId(7);
        let pending = Pending { compilation, request, loops: Vec::new(), withdrawn: Arc::default() };
        let job = Job::Compile(Box::new((machine.code.env().clone(), pending)));
        let Outcome::Compiled(done) = job.work_apart() else { panic!("it was a compilation") };
        assert_eq!(done.asked.compilation, compilation);
        assert_eq!(done.result.err(), Some(CompileError("the compiler failed".to_owned())));
    }
}
