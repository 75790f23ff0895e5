//! Tables 1 to 6 and figure 8 of `[ZG01]`, with zstd beside Sequitur.
//!
//! In: the figures of whole paths. Out: one table each. Invariant: sizes are in bytes and times in seconds; the paper's MB are of
//! 2^20 bytes.

mod cells;
mod extraction;
mod paper;

use super::{arithmetic, geometric};
use crate::reproduce::measure::Measurements;
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::whole_path::WholePathFigures;
use cells::{MB, bytes, columns, factor, paper_rows, rows};
use paper::{PaperRow, REDUNDANCY};

/// Numbers of unique traces in figure 8.
const UNIQUE_TRACES: [u32; 7] = [1, 2, 5, 10, 25, 50, 100];

/// All tables.
pub fn tables(measured: &Measurements) -> Vec<ResultTable> {
    let [table_4, table_5] = extraction::tables(measured);
    let sizes = [traces(measured), redundancy(measured), stages(measured), compaction(measured)];
    sizes.into_iter().chain([table_4, table_5, graphs(measured)]).collect()
}

fn traces(measured: &Measurements) -> ResultTable {
    ResultTable {
        key: "twpp_table1",
        source: "[ZG01] table 1",
        title: "the input: 4 bytes for each activation, and for each block that is entered".to_owned(),
        columns: columns(&[("call graph", Look::Bytes), ("traces", Look::Bytes), ("total", Look::Bytes)]),
        rows: rows(measured, |of| vec![bytes(of.calls), bytes(of.blocks), bytes(of.calls + of.blocks)]),
        paper: paper_rows(|row| row.traces.map(|size| Some(size * MB)).to_vec()),
        ..ResultTable::default()
    }
}

fn redundancy(measured: &Measurements) -> ResultTable {
    let share = |of: &WholePathFigures, most: u32| {
        let calls = |most| of.functions.iter().filter(|f| f.unique_traces <= most).map(|f| f.calls).sum::<u64>();
        factor(100 * calls(most), calls(u32::MAX))
    };
    let columns = UNIQUE_TRACES.map(|most| (format!("N={most}"), Look::Percent)).to_vec();
    let mut table = ResultTable {
        key: "twpp_figure8",
        source: "[ZG01] figure 8",
        title: "redundancy: share of the calls that are to functions with at most N unique path traces".to_owned(),
        columns,
        rows: rows(measured, |of| UNIQUE_TRACES.iter().map(|&most| share(of, most)).collect()),
        ..ResultTable::default()
    };
    let means = table.over_rows(arithmetic);
    let here = UNIQUE_TRACES.iter().zip(&means).filter_map(|(most, mean)| Some(format!("{:.0}% at {most}", (*mean)?)));
    let here = here.collect::<Vec<_>>().join(", ");
    table.compared.push(Compared::new("calls to functions with few unique traces, on average", REDUNDANCY, here));
    table.summary.push(Row::new("average", means));
    table
}

fn stages(measured: &Measurements) -> ResultTable {
    let values = |of: &WholePathFigures| {
        vec![
            bytes(of.unique),
            factor(of.blocks, of.unique),
            bytes(of.compacted),
            factor(of.unique, of.compacted),
            bytes(of.series),
            factor(of.compacted, of.series),
            factor(of.blocks, of.series),
        ]
    };
    let of_paper = |row: &PaperRow| {
        let [unique, compacted, series, factor] = row.stages;
        let (first, second, third) = (row.traces[1] / unique, unique / compacted, compacted / series);
        [unique * MB, first, compacted * MB, second, series * MB, third, factor].map(Some).to_vec()
    };
    let mut table = ResultTable {
        key: "twpp_table2",
        source: "[ZG01] table 2",
        title: "the traces after each stage, and its factor".to_owned(),
        columns: columns(&[
            ("unique traces", Look::Bytes),
            ("factor", Look::Ratio),
            ("with dictionaries", Look::Bytes),
            ("factor", Look::Ratio),
            ("timestamps as series", Look::Bytes),
            ("factor", Look::Ratio),
            ("all", Look::Ratio),
        ]),
        rows: rows(measured, values),
        paper: paper_rows(of_paper),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table
}

fn compaction(measured: &Measurements) -> ResultTable {
    let values = |of: &WholePathFigures| {
        let (total, raw) = (of.calls_lzw + of.series + of.dictionaries, of.calls + of.blocks);
        vec![
            bytes(of.calls_lzw),
            bytes(of.series),
            bytes(of.dictionaries),
            bytes(total),
            factor(raw, total),
            bytes(of.file),
            factor(raw, of.file),
        ]
    };
    let of_paper = |row: &PaperRow| {
        let [calls, traces, dictionaries, total, factor] = row.compacted;
        let sizes = [calls, traces, dictionaries, total].map(|size| Some(size * MB));
        sizes.into_iter().chain([Some(factor), None, None]).collect()
    };
    let mut table = ResultTable {
        key: "twpp_table3",
        source: "[ZG01] table 3",
        title: "compaction of call graph and traces".to_owned(),
        columns: columns(&[
            ("call graph", Look::Bytes),
            ("traces", Look::Bytes),
            ("dictionaries", Look::Bytes),
            ("total", Look::Bytes),
            ("factor", Look::Ratio),
            ("file", Look::Bytes),
            ("factor of file", Look::Ratio),
        ]),
        rows: rows(measured, values),
        paper: paper_rows(of_paper),
        notes: vec!["The file has the program's text, the index and the answers to what it read, too.".to_owned()],
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table
}

fn graphs(measured: &Measurements) -> ResultTable {
    let values = |of: &WholePathFigures| {
        let [nodes, edges, timestamps, numbers] = of.dynamic_size;
        let sizes = [of.static_size.0, of.static_size.1, nodes, edges].map(bytes);
        sizes.into_iter().chain([factor(numbers, nodes), factor(timestamps, nodes)]).collect()
    };
    ResultTable {
        key: "twpp_table6",
        source: "[ZG01] table 6",
        title: "sizes of static and dynamic flow graphs".to_owned(),
        columns: columns(&[
            ("static nodes", Look::Count),
            ("edges", Look::Count),
            ("dynamic nodes", Look::Count),
            ("edges", Look::Count),
            ("numbers a node", Look::Decimal),
            ("timestamps a node", Look::Decimal),
        ]),
        rows: rows(measured, values),
        paper: paper_rows(|row| row.graphs.map(Some).to_vec()),
        notes: vec![
            "Dynamic graphs are summed over the unique path traces. A node's timestamps take so many numbers as series.".to_owned(),
        ],
        ..ResultTable::default()
    }
}
