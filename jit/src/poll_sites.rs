//! Polls that are instructions without effect until a flag is raised.
//!
//! In: the places of such polls in code that is loaded, and whether the program is wanted. Out: each of them is a call of the
//! poll stub while it is wanted, and a test whose result nobody reads while it is not. The two differ in one byte, which any thread may
//! write while the code runs: a processor sees one instruction or the other. Both have the same operand, the distance to the stub.
//!
//! Contract: arming never waits, so that a signal handler may do it. Whoever finds the sites locked leaves it to the thread that
//! has them, which looks again behind its turn.
#![expect(unsafe_code, reason = "writes machine code that runs")]

use crate::arch::{ARMED_POLL, DISARMED_POLL};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// The polls in place of all code that a context belongs to.
#[derive(Clone, Debug, Default)]
pub struct PollSites(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    is_wanted: AtomicBool,
    sites: Mutex<Sites>,
}

/// The writable addresses of polls.
#[derive(Debug, Default)]
struct Sites {
    are_armed: bool,
    /// By the place of the code that they are in.
    by_code: BTreeMap<usize, Vec<Site>>,
    count: usize,
}

/// The byte in which the two instructions differ, where it may be written.
#[derive(Debug)]
pub(crate) struct Site(pub(crate) *mut u8);

// SAFETY: the byte is only accessed as an atomic, and the code it is in outlives its place among the sites.
unsafe impl Send for Site {}

impl Site {
    fn arm(&self, armed: bool) {
        let opcode = if armed { ARMED_POLL } else { DISARMED_POLL };
        // SAFETY: the byte lies in the writable view of code that is loaded, and is accessed as an atomic only from then on.
        unsafe { AtomicU8::from_ptr(self.0) }.store(opcode, Ordering::SeqCst);
    }
}

impl PollSites {
    /// Wants the program at its next poll, or does not any more.
    pub fn want(&self, is_wanted: bool) {
        if self.0.is_wanted.swap(is_wanted, Ordering::SeqCst) != is_wanted {
            self.settle();
        }
    }

    /// Adds the polls of code, which is not executed yet.
    pub(crate) fn add(&self, code: usize, sites: Vec<Site>) {
        if sites.is_empty() {
            return;
        }
        let mut known = self.lock();
        sites.iter().for_each(|site| site.arm(known.are_armed));
        known.count += sites.len();
        known.by_code.insert(code, sites);
        drop(known);
        self.settle();
    }

    /// Forgets the polls of all code that begins in a range of addresses, so that nothing is written there any more.
    pub(crate) fn remove(&self, codes: Range<usize>) {
        let mut known = self.lock();
        let removed: Vec<usize> = known.by_code.range(codes).map(|(code, _)| *code).collect();
        for code in removed {
            let sites = known.by_code.remove(&code).expect("it was found");
            known.count -= sites.len();
        }
        drop(known);
        self.settle();
    }

    /// The number of polls.
    pub fn count(&self) -> usize {
        self.lock().count
    }

    fn settle(&self) {
        loop {
            let mut known = match self.0.sites.try_lock() {
                Ok(known) => known,
                Err(TryLockError::Poisoned(known)) => known.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            let is_wanted = self.0.is_wanted.load(Ordering::SeqCst);
            if known.are_armed != is_wanted {
                known.by_code.values().flatten().for_each(|site| site.arm(is_wanted));
                known.are_armed = is_wanted;
            }
            drop(known);
            if self.0.is_wanted.load(Ordering::SeqCst) == is_wanted {
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Sites> {
        self.0.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn polls_are_armed_while_the_program_is_wanted() {
        let polls = PollSites::default();
        let mut code = [0; 3];
        let base = code.as_mut_ptr();
        // SAFETY: each address lies in the array, which is only accessed through them from here on.
        let at = |offset| unsafe { base.add(offset) };
        // SAFETY: as above.
        let read = |offset| unsafe { AtomicU8::from_ptr(at(offset)) }.load(Ordering::SeqCst);
        polls.add(10, vec![Site(at(0)), Site(at(1))]);
        assert_eq!([read(0), read(1), read(2)], [DISARMED_POLL, DISARMED_POLL, 0]);
        polls.want(true);
        polls.add(20, vec![Site(at(2))]);
        assert_eq!([read(0), read(1), read(2)], [ARMED_POLL; 3]);
        polls.remove(0..20);
        polls.want(false);
        assert_eq!([read(0), read(1), read(2)], [ARMED_POLL, ARMED_POLL, DISARMED_POLL]);
        assert_eq!(polls.count(), 1);
    }

    #[test]
    fn threads_leave_the_polls_as_they_are_wanted_last() {
        let polls = PollSites::default();
        let mut code = [0; 64];
        let base = code.as_mut_ptr();
        // SAFETY: each address lies in the array, which is only accessed through them from here on.
        polls.add(1, (0..64).map(|offset| Site(unsafe { base.add(offset) })).collect());
        for is_wanted in [true, false] {
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| (0..1000).for_each(|turn| polls.want(turn % 2 == 0)));
                }
            });
            polls.want(is_wanted);
            assert_eq!(polls.lock().are_armed, is_wanted);
        }
    }
}
