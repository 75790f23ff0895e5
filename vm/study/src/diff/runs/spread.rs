//! A figure of several runs.
//!
//! In: the figure of each. Out: the median, the least and the greatest. Invariant: of one run all three are the same.

use serde::Serialize;

/// A figure of one run or several.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The greatest.
    pub most: f64,
    /// Runs.
    pub runs: usize,
}

impl Spread {
    /// The spread of the figures of some runs; zero of none.
    pub fn of(figures: impl Iterator<Item = f64>) -> Spread {
        let mut figures: Vec<f64> = figures.collect();
        figures.sort_by(f64::total_cmp);
        let (Some(least), Some(most)) = (figures.first(), figures.last()) else {
            return Spread { median: 0.0, least: 0.0, most: 0.0, runs: 0 };
        };
        let median = (figures[(figures.len() - 1) / 2] + figures[figures.len() / 2]) / 2.0;
        Spread { median, least: *least, most: *most, runs: figures.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_lies_between_the_least_and_the_greatest() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0].into_iter()), Spread { median: 2.0, least: 1.0, most: 3.0, runs: 3 });
        assert_eq!(Spread::of([1.0, 4.0].into_iter()).median, 2.5);
        assert_eq!(Spread::of(std::iter::empty()).runs, 0);
    }
}
