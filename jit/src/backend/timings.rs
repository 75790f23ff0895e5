//! Compile times by part: the optimizer's passes, translation, and what Cranelift does.
//!
//! In: parts, as they begin and end on one thread. Out: [`Timings`]. Invariant: time is a part's own, without that of
//! parts inside it, so the sum is the time of the whole.

use cranelift_codegen::timing::{Pass, Profiler, set_thread_profiler};
use std::any::Any;
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// The part of what belongs to no other one: setting up, copying the result.
const REST: &str = "rest";

/// The time that each part of a compilation took, in the order in which they began; one that ran more than once has the
/// sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    parts: Vec<(&'static str, Duration)>,
}

impl Timings {
    /// Every part with its time.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        self.parts.iter().copied()
    }

    /// Adds the times of another compilation, part by part.
    pub fn add(&mut self, other: &Timings) {
        other.parts().for_each(|(part, time)| self.spend(part, time));
    }

    fn spend(&mut self, part: &'static str, time: Duration) {
        match self.parts.iter_mut().find(|(known, _)| *known == part) {
            Some((_, spent)) => *spent += time,
            None => self.parts.push((part, time)),
        }
    }
}

struct Clock {
    timings: Timings,
    /// Parts that have begun and not ended, the inner ones last.
    running: Vec<&'static str>,
    /// The time up to which all is accounted for.
    since: Instant,
}

impl Clock {
    fn charge(&mut self) {
        let now = Instant::now();
        let part = self.running.last().copied().unwrap_or(REST);
        self.timings.spend(part, now - self.since);
        self.since = now;
    }
}

thread_local! {
    static CLOCK: RefCell<Option<Clock>> = const { RefCell::new(None) };
}

/// Does not measure what a compilation on this thread spends in its parts, where Cranelift by itself would.
pub(crate) fn unmeasured<R>(compile: impl FnOnce() -> R) -> R {
    set_thread_profiler(Box::new(CraneliftParts));
    compile()
}

/// Measures what a compilation on this thread spends in its parts.
pub(crate) fn measured<R>(compile: impl FnOnce() -> R) -> (R, Timings) {
    set_thread_profiler(Box::new(CraneliftParts));
    let clock = Clock { timings: Timings::default(), running: Vec::new(), since: Instant::now() };
    CLOCK.set(Some(clock));
    let result = compile();
    let timings = CLOCK.take().map(|mut clock| {
        clock.charge();
        clock.timings
    });
    (result, timings.unwrap_or_default())
}

/// A part that runs until this is dropped.
struct Running;

impl Drop for Running {
    fn drop(&mut self) {
        CLOCK.with_borrow_mut(|clock| {
            if let Some(clock) = clock {
                clock.charge();
                clock.running.pop();
            }
        });
    }
}

/// Does something as a part; outside [`measured`] nothing is noted.
pub(crate) fn timed<R>(name: &'static str, part: impl FnOnce() -> R) -> R {
    let _running = begin(name);
    part()
}

fn begin(name: &'static str) -> Running {
    CLOCK.with_borrow_mut(|clock| {
        if let Some(clock) = clock {
            clock.charge();
            clock.running.push(name);
        }
    });
    Running
}

/// Cranelift's passes as parts, by its own descriptions.
struct CraneliftParts;

impl Profiler for CraneliftParts {
    fn start_pass(&self, pass: Pass) -> Box<dyn Any> {
        Box::new(begin(pass.description()))
    }
}

#[cfg(test)]
mod tests {
    use super::{REST, measured, timed};
    use std::time::Instant;

    #[test]
    fn parts_do_not_overlap() {
        let start = Instant::now();
        let (result, timings) = measured(|| {
            timed("outer", || {
                timed("inner", || {});
                timed("inner", || 7)
            })
        });
        let names: Vec<&str> = timings.parts().map(|(name, _)| name).collect();
        assert_eq!((result, names), (7, vec![REST, "outer", "inner"]));
        assert!(timings.parts().map(|(_, time)| time).sum::<std::time::Duration>() <= start.elapsed());
    }

    #[test]
    fn outside_of_a_compilation_nothing_is_noted() {
        timed("stray", || {});
        assert_eq!(measured(|| ()).1.parts().map(|(name, _)| name).collect::<Vec<_>>(), [REST]);
    }
}
