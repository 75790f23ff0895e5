//! The case of RNAfold: figure 7 of `[NGF03]`.
//!
//! In: the times of three compilations of the folding loop, for four lengths of strands. Out: one table.

use super::super::geometric;
use super::super::ratios::ratio_row;
use crate::reproduce::fold;
use crate::reproduce::measure::Measurements;
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::times::MeanRatio;
use crate::reproduce::variant::Variant;

/// One row a length, times relative to the original loop.
pub(super) fn figure_7(measured: &Measurements) -> ResultTable {
    let found = |bases: u64, variant: Variant| {
        let mut found = measured.folds.iter().filter(|(at, of, _)| (*at, *of) == (bases, variant));
        found.next()?.2.as_ref().ok()
    };
    let seconds = |bases: u64, variant: Variant| Some(&found(bases, variant)?.whole_seconds);
    let row = |&bases: &u64| {
        let original = seconds(bases, fold::VERSIONS[0]);
        let normalized = fold::VERSIONS.map(|variant| MeanRatio::of(seconds(bases, variant)?, original?));
        let mut row = ratio_row(&format!("{bases} bases"), normalized.to_vec());
        row.values.push(found(bases, Variant::Auto).map(|measured| measured.specialized as f64));
        row
    };
    let times = ["original", "unrolled", "auto"].map(|name| (name.to_owned(), Look::Ratio));
    let mut table = ResultTable {
        key: "tfp_figure7",
        source: "[NGF03] figure 7",
        title: "RNAfold: time of the original loop, unrolled, and left to the adaptive system".to_owned(),
        columns: times.into_iter().chain([("traces made".to_owned(), Look::Count)]).collect(),
        rows: fold::BASES.iter().map(row).collect(),
        ..ResultTable::default()
    };
    let means = table.over_rows(geometric).into_iter().take(fold::VERSIONS.len());
    table.summary.push(Row::new("geometric mean", means.chain([None]).collect()));
    let best = |row: &&Row| match row.values[..] {
        // Without a trace, a shorter time is not an effect of the profile.
        [Some(original), Some(unrolled), Some(auto), Some(traces)] => {
            traces > 0.0 && auto < original && auto < unrolled
        }
        _ => false,
    };
    let wins = table.rows.iter().filter(best).count();
    table.compared = vec![
        Compared::new(
            "sizes on which a version made by what a profile found is the fastest of the three",
            "4 of 4; \"the improvements in time are small\"",
            format!("{wins} of {}", table.rows.len()),
        ),
        Compared::new("results of the three versions", "the same", agreement(measured)),
    ];
    table.notes = vec![
        "original: the optimizer without its pass 'unroll'; unrolled: with it; auto: --tier auto from its start.".to_owned(),
        "Times include compilations, and for auto the code before them. Without a trace, auto ran unrolled code at best."
            .to_owned(),
    ];
    table
}

/// `the same` if all versions printed the same for each size, else `THEY DIFFER`.
fn agreement(measured: &Measurements) -> String {
    let printed = |bases: u64| {
        let of = measured.folds.iter().filter(move |(at, _, _)| *at == bases);
        of.filter_map(|(_, _, outcome)| Some(outcome.as_ref().ok()?.printed.as_str())).collect::<Vec<&str>>()
    };
    let alike = fold::BASES.iter().all(|&bases| {
        let printed = printed(bases);
        printed.len() == fold::VERSIONS.len() && printed.iter().all(|text| *text == printed[0])
    });
    if alike { "the same".to_owned() } else { "THEY DIFFER".to_owned() }
}
