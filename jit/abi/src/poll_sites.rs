//! Polls that are instructions without effect until a flag is raised.
//!
//! In: the places of such polls in code that is loaded, and for which reasons they are wanted. Out: each of them is armed while it is
//! wanted for one of its reasons: it calls the poll stub, or goes to code that polls. Armed and disarmed it differs in one byte, which any thread may write while
//! the code runs: a processor sees one instruction or the other. Both have the same operand, a distance that the one without effect ignores.
//!
//! Contract: arming never waits, so that a signal handler may do it. Whoever finds the sites locked leaves it to the thread that
//! has them, which looks again behind its turn. And all are armed as nearly at once as the machine allows: the first one that a program comes to
//! tells where its time goes, which would else be the first one armed, that of a loop around others.
#![expect(unsafe_code, reason = "writes machine code that runs")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering, fence};
use std::sync::{Mutex, PoisonError, TryLockError};

/// The first bytes of a poll's two instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opcodes {
    /// While it polls.
    pub armed: u8,
    /// While it does not.
    pub disarmed: u8,
}

/// The polls in place of all code that a context belongs to.
#[derive(Clone, Debug, Default)]
pub struct PollSites(Arc<Shared>);

/// A reason to arm polls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// A flag is raised.
    Flag = 1,
    /// Some frame is to be left for another version.
    Leaving = 2,
}

/// The reasons for which a poll at which frames can be left is armed.
pub const ALL_REASONS: u8 = Reason::Flag as u8 | Reason::Leaving as u8;

#[derive(Debug, Default)]
struct Shared {
    /// The reasons that there are, as bits.
    wanted: AtomicU8,
    sites: Mutex<Sites>,
}

/// The writable addresses of polls.
#[derive(Debug, Default)]
struct Sites {
    /// The reasons for which polls are armed, as bits.
    armed: u8,
    /// By the place of the code that they are in.
    by_code: BTreeMap<usize, Vec<Site>>,
    count: usize,
}

/// One poll.
#[derive(Debug)]
pub struct Site {
    /// The byte in which the two instructions differ, where it may be written.
    pub opcode: *mut u8,
    /// The two instructions.
    pub opcodes: Opcodes,
    /// The reasons for which it is armed, as bits.
    pub reasons: u8,
}

// SAFETY: the byte is only accessed as an atomic, and whoever adds a site vouches that it outlives its place among the others.
unsafe impl Send for Site {}

impl Site {
    fn arm(&self, reasons: u8) {
        let opcode = if self.reasons & reasons != 0 { self.opcodes.armed } else { self.opcodes.disarmed };
        // SAFETY: whoever added it vouches for that.
        unsafe { AtomicU8::from_ptr(self.opcode) }.store(opcode, Ordering::Release);
    }
}

impl PollSites {
    /// Wants the program at its next poll for a reason, or does not any more.
    pub fn want(&self, reason: Reason, is_wanted: bool) {
        let bit = reason as u8;
        let before = match is_wanted {
            true => self.0.wanted.fetch_or(bit, Ordering::SeqCst),
            false => self.0.wanted.fetch_and(!bit, Ordering::SeqCst),
        };
        if (before & bit != 0) != is_wanted {
            self.settle();
        }
    }

    /// Adds the polls of code, which is not executed yet.
    ///
    /// # Safety
    /// Until they are removed, each opcode lies in memory that may be written, and that is accessed as an atomic only.
    pub unsafe fn add(&self, code: usize, sites: Vec<Site>) {
        if sites.is_empty() {
            return;
        }
        self.locked(|known| {
            sites.iter().for_each(|site| site.arm(known.armed));
            known.count += sites.len();
            known.by_code.insert(code, sites);
        });
    }

    /// Forgets the polls of all code that begins in a range of addresses, so that nothing is written there any more.
    pub fn remove(&self, codes: Range<usize>) {
        self.locked(|known| {
            let removed: Vec<usize> = known.by_code.range(codes).map(|(code, _)| *code).collect();
            for code in removed {
                let sites = known.by_code.remove(&code).expect("it was found");
                known.count -= sites.len();
            }
        });
    }

    /// The number of polls.
    pub fn count(&self) -> usize {
        self.locked(|known| known.count)
    }

    fn settle(&self) {
        loop {
            let mut known = match self.0.sites.try_lock() {
                Ok(known) => known,
                Err(TryLockError::Poisoned(known)) => known.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            let wanted = self.0.wanted.load(Ordering::SeqCst);
            let changed = known.armed ^ wanted;
            if changed != 0 {
                let sites = known.by_code.values().flatten();
                sites.filter(|site| site.reasons & changed != 0).for_each(|site| site.arm(wanted));
                // One fence behind all of them: a store that waits for its own line of a running processor's code takes as long as an iteration.
                fence(Ordering::SeqCst);
                known.armed = wanted;
            }
            drop(known);
            if self.0.wanted.load(Ordering::SeqCst) == wanted {
                return;
            }
        }
    }

    /// Works on the sites, then looks again: whoever found them locked left what it wanted to this thread.
    fn locked<R>(&self, work: impl FnOnce(&mut Sites) -> R) -> R {
        let done = work(&mut self.0.sites.lock().unwrap_or_else(PoisonError::into_inner));
        self.settle();
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    const CALLS: Opcodes = Opcodes { armed: 0xe8, disarmed: 0xa9 };

    fn add(polls: &PollSites, code: usize, sites: Vec<Site>) {
        // SAFETY: the bytes of the tests are atomics that outlive the polls.
        unsafe { polls.add(code, sites) }
    }

    fn site(opcode: &AtomicU8) -> Site {
        Site { opcode: opcode.as_ptr(), opcodes: CALLS, reasons: Reason::Flag as u8 }
    }

    fn read<const N: usize>(code: &[AtomicU8; N]) -> [u8; N] {
        code.each_ref().map(|opcode| opcode.load(Ordering::SeqCst))
    }

    #[test]
    fn polls_are_armed_while_the_program_is_wanted() {
        let polls = PollSites::default();
        let code = [const { AtomicU8::new(0) }; 3];
        add(&polls, 10, vec![site(&code[0]), site(&code[1])]);
        assert_eq!(read(&code), [CALLS.disarmed, CALLS.disarmed, 0]);
        polls.want(Reason::Flag, true);
        add(&polls, 20, vec![site(&code[2])]);
        assert_eq!(read(&code), [CALLS.armed; 3]);
        polls.remove(0..20);
        polls.want(Reason::Flag, false);
        assert_eq!(read(&code), [CALLS.armed, CALLS.armed, CALLS.disarmed]);
        assert_eq!(polls.count(), 1);
    }

    #[test]
    fn polls_are_armed_for_their_reasons() {
        let polls = PollSites::default();
        let code = [const { AtomicU8::new(0) }; 2];
        add(&polls, 1, vec![site(&code[0]), Site { reasons: ALL_REASONS, ..site(&code[1]) }]);
        for (reason, is_wanted, armed) in [
            (Reason::Leaving, true, [false, true]),
            (Reason::Flag, true, [true, true]),
            (Reason::Leaving, false, [true, true]),
            (Reason::Flag, false, [false, false]),
        ] {
            polls.want(reason, is_wanted);
            assert_eq!(read(&code).map(|opcode| opcode == CALLS.armed), armed, "{reason:?} {is_wanted}");
        }
    }

    #[test]
    fn threads_leave_the_polls_as_they_are_wanted_last() {
        let polls = PollSites::default();
        let code = [const { AtomicU8::new(0) }; 64];
        add(&polls, 1, code.iter().map(site).collect());
        for is_wanted in [true, false] {
            thread::scope(|scope| {
                for reason in [Reason::Flag, Reason::Flag, Reason::Leaving, Reason::Leaving] {
                    let polls = &polls;
                    scope.spawn(move || (0..1000).for_each(|turn| polls.want(reason, turn % 2 == 0)));
                }
            });
            polls.want(Reason::Flag, is_wanted);
            polls.want(Reason::Leaving, !is_wanted);
            let armed = polls.locked(|known| known.armed);
            assert_eq!(armed, if is_wanted { Reason::Flag } else { Reason::Leaving } as u8);
        }
    }

    #[test]
    fn what_is_wanted_while_the_sites_are_locked_is_not_lost() {
        let polls = PollSites::default();
        let code = [const { AtomicU8::new(0) }; 1];
        add(&polls, 1, vec![site(&code[0])]);
        polls.locked(|_| {
            polls.want(Reason::Flag, true);
            assert_eq!(read(&code), [CALLS.disarmed], "whoever wants it does not wait");
        });
        assert_eq!(read(&code), [CALLS.armed]);
    }
}
