//! A gain that was measured from outside, by pairs of runs; a loss is a negative gain.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use serde::Serialize;

/// The part of the CPU time of whole runs that traces save.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeasuredGain {
    /// The median of all pairs.
    pub median: f64,
    pub least: f64,
    pub most: f64,
    /// Number of pairs of runs, with and without.
    pub pairs: usize,
}

impl MeasuredGain {
    /// The summary of at least one pair.
    pub fn of(mut saved: Vec<f64>) -> MeasuredGain {
        saved.sort_by(f64::total_cmp);
        let pairs = saved.len();
        let middle = (saved[(pairs - 1) / 2] + saved[pairs / 2]) / 2.0;
        MeasuredGain { median: middle, least: saved[0], most: saved[pairs - 1], pairs }
    }

    pub(super) fn text(&self) -> String {
        let pairs = super::sentence::count(self.pairs as u64, "pair");
        let (verb, part) = if self.median >= 0.0 { ("save", self.median) } else { ("cost", -self.median) };
        let [part, least, most] = [part, self.least, self.most].map(|gain| gain * 100.0);
        let noise = if least <= 0.0 && most >= 0.0 { "; that may be noise" } else { "" };
        format!(
            "Measured: traces {verb} {part:.1}% of the CPU time of all threads.\n{pairs} of whole runs with and without \
             them: a gain of {least:.1} to {most:.1}%{noise}."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_interval() {
        let gain = MeasuredGain::of(vec![0.3, -0.1, 0.2]);
        assert_eq!(gain, MeasuredGain { median: 0.2, least: -0.1, most: 0.3, pairs: 3 });
        assert_eq!(MeasuredGain::of(vec![0.5]).median, 0.5);
        assert!((MeasuredGain::of(vec![0.1, 0.2]).median - 0.15).abs() < 1e-12);
        assert_eq!(
            gain.text(),
            "Measured: traces save 20.0% of the CPU time of all threads.\n3 pairs of whole runs with and without them: \
             a gain of -10.0 to 30.0%; that may be noise."
        );
        assert!(MeasuredGain::of(vec![-0.2]).text().contains("cost 20.0% of the CPU time"));
        assert!(!MeasuredGain::of(vec![0.2, 0.3]).text().contains("noise"));
    }
}
