//! Bounds of what a page holds, so that it opens at once however long the run was.
//!
//! In: rows. Out: constants, and the rows that are kept. Invariant: none of them changes a sum; what is beyond one is added to a remainder, or counted
//! in what was left out.

/// Columns of time, at most: about what a screen has pixels.
pub(super) const MOST_COLUMNS: usize = 1000;
/// Columns of a short run: fewer would hide its beginning.
pub(super) const LEAST_COLUMNS: usize = 60;
/// Samples to a column of a run that has few.
pub(super) const SAMPLES_A_COLUMN: usize = 3;
/// Bands of the river: more are thinner than a line. The others are one band.
pub(super) const MOST_BANDS: usize = 20;
/// Part of the run's time from which on a function or loop has a band.
pub(super) const LEAST_SHARE: f64 = 0.002;
/// Functions: the hottest, and then those that something was decided about.
pub(super) const MOST_FUNCTIONS: usize = 400;
/// Versions, in the same order.
pub(super) const MOST_VERSIONS: usize = 600;
/// Lines with their time.
pub(super) const MOST_LINES: usize = 6000;
/// Marks in the river.
pub(super) const MOST_MARKS: usize = 1500;
/// Decisions, those first that changed something.
pub(super) const MOST_DECISIONS: usize = 600;
/// Profiles of loops.
pub(super) const MOST_EPISODES: usize = 500;
/// Spans of guard failures.
pub(super) const MOST_FAILURES: usize = 3000;
/// Compilations, the longest.
pub(super) const MOST_COMPILATIONS: usize = 400;
/// Parts of a compilation that took less than this, in microseconds, are counted with its rest.
pub(super) const LEAST_PART: f64 = 1.0;
/// Calls about which it is told whether they were inlined, those of the hottest versions.
pub(super) const MOST_CALLS: usize = 4000;
/// Nodes of the tree of stacks: the greatest.
pub(super) const MOST_NODES: usize = 3000;
/// Bytes of machine code as JSON.
pub(super) const MOST_CODE: usize = 1_600_000;
/// Bytes of source text.
pub(super) const MOST_SOURCE: usize = 700_000;
/// Characters of one text, such as a reason.
pub(super) const MOST_TEXT: usize = 600;

/// The first `most` rows by a rank, in the order that they have, and how many more there are.
pub(super) fn first_by<T, K: Ord>(rows: Vec<T>, most: usize, rank: impl Fn(&T) -> K) -> (Vec<T>, usize) {
    let left_out = rows.len().saturating_sub(most);
    let mut ranked: Vec<(usize, T)> = rows.into_iter().enumerate().collect();
    ranked.sort_by_key(|(_, row)| rank(row));
    ranked.truncate(most);
    ranked.sort_by_key(|(at, _)| *at);
    (ranked.into_iter().map(|(_, row)| row).collect(), left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_rank_are_kept_up_to_the_limit() {
        assert_eq!(first_by(vec![1, 1, 1, 1], 3, |row| *row), (vec![1, 1, 1], 1));
        assert_eq!(first_by(vec![3, 1, 2], 2, |row| *row), (vec![1, 2], 1));
        assert_eq!(first_by(vec![3, 1], 5, |row| *row), (vec![3, 1], 0));
    }
}
