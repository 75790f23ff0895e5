//! Figure 6, tables 1 and 2, and figure 7 (the case of RNAfold) of `[NGF03]`.
//!
//! In: times of TFP and of Bala's method, persistence for the paper's four K, times of the folding loop. Out: one table
//! a figure.

use super::{Outcomes, arithmetic, geometric, greatest, ratio, regions, rows};
use crate::measure::bench::statistics::geometric_mean;
use crate::measure::reproduce::fold;
use crate::measure::reproduce::measure::Measurements;
use crate::measure::reproduce::paper::{TABLE_1, TABLE_1_AVERAGES, TABLE_2, TABLE_2_AVERAGES, TFP_TO_BALA};
use crate::measure::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::measure::reproduce::variant::{UNENDING, Variant};

/// Window sizes of table 1.
const PATH_K: [u64; 2] = [50, 100];
/// Window sizes of table 2.
const BLOCK_K: [u64; 2] = [500, 1000];

const TFP: Variant = Variant::Tfp(UNENDING);

/// The variants that the tables need.
pub fn variants() -> Vec<Variant> {
    let windows = PATH_K.into_iter().chain(BLOCK_K).map(Variant::Tfp);
    [Variant::Plain, TFP, Variant::Bala].into_iter().chain(windows).collect()
}

/// One table a figure.
pub fn tables(measured: &Measurements) -> Vec<ResultTable> {
    vec![figure_6(measured), table_1(measured), table_2(measured), figure_7(measured)]
}

fn figure_6(measured: &Measurements) -> ResultTable {
    let values = |of: &Outcomes| {
        vec![ratio(of, TFP, Variant::Bala), ratio(of, TFP, Variant::Plain), ratio(of, Variant::Bala, Variant::Plain)]
    };
    let mut table = ResultTable {
        key: "tfp_figure6",
        source: "[NGF03] figure 6",
        title: "time of tfp relative to Bala's method; of each relative to no profiling".to_owned(),
        columns: ["tfp/bala", "tfp/none", "bala/none"].map(|name| (name.to_owned(), Look::Ratio)).to_vec(),
        rows: rows(measured, values),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table.summary.push(Row::new("mean", table.over_rows(arithmetic)));
    table.summary.push(Row::new("worst", table.over_rows(greatest)));
    table.paper.push(Row::new("the paper's average", vec![Some(TFP_TO_BALA), None, None]));
    let known: Vec<f64> = table.rows.iter().filter_map(|row| row.values[0]).collect();
    let faster = known.iter().filter(|ratio| **ratio < 1.0).count();
    table.compared = vec![
        Compared::new("programs on which tfp is faster", "3 of 13 (3 of 6 FP)", format!("{faster} of {}", known.len())),
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
        "Bala's method counts every path here, in a hash table; the paper's only compared each path with the one before, so the"
            .to_owned(),
        "two ratios to it are of different work: tfp is not shown to cost less than Bala's bits alone.".to_owned(),
    ];
    table
}

fn table_1(measured: &Measurements) -> ResultTable {
    let values = |of: &Outcomes| {
        let mut values = vec![regions(of, PATH_K[0]).map(|found| found.regions as f64)];
        // Programs without such loops are not in the averages.
        let with_loops = |k| regions(of, k).filter(|found| found.regions > 0);
        values.push(with_loops(PATH_K[0]).map(|found| found.static_paths));
        for k in PATH_K {
            let found = with_loops(k);
            values.push(found.map(|found| found.persistent_paths as f64));
            values.push(found.and_then(|found| found.persistent_percent()));
            values.push(found.and_then(|found| found.persistent_windows_percent()));
        }
        values
    };
    let mut columns = vec![("loops".to_owned(), Look::Count), ("static paths".to_owned(), Look::Count)];
    for k in PATH_K {
        columns.push((format!("K={k} paths"), Look::Decimal));
        columns.push(("of paths".to_owned(), Look::Percent));
        columns.push(("of windows".to_owned(), Look::Percent));
    }
    let mut table = ResultTable {
        key: "tfp_table1",
        source: "[NGF03] table 1",
        title: "persistent paths in the hottest loops, and the percentage of executed paths that are persistent"
            .to_owned(),
        columns,
        rows: rows(measured, values),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("average", table.over_rows(arithmetic)));
    let papers = TABLE_1.iter().chain(&TABLE_1_AVERAGES).map(|row| {
        let values = [None, Some(row.static_paths), Some(row.at_50.0), Some(row.at_50.1), None];
        let values = values.into_iter().chain([Some(row.at_100.0), Some(row.at_100.1), None]);
        Row::new(format!("paper: {}", row.program), values.collect())
    });
    table.paper.extend(papers);
    table.notes.push(loops_note());
    table
}

fn table_2(measured: &Measurements) -> ResultTable {
    let values = |of: &Outcomes| {
        let blocks = regions(of, BLOCK_K[0]).and_then(|found| found.average_blocks());
        let untaken = BLOCK_K.map(|k| regions(of, k).and_then(|found| found.untaken_percent()));
        std::iter::once(blocks).chain(untaken).collect()
    };
    let columns = BLOCK_K.map(|k| (format!("K={k}"), Look::Percent));
    let mut table = ResultTable {
        key: "tfp_table2",
        source: "[NGF03] table 2",
        title: "blocks of an average loop, and the percentage of them that windows of K executions do not pass"
            .to_owned(),
        columns: std::iter::once(("blocks".to_owned(), Look::Decimal)).chain(columns).collect(),
        rows: rows(measured, values),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("average", table.over_rows(arithmetic)));
    let papers = TABLE_2.iter().chain(&TABLE_2_AVERAGES).map(|row| {
        Row::new(format!("paper: {}", row.program), vec![Some(row.blocks), Some(row.at_500), Some(row.at_1000)])
    });
    table.paper.extend(papers);
    table.notes = vec![
        loops_note(),
        "A percentage is absent where no window of K executions ended.".to_owned(),
        "The paper's rows of INT have 13.70 blocks on average, not the 14.27 that it prints.".to_owned(),
    ];
    table
}

fn loops_note() -> String {
    "Of each program the ten most executed loops with more than one path, down to 1% of the executions of the first."
        .to_owned()
}

fn figure_7(measured: &Measurements) -> ResultTable {
    let found = |bases: u64, variant: Variant| {
        let mut found = measured.folds.iter().filter(|(at, of, _)| (*at, *of) == (bases, variant));
        found.next()?.2.as_ref().ok()
    };
    let seconds = |bases: u64, variant: Variant| Some(found(bases, variant)?.whole_seconds);
    let row = |&bases: &u64| {
        let original = seconds(bases, fold::VERSIONS[0]);
        let normalized = fold::VERSIONS.map(|variant| Some(seconds(bases, variant)? / original?));
        let traces = found(bases, Variant::Auto).map(|measured| measured.specialized as f64);
        Row::new(format!("{bases} bases"), normalized.into_iter().chain([traces]).collect())
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

/// Time of TFP relative to Bala's method, as a geometric mean.
pub(super) fn tfp_to_bala(measured: &Measurements) -> Option<f64> {
    geometric_mean(measured.ratios(TFP, Variant::Bala).into_iter().map(|(_, ratio)| ratio))
}
