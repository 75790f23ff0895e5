//! From measurements to tables: files for each paper, and one for costs.
//!
//! In: [`Measurements`]. Out: [`ResultTable`](super::result_table::ResultTable)s. Invariant: a value is absent if one of
//! the runs it needs failed.

mod classes;
pub mod cost;
pub mod delia;
mod locality;
pub mod melski;
mod ratios;
pub mod roy;
mod techniques;
pub mod tfp;
pub mod twpp;

use std::collections::BTreeMap;

use super::forest::ForestFigures;
use super::job::{CountFigures, Figures};
use super::measure::{Measurements, Outcome};
use super::regions::RegionFigures;
use super::result_table::Row;
use super::times::MeanRatio;
use super::variant::Variant;
use crate::bench::statistics::geometric_mean;

/// Note on what is timed.
const CONSUMER: &str = "Times are the CPU time of all threads. Every scheme counts in the program's own code, but for tfp in regions of 64 places or more.";

/// Note on the numbers of paths.
const NUMBERING: &str = "bl and k-bl number paths by the counts of edges of a run before (profile --numbering smart); no other scheme takes such counts.";

/// The outcomes of one program by variant.
type Outcomes = BTreeMap<Variant, Outcome>;

/// One row a program.
fn rows(measured: &Measurements, values: impl Fn(&Outcomes) -> Vec<Option<f64>>) -> Vec<Row> {
    measured.programs.iter().map(|(name, of)| Row::new(name, values(of))).collect()
}

fn ratio(of: &Outcomes, variant: Variant, to: Variant) -> Option<f64> {
    Some(mean_ratio(of, variant, to)?.value)
}

/// The ratio of the mean times of two variants.
fn mean_ratio(of: &Outcomes, variant: Variant, to: Variant) -> Option<MeanRatio> {
    MeanRatio::of(Measurements::seconds(of, variant)?, Measurements::seconds(of, to)?)
}

fn forest(of: &Outcomes, k: u32) -> Option<&ForestFigures> {
    match Measurements::figures(of, Variant::KBl(k))? {
        Figures::Forest(forest) => Some(forest),
        Figures::None | Figures::Counts(_) | Figures::Regions(_) | Figures::Across(_) => None,
    }
}

fn counts(of: &Outcomes, variant: Variant) -> Option<&CountFigures> {
    match Measurements::figures(of, variant)? {
        Figures::Counts(counts) => Some(counts),
        Figures::None | Figures::Forest(_) | Figures::Regions(_) | Figures::Across(_) => None,
    }
}

fn regions(of: &Outcomes, k: u64) -> Option<&RegionFigures> {
    regions_of(of, Variant::Tfp(k))
}

fn regions_of(of: &Outcomes, variant: Variant) -> Option<&RegionFigures> {
    match Measurements::figures(of, variant)? {
        Figures::Regions(regions) => Some(regions),
        Figures::None | Figures::Forest(_) | Figures::Counts(_) | Figures::Across(_) => None,
    }
}

/// Geometric mean of the positive values; programs without paths to count, or without loops, have zeros.
fn geometric(values: &[f64]) -> Option<f64> {
    geometric_mean(values.iter().copied().filter(|value| *value > 0.0))
}

fn arithmetic(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn greatest(values: &[f64]) -> Option<f64> {
    values.iter().copied().max_by(f64::total_cmp)
}

/// The greatest value of several columns and programs, with its program and column: `4.20x (md, k=16)`.
fn worst(found: impl Iterator<Item = (String, f64)>) -> String {
    match found.max_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((whose, value)) => format!("{value:.2}x ({whose})"),
        None => "nothing was measured".to_owned(),
    }
}
