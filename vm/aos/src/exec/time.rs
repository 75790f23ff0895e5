//! The executor's clock: CPU time of the program's thread in calls from the host, so that a host which waits makes no
//! version look slow, or a count of polls. Calls read no clock but the first: a later one begins with the first thing
//! that happens in it. Invariant: time does not decrease.

use crate::Micros;
use crate::micros::POLLS_A_MILLISECOND;
use holloway_runtime::cpu_time;
use std::time::Duration;

pub(super) enum Time {
    Clock(CpuTime),
    /// Polls so far, and when a tick is due.
    Polls {
        so_far: u64,
        next_tick: u64,
    },
}

/// CPU time in calls, on whatever thread.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CpuTime {
    before: Duration,
    /// The thread's at the beginning of the present call, once that is known.
    begun: Option<Duration>,
    /// In this one, when last asked.
    in_call: Duration,
    has_begun: bool,
}

impl CpuTime {
    pub(super) fn begin(&mut self) {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        self.before += std::mem::take(&mut self.in_call);
        self.begun = is_first.then(cpu_time::of_thread);
    }

    fn now(&mut self) -> Duration {
        if self.has_begun {
            let now = cpu_time::of_thread();
            self.in_call = now.saturating_sub(*self.begun.get_or_insert(now)).max(self.in_call);
        }
        self.before + self.in_call
    }
}

impl Time {
    pub(super) fn now(&mut self) -> Micros {
        match self {
            Time::Clock(time) => Micros(time.now().as_micros() as u64),
            Time::Polls { so_far, .. } => Micros(*so_far * 1000 / POLLS_A_MILLISECOND),
        }
    }

    /// Counts polls; true iff a tick is due, where polls are counted. Ticks come at `polls_to_tick` from there, or at each millisecond.
    pub(super) fn count_poll(&mut self, counted: u64, polls_to_tick: impl FnOnce() -> Option<u64>) -> bool {
        match self {
            Time::Clock(_) => false,
            Time::Polls { so_far, next_tick } => {
                *so_far += counted;
                let is_due = so_far >= next_tick;
                if is_due {
                    let regular = (*so_far / POLLS_A_MILLISECOND + 1) * POLLS_A_MILLISECOND;
                    *next_tick = polls_to_tick().map_or(regular, |polls| *so_far + polls);
                }
                is_due
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::thread;

    fn work(time: Duration) {
        let begun = cpu_time::of_thread();
        while cpu_time::of_thread() - begun < time {
            black_box(0);
        }
    }

    #[test]
    fn time_is_that_of_calls_on_all_threads() {
        let mut time = CpuTime::default();
        assert_eq!(time.now(), Duration::ZERO);
        time.begin();
        work(Duration::from_millis(3));
        let first = time.now();
        assert!(first >= Duration::from_millis(3));
        let time = thread::spawn(move || {
            work(Duration::from_millis(20));
            time.begin();
            assert_eq!(time.now(), first, "it begins where the first one ended");
            work(Duration::from_millis(3));
            time
        });
        let mut time = time.join().expect("it ends");
        let second = time.clone().now();
        assert!(second >= first, "it does not decrease on a thread that has worked less");
        time.begin();
        assert!(time.now() >= second);
    }
}
