//! Figures 8, 9 and 11 to 14 of `[DD13]`; figure 10 and table 1 are in files of their own.
//!
//! In: times and forests for each k, times and counts of Ball-Larus paths in hash tables (the paper's BLPP). Out: one
//! table a figure. Notation: k is the length of the longest sequences; k-SF is the slab forest, k-IPF the path forest.

use super::ratios::{by_least_times, ratio_rows};
use super::{CONSUMER, NUMBERING, Outcomes, arithmetic, counts, forest, geometric, greatest, rows, worst};
use super::{locality, techniques};
use crate::reproduce::forest::{ForestFigures, Shape};
use crate::reproduce::measure::Measurements;
use crate::reproduce::paper::{ECLIPSE_DEGREES, FASTER_WITH_K, WORST_SLOWDOWN};
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::variant::{DELIA_K, Variant};

/// The variants that the tables need.
pub fn variants() -> Vec<Variant> {
    std::iter::once(Variant::BlHash).chain(DELIA_K.map(Variant::KBl)).chain(techniques::variants()).collect()
}

/// One table a figure.
pub fn tables(measured: &Measurements) -> Vec<ResultTable> {
    let mut tables = vec![figure_8(measured), figure_9(measured)];
    tables.extend(locality::figure_10(measured));
    tables.extend([figure_11(measured), figure_12(measured), figure_13(measured), figure_14(measured)]);
    tables.push(techniques::table_1(measured));
    tables
}

fn by_k(look: Look) -> Vec<(String, Look)> {
    DELIA_K.iter().map(|k| (format!("k={k}"), look)).collect()
}

fn of_each_k(of: &Outcomes, value: impl Fn(&ForestFigures) -> Option<f64>) -> Vec<Option<f64>> {
    DELIA_K.iter().map(|&k| forest(of, k).and_then(&value)).collect()
}

fn joined(of: &Outcomes, value: impl Fn(&Shape) -> Option<f64>) -> Vec<Option<f64>> {
    of_each_k(of, |forest| value(forest.joined.as_ref()?))
}

/// Notes on forests that were pruned or too large for a k-IPF.
fn absences(measured: &Measurements) -> Vec<String> {
    let (mut pruned, mut large) = (Vec::new(), Vec::new());
    for (name, of) in &measured.programs {
        for &k in &DELIA_K {
            match forest(of, k) {
                Some(forest) if !forest.is_exact() => pruned.push(format!("{name} k={k}")),
                Some(forest) if forest.too_large => large.push(format!("{name} k={k}")),
                Some(_) | None => {}
            }
        }
    }
    let mut notes = Vec::new();
    if !pruned.is_empty() {
        notes.push(format!("Without what no longer fitted into memory: {}.", pruned.join(", ")));
    }
    if !large.is_empty() {
        notes.push(format!("Absent, since a k-SF has more than 2^20 nodes: {}.", large.join(", ")));
    }
    notes
}

fn figure_8(measured: &Measurements) -> ResultTable {
    let pairs = DELIA_K.map(|k| (Variant::KBl(k), Variant::BlHash));
    let mut table = ResultTable {
        key: "delia_figure8",
        source: "[DD13] figure 8",
        title: "time of k-bl relative to bl with hash tables".to_owned(),
        columns: by_k(Look::Ratio),
        rows: ratio_rows(measured, &pairs),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table.summary.push(by_least_times(measured, &pairs));
    table.summary.push(Row::new("worst", table.over_rows(greatest)));
    let complete: Vec<(&str, Vec<f64>)> = table
        .rows
        .iter()
        .filter_map(|row| Some((row.name.as_str(), row.values.iter().copied().collect::<Option<Vec<f64>>>()?)))
        .collect();
    let (first, last) = (0, DELIA_K.len() - 1);
    let decreasing = complete.iter().filter(|(_, values)| values[last] < values[first]).count();
    let faster = complete.iter().filter(|(_, values)| values[last] <= 1.0).count();
    let all = complete.len();
    let least = complete.iter().flat_map(|(_, values)| values).copied().min_by(f64::total_cmp);
    let found = complete.iter().flat_map(|(name, values)| {
        DELIA_K.iter().zip(values).map(move |(k, value)| (format!("{name}, k={k}"), *value))
    });
    let worst = worst(found);
    table.compared = vec![
        Compared::new(
            "programs on which the overhead decreases for increasing k (here: k=16 costs less than k=2)",
            format!("{} of {}", FASTER_WITH_K.0, FASTER_WITH_K.1),
            format!("{decreasing} of {all}"),
        ),
        Compared::new("programs on which k=16 costs at most bl", "not stated", format!("{faster} of {all}")),
        Compared::new(
            "largest improvement over bl",
            "almost 50%",
            least.map_or("nothing was measured".to_owned(), |least| format!("{:.0}%", 100.0 * (1.0 - least))),
        ),
        Compared::new("worst slowdown", format!("{WORST_SLOWDOWN:.2}x (on one benchmark)"), worst),
        Compared::new(
            "average cost with respect to bl",
            "smaller",
            table.summary[0].values[last]
                .map_or("nothing was measured".to_owned(), |mean| format!("{mean:.2}x at k=16, in the geometric mean")),
        ),
    ];
    table.notes.push("The paper's bars carry no numbers; what stands beside ours is from its text.".to_owned());
    table.notes.push(CONSUMER.to_owned());
    table.notes.push(format!("{NUMBERING} The paper does so, too."));
    table.notes.extend(absences(measured));
    table
}

fn figure_9(measured: &Measurements) -> ResultTable {
    let relative = |of: &Outcomes| {
        let to = counts(of, Variant::BlHash).map(|counts| counts.executed).filter(|executed| *executed > 0);
        of_each_k(of, |forest| forest.is_exact().then_some(forest.hash_operations as f64 / to? as f64))
    };
    let mut table = ResultTable {
        key: "delia_figure9",
        source: "[DD13] figure 9",
        title: "hash table operations of k-bl by figure 6, relative to bl".to_owned(),
        columns: by_k(Look::Decimal),
        rows: rows(measured, relative),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("mean", table.over_rows(arithmetic)));
    table.compared = vec![Compared::new(
        "programs on which operations decrease for increasing k (here: k=16 makes fewer than k=2)",
        "all with intense loop iteration activity; not avrora and hsqldb",
        decreasing(&table.rows),
    )];
    let note = "By figure 6: one for the first path of an activation and for each (K-1)th after it. Code here makes none: the row of a state has a slot for each path.";
    table.notes.push(note.to_owned());
    table
}

/// Number of the rows with figures whose last one is less than the first.
fn decreasing(rows: &[Row]) -> String {
    let ends = |row: &Row| Some((row.values.first().copied()??, row.values.last().copied()??));
    let all: Vec<(f64, f64)> = rows.iter().filter_map(ends).collect();
    format!("{} of {}", all.iter().filter(|(first, last)| last < first).count(), all.len())
}

fn figure_11(measured: &Measurements) -> ResultTable {
    let values = |of: &Outcomes| {
        let entries = counts(of, Variant::BlHash).map(|counts| counts.distinct as f64);
        let nodes = of_each_k(of, |forest| forest.is_exact().then_some(forest.nodes as f64));
        std::iter::once(entries).chain(nodes).collect()
    };
    let mut table = ResultTable {
        key: "delia_figure11",
        source: "[DD13] figure 11",
        title: "space: entries in the hash tables of bl, nodes in the k-SF".to_owned(),
        columns: std::iter::once(("bl".to_owned(), Look::Count)).chain(by_k(Look::Count)).collect(),
        rows: rows(measured, values),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table.compared = vec![Compared::new(
        "the largest profile",
        "up to several millions of paths; out of memory on some benchmarks for large k",
        format!(
            "{} nodes",
            table
                .over_rows(greatest)
                .into_iter()
                .flatten()
                .max_by(f64::total_cmp)
                .map_or_else(|| "no".to_owned(), |most| Look::Count.show(most))
        ),
    )];
    table.notes = absences(measured);
    table
}

fn figure_12(measured: &Measurements) -> ResultTable {
    let values = |of: &Outcomes| {
        let paths = counts(of, Variant::BlHash).map(|counts| counts.distinct as f64);
        std::iter::once(paths).chain(joined(of, |shape| Some(shape.nodes as f64))).collect()
    };
    let mut table = ResultTable {
        key: "delia_figure12",
        source: "[DD13] figure 12",
        title: "paths profiled: distinct paths of bl, nodes of the k-IPF".to_owned(),
        columns: std::iter::once(("bl".to_owned(), Look::Count)).chain(by_k(Look::Count)).collect(),
        rows: rows(measured, values),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    let smaller = |(_, of): &&(String, Outcomes)| {
        let compact = |&k: &u32| {
            let forest = forest(of, k)?;
            Some(forest.joined.as_ref()?.nodes <= forest.nodes)
        };
        DELIA_K.iter().filter_map(compact).all(|is| is)
    };
    let compact = measured.programs.iter().filter(smaller).count();
    table.compared = vec![Compared::new(
        "programs whose k-IPF is at most as large as their k-SF, for every k that has both",
        "\"the k-IPF represents a more compact version of the k-SF\"",
        format!("{compact} of {}", measured.programs.len()),
    )];
    table.notes = absences(measured);
    table
}

fn figure_13(measured: &Measurements) -> ResultTable {
    let mut table = ResultTable {
        key: "delia_figure13",
        source: "[DD13] figure 13",
        title: "average degree of internal nodes of the k-IPF".to_owned(),
        columns: by_k(Look::Decimal),
        rows: rows(measured, |of| joined(of, Shape::average_degree)),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("mean", table.over_rows(arithmetic)));
    table.compared = vec![Compared::new(
        "the average node degree for increasing k",
        format!(
            "generally decreases, but not on sunflow and heapsort (k-SF of eclipse: {} at k=2, {} at k=16)",
            ECLIPSE_DEGREES.0, ECLIPSE_DEGREES.1
        ),
        format!("{}; {}", trend(&table, "decreases", |first, last| last < first), rising(&table)),
    )];
    table.notes = absences(measured);
    table
}

fn figure_14(measured: &Measurements) -> ResultTable {
    let mut table = ResultTable {
        key: "delia_figure14",
        source: "[DD13] figure 14",
        title: "average depth of leaves of the k-IPF".to_owned(),
        columns: by_k(Look::Decimal),
        rows: rows(measured, |of| joined(of, Shape::average_depth)),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("mean", table.over_rows(arithmetic)));
    table.compared = vec![Compared::new(
        "leaves as deep as k allows",
        "not on programs with short cycles such as avrora and hsqldb, where larger k collect nothing more",
        trend(&table, "grows", |first, last| last > first),
    )];
    table.notes.push("The depth of a root is 0, so that the deepest leaf has depth k-1.".to_owned());
    table.notes.extend(absences(measured));
    table
}

/// Number of programs for which `holds` is true of the values at the first and the last measured k.
fn trend(table: &ResultTable, verb: &str, holds: impl Fn(f64, f64) -> bool) -> String {
    let ends = |row: &Row| {
        let known: Vec<f64> = row.values.iter().copied().flatten().collect();
        (known.len() > 1).then(|| (known[0], known[known.len() - 1]))
    };
    let all: Vec<(f64, f64)> = table.rows.iter().filter_map(ends).collect();
    let held = all.iter().filter(|(first, last)| holds(*first, *last)).count();
    format!("{verb} from the first to the last k on {held} of {}", all.len())
}

/// The programs with a value above their first one.
fn rising(table: &ResultTable) -> String {
    let rises = |row: &&Row| {
        let known: Vec<f64> = row.values.iter().copied().flatten().collect();
        known.iter().any(|value| *value > known[0] + 0.005)
    };
    let names: Vec<&str> = table.rows.iter().filter(rises).map(|row| row.name.as_str()).collect();
    match names[..] {
        [] => "rises on the way on none".to_owned(),
        _ => format!("rises on the way on {}", names.join(", ")),
    }
}
