//! The point at which a series of equal units of work reaches its steady speed.
//!
//! In: the times at which the units were completed, since the start of the process. Out: [`Warmup`]: the steady time of
//! a unit, and the time at which the program first ran at 90% of that speed. This module is pure.
//!
//! The steady time is the median duration of the last quarter of the units. A unit is warm if it takes at most 1/0.9 of
//! the steady time, and so does the median of it and the next few units. The time at which the first warm unit was
//! completed counts. Medians exclude outliers, fast and slow.

use crate::settings::{LEAST_UNITS, TOGETHER, WARM};
use std::time::Duration;

use crate::bench::statistics::median;

/// Results of a series.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Warmup {
    /// Time from the start of the process to the end of the first unit at 90% of the steady speed.
    pub until_warm: Duration,
    /// The steady time of a unit.
    pub steady: Duration,
    /// Number of completed units.
    pub units: usize,
}

/// The warm-up of a series; `None` if it is shorter than [`LEAST_UNITS`].
pub(super) fn warmup(completed: &[Duration]) -> Option<Warmup> {
    if completed.len() < LEAST_UNITS {
        return None;
    }
    let starts = std::iter::once(Duration::ZERO).chain(completed.iter().copied());
    let units: Vec<Duration> = completed.iter().zip(starts).map(|(end, start)| end.saturating_sub(start)).collect();
    let steady = median(units[units.len() - units.len() / 4..].iter().copied())?;
    let limit = steady.div_f64(WARM);
    let middle = |at: usize| median(units[at..units.len().min(at + TOGETHER)].iter().copied());
    // Some units of the last quarter are no slower than its median, so there is one; if rounding hides it, the last
    // unit counts.
    let first = (0..units.len()).find(|at| units[*at] <= limit && middle(*at).is_some_and(|middle| middle <= limit));
    Some(Warmup { until_warm: completed[first.unwrap_or(units.len() - 1)], steady, units: units.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The warm-up of units with these durations in milliseconds: until warm, steady.
    fn of(units: impl IntoIterator<Item = u64>) -> Option<(u64, f64)> {
        let sum = |now: &mut u64, unit: u64| {
            *now += unit;
            Some(Duration::from_millis(*now))
        };
        let completed: Vec<Duration> = units.into_iter().scan(0, sum).collect();
        let warmup = warmup(&completed)?;
        assert_eq!(warmup.units, completed.len());
        Some((warmup.until_warm.as_millis() as u64, warmup.steady.as_secs_f64() * 1e3))
    }

    fn units(parts: &[(usize, u64)]) -> Vec<u64> {
        parts.iter().flat_map(|(count, unit)| std::iter::repeat_n(*unit, *count)).collect()
    }

    #[test]
    fn the_first_unit_at_speed_counts_with_all_before_it() {
        // 3 slow units (300 ms), then 37 fast ones: warm with the first fast one.
        assert_eq!(of(units(&[(3, 100), (37, 10)])), Some((310, 10.0)));
        // At full speed from the first unit on.
        assert_eq!(of(units(&[(40, 10)])), Some((10, 10.0)));
    }

    #[test]
    fn ninety_percent_is_enough_and_less_is_not() {
        assert_eq!(of(units(&[(5, 200), (10, 111), (25, 100)])), Some((1111, 100.0)));
        assert_eq!(of(units(&[(5, 200), (10, 112), (25, 100)])).unwrap().0, 1000 + 10 * 112 + 100);
    }

    #[test]
    fn chance_is_not_a_speed() {
        // A fast unit among slow ones is not warm; a slow one among fast ones changes nothing.
        assert_eq!(of(units(&[(4, 100), (1, 10), (5, 100), (40, 10)])).unwrap().0, 4 * 100 + 10 + 5 * 100 + 10);
        assert_eq!(of(units(&[(2, 100), (1, 10), (1, 90), (36, 10)])), Some((210, 10.0)));
    }

    #[test]
    fn a_program_that_gets_slower_again_is_judged_by_its_end() {
        assert_eq!(of(units(&[(30, 10), (10, 20)])), Some((10, 20.0)));
    }

    #[test]
    fn too_few_units_are_no_series() {
        assert_eq!(of(units(&[(LEAST_UNITS - 1, 10)])), None);
        assert!(of(units(&[(LEAST_UNITS, 10)])).is_some());
        // No unit is faster than the others for long; there is still an answer.
        assert!(of((0..40).map(|at| if at % 2 == 0 { 10 } else { 100 })).is_some());
    }
}
