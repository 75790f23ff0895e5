//! Path frequencies from the register: section 3.6 of `[NGF03]`.
//!
//! In: TFP with a hash table that the register's value counts in at the end of each execution; TFP without it; Ball-Larus
//! paths in arrays. Out: the range of that value beside the number of paths, and the time that the table costs.

use super::super::classes::{divide, summarize};
use super::super::ratios::{Pair, by_least_times, ratio_rows};
use super::super::{NUMBERING, Outcomes, geometric, regions_of, rows};
use crate::reproduce::measure::Measurements;
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::variant::{UNENDING, Variant};

/// The variants that the table needs.
pub(super) fn variants() -> [Variant; 2] {
    [Variant::TfpFrequencies, Variant::BlArray]
}

/// One row a program: counts of its hottest loops, and times of the whole program.
pub(super) fn section_3_6(measured: &Measurements) -> ResultTable {
    let pairs: [Pair; 3] = [
        (Variant::TfpFrequencies, Variant::Tfp(UNENDING)),
        (Variant::TfpFrequencies, Variant::Plain),
        (Variant::BlArray, Variant::Plain),
    ];
    let counts = |of: &Outcomes| {
        let found = regions_of(of, Variant::TfpFrequencies).filter(|found| found.regions > 0);
        vec![
            found.map(|found| found.static_paths),
            found.map(|found| found.register_values),
            found.map(|found| found.taken_paths as f64),
            found.and_then(|found| found.counted_percent()),
        ]
    };
    let times = ["to tfp", "to none", "bl array/none"].map(|name| (name.to_owned(), Look::Ratio));
    let columns = [("static paths", Look::Count), ("values of r", Look::Count), ("taken", Look::Count)];
    let counted = ("counted".to_owned(), Look::Percent);
    let mut table = ResultTable {
        key: "tfp_section3_6",
        source: "[NGF03] section 3.6",
        title: "path frequencies from the register r: paths of the hottest loops, and time of tfp with frequencies"
            .to_owned(),
        columns: columns
            .map(|(name, look)| (name.to_owned(), look))
            .into_iter()
            .chain([counted])
            .chain(times)
            .collect(),
        rows: rows(measured, counts),
        ..ResultTable::default()
    };
    let no_spreads = vec![None; columns.len() + 1];
    for (row, of_times) in table.rows.iter_mut().zip(ratio_rows(measured, &pairs)) {
        row.values.extend(of_times.values);
        if !of_times.spreads.is_empty() {
            row.spreads = no_spreads.iter().copied().chain(of_times.spreads).collect();
        }
    }
    divide(measured, &mut table);
    summarize(measured, &mut table, "geometric mean", geometric);
    let least = by_least_times(measured, &pairs);
    table.summary.push(Row { values: no_spreads.iter().copied().chain(least.values).collect(), ..least });
    table.compared = compared(&table);
    table.notes = vec![
        "values of r: 2^n for the n bits of a loop's register, summed over the loops; taken: entries of their hash tables.".to_owned(),
        "counted: the sum of the frequencies relative to the executions, over the same loops; 100% if each was counted."
            .to_owned(),
        "The code is that of tfp. It counts equal consecutive executions at once, when another path follows; in regions of 64 places or more the reader of its events does.".to_owned(),
        "It counts all regions, the bodies of functions included.".to_owned(),
        NUMBERING.to_owned(),
    ];
    table
}

fn compared(table: &ResultTable) -> Vec<Compared> {
    let mean = |column: usize, digits: usize| {
        table
            .summary
            .iter()
            .find(|row| row.name == "geometric mean")
            .and_then(|row| row.values[column])
            .map_or_else(|| "nothing was measured".to_owned(), |mean| format!("{mean:.digits$}x in the geometric mean"))
    };
    let sparse = |row: &&Row| matches!(row.values[..2], [Some(paths), Some(values)] if values > paths);
    let known = table.rows.iter().filter(|row| row.values[0].is_some()).count();
    vec![
        Compared::new(
            "programs whose register has more values than there are paths, so that counts need hashing",
            "\"path identifiers that do not reflect the actual number of paths ..., thereby requiring hashing\"",
            format!("{} of {known}", table.rows.iter().filter(sparse).count()),
        ),
        Compared::new(
            "time with frequencies relative to tfp without",
            "\"without adding to the overheads significantly\"; not measured",
            mean(4, 3),
        ),
        Compared::new(
            "path frequencies alone: tfp with frequencies, and Ball and Larus's counts in arrays, relative to none",
            "\"techniques like [9] will do a better job of maintaining such frequencies alone\"",
            format!("tfp {}; bl array {}", mean(5, 2), mean(6, 2)),
        ),
    ]
}
