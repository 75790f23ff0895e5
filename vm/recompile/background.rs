//! Compilation on a thread of its own.
//!
//! In: jobs. Out: results, in the order of the jobs, and the install flag, so that the program's next poll takes them.
//! Invariant: the running thread never waits; a job that panics is refused, and so are those behind it.

use crate::runtime::{InterruptHandle, cpu_time, flag};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A thread that works jobs off.
pub(super) struct Background<J, R> {
    jobs: Option<Sender<J>>,
    results: Receiver<R>,
    thread: Option<JoinHandle<()>>,
}

impl<J: Send + 'static, R: Send + 'static> Background<J, R> {
    /// Starts the thread; none if the system has none to give.
    pub(super) fn start(handle: InterruptHandle, work: impl Fn(J) -> R + Send + 'static) -> Option<Background<J, R>> {
        let (jobs, waiting) = mpsc::channel::<J>();
        let (done, results) = mpsc::channel::<R>();
        let run = move || {
            while let Ok(job) = waiting.recv() {
                if done.send(work(job)).is_err() {
                    return;
                }
                handle.raise(flag::INSTALL);
            }
        };
        let thread = thread::Builder::new().name("compiler".to_owned()).spawn(run).ok()?;
        Some(Background { jobs: Some(jobs), results, thread: Some(thread) })
    }

    /// Hands a job over; gives it back if the thread is gone.
    pub(super) fn submit(&self, job: J) -> Result<(), J> {
        let jobs = self.jobs.as_ref().expect("it is there until the end");
        jobs.send(job).map_err(|mpsc::SendError(job)| job)
    }

    /// CPU time of the thread so far, with that of the job under way.
    pub(super) fn cpu_time(&self) -> Duration {
        self.thread.as_ref().map_or(Duration::ZERO, cpu_time::of)
    }

    /// Results so far.
    pub(super) fn done(&self) -> Vec<R> {
        self.results.try_iter().collect()
    }
}

impl<J, R> Drop for Background<J, R> {
    fn drop(&mut self) {
        self.jobs.take();
        // The job under way is not worth waiting for.
        drop(self.thread.take());
    }
}
