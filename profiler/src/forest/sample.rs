//! Bursty sampling: a forest of bursts of the stream, with estimates and their errors.
//!
//! In: the whole stream. Out: a forest of bursts of `burst` ids with gaps of about `gap` ids between them, and for each
//! sequence an [`Estimate`] of its count in the whole stream. Or bursts on request: then the gaps are not counted, and an estimate is of the
//! sample itself, with its error.
//!
//! A sequence of L ids is seen only if all of it lies in one burst, so long sequences are seen less often than their share
//! of ids. The estimate is a ratio: the count, times the windows of L ids in the stream, by those within bursts. Its error
//! is found by the jackknife, leaving out the bursts of one of [`GROUPS`] groups at a time, with the correction for a finite
//! population: bursts that are alike give a small error, however long they are.
//!
//! `[AR01]` M. Arnold, B. G. Ryder, "A Framework for Reducing the Cost of Instrumented Code", PLDI 2001;
//! `[HC01]` M. Hirzel, T. Chilimbi, "Bursty Tracing: A Framework for Low-Overhead Temporal Profiling", FDDO 2001;
//! `[W07]` K. M. Wolter, "Introduction to Variance Estimation", second edition, Springer 2007, chapter 4.
//!
//! The length of a gap varies between 0.5 and 1.5 times `gap` by a fixed pseudo-random sequence: sampling does not
//! synchronize with a periodic program, and runs do not differ.
//! Invariant: markers are always processed, and no sequence crosses a gap.

use crate::graph::Node;
use crate::machine::Sink;
pub use crate::settings::sample::GROUPS;

use super::SlabForest;
use super::ipf::PathForest;

/// A forest of bursts of the stream.
#[derive(Clone, Debug)]
pub struct SampledForest {
    pub(super) forest: SlabForest,
    groups: Vec<Group>,
    burst: u64,
    /// The mean length of gaps; `None` if each lasts until the next burst is asked for.
    gap: Option<u64>,
    /// Number of ids left in the current burst or gap.
    pub(super) left: u64,
    pub(super) phase: Phase,
    random: u64,
    recorded: u64,
    bursts: u64,
    /// The activations under way, innermost last.
    runs: Vec<Run>,
    pub(super) stream: Windows,
    pub(super) sample: Windows,
    /// Number of ids so far, where code counts them in bulk.
    pub(super) passed: u64,
}

/// The ids of a gap that ends on request: more than any run has.
const ENDLESS: u64 = u64::MAX >> 2;

/// Every [`GROUPS`]-th burst.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) forest: SlabForest,
    windows: Windows,
}

/// Consecutive ids of an activation, since its start or a failure in it; up to k.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// In the stream.
    seen: usize,
    /// In the current burst.
    recorded: usize,
}

/// Number of ids that end a run of 1, 2, ..., k or more ids.
#[derive(Clone, Debug)]
pub(super) struct Windows(pub(super) Vec<u64>);

impl Windows {
    /// So many more ids of a run that had so many before.
    fn add(&mut self, before: u64, count: u64) {
        let last = self.0.len() as u64 - 1;
        let (first, end) = (before.min(last), (before + count).min(last));
        self.0[first as usize..end as usize].iter_mut().for_each(|ended| *ended += 1);
        self.0[last as usize] += count - (end - first);
    }

    /// Number of windows of `length` ids.
    fn of_length(&self, length: usize) -> u64 {
        self.0.iter().skip(length - 1).sum()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Burst,
    Gap,
}

/// Estimate of a sequence's count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Number of occurrences in the sample, a lower bound.
    pub counted: u64,
    /// Upper bound.
    pub at_most: u64,
    /// Expected count.
    pub estimate: f64,
    /// Standard error of the estimate; 0 if everything was recorded.
    pub standard_error: f64,
}

/// Estimates counts from a sample.
pub struct Estimator<'a> {
    sampled: &'a SampledForest,
    ipf: &'a PathForest,
    /// The k-IPF of each group, with its windows.
    groups: Vec<(PathForest, &'a Windows)>,
}

impl SampledForest {
    /// Samples into `forest`; both lengths are at least 1.
    pub fn new(forest: SlabForest, burst: u64, gap: u64) -> SampledForest {
        assert!(gap >= 1, "a gap has at least one id");
        SampledForest::with_gaps(forest, burst, Some(gap))
    }

    /// Samples into `forest`: a gap, and a burst of so many ids whenever one is asked for.
    pub fn on_request(forest: SlabForest, burst: u64) -> SampledForest {
        let sampled = SampledForest::with_gaps(forest, burst, None);
        SampledForest { phase: Phase::Gap, left: ENDLESS, bursts: 0, ..sampled }
    }

    fn with_gaps(forest: SlabForest, burst: u64, gap: Option<u64>) -> SampledForest {
        assert!(burst >= 1, "a burst has at least one id");
        let windows = Windows(vec![0; forest.k() as usize]);
        SampledForest {
            groups: vec![Group { forest: forest.clone(), windows: windows.clone() }; GROUPS],
            forest,
            burst,
            gap,
            left: burst,
            phase: Phase::Burst,
            random: 0x2545_f491_4f6c_dd1d,
            recorded: 0,
            bursts: 1,
            runs: Vec::new(),
            stream: windows.clone(),
            sample: windows,
            passed: 0,
        }
    }

    /// A sample of everything: a burst that does not end.
    pub fn whole(forest: SlabForest) -> SampledForest {
        SampledForest::new(forest, u64::MAX, 1)
    }

    /// Asks for a burst, which begins with the next id; the present gap is over.
    pub fn request_burst(&mut self) {
        assert!(self.waits_for_request(), "a burst is over before the next is asked for");
        self.left = 0;
    }

    /// Ends a burst that was asked for, whether it has begun or not.
    pub fn end_burst(&mut self) {
        assert!(self.gap.is_none(), "bursts by count end by themselves");
        (self.phase, self.left) = (Phase::Gap, ENDLESS);
    }

    /// Returns true if bursts are asked for, and none is under way or about to begin.
    pub fn waits_for_request(&self) -> bool {
        self.gap.is_none() && self.phase == Phase::Gap && self.left > 0
    }

    /// Number of ids of which bursts were taken, if they were counted: not where bursts are asked for.
    pub fn out_of(&self) -> Option<u64> {
        self.gap.map(|_| self.seen())
    }

    /// The forest of the recorded ids.
    pub fn forest(&self) -> &SlabForest {
        &self.forest
    }

    /// Number of ids in the stream.
    pub fn seen(&self) -> u64 {
        self.stream.of_length(1)
    }

    /// Number of recorded ids.
    pub fn recorded(&self) -> u64 {
        self.recorded
    }

    /// Number of bursts begun.
    pub fn bursts(&self) -> u64 {
        self.bursts
    }

    /// An estimator; `ipf` is the k-IPF of [`SampledForest::forest`].
    pub fn estimator<'a>(&'a self, ipf: &'a PathForest) -> Estimator<'a> {
        let groups = self.groups.iter().map(|group| (PathForest::of(&group.forest), &group.windows)).collect();
        Estimator { sampled: self, ipf, groups }
    }

    pub(super) fn group(&mut self) -> &mut Group {
        let index = self.bursts as usize % GROUPS;
        &mut self.groups[index]
    }

    /// So many more ids were recorded, of a run that had so many before.
    pub(super) fn count_recorded(&mut self, before: u64, count: u64) {
        self.recorded += count;
        self.sample.add(before, count);
        self.group().windows.add(before, count);
    }

    /// So many first ids of activations were recorded, while none was omitted.
    pub(super) fn count_recorded_first(&mut self, count: u64) {
        self.recorded += count;
        self.passed += count;
        self.stream.0[0] += count;
        self.sample.0[0] += count;
        self.group().windows.0[0] += count;
    }

    /// Makes the forest of all bursts from those of the groups.
    pub(super) fn join_groups(&mut self) {
        let SampledForest { forest, groups, .. } = self;
        groups.iter().for_each(|group| forest.add_all(&group.forest));
    }

    fn run(&mut self) -> &mut Run {
        if self.runs.is_empty() {
            self.runs.push(Run::default());
        }
        self.runs.last_mut().expect("there is one")
    }

    pub(super) fn next_phase(&mut self) {
        match self.phase {
            Phase::Burst => {
                // xorshift64: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                self.phase = Phase::Gap;
                self.left = match self.gap {
                    Some(gap) => (gap - gap / 2) + self.random % (gap / 2 * 2 + 1),
                    None => ENDLESS,
                };
            }
            Phase::Gap => {
                self.phase = Phase::Burst;
                self.left = self.burst;
                self.bursts += 1;
                self.forest.resume_after_gap();
                self.runs.iter_mut().for_each(|run| run.recorded = 0);
                self.group().forest.forget_activations();
            }
        }
    }
}

impl Estimator<'_> {
    /// Estimates the count of a sequence of 1 to k ids.
    pub fn estimate(&self, sequence: &[u64]) -> Estimate {
        let SampledForest { forest, stream, sample, .. } = self.sampled;
        let (seen, length) = (self.sampled.seen(), sequence.len());
        let counted = self.ipf.count(sequence);
        // An occurrence is missed if its last id was not recorded, if it began before the burst that it ended in, or by
        // pruning.
        let begun_before = if length > 1 { forest.uncertain() } else { 0 };
        let missed = seen - self.sampled.recorded + begun_before + forest.lost();
        let at_most = counted.saturating_add(missed).min(seen);
        let (windows, recorded) = (stream.of_length(length) as f64, sample.of_length(length) as f64);
        if recorded == 0.0 {
            return Estimate { counted, at_most, estimate: 0.0, standard_error: windows };
        }
        let estimate = counted as f64 * windows / recorded;
        // Where bursts are asked for, the sample stands for a run without end.
        let left_out = if self.sampled.gap.is_some() { 1.0 - recorded / windows } else { 1.0 };
        let standard_error = match self.jackknife(sequence, windows) {
            Some(variance) => (variance * left_out).sqrt(),
            // A single group does not tell its own error.
            None => windows * left_out,
        };
        Estimate { counted, at_most, estimate, standard_error }
    }

    /// The variance of a sequence's estimate, from the estimates without one group each; `None` if fewer than two groups
    /// recorded windows of its length.
    fn jackknife(&self, sequence: &[u64], windows: f64) -> Option<f64> {
        let of_group = |(ipf, recorded): &(PathForest, &Windows)| {
            (ipf.count(sequence) as f64, recorded.of_length(sequence.len()) as f64)
        };
        let groups: Vec<(f64, f64)> =
            self.groups.iter().map(of_group).filter(|(_, recorded)| *recorded > 0.0).collect();
        if groups.len() < 2 {
            return None;
        }
        let count = groups.len() as f64;
        let (counted, recorded) = groups.iter().fold((0.0, 0.0), |sum, group| (sum.0 + group.0, sum.1 + group.1));
        let without: Vec<f64> = groups.iter().map(|(c, r)| (counted - c) / (recorded - r) * windows).collect();
        let mean = without.iter().sum::<f64>() / count;
        Some((count - 1.0) / count * without.iter().map(|each| (each - mean).powi(2)).sum::<f64>())
    }
}

impl Sink for SampledForest {
    fn path(&mut self, id: u64) {
        if self.left == 0 {
            self.next_phase();
        }
        self.left -= 1;
        let k = self.forest.k() as usize;
        let records = self.phase == Phase::Burst;
        let run = self.run();
        run.seen = (run.seen + 1).min(k);
        run.recorded = if records { (run.recorded + 1).min(k) } else { 0 };
        let Run { seen, recorded } = *run;
        self.stream.add(seen as u64 - 1, 1);
        if records {
            self.count_recorded(recorded as u64 - 1, 1);
            self.forest.process_bl_path_id(id);
            self.group().forest.process_bl_path_id(id);
        }
    }

    fn prefix(&mut self, _block: Node, _id: u64) {
        self.forest.restart();
        self.group().forest.restart();
        *self.run() = Run::default();
    }

    fn enter(&mut self) {
        self.forest.enter();
        self.group().forest.enter();
        self.runs.push(Run::default());
    }

    fn leave(&mut self) {
        self.forest.leave();
        self.group().forest.leave();
        self.runs.pop();
    }
}
