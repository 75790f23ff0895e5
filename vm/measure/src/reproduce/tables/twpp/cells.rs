//! The cells of the tables: rows of programs, measured and printed, and sizes.
//!
//! In: the figures of whole paths, and the paper's. Out: rows and columns.

use super::paper::{PaperRow, ROWS};
use crate::reproduce::measure::Measurements;
use crate::reproduce::result_table::{Look, Row};
use crate::reproduce::whole_path::WholePathFigures;

/// The megabyte of the paper.
pub(super) const MB: f64 = 1_048_576.0;

pub(super) fn rows(measured: &Measurements, values: impl Fn(&WholePathFigures) -> Vec<Option<f64>>) -> Vec<Row> {
    let known = measured.whole_paths.iter().filter_map(|(name, figures)| Some((name, figures.as_ref().ok()?)));
    known.map(|(name, figures)| Row::new(name, values(figures))).collect()
}

pub(super) fn paper_rows(values: impl Fn(&PaperRow) -> Vec<Option<f64>>) -> Vec<Row> {
    ROWS.iter().map(|row| Row::new(format!("paper: {}", row.program), values(row))).collect()
}

/// A factor of sizes; none of nothing.
pub(super) fn factor(from: u64, to: u64) -> Option<f64> {
    (to > 0).then(|| from as f64 / to as f64)
}

pub(super) fn bytes(size: u64) -> Option<f64> {
    Some(size as f64)
}

pub(super) fn columns(of: &[(&str, Look)]) -> Vec<(String, Look)> {
    of.iter().map(|&(name, look)| (name.to_owned(), look)).collect()
}
