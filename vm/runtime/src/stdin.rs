//! Standard input, by lines, as it comes, or to its end, waited for in such a way that the program can be stopped meanwhile.
//!
//! In: a question whether the program is to stop. Out: a line, some bytes, or all that is left. Invariants: bytes behind those stay with the standard
//! library, for whoever reads next. A thread that waits in place of the program takes none; a program that is stopped
//! leaves it to the next one that waits.

use crate::failure::FailureKind;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Time between looks whether the program is to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// A question whether the program is to stop.
pub type AskStop<'a> = dyn FnMut() -> Result<(), FailureKind> + 'a;

/// State of standard input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Readiness {
    /// Reading does not block.
    Ready,
    /// It has ended.
    Ended,
}

/// True while the standard library has bytes that were read and not taken.
static HAS_BYTES: AtomicBool = AtomicBool::new(false);
/// The thread that waits for a program which was stopped.
static WAITING: Mutex<Option<Receiver<Readiness>>> = Mutex::new(None);

/// The next line with its newline, if it has one; `None` at the end. A line of more than so many bytes finds no memory.
pub(super) fn read_line(limit: usize, stop: &mut AskStop<'_>) -> Result<Option<Vec<u8>>, FailureKind> {
    let line = read(limit, stop, |bytes| bytes.iter().position(|byte| *byte == b'\n'))?;
    Ok(Some(line).filter(|line| !line.is_empty()))
}

/// The bytes that can be read now, so many at most and one at least; `None` at the end.
pub(super) fn read_some(most: usize, stop: &mut AskStop<'_>) -> Result<Option<Vec<u8>>, FailureKind> {
    let some = read(most, stop, |bytes| bytes.len().min(most).checked_sub(1))?;
    Ok(Some(some).filter(|some| !some.is_empty()))
}

/// All that is left. More than so many bytes find no memory.
pub(super) fn read_rest(limit: usize, stop: &mut AskStop<'_>) -> Result<Vec<u8>, FailureKind> {
    read(limit, stop, |_| None)
}

/// Reads up to the end, or to a byte at which `last` finds that it is enough.
fn read(limit: usize, stop: &mut AskStop<'_>, last: impl Fn(&[u8]) -> Option<usize>) -> Result<Vec<u8>, FailureKind> {
    let mut found = Vec::new();
    loop {
        if !HAS_BYTES.load(Ordering::SeqCst) && wait(stop)? == Readiness::Ended {
            return Ok(found);
        }
        let mut stdin = io::stdin().lock();
        let bytes = match stdin.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        let last = last(bytes);
        let taken = last.map_or(bytes.len(), |at| at + 1);
        let (has_ended, has_room) = (bytes.is_empty(), found.len() + taken <= limit);
        if has_room {
            found.extend_from_slice(&bytes[..taken]);
        }
        HAS_BYTES.store(taken < bytes.len(), Ordering::SeqCst);
        stdin.consume(taken);
        match (has_ended, has_room) {
            (true, _) => return Ok(found),
            (false, false) => return Err(FailureKind::OutOfMemory),
            (false, true) if last.is_some() => return Ok(found),
            (false, true) => {}
        }
    }
}

/// Waits until reading does not block.
fn wait(stop: &mut AskStop<'_>) -> Result<Readiness, FailureKind> {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    if poll(&mut [PollFd::new(&io::stdin(), PollFlags::IN)], Some(&now)) != Ok(0) {
        return Ok(Readiness::Ready);
    }
    let left = WAITING.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(answer) = left.or_else(begin_to_wait) else { return Ok(Readiness::Ready) };
    loop {
        match answer.recv_timeout(BETWEEN_LOOKS) {
            Ok(readiness) => return Ok(readiness),
            Err(RecvTimeoutError::Disconnected) => return Ok(Readiness::Ended),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(kind) = stop() {
                    *WAITING.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
                    return Err(kind);
                }
            }
        }
    }
}

/// Starts a thread that waits; none if the system has none to give.
fn begin_to_wait() -> Option<Receiver<Readiness>> {
    let (done, answer) = mpsc::channel();
    let wait = move || {
        let has_ended = io::stdin().lock().fill_buf().is_ok_and(<[u8]>::is_empty);
        // If nobody waits any more, nobody is told.
        let _ = done.send(if has_ended { Readiness::Ended } else { Readiness::Ready });
    };
    thread::Builder::new().name("stdin".to_owned()).spawn(wait).ok().map(|_| answer)
}
