//! Summary statistics.

use std::time::Duration;

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
}
