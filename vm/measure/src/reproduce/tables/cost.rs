//! The cost of each scheme: times relative to no profiling, and the size of forests.
//!
//! In: times of every scheme, and forests. Out: two tables, with both papers' statements about cost and the results
//! here.

use super::ratios::{Pair, by_least_times, ratio_rows};
use super::{CONSUMER, NUMBERING, Outcomes, counts, forest, geometric, greatest, ratio, rows, tfp, worst};
use crate::bench::statistics::geometric_mean;
use crate::reproduce::measure::Measurements;
use crate::reproduce::paper::{FASTER_WITH_K, TFP_TO_BALA, WORST_SLOWDOWN};
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::variant::{DELIA_K, SAMPLES, TICKED, UNENDING, Variant};

/// The variants that the tables need.
pub fn variants() -> Vec<Variant> {
    let first = [Variant::Plain, Variant::Edge, Variant::BlArray, Variant::BlHash];
    let last = [Variant::Tfp(UNENDING), Variant::Bala];
    let sampled = SAMPLES.map(|(burst, gap)| Variant::Sampled(burst, gap));
    let sampled = sampled.into_iter().chain([Variant::Ticked(TICKED)]);
    first.into_iter().chain(DELIA_K.map(Variant::KBl)).chain(sampled).chain(last).collect()
}

/// The tables.
pub fn tables(measured: &Measurements) -> Vec<ResultTable> {
    vec![times(measured), forests(measured)]
}

fn times(measured: &Measurements) -> ResultTable {
    let schemes: Vec<Variant> = variants().into_iter().skip(1).collect();
    let pairs: Vec<Pair> = schemes.iter().map(|&variant| (variant, Variant::Plain)).collect();
    let mut table = ResultTable {
        key: "cost",
        source: "cost of profiling",
        title: "time in the optimized tier relative to none".to_owned(),
        columns: schemes.iter().map(|variant| (variant.name(), Look::Ratio)).collect(),
        rows: ratio_rows(measured, &pairs),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table.summary.push(by_least_times(measured, &pairs));
    table.summary.push(Row::new("worst", table.over_rows(greatest)));
    table.compared = compared(measured);
    table.notes.push(
        "edge*: edges are counted in the baseline tier alone; the column is that whole tier, not the counters."
            .to_owned(),
    );
    table.notes.push(CONSUMER.to_owned());
    table.notes.push(NUMBERING.to_owned());
    table.notes.push(
        "k=4 BURST/GAP: sequences of up to 4 paths in bursts of so many paths, with gaps of about so many; k=4 BURST: in bursts that ticks begin."
            .to_owned(),
    );
    table
        .notes
        .push("tfp and bala compare each path with the one before. tfp compares none in loops with one path, which the paper leaves out.".to_owned());
    table
}

fn compared(measured: &Measurements) -> Vec<Compared> {
    let longer = || DELIA_K.into_iter().filter(|k| *k >= 3);
    let to_hash =
        |of: &Outcomes| longer().map(|k| ratio(of, Variant::KBl(k), Variant::BlHash)).collect::<Option<Vec<_>>>();
    let known: Vec<(&str, Vec<f64>)> =
        measured.programs.iter().filter_map(|(name, of)| Some((name.as_str(), to_hash(of)?))).collect();
    let cheap = known.iter().filter(|(_, ratios)| ratios.iter().all(|ratio| *ratio <= 1.0)).count();
    let all =
        known.iter().flat_map(|(name, ratios)| longer().zip(ratios).map(move |(k, r)| (format!("{name}, k={k}"), *r)));
    let per_k = DELIA_K.into_iter().filter_map(|k| {
        let ratios = measured.ratios(Variant::KBl(k), Variant::BlHash);
        let cheap = ratios.iter().filter(|(_, ratio)| *ratio <= 1.0).count();
        (!ratios.is_empty()).then(|| format!("k={k}: {cheap}"))
    });
    let mean = |variant, to| geometric_mean(measured.ratios(variant, to).into_iter().map(|(_, ratio)| ratio));
    let to_none =
        DELIA_K.into_iter().filter_map(|k| Some(format!("k={k}: {:.2}x", mean(Variant::KBl(k), Variant::Plain)?)));
    let tfp = tfp::tfp_to_bala(measured).map_or("nothing was measured".to_owned(), |mean| format!("{mean:.4}x"));
    vec![
        Compared::new(
            "programs on which k-bl costs at most bl hash for every k >= 3",
            format!("{} of {} get cheaper with k", FASTER_WITH_K.0, FASTER_WITH_K.1),
            format!("{cheap} of {} ({})", known.len(), per_k.collect::<Vec<_>>().join(", ")),
        ),
        Compared::new("worst of k-bl to bl hash, k >= 3", format!("{WORST_SLOWDOWN:.2}x"), worst(all)),
        Compared::new("k-bl to none in the geometric mean", "not stated", to_none.collect::<Vec<_>>().join(", ")),
        Compared::new("tfp to bala in the geometric mean", format!("{TFP_TO_BALA:.4}x (average)"), tfp),
    ]
}

fn forests(measured: &Measurements) -> ResultTable {
    let shown = [2, 4, 8, 16];
    let values = |of: &Outcomes| {
        let executed = counts(of, Variant::BlHash).map(|counts| counts.executed as f64);
        let distinct = counts(of, Variant::BlHash).map(|counts| counts.distinct as f64);
        let sizes = shown.iter().flat_map(|&k| {
            let forest = forest(of, k);
            [forest.map(|forest| forest.nodes as f64), forest.map(|forest| forest.bytes as f64)]
        });
        [executed, distinct].into_iter().chain(sizes).collect()
    };
    let columns = shown.iter().flat_map(|k| [(format!("k={k} nodes"), Look::Count), ("bytes".to_owned(), Look::Bytes)]);
    let paths = [("paths run".to_owned(), Look::Count), ("distinct".to_owned(), Look::Count)];
    let mut table = ResultTable {
        key: "forests",
        source: "forests",
        title: "nodes and bytes of the k-slab forests".to_owned(),
        columns: paths.into_iter().chain(columns).collect(),
        rows: rows(measured, values),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table
}
