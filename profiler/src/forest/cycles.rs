//! Cycles of a stream: sequences of ids that it repeats, with the lengths of the runs that repeat them.
//!
//! In: a k-IPF. Out: each [`Cycle`] of at most (k - 1) / 2 ids, with its runs.
//!
//! Notation: a run of the cycle `c` of `p` ids is a maximal part of the stream with `s[i + p] = s[i]` that goes through `c`; `R` is its length. Only
//! runs of two rounds or more count (`R >= 2p`). `W(L)` is the number of windows of `L` ids that lie in runs of `c`. A run has `R - L + 1` of
//! them, so two lengths of windows tell both figures, however long runs are:
//!
//! ```text
//!   number of runs    N     = W(2p) - W(2p + 1)
//!   sum of lengths    sum R = W(2p) + N (2p - 1)
//! ```
//!
//! The same for the windows that start at one id of the cycle: what does not follow a window at the id before begins a run there.
//!
//! A window of 2p or 2p + 1 ids lies in a run of a cycle of p ids iff its least period is p. The least period is the length less that of the
//! longest border (D. E. Knuth, J. H. Morris, V. R. Pratt, "Fast Pattern Matching in Strings", SIAM J. Comput. 6(2), 1977).
//! Invariant: exact where the k-IPF is. A run that the stream breaks off counts as one that ended.

use super::ipf::PathForest;
use super::trie::TrieNode;
use hashbrown::HashMap;

/// A sequence of ids that is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The ids of a round: of its rotations the least.
    pub ids: Vec<u64>,
    /// Number of runs.
    pub runs: u64,
    /// Number of ids in all runs.
    pub covered: u64,
    /// Number of runs that begin at each of the ids.
    pub begins: Vec<u64>,
}

/// Windows of a cycle, by the id that they start at.
#[derive(Clone)]
struct Windows {
    twice: Vec<u64>,
    longer: Vec<u64>,
}

/// The cycles of a stream, those that cover most first, where `joins` tells which ids may follow each other in a cycle.
pub fn cycles(forest: &PathForest, joins: impl Fn(u64, u64) -> bool) -> Vec<Cycle> {
    let trie = forest.trie();
    let most = (forest.k() as usize).saturating_sub(1) / 2 * 2 + 1;
    let mut windows: HashMap<Vec<u64>, Windows> = HashMap::new();
    let mut window = Window::default();
    let mut pending: Vec<(TrieNode, usize)> = trie.roots().into_iter().map(|root| (root, 0)).collect();
    while let Some((node, depth)) = pending.pop() {
        window.truncate(depth);
        if window.ids.last().is_some_and(|last| !joins(*last, trie.label(node))) {
            continue;
        }
        let period = window.push(trie.label(node));
        let length = window.ids.len();
        if length / 2 == period {
            let (ids, first) = least_rotation(&window.ids[..period]);
            let none = || Windows { twice: vec![0; period], longer: vec![0; period] };
            let of_cycle = windows.entry(ids).or_insert_with(none);
            match length % 2 {
                0 => of_cycle.twice[first] += trie.count(node),
                _ => of_cycle.longer[first] += trie.count(node),
            }
        }
        if length < most {
            pending.extend(trie.children(node).map(|child| (child, length)));
        }
    }
    let mut cycles: Vec<Cycle> = windows
        .into_iter()
        .filter(|(ids, _)| joins(ids[ids.len() - 1], ids[0]))
        .map(|(ids, Windows { twice, longer })| {
            let period = ids.len();
            let begins: Vec<u64> = (0..period).map(|at| twice[at] - longer[(at + period - 1) % period]).collect();
            let runs = begins.iter().sum();
            Cycle { covered: twice.iter().sum::<u64>() + runs * (2 * period as u64 - 1), runs, begins, ids }
        })
        .collect();
    cycles.sort_by(|a, b| b.covered.cmp(&a.covered).then_with(|| a.ids.cmp(&b.ids)));
    cycles
}

/// A window, with the length of the longest border of each of its prefixes.
#[derive(Default)]
struct Window {
    ids: Vec<u64>,
    borders: Vec<usize>,
}

impl Window {
    fn truncate(&mut self, length: usize) {
        self.ids.truncate(length);
        self.borders.truncate(length);
    }

    /// Appends an id; gives the least period.
    fn push(&mut self, id: u64) -> usize {
        self.ids.push(id);
        let mut border = self.borders.last().copied().unwrap_or(0);
        while border > 0 && self.ids[border] != id {
            border = self.borders[border - 1];
        }
        if self.ids.len() > 1 && self.ids[border] == id {
            border += 1;
        }
        self.borders.push(border);
        self.ids.len() - border
    }
}

/// The least of the rotations of some ids, and the position in it of what was the first.
pub(super) fn least_rotation(ids: &[u64]) -> (Vec<u64>, usize) {
    let rotated = |first: usize| ids[first..].iter().chain(&ids[..first]).copied();
    let least = (0..ids.len()).min_by(|a, b| rotated(*a).cmp(rotated(*b))).unwrap_or(0);
    (rotated(least).collect(), (ids.len() - least) % ids.len().max(1))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::forest::SlabForest;

    /// Runs of so many rounds or more, found by comparing each id with the one a period later, for each period.
    pub(in super::super) fn naive_runs(
        streams: &[Vec<u64>],
        most: usize,
        rounds: usize,
    ) -> HashMap<Vec<u64>, (Vec<u64>, u64)> {
        let mut found: HashMap<Vec<u64>, (Vec<u64>, u64)> = HashMap::new();
        for stream in streams {
            for period in 1..=most {
                let mut start = 0;
                while start + period < stream.len() {
                    let alike = (start..stream.len() - period).take_while(|at| stream[*at] == stream[at + period]);
                    let length = alike.count() + period;
                    let round = &stream[start..start + period];
                    let is_multiple = (1..period)
                        .any(|part| period % part == 0 && (part..period).all(|at| round[at] == round[at - part]));
                    if length >= rounds * period && !is_multiple {
                        let (ids, first) = least_rotation(round);
                        let runs = found.entry(ids).or_insert_with(|| (vec![0; period], 0));
                        runs.0[first] += 1;
                        runs.1 += length as u64;
                    }
                    start += length - period + 1;
                }
            }
        }
        found
    }

    fn forest(streams: &[Vec<u64>], k: u32) -> PathForest {
        let mut slabs = SlabForest::new(k, 100);
        for stream in streams {
            slabs.enter();
            slabs.process_bl_path_ids(stream);
            slabs.leave();
        }
        PathForest::of(&slabs)
    }

    pub(in super::super) fn random(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 33) % below
    }

    #[test]
    fn runs_are_those_of_a_naive_search() {
        let mut state = 7;
        for k in [3, 4, 7, 8, 20] {
            for _ in 0..20 {
                let mut streams = Vec::new();
                for _ in 0..1 + random(&mut state, 3) {
                    let mut stream = Vec::new();
                    for _ in 0..random(&mut state, 6) {
                        let period: Vec<u64> = (0..=random(&mut state, 8)).map(|_| random(&mut state, 3)).collect();
                        stream.extend(period.iter().cycle().take(random(&mut state, 60) as usize));
                    }
                    streams.push(stream);
                }
                let found = cycles(&forest(&streams, k), |_, _| true);
                assert!(found.iter().all(|cycle| cycle.runs == cycle.begins.iter().sum::<u64>()));
                let found: HashMap<Vec<u64>, (Vec<u64>, u64)> =
                    found.into_iter().map(|cycle| (cycle.ids, (cycle.begins, cycle.covered))).collect();
                assert_eq!(found, naive_runs(&streams, (k as usize - 1) / 2, 2), "k = {k}: {streams:?}");
            }
        }
    }

    #[test]
    fn runs_longer_than_any_window_have_their_length() {
        let mut stream = [1, 2].repeat(500);
        stream.push(9);
        stream.extend([1, 2].repeat(100));
        let found = cycles(&forest(&[stream], 5), |_, _| true);
        assert_eq!(found, [Cycle { ids: vec![1, 2], runs: 2, covered: 1200, begins: vec![2, 0] }]);
    }

    #[test]
    fn ids_that_do_not_join_end_a_window() {
        let stream = [1, 1, 2].repeat(50);
        let found = cycles(&forest(&[stream], 9), |a, b| a == b);
        assert_eq!(found, [Cycle { ids: vec![1], runs: 50, covered: 100, begins: vec![50] }]);
    }
}
