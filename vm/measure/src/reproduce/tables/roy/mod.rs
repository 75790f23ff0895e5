//! Tables 3 and 4 of `[RS09]`: slowdowns of k-iteration paths relative to acyclic ones, and numbers of paths.
//!
//! In: times of the programs of table 3, with both kinds of paths in the same kinds of tables. Out: the tables. Invariant: a time counts
//! only if every function is profiled whose acyclic paths are.
//!
//! The second table tells the costs apart that the paper's section 6 names: in arrays, where an update is one increment, the times differ by what
//! computing the numbers takes; from there to hash tables they differ by what updating takes.

pub mod paper;
mod static_paths;

use super::ratios::{Pair, by_least_times, ratio_rows};
use super::{CONSUMER, Outcomes, geometric, greatest};
use crate::bench::{self, BenchProgram, UnknownProgram};
use crate::reproduce::measure::Measurements;
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::variant::RoyTable::{Arrays, AsInPaper, HashTables};
use crate::reproduce::variant::{RoyTable, Variant};
use paper::TABLE_3;

/// Note on the numbers of paths.
const SOURCE_ORDER: &str =
    "bl and k-iter both number paths in the order of the source, without counts of a run before.";

/// The variants that the tables need.
pub fn variants() -> Vec<Variant> {
    let of_table = |table| [1, 2, 3].map(|k| Variant::Iterated(table, k));
    let tables = [AsInPaper, Arrays, HashTables];
    std::iter::once(Variant::Plain).chain(tables.into_iter().flat_map(of_table)).collect()
}

/// The programs of table 3: some with the control flow of the paper's, the others those of all commands.
pub fn programs() -> Vec<BenchProgram> {
    let papers = bench::papers_programs();
    let own = |name: &str| papers.iter().find(|program| program.short_name() == name).copied();
    let of_all = |name: &str| bench::select(&[name.to_owned()]).map(|found| found[0]);
    let all: Result<Vec<BenchProgram>, UnknownProgram> =
        TABLE_3.iter().map(|(name, ..)| own(name).map_or_else(|| of_all(name), Ok)).collect();
    all.expect("every program of table 3 is embedded")
}

/// The tables, of the embedded programs or of others. Table 4 is of functions that are embedded.
pub fn tables(measured: &Measurements, is_embedded: bool) -> Vec<ResultTable> {
    let table_4 = is_embedded.then(static_paths::table_4);
    [table_3(measured, is_embedded), costs(measured)].into_iter().chain(table_4).collect()
}

/// Times of what profiles all that the acyclic profile has.
fn complete(measured: &Measurements) -> Measurements {
    let mut kept = measured.clone();
    for (_, of) in &mut kept.programs {
        let missing = |of: &Outcomes, variant| Measurements::measured(of, variant).map(|found| found.probes.unprofiled);
        let fewest = missing(of, Variant::Iterated(AsInPaper, 1));
        let incomplete: Vec<Variant> = of.keys().copied().filter(|&variant| missing(of, variant) > fewest).collect();
        incomplete.iter().for_each(|variant| _ = of.remove(variant));
    }
    kept
}

fn to_bl(table: RoyTable) -> [Pair; 2] {
    [2, 3].map(|k| (Variant::Iterated(table, k), Variant::Iterated(table, 1)))
}

fn table_3(measured: &Measurements, is_embedded: bool) -> ResultTable {
    let (complete, pairs) = (complete(measured), to_bl(AsInPaper));
    let mut table = ResultTable {
        key: "roy_table3",
        source: "[RS09] table 3",
        title: "time of paths of 2 and of 3 iterations relative to acyclic paths".to_owned(),
        columns: ["2-It/BL", "3-It/BL"].map(|name| (name.to_owned(), Look::Ratio)).to_vec(),
        rows: ratio_rows(&complete, &pairs),
        paper: TABLE_3
            .iter()
            .map(|(name, two, three)| Row::new(format!("paper: {name}"), vec![Some(*two), *three]))
            .collect(),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table.summary.push(by_least_times(&complete, &pairs));
    table.summary.push(Row::new("worst", table.over_rows(greatest)));
    let aborted: Vec<&str> =
        table.rows.iter().filter(|row| row.values[1].is_none()).map(|row| row.name.as_str()).collect();
    let aborted = if aborted.is_empty() { "none".to_owned() } else { aborted.join(", ") };
    table.compared.push(Compared::new(
        "programs with a procedure of more than 60,000 paths of 3 iterations",
        "ndes",
        aborted,
    ));
    table.notes.push(
        "Both count in arrays where a function has up to 6,000 paths, else in hash tables; a function of more than 60,000 is not profiled."
            .to_owned(),
    );
    if is_embedded {
        table.notes.push("crc, edn, fdct and fir are the programs of all commands; the others have the control flow of the paper's programs.".to_owned());
    }
    table.notes.push(CONSUMER.to_owned());
    table.notes.push(SOURCE_ORDER.to_owned());
    table
}

/// Computing in arrays relative to acyclic paths in arrays; updating as hash tables relative to arrays.
fn costs(measured: &Measurements) -> ResultTable {
    let updating = [1, 2, 3].map(|k| (Variant::Iterated(HashTables, k), Variant::Iterated(Arrays, k)));
    let to_none = (Variant::Iterated(Arrays, 1), Variant::Plain);
    let pairs: Vec<Pair> = std::iter::once(to_none).chain(to_bl(Arrays)).chain(updating).collect();
    let columns = ["BL to none", "computing 2-It", "computing 3-It", "updating BL", "updating 2-It", "updating 3-It"];
    let mut table = ResultTable {
        key: "roy_costs",
        source: "[RS09] section 6",
        title: "computing numbers and updating tables, apart".to_owned(),
        columns: columns.map(|name| (name.to_owned(), Look::Ratio)).to_vec(),
        rows: ratio_rows(measured, &pairs),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table.summary.push(by_least_times(measured, &pairs));
    table.notes.push(
        "Computing: in arrays, relative to acyclic paths in arrays, whatever their number. Updating: in hash tables, relative to the same paths in arrays."
            .to_owned(),
    );
    table.notes.push(SOURCE_ORDER.to_owned());
    table
}
