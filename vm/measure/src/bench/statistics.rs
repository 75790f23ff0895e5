//! Summary statistics.
//!
//! In: times, or ratios of times. Out: the least, medians and means, and intervals that have the true value with some
//! confidence. Invariant: one value has no interval.

use std::time::Duration;

/// The confidence that an interval should have.
const CONFIDENCE: f64 = 0.95;

/// An interval of a figure that was measured several times.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Its lower end.
    pub from: f64,
    /// Its upper end.
    pub to: f64,
    /// The confidence that it has the true value.
    pub confidence: f64,
}

/// The least value; disturbances of a measurement only ever add.
pub fn least(times: impl IntoIterator<Item = Duration>) -> Option<Duration> {
    times.into_iter().min()
}

/// The median: the middle value, or the mean of the middle two.
pub fn median(times: impl IntoIterator<Item = Duration>) -> Option<Duration> {
    let mut times: Vec<Duration> = times.into_iter().collect();
    times.sort_unstable();
    let middle = times.len() / 2;
    match times.len() {
        0 => None,
        length if length % 2 == 1 => Some(times[middle]),
        _ => Some((times[middle - 1] + times[middle]) / 2),
    }
}

/// The geometric mean, the only mean of ratios that does not depend on the baseline.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (count, logarithms) = values.into_iter().fold((0, 0.0), |(count, sum), value| (count + 1, sum + value.ln()));
    (count > 0).then(|| (logarithms / f64::from(count)).exp())
}

/// The interval of the median of what the values are drawn from, whatever its distribution: from the n-th value to the
/// n-th last one, with the greatest n that gives a confidence of 95% (H. A. David, H. N. Nagaraja, "Order Statistics",
/// 3rd edition, 2003, section 7.1). Fewer than six values do not suffice for that; then it is their range, with the
/// confidence that this has.
pub fn median_interval(values: impl IntoIterator<Item = f64>) -> Option<Interval> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1).filter(|last| *last > 0)?;
    // The median is outside if `cut` values or fewer are on one side of it.
    let confidence = |cut: usize| 1.0 - 2.0 * at_most(cut, values.len());
    let cut = (0..values.len() / 2).take_while(|cut| confidence(*cut) >= CONFIDENCE).last().unwrap_or(0);
    Some(Interval { from: values[cut], to: values[last - cut], confidence: confidence(cut) })
}

/// The probability of `count` heads or fewer in so many throws of a coin. Terms are logarithms, which do not underflow.
fn at_most(count: usize, throws: usize) -> f64 {
    let first = -(throws as f64) * std::f64::consts::LN_2;
    let terms = (0..=count).scan(first, |term, heads| {
        let this = *term;
        *term += ((throws - heads) as f64 / (heads + 1) as f64).ln();
        Some(this.exp())
    });
    terms.sum()
}

/// The 95% interval of the geometric mean of what the values are drawn from, by Student's t of their logarithms.
pub fn geometric_interval(values: impl IntoIterator<Item = f64>) -> Option<Interval> {
    let logarithms: Vec<f64> = values.into_iter().map(f64::ln).collect();
    let count = logarithms.len() as f64;
    if logarithms.len() < 2 {
        return None;
    }
    let mean = logarithms.iter().sum::<f64>() / count;
    let squares: f64 = logarithms.iter().map(|value| (value - mean).powi(2)).sum();
    let half = student_t(logarithms.len() - 1) * (squares / (count - 1.0) / count).sqrt();
    Some(Interval { from: (mean - half).exp(), to: (mean + half).exp(), confidence: CONFIDENCE })
}

/// The two-sided 95% quantile of Student's t distribution.
pub(crate) fn student_t(degrees: usize) -> f64 {
    const T: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ];
    match degrees {
        1..=30 => T[degrees - 1],
        // Within 0.002 of the printed tables (40: 2.021, 60: 2.000, 120: 1.980).
        _ => 1.960 + 2.4 / degrees as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(values: &[u64]) -> Vec<Duration> {
        values.iter().copied().map(Duration::from_millis).collect()
    }

    #[test]
    fn least_and_median() {
        assert_eq!(least(milliseconds(&[3, 1, 2])), Some(Duration::from_millis(1)));
        assert_eq!(median(milliseconds(&[9, 1, 2])), Some(Duration::from_millis(2)));
        assert_eq!(median(milliseconds(&[9, 1, 2, 4])), Some(Duration::from_millis(3)));
        assert_eq!((least([]), median([])), (None, None));
    }

    #[test]
    fn geometric_means() {
        let mean = geometric_mean([0.5, 2.0, 8.0]).unwrap();
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
        assert_eq!(geometric_mean([]), None);
    }

    #[test]
    fn quantiles_decrease_towards_the_normal_distribution() {
        assert!((1..200).all(|degrees| student_t(degrees) > student_t(degrees + 1)));
        assert!(student_t(1_000_000) < 1.961);
        for (degrees, printed) in [(40, 2.021), (60, 2.000), (120, 1.980)] {
            assert!((student_t(degrees) - printed).abs() < 0.002, "{degrees}");
        }
    }

    #[test]
    fn a_median_has_an_interval_without_a_distribution() {
        let of = |count: u32| median_interval((1..=count).rev().map(f64::from)).map(|found| (found.from, found.to));
        assert_eq!([of(0), of(1), of(2), of(5)], [None, None, Some((1.0, 2.0)), Some((1.0, 5.0))]);
        // 1 - 2/2^6 = 0.969; 1 - 2 (1 + 9)/2^9 = 0.961, and a third value left out would give 0.82.
        assert_eq!([of(6), of(8), of(9)], [Some((1.0, 6.0)), Some((1.0, 8.0)), Some((2.0, 8.0))]);
        let confidence = |count: u32| median_interval((0..count).map(f64::from)).unwrap().confidence;
        for (count, expected) in [(2, 0.5), (3, 0.75), (6, 0.96875), (9, 0.9609375)] {
            assert!((confidence(count) - expected).abs() < 1e-12, "{count}: {}", confidence(count));
        }
        // Of many values about 1.96 times the root of a quarter of their number is left on either side.
        let (from, to) = of(10_000).unwrap();
        assert!((from - 4902.0).abs() < 3.0 && (to - 5099.0).abs() < 3.0, "{from} {to}");
    }

    #[test]
    fn a_geometric_mean_has_an_interval() {
        let found = geometric_interval([0.5, 2.0]).unwrap();
        let half = 12.706 * std::f64::consts::LN_2;
        assert!((found.to.ln() - half).abs() < 1e-9 && (found.from.ln() + half).abs() < 1e-9, "{found:?}");
        assert_eq!((geometric_interval([3.0]), geometric_interval([])), (None, None));
    }
}
