//! Operations on child processes that std lacks: waiting without reaping, the peak memory and CPU time of a child, signals
//! to a group.
//!
//! In: the id of a direct child that nobody else waits for. Out: its exit status and resources. Contract: the calls for
//! one child come in the order [`wait_for_end`], then [`reap`] once nobody may signal it any more. Between them its id,
//! and that of its group, still belong to it, so that a signal cannot hit another process.

#![expect(unsafe_code, reason = "waitid, wait4, kill and getrusage have no safe wrapper in std")]

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// The id of a process that is this one's child and leads a group of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GroupLeader(libc::pid_t);

impl GroupLeader {
    /// The child that std started under this id.
    pub(super) fn of(id: u32) -> Self {
        Self(libc::pid_t::try_from(id).expect("the system's process ids fit its own type"))
    }
}

/// Waits until the process has ended, without reaping it.
pub(super) fn wait_for_end(leader: GroupLeader) -> io::Result<()> {
    let id = libc::id_t::try_from(leader.0).expect("process ids are positive");
    loop {
        let mut what_happened = MaybeUninit::<libc::siginfo_t>::zeroed();
        // SAFETY: `what_happened` is valid for writes of a siginfo_t during the call, and no memory else is passed.
        let result =
            unsafe { libc::waitid(libc::P_PID, id, what_happened.as_mut_ptr(), libc::WEXITED | libc::WNOWAIT) };
        match result {
            0 => return Ok(()),
            _ => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error => return Err(error),
            },
        }
    }
}

/// Resources that an ended process has used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Usage {
    /// Peak resident memory in bytes.
    pub(super) peak_memory: u64,
    /// CPU time of all its threads, in user and in system mode.
    pub(super) cpu: Duration,
}

/// Reaps an ended process.
pub(super) fn reap(leader: GroupLeader) -> io::Result<(ExitStatus, Usage)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are valid for writes of their types during the call; rusage has no invalid bit patterns and
    // was zeroed.
    let (reaped, usage) =
        unsafe { (libc::wait4(leader.0, &raw mut status, 0, usage.as_mut_ptr()), usage.assume_init()) };
    if reaped != leader.0 {
        return Err(io::Error::last_os_error());
    }
    let cpu = duration(usage.ru_utime) + duration(usage.ru_stime);
    Ok((ExitStatus::from_raw(status), Usage { peak_memory: kibibytes(usage.ru_maxrss), cpu }))
}

/// Kills an unreaped process with its whole group.
pub(super) fn kill_group(leader: GroupLeader) {
    // SAFETY: passes no memory; by the module's contract the group is the child's own. A group that is just gone is
    // the only possible error, and is what is wanted.
    let _ = unsafe { libc::kill(-leader.0, libc::SIGKILL) };
}

/// The peak resident memory of this process so far, in bytes.
pub(super) fn own_peak_memory() -> u64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is valid for writes of an rusage during the call; rusage has no invalid bit patterns and was
    // zeroed.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    kibibytes(usage.ru_maxrss)
}

fn duration(time: libc::timeval) -> Duration {
    let part = |count: i64| u64::try_from(count).unwrap_or(0);
    Duration::from_secs(part(time.tv_sec)) + Duration::from_micros(part(time.tv_usec))
}

/// Linux counts `ru_maxrss` in KiB.
fn kibibytes(count: libc::c_long) -> u64 {
    u64::try_from(count).unwrap_or(0) * 1024
}
