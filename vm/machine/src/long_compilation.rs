//! Compilations of large functions at their first calls: on a thread of their own, so that the program can be stopped
//! meanwhile.
//!
//! In: a request, and a question whether the program is to stop. Out: the code, or the reason to stop. Invariants:
//! there is one such thread at a time, and a program that was stopped leaves it behind: the next large function waits
//! for its end, for as long as that program may wait. What it made is dropped then.

use super::settings::{BETWEEN_LOOKS, LONG_COMPILATION};
use holloway_jit::{CompileError, Compiled, Env, Request, compile_unmeasured};
use holloway_runtime::cpu_time;
use holloway_runtime::failure::FailureKind;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Code, or why there is none, with the CPU time that it took.
pub(super) type Outcome = (Result<Compiled, CompileError>, Duration);

/// The thread that compiles a large function.
#[derive(Default)]
pub(super) struct LongCompilation(Option<Receiver<Outcome>>);

/// Returns whether a compilation is one for this thread.
pub(super) fn is_long(request: &Request) -> bool {
    request.body.size() > LONG_COMPILATION
}

impl LongCompilation {
    /// Compiles a function, and asks now and then whether the program is to stop.
    pub(super) fn compile(
        &mut self,
        env: &Env,
        request: &Request,
        stop: &mut dyn FnMut() -> Result<(), FailureKind>,
    ) -> Result<Outcome, FailureKind> {
        self.wait(stop)?;
        stop()?;
        let (done, outcome) = mpsc::channel();
        let (its_env, its_request) = (env.clone(), request.clone());
        let work = move || {
            // If nobody waits any more, nobody wants it.
            let _ = done.send(measured(&its_env, &its_request));
        };
        match thread::Builder::new().name("long compilation".to_owned()).spawn(work) {
            Ok(_) => self.0 = Some(outcome),
            Err(_) => return Ok(measured(env, request)),
        }
        Ok(self.wait(stop)?.expect("it was begun, and a fault of the compiler is one of ours"))
    }

    /// Waits for the compilation under way, if there is one.
    fn wait(&mut self, stop: &mut dyn FnMut() -> Result<(), FailureKind>) -> Result<Option<Outcome>, FailureKind> {
        let Some(outcome) = &self.0 else { return Ok(None) };
        let ended = loop {
            match outcome.recv_timeout(BETWEEN_LOOKS) {
                Ok(outcome) => break Some(outcome),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => stop()?,
            }
        };
        self.0 = None;
        Ok(ended)
    }
}

fn measured(env: &Env, request: &Request) -> Outcome {
    let start = cpu_time::of_thread();
    let result = compile_unmeasured(env, request);
    (result, cpu_time::of_thread() - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_stops_leaves_the_compilation_behind() {
        let (done, outcome) = mpsc::channel();
        let mut compilation = LongCompilation(Some(outcome));
        let mut stop = || Err(FailureKind::TimeExhausted);
        assert!(matches!(compilation.wait(&mut stop), Err(FailureKind::TimeExhausted)));
        assert!(compilation.0.is_some(), "it is still under way");
        done.send((Err(CompileError("of another function".to_owned())), Duration::ZERO)).expect("it is waited for");
        assert!(matches!(compilation.wait(&mut stop), Ok(Some(_))));
        assert!(matches!(compilation.wait(&mut stop), Ok(None)), "nothing is under way");
    }
}
