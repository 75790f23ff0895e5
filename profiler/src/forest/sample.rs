//! Bursty sampling: a forest of bursts of the stream, with estimates and their errors.
//!
//! In: the whole stream. Out: a forest of bursts of `burst` ids with gaps of about `gap` ids between them, and for each
//! sequence an [`Estimate`] of its count in the whole stream.
//!
//! `[AR01]` M. Arnold, B. G. Ryder, "A Framework for Reducing the Cost of Instrumented Code", PLDI 2001;
//! `[HC01]` M. Hirzel, T. Chilimbi, "Bursty Tracing: A Framework for Low-Overhead Temporal Profiling", FDDO 2001.
//!
//! The length of a gap varies between 0.5 and 1.5 times `gap` by a fixed pseudo-random sequence: sampling does not
//! synchronize with a periodic program, and runs do not differ.
//! Invariant: markers are always processed, and no sequence crosses a gap.

use crate::graph::Node;
use crate::machine::Sink;

use super::SlabForest;
use super::ipf::PathForest;

/// A forest of bursts of the stream.
#[derive(Clone, Debug)]
pub struct SampledForest {
    forest: SlabForest,
    burst: u64,
    gap: u64,
    /// Number of ids left in the current burst or gap.
    left: u64,
    phase: Phase,
    random: u64,
    seen: u64,
    recorded: u64,
    bursts: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Burst,
    Gap,
}

/// Estimate of a sequence's count, with bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Occurrences in the sample, a lower bound.
    pub counted: u64,
    /// A certain upper bound.
    pub at_most: u64,
    /// The expected count.
    pub estimate: f64,
    /// The estimate's standard error, with each burst taken as one observation: the worst case, in which a burst
    /// repeats one sequence.
    pub standard_error: f64,
}

impl SampledForest {
    /// Samples into `forest`; both lengths are at least 1.
    pub fn new(forest: SlabForest, burst: u64, gap: u64) -> SampledForest {
        assert!(burst >= 1 && gap >= 1, "a burst and a gap have at least one id");
        SampledForest {
            forest,
            burst,
            gap,
            left: burst,
            phase: Phase::Burst,
            random: 0x2545_f491_4f6c_dd1d,
            seen: 0,
            recorded: 0,
            bursts: 1,
        }
    }

    /// The forest of the recorded ids.
    pub fn forest(&self) -> &SlabForest {
        &self.forest
    }

    /// Number of ids in the stream.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Number of recorded ids.
    pub fn recorded(&self) -> u64 {
        self.recorded
    }

    /// Number of bursts begun.
    pub fn bursts(&self) -> u64 {
        self.bursts
    }

    /// Estimates the count of a sequence; `ipf` is the k-IPF of [`SampledForest::forest`].
    pub fn estimate(&self, ipf: &PathForest, sequence: &[u64]) -> Estimate {
        let counted = ipf.count(sequence);
        let unseen = self.seen - self.recorded;
        // An occurrence is missed if its last id was not recorded, if it began before the burst that it ended in, or by
        // pruning.
        let missed = unseen + self.forest.uncertain() + self.forest.lost();
        let at_most = counted.saturating_add(missed).min(self.seen);
        let (seen, recorded) = (self.seen as f64, self.recorded.max(1) as f64);
        let share = counted as f64 / recorded;
        let standard_error = seen * (share * (1.0 - share) / self.bursts as f64).sqrt();
        Estimate { counted, at_most, estimate: share * seen, standard_error }
    }

    fn next_phase(&mut self) {
        match self.phase {
            Phase::Burst => {
                // xorshift64: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                self.phase = Phase::Gap;
                self.left = (self.gap - self.gap / 2) + self.random % (self.gap / 2 * 2 + 1);
            }
            Phase::Gap => {
                self.phase = Phase::Burst;
                self.left = self.burst;
                self.bursts += 1;
                self.forest.resume_after_gap();
            }
        }
    }
}

impl Sink for SampledForest {
    fn path(&mut self, id: u64) {
        if self.left == 0 {
            self.next_phase();
        }
        self.left -= 1;
        self.seen += 1;
        match self.phase {
            Phase::Burst => {
                self.recorded += 1;
                self.forest.process_bl_path_id(id);
            }
            Phase::Gap => {}
        }
    }

    fn prefix(&mut self, _block: Node, _id: u64) {
        self.forest.restart();
    }

    fn enter(&mut self) {
        self.forest.enter();
    }

    fn leave(&mut self) {
        self.forest.leave();
    }
}
