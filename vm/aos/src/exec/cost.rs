//! CPU time of a run, and the part of it that compilation took: all of the compiler's thread, and on the program's
//! first calls, placing code, requests, reading profiles, and all jobs where there is no second thread. Invariant:
//! times are of threads, so waiting is no part of them; calls read no clock.

use crate::event::RunEnd;
use crate::{Action, Micros};
use holloway_runtime::cpu_time;
use std::time::Duration;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    /// The process's, when the first call began.
    begun: Option<Duration>,
    /// Actions that compile, on the program's thread.
    actions: Duration,
}

/// Returns the time at which work on a action begins, if that is a part of compilation. To install is not: the machine measures that itself.
pub(super) fn begin(action: &Action) -> Option<Duration> {
    let compiles = matches!(action, Action::Compile(_) | Action::ReadProfile(..));
    compiles.then(cpu_time::of_thread)
}

impl Cost {
    pub(super) fn start(&mut self) {
        self.begun.get_or_insert_with(cpu_time::of_process);
    }

    /// Work on a action ends that began at some time.
    pub(super) fn end(&mut self, begun: Option<Duration>) {
        self.actions += begun.map_or(Duration::ZERO, |begun| cpu_time::of_thread().saturating_sub(begun));
    }

    /// The run so far. The program's thread has run for some time, the compiler's has worked for some, and the machine has compiled for some.
    pub(super) fn so_far(&self, program: Micros, compiler: Duration, machine: Duration) -> RunEnd {
        let now = cpu_time::of_process();
        let run = now.saturating_sub(self.begun.unwrap_or(now));
        let on_program_thread = self.actions + machine;
        let compiling = compiler + on_program_thread;
        let micros = |time: Duration| Micros(time.as_micros() as u64);
        RunEnd {
            cpu: micros(run),
            program,
            compiling: micros(compiling),
            on_program_thread: micros(on_program_thread),
            share: compiling.as_secs_f64() / run.max(compiling).max(Duration::from_nanos(1)).as_secs_f64(),
        }
    }
}
