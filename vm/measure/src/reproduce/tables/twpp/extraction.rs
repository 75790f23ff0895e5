//! Tables 4 and 5 of `[ZG01]`: the time of extracting one function, and the rivals' sizes.
//!
//! In: the figures of whole paths. Out: two tables. Averages are over the called functions of a program, as in the paper.

use super::cells::{MB, bytes, columns, factor, paper_rows, rows};
use super::paper::PaperRow;
use crate::reproduce::measure::Measurements;
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::tables::{arithmetic, geometric, greatest};
use crate::reproduce::whole_path::{CalledFunction, MOST_IDS, MOST_RAW, RivalFigures, WholePathFigures};
use holloway_study::report::text::grouped;

const MILLISECOND: f64 = 1e-3;

/// Tables 4 and 5.
pub(super) fn tables(measured: &Measurements) -> [ResultTable; 2] {
    [from_raw(measured), from_rivals(measured)]
}

/// The times of all functions that have one.
fn times(of: &WholePathFigures, time: impl Fn(&CalledFunction) -> Option<f64>) -> Vec<f64> {
    of.functions.iter().filter_map(time).collect()
}

fn quotient(by: Option<f64>, of: Option<f64>) -> Option<f64> {
    Some(by? / of?)
}

/// Notes on the times; `is_absent` selects the programs that have more than `most` ids.
fn notes(measured: &Measurements, most: u64, is_absent: impl Fn(&WholePathFigures) -> bool) -> Vec<String> {
    let known = measured.whole_paths.iter().filter_map(|(name, figures)| Some((name.as_str(), figures.as_ref().ok()?)));
    let long: Vec<&str> = known.filter(|(_, figures)| is_absent(figures)).map(|(name, _)| name).collect();
    let mut notes = vec![
        "Elapsed times, of files that are in the machine's memory: medians of 5 by index, one time each from the others, whatever \
         the rounds are. All give the same traces with the same numbers of activations."
            .to_owned(),
    ];
    if !long.is_empty() {
        let most = grouped(most as usize);
        notes.push(format!("More than {most} ids, so that only the recording was measured: {}.", long.join(", ")));
    }
    notes
}

fn from_raw(measured: &Measurements) -> ResultTable {
    let values = |of: &WholePathFigures| {
        let (raw, compacted) = (times(of, |function| function.raw), times(of, |function| Some(function.compacted)));
        let expanded = times(of, |function| Some(function.expanded));
        vec![
            arithmetic(&raw),
            greatest(&raw),
            arithmetic(&compacted),
            greatest(&compacted),
            quotient(arithmetic(&raw), arithmetic(&compacted)),
            arithmetic(&expanded),
            quotient(arithmetic(&raw), arithmetic(&expanded)),
        ]
    };
    let mut table = ResultTable {
        key: "twpp_table4",
        source: "[ZG01] table 4",
        title: "time of extracting one function from the raw trace (U) and from the recording (C)".to_owned(),
        columns: columns(&[
            ("U avg.", Look::Seconds),
            ("max", Look::Seconds),
            ("C avg.", Look::Seconds),
            ("max", Look::Seconds),
            ("U/C", Look::Ratio),
            ("every block avg.", Look::Seconds),
            ("U to it", Look::Ratio),
        ]),
        rows: rows(measured, values),
        paper: paper_rows(|row| {
            let [average, most, compacted, most_compacted, speedup] = row.extraction;
            let times = [average, most, compacted, most_compacted].map(|time| Some(time * MILLISECOND));
            times.into_iter().chain([Some(speedup), None, None]).collect()
        }),
        notes: notes(measured, MOST_RAW, |of| of.functions.iter().all(|function| function.raw.is_none())),
        ..ResultTable::default()
    };
    table.notes.insert(
        0,
        "C is the time until the traces are ready for questions, in compacted form. The paper heads U/C with \"C/U\"."
            .to_owned(),
    );
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table
}

fn from_rivals(measured: &Measurements) -> ResultTable {
    let values = |of: &WholePathFigures| {
        let rivals = of.rivals.as_ref();
        let (process, index) = (arithmetic(&times(of, |f| f.sequitur)), arithmetic(&times(of, |f| Some(f.compacted))));
        let read = rivals.map(|rivals| rivals.sequitur_read);
        let total = process.and_then(|process| Some(read? + process));
        let zstd = arithmetic(&times(of, |function| function.zstd));
        // The rivals store the path alone.
        let path = of.file.saturating_sub(of.program);
        let size = |of_rival: fn(&RivalFigures) -> u64| rivals.map(of_rival).and_then(bytes);
        vec![
            size(|rivals| rivals.sequitur),
            size(|rivals| rivals.zstd),
            bytes(of.file),
            rivals.and_then(|rivals| factor(of.file, rivals.sequitur)),
            rivals.and_then(|rivals| factor(of.file, rivals.zstd)),
            read,
            process,
            total,
            zstd,
            index,
            quotient(total, index),
            quotient(zstd, index),
            bytes(path),
            rivals.and_then(|rivals| factor(path, rivals.sequitur)),
            rivals.and_then(|rivals| factor(path, rivals.zstd)),
            // Nor can they be asked without the program.
            rivals.and_then(|rivals| factor(of.file, rivals.sequitur + of.program)),
            rivals.and_then(|rivals| factor(of.file, rivals.zstd + of.program)),
        ]
    };
    let of_paper = |row: &PaperRow| {
        let [sequitur, twpp, read, process, index] = row.sequitur;
        let times = [read, process, read + process].map(|time| Some(time * MILLISECOND));
        let sizes = [Some(sequitur * MB), None, Some(twpp * MB), Some(twpp / sequitur), None];
        let last =
            [None, Some(index * MILLISECOND), Some((read + process) / index), None, None, None, None, None, None];
        sizes.into_iter().chain(times).chain(last).collect()
    };
    let mut table = ResultTable {
        key: "twpp_table5",
        source: "[ZG01] table 5",
        title: "sizes, and times of extracting one function, beside Sequitur and zstd".to_owned(),
        columns: columns(&[
            ("Sequitur", Look::Bytes),
            ("zstd -19", Look::Bytes),
            ("TWPP", Look::Bytes),
            ("to Sequitur", Look::Ratio),
            ("to zstd", Look::Ratio),
            ("Sequitur read", Look::Seconds),
            ("process", Look::Seconds),
            ("total", Look::Seconds),
            ("zstd", Look::Seconds),
            ("TWPP", Look::Seconds),
            ("Sequitur to TWPP", Look::Ratio),
            ("zstd to TWPP", Look::Ratio),
            ("path alone", Look::Bytes),
            ("it to Sequitur", Look::Ratio),
            ("it to zstd", Look::Ratio),
            ("with program: to Sequitur", Look::Ratio),
            ("to zstd", Look::Ratio),
        ]),
        rows: rows(measured, values),
        paper: paper_rows(of_paper),
        ..ResultTable::default()
    };
    let mean = table.over_rows(geometric);
    let shown = |at: usize| mean[at].map_or_else(|| "nothing was measured".to_owned(), |mean| format!("{mean:.2}"));
    table.compared = vec![
        Compared::new(
            "size relative to Sequitur's grammar",
            "3.92 (average)",
            format!(
                "{} (geometric mean), {} where both have the program's text, {} where neither has",
                shown(3),
                shown(15),
                shown(13)
            ),
        ),
        Compared::new("time of Sequitur relative to TWPP", "309 (average)", format!("{} (geometric mean)", shown(10))),
    ];
    table.notes = notes(measured, MOST_IDS, |of| of.rivals.is_none());
    table
        .notes
        .push("The paper's table 5 swaps the sizes of 130.li and 132.jpeg: table 3 has 6.4 and 7.3 MB.".to_owned());
    table.summary.push(Row::new("geometric mean", mean));
    table
}
