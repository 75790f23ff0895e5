//! Samples of what a program's thread does: a timer's signal takes the call stack, wherever the thread is.
//!
//! In: the machine that is going to run on this thread, and a rate. Out: [`Sample`]s, on a thread of the sampler.
//!
//! ```text
//!   timer --signal--> handler (`signal`, on the program's thread)
//!                        | walks the frames (`frames`)
//!                        v
//!                      ring (`ring`) ----> thread of the sampler ----> whoever wanted the samples
//! ```
//!
//! A sample weighs the CPU time of the thread since the one before, so all weights add up to the CPU time of the run, however
//! late signals come. Periods are no multiple of a millisecond, so that samples do not keep step with the ticks.
//! Invariant: the handler takes no lock and allocates nothing. One sampler runs in a process at a time.
#![expect(unsafe_code, reason = "shares a pointer with a signal handler")]

mod frames;
mod ring;
mod sample;
mod shared;
mod signal;

use crate::Machine;
use frames::Places;
use holloway_runtime::cpu_time;
use ring::Ring;
pub use sample::{Doing, MOST_INNER, Sample, Taken};
use shared::Shared;
use signal::Timer;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Time after which the sampler's thread empties the ring, which has room for seconds.
const EMPTIED: Duration = Duration::from_millis(20);

/// Takes samples until it ends.
pub struct Sampler {
    shared: Arc<Shared>,
    timer: Timer,
    reader: Option<JoinHandle<Duration>>,
    begun: Duration,
}

impl Sampler {
    /// Samples the calling thread, on which a machine is going to run, so many times a second of elapsed time.
    ///
    /// # Safety
    /// Until the sampler has ended or is dropped, the machine lives, stays what it is, and runs on this thread alone.
    pub unsafe fn begin(machine: &Machine, hz: u32, take: impl FnMut(Sample) + Send + 'static) -> io::Result<Sampler> {
        let begun = cpu_time::of_thread();
        let shared =
            Arc::new(Shared { places: Places::of(machine), ring: Ring::new(), is_over: AtomicBool::new(false) });
        let read = Arc::clone(&shared);
        let reader =
            thread::Builder::new().name("sampler".to_owned()).spawn(move || read_samples(&read, begun, take))?;
        // SAFETY: the sampler keeps what is shared, and stops the timer before it lets go of it.
        let timer = unsafe { Timer::begin(&shared, hz) };
        let mut sampler = Sampler { shared, timer: Timer::default(), reader: Some(reader), begun };
        sampler.timer = timer?;
        Ok(sampler)
    }

    /// Stops, on the same thread.
    pub fn end(mut self) -> Taken {
        let cpu = cpu_time::of_thread().saturating_sub(self.begun);
        let sampled = self.stop();
        Taken { cpu, sampled, lost: self.shared.ring.lost() }
    }

    fn stop(&mut self) -> Duration {
        self.timer.stop();
        self.shared.is_over.store(true, Ordering::Release);
        let Some(reader) = self.reader.take() else { return Duration::ZERO };
        reader.thread().unpark();
        reader.join().expect("the sampler's thread does not panic")
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.stop();
    }
}

fn read_samples(shared: &Shared, begun: Duration, mut take: impl FnMut(Sample)) -> Duration {
    let mut latest = Duration::ZERO;
    loop {
        // What was put before the end is read after it.
        let is_over = shared.is_over.load(Ordering::Acquire);
        while let Some(raw) = shared.ring.take() {
            let at = Duration::from_nanos(raw.nanos).saturating_sub(begun);
            let weight = at.saturating_sub(latest);
            latest = at;
            take(Sample { at, weight, doing: raw.doing, frames: raw.frames, left_out: raw.left_out });
        }
        if is_over {
            return latest;
        }
        thread::park_timeout(EMPTIED);
    }
}
