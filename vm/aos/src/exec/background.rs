//! Compilation on a thread of its own: results come in the order of the jobs, with the install flag. Invariant: the
//! running thread never waits; jobs are given back once the thread is gone. Its CPU time never decreases, not even when
//! it ends.

use holloway_runtime::{InterruptHandle, cpu_time, flag};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A thread that works jobs off.
pub(super) struct Background<J, R> {
    jobs: Option<Sender<J>>,
    results: Receiver<R>,
    thread: Option<JoinHandle<()>>,
    /// The CPU time of the thread in nanoseconds, once it has ended.
    spent: Arc<AtomicU64>,
}

/// Keeps the CPU time of a thread when it ends, also by a panic: its clock ends with it.
struct KeepTime(Arc<AtomicU64>);

impl Drop for KeepTime {
    fn drop(&mut self) {
        self.0.store(cpu_time::of_thread().as_nanos() as u64, Ordering::Release);
    }
}

impl<J: Send + 'static, R: Send + 'static> Background<J, R> {
    /// Starts the thread; none if the system has none to give.
    pub(super) fn start(handle: InterruptHandle, work: impl Fn(J) -> R + Send + 'static) -> Option<Background<J, R>> {
        let (jobs, waiting) = mpsc::channel::<J>();
        let (done, results) = mpsc::channel::<R>();
        let spent = Arc::new(AtomicU64::new(0));
        let keep = KeepTime(Arc::clone(&spent));
        let run = move || {
            let _keep = keep;
            while let Ok(job) = waiting.recv() {
                if done.send(work(job)).is_err() {
                    return;
                }
                handle.raise(flag::INSTALL);
            }
        };
        let thread = thread::Builder::new().name("compiler".to_owned()).spawn(run).ok()?;
        Some(Background { jobs: Some(jobs), results, thread: Some(thread), spent })
    }

    /// Hands a job over; gives it back if the thread is gone.
    pub(super) fn submit(&self, job: J) -> Result<(), J> {
        let jobs = self.jobs.as_ref().expect("it is there until the end");
        jobs.send(job).map_err(|mpsc::SendError(job)| job)
    }

    /// CPU time of the thread so far, with that of the job under way.
    pub(super) fn cpu_time(&self) -> Duration {
        let now = self.thread.as_ref().map_or(Duration::ZERO, cpu_time::of);
        now.max(Duration::from_nanos(self.spent.load(Ordering::Acquire)))
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_runtime::ContextBox;
    use std::hint::black_box;
    use std::panic::resume_unwind;

    #[test]
    fn the_time_of_a_thread_is_kept_when_a_job_ends_it() {
        let work = |is_last: bool| {
            (0..2_000_000).for_each(|n: u64| _ = black_box(n));
            if is_last {
                resume_unwind(Box::new("a fault of the compiler"));
            }
        };
        let context = ContextBox::new().expect("there is memory for a context");
        let compiler = Background::start(context.interrupt_handle(), work).expect("there is a thread");
        compiler.submit(false).expect("it waits for jobs");
        while compiler.done().is_empty() {
            thread::yield_now();
        }
        let before = compiler.cpu_time();
        compiler.submit(true).expect("it waits for jobs");
        let thread = compiler.thread.as_ref().expect("it is there until the end");
        while cpu_time::of(thread) > Duration::ZERO {
            thread::yield_now();
        }
        let after = compiler.cpu_time();
        assert!(after > before && before > Duration::ZERO, "{before:?}, then {after:?}");
        assert_eq!(compiler.submit(false), Err(false), "nobody is there");
    }
}
