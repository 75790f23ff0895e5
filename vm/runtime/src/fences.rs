//! Fences between two threads of which one meets them at each call, and the other seldom.
//!
//! In: nothing. Out: [`light`], which keeps the compiler from moving accesses across it and costs nothing, and
//! [`heavy`], which has the system put a full fence in the middle of whatever the process's other threads do.
//! Invariant: of two threads that each write, fence and read what the other has written, one with a light fence and one
//! with a heavy one, at least one sees the other's write: as with two full fences.
//!
//! Until the process is registered for heavy fences, and where the system knows none, both kinds are full. To register
//! takes no time while the process has one thread. Later it takes the system 10 to 20 ms, in which neither the thread
//! that asks nor the process can end, so short programs must not ask.
#![expect(unsafe_code, reason = "asks the system for a fence in all threads")]

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering, compiler_fence, fence};

/// Links to the folder of a process's threads that has one: its own, its parent's and the thread's.
const LINKS_TO_ONE_THREAD: u64 = 3;

/// True once the system makes heavy fences for this process.
static ARE_HEAVY: AtomicBool = AtomicBool::new(false);

/// Registers the process if that takes no time, as it has no other thread.
pub(crate) fn register_if_alone() {
    static LOOKED: Once = Once::new();
    LOOKED.call_once(|| {
        if fs::metadata("/proc/self/task").is_ok_and(|threads| threads.nlink() == LINKS_TO_ONE_THREAD) {
            register();
        }
    });
}

/// Registers the process; waits for its other threads the first time.
pub(crate) fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let done = ask(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
        ARE_HEAVY.store(done, Ordering::SeqCst);
    });
}

/// The fence of a thread that meets it often.
#[inline]
pub(crate) fn light() {
    match ARE_HEAVY.load(Ordering::Acquire) {
        true => compiler_fence(Ordering::SeqCst),
        false => fence(Ordering::SeqCst),
    }
}

/// The fence of the other thread.
pub(crate) fn heavy() {
    fence(Ordering::SeqCst);
    if ARE_HEAVY.load(Ordering::SeqCst) {
        assert_eq!(ask(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED), 0, "the process is registered");
    }
    fence(Ordering::SeqCst);
}

fn ask(command: libc::c_int) -> libc::c_long {
    let none: libc::c_uint = 0;
    // SAFETY: the call reads no memory of ours and changes none.
    unsafe { libc::syscall(libc::SYS_membarrier, command, none, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::spin_loop;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;

    const ROUNDS: u32 = 3000;

    /// Two threads that write, fence and read, in rounds that they begin and end together.
    #[derive(Default)]
    struct Rounds {
        written: [AtomicU32; 2],
        read: [AtomicU32; 2],
        steps: [AtomicU32; 2],
    }

    impl Rounds {
        fn play(&self, side: usize, rounds: u32, fence: fn(), look: impl Fn(u32)) {
            for round in 1..=rounds {
                self.step(side, 3 * round - 2);
                // One begins earlier than the other, by various times.
                (0..(round * (7 + side as u32 * 3)) % 16).for_each(|_| spin_loop());
                self.written[side].store(round, Relaxed);
                fence();
                self.read[side].store(self.written[1 - side].load(Relaxed), Relaxed);
                self.step(side, 3 * round - 1);
                look(round);
                self.step(side, 3 * round);
            }
        }

        /// Waits until the other side has come as far.
        fn step(&self, side: usize, step: u32) {
            self.steps[side].store(step, Ordering::Release);
            let mut spins = 0u32;
            while self.steps[1 - side].load(Ordering::Acquire) < step {
                spins += 1;
                if spins.is_multiple_of(1000) { thread::yield_now() } else { spin_loop() }
            }
        }
    }

    #[test]
    fn one_of_two_threads_sees_the_other() {
        register();
        let rounds = Rounds::default();
        let blind = AtomicU32::new(0);
        let look = |round: u32| {
            let seen = [0, 1].iter().any(|side| rounds.read[*side].load(Relaxed) == round);
            blind.fetch_add(u32::from(!seen), Relaxed);
        };
        thread::scope(|scope| {
            scope.spawn(|| rounds.play(0, ROUNDS, heavy, |_| ()));
            rounds.play(1, ROUNDS, light, look);
        });
        assert_eq!(blind.into_inner(), 0, "in so many rounds neither saw the other's write");
    }
}
