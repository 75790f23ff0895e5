//! Figures 4, 6 and 7, tables 1 and 2, and section 3.6 of `[NGF03]`.
//!
//! In: times of TFP and of Bala's method, persistence for the paper's four K, path frequencies, times of the folding loop.
//! Out: one table a figure. INT and FP programs are apart, as in the paper.

mod fold;
mod frequencies;
mod loops;

use super::classes::{divide, summarize};
use super::ratios::{Pair, by_least_times, ratio_rows};
use super::{arithmetic, geometric, greatest};
use crate::bench::Arithmetic;
use crate::bench::statistics::geometric_mean;
use crate::reproduce::measure::Measurements;
use crate::reproduce::paper::TFP_TO_BALA;
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::variant::{UNENDING, Variant};

/// TFP in a window that never ends.
const TFP: Variant = Variant::Tfp(UNENDING);

/// The variants that the tables need.
pub fn variants() -> Vec<Variant> {
    [Variant::Plain, TFP, Variant::Bala].into_iter().chain(loops::variants()).chain(frequencies::variants()).collect()
}

/// One table a figure, in the paper's order; the case of RNAfold where it was measured.
pub fn tables(measured: &Measurements) -> Vec<ResultTable> {
    let mut tables = vec![
        frequencies::section_3_6(measured),
        loops::figure_4(measured),
        figure_6(measured),
        loops::table_1(measured),
        loops::table_2(measured),
    ];
    if !measured.folds.is_empty() {
        tables.push(fold::figure_7(measured));
    }
    tables
}

fn figure_6(measured: &Measurements) -> ResultTable {
    let pairs: [Pair; 3] = [(TFP, Variant::Bala), (TFP, Variant::Plain), (Variant::Bala, Variant::Plain)];
    let mut table = ResultTable {
        key: "tfp_figure6",
        source: "[NGF03] figure 6",
        title: "time of tfp relative to Bala's method; of each relative to no profiling".to_owned(),
        columns: ["tfp/bala", "tfp/none", "bala/none"].map(|name| (name.to_owned(), Look::Ratio)).to_vec(),
        rows: ratio_rows(measured, &pairs),
        ..ResultTable::default()
    };
    divide(measured, &mut table);
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table.summary.push(by_least_times(measured, &pairs));
    summarize(measured, &mut table, "mean", arithmetic);
    table.summary.push(Row::new("worst", table.over_rows(greatest)));
    table.paper.push(Row::new("the paper's average", vec![Some(TFP_TO_BALA), None, None]));
    let faster = |class: Option<&str>| {
        let rows = table.rows.iter().filter(|row| class.is_none_or(|class| row.words[0] == class));
        let known: Vec<f64> = rows.filter_map(|row| row.values[0]).collect();
        (known.iter().filter(|ratio| **ratio < 1.0).count(), known.len())
    };
    let ((faster_all, all), (faster_fp, fp)) = (faster(None), faster(Some(Arithmetic::Fp.name())));
    table.compared = vec![
        Compared::new(
            "programs on which tfp is faster",
            "3 of 13 (3 of 6 FP)",
            format!("{faster_all} of {all} ({faster_fp} of {fp} FP)"),
        ),
        Compared::new(
            "slowdown to no profiling",
            "from 10% to nearly a factor of 3, most of it ATOM's procedure calls",
            match table.summary[0].values[1..] {
                [Some(tfp), Some(bala)] => format!("tfp {tfp:.2}x, bala {bala:.2}x in the geometric mean"),
                _ => "nothing was measured".to_owned(),
            },
        ),
    ];
    table.notes = vec![
        "The window never ends, as in the paper. TFP tracks all five properties; the paper's tracked three.".to_owned(),
        "Both compare each path with the one before, as in the paper, and count it in place when another follows; the paper's Bala"
            .to_owned(),
        "did not count. tfp also has what loops with one path need no comparison for: the paper leaves such loops out.".to_owned(),
    ];
    table
}

/// Time of TFP relative to Bala's method, as a geometric mean.
pub(super) fn tfp_to_bala(measured: &Measurements) -> Option<f64> {
    geometric_mean(measured.ratios(TFP, Variant::Bala).into_iter().map(|(_, ratio)| ratio))
}
