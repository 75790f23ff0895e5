//! The timer, and the handler of its signal.
//!
//! In: what the handler needs. Out: a sample in the ring at each signal. Invariant: the handler runs on the thread that began the
//! timer alone, and does nothing but read memory and clocks and write to the ring.
#![expect(unsafe_code, reason = "timers and signal handlers are C interfaces")]

use super::frames;
use super::shared::Shared;
use holloway_jit::arch::Interrupted;
use std::io;
use std::mem::{MaybeUninit, zeroed};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The signal, which profilers use.
const SIGNAL: libc::c_int = libc::SIGPROF;

/// The state of the running sampler, for the handler; null if there is none.
static ACTIVE: AtomicPtr<Shared> = AtomicPtr::new(ptr::null_mut());

/// A timer of a thread.
#[derive(Default)]
pub(super) struct Timer {
    timer: Option<libc::timer_t>,
}

impl Timer {
    /// Sends the signal to this thread so many times a second.
    ///
    /// # Safety
    /// The timer is stopped, on this thread, before `shared` is let go of.
    pub(super) unsafe fn begin(shared: &Arc<Shared>, hz: u32) -> io::Result<Timer> {
        let own = Arc::as_ptr(shared).cast_mut();
        if ACTIVE.compare_exchange(ptr::null_mut(), own, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another run of this process is being sampled"));
        }
        let started = install_handler().and_then(|()| start(hz, own));
        if started.is_err() {
            ACTIVE.store(ptr::null_mut(), Ordering::Release);
        }
        Ok(Timer { timer: Some(started?) })
    }

    /// Sends no more signals. One that is under way finds nothing to do.
    pub(super) fn stop(&mut self) {
        if let Some(timer) = self.timer.take() {
            // SAFETY: the timer was created, and is deleted once.
            unsafe { libc::timer_delete(timer) };
            ACTIVE.store(ptr::null_mut(), Ordering::Release);
        }
    }
}

fn checked(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The handler stays: a late signal would end the process otherwise.
fn install_handler() -> io::Result<()> {
    let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = handle;
    // SAFETY: all zeros is a valid action, with an empty mask; the handler has the type that SA_SIGINFO asks for, and calls that the signal
    // interrupts go on.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
        checked(libc::sigaction(SIGNAL, &raw const action, ptr::null_mut()))
    }
}

fn start(hz: u32, shared: *mut Shared) -> io::Result<libc::timer_t> {
    let nanos = 1_000_000_000 / i64::from(hz.max(1));
    let period = libc::timespec { tv_sec: nanos / 1_000_000_000, tv_nsec: nanos % 1_000_000_000 };
    let periods = libc::itimerspec { it_interval: period, it_value: period };
    let mut timer = MaybeUninit::<libc::timer_t>::uninit();
    // SAFETY: all zeros is a valid event; it names this thread. The timer is written before it is read.
    unsafe {
        let mut event: libc::sigevent = zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = SIGNAL;
        event.sigev_value = libc::sigval { sival_ptr: shared.cast() };
        event.sigev_notify_thread_id = libc::gettid();
        checked(libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, timer.as_mut_ptr()))?;
        let timer = timer.assume_init();
        match checked(libc::timer_settime(timer, 0, &raw const periods, ptr::null_mut())) {
            Ok(()) => Ok(timer),
            Err(error) => {
                libc::timer_delete(timer);
                Err(error)
            }
        }
    }
}

/// Takes a sample, where the signal is one of the timer: others may come to any thread.
extern "C" fn handle(_: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let shared = ACTIVE.load(Ordering::Acquire);
    // SAFETY: the system passes a handler with SA_SIGINFO what is known of the signal, which has a value if a timer sent it.
    let is_own = unsafe { (*info).si_code == libc::SI_TIMER && (*info).si_value().sival_ptr == shared.cast() };
    if shared.is_null() || !is_own {
        return;
    }
    // SAFETY: the sampler, which waits for this thread, keeps what is shared while it is active. The system passes the thread's
    // context to handlers.
    let (shared, registers) = unsafe { (&*shared, Interrupted::of(context)) };
    // SAFETY: the registers are those of the thread that the machine runs on, which stands still meanwhile.
    unsafe { frames::take(&shared.places, registers, &shared.ring) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_that_no_timer_sent_takes_no_sample() {
        install_handler().expect("it is installed");
        // No sampler is at that address: a handler that looked would crash.
        let nothing = ptr::without_provenance_mut(8);
        assert!(ACTIVE.compare_exchange(ptr::null_mut(), nothing, Ordering::AcqRel, Ordering::Relaxed).is_ok());
        // SAFETY: the handler is in place.
        assert_eq!(unsafe { libc::raise(SIGNAL) }, 0);
        ACTIVE.store(ptr::null_mut(), Ordering::Release);
    }
}
