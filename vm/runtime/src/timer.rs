//! The timer: a thread that raises flags of a program, when its time is over and at the ticks of its adaptive system.
//!
//! In: the number and the limit of each run, the beginning and the end of each call, and the time between ticks. Out:
//! flags. The thread starts when it is first wanted, and looks at what is wanted once a pulse: a tick, or a part of the
//! time limit. After many pulses in which nothing ran it sleeps until somebody wakes it.
//!
//! Invariants: a run and a call write and read atomics; they look at no clock and ask nothing of the system, but for one
//! wake-up after such a sleep. A run's time begins at the pulse that sees its number first, so a limit is noticed some
//! pulses late, and never early. Whoever wants something writes that first, then reads whether the thread looks at each
//! pulse; the thread writes that it does not, then looks again at what is wanted: so one of the two sees the other. A
//! fence stands between what each writes and reads: a light one in runs and calls, a heavy one where the thread is about
//! to sleep. The flag of the deadline says that the number of the run is to be looked at, no more: one that comes late
//! stops no later run.

use super::context::{InterruptHandle, flag};
use super::fences;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed, Ordering::Release, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time that does not come, and the limit that is none.
const NEVER: u64 = u64::MAX;
/// The shortest pulse: the limit of a run is noticed as much later at most, however short it is.
const SHORTEST_PULSE: u64 = 1_000_000;
/// The longest one for the sake of a limit.
const LONGEST_PULSE: u64 = 100_000_000;
/// Pulses in the time of a limit: it is noticed as much later at most as one of these.
const PULSES_OF_LIMIT: u64 = 8;
/// Pulses without a call after which the thread sleeps: a host that calls more often never wakes it, and one that does
/// not pays for few pulses.
const IDLE_PULSES: u32 = 64;
/// Pulses after which the thread takes the time to have light fences for runs and calls, if they are not light yet: as
/// many as come before it first sleeps.
const PULSES_TO_LIGHT_FENCES: u32 = IDLE_PULSES;

/// Calls, as the thread sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Activity {
    /// There was none since the last pulse.
    None = 0,
    /// There was one.
    Past = 1,
    /// One is under way that wants ticks.
    Present = 2,
}

/// The timer of a program; dropping it ends the thread.
#[derive(Debug)]
pub struct Timer(Arc<Shared>);

/// The part of a timer that gives ticks while a program runs.
#[derive(Clone, Debug)]
pub struct Ticks(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    program: InterruptHandle,
    /// Times are nanoseconds since then.
    origin: Instant,
    thread: OnceLock<Option<JoinHandle<()>>>,
    /// The number of the present run; only the program's thread writes it.
    run: AtomicU64,
    /// The last run whose time was over.
    expired: AtomicU64,
    /// Nanoseconds that each run may take.
    limit: AtomicU64,
    /// Nanoseconds between two ticks.
    period: AtomicU64,
    activity: AtomicU8,
    /// True while the thread looks for runs and calls at each pulse.
    is_pulsing: AtomicBool,
    /// True while it looks for calls that want ticks at each pulse.
    is_ticking: AtomicBool,
    has_ended: AtomicBool,
    /// Wake-ups by those who want something of the thread.
    wake_ups: AtomicU64,
}

/// The state of the thread.
#[derive(Debug)]
struct Pulses {
    /// The time of the next one.
    next: u64,
    /// The number so far.
    number: u32,
    /// The number since the last call or run.
    idle: u32,
    /// The run seen last, and the time at which it was first seen.
    run: u64,
    since: u64,
}

impl Pulses {
    fn asleep() -> Pulses {
        Pulses { next: NEVER, number: 0, idle: IDLE_PULSES, run: 0, since: 0 }
    }
}

impl Timer {
    /// A timer that has no thread yet.
    pub fn new(program: InterruptHandle) -> Timer {
        fences::register_if_alone();
        Timer(Arc::new(Shared {
            program,
            origin: Instant::now(),
            thread: OnceLock::new(),
            run: AtomicU64::new(0),
            expired: AtomicU64::new(0),
            limit: AtomicU64::new(NEVER),
            period: AtomicU64::new(NEVER),
            activity: AtomicU8::new(Activity::None as u8),
            is_pulsing: AtomicBool::new(false),
            is_ticking: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
            wake_ups: AtomicU64::new(0),
        }))
    }

    /// A run begins that may take so long, and none before is stopped any more. At its end the flag of the deadline is
    /// raised; at once if the system has no thread that could look at the clock.
    #[inline]
    pub fn begin_run(&self, limit: Option<Duration>) {
        match limit {
            Some(limit) => self.0.begin_run(nanos(limit)),
            None if self.0.limit.load(Relaxed) != NEVER => self.0.limit.store(NEVER, SeqCst),
            None => {}
        }
    }

    /// Returns whether the time of the present run is over.
    pub fn is_over(&self) -> bool {
        self.0.limit.load(SeqCst) != NEVER && self.0.expired.load(SeqCst) == self.0.run.load(Relaxed)
    }

    /// The ticks of this timer.
    pub fn ticks(&self) -> Ticks {
        Ticks(Arc::clone(&self.0))
    }

    /// Number of times that the thread was woken, or started, by those who want something of it.
    pub fn wake_ups(&self) -> u64 {
        self.0.wake_ups.load(SeqCst)
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.has_ended.store(true, SeqCst);
        let thread = self.0.thread.get().and_then(Option::as_ref);
        thread.iter().for_each(|thread| thread.thread().unpark());
    }
}

impl Ticks {
    /// Raises the flag of ticks from now on, at this distance from each other. Returns true if the thread slept.
    #[inline]
    pub fn begin(&self) -> bool {
        let slept = self.0.begin();
        if slept {
            self.0.wake();
        }
        slept
    }

    /// Raises it no more.
    #[inline]
    pub fn end(&self) {
        self.0.activity.store(Activity::Past as u8, Release);
    }

    /// Sets the time between two ticks.
    pub fn set_period(&self, period: Duration) {
        self.0.period.store(nanos(period), SeqCst);
    }
}

impl Shared {
    fn nanos(&self, time: Instant) -> u64 {
        nanos(time - self.origin)
    }

    #[inline]
    fn begin_run(self: &Arc<Self>, limit: u64) {
        let run = self.run.load(Relaxed) + 1;
        self.run.store(run, Release);
        fences::light();
        if self.limit.load(Relaxed) != limit || !self.is_pulsing.load(SeqCst) {
            self.want_pulses(run, limit);
        }
    }

    /// The thread looks at another distance than runs want, or sleeps.
    #[cold]
    fn want_pulses(self: &Arc<Self>, run: u64, limit: u64) {
        self.limit.store(limit, SeqCst);
        // The thread is woken once, however late it comes to it.
        self.is_pulsing.store(true, SeqCst);
        if limit == 0 || !self.wake() {
            self.is_pulsing.store(false, SeqCst);
            self.expire(run);
        }
    }

    fn expire(&self, run: u64) {
        self.expired.store(run, SeqCst);
        self.program.raise(flag::DEADLINE);
    }

    /// A call begins; true if the thread does not look for calls, and nobody has woken it.
    #[inline]
    fn begin(&self) -> bool {
        self.activity.store(Activity::Present as u8, Release);
        fences::light();
        !self.is_ticking.load(SeqCst) && !self.is_ticking.swap(true, SeqCst)
    }

    /// Wakes the thread, or starts it; false if the system has none to give.
    #[cold]
    fn wake(self: &Arc<Self>) -> bool {
        self.wake_ups.fetch_add(1, SeqCst);
        let start = || {
            let shared = Arc::clone(self);
            thread::Builder::new().name("timer".to_owned()).spawn(move || shared.run()).ok()
        };
        let thread = self.thread.get_or_init(start);
        thread.iter().for_each(|thread| thread.thread().unpark());
        thread.is_some()
    }

    /// The thread.
    fn run(&self) {
        let mut pulses = Pulses::asleep();
        while !self.has_ended.load(SeqCst) {
            if pulses.number == PULSES_TO_LIGHT_FENCES {
                fences::register();
            }
            let now = self.nanos(Instant::now());
            match self.look(now, &mut pulses) {
                NEVER => thread::park(),
                until => thread::park_timeout(Duration::from_nanos(until.saturating_sub(now))),
            }
        }
    }

    /// Raises the flags that are due, and says until when the thread may sleep.
    fn look(&self, now: u64, pulses: &mut Pulses) -> u64 {
        if pulses.next <= now {
            self.pulse(pulses);
            pulses.next = NEVER;
        }
        loop {
            let is_new = self.note_run(now, pulses);
            let is_asked = self.activity.load(SeqCst) != Activity::None as u8;
            if is_new || pulses.next == NEVER && is_asked {
                pulses.idle = 0;
            }
            // Whoever woke the thread may want shorter pulses.
            let is_pulsing = pulses.idle < IDLE_PULSES;
            if is_pulsing {
                pulses.next = pulses.next.min(now.saturating_add(self.length()));
            }
            let until = pulses.next.min(self.deadline(pulses));
            let is_ticking = is_pulsing && self.period.load(SeqCst) != NEVER;
            let stops_ticking = self.is_ticking.swap(is_ticking, SeqCst) && !is_ticking;
            let stops_pulsing = self.is_pulsing.swap(is_pulsing, SeqCst) && !is_pulsing;
            if stops_ticking || stops_pulsing {
                fences::heavy();
            }
            // Now others see if the thread sleeps: what they wrote before is seen here.
            let wants_ticks = pulses.next == NEVER && self.activity.load(SeqCst) != Activity::None as u8;
            let has_begun = self.limit.load(SeqCst) != NEVER && self.run.load(SeqCst) != pulses.run;
            if !wants_ticks && !has_begun {
                return until;
            }
        }
    }

    /// Notes the time at which a run is first seen, or raises the flag of one whose time is over. Returns true if it is new.
    fn note_run(&self, now: u64, pulses: &mut Pulses) -> bool {
        let run = self.run.load(SeqCst);
        if run != pulses.run {
            (pulses.run, pulses.since) = (run, now);
            return self.limit.load(SeqCst) != NEVER;
        }
        if self.deadline(pulses) <= now {
            self.expire(run);
        }
        false
    }

    /// The end of the time of the run that was seen last, if it was not reached.
    fn deadline(&self, pulses: &Pulses) -> u64 {
        match self.limit.load(SeqCst) {
            NEVER => NEVER,
            _ if self.expired.load(SeqCst) == pulses.run => NEVER,
            limit => pulses.since.saturating_add(limit),
        }
    }

    fn pulse(&self, pulses: &mut Pulses) {
        pulses.number = pulses.number.saturating_add(1);
        let (past, none) = (Activity::Past as u8, Activity::None as u8);
        match self.activity.compare_exchange(past, none, SeqCst, SeqCst) {
            Ok(_) => pulses.idle = 0,
            Err(present) if present == Activity::Present as u8 => {
                pulses.idle = 0;
                self.program.raise(flag::TICK);
            }
            Err(_) => pulses.idle += 1,
        }
    }

    /// The distance of pulses.
    fn length(&self) -> u64 {
        let of_limit = match self.limit.load(SeqCst) {
            NEVER => NEVER,
            limit => (limit / PULSES_OF_LIMIT).min(LONGEST_PULSE),
        };
        self.period.load(SeqCst).min(of_limit).max(SHORTEST_PULSE)
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(NEVER - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ContextBox;

    const MILLISECOND: u64 = 1_000_000;

    fn timer() -> (ContextBox, Timer) {
        let context = ContextBox::new().expect("there is memory for a context");
        let timer = Timer::new(context.interrupt_handle());
        (context, timer)
    }

    /// A timer whose thread is one that does nothing, for which the test stands.
    fn timer_without_thread() -> (ContextBox, Timer) {
        let (context, timer) = timer();
        timer.0.thread.set(Some(thread::spawn(|| ()))).expect("nobody has woken it");
        (context, timer)
    }

    #[test]
    fn ticks_come_while_calls_are_under_way() {
        let (context, timer) = timer_without_thread();
        let (shared, mut pulses) = (&timer.0, Pulses::asleep());
        let period = Duration::from_millis(1);
        timer.ticks().set_period(period);
        assert_eq!(shared.look(0, &mut pulses), NEVER, "nobody wants anything");
        assert!(shared.begin(), "it sleeps");
        assert_eq!(shared.look(0, &mut pulses), MILLISECOND);
        assert_eq!(context.flags(), 0);
        assert_eq!(shared.look(MILLISECOND, &mut pulses), 2 * MILLISECOND);
        assert_eq!(context.take_flags(flag::TICK), flag::TICK);
        timer.ticks().end();
        for pulse in 2..1000 {
            let next = shared.look(pulse * MILLISECOND, &mut pulses);
            assert_eq!(next, (pulse + 1) * MILLISECOND);
            assert!(!shared.begin(), "the thread looks for calls");
            timer.ticks().end();
        }
        assert_eq!(context.flags(), 0, "no call was under way");
        let mut pulse = 1000;
        while shared.look(pulse * MILLISECOND, &mut pulses) != NEVER {
            pulse += 1;
        }
        assert_eq!(pulse, 1000 + u64::from(IDLE_PULSES), "one pulse saw the last call");
        assert!(shared.begin(), "it sleeps again");
    }

    #[test]
    fn the_flag_of_the_deadline_is_raised_for_the_present_run() {
        let (context, timer) = timer_without_thread();
        let (shared, mut pulses) = (&timer.0, Pulses::asleep());
        let limit = Duration::from_millis(10);
        assert_eq!(shared.look(0, &mut pulses), NEVER);
        for run in 0..100 {
            timer.begin_run(Some(limit));
            assert_eq!(timer.wake_ups(), 1, "the first run wakes the thread");
            let begun = run * MILLISECOND;
            let next = shared.look(begun, &mut pulses);
            assert!(next <= begun + 2 * MILLISECOND, "{next}");
        }
        assert_eq!(context.flags(), 0);
        shared.look(108 * MILLISECOND, &mut pulses);
        assert!(context.flags() == 0 && !timer.is_over());
        shared.look(109 * MILLISECOND, &mut pulses);
        assert_eq!(context.take_flags(flag::DEADLINE), flag::DEADLINE);
        assert!(timer.is_over());
        let mut now = 110 * MILLISECOND;
        while let next = shared.look(now, &mut pulses)
            && next != NEVER
        {
            now = next;
        }
        assert_eq!(context.flags(), 0, "it is raised once");
        timer.begin_run(Some(limit));
        assert!(!timer.is_over(), "that was an earlier run");
        assert_eq!(timer.wake_ups(), 2, "the thread sleeps");
        timer.begin_run(Some(Duration::ZERO));
        assert!(timer.is_over(), "there is no time at all");
        assert_eq!(context.take_flags(flag::DEADLINE), flag::DEADLINE);
        timer.begin_run(None);
        assert!(!timer.is_over());
    }

    #[test]
    fn a_shorter_limit_and_ticks_wake_the_thread() {
        let (_context, timer) = timer_without_thread();
        let (shared, mut pulses) = (&timer.0, Pulses::asleep());
        timer.begin_run(Some(Duration::from_secs(10)));
        assert_eq!(shared.look(0, &mut pulses), 100 * MILLISECOND);
        timer.begin_run(Some(Duration::from_secs(10)));
        assert_eq!(timer.wake_ups(), 1, "it looks at each pulse");
        timer.begin_run(Some(Duration::from_millis(16)));
        assert_eq!(timer.wake_ups(), 2);
        assert_eq!(shared.look(2 * MILLISECOND, &mut pulses), 4 * MILLISECOND);
        timer.ticks().set_period(Duration::from_millis(1));
        assert!(shared.begin());
        assert_eq!(shared.look(2 * MILLISECOND, &mut pulses), 3 * MILLISECOND);
    }

    #[test]
    fn a_run_is_stopped_by_the_thread() {
        let (context, timer) = timer();
        let begun = Instant::now();
        timer.begin_run(Some(Duration::from_millis(5)));
        while !timer.is_over() {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(begun.elapsed() >= Duration::from_millis(5));
        assert_eq!(context.take_flags(flag::DEADLINE), flag::DEADLINE);
    }
}
