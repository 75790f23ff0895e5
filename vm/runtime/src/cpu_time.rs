//! CPU time, which other work on the machine does not lengthen as it does wall time.
//!
//! In: nothing, or a thread. Out: the time that this thread, that thread, or all threads of this process have computed so far. Invariant: none decreases
//! while its thread runs.

#![expect(unsafe_code, reason = "std does not read these clocks")]

use std::mem::MaybeUninit;
use std::os::unix::thread::JoinHandleExt;
use std::thread::JoinHandle;
use std::time::Duration;

/// The CPU time of the calling thread.
pub fn of_thread() -> Duration {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// The CPU time of all threads of the process.
pub fn of_process() -> Duration {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// The CPU time of another thread; zero once it has ended.
pub fn of<T>(thread: &JoinHandle<T>) -> Duration {
    let mut clock = libc::CLOCK_THREAD_CPUTIME_ID;
    // SAFETY: a thread that has a handle is neither joined nor detached, so its id is valid; the pointer is valid for writes during the call.
    let error = unsafe { libc::pthread_getcpuclockid(thread.as_pthread_t(), &raw mut clock) };
    if error == 0 { read(clock) } else { Duration::ZERO }
}

fn read(clock: libc::clockid_t) -> Duration {
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: the pointer is valid for writes of a timespec during the call; a timespec has no invalid bit patterns and was zeroed.
    let time = unsafe {
        libc::clock_gettime(clock, time.as_mut_ptr());
        time.assume_init()
    };
    let part = |count: i64| u64::try_from(count).unwrap_or(0);
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}
