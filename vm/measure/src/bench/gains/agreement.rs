//! The agreement of two gains of the same versions.
//!
//! In: pairs of gains, as parts of time. Out: their correlation and the mean absolute error of the one as an estimate
//! of the other. Invariant: a correlation of fewer than three pairs, or where one side is always the same, is none.

use serde_json::{Value, json};

/// The agreement of pairs of gains.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Agreement {
    pairs: usize,
    correlation: Option<f64>,
    /// The mean of the absolute differences.
    mean_error: Option<f64>,
}

impl Agreement {
    /// That of an estimate and what it estimates.
    pub(super) fn of(pairs: &[(f64, f64)]) -> Agreement {
        let errors: f64 = pairs.iter().map(|(estimate, truth)| (estimate - truth).abs()).sum();
        let mean_error = (!pairs.is_empty()).then(|| errors / pairs.len() as f64);
        Agreement { pairs: pairs.len(), correlation: correlation(pairs), mean_error }
    }

    /// A line about the gains of this name.
    pub(super) fn text(&self, name: &str) -> String {
        let correlation = self.correlation.map_or("none".to_owned(), |found| format!("{found:.2}"));
        let error = self.mean_error.map_or("none".to_owned(), |error| format!("{:.1} points", error * 100.0));
        format!("correlation of {name}: {correlation}; mean absolute error: {error} (n = {})\n", self.pairs)
    }

    /// The same for programs.
    pub(super) fn json(&self) -> Value {
        json!({ "pairs": self.pairs, "correlation": self.correlation, "mean_absolute_error": self.mean_error })
    }
}

/// Pearson's correlation.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 3 {
        return None;
    }
    let count = pairs.len() as f64;
    let (sum_x, sum_y) = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0, y + pair.1));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let sum = |term: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(x, y)| term(x - mean_x, y - mean_y)).sum::<f64>();
    let spread = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    (spread > 0.0).then(|| sum(&|x, y| x * y) / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations() {
        let line: Vec<(f64, f64)> = (0..5).map(|x| (f64::from(x), 3.0 - 2.0 * f64::from(x))).collect();
        assert!((correlation(&line).unwrap() + 1.0).abs() < 1e-12);
        assert!(correlation(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]).unwrap().abs() < 1e-12);
        assert_eq!((correlation(&line[..2]), correlation(&[(1.0, 2.0); 4])), (None, None));
    }

    #[test]
    fn errors_are_absolute() {
        let found = Agreement::of(&[(0.5, 0.4), (0.1, 0.3), (0.2, 0.2)]);
        assert!((found.mean_error.unwrap() - 0.1).abs() < 1e-12);
        assert_eq!(found.text("a and b"), "correlation of a and b: 0.72; mean absolute error: 10.0 points (n = 3)\n");
        let none = "correlation of a and b: none; mean absolute error: none (n = 0)\n";
        assert_eq!(Agreement::of(&[]).text("a and b"), none);
    }
}
