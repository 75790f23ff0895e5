//! The road from the signal handler to the sampler's thread: a ring of words with one writer and one reader.
//!
//! In: samples as words. Out: the same, in order. A sample is a head of three words and its frames.
//! Invariant: the reader sees a sample whole or not at all; where there is no room it is counted as lost.

use super::sample::{Doing, MOST_INNER, MOST_OUTER};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Words of the ring: two megabytes, of which only what is used is touched.
const WORDS: usize = 1 << 18;
/// Words before the frames of a sample.
const HEAD: usize = 3;

/// A sample as the handler takes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Raw {
    /// CPU time of the thread, in nanoseconds.
    pub(super) nanos: u64,
    pub(super) doing: Doing,
    pub(super) left_out: usize,
    pub(super) frames: Vec<usize>,
}

/// The ring.
pub(super) struct Ring {
    words: Box<[AtomicUsize]>,
    /// Words written and read so far.
    written: AtomicUsize,
    read: AtomicUsize,
    lost: AtomicU64,
}

impl Ring {
    pub(super) fn new() -> Ring {
        Ring {
            words: (0..WORDS).map(|_| AtomicUsize::new(0)).collect(),
            written: AtomicUsize::new(0),
            read: AtomicUsize::new(0),
            lost: AtomicU64::new(0),
        }
    }

    /// Puts a sample, whose frames are given in two parts. Allocates nothing.
    pub(super) fn put(&self, nanos: u64, doing: Doing, left_out: usize, (inner, outer): (&[usize], &[usize])) {
        let written = self.written.load(Ordering::Relaxed);
        let frames = inner.len() + outer.len();
        let free = WORDS - (written - self.read.load(Ordering::Acquire));
        if free < HEAD + frames {
            self.lost.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let head = [nanos as usize, (doing as usize) | frames << 2, left_out];
        let words = head.iter().chain(inner).chain(outer);
        for (at, word) in words.enumerate() {
            self.words[(written + at) % WORDS].store(*word, Ordering::Relaxed);
        }
        self.written.store(written + HEAD + frames, Ordering::Release);
    }

    /// Takes the oldest sample.
    pub(super) fn take(&self) -> Option<Raw> {
        let read = self.read.load(Ordering::Relaxed);
        if read == self.written.load(Ordering::Acquire) {
            return None;
        }
        let word = |at: usize| self.words[(read + at) % WORDS].load(Ordering::Relaxed);
        let frames = word(1) >> 2;
        debug_assert!(frames <= MOST_INNER + MOST_OUTER, "it is a head");
        let raw = Raw {
            nanos: word(0) as u64,
            doing: [Doing::Code, Doing::Call, Doing::Outside][word(1) & 3],
            left_out: word(2),
            frames: (HEAD..HEAD + frames).map(word).collect(),
        };
        self.read.store(read + HEAD + frames, Ordering::Release);
        Some(raw)
    }

    /// Samples that there was no room for.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_come_out_as_they_went_in_all_the_way_round() {
        let ring = Ring::new();
        for round in 0..3 * WORDS {
            let inner: Vec<usize> = (0..round % 7).collect();
            ring.put(round as u64, Doing::Call, round, (&inner, &[round]));
            let frames: Vec<usize> = (0..round % 7).chain([round]).collect();
            assert_eq!(ring.take(), Some(Raw { nanos: round as u64, doing: Doing::Call, left_out: round, frames }));
            assert_eq!(ring.take(), None);
        }
        assert_eq!(ring.lost(), 0);
    }

    #[test]
    fn what_has_no_room_is_lost_and_the_rest_is_whole() {
        let ring = Ring::new();
        for sample in 0..WORDS as u64 {
            ring.put(sample, Doing::Code, 0, (&[1, 2, 3], &[]));
        }
        assert_eq!(ring.lost(), (WORDS - WORDS / 6) as u64);
        let taken: Vec<u64> = std::iter::from_fn(|| ring.take()).map(|raw| raw.nanos).collect();
        assert!(taken.iter().copied().eq(0..WORDS as u64 / 6));
    }
}
