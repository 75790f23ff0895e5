//! The hottest loops: figure 4, and tables 1 and 2 of `[NGF03]`.
//!
//! In: persistence for the paper's four K. Out: the distribution of the number of blocks, the persistent paths, and the blocks
//! that are persistently not taken. Invariant: all three are about the same loops.

use super::super::classes::{class, divide, summarize};
use super::super::{Outcomes, arithmetic, regions, rows};
use crate::bench::Arithmetic;
use crate::reproduce::measure::Measurements;
use crate::reproduce::paper::{
    INTEGER_PROGRAMS, REGIONS, REGIONS_ABOVE_64, TABLE_1, TABLE_1_AVERAGES, TABLE_2, TABLE_2_AVERAGES,
};
use crate::reproduce::regions::RegionFigures;
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::variant::Variant;

/// Window sizes of table 1.
const PATH_K: [u64; 2] = [50, 100];
/// Window sizes of table 2.
const BLOCK_K: [u64; 2] = [500, 1000];
/// Bounds of figure 4; a register of the paper has 64 bits.
const BLOCKS_BELOW: [u64; 6] = [4, 8, 16, 32, 64, 128];

/// The variants that the tables need.
pub(super) fn variants() -> impl Iterator<Item = Variant> {
    PATH_K.into_iter().chain(BLOCK_K).map(Variant::Tfp)
}

/// Figure 4: the cumulative distribution of the number of blocks.
pub(super) fn figure_4(measured: &Measurements) -> ResultTable {
    let sizes = |of: &Outcomes| regions(of, PATH_K[0]).map(|found| found.sizes.clone());
    let below = BLOCKS_BELOW.iter().map(|bound| (format!("<{bound}"), Look::Percent));
    let mut table = ResultTable {
        key: "tfp_figure4",
        source: "[NGF03] figure 4",
        title: "cumulative distribution of the number of blocks of the hottest loops".to_owned(),
        columns: std::iter::once(("loops".to_owned(), Look::Count))
            .chain(below)
            .chain([("largest".to_owned(), Look::Count)])
            .collect(),
        rows: rows(measured, |of| cumulative(&sizes(of).unwrap_or_default())),
        ..ResultTable::default()
    };
    divide(measured, &mut table);
    let pooled = |wanted: Option<Arithmetic>| -> Vec<u64> {
        let programs = measured.programs.iter();
        let programs = programs.filter(|(name, _)| wanted.is_none_or(|wanted| class(measured, name) == wanted));
        programs.filter_map(|(_, of)| sizes(of)).flatten().collect()
    };
    for (name, wanted) in [("all (INT)", Some(Arithmetic::Int)), ("all (FP)", Some(Arithmetic::Fp)), ("all", None)] {
        table.summary.push(Row::new(name, cumulative(&pooled(wanted))));
    }
    let all = pooled(None);
    let fitting = all.iter().filter(|blocks| **blocks < 64).count();
    table.compared = vec![Compared::new(
        "loops with fewer than 64 blocks, for which one register suffices",
        format!("more than 99%; all but {REGIONS_ABOVE_64} of {REGIONS} have at most 64"),
        match all.len() {
            0 => "nothing was measured".to_owned(),
            loops => format!("{fitting} of {loops} ({:.1}%)", 100.0 * fitting as f64 / loops as f64),
        },
    )];
    table.notes = vec![
        loops_note(),
        "Blocks are those of table 2: an inner loop, which has a register of its own, is one block of the loop around it."
            .to_owned(),
        "The head of a loop is a block without a bit, since every execution passes it.".to_owned(),
    ];
    table
}

/// The number of loops, the percentage of them below each bound, and the largest.
fn cumulative(sizes: &[u64]) -> Vec<Option<f64>> {
    let loops = sizes.len() as f64;
    let below = BLOCKS_BELOW.iter().map(|bound| {
        let count = sizes.iter().filter(|size| *size < bound).count();
        (!sizes.is_empty()).then(|| 100.0 * count as f64 / loops)
    });
    let largest = sizes.iter().max().map(|&size| size as f64);
    std::iter::once(Some(loops)).chain(below).chain([largest]).collect()
}

/// Table 1: persistent paths.
pub(super) fn table_1(measured: &Measurements) -> ResultTable {
    let values = |of: &Outcomes| {
        let mut values = vec![regions(of, PATH_K[0]).map(|found| found.regions as f64)];
        // Programs without such loops are not in the averages.
        let with_loops = |k| regions(of, k).filter(|found: &&RegionFigures| found.regions > 0);
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
    divide(measured, &mut table);
    summarize(measured, &mut table, "average", arithmetic);
    let papers = TABLE_1.iter().chain(&TABLE_1_AVERAGES).enumerate().map(|(at, row)| {
        let values = [None, Some(row.static_paths), Some(row.at_50.0), Some(row.at_50.1), None];
        let values = values.into_iter().chain([Some(row.at_100.0), Some(row.at_100.1), None]);
        paper_row(at, row.program, values.collect())
    });
    table.paper.extend(papers);
    let [int, fp, all] = TABLE_1_AVERAGES;
    table.compared = vec![Compared::new(
        "share of the executed paths that is persistent at K=50, on average",
        format!("INT {:.2}%, FP {:.2}%, all {:.2}%", int.at_50.1, fp.at_50.1, all.at_50.1),
        averages(&table, 3),
    )];
    table.notes.push(loops_note());
    table
}

/// Table 2: blocks persistently not taken.
pub(super) fn table_2(measured: &Measurements) -> ResultTable {
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
    divide(measured, &mut table);
    summarize(measured, &mut table, "average", arithmetic);
    let papers = TABLE_2
        .iter()
        .chain(&TABLE_2_AVERAGES)
        .enumerate()
        .map(|(at, row)| paper_row(at, row.program, vec![Some(row.blocks), Some(row.at_500), Some(row.at_1000)]));
    table.paper.extend(papers);
    let [int, fp, all] = TABLE_2_AVERAGES;
    table.compared = vec![Compared::new(
        "share of the blocks that is persistently not taken at K=500, on average",
        format!("INT {:.2}%, FP {:.2}%, all {:.2}%", int.at_500, fp.at_500, all.at_500),
        averages(&table, 1),
    )];
    table.notes = vec![
        loops_note(),
        "A percentage is absent where no window of K executions ended.".to_owned(),
        "The paper's rows of INT have 13.70 blocks on average, not the 14.27 that it prints.".to_owned(),
    ];
    table
}

/// A row of the paper's table, the averages without a class.
fn paper_row(at: usize, program: &str, values: Vec<Option<f64>>) -> Row {
    let class = match at {
        at if at < INTEGER_PROGRAMS => vec![Arithmetic::Int.name().to_owned()],
        at if at < TABLE_1.len() => vec![Arithmetic::Fp.name().to_owned()],
        _ => Vec::new(),
    };
    Row { words: class, ..Row::new(format!("paper: {program}"), values) }
}

/// The averages of INT, FP and all in one column.
fn averages(table: &ResultTable, column: usize) -> String {
    let text = |(class, row): (&str, &Row)| match row.values[column] {
        Some(percent) => format!("{class} {percent:.2}%"),
        None => format!("{class} none"),
    };
    ["INT", "FP", "all"].into_iter().zip(&table.summary).map(text).collect::<Vec<_>>().join(", ")
}

fn loops_note() -> String {
    "Of each program the ten most executed loops with more than one path, down to 1% of the executions of the first."
        .to_owned()
}
