//! Bursts that code takes by itself: it counts ids in bulk, and hands over those of bursts alone.
//!
//! In: the ids of each burst, by the run that they continue; how many ids a gap had; and how many ids each activation had. Out: the
//! [`SampledForest`] that the whole stream gives. Code knows activations apart by their runs, so that it reports neither where they begin
//! nor where they end.
//!
//! An activation of n ids ends windows of 1 to n ids, one each, so the windows of the stream follow from the number of activations of
//! each length, and of all ids. The forest of all bursts is that of the groups together.
//! Invariant: phases follow each other as they do in [`SampledForest::path`], whoever counts.

use super::sample::{Phase, SampledForest, Windows};
use super::trie::TrieNode;
use super::{ForestPosition, SlabForest};

/// Consecutive ids of one activation in one burst.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordedRun {
    /// In the forest of the burst's group.
    place: ForestPosition,
    /// Number of ids so far.
    recorded: u64,
    /// Number of coming ids that may end a sequence which began before the burst.
    resumed: u64,
}

/// Some equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedId {
    /// The id.
    pub id: u64,
    /// The number of times.
    pub times: u64,
}

impl SampledForest {
    /// Returns true if the present id is in a burst.
    pub fn is_in_burst(&self) -> bool {
        self.phase == Phase::Burst
    }

    /// Number of ids left in the present burst or gap.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Number of ids so far.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// So many ids of a gap went by.
    pub fn skip(&mut self, ids: u64) {
        assert!(self.phase == Phase::Gap, "ids of bursts are recorded");
        self.left -= ids;
        self.passed += ids;
    }

    /// A burst or gap is over, and the next one begins.
    pub fn begin_next_phase(&mut self) {
        assert!(self.left == 0, "the phase is over");
        self.next_phase();
    }

    /// A run in the present burst, of an activation that began in this burst, or before.
    pub fn begin_run(&self, began_in_burst: bool) -> RecordedRun {
        let resumed = if began_in_burst { 0 } else { u64::from(self.forest.k()) - 1 };
        RecordedRun { resumed, ..RecordedRun::default() }
    }

    /// Records the next ids of a run in the present burst.
    pub fn record(&mut self, run: &mut RecordedRun, ids: &[RepeatedId]) {
        let count = ids.iter().map(|repeated| repeated.times).sum();
        self.left -= count;
        self.passed += count;
        self.count_recorded(run.recorded, count);
        run.recorded += count;
        self.forest.uncertain += run.resumed.min(count);
        run.resumed -= run.resumed.min(count);
        self.group().forest.process_at(&mut run.place, ids);
    }

    /// Activations of one id each, all of them in a burst.
    pub fn counted(&mut self, id: u64, activations: u64) {
        self.count_recorded_first(activations);
        self.forest.count_roots(id, activations);
        self.group().forest.count_roots(id, activations);
    }

    /// All was recorded: joins the groups, and takes the number of activations, or parts of one between failures, that had 1, 2, ..., k or
    /// more ids.
    pub fn finish(&mut self, lengths: &[u64]) {
        self.join_groups();
        if self.out_of().is_none() {
            // The windows of the rest are not known: counts are those of the sample.
            self.stream = self.sample.clone();
            return;
        }
        let ended = lengths.iter().rev().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        let mut windows: Vec<u64> = ended.collect();
        windows.reverse();
        let (last, shorter) = windows.split_last_mut().expect("k is at least 1");
        *last = self.passed - shorter.iter().sum::<u64>();
        self.stream = Windows(windows);
    }
}

impl SlabForest {
    /// Figure 6 for ids of an activation that is at a place, which moves on.
    fn process_at(&mut self, place: &mut ForestPosition, ids: &[RepeatedId]) {
        ids.iter().for_each(|repeated| *place = self.repeat(*place, *repeated));
    }

    /// Counts equal ids; returns the place behind them.
    ///
    /// Places recur after k-1 equal ids, so from two such periods on each further one counts the same nodes.
    fn repeat(&mut self, from: ForestPosition, RepeatedId { id, times }: RepeatedId) -> ForestPosition {
        let period = u64::from(self.k - 1).max(1);
        let (further, times) = match times.checked_sub(3 * period) {
            Some(beyond) => (beyond / period, times - beyond / period * period),
            None => (0, times),
        };
        let mut at = from;
        for nth in 0..times {
            at = self.follow(at, id);
            let is_last_period = nth + period >= times;
            self.add_at(at, if is_last_period { 1 + further } else { 1 });
        }
        at
    }

    /// Adds the counts of another forest for sequences as long.
    pub(super) fn add_all(&mut self, other: &SlabForest) {
        let trie = other.trie();
        let mut work: Vec<(TrieNode, ForestPosition)> =
            trie.roots().into_iter().map(|root| (root, ForestPosition::default())).collect();
        while let Some((node, before)) = work.pop() {
            let place = self.follow(before, trie.label(node));
            self.add_at(place, trie.count(node));
            work.extend(trie.children(node).map(|child| (child, place)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forest::ipf::PathForest;
    use crate::machine::Sink;

    fn assert_alike(found: &SampledForest, expected: &SampledForest, k: u32) {
        assert_eq!(
            (found.seen(), found.recorded(), found.bursts()),
            (expected.seen(), expected.recorded(), expected.bursts())
        );
        assert_eq!(found.forest().trie().sequences(), expected.forest().trie().sequences(), "k = {k}");
        let (of_found, of_expected) = (PathForest::of(found.forest()), PathForest::of(expected.forest()));
        let estimators = (found.estimator(&of_found), expected.estimator(&of_expected));
        for (sequence, _) in of_expected.sequences() {
            assert_eq!(estimators.0.estimate(&sequence), estimators.1.estimate(&sequence), "{sequence:?}, k = {k}");
        }
    }

    /// Activations within each other, some of whose ids repeat: what code would hand over gives what the whole stream gives.
    #[test]
    fn what_code_hands_over_is_what_the_stream_gives() {
        for (k, burst, gap) in [(1, 3, 2), (2, 1, 1), (4, 7, 3), (5, 100, 40), (9, 12, 90), (64, 1000, 10)] {
            let mut random = 0x9e37_79b9_7f4a_7c15_u64;
            let mut next = move |below: u64| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                (random >> 20) % below
            };
            let mut expected = SampledForest::new(SlabForest::new(k, 4), burst, gap);
            let mut found = expected.clone();
            let mut lengths = vec![0; k as usize];
            // The run of each activation, with the burst it is of, and the number of its ids.
            let mut activations: Vec<(Option<(u64, RecordedRun)>, u64)> = Vec::new();
            let mut end = |(_, ids): (Option<(u64, RecordedRun)>, u64)| {
                if ids > 0 {
                    lengths[ids.min(u64::from(k)) as usize - 1] += 1;
                }
            };
            for _ in 0..3000 {
                if activations.is_empty() || next(9) == 0 {
                    let fresh = found.is_in_burst().then(|| (found.bursts(), found.begin_run(true)));
                    activations.push((fresh, 0));
                    expected.enter();
                } else if next(9) == 0 {
                    end(activations.pop().expect("there is one"));
                    expected.leave();
                } else {
                    let (id, times) = (next(4), if next(3) == 0 { next(40) } else { 1 });
                    for _ in 0..times {
                        expected.path(id);
                        if found.left() == 0 {
                            found.begin_next_phase();
                        }
                        let (run, ids) = activations.last_mut().expect("there is one");
                        *ids += 1;
                        if !found.is_in_burst() {
                            found.skip(1);
                            continue;
                        }
                        let bursts = found.bursts();
                        let mut present = match run {
                            Some((burst, run)) if *burst == bursts => *run,
                            _ => found.begin_run(false),
                        };
                        found.record(&mut present, &[RepeatedId { id, times: 1 }]);
                        *run = Some((bursts, present));
                    }
                }
            }
            activations.into_iter().for_each(&mut end);
            found.finish(&lengths);
            assert_alike(&found, &expected, k);
        }
    }

    #[test]
    fn many_equal_ids_are_recorded_together() {
        for k in 1..7 {
            let mut one_by_one = SlabForest::new(k, 3);
            let mut together = SlabForest::new(k, 3);
            let mut place = ForestPosition::default();
            let repeated =
                [(1, 1), (2, 90), (0, 3), (2, 1), (1, 200), (0, 1)].map(|(id, times)| RepeatedId { id, times });
            for RepeatedId { id, times } in repeated {
                one_by_one.process_bl_path_ids(&vec![id; times as usize]);
            }
            let (first, second) = repeated.split_at(4);
            together.process_at(&mut place, first);
            together.process_at(&mut place, second);
            assert_eq!(together.trie().sequences(), one_by_one.trie().sequences(), "k = {k}");
        }
    }
}
