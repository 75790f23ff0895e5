//! The timer: a thread that raises flags of a program, at its deadline and at the ticks of its adaptive system.
//!
//! In: the deadline of each run, the beginning and the end of each call, and the time between ticks. Out: flags. The
//! thread starts when it is first wanted, and looks at what is wanted once a pulse: a tick, or a time limit. After many
//! pulses in which nothing ran it sleeps until somebody wakes it.
//!
//! Invariants: a call writes and reads atomics, and asks nothing of the system, but for one wake-up after such a sleep.
//! Whoever wants something writes that first, then reads how long the thread sleeps; the thread writes how long it will
//! sleep, then looks again at what is wanted: so one of the two sees the other. The flag of the deadline says that the
//! clock is to be looked at, no more: one that comes late stops no later run.

use super::context::{InterruptHandle, flag};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time that does not come.
const NEVER: u64 = u64::MAX;
/// The shortest pulse: the limit of a run is noticed as much later at most, however short it is.
const SHORTEST_PULSE: Duration = Duration::from_millis(1);
/// Pulses without a call after which the thread sleeps: a host that calls more often never wakes it, and one that does
/// not pays for few pulses.
const IDLE_PULSES: u32 = 64;

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
    /// The deadline of the present run.
    deadline: AtomicU64,
    /// Nanoseconds that each run may take.
    limit: AtomicU64,
    /// Nanoseconds between two ticks.
    period: AtomicU64,
    activity: AtomicU8,
    /// The time until which the thread sleeps.
    asleep_until: AtomicU64,
    /// True while the thread looks for calls that want ticks at each pulse.
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
    /// The number since the last call.
    idle: u32,
}

impl Timer {
    /// A timer that has no thread yet.
    pub fn new(program: InterruptHandle) -> Timer {
        Timer(Arc::new(Shared {
            program,
            origin: Instant::now(),
            thread: OnceLock::new(),
            deadline: AtomicU64::new(NEVER),
            limit: AtomicU64::new(NEVER),
            period: AtomicU64::new(NEVER),
            activity: AtomicU8::new(Activity::None as u8),
            asleep_until: AtomicU64::new(NEVER),
            is_ticking: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
            wake_ups: AtomicU64::new(0),
        }))
    }

    /// Raises the flag of the deadline in so much time, and not at the deadline before. Returns that moment; the
    /// present one if the system has no thread that could look at the clock.
    pub fn arm(&self, limit: Duration) -> Option<Instant> {
        let now = Instant::now();
        let Some(deadline) = now.checked_add(limit) else {
            self.disarm();
            return None;
        };
        match self.0.arm(self.0.nanos(now), limit) {
            true => Some(deadline),
            false => {
                self.0.program.raise(flag::DEADLINE);
                Some(now)
            }
        }
    }

    /// Forgets the deadline.
    pub fn disarm(&self) {
        self.0.deadline.store(NEVER, SeqCst);
        self.0.limit.store(NEVER, SeqCst);
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
    pub fn begin(&self) -> bool {
        let slept = self.0.begin();
        if slept {
            self.0.wake();
        }
        slept
    }

    /// Raises it no more.
    pub fn end(&self) {
        self.0.activity.store(Activity::Past as u8, SeqCst);
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

    /// Sets the deadline; false if there is no thread to keep it.
    fn arm(self: &Arc<Self>, now: u64, limit: Duration) -> bool {
        let deadline = now.saturating_add(nanos(limit));
        self.limit.store(nanos(limit), SeqCst);
        self.deadline.store(deadline, SeqCst);
        // A call that wants ticks has not begun yet.
        self.activity.store(Activity::Past as u8, SeqCst);
        if deadline <= now {
            self.program.raise(flag::DEADLINE);
            return true;
        }
        // The thread is woken once, however late it comes to it.
        let is_kept = self.asleep_until.fetch_min(deadline, SeqCst) <= deadline || self.wake();
        if !is_kept {
            self.asleep_until.store(NEVER, SeqCst);
        }
        is_kept
    }

    /// A call begins; true if the thread does not look for calls, and nobody has woken it.
    fn begin(&self) -> bool {
        self.activity.store(Activity::Present as u8, SeqCst);
        !self.is_ticking.swap(true, SeqCst)
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
        let mut pulses = Pulses { next: NEVER, idle: IDLE_PULSES };
        while !self.has_ended.load(SeqCst) {
            let now = self.nanos(Instant::now());
            match self.look(now, &mut pulses) {
                NEVER => thread::park(),
                until => thread::park_timeout(Duration::from_nanos(until.saturating_sub(now))),
            }
        }
    }

    /// Raises the flags that are due, and says until when the thread may sleep.
    fn look(&self, now: u64, pulses: &mut Pulses) -> u64 {
        self.end_run(now);
        if pulses.next <= now {
            self.pulse(pulses);
            pulses.next = NEVER;
        }
        loop {
            let is_asked = self.activity.load(SeqCst) != Activity::None as u8;
            if pulses.next == NEVER && is_asked {
                pulses.idle = 0;
            }
            // Whoever woke the thread may want shorter pulses.
            if pulses.idle < IDLE_PULSES {
                pulses.next = pulses.next.min(now.saturating_add(self.length()));
            }
            let deadline = self.deadline.load(SeqCst);
            let until = pulses.next.min(deadline);
            self.is_ticking.store(pulses.next != NEVER && self.period.load(SeqCst) != NEVER, SeqCst);
            self.asleep_until.store(until, SeqCst);
            // Now others see how long the thread sleeps: what they wrote before is seen here.
            let is_wanted = pulses.next == NEVER && self.activity.load(SeqCst) != Activity::None as u8;
            if !is_wanted && self.deadline.load(SeqCst) >= until {
                return until;
            }
        }
    }

    fn end_run(&self, now: u64) {
        let deadline = self.deadline.load(SeqCst);
        // The deadline of a run that begins just now is another one.
        if deadline <= now && self.deadline.compare_exchange(deadline, NEVER, SeqCst, SeqCst).is_ok() {
            self.program.raise(flag::DEADLINE);
        }
    }

    fn pulse(&self, pulses: &mut Pulses) {
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
        self.period.load(SeqCst).min(self.limit.load(SeqCst)).max(nanos(SHORTEST_PULSE))
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
        // There is a thread, as far as others see, which the test stands for.
        timer.0.thread.set(None).expect("nobody has woken it");
        (context, timer)
    }

    fn asleep() -> Pulses {
        Pulses { next: NEVER, idle: IDLE_PULSES }
    }

    #[test]
    fn ticks_come_while_calls_are_under_way() {
        let (context, timer) = timer();
        let (shared, mut pulses) = (&timer.0, asleep());
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
        let (context, timer) = timer();
        let (shared, mut pulses) = (&timer.0, asleep());
        let limit = Duration::from_millis(10);
        assert_eq!(shared.look(0, &mut pulses), NEVER);
        assert!(!shared.arm(0, limit), "it sleeps, and there is no thread to wake");
        for run in 0..100 {
            let begun = run * MILLISECOND;
            assert_eq!(shared.arm(begun, limit), run > 0, "the thread looks at the clock within the limit");
            let next = shared.look(begun, &mut pulses);
            assert!(next <= begun + 10 * MILLISECOND, "{next}");
        }
        assert_eq!(context.flags(), 0);
        shared.look(109 * MILLISECOND, &mut pulses);
        assert_eq!(context.take_flags(flag::DEADLINE), flag::DEADLINE);
        let mut now = 110 * MILLISECOND;
        while let next = shared.look(now, &mut pulses)
            && next != NEVER
        {
            now = next;
        }
        assert_eq!(context.flags(), 0, "it is raised once");
        assert!(shared.arm(now, Duration::ZERO));
        assert_eq!(context.take_flags(flag::DEADLINE), flag::DEADLINE, "there is no time at all");
    }

    #[test]
    fn a_shorter_limit_and_ticks_wake_the_thread() {
        let (_context, timer) = timer();
        let (shared, mut pulses) = (&timer.0, asleep());
        shared.arm(0, Duration::from_secs(10));
        assert_eq!(shared.look(0, &mut pulses), 10_000 * MILLISECOND);
        assert_eq!(timer.wake_ups(), 1);
        assert!(shared.arm(MILLISECOND, Duration::from_secs(10)));
        assert_eq!(timer.wake_ups(), 1, "it wakes before that deadline");
        shared.arm(2 * MILLISECOND, Duration::from_millis(5));
        assert_eq!(timer.wake_ups(), 2);
        assert_eq!(shared.look(2 * MILLISECOND, &mut pulses), 7 * MILLISECOND);
        timer.ticks().set_period(Duration::from_millis(1));
        assert!(shared.begin());
        assert_eq!(shared.look(2 * MILLISECOND, &mut pulses), 3 * MILLISECOND);
    }
}
