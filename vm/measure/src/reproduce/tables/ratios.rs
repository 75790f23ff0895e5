//! Rows of ratios of times, with their confidence intervals.
//!
//! In: measurements, and for each column a variant and the one that it is divided by. Out: rows, and the geometric means of the
//! same ratios by least times. Invariant: a row has a spread for each value, or none at all.

use super::{Outcomes, geometric, mean_ratio};
use crate::reproduce::measure::Measurements;
use crate::reproduce::result_table::Row;
use crate::reproduce::times::{MeanRatio, least};
use crate::reproduce::variant::Variant;

/// A variant, and the one that its times are divided by.
pub(super) type Pair = (Variant, Variant);

/// One row a program, one column a pair.
pub(super) fn ratio_rows(measured: &Measurements, pairs: &[Pair]) -> Vec<Row> {
    let row = |(name, of): &(String, Outcomes)| {
        ratio_row(name, pairs.iter().map(|&(variant, to)| mean_ratio(of, variant, to)).collect())
    };
    measured.programs.iter().map(row).collect()
}

/// A row of ratios.
pub(super) fn ratio_row(name: &str, ratios: Vec<Option<MeanRatio>>) -> Row {
    let values = ratios.iter().map(|ratio| Some(ratio.as_ref()?.value)).collect();
    let spreads: Vec<Option<f64>> = ratios.iter().map(|ratio| ratio.as_ref()?.half_width).collect();
    let spreads = if spreads.iter().any(Option::is_some) { spreads } else { Vec::new() };
    Row { spreads, ..Row::new(name, values) }
}

/// The geometric mean of each pair's ratios of least times, which other work on the machine distorts less than means.
pub(super) fn by_least_times(measured: &Measurements, pairs: &[Pair]) -> Row {
    let ratio = |of: &Outcomes, (variant, to): Pair| {
        Some(least(Measurements::seconds(of, variant)?)? / least(Measurements::seconds(of, to)?)?)
    };
    let column = |&pair: &Pair| {
        let ratios: Vec<f64> = measured.programs.iter().filter_map(|(_, of)| ratio(of, pair)).collect();
        geometric(&ratios)
    };
    Row::new("geometric mean of least times", pairs.iter().map(column).collect())
}
