//! Means of repeated runs, and the confidence intervals of their ratios.
//!
//! In: the times of one variant or of two, by round. Out: means, and [`MeanRatio`]s.
//!
//! `[GBE07]` A. Georges, D. Buytaert, L. Eeckhout, "Statistically Rigorous Java Performance Evaluation", OOPSLA 2007: the
//! arithmetic mean of n runs, each in a process of its own, with the interval that has the true mean with a confidence of
//! 95%. Few runs (n < 30) need Student's t with n-1 degrees of freedom (section 3.2.2). `[DD13]` 4.1 has the mean of at
//! least 7 runs.
//!
//! Variants take turns, so that the times x and y of a round belong together. The ratio R is mean(x) / mean(y). Its
//! variance is that of the residuals x - R y, divided by n mean(y)^2: a disturbance of a whole round lengthens x and y alike
//! and cancels out (W. G. Cochran, "Sampling Techniques", 3rd edition, 1977, section 2.11, without the finite population).
//!
//! Invariant: one run has no interval.

use serde::Serialize;

use crate::bench::statistics::student_t;

/// A ratio of mean times.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeanRatio {
    /// The ratio of the arithmetic means.
    pub value: f64,
    /// Half of the width of its 95% confidence interval; `None` with a single round.
    pub half_width: Option<f64>,
}

/// The arithmetic mean.
pub fn mean(times: &[f64]) -> Option<f64> {
    (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
}

/// The least time, which other work on the machine disturbed the least.
pub fn least(times: &[f64]) -> Option<f64> {
    times.iter().copied().min_by(f64::total_cmp)
}

impl MeanRatio {
    /// The ratio of the times of two variants, which were run in the same rounds; `None` without times.
    pub fn of(times: &[f64], to: &[f64]) -> Option<MeanRatio> {
        assert_eq!(times.len(), to.len(), "variants take turns");
        let below = mean(to)?;
        let value = mean(times)? / below;
        let n = times.len() as f64;
        let squares: f64 = times.iter().zip(to).map(|(x, y)| (x - value * y).powi(2)).sum();
        let half_width = (times.len() > 1).then(|| {
            let deviation = (squares / (n - 1.0)).sqrt();
            student_t(times.len() - 1) * deviation / (below * n.sqrt())
        });
        Some(MeanRatio { value, half_width })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_round_has_no_interval() {
        assert_eq!(MeanRatio::of(&[3.0], &[2.0]), Some(MeanRatio { value: 1.5, half_width: None }));
        assert_eq!(MeanRatio::of(&[], &[]), None);
        assert_eq!((mean(&[]), least(&[])), (None, None));
    }

    #[test]
    fn a_disturbance_of_whole_rounds_cancels_out() {
        let ratio = MeanRatio::of(&[2.0, 4.0, 20.0], &[1.0, 2.0, 10.0]).unwrap();
        assert!((ratio.value - 2.0).abs() < 1e-12 && ratio.half_width.unwrap() < 1e-12, "{ratio:?}");
    }

    /// Against a constant, the interval is that of a mean: 1, 2, ..., 7 has the mean 4 and the deviation sqrt(28/6).
    #[test]
    fn against_a_constant_it_is_the_interval_of_the_mean() {
        let times: Vec<f64> = (1..=7).map(f64::from).collect();
        let ratio = MeanRatio::of(&times, &[2.0; 7]).unwrap();
        let expected = 2.447 * (28.0_f64 / 6.0).sqrt() / 7.0_f64.sqrt() / 2.0;
        assert!((ratio.value - 2.0).abs() < 1e-12 && (ratio.half_width.unwrap() - expected).abs() < 1e-12, "{ratio:?}");
        assert_eq!((mean(&times), least(&times)), (Some(4.0), Some(1.0)));
    }
}
