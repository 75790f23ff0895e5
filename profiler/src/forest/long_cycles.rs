//! Cycles of more ids than the sequences of a forest show: runs of three rounds or more, found in the ids themselves.
//!
//! In: streams of ids. Out: each [`Cycle`] whose period is in a range, with its runs.
//!
//! Periods are searched for by classes: those of a class are at most `w` and more than `w / 2`. Notation: a run of period `p` begins at `a`. The `w` ids
//! that begin at `a + p` lie in it, as `p + w < 3p`. They occurred `p` ids before, and not since: if they did at a distance `d` below `p`,
//! the run would have the periods `p` and `d` over `w + d >= p + d` ids, and so their greatest common divisor, and a round would repeat a
//! part of itself (N. J. Fine, H. S. Wilf, "Uniqueness theorems for periodic functions", Proc. AMS 16(1), 1965). So it is enough to know
//! where each `w` ids occurred last, by a hash that moves along (R. M. Karp, M. O. Rabin, "Efficient randomized pattern-matching
//! algorithms", IBM J. Res. Dev. 31(2), 1987), and to compare ids once for each run.
//!
//! Invariant: exact, unless two windows have one hash of 64 bits; then a run may be missed, and none is invented.

use super::cycles::{Cycle, least_rotation};
use crate::hash::IdMap;
use hashbrown::HashMap;
use std::ops::RangeInclusive;

/// The cycles of streams with a period in a range, those that cover most first, where `joins` tells which ids may follow each other in a cycle. Runs of less
/// than three rounds do not count.
pub fn long_cycles(
    streams: &[Vec<u64>],
    periods: RangeInclusive<usize>,
    joins: impl Fn(u64, u64) -> bool,
) -> Vec<Cycle> {
    let mut found: HashMap<Vec<u64>, Cycle> = HashMap::new();
    for joined in streams.iter().flat_map(|stream| stream.chunk_by(|a, b| joins(*a, *b))) {
        for run in runs(joined, &periods) {
            let round = &joined[run.start..run.start + run.period];
            if !joins(round[round.len() - 1], round[0]) {
                continue;
            }
            let (ids, first) = least_rotation(round);
            let none = || Cycle { ids: ids.clone(), runs: 0, covered: 0, begins: vec![0; run.period] };
            let cycle = found.entry(ids.clone()).or_insert_with(none);
            cycle.runs += 1;
            cycle.covered += (run.end - run.start) as u64;
            cycle.begins[first] += 1;
        }
    }
    let mut cycles: Vec<Cycle> = found.into_values().collect();
    cycles.sort_by(|a, b| b.covered.cmp(&a.covered).then_with(|| a.ids.cmp(&b.ids)));
    cycles
}

/// A maximal part of the ids that repeats with a period.
#[derive(Clone, Copy)]
struct Run {
    start: usize,
    end: usize,
    period: usize,
}

/// The runs of three rounds or more.
fn runs(ids: &[u64], periods: &RangeInclusive<usize>) -> Vec<Run> {
    let (mut least, most) = (*periods.start(), *periods.end());
    let mut runs = Vec::new();
    while least <= most && 3 * least <= ids.len() {
        let width = (2 * least - 1).min(most);
        search(ids, least, width, &mut runs);
        least = width + 1;
    }
    runs
}

/// The runs whose periods are from `least` to `width`, of which `least` is more than a half.
fn search(ids: &[u64], least: usize, width: usize, runs: &mut Vec<Run>) {
    let mut last: IdMap<usize> = IdMap::with_capacity_and_hasher(ids.len(), Default::default());
    let mut latest: Option<Run> = None;
    for (at, hash) in hashes(ids, width) {
        let Some(before) = last.insert(hash, at) else { continue };
        let period = at - before;
        let is_known = latest.is_some_and(|run| run.period == period && at + width <= run.end);
        if !(least..=width).contains(&period) || is_known {
            continue;
        }
        let alike = |at: &usize| ids[*at] == ids[*at + period];
        let start = before - (0..before).rev().take_while(alike).count();
        let end = before + (before..ids.len() - period).take_while(alike).count() + period;
        let run = Run { start, end, period };
        if end - start >= 3 * period {
            runs.push(run);
        }
        latest = Some(run);
    }
}

/// The hash of each window of so many ids, with its position.
fn hashes(ids: &[u64], width: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
    /// An odd number that is no sum of few powers of two.
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    // Ids are small numbers, which a polynomial would not tell apart well.
    let mixed = |id: u64| (id + 1).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(32).wrapping_mul(BASE);
    let leaves = BASE.wrapping_pow(width as u32);
    let mut hash = 0_u64;
    (0..ids.len()).filter_map(move |end| {
        hash = hash.wrapping_mul(BASE).wrapping_add(mixed(ids[end]));
        if end >= width {
            hash = hash.wrapping_sub(mixed(ids[end - width]).wrapping_mul(leaves));
        }
        (end + 1 >= width).then(|| (end + 1 - width, hash))
    })
}

#[cfg(test)]
mod tests {
    use super::super::cycles::tests::{naive_runs, random};
    use super::*;

    fn found(streams: &[Vec<u64>], periods: RangeInclusive<usize>) -> HashMap<Vec<u64>, (Vec<u64>, u64)> {
        let cycles = long_cycles(streams, periods, |_, _| true);
        assert!(cycles.iter().all(|cycle| cycle.runs == cycle.begins.iter().sum::<u64>()));
        cycles.into_iter().map(|cycle| (cycle.ids, (cycle.begins, cycle.covered))).collect()
    }

    #[test]
    fn runs_are_those_of_a_naive_search() {
        let mut state = 11;
        let mut known = 0;
        for (least, most) in [(1, 1), (1, 9), (3, 5), (4, 7), (5, 40), (13, 14)] {
            for _ in 0..60 {
                let mut streams = Vec::new();
                for _ in 0..1 + random(&mut state, 3) {
                    let mut stream = Vec::new();
                    for _ in 0..random(&mut state, 6) {
                        let period: Vec<u64> = (0..=random(&mut state, 20)).map(|_| random(&mut state, 3)).collect();
                        stream.extend(period.iter().cycle().take(random(&mut state, 120) as usize));
                    }
                    streams.push(stream);
                }
                let mut naive = naive_runs(&streams, most, 3);
                naive.retain(|ids, _| ids.len() >= least);
                known += naive.len();
                assert_eq!(found(&streams, least..=most), naive, "{least} to {most}: {streams:?}");
            }
        }
        assert!(known > 500, "{known} cycles");
    }

    #[test]
    fn a_long_period_is_found_where_it_is_broken_now_and_then() {
        let round: Vec<u64> = (0..500).map(|at| at * at % 7).chain([9]).collect();
        let mut stream = round.repeat(5);
        stream.push(8);
        stream.extend(round.repeat(4));
        let cycles = long_cycles(&[stream], 40..=1024, |_, _| true);
        assert_eq!(cycles.len(), 1);
        assert_eq!((cycles[0].ids.len(), cycles[0].runs, cycles[0].covered), (501, 2, 9 * 501));
    }

    #[test]
    fn ids_that_do_not_join_end_a_run() {
        let stream = [[1, 2, 3].repeat(5), vec![7], [1, 2, 3].repeat(5)].concat();
        let cycles = long_cycles(&[stream], 3..=8, |before, after| before < 7 && after < 7);
        assert_eq!(cycles, [Cycle { ids: vec![1, 2, 3], runs: 2, covered: 30, begins: vec![2, 0, 0] }]);
    }
}
